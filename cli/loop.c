// SPDX-License-Identifier: MIT
// The loop around the steps. Files are written between two steps: frame, log, then the checkpoint that vouches for both.
#define _GNU_SOURCE // sigabbrev_np
#include "loop.h"

#include "alarm.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/processors.h"
#include "cli.h"
#include "observe/observe.h"
#include "progress.h"
#include "rest.h"
#include "sound.h"
#include "stop.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- when

// The number of multiples of `every` that lie behind after so many steps; a thousandth of a step forgives rounding.
static double multiples(uint64_t step, double step_length, double every)
{
	return floor(((double)step + 1e-3)*step_length/every);
}

bool loop_due(uint64_t step, double step_length, double every)
{
	if (step == 0)
		return true;
	return every > 0 && multiples(step, step_length, every) > multiples(step - 1, step_length, every);
}

bool loop_finished(const loop *l)
{
	double dt = l->world->state.def.step;
	if (l->scene->until_time && (double)l->world->state.step*dt >= l->scene->end_time - 0.5*dt)
		return true;
	if (!l->scene->until_rest)
		return false;
	return rest_reached(l->world, l->scene->rest) || (l->world->state.step > 0 && rest_deserted(l->world));
}

// ---------------------------------------------------------------- output

static double seconds_so_far(const loop *l)
{
	return l->seconds_before + clock_now() - l->started;
}

// Looked at before each writing. What is written in the meantime goes into the folder that was locked, wherever it is.
static bool folder_is_ours(const loop *l, talus_error *error)
{
	return folder_is_held(l->folder, l->lock, error);
}

static bool write_frame(loop *l, talus_error *error)
{
	if (l->frame_step == l->world->state.step)
		return true;
	if (!folder_is_ours(l, error))
		return false;
	l->frame_step = l->world->state.step;
	return frames_append(l->place, l->world, error) && xdmf_append(l->place, error);
}

static bool write_log(loop *l, talus_error *error)
{
	if (l->log_step == l->world->state.step)
		return true;
	if (!folder_is_ours(l, error))
		return false;
	l->log_step = l->world->state.step;
	world_find_residual(l->world);
	return log_append(l->place, l->world, error);
}

// Only at rows that an unbroken run has too, so that a resumed one finds the same.
static bool write_due_row(loop *l, progress *line, talus_error *error)
{
	if (!write_log(l, error))
		return false;
	if (observe_soft(l->world)) {
		progress_clear(line);
		result_softness_print(l->world);
	}
	return true;
}

// Says once why there are none.
static bool write_problem(loop *l, progress *line, talus_error *error)
{
	if (l->world->state.step == 0)
		return true;
	if (!folder_is_ours(l, error) || !problems_write(&l->problems, l->place, l->world, l->scene->title, error))
		return false;
	if (l->problems.refused && l->said.count == 0) {
		progress_clear(line);
		result_problem(&l->said, l->world->state.time, l->problems.why.text);
		result_warnings_print(&l->said);
	}
	return true;
}

static bool write_checkpoint(loop *l, talus_error *error)
{
	world_find_residual(l->world);
	if (!folder_is_ours(l, error) || !folder_sync(l->place, error) ||
	    !checkpoint_write_with(l->place, l->world, seconds_so_far(l), &l->origin, error))
		return false;
	l->checkpoint_time = l->world->state.time;
	return frames_secure(l->place, l->world->state.step, error);
}

static bool write_what_is_due(loop *l, progress *line, talus_error *error)
{
	const scene_output *every = &l->scene->output;
	uint64_t step = l->world->state.step;
	double dt = l->world->state.def.step;
	return (!loop_due(step, dt, every->frames) || write_frame(l, error)) &&
	       (!loop_due(step, dt, every->log) || write_due_row(l, line, error)) &&
	       (!loop_due(step, dt, every->problems) || write_problem(l, line, error)) &&
	       (!loop_due(step, dt, every->checkpoint) || write_checkpoint(l, error));
}

// Files go by the name that the folder has for the user.
static talus_error error_named(const loop *l, const talus_error *error)
{
	talus_error named = *error;
	size_t length = strlen(l->place);
	if (strncmp(error->file, l->place, length) == 0)
		snprintf(named.file, sizeof named.file, "%s%s", l->folder, error->file + length);
	if (strncmp(error->text, l->place, length) == 0)
		snprintf(named.text, sizeof named.text, "%s%s", l->folder, error->text + length);
	return named;
}

