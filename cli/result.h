// SPDX-License-Identifier: MIT
// What is said at the end of a run: its numbers, and what to be careful about.
#ifndef TALUS_CLI_RESULT_H
#define TALUS_CLI_RESULT_H

#include "io/files.h"

enum { RESULT_WARNINGS = 4 };

typedef struct run_warnings {
	int count;
	run_warning list[RESULT_WARNINGS];
	char text[RESULT_WARNINGS][256]; // what list points at
} run_warnings;

void result_warnings(run_warnings *warnings, const talus_world *world);
void result_print(const talus_world *world, const char *title, const char *folder, double seconds);

#endif
