// SPDX-License-Identifier: MIT
// The tables of checkpoint.h5: grains, walls, pours.
#include "io/checkpoint_tables.h"

#include "base/memory.h"
#include "state/bodies.h"
#include "io/checkpoint_contacts.h"
#include "world.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- grains

static hid_t column_type(const body_column *c)
{
	switch (c->type) {
	case BODY_REAL: return H5T_NATIVE_DOUBLE;
	case BODY_U32: return H5T_NATIVE_UINT32;
	case BODY_I32: return H5T_NATIVE_INT32;
	case BODY_U16: return H5T_NATIVE_UINT16;
	default: return H5T_NATIVE_UINT8;
	}
}

static const char *column_path(const body_column *c, char path[TALUS_NAME_MAX])
{
	snprintf(path, TALUS_NAME_MAX, "grains/%s", c->name);
	return path;
}

static bool grains_write(hid_t file, const bodies *b)
{
	char path[TALUS_NAME_MAX];
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		if (!hdf_table_write(file, column_path(c, path), column_type(c), b->count, (hsize_t)c->width, body_column_rows(b, c)))
			return false;
	return true;
}

static bool grains_read(hid_t file, bodies *b)
{
	char path[TALUS_NAME_MAX];
	hsize_t rows;
	if (!checkpoint_rows(file, column_path(&body_columns[0], path), body_column_bytes(&body_columns[0]), &rows))
		return false;
	b->count = 0;
	bodies_reserve(b, (size_t)rows);
	b->count = (size_t)rows;
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++) {
		if (c->later && H5Lexists(file, column_path(c, path), H5P_DEFAULT) == 0)
			body_column_start(b, c, 0, b->count);
		else if (!hdf_table_read(file, column_path(c, path), column_type(c), rows, (hsize_t)c->width, body_column_rows(b, c)))
			return false;
	}
	return true;
}

// ---------------------------------------------------------------- walls

static const size_t wall_vectors[] = {offsetof(wall, shift), offsetof(wall, v),     offsetof(wall, point),
                                      offsetof(wall, to),    offsetof(wall, axis),  offsetof(wall, hole_at),
                                      offsetof(wall, force), offsetof(wall, torque)};
static const char *const wall_vector_names[] = {"walls/shift", "walls/v",       "walls/point", "walls/to",
                                                "walls/axis",  "walls/hole_at", "walls/force", "walls/torque"};
static const size_t wall_numbers[] = {offsetof(wall, angle), offsetof(wall, w), offsetof(wall, moved),
                                      offsetof(wall, skin)};
static const char *const wall_number_names[] = {"walls/angle", "walls/w", "walls/moved", "walls/skin"};
enum {
	WALL_VECTORS = sizeof wall_vectors/sizeof wall_vectors[0],
	WALL_NUMBERS = sizeof wall_numbers/sizeof wall_numbers[0],
};

static bool wall_write(hid_t file, const char *path, const walls *all, size_t offset, int width)
{
	size_t size = (size_t)width*sizeof(double);
	double *block = memory_grow(NULL, 0, (size_t)all->count*size);
	for (int i = 0; i < all->count; i++)
		memcpy(&block[i*width], (const char *)&all->at[i] + offset, size);
	bool ok = hdf_table_write(file, path, H5T_NATIVE_DOUBLE, (hsize_t)all->count, (hsize_t)width, block);
	memory_free(block);
	return ok;
}

static bool wall_read(hid_t file, const char *path, walls *all, size_t offset, int width)
{
	size_t size = (size_t)width*sizeof(double);
	double *block = memory_grow(NULL, 0, (size_t)all->count*size);
	bool ok = hdf_table_read(file, path, H5T_NATIVE_DOUBLE, (hsize_t)all->count, (hsize_t)width, block);
	for (int i = 0; ok && i < all->count; i++)
		memcpy((char *)&all->at[i] + offset, &block[i*width], size);
	memory_free(block);
	return ok;
}

