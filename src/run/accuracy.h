// SPDX-License-Identifier: MIT
// How right a run is, in words: what its solver was asked for, how many steps met it, what audits found.
#ifndef TALUS_RUN_ACCURACY_H
#define TALUS_RUN_ACCURACY_H

#include <talus/talus.h>

typedef struct accuracy {
	const talus_solver_def *solver;
	uint64_t steps, capped, floor, audits, given_up;
	double median[TALUS_AUDITED], largest[TALUS_AUDITED];
	bool no_solution; // of some step: what rules say of it means nothing
} accuracy;

accuracy accuracy_of(const talus_world *world);
void accuracy_tell(const accuracy *a, char *text, size_t size); // all of it, in a line

void accuracy_rule(const talus_solver_def *solver, char *text, size_t size);      // what was asked for
void accuracy_until(const talus_solver_def *solver, char *text, size_t size);     // the same as the end of sweeps: "until ..."
void accuracy_tolerance(const talus_solver_def *solver, char *text, size_t size); // its number
const char *accuracy_audited(int what); // loads or forces, as audits judge them
// What a step ended with that did not meet its rule, and of what that is a share.
void accuracy_left(const talus_solver_def *solver, double error, bool beside_tolerance, char *text, size_t size);

#endif
