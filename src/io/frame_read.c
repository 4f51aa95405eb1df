// SPDX-License-Identifier: MIT
// Frames read back from run.h5, also from that of a run that was killed or is still going on.
#include "io/frames.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- how many, and when

static bool read_view(const char *path, disk_view view, bool (*read)(hid_t file, void *into), void *into, talus_error *error)
{
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = view == DISK_AS_IS ? hdf_file_open_read(path, error) : hdf_file_view(path, view);
	bool ok = file >= 0 && (read(file, into) || hdf_error(error, path, "read the frames"));
	if (file >= 0)
		H5Fclose(file);
	hdf_quiet_end(&quiet);
	return ok;
}

// Pages that a journal holds are those of the checkpoint only while its step is the checkpoint's.
static bool journal_fits(const char *folder, const char *path)
{
	talus_error ignored;
	checkpoint_head head;
	journal j;
	if (!journal_open(&j, path, false))
		return false;
	bool fits = checkpoint_look(folder, &head, &ignored) && head.step == j.step;
	journal_close(&j);
	return fits;
}

// A living writer changes the file for a moment with each frame; a few tries find a quiet one. One that was killed in such
// a moment may have left a file in which nothing can be found, but then there are the frames up to its checkpoint.
bool frames_read_with(const char *folder, bool (*read)(hid_t file, void *into), void *into, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	if (!folder_path(path, folder, "run.h5", error))
		return false;
	for (int tries = 0; tries < 10; tries++) {
		if (read_view(path, DISK_AS_IS, read, into, error))
			return true;
		if (folder_look(folder) == FOLDER_FREE)
			break;
		nanosleep(&(struct timespec){0, 20000000}, NULL);
	}
	return journal_fits(folder, path) && read_view(path, DISK_ROLLED_BACK, read, into, &ignored);
}

static bool frame_get(hid_t file, size_t k, frame *f);
static void frame_empty(frame *f);

// Can what belongs to all frames be read, and the last of them? A file that opens may still be damaged in what pictures need.
static bool layout_is_sound(hid_t file, size_t frames)
{
	frame_header header = {0};
	frame last = {0};
	bool ok = frame_header_read(file, &header) && (!frames || frame_get(file, frames - 1, &last));
	frame_header_free(&header);
	frame_empty(&last);
	return ok;
}

typedef struct frame_times {
	size_t count;
	uint64_t *step;
	double *time;
} frame_times;

static bool times_read(hid_t file, void *into)
{
	frame_times *list = into;
	frames_list_free(list->step, list->time); // of an earlier try
	list->step = NULL;
	list->time = NULL;
	if (!frame_count(file, &list->count))
		return false;
	list->step = memory_grow(NULL, 0, list->count*sizeof *list->step);
	list->time = memory_grow(NULL, 0, list->count*sizeof *list->time);
	return frame_scalars(file, FRAME_STEP, 0, list->count, list->step) &&
	       frame_scalars(file, FRAME_TIME, 0, list->count, list->time) && layout_is_sound(file, list->count);
}

bool frames_list(const char *folder, size_t *count, uint64_t **step, double **time, talus_error *error)
{
	frame_times list = {0};
	bool ok = frames_read_with(folder, times_read, &list, error);
	if (!ok) {
		frames_list_free(list.step, list.time);
		list = (frame_times){0};
	}
	*count = list.count;
	*step = list.step;
	*time = list.time;
	return ok;
}

void frames_list_free(uint64_t *step, double *time)
{
	memory_free(step);
	memory_free(time);
}

bool frames_count(const char *folder, size_t *count, talus_error *error)
{
	uint64_t *step;
	double *time;
	bool ok = frames_list(folder, count, &step, &time, error);
	frames_list_free(step, time);
	return ok;
}

static bool observables_find(hid_t file, void *into)
{
	observable_list *there = into;
	frame_layout layout;
	frame_layout_make(&layout);
	there->count = 0;
	for (int c = 0; c < layout.count; c++)
		if (layout.at[c].observable && frame_column_is_there(file, &layout.at[c]))
			there->at[there->count++] = layout.at[c].observable;
	return true;
}

bool frames_observables(const char *folder, observable_list *there, talus_error *error)
{
	there->count = 0;
	return frames_read_with(folder, observables_find, there, error);
}

// ---------------------------------------------------------------- one frame

