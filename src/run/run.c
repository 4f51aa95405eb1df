// SPDX-License-Identifier: MIT
// A run as an object: made, asked to stop, looked at, thrown away.
#include "run/run.h"

#include "base/memory.h"

#include <stdlib.h>

talus_run_def talus_run_def_default(void)
{
	return (talus_run_def){0};
}

talus_run *talus_run_create(talus_event_call *call, void *context)
{
	talus_run *run = calloc(1, sizeof *run);
	if (!run)
		memory_lost();
	run->call = call;
	run->context = context;
	run->lock = -1;
	run->checkpoint_time = RUN_NOTHING_YET;
	return run;
}

void run_close(talus_run *run)
{
	if (run->lock >= 0)
		folder_unlock(run->lock);
	run->lock = -1;
	problems_free(&run->problems);
}

void run_forget(talus_run *run)
{
	observations_free(&run->seen);
}

void talus_run_destroy(talus_run *run)
{
	if (!run)
		return;
	run_close(run);
	run_forget(run);
	talus_world_destroy(run->world);
	scene_free(run->scene);
	free(run);
}

// A signal handler may be here: one atomic exchange, and nothing else.
void talus_run_stop(talus_run *run, const char *why)
{
	uintptr_t nobody = 0;
	atomic_compare_exchange_strong(&run->stop, &nobody, (uintptr_t)(why ? why : "a request"));
}

talus_run_state talus_run_status(const talus_run *run)
{
	return run->state;
}

talus_world *talus_run_world(talus_run *run)
{
	return run->world;
}

const char *talus_run_folder(const talus_run *run)
{
	return run->folder;
}

const char *talus_run_title(const talus_run *run)
{
	return run->scene ? run->scene->title : "";
}

double talus_run_end_time(const talus_run *run)
{
	return run->scene && run->scene->until_time ? run->scene->end_time : 0;
}

double talus_run_seconds(const talus_run *run)
{
	return run->state == TALUS_RUN_GOING ? run_seconds(run) : run->seconds;
}
