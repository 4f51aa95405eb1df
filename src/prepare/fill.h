// SPDX-License-Identifier: MIT
// Putting grains into the world, at the start.
#ifndef TALUS_FILL_H
#define TALUS_FILL_H

#include "world.h"

bool world_fill(talus_world *world, const talus_fill_def *def, talus_error *error); // false: they do not fit, nothing has changed
// Would it be refused? Of a dense packing only what can be told without making it.
bool fill_check(const talus_world *world, const talus_fill_def *def, talus_error *error);
bool fill_check_pour(const talus_world *world, const talus_pour_def *def, talus_error *error); // can any grain ever come?
// If nothing found a place, because of one wall: a sentence about it.
bool fill_walled_off(const talus_world *world, const talus_fill_def *def, int placed, talus_error *error);
enum { FILL_BLAME = 256 };
// ": wall ... takes about ... of the region", of the wall that takes most of it; "" if none takes more than half.
const char *fill_blame(const talus_world *world, const talus_fill_def *def, char *text, size_t size);

#endif
