// SPDX-License-Identifier: MIT
// Places for grains, among those that are there.
#ifndef TALUS_PREPARE_PLACE_H
#define TALUS_PREPARE_PLACE_H

#include "base/vec.h"
#include <talus/talus.h>

// All grains of an entry, at random or on a lattice.
bool place_all(talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error);
// All of these, largest first, at random places of a world whose cell is periodic in all directions.
bool place_at_random(talus_world *world, const double *radius, int count, talus_error *error);
// How many of these would overlap walls or grains that are there.
int place_blocked(const talus_world *world, const vec3 *x, const double *radius, int count);
void place_put(talus_world *world, const talus_fill_def *def, vec3 x, double r);

#endif
