// SPDX-License-Identifier: MIT
// A packing in equilibrium under a pressure, in a periodic cell of its own.
#ifndef TALUS_DENSE_H
#define TALUS_DENSE_H

#include "world.h"

typedef struct dense_options {
	int dimension, count;
	const double *radius; // largest first
	double pressure, friction;
	vec3 size; // of the cell: its proportions, or its widths and no height
	bool layer; // only the height follows the pressure: z, in 2D y
	uint64_t seed;
	int threads;
} dense_options;

typedef struct dense_contact { // as talus_contact; a < b are numbers of grains
	uint32_t a, b;
	vec3 n, force;
	double gap;
} dense_contact;

typedef struct dense_packing {
	vec3 *x; // grain i has radius[i] of the wish; in the cell from 0 to `size`
	vec3 size;
	size_t contacts; // those that carry a force
	dense_contact *contact;
} dense_packing;

// What can be told beforehand, then the packing. False and a sentence.
bool dense_check(const dense_options *wish, talus_error *error);
bool dense_prepare(const dense_options *wish, dense_packing *packing, talus_error *error);
void dense_free(dense_packing *packing);

// dense_fill.c: into a world. In one that is its own the cell becomes that of the packing, and the forces of
// its contacts are those that the first step starts from.
bool dense_fill_check(const talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error);
bool dense_fill(talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error);
void dense_fill_sorted(talus_world *world); // contacts find their grains again, whose order has changed

// dense_smooth.c: grains without friction, from almost at rest to rest, in a world whose mean radius, density
// and pressure are 1. Returns the force of an overlap of 1, or 0 if it was not found.
double dense_smooth_rest(talus_world *world, bool layer);

#endif
