// SPDX-License-Identifier: MIT
// The pair list (a Verlet list with a skin for each grain): who may touch whom within the next steps.
#ifndef TALUS_COLLIDE_PAIRS_H
#define TALUS_COLLIDE_PAIRS_H

#include <talus/extend.h>

typedef struct pair { // two grains closer than the skin
	uint32_t a, b;
	uint32_t image; // lattice vector to add to b
} pair;

typedef struct wall_pair {
	uint32_t grain, wall;
	uint32_t image; // which one of the wall's, as in wall_image
} wall_pair;

typedef struct grid grid; // scratch of the pair search, private to grid.c

// A long list is cut into blocks, for the solver (divide.c).
typedef struct list_blocks {
	uint32_t count;     // 0: it is not
	size_t capacity;
	uint32_t *pair, *wall; // first of each block, and one more
	uint64_t *name;     // for random numbers: the same whoever counts
	uint32_t colour[TALUS_COLOURS + 1]; // first block of each
} list_blocks;

typedef struct pair_list {
	size_t count, capacity;
	pair *pair;
	uint8_t *state; // per pair and step: is it a contact, was it found late, has it a row in the table
	size_t wall_count, wall_capacity;
	wall_pair *wall;
	uint16_t *wall_state;
	double skin; // of two grains at rest: what is closer is listed
	double longest; // no pair is farther apart while the list is good
	bool followed; // the table of contacts is in the order of this list
	bool stale; // must be made again whatever the displacements are
	uint64_t builds;
	uint64_t tried; // distances looked at for the last list: what it has cost
	uint64_t made_at; // step, or that at which it was last cut
	uint64_t sorted_at; // `builds` at the last sort of the bodies
	list_blocks blocks;
	bool long_enough; // to be cut in space
	size_t blocks_from; // it is, with so many pairs
	double block_size;  // contacts in a block
	size_t cell_capacity;
	uint32_t *cells; // scratch of divide.c
	grid *grid;
} pair_list;

#endif
