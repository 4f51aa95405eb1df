// SPDX-License-Identifier: MIT
// What was set after the start: gravity, the cell's drive, walls' motions and forces. Forces of grains are in their column; that they
// count in the hash is said here.
#include "io/checkpoint_set.h"

#include "base/memory.h"
#include "state/wall.h"
#include "world.h"

#include <math.h>
#include <string.h>

typedef struct cell_row {
	double drive[9], wanted[9], pressure;
} cell_row;

typedef struct wall_row {
	double any, since, angle, spin, shift[3], velocity[3], force[3];
} wall_row;

enum { CELL_NUMBERS = sizeof(cell_row)/sizeof(double), WALL_NUMBERS = sizeof(wall_row)/sizeof(double) };

static bool there(hid_t file, const char *path)
{
	return H5Lexists(file, "set", H5P_DEFAULT) > 0 && H5Lexists(file, path, H5P_DEFAULT) > 0;
}

static bool all_finite(const double *number, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(number[i]))
			return false;
	return true;
}

// ---------------------------------------------------------------- walls

static bool any_wall(const walls *all)
{
	for (int i = 0; i < all->count; i++)
		if (all->at[i].set.any)
			return true;
	return false;
}

static wall_row row_of(const wall *w)
{
	wall_row row = {.any = w->set.any, .since = w->set.since, .angle = w->set.angle, .spin = w->def.spin};
	memcpy(row.shift, &w->set.shift, sizeof row.shift);
	memcpy(row.velocity, &w->def.velocity, sizeof row.velocity);
	memcpy(row.force, &w->def.force, sizeof row.force);
	return row;
}

static bool walls_write(hid_t file, const walls *all)
{
	size_t count = (size_t)all->count;
	if (!any_wall(all))
		return true;
	wall_row *rows = memory_grow(NULL, 0, count*sizeof *rows);
	for (size_t i = 0; i < count; i++)
		rows[i] = row_of(&all->at[i]);
	bool ok = hdf_table_write(file, "set/walls", H5T_NATIVE_DOUBLE, count, WALL_NUMBERS, rows);
	memory_free(rows);
	return ok;
}

static void wall_take(wall *w, const wall_row *row)
{
	vec3 velocity, force;
	memcpy(&velocity, row->velocity, sizeof velocity);
	memcpy(&force, row->force, sizeof force);
	wall_set_motion(w, velocity, row->spin, force, row->since);
	memcpy(&w->set.shift, row->shift, sizeof w->set.shift);
	w->set.angle = row->angle;
}

static bool walls_read(hid_t file, walls *all)
{
	size_t count = (size_t)all->count;
	if (!there(file, "set/walls"))
		return true;
	wall_row *rows = memory_grow(NULL, 0, count*sizeof *rows);
	bool ok = hdf_table_read(file, "set/walls", H5T_NATIVE_DOUBLE, count, WALL_NUMBERS, rows) &&
	          all_finite(&rows->any, count*WALL_NUMBERS);
	for (size_t i = 0; ok && i < count; i++)
		if (rows[i].any != 0)
			wall_take(&all->at[i], &rows[i]);
	memory_free(rows);
	return ok;
}

// ---------------------------------------------------------------- the cell

static bool cell_write(hid_t file, const talus_cell_def *def)
{
	cell_row row = {.pressure = def->pressure};
	for (int k = 0; k < 9; k++) {
		row.drive[k] = def->drive[k/3][k%3];
		row.wanted[k] = def->wanted[k/3][k%3];
	}
	return hdf_table_write(file, "set/cell", H5T_NATIVE_DOUBLE, 1, CELL_NUMBERS, &row);
}

static bool cell_read(hid_t file, talus_world *world)
{
	cell_row row;
	talus_cell_def *def = &world->state.def.cell;
	if (!there(file, "set/cell"))
		return true;
	if (!hdf_table_read(file, "set/cell", H5T_NATIVE_DOUBLE, 1, CELL_NUMBERS, &row) || !all_finite(row.drive, CELL_NUMBERS))
		return false;
	world->given.cell = *def;
	world->given.cell_set = true;
	def->pressure = row.pressure;
	for (int k = 0; k < 9; k++) {
		if (row.drive[k] != TALUS_DRIVE_NONE && row.drive[k] != TALUS_DRIVE_RATE && row.drive[k] != TALUS_DRIVE_STRESS)
			return false;
		def->drive[k/3][k%3] = (talus_drive)row.drive[k];
		def->wanted[k/3][k%3] = row.wanted[k];
	}
	return true;
}

// ---------------------------------------------------------------- gravity, forces, all of it

static bool gravity_read(hid_t file, talus_world *world)
{
	vec3 gravity;
	if (!there(file, "set/gravity"))
		return true;
	if (!hdf_table_read(file, "set/gravity", H5T_NATIVE_DOUBLE, 1, 3, &gravity) || !finite3(gravity))
		return false;
	world->given.gravity = world->state.def.gravity;
	world->given.gravity_set = true;
	world->state.def.gravity = gravity;
	return true;
}

bool checkpoint_set_write(hid_t file, const talus_world *world)
{
	const given_values *g = &world->given;
	const talus_world_def *def = &world->state.def;
	double yes = 1;
	return (!g->gravity_set || hdf_table_write(file, "set/gravity", H5T_NATIVE_DOUBLE, 1, 3, &def->gravity)) &&
	       (!g->cell_set || cell_write(file, &def->cell)) &&
	       (!g->forces_set || hdf_table_write(file, "set/forces", H5T_NATIVE_DOUBLE, 1, 1, &yes)) &&
	       (!g->grains_added || hdf_table_write(file, "set/grains", H5T_NATIVE_UINT64, 1, 1, &g->grains_added)) &&
	       walls_write(file, &world->state.walls);
}

bool checkpoint_set_read(hid_t file, talus_world *world)
{
	world->given.forces_set = there(file, "set/forces");
	bool ok = !there(file, "set/grains") || hdf_table_read(file, "set/grains", H5T_NATIVE_UINT64, 1, 1, &world->given.grains_added);
	return ok && gravity_read(file, world) && cell_read(file, world) && walls_read(file, &world->state.walls);
}
