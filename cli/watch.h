// SPDX-License-Identifier: MIT
// A run that is watched from the command line: its events are printed, signals stop it.
#ifndef TALUS_CLI_WATCH_H
#define TALUS_CLI_WATCH_H

#include "progress.h"

typedef struct watch {
	bool quiet;
	progress line;
	char failure[32]; // code of the first error
} watch;

void watch_event(void *watch, talus_run *run, const talus_event *event); // the callback of a run

// Starts or resumes it, goes on to the end, destroys it; returns the exit code.
int watch_start(const talus_run_def *def, bool quiet);
int watch_resume(const talus_run_def *def, bool quiet);

#endif
