// SPDX-License-Identifier: MIT
// What finding contacts and looking for late ones share.
#ifndef TALUS_COLLIDE_NARROW_H
#define TALUS_COLLIDE_NARROW_H

#include "collide/collide.h"
#include "state/wall.h"

// Marks of a pair.
enum {
	PAIR_MISSED = 1,    // found after a solve
	PAIR_CONTACT = 2, // takes part
	PAIR_ROW = 4,     // has a row in the table: takes part, and can be pushed
	PAIR_AROUND = 8,  // its key says: not through the nearest image
	PAIR_OLD_ROW = 16, // had a row in the last table
	// walls: a bit for each place of touch
	WALL_ROWS = 4,
	WALL_OLD_ROWS = 8,
	WALL_MASK = 15,
};
_Static_assert(WALL_TOUCHES <= 4, "a place of touch has no bit");

typedef struct zone { // where a grain is, and how far from there its surface may get within the step
	vec3 x;
	double near;
} zone;

#endif
