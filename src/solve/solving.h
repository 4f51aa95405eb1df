// SPDX-License-Identifier: MIT
// A problem while it is being solved: what sweeps (nsgs.c) and the rule that ends them (forces.c) share.
#ifndef TALUS_SOLVE_SOLVING_H
#define TALUS_SOLVE_SOLVING_H

#include "solve/solve.h"

typedef struct solving {
	talus_problem problem; // with the solver_workspace's lines for bodies
	const talus_solver_def *def;
	solver_workspace *ws;
	bool accelerated, cold;
	uint64_t seed, step;
	change_limit rule;
	double last_sum;
	int calm_sweeps;
	int last_look, next_look, looks;
	double per_change; // error over the change of the sweep before, at the last look
	double load;       // mean impulse of a contact then
	talus_solve_error error;
	double softness, force_error;  // as they are known
	bool found, sure;              // the softness: in this step; or else in one before
	double way;                    // solving on: how far it has come, at the last doubling of the sweeps
	int quiet;                     // doublings in a row that did not change that
	const vec3 *was;               // solving on: from there
	int least;                     // so many sweeps at least
} solving;

// solving.c
double solving_residual(solving *s);
bool solving_due(const solving *s, int sweeps); // is it time to look?
void solving_looked(solving *s, int sweeps, double error); // and when again

// forces.c
double forces_look(solving *s, int sweeps);  // the estimate; infinite while nothing is known
bool forces_enough(solving *s, int sweeps);  // after each sweep
double forces_believed(const solving *s);    // for how many steps its softness may be taken for granted

#endif
