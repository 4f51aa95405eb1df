// SPDX-License-Identifier: MIT
// Is there room for a grain?
#ifndef TALUS_ARRIVE_ROOM_H
#define TALUS_ARRIVE_ROOM_H

#include "state/state.h"

#define ROOM_SLACK 1e-10 // grains may touch: what is below this share of a size is rounding

bool room_taken_by(const world_state *state, uint32_t grain, vec3 x, double r); // would it overlap this one?
bool room_behind_wall(const world_state *state, vec3 x, double r);              // or any wall?

#endif
