// SPDX-License-Identifier: MIT
// The problem of a step, solved on: on a copy, from what the step has found, until it no longer changes. The step does not notice.
#ifndef TALUS_SOLVED_ON_H
#define TALUS_SOLVED_ON_H

#include "world.h"

typedef struct solved_on {
	talus_problem problem;       // contacts with their new impulses, bodies with the motion that these give
	const talus_solver_body *found;   // what the step had come to
	const talus_solver_body *free;    // without impulses
	talus_cell_unknowns flow;
	talus_solve_report report;
} solved_on;

// Between the solve of a step and the next one. What is in it is good until the pool is borrowed again.
void step_solve_on(talus_world *world, int least, int most, solved_on *to); // sweeps

#endif
