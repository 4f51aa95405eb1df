// SPDX-License-Identifier: MIT
// Rigid grains between walls that leave them no room: such a step has no solution, and says so.
#ifndef TALUS_CRUSH_H
#define TALUS_CRUSH_H

#include "world.h"

void crush_watch(talus_world *world, double overlap_before); // after the solve of a step: asks where it looks suspicious

#endif
