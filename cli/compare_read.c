// SPDX-License-Identifier: MIT
// What is in the folder of a run, for a comparison.
#include "compare.h"

#include "base/error.h"
#include "info_summary.h"

#include <math.h>
#include <stdlib.h>

static void log_read(compared_run *run)
{
	char path[TALUS_PATH_MAX];
	if (!folder_has(run->folder, "log.csv")) {
		error_set(&run->log_error, "%s has no log.csv", run->folder);
		return;
	}
	if (!folder_path(path, run->folder, "log.csv", &run->log_error))
		return;
	run->log = csv_read(path, &run->log_error);
	if (run->log && column_time(run->log) < 0)
		error_set(&run->log_error, "\"%s\" has no column time", path);
	else if (run->log && run->log->rows == 0)
		error_set(&run->log_error, "\"%s\" has no rows", path);
	else
		return;
	csv_free(run->log);
	run->log = NULL;
}

static void frames_look(compared_run *run)
{
	talus_error *error = &run->frames_error;
	if (!folder_has(run->folder, "run.h5"))
		error_set(error, "%s has no run.h5", run->folder);
	else if (frames_list(run->folder, &run->frames, &run->frame_step, &run->frame_time, error) && run->frames == 0)
		error_set(error, "%s/run.h5 has no frames", run->folder);
}

bool compare_read(compared_run *run, const char *folder, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	run->folder = folder;
	if (!folder_path(path, folder, "scene.yaml", error))
		return false;
	if (!folder_has(folder, "scene.yaml"))
		return error_set(error, "%s: there is no run here (no scene.yaml)", folder);
	run->scene = scene_read_file(path, NULL, 0, error);
	if (!run->scene)
		return false;
	log_read(run);
	frames_look(run);
	run->summary = info_summary_read(folder);
	run->has_checkpoint = checkpoint_look(folder, &run->checkpoint, &ignored);
	return true;
}

void compare_close(compared_run *run)
{
	if (run->scene)
		scene_free(run->scene);
	csv_free(run->log);
	frames_list_free(run->frame_step, run->frame_time);
	free(run->summary);
}

const char *run_state_name(const compared_run *run)
{
	char why[8];
	if (folder_look(run->folder) == FOLDER_BUSY)
		return "running";
	if (run->summary && summary_finished(run->folder))
		return "finished";
	info_text(run->summary, "failed", why, sizeof why);
	return *why ? "failed" : "stopped";
}

int column_time(const csv_table *log)
{
	return csv_find(log, "time");
}

void log_span(const compared_run *run, double span[2])
{
	span[0] = span[1] = NAN;
	if (!run->log)
		return;
	for (size_t i = 0; i < run->log->rows; i++) {
		double time = csv_at(run->log, i, column_time(run->log));
		span[0] = fmin(span[0], time); // what is no number does not count
		span[1] = fmax(span[1], time);
	}
}
