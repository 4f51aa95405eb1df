// SPDX-License-Identifier: MIT
// log.csv: one row of numbers every now and then. A row is one write to the end of the file.
#include "io/files.h"

#include "base/error.h"
#include "base/memory.h"
#include "observe/observable.h"
#include "observe/walls.h"
#include "world.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- rows as text

static void header_print(FILE *out, observations *seen)
{
	observable_list list = observables_in(OBSERVABLE_LOG, seen->world->state.def.dimension);
	const char *between = "";
	for (int i = 0; i < list.count; i++)
		for (size_t k = 0; k < observable_count(list.at[i]); k++, between = ",") {
			char name[TALUS_NAME_MAX];
			observable_component(list.at[i], k, name);
			fprintf(out, "%s%s", between, name);
		}
	for (int w = 0; w < talus_world_walls(seen->world); w++)
		for (int i = 0; i < 3*WALL_OBSERVABLES; i++) {
			char name[WALL_COLUMN_MAX];
			wall_observable_column(&wall_observables[i/3], seen->world, w, i%3, name);
			fprintf(out, ",%s", name);
		}
	fputc('\n', out);
}

// Whole numbers have no other digits than 17 significant ones show.
static void row_print(FILE *out, observations *seen)
{
	observable_list list = observables_in(OBSERVABLE_LOG, seen->world->state.def.dimension);
	const char *between = "";
	for (int i = 0; i < list.count; i++)
		for (size_t k = 0; k < observable_count(list.at[i]); k++, between = ",")
			fprintf(out, "%s%.17g", between, observable_value(list.at[i], seen, k));
	for (int w = 0; w < talus_world_walls(seen->world); w++)
		for (int i = 0; i < WALL_OBSERVABLES; i++) {
			vec3 v = wall_observable_value(&wall_observables[i], seen->world, w);
			fprintf(out, ",%.17g,%.17g,%.17g", v.x, v.y, v.z);
		}
	fputc('\n', out);
}

// ---------------------------------------------------------------- the file

// Adds a text at the end, or leaves the file as it was.
static bool append(const char *path, bool fresh, const char *text, size_t size, talus_error *error)
{
	int file = fresh ? file_make(path) : file_own_open(path, O_WRONLY | O_APPEND);
	struct stat status;
	if (file < 0 || fstat(file, &status) != 0) {
		error_at(error, path, 0, 0, "cannot write: %s", file_reason(errno));
		if (file >= 0)
			close(file);
		return false;
	}
	bool ok = file_write(file, path, text, size, error);
	if (!ok && ftruncate(file, status.st_size) != 0)
		ok = false; // the sentence about the write stands
	if (close(file) != 0 && ok)
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	return ok;
}

static char *printed(void (*print)(FILE *, observations *), observations *seen, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	if (!out)
		memory_lost();
	print(out, seen);
	if (ferror(out) | fclose(out))
		memory_lost();
	return text;
}

static bool print_to(const char *folder, observations *seen, bool fresh, void (*print)(FILE *, observations *), talus_error *error)
{
	char path[TALUS_PATH_MAX];
	size_t size = 0;
	if (!folder_path(path, folder, "log.csv", error))
		return false;
	char *text = printed(print, seen, &size);
	bool ok = append(path, fresh, text, size, error);
	free(text);
	return ok;
}

bool log_fits(const char *folder, const talus_world *world)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	size_t size = 0;
	FILE *in = folder_path(path, folder, "log.csv", &ignored) ? file_read_stream(path, LLONG_MAX) : NULL;
	if (!in)
		return false;
	observations seen = observations_of(world);
	char *text = printed(header_print, &seen, &size), *found = malloc(size);
	if (!found)
		memory_lost();
	bool fits = fread(found, 1, size, in) == size && memcmp(found, text, size) == 0;
	free(found);
	free(text);
	fclose(in);
	return fits;
}

bool log_create(const char *folder, const talus_world *world, talus_error *error)
{
	observations seen = observations_of(world);
	return print_to(folder, &seen, true, header_print, error);
}

bool log_append_seen(const char *folder, observations *seen, talus_error *error)
{
	return print_to(folder, seen, false, row_print, error);
}

bool log_append(const char *folder, const talus_world *world, talus_error *error)
{
	observations seen = observations_of(world);
	bool ok = log_append_seen(folder, &seen, error);
	observations_free(&seen);
	return ok;
}

// ---------------------------------------------------------------- going through the rows

enum { LINE_MOST = 1 << 24 }; // bytes; no scene has so many walls

typedef struct log_line {
	char *text;
	size_t length, capacity;
	uint64_t step;
} log_line;

typedef struct log_scan {
	FILE *in, *out; // sound rows go there, if there is one
	uint64_t last_step;
	size_t cells;
	log_line line, waiting; // a row waits until the next one shows that its step is not too large
	bool waits, begun;
	uint64_t before; // step of the row before it
	size_t behind;   // damaged rows after it
	log_extent *extent;
} log_scan;

// The next line with its end; false at the end of the file, or at a line without one, or with errno.
static bool line_read(FILE *in, log_line *line)
{
	int c;
	line->length = 0;
	errno = 0;
	while ((c = getc_unlocked(in)) != EOF) {
		if (line->length + 2 > line->capacity) {
			size_t more = line->capacity ? 2*line->capacity : 4096;
			line->text = memory_grow(line->text, line->length, more);
			line->capacity = more;
		}
		line->text[line->length++] = (char)c;
		line->text[line->length] = 0;
		if (c == '\n')
			return true;
		if (line->length == LINE_MOST) {
			errno = EFBIG;
			return false;
		}
	}
	if (!ferror(in))
		errno = 0;
	return false;
}

