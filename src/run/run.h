// SPDX-License-Identifier: MIT
// The inside of a run: a world, the folder that its files go to, and what is known about it on the way.
#ifndef TALUS_RUN_RUN_H
#define TALUS_RUN_RUN_H

#include "io/files.h"
#include "io/problems.h"
#include "io/scene.h"
#include "run/alarm.h"
#include "run/warnings.h"
#include "world.h"

#include <stdatomic.h>

struct talus_run {
	talus_event_call *call; // NULL: nobody listens
	void *context;
	bool calling; // it is in there just now
	talus_run_state state;
	talus_error error;     // why it has failed or was refused
	atomic_uintptr_t stop; // the text that says who has asked for it, 0: nobody has

	scene *scene;
	talus_world *world;
	observations seen; // what was measured since the last step: a frame, a row and a summary of one moment share it
	char folder[TALUS_PATH_MAX]; // by the name that the user has for it
	char place[TALUS_PATH_MAX];  // the way to its files
	int lock;                    // on the folder, -1: none
	run_origin origin;           // when and how the first part of it was started
	double seconds_before;       // taken by earlier parts of this run
	double started;              // by clock_now
	double seconds;              // all of it, once it has ended
	uint64_t frame_step, log_step; // steps of the last output
	double checkpoint_time;        // of the last checkpoint, -1 if there is none
	problems problems;
	soft_watch soft;
	warnings said; // on the way, each once
	alarms alarms;
};

enum { RUN_NOTHING_YET = -1 };

void run_close(talus_run *run);  // run.c: gives the folder back
void run_forget(talus_run *run); // what was measured: the state may be another one

// event.c: what whoever has started it is told.
void run_tell(talus_run *run, talus_event_kind kind, const char *code, const char *format, ...) __attribute__((format(printf, 4, 5)));
void run_tell_step(talus_run *run);
void run_tell_output(talus_run *run, const char *file); // what was written
void run_tell_error(talus_run *run, const char *code, const talus_error *error);
void run_tell_warnings(talus_run *run, const warnings *warnings); // all but those that were told when they happened

// output.c: files. False and a sentence.
bool run_holds_folder(const talus_run *run, talus_error *error); // looked at before each writing
bool run_frames_begin(const talus_run *run, talus_error *error);
bool run_write_frame(talus_run *run, talus_error *error); // this one and the next: unless it is there already
bool run_write_row(talus_run *run, talus_error *error);
bool run_write_checkpoint(talus_run *run, talus_error *error);
bool run_write_due(talus_run *run, talus_error *error); // what the scene wants at this step
bool run_write_summary(talus_run *run, run_record record, const warnings *warnings, talus_error *error);
double run_seconds(const talus_run *run);

// end.c: how a run ends. The state tells how, `error` why, where that is not as the scene has it; all return true if it is in order.
bool run_refuse(talus_run *run, const char *code, const talus_error *error);  // wrong input: before anything was done
bool run_fail(talus_run *run, const char *code, const talus_error *error);    // what should be written cannot be
bool run_end_unsound(talus_run *run, const talus_error *error);
bool run_end_overlap(talus_run *run, const talus_error *error);
bool run_end_stopped(talus_run *run);
bool run_end_done(talus_run *run);
bool run_end_complete(talus_run *run); // it was before

#endif
