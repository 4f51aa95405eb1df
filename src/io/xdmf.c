// SPDX-License-Identifier: MIT
// run.xdmf: XDMF 3, a collection in time of clouds of points that live in run.h5. Each frame's text depends on that frame
// alone, so a new one takes the place of the closing tags, which follow it again.
#include "io/frames.h"

#include "base/error.h"
#include "base/memory.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
			   "<Grid Name=\"grains\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
static const char tail[] = "</Grid>\n</Domain>\n</Xdmf>\n";

// The rows of frame k of one array.
static void item_print(FILE *out, const frame_column *column, size_t k, size_t grains, size_t rows)
{
	const char *type = column->type == FRAME_REAL ? "Float" : "Int";
	int precision = (int)frame_type_bytes(column->type), width = column->width;
	if (width > 1) {
		fprintf(out, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%zu %d\">", grains, width);
		fprintf(out, "<DataItem Dimensions=\"3 3\" Format=\"XML\">%zu 0 0 1 1 1 1 %zu %d</DataItem>", k, grains,
		        width);
		fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%zu %zu %d\">", type,
		        precision, k + 1, rows, width);
	} else {
		fprintf(out, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%zu\">", grains);
		fprintf(out, "<DataItem Dimensions=\"3 2\" Format=\"XML\">%zu 0 1 1 1 %zu</DataItem>", k, grains);
		fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%zu %zu\">", type,
		        precision, k + 1, rows);
	}
	fprintf(out, "run.h5:/%s</DataItem></DataItem>\n", column->path);
}

// What can be shown at a point beside where it is: numbers and arrows.
static bool is_attribute(const body_column *c)
{
	return c->frame && strcmp(c->frame, "position") != 0 && (c->width == 1 || (c->width == 3 && c->type == BODY_REAL));
}

static void frame_print(FILE *out, size_t k, double time, size_t grains, size_t rows)
{
	frame_column position = frame_grain_column("position");
	if (!grains) // a cloud without points is more than readers can bear
		return;
	fprintf(out, "<Grid Name=\"frame %zu\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n", k, time);
	fprintf(out, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%zu\" NodesPerElement=\"1\"/>\n", grains);
	fprintf(out, "<Geometry GeometryType=\"XYZ\">");
	item_print(out, &position, k, grains, rows);
	fprintf(out, "</Geometry>\n");
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++) {
		if (!is_attribute(c))
			continue;
		frame_column column = frame_grain_column(c->frame);
		fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", c->frame, c->width == 3 ? "Vector" : "Scalar");
		item_print(out, &column, k, grains, rows);
		fprintf(out, "</Attribute>\n");
	}
	fprintf(out, "</Grid>\n");
}

// ---------------------------------------------------------------- the whole file

typedef struct frame_lines {
	bool all; // asked for: all frames, or only the last one
	size_t first, count, rows; // frames first .. first + count - 1
	double *time;
	int64_t *grains;
} frame_lines;

static void lines_free(frame_lines *lines)
{
	memory_free(lines->time);
	memory_free(lines->grains);
	lines->time = NULL;
	lines->grains = NULL;
}

static bool lines_read(hid_t file, void *into)
{
	frame_lines *lines = into;
	size_t frames;
	hsize_t steps = 0;
	lines_free(lines); // of an earlier try
	// the last frame is whole when its step is there; to look into every array takes as long as to write it
	if (!frame_rows_read(file, &lines->rows) ||
	    !(lines->all ? frame_count(file, &frames) : hdf_table_rows(file, frame_columns[FRAME_STEP].path, &steps)))
		return false;
	if (!lines->all)
		frames = (size_t)steps;
	lines->first = lines->all || !frames ? 0 : frames - 1;
	lines->count = frames - lines->first;
	lines->time = memory_grow(NULL, 0, lines->count*sizeof *lines->time);
	lines->grains = memory_grow(NULL, 0, lines->count*sizeof *lines->grains);
	return frame_scalars(file, FRAME_TIME, lines->first, lines->count, lines->time) &&
	       frame_scalars(file, FRAME_GRAINS, lines->first, lines->count, lines->grains);
}

static char *lines_print(const frame_lines *lines, const char *before, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	if (!out)
		memory_lost();
	fputs(before, out);
	for (size_t i = 0; i < lines->count; i++)
		frame_print(out, lines->first + i, lines->time[i], (size_t)lines->grains[i], lines->rows);
	fputs(tail, out);
	if (ferror(out) | fclose(out))
		memory_lost();
	return text;
}

bool xdmf_write(const char *folder, talus_error *error)
{
	frame_lines lines = {.all = true};
	size_t size = 0;
	bool ok = frames_read_with(folder, lines_read, &lines, error);
	if (ok) {
		char *text = lines_print(&lines, head, &size);
		ok = file_replace(folder, "run.xdmf", text, size, error);
		free(text);
	}
	lines_free(&lines);
	return ok;
}

// ---------------------------------------------------------------- one more frame

// Where the closing tags start; -1 if they are not there.
static off_t tail_find(int file)
{
	char end[sizeof tail] = "";
	struct stat status;
	off_t length = (off_t)(sizeof tail - 1);
	if (fstat(file, &status) != 0 || status.st_size < length)
		return -1;
	off_t start = status.st_size - length;
	if (pread(file, end, (size_t)length, start) != length || memcmp(end, tail, (size_t)length) != 0)
		return -1;
	return start;
}

// A kill can cut a write between two pages, so a file that is small enough is written beside and renamed.
enum { SMALL = 1 << 18 };

static bool small_replace(const char *path, int file, size_t kept, const char *text, size_t size, talus_error *error)
{
	char beside[TALUS_PATH_MAX + 8];
	snprintf(beside, sizeof beside, "%s.tmp", path);
	char *whole = malloc(kept + size);
	if (!whole)
		memory_lost();
	memcpy(whole + kept, text, size);
	int other = file_make(beside);
	bool ok = other >= 0 && pread(file, whole, kept, 0) == (ssize_t)kept && file_write(other, beside, whole, kept + size, error);
	if (other >= 0)
		close(other);
	free(whole);
	ok = ok && rename(beside, path) == 0;
	if (!ok)
		unlink(beside);
	return ok;
}

static bool tail_replace(const char *path, const char *text, size_t size, bool *found, talus_error *error)
{
	int file = file_own_open(path, O_RDWR);
	off_t start = file < 0 ? -1 : tail_find(file);
	*found = start >= 0;
	if (*found && start < SMALL && small_replace(path, file, (size_t)start, text, size, error)) {
		close(file);
		return true;
	}
	bool ok = *found && lseek(file, start, SEEK_SET) == start && file_write(file, path, text, size, error);
	if (*found && !ok) { // give it its end back
		talus_error ignored;
		if (ftruncate(file, start) == 0 && lseek(file, start, SEEK_SET) == start)
			file_write(file, path, tail, sizeof tail - 1, &ignored);
	}
	if (file >= 0)
		close(file);
	return ok;
}

bool xdmf_append(const char *folder, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	size_t size = 0;
	frame_lines lines = {0};
	bool found = false;
	bool ok = folder_path(path, folder, "run.xdmf", error) && frames_read_with(folder, lines_read, &lines, error);
	if (ok) {
		char *text = lines_print(&lines, "", &size);
		ok = tail_replace(path, text, size, &found, error);
		free(text);
	}
	lines_free(&lines);
	return ok || found ? ok : xdmf_write(folder, error);
}
