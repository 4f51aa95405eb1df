// SPDX-License-Identifier: MIT
// How bodies move within the step at hand, for who asks who may meet whom: solver bodies (grains, then walls, then one line for each contact
// with a spinning wall), and how near is near.
#ifndef TALUS_COLLIDE_APPROACH_H
#define TALUS_COLLIDE_APPROACH_H

#include "state/state.h"

typedef struct approach {
	size_t motion_capacity;
	talus_solver_body *motion;
	double margin; // pairs closer than this are contacts even at rest
	double drift;  // how far the cell's deformation may take a neighbour within a step, half of it
	const double (*rate)[3]; // of the cell, as found in the step
	bool kicked; // some grain came farther within this step than it had seemed at first
	size_t kick_capacity;
	double *kick; // per grain: how far, in what was found so far
} approach;

void approach_reserve(approach *approach, size_t lines);
void approach_refresh(approach *approach, const world_state *state); // margin
void approach_free(approach *approach);
talus_solver_body approach_motion_at_start(const approach *approach, const world_state *state, uint32_t line); // velocities at the end of the last step
double approach_reach(const approach *approach, const world_state *state, const talus_solver_body *line); // how far it may get within the step
double approach_wall_reach(const approach *approach, const world_state *state, int wall);

#endif
