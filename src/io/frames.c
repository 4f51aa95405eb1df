// SPDX-License-Identifier: MIT
// Frames: run.h5, one frame appended at a time. The file is closed after each frame; what a frame changes of the file as it
// was is written only then, all at once (hdf5_disk.c). At a checkpoint all of it reaches the disk, and a new journal begins,
// which can bring the file back to what it was then.
#include "io/frames.h"

#include "base/error.h"
#include "base/memory.h"
#include "state/cell.h"
#include "io/journal.h"
#include "observe/snapshot.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- creating

size_t frames_rows(const talus_world *world)
{
	size_t rows = world->state.bodies.count;
	for (int i = 0; i < world->pours.count; i++)
		rows += (size_t)(world->pours.at[i].def.count - world->pours.at[i].poured);
	return rows ? rows : 1;
}

static frame_header header_of(const talus_world *world, const char *title)
{
	frame_header header = {.dimension = world->state.def.dimension, .rows = frames_rows(world)};
	snprintf(header.title, sizeof header.title, "%s", title);
	memcpy(header.periodic, world->state.cell.periodic, sizeof header.periodic);
	memcpy(header.origin, &world->state.cell.origin, sizeof header.origin);
	header.walls = world->state.walls.count;
	header.wall = memory_grow(NULL, 0, (size_t)header.walls*sizeof *header.wall);
	for (int i = 0; i < header.walls; i++)
		header.wall[i] = world->state.walls.at[i].def;
	header.materials = world->state.materials;
	header.material = memory_grow(NULL, 0, (size_t)header.materials*sizeof *header.material);
	for (int i = 0; i < header.materials; i++)
		header.material[i] = world->state.material[i];
	return header;
}

static bool paths(const char *folder, char path[TALUS_PATH_MAX], char temporary[TALUS_PATH_MAX], talus_error *error)
{
	return folder_path(path, folder, "run.h5", error) && folder_path(temporary, folder, "run.h5.tmp", error);
}

bool frames_create(const char *folder, const talus_world *world, const char *title, talus_error *error)
{
	return frames_create_with(folder, world, title, &(frame_options){0}, error);
}

bool frames_create_with(const char *folder, const talus_world *world, const char *title, const frame_options *options,
                        talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	if (!paths(folder, path, temporary, error) || !frames_finish(folder, error)) // a journal of another file is none
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	frame_header header = header_of(world, title);
	header.no_contacts = options->no_contacts;
	header.compressed = options->compressed;
	hid_t file = hdf_file_create_growing(temporary);
	bool ok = file >= 0 && frame_header_write(file, &header);
	ok = file >= 0 && hdf_file_close_written(file, ok);
	if (!ok) {
		hdf_error(error, path, "write");
		unlink(temporary);
	}
	hdf_quiet_end(&quiet);
	frame_header_free(&header);
	return ok && file_commit(temporary, path, error);
}

// ---------------------------------------------------------------- one frame, column by column

typedef struct frame_data {
	frame_layout layout;
	const snapshot *seen;
	size_t rows[ROWS_CONTACT + 1]; // grains, walls, contacts
	size_t offset;                 // first contact
} frame_data;

static size_t column_bytes(const frame_data *data, int c)
{
	const frame_column *column = &data->layout.at[c];
	return data->rows[column->rows]*(size_t)column->width*frame_type_bytes(column->type);
}

// Small whole numbers are wider in frames.
static void gather_grains(const frame_data *data, int c, void *to)
{
	const body_column *grain = data->layout.at[c].grain;
	const void *rows = data->seen->grain[grain - body_columns];
	size_t numbers = data->rows[ROWS_GRAIN]*(size_t)grain->width;
	for (size_t k = 0; grain->type == BODY_U32 && k < numbers; k++)
		((int64_t *)to)[k] = ((const uint32_t *)rows)[k];
	for (size_t k = 0; grain->type == BODY_U16 && k < numbers; k++)
		((int32_t *)to)[k] = ((const uint16_t *)rows)[k];
	if (grain->type != BODY_U32 && grain->type != BODY_U16)
		memcpy(to, rows, column_bytes(data, c));
}

