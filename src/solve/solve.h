// SPDX-License-Identifier: MIT
// Solvers of the contact problem. They know bodies only as motion lines.
#ifndef TALUS_SOLVE_H
#define TALUS_SOLVE_H

#include "world.h"

// problem.c
void problem_start(talus_problem *problem); // projects the first guess on the cones and gives it to the bodies
double problem_residual(const talus_problem *problem); // natural map, relative to the impulses
double problem_power(const talus_problem *problem);    // sum of p.u, work of the impulses on the final velocities

// What a visit of one contact changes: its impulse, and both bodies.
vec3 problem_change(const talus_problem *problem, size_t contact);
void problem_give(talus_problem *problem, size_t contact, vec3 dp);

// order.c: who goes when, in sweep number `sweep` of step `step`
void order_fill(uint32_t *order, size_t count, talus_order kind, uint64_t seed, uint64_t step, uint64_t sweep);

// nsgs.c: sweeps of one-contact updates, each seeing the newest impulses of the others
talus_solve_report nsgs_solve(talus_problem *problem, const talus_solver_def *def, double dt, uint64_t seed, uint64_t step,
                              scratch *scratch);

#endif
