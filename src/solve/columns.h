// SPDX-License-Identifier: MIT
// Vectors in columns: WIDTH of them at once. FLAT makes the text for disks: nothing moves along z or turns about another axis,
// so what is known to be 0 is not computed.
#ifndef TALUS_SOLVE_COLUMNS_H
#define TALUS_SOLVE_COLUMNS_H

#include "solve/lanes.h"

#if FLAT
#define DEEP(z) all(0)
#else
#define DEEP(z) (z)
#endif

typedef struct column3 {
	real x, y, z;
} column3;

ALWAYS real dot3(column3 a, column3 b)
{
#if FLAT
	return a.x*b.x + a.y*b.y;
#else
	return a.x*b.x + a.y*b.y + a.z*b.z;
#endif
}

ALWAYS column3 cross3(column3 a, column3 b)
{
#if FLAT
	return (column3){-(a.z*b.y), a.z*b.x, a.x*b.y - a.y*b.x};
#else
	return (column3){a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x};
#endif
}

// From vb - va in columns 0 to 2 and sa + sb in columns 4 to 6.
ALWAYS column3 relative_velocity(column3 n, const real moving[8])
{
	column3 turning = cross3((column3){DEEP(moving[4]), DEEP(moving[5]), moving[6]}, n);
	return (column3){moving[0] - turning.x, moving[1] - turning.y, DEEP(moving[2] - turning.z)};
}

// Part i of the groups: which group, and its first lane.
typedef struct position {
	size_t group;
	int lane;
} position;

static inline position position_of(size_t i)
{
	enum { PARTS = LANES/WIDTH };
	return (position){i/PARTS, (int)(i%PARTS)*WIDTH};
}

#endif