static void gather_contact(int c, void *to, size_t k, const talus_contact_state *contact)
{
	switch (c) {
	case FRAME_BODIES:
		((int64_t(*)[2])to)[k][0] = contact->a;
		((int64_t(*)[2])to)[k][1] = contact->b;
		return;
	case FRAME_NORMAL: ((vec3 *)to)[k] = contact->n; return;
	case FRAME_GAP: ((double *)to)[k] = contact->gap; return;
	case FRAME_FORCE: ((vec3 *)to)[k] = contact->force; return;
	case FRAME_TORQUE: ((vec3 *)to)[k] = contact->torque; return;
	case FRAME_BONDED: ((uint8_t *)to)[k] = contact->bonded; return;
	}
}

static vec3 wall_vector(int c, const talus_snapshot_wall *shown)
{
	switch (c) {
	case FRAME_WALL_POINT: return shown->def.point;
	case FRAME_WALL_TO: return shown->def.to;
	case FRAME_WALL_AXIS: return shown->def.axis;
	case FRAME_WALL_HOLE: return shown->def.hole_at;
	case FRAME_WALL_VELOCITY: return shown->velocity;
	case FRAME_WALL_FORCE: return shown->force;
	default: return shown->torque;
	}
}

// The numbers of the log and the summary, by the same names.
static void gather_observable(const frame_data *data, int c, void *to)
{
	const observable *o = data->layout.at[c].observable;
	const void *found = snapshot_found(data->seen, o);
	if (found && o->type == OBSERVABLE_INT)
		*(int64_t *)to = *(const int *)found;
	else if (found)
		memcpy(to, found, column_bytes(data, c));
}

static void gather_frame(const frame_data *data, int c, void *to)
{
	const talus_snapshot *shown = &data->seen->shown;
	switch (c) {
	case FRAME_EDGES: memcpy(to, shown->edge, sizeof shown->edge); return; // H5MD has them as rows, too
	case FRAME_GRAINS: *(int64_t *)to = (int64_t)data->rows[ROWS_GRAIN]; return;
	case FRAME_OFFSET: *(int64_t *)to = (int64_t)data->offset; return;
	case FRAME_COUNT: *(int64_t *)to = (int64_t)data->rows[ROWS_CONTACT]; return;
	case FRAME_STEP: *(int64_t *)to = (int64_t)shown->step; return;
	case FRAME_TIME: *(double *)to = shown->time; return;
	}
}

static void gather(const frame_data *data, int c, void *to)
{
	const frame_column *column = &data->layout.at[c];
	const talus_snapshot *shown = &data->seen->shown;
	if (column->grain)
		gather_grains(data, c, to);
	else if (column->observable)
		gather_observable(data, c, to);
	else if (column->rows == ROWS_CONTACT)
		for (size_t k = 0; k < shown->contacts; k++)
			gather_contact(c, to, k, &shown->contact[k]);
	else if (column->rows == ROWS_WALL)
		for (int k = 0; k < shown->walls; k++)
			((vec3 *)to)[k] = wall_vector(c, &shown->wall[k]);
	else
		gather_frame(data, c, to);
}

// Most materials have neither torques nor bonds: what is never written is read as zeros, and takes no room in the file.
static bool all_zeros(const void *data, size_t bytes)
{
	const unsigned char *byte = data;
	return bytes == 0 || (byte[0] == 0 && memcmp(byte, byte + 1, bytes - 1) == 0);
}

// ---------------------------------------------------------------- appending

static bool column_write(hid_t set, int c, const frame_part *part, const frame_data *data)
{
	size_t bytes = column_bytes(data, c);
	void *gathered = memory_grow(NULL, 0, bytes + 1);
	memset(gathered, 0, bytes);
	gather(data, c, gathered);
	bool ok = (data->layout.at[c].sparse && all_zeros(gathered, bytes)) ||
		hdf_set_put(set, frame_type_memory(data->layout.at[c].type), part->start, part->count, gathered);
	memory_free(gathered);
	return ok;
}

