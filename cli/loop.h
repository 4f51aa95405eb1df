// SPDX-License-Identifier: MIT
// The loop around the steps that `run` and `resume` share: output at its moments, signals, the end.
#ifndef TALUS_CLI_LOOP_H
#define TALUS_CLI_LOOP_H

#include "alarm.h"
#include "io/files.h"
#include "io/problems.h"
#include "io/scene.h"
#include "result.h"

typedef struct loop {
	const scene *scene;
	talus_world *world;
	const char *folder;
	int lock; // on the folder
	char place[TALUS_PATH_MAX]; // the way to its files
	bool quiet;
	run_origin origin;             // when and how the first part of it was started
	double seconds_before;         // taken by earlier parts of this run
	double started;                // by clock_now
	uint64_t frame_step, log_step; // steps of the last output
	double checkpoint_time;        // of the last checkpoint, -1 if there is none
	problems problems;
	run_warnings said;             // on the way, each once
	alarms alarms;
} loop;

enum { LOOP_NOTHING_YET = -1 };

// A run that starts: all files, and the first output. Returns EXIT_DONE or, after a sentence, EXIT_FAILED.
int loop_begin(loop *loop);
// A run that goes on from a checkpoint that was just read. First a look, which changes nothing, at whether log and frames can
// go on, too: EXIT_DONE or, after a sentence, another code. Then what came after the checkpoint is cut off.
int loop_look(loop *loop);
int loop_return(loop *loop);
// Steps to the end; returns the exit code.
int loop_run(loop *loop);
int loop_threads(int wanted); // 0: as many as there are cores, but not too many

bool loop_finished(const loop *loop);
// Is output due after this step? Counted in steps from the start, so that a resumed run agrees with an unbroken one.
bool loop_due(uint64_t step, double step_length, double every);

#endif
