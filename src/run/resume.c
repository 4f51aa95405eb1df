// SPDX-License-Identifier: MIT
// A run that goes on from its last checkpoint, as if nothing had happened.
#include "base/clock.h"
#include "base/error.h"
#include "base/vec.h"
#include "run/begin.h"
#include "run/due.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- does the scene fit?

// The size of a cell that nothing changes is still that of the scene. What deforms has another one by now, and so may
// what was made to fit a packing.
static bool cell_fits(const scene *s, const talus_world *world)
{
	const talus_cell_def *def = &s->world.cell;
	bool keeps = !def->bath, same = true;
	for (int k = 0; k < 9; k++)
		keeps = keeps && def->drive[k/3][k%3] == TALUS_DRIVE_NONE;
	for (int i = 0; i < s->grain_entries; i++) {
		bool fill = s->grains[i].kind == SCENE_FILL;
		keeps = keeps && !(fill && s->grains[i].fill->arrangement == TALUS_ARRANGE_DENSE);
	}
	for (int k = 0; k < 3; k++)
		same = same && (!def->periodic[k] || component(def->size, k) == world->state.cell.h[k][k]);
	return same || !keeps;
}

// What `grains` says about the start has been done, and is not done again; if it speaks of another number of grains,
// it was changed.
static bool number_fits(const scene *s, const talus_world *world)
{
	int64_t before = (int64_t)world->state.bodies.next_id - (int64_t)world->given.grains_added;
	for (int i = 0; i < world->pours.count; i++)
		before -= world->pours.at[i].poured;
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind == SCENE_FILE) // how many these were is not known any more
			return true;
		before -= s->grains[i].kind == SCENE_FILL ? s->grains[i].fill->count : s->grains[i].kind == SCENE_GRAIN;
	}
	return before == 0;
}

static bool scene_fits(const talus_run *run, talus_error *error)
{
	const char *other = !cell_fits(run->scene, run->world) ? "size of its `cell`" : !number_fits(run->scene, run->world) ? "number of `grains`" : NULL;
	char path[TALUS_PATH_MAX];
	if (!other || !folder_path(path, run->folder, "checkpoint.h5", error))
		return !other;
	return error_at(error, path, 0, 0, "it does not belong to this scene.yaml, in which the %s was changed; take that back to go on, or "
	                "start a new run with it", other);
}

// ---------------------------------------------------------------- is there something to go on from?

// Is there more than what a run writes before its first checkpoint, the state at time 0? What cannot be read counts.
static bool has_begun(const char *folder)
{
	talus_error ignored;
	log_extent rows = {0};
	size_t frames = 0;
	if (folder_has(folder, "summary.json"))
		return true;
	if (folder_has(folder, "run.h5") && (!frames_count(folder, &frames, &ignored) || frames > 1))
		return true;
	return folder_has(folder, "log.csv") && log_measure(folder, UINT64_MAX, &rows, &ignored) && rows.rows > 1;
}

static bool folder_judge(const char *folder, const char **code, talus_error *error)
{
	*code = "no_run";
	if (!folder_has(folder, "scene.yaml"))
		return error_at(error, folder, 0, 0, "there is no run here (no scene.yaml)");
	if (folder_has(folder, "checkpoint.h5"))
		return true;
	if (has_begun(folder)) {
		*code = "no_checkpoint";
		return error_at(error, folder, 0, 0, "checkpoint.h5 is missing, and the run cannot continue without it; frames and log are unchanged");
	}
	*code = "no_checkpoint_yet";
	return error_at(error, folder, 0, 0, "the run was stopped before its first checkpoint");
}

// ---------------------------------------------------------------- log and frames

static void warn_about_rows(talus_run *run, const log_extent *rows)
{
	double steps = run->scene->output.log/run->world->state.def.step, gap = (double)run->log_step - (double)rows->last_step;
	if (rows->damaged)
		run_tell(run, TALUS_EVENT_WARNING, "log_damaged", "damaged rows of log.csv are left out (%zu); the file as it was is now log.csv.old",
		         rows->damaged);
	if (steps > 0 && (gap > steps + 1 || (rows->spoilt && gap >= steps - 1)))
		run_tell(run, TALUS_EVENT_WARNING, "log_short",
		         "log.csv ends at time %.6g, before the checkpoint; the rows from there to time %.6g are lost", rows->last_time,
		         run->world->state.time);
}

// Rows of now do not go under the names of another version's columns.
static bool put_aside(talus_run *run, talus_error *error)
{
	char path[TALUS_PATH_MAX], aside[TALUS_PATH_MAX];
	if (!folder_path(path, run->place, "log.csv", error) || !folder_path(aside, run->place, "log.csv.old", error))
		return false;
	if (rename(path, aside) != 0)
		return error_at(error, path, 0, 0, "cannot rename it to log.csv.old: %s", strerror(errno));
	run_tell(run, TALUS_EVENT_WARNING, "log_columns",
	         "log.csv has the columns of another version; it is now log.csv.old, and log.csv starts again at time %.6g", run->world->state.time);
	return true;
}