static bool column_put(hid_t file, int c, size_t k, const frame_data *data)
{
	const frame_column *column = &data->layout.at[c];
	if (!frame_column_is_there(file, column))
		return true;
	hid_t set = H5Dopen2(file, column->path, H5P_DEFAULT);
	if (set < 0)
		return false;
	size_t rows = data->rows[column->rows];
	frame_part part = frame_part_of(column, k, rows, data->offset);
	hsize_t all = column->rows == ROWS_CONTACT ? data->offset + rows : k + 1;
	bool ok = hdf_set_grow(set, all);
	if (ok && !part.empty)
		ok = column_write(set, c, &part, data);
	return H5Dclose(set) >= 0 && ok;
}

static bool data_put(hid_t file, size_t k, const frame_data *data)
{
	for (int c = 0; c < data->layout.count; c++)
		if (c != FRAME_STEP && !column_put(file, c, k, data))
			return false;
	return column_put(file, FRAME_STEP, k, data);
}

static bool append(hid_t file, observations *seen)
{
	hsize_t frames, before;
	if (!hdf_table_rows(file, frame_columns[FRAME_STEP].path, &frames) ||
	    !hdf_table_rows(file, frame_columns[FRAME_BODIES].path, &before))
		return false;
	snapshot *s = snapshot_take(seen, TALUS_SNAPSHOT_OBSERVABLES | (frame_no_contacts(file) ? 0 : TALUS_SNAPSHOT_CONTACTS));
	frame_data data = {.seen = s, .offset = (size_t)before,
		.rows = {[ROWS_FRAME] = 1, [ROWS_GRAIN] = s->shown.grains, [ROWS_WALL] = (size_t)s->shown.walls, [ROWS_AXIS] = 3,
			[ROWS_CONTACT] = s->shown.contacts}};
	frame_layout_make(&data.layout);
	bool ok = data_put(file, (size_t)frames, &data);
	snapshot_free(s);
	return ok;
}

bool frames_append_seen(const char *folder, observations *seen, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "run.h5", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_change(path);
	bool ok = file >= 0 && append(file, seen);
	ok = file >= 0 && hdf_file_close_written(file, ok);
	if (!ok)
		hdf_error(error, path, "write");
	hdf_quiet_end(&quiet);
	return ok;
}

bool frames_append(const char *folder, const talus_world *world, talus_error *error)
{
	observations seen = observations_of(world);
	bool ok = frames_append_seen(folder, &seen, error);
	observations_free(&seen);
	return ok;
}

// ---------------------------------------------------------------- checkpoints

bool frames_secure(const char *folder, uint64_t step, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	struct stat status;
	if (!folder_path(path, folder, "run.h5", error))
		return false;
	return (stat(path, &status) == 0 && journal_start(path, step, (uint64_t)status.st_size)) ||
	       error_at(error, path, 0, 0, "cannot begin its journal: %s", file_reason(errno));
}

bool frames_restore(const char *folder, uint64_t step, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	return folder_path(path, folder, "run.h5", error) &&
	       (journal_roll_back(path, step) ||
	        error_at(error, path, 0, 0, "cannot bring it back to the checkpoint: %s", file_reason(errno)));
}

bool frames_finish(const char *folder, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	return folder_path(path, folder, "run.h5", error) &&
	       (journal_remove(path) || error_at(error, path, 0, 0, "cannot remove its journal: %s", file_reason(errno)));
}

// ---------------------------------------------------------------- cutting

// How many contacts belong to the first `keep` frames.
static bool contacts_of(hid_t file, size_t keep, hsize_t *touches)
{
	int64_t offset = 0, count = 0;
	bool ok = !keep || (frame_scalars(file, FRAME_OFFSET, keep - 1, 1, &offset) &&
	                    frame_scalars(file, FRAME_COUNT, keep - 1, 1, &count));
	*touches = (hsize_t)(offset + count);
	return ok;
}

