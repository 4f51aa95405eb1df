// SPDX-License-Identifier: MIT
// The loop around the steps: output at its moments, what is told on the way, the end.
#include "base/clock.h"
#include "base/error.h"
#include "observe/observe.h"
#include "run/due.h"
#include "run/run.h"
#include "run/sound.h"

#include <math.h>

// At steps that every run of the scene has, however it is looked at and wherever it was broken.
static void watch_softness(talus_run *run)
{
	warnings w = {.count = 0};
	if (run->world->state.step % SOFT_WATCH_EVERY != 0)
		return;
	world_report(run->world);
	if (!observe_soft(run->world, &run->soft))
		return;
	warnings_of_softness(&w, run->world, &run->soft);
	run_tell(run, TALUS_EVENT_WARNING, w.list[0].code, "%s", w.list[0].message);
}

// One step, and what it asks for. False: that was the end of it.
static bool step(talus_run *run)
{
	talus_error error;
	talus_world *world = run->world;
	if (due_at(world->state.step + 1, world->state.def.step, run->scene->output.problems))
		problems_before(&run->problems, world);
	run_forget(run);
	world_step(world);
	if (!sound_is(world, &error))
		return run_end_unsound(run, &error);
	watch_softness(run);
	if (!run_write_due(run, &error))
		return run_fail(run, "output", &error);
	alarms_ring(run);
	if (!sound_fits(world, run->scene->max_overlap, &error))
		return run_end_overlap(run, &error);
	run_tell_step(run);
	return true;
}

static bool advance(talus_run *run, uint64_t steps, double seconds)
{
	talus_error error;
	double started = clock_now();
	run_forget(run); // whoever calls may have changed something
	if (!sound_fits(run->world, run->scene->max_overlap, &error)) // where a run ended that goes on from there
		return run_end_overlap(run, &error);
	for (uint64_t done = 0; !due_end(run->scene, run->world); done++) {
		if (atomic_load(&run->stop))
			return run_end_stopped(run);
		if ((steps > 0 && done == steps) || (seconds > 0 && done > 0 && clock_now() - started >= seconds))
			return true;
		if (!step(run))
			return false;
	}
	if (!sound_ends(run->world, run->scene->max_overlap, &error))
		return run_end_overlap(run, &error);
	return run_end_done(run);
}

static bool may_advance(const talus_run *run, talus_error *error)
{
	if (run->calling)
		return error_set(error, "a run cannot advance from within its own callback");
	return run->state != TALUS_RUN_NEW || error_set(error, "a run must be started or resumed before it can advance");
}

bool talus_run_advance(talus_run *run, uint64_t steps, double seconds, talus_error *error)
{
	talus_error none;
	error = error ? error : &none;
	if (isnan(seconds) || seconds < 0)
		return error_set(error, "a run cannot advance for %g seconds; 0 is no limit", seconds);
	if (!may_advance(run, error))
		return false;
	bool ok = run->state == TALUS_RUN_GOING ? advance(run, steps, seconds) : run->state == TALUS_RUN_DONE || run->state == TALUS_RUN_STOPPED;
	if (!ok)
		*error = run->error;
	return ok;
}

bool talus_run_finish(talus_run *run, talus_error *error)
{
	talus_error none;
	if (!may_advance(run, error ? error : &none))
		return false;
	talus_run_stop(run, "a request");
	return talus_run_advance(run, 0, 0, error);
}
