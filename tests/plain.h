// SPDX-License-Identifier: MIT
// The definition of a world with so many plain sweeps a step, for tests that count on what these do.
#ifndef TALUS_TESTS_PLAIN_H
#define TALUS_TESTS_PLAIN_H

#include <talus/talus.h>

static inline talus_world_def plain_def(void)
{
	talus_world_def def = talus_world_def_default();
	def.solver = (talus_solver_def){.kind = TALUS_SOLVER_NSGS, .order = TALUS_ORDER_SHUFFLED, .relaxation = 1,
	                                .gap = TALUS_GAP_POSITIVE, .stop = TALUS_STOP_ITERATIONS, .iterations = 100,
	                                .cutoff = -1, .max_iterations = 10000};
	return def;
}

#endif
