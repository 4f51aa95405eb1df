// SPDX-License-Identifier: MIT
// What to be careful about: what a scene lets one fear, and what a run has shown.
#ifndef TALUS_RUN_WARNINGS_H
#define TALUS_RUN_WARNINGS_H

#include "io/files.h"
#include "io/scene.h"

enum { WARNINGS_MOST = 16 };

typedef struct warnings {
	int count;
	run_warning list[WARNINGS_MOST];
	char text[WARNINGS_MOST][512]; // what list points at
	bool told[WARNINGS_MOST];      // when it happened
} warnings;

// These two start a list: what is told when a run starts; at its end, or where it was stopped, the same and what it has shown.
void warnings_of_scene(warnings *warnings, const scene *scene);
void warnings_of_end(warnings *warnings, const scene *scene, const talus_world *world, const soft_watch *soft, bool finished);
// These add to one.
void warnings_of_problem(warnings *warnings, double time, const char *why); // that cannot be written
void warnings_of_softness(warnings *warnings, const talus_world *world, const soft_watch *soft);

#endif
