// SPDX-License-Identifier: MIT
// Members of wall definitions for files. The first ones are in every file, whatever walls it has; what is added to the fields of a
// shape follows by itself.
#include "state/wall/stored.h"

#include "base/fields.h"
#include "state/wall/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(member, kind) {.name = #member, .type = TALUS_FIELD_##kind, AT(talus_wall_def, member), .required = true}
static const talus_field common[] = {
	MEMBER(kind, INTEGER),
	MEMBER(point, VECTOR),
	MEMBER(to, VECTOR),
	MEMBER(axis, VECTOR),
	MEMBER(radius, REAL),
	MEMBER(angle, REAL),
	MEMBER(from, REAL),
	MEMBER(last, REAL),
	MEMBER(inside, BOOL),
	MEMBER(has_hole, BOOL),
	MEMBER(hole_at, VECTOR),
	MEMBER(hole_radius, REAL),
	MEMBER(material, INTEGER),
	MEMBER(velocity, VECTOR),
	MEMBER(spin, REAL),
	MEMBER(oscillate_direction, VECTOR),
	MEMBER(oscillate_amplitude, REAL),
	MEMBER(oscillate_frequency, REAL),
	MEMBER(oscillate_phase, REAL),
	MEMBER(mass, REAL),
	MEMBER(force, VECTOR),
	MEMBER(free, INTEGER),
	MEMBER(weightless, BOOL),
};
enum { COMMON = sizeof common/sizeof common[0] };

static bool is_common(const talus_field *field)
{
	return field >= common && field < common + COMMON;
}

// The field of a table, or of one within it, that fills the same member.
static const talus_field *find(const talus_field *table, size_t offset)
{
	for (; table->name; table++) {
		const talus_field *inner = table->table ? find(table->table, offset) : NULL;
		if (inner || table->offset == offset)
			return inner ? inner : table;
	}
	return NULL;
}

static bool is_listed(const talus_field *const *list, int count, const talus_field *field)
{
	for (int i = 0; i < count; i++)
		if (list[i]->offset == field->offset)
			return true;
	return false;
}

static int add_table(const talus_field **list, int count, const talus_field *table)
{
	for (; table->name; table++) {
		if (count < WALL_STORED_MOST && !is_listed(list, count, table))
			list[count++] = table;
		if (table->table)
			count = add_table(list, count, table->table);
	}
	return count;
}

int wall_stored(const talus_field *list[WALL_STORED_MOST])
{
	int count = 0;
	for (; count < COMMON; count++)
		list[count] = &common[count];
	for (int kind = 0; kind < wall_shape_count(); kind++)
		count = add_table(list, count, wall_shape_of(kind)->fields);
	return count;
}

bool wall_has(int kind, const talus_field *field)
{
	return is_common(field) || (wall_shape_of(kind) && find(wall_shape_of(kind)->fields, field->offset));
}

static int place_of(const char *name, const char *const *names)
{
	int place = 0;
	while (names[place] && strcmp(names[place], name))
		place++;
	return place;
}

void wall_default(talus_wall_def *def, const talus_field *field)
{
	void *target = (char *)def + field->offset;
	const wall_shape *shape = wall_shape_of((int)def->kind);
	const talus_field *own = shape ? find(shape->fields, field->offset) : NULL;
	memset(target, 0, field->size);
	if (!own || !own->fallback)
		return;
	if (own->type == TALUS_FIELD_REAL) {
		*(double *)target = strtod(own->fallback, NULL);
	} else if (own->type == TALUS_FIELD_VECTOR || own->type == TALUS_FIELD_DIRECTION) {
		vec3 *v = target;
		sscanf(own->fallback, "[%lf, %lf, %lf]", &v->x, &v->y, &v->z);
	} else if (own->type == TALUS_FIELD_INTEGER) {
		*(int *)target = atoi(own->fallback);
	} else if (own->type == TALUS_FIELD_CHOICE || own->type == TALUS_FIELD_BOOL) {
		static const char *const words[] = {"false", "true", NULL};
		int place = place_of(own->fallback, own->names ? own->names : words);
		if (own->size == sizeof(bool))
			*(bool *)target = place != 0;
		else
			*(int *)target = place;
	}
}
