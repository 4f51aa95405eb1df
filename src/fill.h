// SPDX-License-Identifier: MIT
// Putting grains into the world: at the start (talus_world_fill) and while it runs.
#ifndef TALUS_FILL_H
#define TALUS_FILL_H

#include "world.h"

#define FILL_SLACK 1e-10 // grains may touch: what is below this share of a size is rounding

// Would talus_world_fill refuse it? Of a dense packing only what can be told without making it.
bool fill_check(const talus_world *world, const talus_fill_def *def, talus_error *error);
bool fill_check_pour(const talus_world *world, const talus_pour_def *def, talus_error *error); // can any grain ever come?
// If nothing found a place, because of one wall: a sentence about it.
bool fill_walled_off(const talus_world *world, const talus_fill_def *def, int placed, talus_error *error);
enum { FILL_BLAME = 256 };
// ": wall ... takes about ... of the region", of the wall that takes most of it; "" if none takes more than half.
const char *fill_blame(const talus_world *world, const talus_fill_def *def, char *text, size_t size);
// All of these, largest first, at random places of a world whose cell is periodic in all directions.
bool fill_at_random(talus_world *world, const double *radius, int count, talus_error *error);
// How many of these would overlap walls or grains that are there.
int fill_blocked(const talus_world *world, const vec3 *x, const double *radius, int count);
void fill_put(talus_world *world, const talus_fill_def *def, vec3 x, double r);

bool fill_pour(talus_world *world); // what is due at this time and finds room; true if a grain came

#endif
