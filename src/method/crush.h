// SPDX-License-Identifier: MIT
// Rigid grains between walls that leave them no room: such a step has no solution, and says so.
#ifndef TALUS_CRUSH_H
#define TALUS_CRUSH_H

#include <talus/talus.h>

enum { CRUSH_GRAIN = -1, CRUSH_CELL = -2 };

typedef struct crush {
	uint64_t step;       // that had no solution, the first; 0: none so far
	int wall;            // that is to blame, or one of the above
	uint32_t grain;
	uint64_t wait, next; // steps until one asks again
} crush;

void crush_watch(talus_world *world, double overlap_before); // after the solve of a step: asks where it looks suspicious

#endif