// Copies the first `rows` rows, some at a time.
static bool column_copy(hid_t from, hid_t to, const frame_column *column, hsize_t rows)
{
	hid_t old = H5Dopen2(from, column->path, H5P_DEFAULT), fresh = H5Dopen2(to, column->path, H5P_DEFAULT);
	hdf_shape shape, room;
	if (old < 0 || fresh < 0 || !hdf_set_shape(old, &shape) || !hdf_set_grow(fresh, rows) || !hdf_set_shape(fresh, &room))
		return false;
	if (room.rank > 1 && room.size[1] == 0) // no walls; older files had a row for none
		return true;
	size_t row_bytes = frame_type_bytes(column->type);
	for (int k = 1; k < shape.rank; k++)
		row_bytes *= (size_t)shape.size[k];
	hsize_t block = row_bytes > 1 << 20 ? 1 : (1 << 22)/row_bytes, start[HDF_RANK_MAX] = {0};
	void *data = memory_grow(NULL, 0, (size_t)block*row_bytes);
	hid_t type = frame_type_memory(column->type);
	bool ok = true;
	for (hsize_t row = 0; ok && row < rows; row += block) {
		start[0] = row;
		shape.size[0] = rows - row < block ? rows - row : block;
		ok = hdf_set_get(old, type, start, shape.size, data);
		if (ok && !(column->sparse && all_zeros(data, (size_t)shape.size[0]*row_bytes)))
			ok = hdf_set_put(fresh, type, start, shape.size, data);
	}
	memory_free(data);
	return ok;
}

static bool copy_first(hid_t from, hid_t to, size_t keep)
{
	frame_header header;
	frame_layout layout;
	hsize_t touches;
	frame_layout_make(&layout);
	bool ok = frame_header_read(from, &header) && frame_header_write(to, &header) && contacts_of(from, keep, &touches);
	frame_header_free(&header);
	for (int c = 0; ok && c < layout.count; c++)
		ok = !frame_column_is_there(from, &layout.at[c]) || !frame_column_is_there(to, &layout.at[c]) ||
		     column_copy(from, to, &layout.at[c], layout.at[c].rows == ROWS_CONTACT ? touches : keep);
	return ok;
}

// The frames up to a step: how many, and is there anything behind them?
static bool frames_until(hid_t file, uint64_t last_step, size_t *keep, bool *more)
{
	size_t count;
	hsize_t longest = 0;
	frame_layout layout;
	frame_layout_make(&layout);
	if (!frame_count(file, &count))
		return false;
	int64_t *step = memory_grow(NULL, 0, count*sizeof *step);
	bool ok = frame_scalars(file, FRAME_STEP, 0, count, step);
	*keep = 0;
	while (ok && *keep < count && (uint64_t)step[*keep] <= last_step)
		++*keep;
	memory_free(step);
	for (int c = 0; ok && c < layout.count; c++) {
		hsize_t rows = 0;
		ok = !frame_column_is_there(file, &layout.at[c]) || hdf_table_rows(file, layout.at[c].path, &rows);
		if (layout.at[c].rows != ROWS_CONTACT && rows > longest)
			longest = rows;
	}
	*more = longest > *keep;
	return ok;
}

// Rewrites what is kept and renames: shrinking in place would leave nothing to go back to after a kill.
static bool cut(hid_t from, const char *temporary, uint64_t last_step, bool marked, bool *rewritten)
{
	size_t keep;
	bool more = false;
	if (!frames_until(from, last_step, &keep, &more))
		return false;
	*rewritten = more || marked;
	if (!*rewritten)
		return true;
	hid_t to = hdf_file_create_growing(temporary);
	bool ok = to >= 0 && copy_first(from, to, keep);
	return to >= 0 && hdf_file_close_written(to, ok);
}

bool frames_truncate(const char *folder, uint64_t last_step, talus_error *error)
{
	char path[TALUS_PATH_MAX], temporary[TALUS_PATH_MAX];
	if (!paths(folder, path, temporary, error))
		return false;
	bool rewritten = false, marked = hdf_file_is_marked(path);
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t from = hdf_file_open_read(path, error);
	bool ok = from >= 0 && (cut(from, temporary, last_step, marked, &rewritten) ||
	                        hdf_error(error, path, "cut back to the checkpoint"));
	if (from >= 0)
		H5Fclose(from);
	if (!ok)
		unlink(temporary);
	hdf_quiet_end(&quiet);
	return ok && (!rewritten || file_commit(temporary, path, error));
}
