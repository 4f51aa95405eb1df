// SPDX-License-Identifier: MIT
// The contacts in checkpoint.h5: what collision and the method know of each, in two tables that are older than their parting.
#include "io/checkpoint_contacts.h"

#include "base/memory.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

// Bodies, row and impulse of a contact.
typedef struct contact_record {
	uint32_t a, b;
	vec3 n;
	talus_row row;
	vec3 p;
} contact_record;

typedef struct info_record {
	uint64_t key;
	double gap;
	uint32_t wall, flags;
} info_record;

static hid_t contact_type(void)
{
	_Static_assert(sizeof(contact_record) == 88, "a member is missing below");
	hsize_t three = 3;
	hid_t vector = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(contact_record));
	H5Tinsert(type, "a", offsetof(contact_record, a), H5T_NATIVE_UINT32);
	H5Tinsert(type, "b", offsetof(contact_record, b), H5T_NATIVE_UINT32);
	H5Tinsert(type, "n", offsetof(contact_record, n), vector);
	H5Tinsert(type, "bias", offsetof(contact_record, row.bias), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_n", offsetof(contact_record, row.mass_n), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mass_t", offsetof(contact_record, row.mass_t), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "mu", offsetof(contact_record, row.mu), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "p", offsetof(contact_record, p), vector);
	H5Tclose(vector);
	return type;
}

static hid_t info_type(void)
{
	_Static_assert(sizeof(info_record) == 24, "a member is missing below");
	hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(info_record));
	H5Tinsert(type, "key", offsetof(info_record, key), H5T_NATIVE_UINT64);
	H5Tinsert(type, "gap", offsetof(info_record, gap), H5T_NATIVE_DOUBLE);
	H5Tinsert(type, "wall", offsetof(info_record, wall), H5T_NATIVE_UINT32);
	H5Tinsert(type, "marks", offsetof(info_record, flags), H5T_NATIVE_UINT32);
	return type;
}

static hid_t feature_type(void)
{
	return H5Tcopy(H5T_NATIVE_UINT32);
}

// ---------------------------------------------------------------- records

static void pack_contact(const talus_world *world, size_t i, void *to)
{
	const talus_contact *c = &world->contacts.contact[i];
	*(contact_record *)to = (contact_record){c->a, c->b, c->n, contact_dynamics_of(world)->rows.row[i], world->contacts.p[i]};
}

static void unpack_contact(talus_world *world, size_t i, const void *from)
{
	const contact_record *r = from;
	world->contacts.contact[i] = (talus_contact){.a = r->a, .b = r->b, .n = r->n};
	contact_dynamics_of(world)->rows.row[i] = r->row;
	world->contacts.p[i] = r->p;
}

static void pack_info(const talus_world *world, size_t i, void *to)
{
	const talus_contact *c = &world->contacts.contact[i];
	*(info_record *)to = (info_record){c->key, c->gap, c->wall, c->flags};
}

static void unpack_info(talus_world *world, size_t i, const void *from)
{
	const info_record *r = from;
	talus_contact *c = &world->contacts.contact[i];
	c->key = r->key;
	c->gap = r->gap;
	c->wall = r->wall;
	c->flags = r->flags;
}

static void pack_feature(const talus_world *world, size_t i, void *to)
{
	*(uint32_t *)to = world->contacts.contact[i].feature;
}

static void unpack_feature(talus_world *world, size_t i, const void *from)
{
	world->contacts.contact[i].feature = *(const uint32_t *)from;
}

typedef struct record_table {
	const char *path;
	size_t size;
	hid_t (*type)(void);
	void (*pack)(const talus_world *world, size_t i, void *to);
	void (*unpack)(talus_world *world, size_t i, const void *from);
} record_table;

enum { CONTACT, INFO, FEATURE, TABLES }; // in this order: the first one sets what the others add to
static const record_table tables[TABLES] = {
	[CONTACT] = {"contacts/contact", sizeof(contact_record), contact_type, pack_contact, unpack_contact},
	[INFO] = {"contacts/info", sizeof(info_record), info_type, pack_info, unpack_info},
	[FEATURE] = {"contacts/feature", sizeof(uint32_t), feature_type, pack_feature, unpack_feature},
};

bool checkpoint_rows(hid_t file, const char *path, size_t row_bytes, hsize_t *rows)
{
	hsize_t bytes = 0;
	return hdf_table_rows(file, path, rows) && H5Fget_filesize(file, &bytes) >= 0 && *rows <= UINT32_MAX &&
	       *rows <= bytes/row_bytes;
}

// ---------------------------------------------------------------- to the file and back, some at a time

enum { SOME = 16384 };

static bool move_some(const record_table *t, hid_t set, hid_t type, hsize_t first, hsize_t count, char *block, const talus_world *from,
                      talus_world *to)
{
	for (size_t i = 0; from && i < count; i++)
		t->pack(from, first + i, block + i*t->size);
	bool ok = from ? hdf_set_put(set, type, &first, &count, block) : hdf_set_get(set, type, &first, &count, block);
	for (size_t i = 0; ok && to && i < count; i++)
		t->unpack(to, first + i, block + i*t->size);
	return ok;
}

static bool move_all(const record_table *t, hid_t file, hid_t type, hsize_t rows, const talus_world *from, talus_world *to)
{
	hid_t set = H5Dopen2(file, t->path, H5P_DEFAULT);
	if (set < 0)
		return false;
	hdf_shape shape;
	bool ok = hdf_set_shape(set, &shape) && shape.rank == 1 && shape.size[0] == rows;
	char *block = memory_grow(NULL, 0, SOME*t->size);
	for (hsize_t first = 0; ok && first < rows; first += SOME)
		ok = move_some(t, set, type, first, rows - first < SOME ? rows - first : SOME, block, from, to);
	memory_free(block);
	return H5Dclose(set) >= 0 && ok;
}

