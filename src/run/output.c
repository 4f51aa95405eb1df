// SPDX-License-Identifier: MIT
// Files of a run. They are written between two steps: frame, log, then the checkpoint that vouches for both.
#include "base/clock.h"
#include "run/due.h"
#include "run/run.h"

double run_seconds(const talus_run *run)
{
	return run->seconds_before + clock_now() - run->started;
}

// What is written in the meantime goes into the folder that was locked, wherever it is.
bool run_holds_folder(const talus_run *run, talus_error *error)
{
	return folder_is_held(run->folder, run->lock, error);
}

bool run_frames_begin(const talus_run *run, talus_error *error)
{
	frame_options options = {.no_contacts = !run->scene->output.contacts, .compressed = run->scene->output.compress};
	return frames_create_with(run->place, run->world, run->scene->title, &options, error);
}

// The residual is part of what is measured, so it comes first.
static observations *look(talus_run *run)
{
	world_report(run->world);
	if (!run->seen.world)
		run->seen = observations_of(run->world);
	return &run->seen;
}

bool run_write_frame(talus_run *run, talus_error *error)
{
	if (run->frame_step == run->world->state.step)
		return true;
	if (!run_holds_folder(run, error))
		return false;
	run->frame_step = run->world->state.step;
	if (!frames_append_seen(run->place, look(run), error) || !xdmf_append(run->place, error))
		return false;
	run_tell_output(run, "frame");
	return true;
}

bool run_write_row(talus_run *run, talus_error *error)
{
	if (run->log_step == run->world->state.step)
		return true;
	if (!run_holds_folder(run, error))
		return false;
	run->log_step = run->world->state.step;
	if (!log_append_seen(run->place, look(run), error))
		return false;
	run_tell_output(run, "log");
	return true;
}

// Says once why there are none.
static bool write_problem(talus_run *run, talus_error *error)
{
	if (run->world->state.step == 0)
		return true;
	if (!run_holds_folder(run, error) || !problems_write(&run->problems, run->place, run->world, run->scene->title, error))
		return false;
	if (!run->problems.refused) {
		run_tell_output(run, "problem");
	} else if (run->said.count == 0) {
		warnings_of_problem(&run->said, run->world->state.time, run->problems.why.text);
		run_tell_warnings(run, &run->said);
	}
	return true;
}

bool run_write_checkpoint(talus_run *run, talus_error *error)
{
	world_report(run->world);
	if (!run_holds_folder(run, error) || !folder_sync(run->place, error) ||
	    !checkpoint_write_with(run->place, run->world, run_seconds(run), &run->origin, &run->soft, error))
		return false;
	run->checkpoint_time = run->world->state.time;
	if (!frames_secure(run->place, run->world->state.step, error))
		return false;
	run_tell_output(run, "checkpoint");
	return true;
}

bool run_write_due(talus_run *run, talus_error *error)
{
	const scene_output *every = &run->scene->output;
	uint64_t step = run->world->state.step;
	double dt = run->world->state.def.step;
	return (!due_at(step, dt, every->frames) || run_write_frame(run, error)) &&
	       (!due_at(step, dt, every->log) || run_write_row(run, error)) &&
	       (!due_at(step, dt, every->problems) || write_problem(run, error)) &&
	       (!due_at(step, dt, every->checkpoint) || run_write_checkpoint(run, error));
}

// With the warnings of the end and those that were said on the way.
bool run_write_summary(talus_run *run, run_record record, const warnings *at_end, talus_error *error)
{
	run_warning all[2*WARNINGS_MOST];
	int count = 0;
	for (int i = 0; i < at_end->count; i++)
		all[count++] = at_end->list[i];
	for (int i = 0; i < run->said.count; i++)
		all[count++] = run->said.list[i];
	record.title = run->scene->title;
	record.origin = run->origin;
	record.threads = talus_world_threads(run->world);
	record.warnings = all;
	record.warning_count = count;
	return run_holds_folder(run, error) && summary_write_seen(run->place, look(run), &record, error);
}