// The part of a column that belongs to frame k, in a block of its own.
static void *column_get_of(hid_t file, const frame_column *column, size_t k, size_t rows, size_t offset)
{
	size_t bytes = (column->rows == ROWS_FRAME ? 1 : rows)*(size_t)column->width*frame_type_bytes(column->type);
	void *block = memset(memory_grow(NULL, 0, bytes), 0, bytes);
	frame_part part = frame_part_of(column, k, rows, offset);
	if (part.empty || !frame_column_is_there(file, column))
		return block;
	hid_t set = H5Dopen2(file, column->path, H5P_DEFAULT);
	bool ok = set >= 0 && hdf_set_get(set, frame_type_memory(column->type), part.start, part.count, block);
	if (set >= 0)
		H5Dclose(set);
	if (ok)
		return block;
	memory_free(block);
	return NULL;
}

static void *column_get(hid_t file, int c, size_t k, size_t rows, size_t offset)
{
	return column_get_of(file, &frame_columns[c], k, rows, offset);
}

static void *grain_get(hid_t file, const char *name, size_t k, size_t grains)
{
	frame_column column = frame_grain_column(name);
	return column_get_of(file, &column, k, grains, 0);
}

static bool number_get(hid_t file, int c, size_t k, int64_t *number)
{
	int64_t *block = column_get(file, c, k, 1, 0);
	*number = block ? *block : 0;
	memory_free(block);
	return block != NULL;
}

static bool grains_get(hid_t file, size_t k, frame *f)
{
	int64_t *id = grain_get(file, "id", k, f->grains);
	f->id = memory_grow(NULL, 0, f->grains*sizeof *f->id);
	for (size_t i = 0; id && i < f->grains; i++)
		f->id[i] = (uint32_t)id[i];
	memory_free(id);
	f->x = grain_get(file, "position", k, f->grains);
	f->v = grain_get(file, "velocity", k, f->grains);
	f->spin = grain_get(file, "spin", k, f->grains);
	f->q = grain_get(file, "orientation", k, f->grains);
	f->radius = grain_get(file, "radius", k, f->grains);
	f->material = grain_get(file, "material", k, f->grains);
	return id && f->x && f->v && f->spin && f->q && f->radius && f->material;
}

static bool contacts_get(hid_t file, size_t k, frame *f)
{
	int64_t count, offset;
	if (!number_get(file, FRAME_COUNT, k, &count) || !number_get(file, FRAME_OFFSET, k, &offset))
		return false;
	if (count < 0 || offset < 0)
		return false;
	f->contacts = (size_t)count;
	f->body = column_get(file, FRAME_BODIES, k, f->contacts, (size_t)offset);
	f->n = column_get(file, FRAME_NORMAL, k, f->contacts, (size_t)offset);
	f->force = column_get(file, FRAME_FORCE, k, f->contacts, (size_t)offset);
	f->torque = column_get(file, FRAME_TORQUE, k, f->contacts, (size_t)offset);
	f->gap = column_get(file, FRAME_GAP, k, f->contacts, (size_t)offset);
	f->bonded = column_get(file, FRAME_BONDED, k, f->contacts, (size_t)offset);
	return f->body && f->n && f->force && f->torque && f->gap && f->bonded;
}

static bool wall_vectors_get(hid_t file, int c, size_t k, frame *f, size_t offset)
{
	talus_vec3 *block = column_get(file, c, k, (size_t)f->walls, 0);
	for (int i = 0; block && i < f->walls; i++)
		memcpy((char *)&f->wall[i] + offset, &block[i], sizeof block[i]);
	memory_free(block);
	return block != NULL;
}

static bool walls_get(hid_t file, size_t k, frame *f, const frame_header *header)
{
	size_t bytes = (size_t)header->walls*sizeof *f->wall;
	f->walls = header->walls;
	f->wall = memset(memory_grow(NULL, 0, bytes), 0, bytes);
	for (int i = 0; i < f->walls; i++)
		f->wall[i].def = header->wall[i];
	return wall_vectors_get(file, FRAME_WALL_POINT, k, f, offsetof(frame_wall, def.point)) &&
	       wall_vectors_get(file, FRAME_WALL_TO, k, f, offsetof(frame_wall, def.to)) &&
	       wall_vectors_get(file, FRAME_WALL_AXIS, k, f, offsetof(frame_wall, def.axis)) &&
	       wall_vectors_get(file, FRAME_WALL_HOLE, k, f, offsetof(frame_wall, def.hole_at)) &&
	       wall_vectors_get(file, FRAME_WALL_FORCE, k, f, offsetof(frame_wall, force)) &&
	       wall_vectors_get(file, FRAME_WALL_TORQUE, k, f, offsetof(frame_wall, torque));
}