static bool table_write(const record_table *t, hid_t file, const talus_world *world)
{
	hid_t type = t->type();
	size_t rows = world->contacts.count;
	bool ok = hdf_table_write(file, t->path, type, rows, 1, NULL) && move_all(t, file, type, rows, world, NULL);
	H5Tclose(type);
	return ok;
}

static bool table_read(const record_table *t, hid_t file, talus_world *world)
{
	hid_t type = t->type();
	bool ok = move_all(t, file, type, world->contacts.count, NULL, world);
	H5Tclose(type);
	return ok;
}

// ---------------------------------------------------------------- what laws remember

// Numbers of a law, each of its fields in a table of its own: rows are contacts from `plain` on.
static bool memory_write(hid_t file, const talus_world *world, const char *path, size_t first, size_t width)
{
	const contacts *c = &world->contacts;
	size_t rows = c->count - c->class_end[TALUS_COULOMB];
	double *column = memory_grow(NULL, 0, (rows*width + 1)*sizeof *column);
	for (size_t i = 0; i < rows; i++)
		memcpy(column + i*width, c->memory + i*c->stride + first, width*sizeof *column);
	bool ok = hdf_table_write(file, path, H5T_NATIVE_DOUBLE, rows, width, column);
	memory_free(column);
	return ok;
}

// A file without the table is older than the law.
static bool memory_read(hid_t file, talus_world *world, const char *path, size_t first, size_t width)
{
	contacts *c = &world->contacts;
	size_t rows = c->count - c->class_end[TALUS_COULOMB];
	if (H5Lexists(file, "contacts/memory", H5P_DEFAULT) <= 0 || H5Lexists(file, path, H5P_DEFAULT) <= 0)
		return true;
	double *column = memory_grow(NULL, 0, (rows*width + 1)*sizeof *column);
	bool ok = hdf_table_read(file, path, H5T_NATIVE_DOUBLE, rows, width, column);
	for (size_t i = 0; ok && i < rows; i++)
		memcpy(c->memory + i*c->stride + first, column + i*width, width*sizeof *column);
	memory_free(column);
	return ok;
}

typedef bool memory_mover(hid_t file, void *world, const char *path, size_t first, size_t width);

static bool write_field(hid_t file, void *world, const char *path, size_t first, size_t width)
{
	return memory_write(file, world, path, first, width);
}

static bool read_field(hid_t file, void *world, const char *path, size_t first, size_t width)
{
	return memory_read(file, world, path, first, width);
}

static bool memory_move(hid_t file, const law_set *laws, void *world, memory_mover *move)
{
	bool ok = true;
	for (int l = 0; l < laws->count; l++) {
		size_t first = (size_t)laws->first[l];
		for (const law_field *f = laws->at[l]->memory; ok && laws->first[l] >= 0 && f->name; f++) {
			char path[128];
			snprintf(path, sizeof path, "contacts/memory/%s_%s", laws->at[l]->name, f->name);
			ok = f->count == 0 || move(file, world, path, first, (size_t)f->count);
			first += (size_t)f->count;
		}
	}
	return ok;
}

// ---------------------------------------------------------------- all of it

bool checkpoint_contacts_write(hid_t file, const talus_world *world)
{
	const contacts *c = &world->contacts;
	return table_write(&tables[CONTACT], file, world) && table_write(&tables[INFO], file, world) &&
	       hdf_table_write(file, "contacts/torque", H5T_NATIVE_DOUBLE, c->count - c->class_end[TALUS_COULOMB], 3, c->q) &&
	       (!c->featured || table_write(&tables[FEATURE], file, world)) &&
	       memory_move(file, &world->laws, (void *)(uintptr_t)world, write_field);
}

bool checkpoint_contacts_read(hid_t file, talus_world *world)
{
	contacts *c = &world->contacts;
	hsize_t rows;
	size_t plain = c->class_end[TALUS_COULOMB];
	if (!checkpoint_rows(file, tables[CONTACT].path, tables[CONTACT].size, &rows) || c->class_end[TALUS_COULOMB] > c->class_end[TALUS_EXTENDED] || c->class_end[TALUS_EXTENDED] > rows)
		return false;
	c->count = c->class_end[TALUS_COULOMB] = 0;
	world_refresh_laws(world);
	c->class_end[TALUS_COULOMB] = plain;
	contacts_reserve(c, (size_t)rows);
	c->count = (size_t)rows;
	contacts_reserve_torques(c, c->count - c->class_end[TALUS_COULOMB]);
	rows_reserve(&contact_dynamics_of(world)->rows, c);
	for (size_t i = 0; i < (c->count - c->class_end[TALUS_COULOMB])*c->stride; i++)
		c->memory[i] = c->fresh[i%c->stride];
	c->featured = H5Lexists(file, tables[FEATURE].path, H5P_DEFAULT) > 0;
	return table_read(&tables[CONTACT], file, world) && table_read(&tables[INFO], file, world) &&
	       hdf_table_read(file, "contacts/torque", H5T_NATIVE_DOUBLE, c->count - c->class_end[TALUS_COULOMB], 3, c->q) &&
	       (!c->featured || table_read(&tables[FEATURE], file, world)) && memory_move(file, &world->laws, world, read_field);
}