// A file that somebody has taken away starts anew: the state is in the checkpoint.
static bool files_return(talus_run *run, talus_error *error)
{
	log_extent rows = {0};
	bool no_log = !folder_has(run->place, "log.csv"), no_frames = !folder_has(run->place, "run.h5");
	if (!no_log && !log_measure(run->place, run->log_step, &rows, error))
		return false;
	no_log |= rows.bytes == 0; // not even the names of the columns
	bool other = !no_log && !log_fits(run->place, run->world);
	if (!no_log && !other)
		warn_about_rows(run, &rows);
	if (other && !put_aside(run, error))
		return false;
	if (no_log || no_frames)
		run_tell(run, TALUS_EVENT_WARNING, "output_missing", "%s%s%s is not there; it starts again at time %.6g", no_log ? "log.csv" : "",
		         no_log && no_frames ? " and " : "", no_frames ? "run.h5" : "", run->world->state.time);
	run->world->grains_most = frames_rows(run->world);
	return (no_log || other ? log_create(run->place, run->world, error) : log_truncate(run->place, run->log_step, error)) &&
	       (no_frames ? run_frames_begin(run, error) : frames_truncate(run->place, run->frame_step, error)) && xdmf_write(run->place, error);
}

// A summary tells how a run has ended or was stopped, not how it goes on.
static void summary_remove(const talus_run *run)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	if (folder_path(path, run->place, "summary.json", &ignored))
		unlink(path);
}

// Can log and frames go on, too? Changes nothing.
static bool output_look(talus_run *run)
{
	talus_error error;
	log_extent rows;
	size_t frames;
	uint64_t step = run->world->state.step;
	double dt = run->world->state.def.step;
	folder_place(run->place, run->folder, run->lock);
	run->started = clock_now();
	run->checkpoint_time = run->world->state.time;
	run->frame_step = due_last(step, dt, run->scene->output.frames);
	run->log_step = due_last(step, dt, run->scene->output.log);
	if (!run_holds_folder(run, &error))
		return run_fail(run, "output", &error);
	if (folder_has(run->place, "log.csv") && !log_measure(run->place, run->log_step, &rows, &error))
		return run_refuse(run, "log", &error);
	if (folder_has(run->place, "run.h5") && !frames_count(run->place, &frames, &error))
		return run_refuse(run, "frames", &error);
	return true;
}

// What came after the checkpoint is cut off.
static bool output_return(talus_run *run, talus_error *error)
{
	uint64_t step = run->world->state.step;
	problems_truncate(run->place, step);
	summary_remove(run);
	folder_tidy(run->place);
	return frames_restore(run->place, step, error) && files_return(run, error) && frames_secure(run->place, step, error);
}

// ---------------------------------------------------------------- all of it

static bool go_on(talus_run *run, const talus_run_def *def)
{
	talus_error error;
	if (!scene_fits(run, &error))
		return run_refuse(run, "scene_changed", &error);
	if (def->until > 0 && def->until < run->world->state.time - 0.5*run->world->state.def.step) {
		error_at(&error, run->folder, 0, 0, "the checkpoint is of time %.6g, beyond the end that is asked for, %.6g", run->world->state.time,
		         def->until);
		return run_refuse(run, "until", &error);
	}
	if (due_end(run->scene, run->world) && summary_finished(run->folder))
		return run_end_complete(run);
	talus_world_set_threads(run->world, begin_threads(def->threads));
	if (!output_look(run))
		return false;
	// from now on its end is another one
	if (def->until > 0 && !file_replace(run->folder, "scene.yaml", run->scene->text, strlen(run->scene->text), &error))
		return run_fail(run, "output", &error);
	return output_return(run, &error) ? begin_going(run) : run_fail(run, "restore", &error);
}

static bool state_read(talus_run *run, talus_error *error)
{
	checkpoint_head head;
	talus_error ignored;
	if (!checkpoint_read(run->folder, run->world, &run->seconds_before, error))
		return false;
	if (checkpoint_look(run->folder, &head, &ignored)) {
		run->origin = head.origin;
		run->soft = head.soft;
	}
	return true;
}

static bool resume(talus_run *run, const talus_run_def *def)
{
	talus_error error;
	const char *code;
	char path[TALUS_PATH_MAX];
	if (!begin_allowed(run, def))
		return false;
	talus_run_def own = {.until = def->until};
	if (!folder_judge(run->folder, &code, &error))
		return run_refuse(run, code, &error);
	run->lock = folder_lock(run->folder, &error);
	if (run->lock < 0)
		return run_fail(run, "folder", &error);
	if (!folder_judge(run->folder, &code, &error)) // again: somebody may have been here before the lock was
		return run_refuse(run, code, &error);
	run->scene = folder_path(path, run->folder, "scene.yaml", &error) ? begin_scene(&own, path, &error) : NULL;
	run->world = run->scene ? scene_build(run->scene, true, &error) : NULL;
	if (!run->world)
		return run_refuse(run, "scene", &error);
	return state_read(run, &error) ? go_on(run, def) : run_refuse(run, "checkpoint", &error);
}

bool talus_run_resume(talus_run *run, const talus_run_def *def, talus_error *error)
{
	return begin_first(run, error) && begin_answer(run, resume(run, def), error);
}