// Says what can be gone on from, after a look at whether it is still there: somebody may have removed the folder.
static void checkpoint_tell(const loop *l, const char *remedy)
{
	talus_error why;
	checkpoint_head head;
	if (l->checkpoint_time < 0)
		return;
	if (!folder_has(l->place, "checkpoint.h5"))
		fprintf(stderr, "talus: the checkpoint of time %.6g is lost: there is no %s/checkpoint.h5 any more\n",
		        l->checkpoint_time, l->folder);
	else if (!checkpoint_look(l->place, &head, &why))
		fprintf(stderr, "talus: the checkpoint of time %.6g is there, but cannot be read now: %s\n", l->checkpoint_time,
		        error_named(l, &why).text);
	else if (!folder_is_ours(l, &why))
		fprintf(stderr, "talus: the checkpoint of time %.6g is intact, in the folder that was %s; talus resume goes on from "
		        "there\n", head.time, l->folder);
	else
		fprintf(stderr, "talus: the checkpoint of time %.6g is intact; %s\n", head.time, remedy);
}

static int failed(const loop *l, const talus_error *error)
{
	char remedy[TALUS_PATH_MAX + 64];
	talus_error told = error_named(l, error);
	cli_error(&told, EXIT_FAILED);
	snprintf(remedy, sizeof remedy, "to go on from there: talus resume %s", l->folder);
	checkpoint_tell(l, remedy);
	return EXIT_FAILED;
}

static bool frames_begin(const loop *l, talus_error *error)
{
	frame_options options = {.no_contacts = !l->scene->output.contacts, .compressed = l->scene->output.compress};
	return frames_create_with(l->place, l->world, l->scene->title, &options, error);
}

int loop_begin(loop *l)
{
	talus_error error;
	progress none = {.quiet = true};
	stop_plain();
	folder_place(l->place, l->folder, l->lock);
	l->started = clock_now();
	summary_now(l->origin.started);
	l->checkpoint_time = LOOP_NOTHING_YET;
	l->frame_step = l->log_step = UINT64_MAX;
	bool ok = folder_is_ours(l, &error);
	if (ok)
		folder_tidy(l->place);
	ok = ok && file_replace(l->place, "scene.yaml", l->scene->text, strlen(l->scene->text), &error) &&
	          log_create(l->place, l->world, &error) &&
	          frames_begin(l, &error) && xdmf_write(l->place, &error) &&
	          write_what_is_due(l, &none, &error);
	return ok ? EXIT_DONE : failed(l, &error);
}

// The last row and the last frame of a run that had ended between two moments of output do not belong into a longer one.
static uint64_t last_kept(uint64_t step, double dt, double every)
{
	return loop_due(step, dt, every) ? step : step - 1;
}

static void warn_about_rows(const loop *l, const log_extent *rows)
{
	double steps = l->scene->output.log/l->world->state.def.step, gap = (double)l->log_step - (double)rows->last_step;
	if (rows->damaged)
		fprintf(stderr, "talus: warning: damaged rows of log.csv are left out (%zu); the file as it was is now log.csv.old\n",
		        rows->damaged);
	if (steps > 0 && (gap > steps + 1 || (rows->spoilt && gap >= steps - 1)))
		fprintf(stderr, "talus: warning: log.csv ends at time %.6g, before the checkpoint; the rows from there to time %.6g are lost\n",
		        rows->last_time, l->world->state.time);
}

// Rows of now do not go under the names of another version's columns.
static bool put_aside(const loop *l, talus_error *error)
{
	char path[TALUS_PATH_MAX], aside[TALUS_PATH_MAX];
	if (!folder_path(path, l->place, "log.csv", error) || !folder_path(aside, l->place, "log.csv.old", error))
		return false;
	if (rename(path, aside) != 0)
		return error_at(error, path, 0, 0, "cannot rename it to log.csv.old: %s", strerror(errno));
	fprintf(stderr, "talus: warning: log.csv has the columns of another version; it is now log.csv.old, and log.csv starts again at "
	        "time %.6g\n", l->world->state.time);
	return true;
}

