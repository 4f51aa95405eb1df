// SPDX-License-Identifier: MIT
// The table of wall shapes.
#ifndef TALUS_WALL_SHAPES_H
#define TALUS_WALL_SHAPES_H

#include "state/wall/shape.h"

// One row a shape: its name in talus.h, its key in a scene, and what it is. Its record is wall_KEY, in KEY.c.
#define WALL_SHAPES(row) \
	row(PLANE, plane, "a half space, or with a hole a thin plate") \
	row(CYLINDER, cylinder, "an endless cylinder; in 2D a circle") \
	row(CONE, cone, "a thin cone (3D only)") \
	row(SEGMENT, segment, "a thin straight wall with round ends (2D only)") \
	row(TORUS, torus, "a tube bent into a ring (3D only)")

// The key that tells on which side grains are.
#define WALL_SIDE(text) \
	{.name = "side", .meaning = text, .type = TALUS_FIELD_CHOICE, AT(talus_wall_def, inside), .fallback = "inside", \
		.names = (const char *const[]){"outside", "inside", NULL}}

#define WALL_DECLARE(kind, key, meaning) \
	extern const wall_shape wall_##key; \
	extern const talus_field wall_##key##_fields[];
WALL_SHAPES(WALL_DECLARE)

const wall_shape *wall_shape_of(int kind);   // NULL: there is none
const char *wall_shape_name(int kind);       // its key in a scene
int wall_shape_count(void);                  // kinds are 0 to this

// Can there be such a wall? False, and what is wrong with it.
bool wall_check_dimension(talus_wall_kind kind, int dimension, wall_fault *fault);
bool wall_check(const talus_wall_def *def, int dimension, const bool periodic[3], wall_fault *fault);

#endif
