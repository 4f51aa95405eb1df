// SPDX-License-Identifier: MIT
#include "watch.h"

#include "cli.h"
#include "hints.h"
#include "result.h"
#include "stop.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- what is printed

// What to do about a run that has failed, behind what is known of its checkpoint.
static void remedy_print(const watch *w, const talus_run *run, const char *code)
{
	const char *folder = talus_run_folder(run);
	if (strcmp(code, "checkpoint_moved") == 0)
		fputs("; talus resume goes on from there", stderr);
	if (strcmp(code, "checkpoint") != 0)
		return;
	if (strcmp(w->failure, "unsound") == 0)
		fprintf(stderr, "; to go on from there leads here again, so start a new run with other numbers: talus run %s/scene.yaml -o OTHER "
		        "--set PATH=VALUE", folder);
	else if (strcmp(w->failure, "log") == 0 || strcmp(w->failure, "frames") == 0 || strcmp(w->failure, "restore") == 0)
		fputs("; move the file away and resume again, then it starts anew", stderr);
	else
		fprintf(stderr, "; to continue: talus resume %s", folder);
}

static void end_print(const watch *w, talus_run *run, const talus_event *event)
{
	const char *folder = talus_run_folder(run);
	if (strcmp(event->code, "stopped") == 0)
		fprintf(stderr, "talus: %s; to go on: talus resume %s\n", event->message, folder);
	else if (strcmp(event->code, "overlap") == 0 && event->message[0])
		fprintf(stderr, "talus: %s; to go on all the same: a larger max_overlap under `run` in %s/scene.yaml, then talus resume %s\n",
		        event->message, folder, folder);
	else if (strcmp(event->code, "complete") == 0 && !w->quiet)
		printf("%s: %s; to continue: talus resume %s --until TIME\n", folder, event->message, folder);
	else if (strcmp(event->code, "done") == 0 && !w->quiet)
		result_print(talus_run_world(run), talus_run_title(run), folder, talus_run_seconds(run));
}

static void event_print(watch *w, talus_run *run, const talus_event *event)
{
	switch (event->kind) {
	case TALUS_EVENT_WARNING: fprintf(stderr, "talus: warning: %s\n", event->message); break;
	case TALUS_EVENT_ERROR:
		if (!w->failure[0])
			snprintf(w->failure, sizeof w->failure, "%s", event->code);
		hints_error(event->error, event->code, EXIT_FAILED);
		break;
	case TALUS_EVENT_NOTE:
		fprintf(stderr, "talus: %s", event->message);
		remedy_print(w, run, event->code);
		fputc('\n', stderr);
		break;
	case TALUS_EVENT_ENDED: end_print(w, run, event); break;
	default: break;
	}
}

void watch_event(void *context, talus_run *run, const talus_event *event)
{
	watch *w = context;
	if (event->kind == TALUS_EVENT_STEP)
		progress_show(&w->line, talus_run_world(run));
	else if (event->kind != TALUS_EVENT_OUTPUT) {
		progress_clear(&w->line);
		event_print(w, run, event);
	}
	if (stop_asked())
		talus_run_stop(run, stop_name());
}

// ---------------------------------------------------------------- from its beginning to its end

static void beginning_print(talus_run *run)
{
	const talus_world *world = talus_run_world(run);
	int threads = talus_world_threads(world);
	fprintf(stderr, "talus: %s: %zu grains, %s%d thread%s%s\n", talus_run_folder(run), talus_world_grains(world).count,
	        threads > 1 ? "up to " : "", threads, threads > 1 ? "s" : "", threads > 1 ? ", as many as pay" : "");
}

static int exit_code(const talus_run *run)
{
	talus_run_state state = talus_run_status(run);
	return state == TALUS_RUN_DONE ? EXIT_DONE : state == TALUS_RUN_REFUSED ? EXIT_WRONG : EXIT_FAILED;
}

// Until it goes a signal ends the program at once: a dense packing may take its time, and there is nothing to be saved.
static int go(talus_run *run, watch *w)
{
	if (talus_run_status(run) == TALUS_RUN_GOING) {
		stop_listen();
		if (!w->quiet)
			beginning_print(run);
		progress_start(&w->line, talus_run_world(run), talus_run_end_time(run), w->quiet);
		talus_run_advance(run, 0, 0, NULL);
	}
	int code = exit_code(run);
	talus_run_destroy(run);
	return code;
}

int watch_start(const talus_run_def *def, bool quiet)
{
	watch w = {.quiet = quiet, .line = {.quiet = true}};
	talus_run *run = talus_run_create(watch_event, &w);
	stop_plain();
	talus_run_start(run, def, NULL);
	return go(run, &w);
}

int watch_resume(const talus_run_def *def, bool quiet)
{
	watch w = {.quiet = quiet, .line = {.quiet = true}};
	talus_run *run = talus_run_create(watch_event, &w);
	stop_plain();
	talus_run_resume(run, def, NULL);
	return go(run, &w);
}