// A file that somebody has taken away starts anew: the state is in the checkpoint.
static bool files_return(loop *l, talus_error *error)
{
	log_extent rows = {0};
	bool no_log = !folder_has(l->place, "log.csv"), no_frames = !folder_has(l->place, "run.h5");
	if (!no_log && !log_measure(l->place, l->log_step, &rows, error))
		return false;
	no_log |= rows.bytes == 0; // not even the names of the columns
	bool other = !no_log && !log_fits(l->place, l->world);
	if (!no_log && !other)
		warn_about_rows(l, &rows);
	if (other && !put_aside(l, error))
		return false;
	if (no_log || no_frames)
		fprintf(stderr, "talus: warning: %s%s%s is not there; it starts again at time %.6g\n",
		        no_log ? "log.csv" : "", no_log && no_frames ? " and " : "", no_frames ? "run.h5" : "",
		        l->world->state.time);
	return (no_log || other ? log_create(l->place, l->world, error) : log_truncate(l->place, l->log_step, error)) &&
	       (no_frames ? frames_begin(l, error) : frames_truncate(l->place, l->frame_step, error)) &&
	       xdmf_write(l->place, error);
}

// A summary tells how a run has ended or was stopped, not how it goes on.
static void summary_remove(const loop *l)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	if (folder_path(path, l->place, "summary.json", &ignored))
		unlink(path);
}

static const char start_anew[] = "move the file away and resume again, then it starts anew";

int loop_look(loop *l)
{
	talus_error error;
	log_extent rows;
	size_t frames;
	uint64_t step = l->world->state.step;
	double dt = l->world->state.def.step;
	stop_plain();
	folder_place(l->place, l->folder, l->lock);
	l->started = clock_now();
	l->checkpoint_time = l->world->state.time;
	l->frame_step = last_kept(step, dt, l->scene->output.frames);
	l->log_step = last_kept(step, dt, l->scene->output.log);
	if (!folder_is_ours(l, &error))
		return failed(l, &error);
	if (folder_has(l->place, "log.csv") && !log_measure(l->place, l->log_step, &rows, &error)) {
		talus_error told = error_named(l, &error);
		return cli_error(&told, EXIT_WRONG);
	}
	if (folder_has(l->place, "run.h5") && !frames_count(l->place, &frames, &error)) {
		talus_error told = error_named(l, &error);
		cli_error(&told, EXIT_WRONG);
		checkpoint_tell(l, start_anew);
		return EXIT_WRONG;
	}
	return EXIT_DONE;
}

int loop_return(loop *l)
{
	talus_error error;
	uint64_t step = l->world->state.step;
	problems_truncate(l->place, step);
	summary_remove(l);
	folder_tidy(l->place);
	if (frames_restore(l->place, step, &error) && files_return(l, &error) && frames_secure(l->place, step, &error))
		return EXIT_DONE;
	talus_error told = error_named(l, &error);
	cli_error(&told, EXIT_FAILED);
	checkpoint_tell(l, start_anew);
	return EXIT_FAILED;
}

// ---------------------------------------------------------------- the loop

// With the warnings of the end and those that were said on the way.
static bool write_summary(const loop *l, run_record record, const run_warnings *warnings, talus_error *error)
{
	run_warning all[2*RESULT_WARNINGS];
	int count = 0;
	world_find_residual(l->world);
	for (int i = 0; i < warnings->count; i++)
		all[count++] = warnings->list[i];
	for (int i = 0; i < l->said.count; i++)
		all[count++] = l->said.list[i];
	record.title = l->scene->title;
	record.origin = l->origin;
	record.threads = talus_world_threads(l->world);
	record.warnings = all;
	record.warning_count = count;
	return folder_is_ours(l, error) && summary_write(l->place, l->world, &record, error);
}

// Going on from the checkpoint would only lead here again, and numbers that the way depends on may not change on it.
static int failed_for_good(loop *l, const talus_error *error)
{
	talus_error unwritten;
	run_warnings warnings;
	run_record record = {.failed = error->text, .unsound = true, .seconds = seconds_so_far(l)};
	char remedy[2*TALUS_PATH_MAX];
	result_warnings(&warnings, l->scene, l->world, false);
	talus_error told = error_named(l, error);
	cli_error(&told, EXIT_FAILED);
	result_warnings_print(&warnings);
	if (!write_summary(l, record, &warnings, &unwritten)) {
		told = error_named(l, &unwritten);
		cli_error(&told, EXIT_FAILED);
	}
	snprintf(remedy, sizeof remedy, "to go on from there leads here again, so start a new run with other numbers: talus run "
	         "%s/scene.yaml -o OTHER --set PATH=VALUE", l->folder);
	checkpoint_tell(l, remedy);
	return EXIT_FAILED;
}