static size_t hash_grid_of(const log_line *line)
{
	size_t cells = 1;
	for (size_t i = 0; i < line->length; i++)
		cells += line->text[i] == ',';
	return cells;
}

// A whole number, then as many other numbers as there are columns, and nothing else.
static bool row_read(log_line *line, size_t cells)
{
	char *end, *at = line->text;
	if (strlen(at) != line->length || !isdigit((unsigned char)*at) || hash_grid_of(line) != cells)
		return false;
	line->step = strtoull(at, &end, 10);
	while (*end == ',') {
		at = end + 1;
		if (isspace((unsigned char)*at))
			return false;
		strtod(at, &end);
		if (end == at)
			return false;
	}
	return *end == '\n';
}

static bool put_out(log_scan *s, const log_line *line)
{
	s->extent->bytes += line->length;
	return !s->out || fwrite(line->text, 1, line->length, s->out) == line->length;
}

static bool waiting_keep(log_scan *s)
{
	if (!s->waits) {
		s->extent->spoilt += s->behind;
		return true;
	}
	s->waits = false;
	s->before = s->waiting.step;
	s->begun = true;
	if (s->waiting.step > s->last_step) {
		s->extent->spoilt += s->behind;
		return true;
	}
	s->extent->rows++;
	s->extent->damaged += s->extent->spoilt;
	s->extent->spoilt = s->behind;
	s->extent->last_step = s->waiting.step;
	s->extent->last_time = strtod(strchr(s->waiting.text, ',') + 1, NULL);
	return put_out(s, &s->waiting);
}

// Steps grow from row to row. Where they do not, the row that waits is wrong if the new one fits without it.
static bool row_take(log_scan *s)
{
	bool sound = row_read(&s->line, s->cells);
	bool grows = sound && (!s->waits || s->line.step > s->waiting.step);
	if (!sound || (!grows && s->begun && s->line.step <= s->before)) {
		s->behind++;
		return true;
	}
	if (grows && !waiting_keep(s))
		return false;
	if (!grows)
		s->extent->spoilt += 1 + s->behind;
	log_line free_one = s->waiting;
	s->waiting = s->line;
	s->line = free_one;
	s->waits = true;
	s->behind = 0;
	return true;
}

static bool scan(log_scan *s)
{
	bool ok = true;
	if (line_read(s->in, &s->line)) {
		s->cells = hash_grid_of(&s->line);
		ok = put_out(s, &s->line);
		while (ok && line_read(s->in, &s->line))
			ok = row_take(s);
	}
	ok = ok && errno == 0 && waiting_keep(s);
	memory_free(s->line.text);
	memory_free(s->waiting.text);
	return ok;
}

static bool scan_to(const char *path, FILE *out, uint64_t last_step, log_extent *extent, talus_error *error)
{
	memset(extent, 0, sizeof *extent);
	FILE *in = file_read_stream(path, LLONG_MAX);
	if (!in)
		return error_at(error, path, 0, 0, "cannot read: %s", file_reason(errno));
	bool ok = scan(&(log_scan){.in = in, .out = out, .last_step = last_step, .extent = extent});
	if (!ok)
		error_at(error, path, 0, 0, "cannot read: %s", errno == EFBIG ? "a line of it is too long" : strerror(errno));
	fclose(in);
	return ok;
}

bool log_measure(const char *folder, uint64_t last_step, log_extent *extent, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	memset(extent, 0, sizeof *extent);
	return folder_path(path, folder, "log.csv", error) && scan_to(path, NULL, last_step, extent, error);
}

// The old file keeps a name at any moment, where there can be two of them.
static bool keep_old(const char *path, const char *aside, talus_error *error)
{
	if ((unlink(aside) == 0 || errno == ENOENT) && (link(path, aside) == 0 || rename(path, aside) == 0))
		return true;
	return error_at(error, path, 0, 0, "cannot keep it as log.csv.old: %s", strerror(errno));
}

static bool mend(const char *folder, const char *path, uint64_t last_step, talus_error *error)
{
	char aside[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	log_extent extent;
	if (!folder_path(aside, folder, "log.csv.old", error) || !folder_path(temporary, folder, "log.csv.tmp", error))
		return false;
	int file = file_make(temporary);
	FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
	if (!out) {
		error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
		if (file >= 0)
			close(file);
		return false;
	}
	bool ok = scan_to(path, out, last_step, &extent, error);
	if (fclose(out) != 0 && ok)
		ok = error_at(error, path, 0, 0, "cannot write: %s", strerror(errno));
	if (ok && keep_old(path, aside, error))
		return file_commit(temporary, path, error);
	unlink(temporary);
	return false;
}

bool log_truncate(const char *folder, uint64_t last_step, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	log_extent extent;
	if (!folder_path(path, folder, "log.csv", error) || !log_measure(folder, last_step, &extent, error))
		return false;
	int file = file_own_open(path, O_WRONLY);
	bool ok = file >= 0 && (extent.damaged || ftruncate(file, (off_t)extent.bytes) == 0);
	if (!ok)
		error_at(error, path, 0, 0, "cannot cut back to the checkpoint: %s", file_reason(errno));
	if (file >= 0)
		close(file);
	return ok && (!extent.damaged || mend(folder, path, last_step, error));
}
