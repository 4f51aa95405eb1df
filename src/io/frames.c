// SPDX-License-Identifier: MIT
// Frames: run.h5, one frame appended at a time. The file is closed after each frame; what a frame changes of the file as it
// was is written only then, all at once (hdf5_disk.c). At a checkpoint all of it reaches the disk, and a new journal begins,
// which can bring the file back to what it was then.
#include "io/frames.h"

#include "base/error.h"
#include "base/memory.h"
#include "state/cell.h"
#include "io/journal.h"
#include "observe/observe.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- creating

static size_t grains_at_most(const talus_world *world)
{
	size_t rows = world->state.bodies.count;
	for (int i = 0; i < world->pours.count; i++)
		rows += (size_t)(world->pours.at[i].def.count - world->pours.at[i].poured);
	return rows ? rows : 1;
}

static frame_header header_of(const talus_world *world, const char *title)
{
	frame_header header = {.dimension = world->state.def.dimension, .observables = true, .rows = grains_at_most(world)};
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

// ---------------------------------------------------------------- one frame, gathered

typedef struct frame_data {
	size_t rows[ROWS_CONTACT + 1]; // grains, walls, contacts
	size_t offset;                 // first contact
	void *column[FRAME_COLUMNS];   // NULL: nothing but zeros
} frame_data;

static size_t column_bytes(const frame_data *data, int c)
{
	return data->rows[frame_columns[c].rows]*(size_t)frame_columns[c].width*frame_type_bytes(frame_columns[c].type);
}

static void data_allocate(frame_data *data)
{
	for (int c = 0; c < FRAME_COLUMNS; c++) {
		size_t bytes = column_bytes(data, c);
		data->column[c] = memory_grow(NULL, 0, bytes);
		memset(data->column[c], 0, bytes);
	}
}

static void data_free(frame_data *data)
{
	for (int c = 0; c < FRAME_COLUMNS; c++)
		memory_free(data->column[c]);
}

static int key_compare(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return x < y ? -1 : x > y;
}

// Rows sorted by id: the upper half of a key is the id, the lower half the row.
static uint64_t *rows_by_id(const bodies *b)
{
	uint64_t *key = memory_grow(NULL, 0, b->count*sizeof *key);
	for (size_t i = 0; i < b->count; i++)
		key[i] = (uint64_t)b->id[i] << 32 | i;
	qsort(key, b->count, sizeof *key, key_compare);
	return key;
}

// Grains are put back into the cell when a pair list is made; in a frame all are inside.
static void gather_grains(frame_data *data, const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	vec3 *x = data->column[FRAME_POSITION], *v = data->column[FRAME_VELOCITY], *spin = data->column[FRAME_SPIN];
	double(*q)[4] = data->column[FRAME_ORIENTATION], *radius = data->column[FRAME_RADIUS];
	int32_t(*image)[3] = data->column[FRAME_IMAGE], *material = data->column[FRAME_MATERIAL];
	int64_t *id = data->column[FRAME_ID];
	uint64_t *key = rows_by_id(b);
	for (size_t i = 0; i < b->count; i++) {
		size_t from = key[i] & UINT32_MAX;
		v[i] = b->v[from];
		spin[i] = b->spin[from];
		memcpy(q[i], b->q[from], sizeof q[i]);
		memcpy(image[i], b->image[from], sizeof image[i]);
		x[i] = cell_wrap(&world->state.cell, b->x[from], image[i]);
		id[i] = b->id[from];
		radius[i] = b->radius[from];
		material[i] = b->material[from];
	}
	memory_free(key);
}

static bool vanishes(vec3 a)
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

// Whether it pushes, pulls or only holds; a bond counts even where it carries nothing at the moment.
static bool contact_counts(const talus_contact_state *c)
{
	return c->bonded || !vanishes(c->force) || !vanishes(c->torque);
}

static size_t contacts_that_count(const talus_world *world)
{
	size_t count = 0, all = talus_world_contacts(world);
	for (size_t i = 0; i < all; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		count += contact_counts(&c);
	}
	return count;
}

// Most materials have neither torques nor bonds: what is never written is read as zeros, and takes no room in the file.
static bool all_zeros(const void *data, size_t bytes)
{
	const unsigned char *byte = data;
	return bytes == 0 || (byte[0] == 0 && memcmp(byte, byte + 1, bytes - 1) == 0);
}

static void drop_zeros(frame_data *data, int c)
{
	if (!all_zeros(data->column[c], column_bytes(data, c)))
		return;
	memory_free(data->column[c]);
	data->column[c] = NULL;
}

static void gather_contacts(frame_data *data, const talus_world *world)
{
	int64_t(*body)[2] = data->column[FRAME_BODIES];
	vec3 *normal = data->column[FRAME_NORMAL], *force = data->column[FRAME_FORCE];
	vec3 *torque = data->column[FRAME_TORQUE];
	double *gap = data->column[FRAME_GAP];
	uint8_t *bonded = data->column[FRAME_BONDED];
	size_t k = 0, all = talus_world_contacts(world);
	for (size_t i = 0; i < all; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (!contact_counts(&c))
			continue;
		body[k][0] = c.a;
		body[k][1] = c.b;
		normal[k] = c.n;
		gap[k] = c.gap;
		force[k] = c.force;
		torque[k] = c.torque;
		bonded[k++] = c.bonded;
	}
	drop_zeros(data, FRAME_TORQUE);
	drop_zeros(data, FRAME_BONDED);
}

static void gather_walls(frame_data *data, const walls *all)
{
	for (int i = 0; i < all->count; i++) {
		const wall *w = &all->at[i];
		((vec3 *)data->column[FRAME_WALL_POINT])[i] = w->point;
		((vec3 *)data->column[FRAME_WALL_TO])[i] = w->to;
		((vec3 *)data->column[FRAME_WALL_AXIS])[i] = w->axis;
		((vec3 *)data->column[FRAME_WALL_HOLE])[i] = w->hole_at;
		((vec3 *)data->column[FRAME_WALL_VELOCITY])[i] = w->v;
		((vec3 *)data->column[FRAME_WALL_FORCE])[i] = w->force;
		((vec3 *)data->column[FRAME_WALL_TORQUE])[i] = w->torque;
	}
}

static void counts_put(frame_data *data, int c, const size_t *count, int bins)
{
	int64_t *to = data->column[c];
	for (int i = 0; i < bins; i++)
		to[i] = (int64_t)count[i];
}

// The radial distribution of all centres would cost more than a hundred frames.
enum { RADIAL_CENTRES = 200 };

static void gather_distributions(frame_data *data, const talus_world *world)
{
	force_histogram forces = observe_force_histogram(world);
	normals_state normals = observe_normals(world);
	radial_state radial = observe_radial_around(world, RADIAL_CENTRES);
	counts_put(data, FRAME_FORCES, forces.count, FORCE_BINS + 1);
	if (normals.rows == 1)
		counts_put(data, FRAME_NORMAL_ANGLES, normals.count[0], NORMAL_ANGLES);
	for (int k = 0; normals.rows == 3 && k < 3; k++)
		for (int i = 0; i < NORMAL_COSINES; i++)
			((int64_t(*)[NORMAL_COSINES])data->column[FRAME_NORMAL_COSINES])[k][i] = (int64_t)normals.count[k][i];
	memcpy(data->column[FRAME_RADIAL], radial.g, sizeof radial.g);
	*(double *)data->column[FRAME_RADIAL_RANGE] = radial.range;
}

// The numbers of the log and the summary, by the same names.
static void gather_observables(frame_data *data, const talus_world *world)
{
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	network_state network = observe_network(world);
	fabric_state fabric = observe_fabric(world);
	forces_state forces = observe_forces(world);
	temperature_state temperature = observe_temperature(world);
	const double numbers[][2] = {
		{FRAME_PRESSURE, stress.pressure},
		{FRAME_CONTACT_PRESSURE, stress.contact_pressure},
		{FRAME_KINETIC_PRESSURE, stress.kinetic_pressure},
		{FRAME_DEVIATOR, stress.deviator},
		{FRAME_VOLUME_FRACTION, stress.volume_fraction},
		{FRAME_COORDINATION, structure.coordination},
		{FRAME_COORDINATION_NETWORK, network.coordination},
		{FRAME_ANISOTROPY, fabric.anisotropy},
		{FRAME_MEAN_FORCE, forces.mean},
		{FRAME_MAX_FORCE, forces.largest},
		{FRAME_WEAK_SHARE, forces.weak_share},
		{FRAME_WEAK_PRESSURE_SHARE, forces.weak_pressure_share},
		{FRAME_PULL_SHARE, forces.pull_share},
		{FRAME_MOBILISATION, forces.mobilisation},
		{FRAME_SLIDING_SHARE, forces.sliding_share},
		{FRAME_TEMPERATURE, temperature.motion},
		{FRAME_SPIN_TEMPERATURE, temperature.spin},
		{FRAME_KINETIC_ENERGY, account_grains(&world->state).kinetic},
		{FRAME_MEAN_OVERLAP, world->report.mean_overlap},
		{FRAME_MAX_OVERLAP, world->report.max_overlap},
		{FRAME_IMBALANCE, observe_imbalance(world)},
	};
	for (size_t i = 0; i < sizeof numbers/sizeof numbers[0]; i++)
		*(double *)data->column[(int)numbers[i][0]] = numbers[i][1];
	*(int64_t *)data->column[FRAME_RATTLERS] = (int64_t)structure.rattlers;
	*(int64_t *)data->column[FRAME_RATTLERS_NETWORK] = (int64_t)network.rattlers;
	memcpy(data->column[FRAME_STRESS], stress.stress, sizeof stress.stress);
	memcpy(data->column[FRAME_STRESS_CONTACT], stress.contact, sizeof stress.contact);
	memcpy(data->column[FRAME_STRESS_KINETIC], stress.kinetic, sizeof stress.kinetic);
	memcpy(data->column[FRAME_FABRIC], fabric.fabric, sizeof fabric.fabric);
	memcpy(data->column[FRAME_RATE], world->state.cell.rate, sizeof world->state.cell.rate);
	gather_distributions(data, world);
}

// Along open directions of a cell that is periodic elsewhere: twice the extent of the grains. Readers that take every
// direction for a periodic one then find no neighbour on the other side.
static double open_edge(const talus_world *world, int k)
{
	const bodies *b = &world->state.bodies;
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < b->count; i++) {
		low = fmin(low, component(b->x[i], k) - b->radius[i]);
		high = fmax(high, component(b->x[i], k) + b->radius[i]);
	}
	return b->count ? 2*(high - low) : 1;
}