static bool walls_write(hid_t file, const walls *all)
{
	bool ok = true;
	for (int i = 0; ok && i < WALL_VECTORS; i++)
		ok = wall_write(file, wall_vector_names[i], all, wall_vectors[i], 3);
	for (int i = 0; ok && i < WALL_NUMBERS; i++)
		ok = wall_write(file, wall_number_names[i], all, wall_numbers[i], 1);
	return ok && wall_write(file, "walls/shift_listed", all, offsetof(wall, shift_listed), 3) &&
	       wall_write(file, "walls/angle_listed", all, offsetof(wall, angle_listed), 1);
}

static bool walls_read(hid_t file, walls *all)
{
	bool ok = true;
	for (int i = 0; ok && i < WALL_VECTORS; i++)
		ok = wall_read(file, wall_vector_names[i], all, wall_vectors[i], 3);
	for (int i = 0; ok && i < WALL_NUMBERS; i++)
		ok = wall_read(file, wall_number_names[i], all, wall_numbers[i], 1);
	if (ok && H5Lexists(file, "walls/shift_listed", H5P_DEFAULT) > 0)
		return wall_read(file, "walls/shift_listed", all, offsetof(wall, shift_listed), 3) &&
		       wall_read(file, "walls/angle_listed", all, offsetof(wall, angle_listed), 1);
	for (int i = 0; i < all->count; i++) { // older files: about where they are
		wall *w = &all->at[i];
		w->shift_listed = w->shift;
		w->angle_listed = w->angle;
	}
	return ok;
}

// ---------------------------------------------------------------- pours

typedef struct pour_record {
	int64_t poured;
	uint64_t draws;
	double next_radius;
} pour_record;

static hid_t pour_type(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(pour_record));
	H5Tinsert(type, "poured", offsetof(pour_record, poured), H5T_NATIVE_INT64);
	H5Tinsert(type, "draws", offsetof(pour_record, draws), H5T_NATIVE_UINT64);
	H5Tinsert(type, "next_radius", offsetof(pour_record, next_radius), H5T_NATIVE_DOUBLE);
	return type;
}

static bool pours_write(hid_t file, const talus_world *world)
{
	size_t n = (size_t)world->pours.count;
	pour_record *record = memory_grow(NULL, 0, n*sizeof *record);
	for (size_t i = 0; i < n; i++) {
		const pour_state *pour = &world->pours.at[i];
		record[i] = (pour_record){pour->poured, pour->draws, pour->next_radius};
	}
	hid_t type = pour_type();
	bool ok = hdf_table_write(file, "pours", type, n, 1, record);
	H5Tclose(type);
	memory_free(record);
	return ok;
}

static bool pours_read(hid_t file, talus_world *world)
{
	size_t n = (size_t)world->pours.count;
	pour_record *record = memory_grow(NULL, 0, n*sizeof *record);
	hid_t type = pour_type();
	bool ok = hdf_table_read(file, "pours", type, n, 1, record);
	H5Tclose(type);
	for (size_t i = 0; ok && i < n; i++) {
		ok = record[i].poured >= 0 && record[i].poured <= INT_MAX;
		world->pours.at[i].poured = ok ? (int)record[i].poured : 0;
		world->pours.at[i].draws = record[i].draws;
		world->pours.at[i].next_radius = record[i].next_radius;
	}
	memory_free(record);
	return ok;
}

// ---------------------------------------------------------------- all of them

bool checkpoint_tables_write(hid_t file, const talus_world *world)
{
	return grains_write(file, &world->state.bodies) && walls_write(file, &world->state.walls) &&
	       checkpoint_contacts_write(file, world) && pours_write(file, world);
}

bool checkpoint_tables_read(hid_t file, talus_world *world)
{
	return grains_read(file, &world->state.bodies) && walls_read(file, &world->state.walls) &&
	       checkpoint_contacts_read(file, world) && pours_read(file, world);
}

bool checkpoint_grain_count(hid_t file, hsize_t *grains)
{
	char path[TALUS_NAME_MAX];
	return hdf_table_rows(file, column_path(&body_columns[0], path), grains);
}
