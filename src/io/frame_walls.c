// SPDX-License-Identifier: MIT
// Definitions of walls in run.h5: one set a member, from the tables of state/wall/stored.c.
#include "io/frames.h"

#include "base/memory.h"
#include "io/hdf5_tools.h"
#include "state/wall/shapes.h"
#include "state/wall/stored.h"

#include <string.h>

typedef struct form {
	hid_t type;
	size_t width, bytes;
} form;

static form form_of(const talus_field *field)
{
	if (field->type == TALUS_FIELD_VECTOR || field->type == TALUS_FIELD_DIRECTION || field->type == TALUS_FIELD_AXIS)
		return (form){H5T_NATIVE_DOUBLE, 3, 3*sizeof(double)};
	if (field->type == TALUS_FIELD_REAL)
		return (form){H5T_NATIVE_DOUBLE, 1, sizeof(double)};
	if (field->size == sizeof(bool))
		return (form){H5T_NATIVE_UINT8, 1, sizeof(bool)};
	return (form){H5T_NATIVE_INT, 1, sizeof(int)};
}

static bool field_write(hid_t group, const talus_field *field, int count, const talus_wall_def *def)
{
	form f = form_of(field);
	char *block = memory_grow(NULL, 0, f.bytes*(size_t)count);
	for (int i = 0; i < count; i++)
		memcpy(block + f.bytes*(size_t)i, (const char *)&def[i] + field->offset, f.bytes);
	bool ok = hdf_table_write(group, field->name, f.type, (hsize_t)count, (hsize_t)f.width, block);
	memory_free(block);
	return ok;
}

static bool field_read(hid_t group, const talus_field *field, int count, talus_wall_def *def)
{
	form f = form_of(field);
	char *block = memory_grow(NULL, 0, f.bytes*(size_t)count);
	bool ok = hdf_table_read(group, field->name, f.type, (hsize_t)count, (hsize_t)f.width, block);
	for (int i = 0; ok && i < count; i++)
		memcpy((char *)&def[i] + field->offset, block + f.bytes*(size_t)i, f.bytes);
	memory_free(block);
	return ok;
}

// Sets of what only some shapes have are there if such a wall is.
static bool any_has(const talus_field *field, int count, const talus_wall_def *def)
{
	bool some = wall_has(-1, field);
	for (int i = 0; i < count && !some; i++)
		some = wall_has((int)def[i].kind, field);
	return some;
}

bool frame_walls_write(hid_t group, int count, const talus_wall_def *def)
{
	const talus_field *list[WALL_STORED_MOST];
	int fields = wall_stored(list);
	bool ok = true;
	for (int i = 0; i < fields && ok; i++)
		ok = !any_has(list[i], count, def) || field_write(group, list[i], count, def);
	return ok;
}

bool frame_walls_read(hid_t group, int count, talus_wall_def *def)
{
	const talus_field *list[WALL_STORED_MOST];
	int fields = wall_stored(list);
	bool ok = true;
	for (int i = 0; i < fields && ok; i++) {
		bool there = H5Lexists(group, list[i]->name, H5P_DEFAULT) > 0;
		if (there || (list[i]->required && any_has(list[i], count, def)))
			ok = field_read(group, list[i], count, def);
		for (int k = 0; k < count && !there && ok; k++)
			wall_default(&def[k], list[i]);
	}
	for (int k = 0; k < count && ok; k++) // of a newer program, or damaged
		ok = wall_shape_of((int)def[k].kind) != NULL;
	return ok;
}