static void gather_edges(double edges[3][3], const talus_world *world)
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			edges[i][k] = world->state.cell.h[k][i]; // H5MD has the edges as rows
	for (int k = 0; k < 3; k++)
		if (!world->state.cell.periodic[k])
			edges[k][k] = open_edge(world, k);
}

static void gather(frame_data *data, const talus_world *world, bool no_contacts)
{
	data->rows[ROWS_FRAME] = 1;
	data->rows[ROWS_GRAIN] = world->state.bodies.count;
	data->rows[ROWS_WALL] = (size_t)world->state.walls.count;
	data->rows[ROWS_AXIS] = 3;
	data->rows[ROWS_CONTACT] = no_contacts ? 0 : contacts_that_count(world);
	data_allocate(data);
	gather_grains(data, world);
	if (!no_contacts)
		gather_contacts(data, world);
	gather_walls(data, &world->state.walls);
	gather_observables(data, world);
	gather_edges(data->column[FRAME_EDGES], world);
	*(int64_t *)data->column[FRAME_GRAINS] = (int64_t)data->rows[ROWS_GRAIN];
	*(int64_t *)data->column[FRAME_OFFSET] = (int64_t)data->offset;
	*(int64_t *)data->column[FRAME_COUNT] = (int64_t)data->rows[ROWS_CONTACT];
	*(int64_t *)data->column[FRAME_STEP] = (int64_t)world->state.step;
	*(double *)data->column[FRAME_TIME] = world->state.time;
}

