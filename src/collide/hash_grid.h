// SPDX-License-Identifier: MIT
// Grains in cells of several sizes, for grid.c.
#ifndef TALUS_COLLIDE_CELLS_H
#define TALUS_COLLIDE_CELLS_H

#include "state/cell.h"
#include "collide/keys.h"
#include "collide/table.h"
#include "collide/collide.h"

typedef struct level {
	bool used;
	double per_length[3]; // coordinate = (fraction or position) * per_length
	int32_t cells[3];     // number along a direction: what is beyond comes in again on the other side
} level;

typedef struct entry {
	uint64_t key;
	uint32_t index;
} entry;

typedef struct ball { // all that a distance needs
	vec3 x;
	double size; // radius and skin
} ball;

typedef struct pair_part { // what one thread has found
	size_t count, capacity;
	pair *pair;
	uint64_t tried;
} pair_part;

// The arrays are borrowed from the state's pool while a list is made.
struct grid {
	entry *entry, *spare; // grains in the order of their cells
	ball *ball;           // the same
	size_t cells;
	uint64_t *cell_key;
	uint32_t *cell_start; // cells + 1
	uint32_t *slot;
	table table;          // key -> cell
	level level[KEY_DEPTHS];
	double top;           // size of the largest
	int dimension;
	int parts;
	pair_part *part; // for each thread but the first, which writes into the list itself
};

grid *hash_grid_make(pair_list *list);           // made when it is first asked for
parallel *hash_grid_team(const world_state *state); // few grains are not worth a team
size_t hash_grid_share(size_t count, const parallel *team, int thread); // the first of `count` things that belong to a thread
void hash_grid_coordinates(const level *level, const cell *box, vec3 x, int32_t c[3]);
void hash_grid_sort(const world_state *state, pair_list *list, const vec3 *x); // grains into cells, cells into the table

#endif
