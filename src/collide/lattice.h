// SPDX-License-Identifier: MIT
// Cells in space for the blocks of a large problem, and their colours: cells of one colour do not touch. Three directions are cut
// into the cells of a body-centred lattice (truncated octahedra), two into squares, one into slices. Four colours are enough.
#ifndef TALUS_COLLIDE_LATTICE_H
#define TALUS_COLLIDE_LATTICE_H

#include "state/state.h"

enum { LATTICE_COLOURS = 4 };

typedef struct lattice {
	bool centred;      // body-centred
	bool cut[3], around[3]; // periodic
	double count[3];   // cubes along a direction
	uint32_t side[3];  // the same, for numbering
	vec3 low, per_length, shift; // coordinate = (place - low)*per_length + shift
	uint32_t cells;
} lattice;

// Cells of about this volume, in mean radii to the power of the dimension, for grains in a box; `shift` in [0, 1).
lattice lattice_make(const world_state *state, vec3 low, vec3 size, double volume, vec3 shift);
uint32_t lattice_cell(const lattice *l, vec3 place, int *colour); // place as of error_cells_place
int lattice_colour(const lattice *l, uint32_t number); // of a cell

#endif
