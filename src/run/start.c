// SPDX-License-Identifier: MIT
// A run that starts, from its scene to its first output. Nothing is written before the scene is known to be right.
#include "base/clock.h"
#include "run/begin.h"
#include "run/files.h"
#include "run/folder.h"

#include <stdio.h>
#include <string.h>

static bool first_output(talus_run *run, talus_error *error)
{
	folder_place(run->place, run->folder, run->lock);
	run->started = clock_now();
	summary_now(run->origin.started);
	run->frame_step = run->log_step = UINT64_MAX;
	if (!run_holds_folder(run, error))
		return false;
	folder_tidy(run->place);
	run->world->grains_most = frames_rows(run->world);
	return file_replace(run->place, "scene.yaml", run->scene->text, strlen(run->scene->text), error) &&
	       log_create(run->place, run->world, error) && run_frames_begin(run, error) && xdmf_write(run->place, error) &&
	       run_write_due(run, error);
}

static bool start_in_folder(talus_run *run, const talus_run_def *def, run_files *files)
{
	talus_error error;
	const char *code;
	run->lock = run_folder_open(run->folder, &error);
	if (run->lock < 0)
		return run_fail(run, "folder", &error);
	// again: somebody may have been here before the lock was
	if (!run_folder_takes(run->folder, def->scene, def->replace, &code, &error))
		return run_refuse(run, code, &error);
	if (def->replace)
		run_remove(run->folder);
	bool kept = run_files_write(files, run->folder, &error);
	run_files_free(files); // they may be large
	if (!kept || !first_output(run, &error))
		return run_fail(run, "output", &error);
	return begin_going(run);
}

// Made of the scene as it was written, so that messages point there.
static bool world_make(talus_run *run, const talus_run_def *def, run_files *files, talus_error *error)
{
	run->scene->threads = begin_threads(def->threads);
	if (!run_files_read(files, run->scene, error))
		return false;
	run->world = scene_build(run->scene, false, error);
	return run->world && run_files_name(files, run->scene, error);
}

static bool start(talus_run *run, const talus_run_def *def)
{
	talus_error error;
	const char *code;
	run_files files = {0};
	if (!begin_allowed(run, def))
		return false;
	snprintf(run->origin.command, sizeof run->origin.command, "%s", def->command ? def->command : "");
	run->scene = begin_scene(def, def->scene ? def->scene : "scene", &error);
	if (!run->scene)
		return run_refuse(run, "scene", &error);
	if (!run_folder_takes(run->folder, def->scene, def->replace, &code, &error))
		return run_refuse(run, code, &error);
	bool made = world_make(run, def, &files, &error);
	bool ok = made ? start_in_folder(run, def, &files) : run_refuse(run, "scene", &error);
	run_files_free(&files);
	return ok;
}

bool talus_run_start(talus_run *run, const talus_run_def *def, talus_error *error)
{
	return begin_first(run, error) && begin_answer(run, start(run, def), error);
}