static bool box_get(hid_t file, size_t k, frame *f, const frame_header *header)
{
	double(*edges)[3] = column_get(file, FRAME_EDGES, k, 3, 0);
	for (int i = 0; edges && i < 3; i++)
		for (int j = 0; j < 3; j++)
			f->cell[j][i] = header->periodic[i] ? edges[i][j] : i == j; // open ones have none
	f->no_contacts = header->no_contacts;
	memcpy(f->origin, header->origin, sizeof f->origin);
	memcpy(f->periodic, header->periodic, sizeof f->periodic);
	f->dimension = header->dimension;
	memory_free(edges);
	return edges != NULL;
}

static bool moment_get(hid_t file, size_t k, frame *f)
{
	int64_t step, grains;
	double *time = column_get(file, FRAME_TIME, k, 1, 0);
	f->time = time ? *time : 0;
	memory_free(time);
	if (!time || !number_get(file, FRAME_STEP, k, &step) || !number_get(file, FRAME_GRAINS, k, &grains) || grains < 0)
		return false;
	f->step = (uint64_t)step;
	f->grains = (size_t)grains;
	return true;
}

static bool frame_get(hid_t file, size_t k, frame *f)
{
	frame_header header;
	bool ok = frame_header_read(file, &header) && moment_get(file, k, f) && f->grains <= header.rows &&
	          box_get(file, k, f, &header) && grains_get(file, k, f) && contacts_get(file, k, f) &&
	          walls_get(file, k, f, &header);
	frame_header_free(&header);
	return ok;
}

static void frame_empty(frame *f)
{
	void *blocks[] = {f->id,   f->x, f->v,     f->spin,   f->q,   f->radius, f->material,
	                  f->body, f->n, f->force, f->torque, f->gap, f->bonded, f->wall};
	for (size_t i = 0; i < sizeof blocks/sizeof blocks[0]; i++)
		memory_free(blocks[i]);
	memset(f, 0, sizeof *f);
}

typedef struct frame_wish {
	size_t index, count;
	frame *frame;
} frame_wish;

// True too if there is no such frame, which is not a matter of the file.
static bool wish_read(hid_t file, void *into)
{
	frame_wish *wish = into;
	frame_empty(wish->frame);
	return frame_count(file, &wish->count) &&
	       (wish->index >= wish->count || frame_get(file, wish->index, wish->frame));
}

static bool wish_is_met(const char *folder, const frame_wish *wish, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "run.h5", error))
		return false;
	if (wish->count == 0)
		return error_at(error, path, 0, 0, "there are no frames in it");
	return wish->index < wish->count ||
	       error_at(error, path, 0, 0, "there is no frame %zu, only 0 to %zu", wish->index, wish->count - 1);
}

frame *frame_read(const char *folder, size_t index, talus_error *error)
{
	frame_wish wish = {.index = index, .frame = calloc(1, sizeof *wish.frame)};
	if (!wish.frame)
		memory_lost();
	if (frames_read_with(folder, wish_read, &wish, error) && wish_is_met(folder, &wish, error))
		return wish.frame;
	frame_free(wish.frame);
	return NULL;
}

void frame_free(frame *f)
{
	if (!f)
		return;
	frame_empty(f);
	free(f);
}

// ---------------------------------------------------------------- one number of a frame

typedef struct number_wish {
	const char *name;
	size_t index;
	double value;
} number_wish;

static bool number_read(hid_t file, void *into)
{
	number_wish *wish = into;
	frame_layout layout;
	frame_layout_make(&layout);
	wish->value = NAN;
	for (int c = 0; c < layout.count; c++) {
		const frame_column *column = &layout.at[c];
		if (!column->observable || column->width != 1 || strcmp(column->observable->name, wish->name) != 0)
			continue;
		if (!frame_column_is_there(file, column))
			return true;
		void *block = column_get_of(file, column, wish->index, 1, 0);
		if (block)
			wish->value = column->type == FRAME_REAL ? *(double *)block : (double)*(int64_t *)block;
		memory_free(block);
		return block != NULL;
	}
	return true;
}

bool frame_observable(const char *folder, size_t index, const char *name, double *value, talus_error *error)
{
	number_wish wish = {.name = name, .index = index};
	bool ok = frames_read_with(folder, number_read, &wish, error);
	*value = ok ? wish.value : NAN;
	return ok;
}
