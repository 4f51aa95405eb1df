// SPDX-License-Identifier: MIT
// How a run ends: as its scene has it, stopped, or because it cannot go on. Each leaves as much as can be written.
#include "run/run.h"

#include <stdio.h>
#include <string.h>

// Files go by the name that the folder has for the user.
static talus_error error_named(const talus_run *run, const talus_error *error)
{
	talus_error named = *error;
	const char *folder = talus_run_folder(run);
	size_t length = strlen(run->place);
	if (length && strncmp(error->file, run->place, length) == 0)
		snprintf(named.file, sizeof named.file, "%s%s", folder, error->file + length);
	if (length && strncmp(error->text, run->place, length) == 0)
		snprintf(named.text, sizeof named.text, "%s%s", folder, error->text + length);
	return named;
}

static void tell_failure(talus_run *run, talus_run_state state, const char *code, const talus_error *error)
{
	run->state = state;
	run->error = error_named(run, error);
	run_tell_error(run, code, &run->error);
}

// Says what can be gone on from, after a look at whether it is still there: somebody may have removed the folder.
static void tell_checkpoint(talus_run *run)
{
	talus_error why;
	checkpoint_head head;
	if (run->checkpoint_time < 0)
		return;
	if (!folder_has(run->place, "checkpoint.h5"))
		run_tell(run, TALUS_EVENT_NOTE, "checkpoint_lost", "the checkpoint of time %.6g is lost: %s/checkpoint.h5 is gone",
		         run->checkpoint_time, run->folder);
	else if (!checkpoint_look(run->place, &head, &why))
		run_tell(run, TALUS_EVENT_NOTE, "checkpoint_unreadable", "the checkpoint of time %.6g is there, but cannot be read now: %s",
		         run->checkpoint_time, error_named(run, &why).text);
	else if (!run_holds_folder(run, &why))
		run_tell(run, TALUS_EVENT_NOTE, "checkpoint_moved", "the checkpoint of time %.6g is intact, in the folder that was %s", head.time,
		         run->folder);
	else
		run_tell(run, TALUS_EVENT_NOTE, "checkpoint", "the checkpoint of time %.6g is intact", head.time);
}

static bool ended(talus_run *run, talus_run_state state, const char *code, const char *message)
{
	run->state = state;
	run_close(run);
	run_tell(run, TALUS_EVENT_ENDED, code, "%s", message);
	return state == TALUS_RUN_DONE || state == TALUS_RUN_STOPPED;
}

bool run_refuse(talus_run *run, const char *code, const talus_error *error)
{
	tell_failure(run, TALUS_RUN_REFUSED, code, error);
	tell_checkpoint(run);
	return ended(run, TALUS_RUN_REFUSED, code, "");
}

bool run_fail(talus_run *run, const char *code, const talus_error *error)
{
	tell_failure(run, TALUS_RUN_FAILED, code, error);
	tell_checkpoint(run);
	return ended(run, TALUS_RUN_FAILED, code, "");
}

// Going on from the checkpoint would only lead here again, and numbers that the way depends on may not change on it.
bool run_end_unsound(talus_run *run, const talus_error *error)
{
	talus_error unwritten;
	warnings w;
	run->seconds = run_seconds(run);
	run_record record = {.failed = error->text, .unsound = true, .seconds = run->seconds};
	warnings_of_end(&w, run->scene, run->world, &run->soft, false);
	tell_failure(run, TALUS_RUN_FAILED, "unsound", error);
	run_tell_warnings(run, &w);
	if (!run_write_summary(run, record, &w, &unwritten)) {
		talus_error told = error_named(run, &unwritten);
		run_tell_error(run, "output", &told);
	}
	tell_checkpoint(run);
	return ended(run, TALUS_RUN_FAILED, "unsound", "");
}

// Written out whole: there is something to look at, and who accepts it may go on.
bool run_end_overlap(talus_run *run, const talus_error *why)
{
	talus_error error;
	warnings w;
	run->seconds = run_seconds(run);
	run_record record = {.failed = why->text, .seconds = run->seconds};
	tell_failure(run, TALUS_RUN_FAILED, "overlap", why);
	warnings_of_end(&w, run->scene, run->world, &run->soft, false);
	if (!run_write_frame(run, &error) || !run_write_row(run, &error) || !run_write_checkpoint(run, &error) ||
	    !run_write_summary(run, record, &w, &error) || !frames_finish(run->place, &error))
		return run_fail(run, "output", &error);
	run_tell_warnings(run, &w);
	return ended(run, TALUS_RUN_FAILED, "overlap", "all is written up to there");
}

// Checkpoint and summary: rows and frames are for their own moments, with or without an interruption.
bool run_end_stopped(talus_run *run)
{
	talus_error error;
	warnings w;
	char message[128];
	warnings_of_end(&w, run->scene, run->world, &run->soft, false);
	if (!run_write_checkpoint(run, &error))
		return run_fail(run, "output", &error);
	run->seconds = run_seconds(run);
	run_record record = {.stopped = (const char *)atomic_load(&run->stop), .seconds = run->seconds};
	if (!run_write_summary(run, record, &w, &error))
		return run_fail(run, "output", &error);
	run_tell_warnings(run, &w);
	snprintf(message, sizeof message, "stopped at time %.6g, step %llu", run->world->state.time, (unsigned long long)run->world->state.step);
	return ended(run, TALUS_RUN_STOPPED, "stopped", message);
}

bool run_end_done(talus_run *run)
{
	talus_error error;
	warnings w;
	warnings_of_end(&w, run->scene, run->world, &run->soft, true);
	bool ok = run_write_frame(run, &error) && run_write_row(run, &error) && run_write_checkpoint(run, &error);
	run->seconds = run_seconds(run);
	run_record record = {.seconds = run->seconds};
	ok = ok && run_write_summary(run, record, &w, &error) && frames_finish(run->place, &error);
	if (!ok)
		return run_fail(run, "output", &error);
	run_tell_warnings(run, &w);
	return ended(run, TALUS_RUN_DONE, "done", "");
}

// A kill at the very end may have left something to tidy up.
bool run_end_complete(talus_run *run)
{
	talus_error error;
	char message[128];
	folder_tidy(run->folder);
	if (!frames_restore(run->folder, run->world->state.step, &error))
		return run_fail(run, "output", &error);
	run->seconds = run->seconds_before;
	snprintf(message, sizeof message, "complete at time %.6g, step %llu", run->world->state.time, (unsigned long long)run->world->state.step);
	return ended(run, TALUS_RUN_DONE, "complete", message);
}
