// SPDX-License-Identifier: MIT
// Putting grains into the world: at the start (talus_world_fill) and while it runs.
#ifndef TALUS_FILL_H
#define TALUS_FILL_H

#include "world.h"

bool fill_pour(talus_world *world); // what is due at this time and finds room; true if a grain came

#endif
