// SPDX-License-Identifier: MIT
// What is said at the end of a run: its numbers, and what to be careful about.
#ifndef TALUS_CLI_RESULT_H
#define TALUS_CLI_RESULT_H

#include "io/files.h"
#include "io/scene.h"

enum { RESULT_WARNINGS = 16 };

typedef struct run_warnings {
	int count;
	run_warning list[RESULT_WARNINGS];
	char text[RESULT_WARNINGS][512]; // what list points at
} run_warnings;

// What a scene lets one fear, said at the start of a run; at its end, or where it was stopped, the same and what
// the run has shown.
void result_fears(run_warnings *warnings, const scene *scene);
void result_warnings(run_warnings *warnings, const scene *scene, const talus_world *world, bool finished);
void result_warnings_print(const run_warnings *warnings); // on stderr, but for softness
void result_problem(run_warnings *warnings, double time, const char *why); // one that cannot be written
void result_softness_print(const talus_world *world);     // that, when a run finds it
void result_print(const talus_world *world, const char *title, const char *folder, double seconds);

#endif
