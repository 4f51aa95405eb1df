// SPDX-License-Identifier: MIT
// The tables of checkpoint.h5: grains, walls, contacts, pours.
#include "io/checkpoint_tables.h"

#include "base/memory.h"
#include "state/bodies.h"
#include "collide/collide.h"
#include "world.h"

#include <limits.h>
#include <string.h>

// ---------------------------------------------------------------- grains

typedef struct column {
	const char *path;
	size_t offset; // of the pointer, in struct bodies
	enum { COLUMN_REAL, COLUMN_U32, COLUMN_I32, COLUMN_U16, COLUMN_U8 } type;
	int width;
} column;

#define COLUMN(member, type, width) {"grains/" #member, offsetof(bodies, member), type, width}
static const column columns[] = {
	COLUMN(x, COLUMN_REAL, 3),          COLUMN(v, COLUMN_REAL, 3),       COLUMN(spin, COLUMN_REAL, 3),
	COLUMN(force, COLUMN_REAL, 3),      COLUMN(q, COLUMN_REAL, 4),       COLUMN(radius, COLUMN_REAL, 1),
	COLUMN(mass, COLUMN_REAL, 1),       COLUMN(inertia, COLUMN_REAL, 1), COLUMN(id, COLUMN_U32, 1),
	COLUMN(image, COLUMN_I32, 3),       COLUMN(material, COLUMN_U16, 1), COLUMN(free, COLUMN_U8, 1),
	COLUMN(x_listed, COLUMN_REAL, 3),   COLUMN(skin, COLUMN_REAL, 1),
};
enum { COLUMNS = sizeof columns/sizeof columns[0] };

static hid_t column_type(const column *c)
{
	switch (c->type) {
	case COLUMN_REAL: return H5T_NATIVE_DOUBLE;
	case COLUMN_U32: return H5T_NATIVE_UINT32;
	case COLUMN_I32: return H5T_NATIVE_INT32;
	case COLUMN_U16: return H5T_NATIVE_UINT16;
	default: return H5T_NATIVE_UINT8;
	}
}

static void *column_block(const bodies *b, const column *c)
{
	void *block;
	memcpy(&block, (const char *)b + c->offset, sizeof block);
	return block;
}

static bool grains_write(hid_t file, const bodies *b)
{
	for (int i = 0; i < COLUMNS; i++) {
		const column *c = &columns[i];
		if (!hdf_table_write(file, c->path, column_type(c), b->count, (hsize_t)c->width, column_block(b, c)))
			return false;
	}
	return true;
}

// How many rows a table has, none of which can be elsewhere than in the file.
static bool rows_read(hid_t file, const char *path, size_t row_bytes, hsize_t *rows)
{
	hsize_t bytes = 0;
	return hdf_table_rows(file, path, rows) && H5Fget_filesize(file, &bytes) >= 0 && *rows <= UINT32_MAX &&
	       *rows <= bytes/row_bytes;
}

static bool grains_read(hid_t file, bodies *b)
{
	hsize_t rows;
	if (!rows_read(file, columns[0].path, sizeof *b->x, &rows))
		return false;
	b->count = 0;
	bodies_reserve(b, (size_t)rows);
	b->count = (size_t)rows;
	for (int i = 0; i < COLUMNS; i++) {
		const column *c = &columns[i];
		if (!hdf_table_read(file, c->path, column_type(c), rows, (hsize_t)c->width, column_block(b, c)))
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

// ---------------------------------------------------------------- contacts

// The structs go to the file as they are; they have no gaps.
static hid_t contact_type(void)
{
	_Static_assert(sizeof(talus_contact) == 88, "a member is missing below");
	hsize_t three = 3;
	hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(talus_contact));
	H5Tinsert(type, "a", offsetof(talus_contact, a), H5T_NATIVE_UINT32);
	H5Tinsert(type, "b", offsetof(talus_contact, b), H5T_NATIVE_UINT32);
	H5Tinsert(type, "n", offsetof(talus_contact, n), vector);
	H5Tinsert(type, "bias", offsetof(talus_contact, bias), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_n", offsetof(talus_contact, mass_n), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_t", offsetof(talus_contact, mass_t), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mu", offsetof(talus_contact, mu), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "p", offsetof(talus_contact, p), vector);
	H5Tclose(vector);
	return type;
}

static hid_t info_type(void)
{
	_Static_assert(sizeof(contact_info) == 24, "a member is missing below");
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(contact_info));
	H5Tinsert(type, "key", offsetof(contact_info, key), H5T_NATIVE_UINT64);
	H5Tinsert(type, "gap", offsetof(contact_info, gap), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "wall", offsetof(contact_info, wall), H5T_NATIVE_UINT32);
	H5Tinsert(type, "marks", offsetof(contact_info, marks), H5T_NATIVE_UINT32);
	return type;
}

// Of the contacts that may have them, `plain` and up. The rest of talus_rich is made anew in every step.
static bool torques_write(hid_t file, const contacts *c)
{
	size_t rich = c->count - c->plain;
	vec3 *q = memory_grow(NULL, 0, rich*sizeof *q);
	for (size_t i = 0; i < rich; i++)
		q[i] = c->rich[i].q;
	bool ok = hdf_table_write(file, "contacts/torque", H5T_NATIVE_DOUBLE, rich, 3, q);
	memory_free(q);
	return ok;
}

static bool torques_read(hid_t file, contacts *c)
{
	size_t rich = c->count - c->plain;
	vec3 *q = memory_grow(NULL, 0, rich*sizeof *q);
	bool ok = hdf_table_read(file, "contacts/torque", H5T_NATIVE_DOUBLE, rich, 3, q);
	contacts_reserve_rich(c, rich);
	for (size_t i = 0; ok && i < rich; i++)
		c->rich[i] = (talus_rich){.q = q[i]};
	memory_free(q);
	return ok;
}

static bool contacts_write(hid_t file, const contacts *c)
{
	hid_t contact = contact_type(), info = info_type();
	bool ok = hdf_table_write(file, "contacts/contact", contact, c->count, 1, c->contact) &&
	          hdf_table_write(file, "contacts/info", info, c->count, 1, c->info) && torques_write(file, c);
	H5Tclose(contact);
	H5Tclose(info);
	return ok;
}

static bool contacts_read(hid_t file, contacts *c)
{
	hsize_t rows;
	if (!rows_read(file, "contacts/contact", sizeof *c->contact, &rows))
		return false;
	if (c->plain > c->round || c->round > rows)
		return false;
	c->count = 0;
	contacts_reserve(c, (size_t)rows);
	c->count = (size_t)rows;
	hid_t contact = contact_type(), info = info_type();
	bool ok = hdf_table_read(file, "contacts/contact", contact, rows, 1, c->contact) &&
	          hdf_table_read(file, "contacts/info", info, rows, 1, c->info) && torques_read(file, c);
	H5Tclose(contact);
	H5Tclose(info);
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
	       contacts_write(file, &world->contacts) && pours_write(file, world);
}

bool checkpoint_tables_read(hid_t file, talus_world *world)
{
	return grains_read(file, &world->state.bodies) && walls_read(file, &world->state.walls) &&
	       contacts_read(file, &world->contacts) && pours_read(file, world);
}

bool checkpoint_grain_count(hid_t file, hsize_t *grains)
{
	return hdf_table_rows(file, columns[0].path, grains);
}
