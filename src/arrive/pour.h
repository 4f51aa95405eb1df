// SPDX-License-Identifier: MIT
// Pouring: grains that come while a world runs.
#ifndef TALUS_ARRIVE_POUR_H
#define TALUS_ARRIVE_POUR_H

#include "state/state.h"

typedef struct pour_state {
	talus_pour_def def;
	int poured;
	uint64_t draws; // random numbers used so far
	double next_radius; // drawn, waiting for room; 0 if none
} pour_state;

typedef struct pours {
	int count, capacity;
	pour_state *at;
} pours;

void pours_add(pours *pours, const talus_pour_def *def);
void pours_free(pours *pours);
// What is due at this time and finds room; true if a grain came. `waiting`: the most that were due and found none.
bool pours_arrive(pours *pours, world_state *state, double *waiting);

#endif