// ---------------------------------------------------------------- appending

static bool column_put(hid_t file, int c, size_t k, const frame_data *data)
{
	const frame_column *column = &frame_columns[c];
	if (!frame_column_is_there(file, c))
		return true;
	hid_t set = H5Dopen2(file, column->path, H5P_DEFAULT);
	if (set < 0)
		return false;
	size_t rows = data->rows[column->rows];
	frame_part part = frame_part_of(column, k, rows, data->offset);
	hsize_t all = column->rows == ROWS_CONTACT ? data->offset + rows : k + 1;
	bool ok = hdf_set_grow(set, all);
	if (ok && data->column[c] && !part.empty)
		ok = hdf_set_put(set, frame_type_memory(column->type), part.start, part.count, data->column[c]);
	return H5Dclose(set) >= 0 && ok;
}

static bool data_put(hid_t file, size_t k, const frame_data *data)
{
	for (int c = 0; c < FRAME_COLUMNS; c++)
		if (!column_put(file, c, k, data))
			return false;
	return true;
}

static bool append(hid_t file, const talus_world *world)
{
	hsize_t frames, before;
	if (!hdf_table_rows(file, frame_columns[FRAME_STEP].path, &frames) ||
	    !hdf_table_rows(file, frame_columns[FRAME_BODIES].path, &before))
		return false;
	frame_data data = {.offset = (size_t)before};
	gather(&data, world, frame_no_contacts(file));
	bool ok = data_put(file, (size_t)frames, &data);
	data_free(&data);
	return ok;
}