// Written out whole: there is something to look at, and who accepts it may go on.
static int overlapping(loop *l, progress *line, const talus_error *why)
{
	talus_error error;
	run_warnings warnings;
	run_record record = {.failed = why->text, .seconds = seconds_so_far(l)};
	progress_clear(line);
	cli_error(why, EXIT_FAILED);
	result_warnings(&warnings, l->scene, l->world, false);
	if (!write_frame(l, &error) || !write_log(l, &error) || !write_checkpoint(l, &error) ||
	    !write_summary(l, record, &warnings, &error) || !frames_finish(l->place, &error))
		return failed(l, &error);
	result_warnings_print(&warnings);
	fprintf(stderr, "talus: all is written up to there; to go on all the same: a larger max_overlap under `run` in %s/scene.yaml, then "
	        "talus resume %s\n", l->folder, l->folder);
	return EXIT_FAILED;
}

// Checkpoint and summary: rows and frames are for their own moments, with or without an interruption.
static int interrupted(loop *l, progress *line)
{
	talus_error error;
	run_warnings warnings;
	char why[64];
	progress_clear(line);
	snprintf(why, sizeof why, "SIG%s", sigabbrev_np(stop_asked()));
	result_warnings(&warnings, l->scene, l->world, false);
	if (!write_checkpoint(l, &error))
		return failed(l, &error);
	run_record record = {.stopped = why, .seconds = seconds_so_far(l)};
	if (!write_summary(l, record, &warnings, &error))
		return failed(l, &error);
	result_warnings_print(&warnings);
	fprintf(stderr, "talus: stopped at time %.6g, step %llu; to go on: talus resume %s\n", l->world->state.time,
	        (unsigned long long)l->world->state.step, l->folder);
	return EXIT_FAILED;
}

static int finished(loop *l)
{
	talus_error error;
	run_warnings warnings;
	result_warnings(&warnings, l->scene, l->world, true);
	bool ok = write_frame(l, &error) && write_log(l, &error) && write_checkpoint(l, &error);
	run_record record = {.seconds = seconds_so_far(l)};
	ok = ok && write_summary(l, record, &warnings, &error) && frames_finish(l->place, &error);
	if (!ok)
		return failed(l, &error);
	result_warnings_print(&warnings);
	if (!l->quiet)
		result_print(l->world, l->scene->title, l->folder, record.seconds);
	return EXIT_DONE;
}

static void step(loop *l)
{
	double every = l->scene->output.problems;
	if (loop_due(l->world->state.step + 1, l->world->state.def.step, every))
		problems_before(&l->problems, l->world);
	world_step(l->world);
}

static int steps(loop *l, progress *line)
{
	talus_error error;
	if (!sound_fits(l->world, l->scene->max_overlap, &error)) // where a run ended that goes on from there
		return overlapping(l, line, &error);
	while (!loop_finished(l)) {
		if (stop_asked())
			return interrupted(l, line);
		step(l);
		bool sound = sound_is(l->world, &error);
		if (!sound || !write_what_is_due(l, line, &error)) {
			progress_clear(line);
			return sound ? failed(l, &error) : failed_for_good(l, &error);
		}
		alarms_ring(&l->alarms, l->world, line);
		if (!sound_fits(l->world, l->scene->max_overlap, &error))
			return overlapping(l, line, &error);
		progress_show(line, l->world);
	}
	if (!sound_ends(l->world, l->scene->max_overlap, &error))
		return overlapping(l, line, &error);
	progress_clear(line);
	return finished(l);
}

int loop_threads(int wanted)
{
	enum { MOST = 8 }; // unless somebody asks for more
	int cores = processors_cores();
	return wanted > 0 ? wanted : cores < MOST ? cores : MOST;
}

static void print_beginning(const loop *l)
{
	int threads = talus_world_threads(l->world);
	fprintf(stderr, "talus: %s: %zu grains, %s%d thread%s%s\n", l->folder, l->world->state.bodies.count,
	        threads > 1 ? "up to " : "", threads, threads > 1 ? "s" : "", threads > 1 ? ", as many as pay" : "");
}

int loop_run(loop *l)
{
	progress line;
	run_warnings warnings;
	stop_plain();
	stop_listen();
	result_fears(&warnings, l->scene);
	result_warnings_print(&warnings);
	if (!l->quiet)
		print_beginning(l);
	progress_start(&line, l->world, l->scene->until_time ? l->scene->end_time : 0, l->quiet);
	int code = steps(l, &line);
	problems_free(&l->problems);
	return code;
}
