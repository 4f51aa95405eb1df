// SPDX-License-Identifier: MIT
// Finds the record of a shape, its defaults, and what is wrong with a definition.
#include "state/wall/shapes.h"

typedef struct shape_row {
	const char *name;
	const wall_shape *shape;
} shape_row;

#define ROW(kind, key, meaning) [TALUS_WALL_##kind] = {#key, &wall_##key},
static const shape_row rows[] = {WALL_SHAPES(ROW)};
enum { ROWS = sizeof rows/sizeof rows[0] };

int wall_shape_count(void)
{
	return ROWS;
}

const wall_shape *wall_shape_of(int kind)
{
	return kind >= 0 && kind < ROWS ? rows[kind].shape : NULL;
}

const char *wall_shape_name(int kind)
{
	return kind >= 0 && kind < ROWS ? rows[kind].name : "";
}

talus_wall_def talus_wall_def_default(talus_wall_kind kind)
{
	talus_wall_def def = {.kind = kind, .axis = {0, 0, 1}, .radius = 1, .angle = 45, .last = 1, .inside = true};
	const wall_shape *shape = wall_shape_of((int)kind);
	if (shape && shape->standard)
		shape->standard(&def);
	return def;
}

bool wall_check_dimension(talus_wall_kind kind, int dimension, wall_fault *fault)
{
	const wall_shape *shape = wall_shape_of((int)kind);
	const char *name = wall_shape_name((int)kind);
	if (!shape)
		return wall_fault_set(fault, NULL, "there is no shape of walls with the number %d", (int)kind);
	if (shape->dimension == 3 && dimension == 2)
		return wall_fault_set(fault, NULL, "a `%s` needs three dimensions; in 2D %s", name, shape->instead);
	if (shape->dimension == 2 && dimension == 3)
		return wall_fault_set(fault, NULL, "a `%s` is for 2D only; in 3D %s", name, shape->instead);
	return true;
}

bool wall_check(const talus_wall_def *def, int dimension, const bool periodic[3], wall_fault *fault)
{
	if (!wall_check_dimension(def->kind, dimension, fault))
		return false;
	const wall_shape *shape = wall_shape_of((int)def->kind);
	return !shape->check || shape->check(def, dimension, periodic, fault);
}
