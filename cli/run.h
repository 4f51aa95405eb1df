// SPDX-License-Identifier: MIT
// A run as it is asked for, and its parts: one run by itself, or each of the many of a sweep.
#ifndef TALUS_CLI_RUN_H
#define TALUS_CLI_RUN_H

#include "io/scene.h"

enum { RUN_SETS_MOST = 256, RUN_SWEEPS_MOST = 16 };

typedef struct run_request {
	const char *scene; // NULL: the built-in one
	char *text;        // what is in it, once it was read: a pipe can be read once; freed by who has read it
	size_t length;     // of that
	const char *folder;
	char folder_default[TALUS_PATH_MAX];
	char *sets[RUN_SETS_MOST];
	int set_count;
	char *sweeps[RUN_SWEEPS_MOST]; // as given
	int sweep_count;
	int seeds;   // 0: not asked for
	int threads; // 0: not said
	bool quiet, force;
	char command[1024]; // as typed
	bool part; // of something larger, which tells the result itself
} run_request;

// run_scene.c: the scene as the run will keep it. NULL and a sentence if it is wrong.
scene *run_scene_read(const run_request *request, talus_error *error);
// All of it, from the scene to the summary; returns the exit code, after a sentence if that is not EXIT_DONE.
int run_scene(run_request *request);

// run_folder.c
void run_folder_choose(run_request *request); // when none was given
void run_folder_choose_apart(run_request *request); // the same, but not where the scene itself lies
int run_folder_judge(const run_request *request); // EXIT_WRONG, after a sentence, if the run may not go there
int run_folder_hold(const char *folder, int *lock); // makes it, with those above it, and locks it; EXIT_DONE, or after a sentence

#endif