bool frames_append(const char *folder, const talus_world *world, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	if (!folder_path(path, folder, "run.h5", error))
		return false;
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	hid_t file = hdf_file_change(path);
	bool ok = file >= 0 && append(file, world);
	ok = file >= 0 && hdf_file_close_written(file, ok);
	if (!ok)
		hdf_error(error, path, "write");
	hdf_quiet_end(&quiet);
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
	bool sparse = column == &frame_columns[FRAME_TORQUE] || column == &frame_columns[FRAME_BONDED];
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
		if (ok && !(sparse && all_zeros(data, (size_t)shape.size[0]*row_bytes)))
			ok = hdf_set_put(fresh, type, start, shape.size, data);
	}
	memory_free(data);
	return ok;
}

static bool copy_first(hid_t from, hid_t to, size_t keep)
{
	frame_header header;
	hsize_t touches;
	bool ok = frame_header_read(from, &header) && frame_header_write(to, &header) && contacts_of(from, keep, &touches);
	frame_header_free(&header);
	for (int c = 0; ok && c < FRAME_COLUMNS; c++)
		ok = !frame_column_is_there(from, c) || !frame_column_is_there(to, c) ||
		     column_copy(from, to, &frame_columns[c], frame_columns[c].rows == ROWS_CONTACT ? touches : keep);
	return ok;
}

// The frames up to a step: how many, and is there anything behind them?
static bool frames_until(hid_t file, uint64_t last_step, size_t *keep, bool *more)
{
	size_t count;
	hsize_t longest = 0;
	if (!frame_count(file, &count))
		return false;
	int64_t *step = memory_grow(NULL, 0, count*sizeof *step);
	bool ok = frame_scalars(file, FRAME_STEP, 0, count, step);
	*keep = 0;
	while (ok && *keep < count && (uint64_t)step[*keep] <= last_step)
		++*keep;
	memory_free(step);
	for (int c = 0; ok && c < FRAME_COLUMNS; c++) {
		hsize_t rows = 0;
		ok = !frame_column_is_there(file, c) || hdf_table_rows(file, frame_columns[c].path, &rows);
		if (frame_columns[c].rows != ROWS_CONTACT && rows > longest)
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
