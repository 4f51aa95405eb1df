// SPDX-License-Identifier: MIT
// One run, from its scene to its summary. Nothing is written before the scene is known to be right.
#define _GNU_SOURCE // asprintf
#include "run.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli.h"
#include "io/files.h"
#include "loop.h"
#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- the scene

static scene *scene_of(const run_request *r, talus_error *error)
{
	const char *const *sets = (const char *const *)r->sets;
	int count = r->set_count + r->own_count;
	if (r->text)
		return scene_read_bytes(r->text, r->length, r->scene, sets, count, error);
	if (r->scene)
		return scene_read_file(r->scene, sets, count, error);
	return scene_read_text(talus_default_scene, "default scene", sets, count, error);
}

// The text of the scene that the run will keep, in which files are named by their copies beside it.
static bool scene_name_copies(run_request *r, scene *s, const run_files *files, talus_error *error)
{
	for (int i = 0; i < files->count; i++) {
		char *set = NULL;
		if (r->set_count + r->own_count == RUN_SETS_MOST)
			return error_set(error, "%s names more than %d files with grains", s->file, i);
		if (asprintf(&set, "grains.%d.file.path=%s", files->file[i].entry, files->file[i].name) < 0)
			memory_lost();
		r->sets[r->set_count + r->own_count++] = set;
	}
	if (!files->count)
		return true;
	scene *kept = scene_of(r, error);
	if (!kept)
		return false;
	char *text = s->text;
	s->text = kept->text;
	kept->text = text;
	scene_free(kept);
	return true;
}

scene *run_scene_read(run_request *r, talus_error *error)
{
	run_files files = {0};
	scene *s = scene_of(r, error);
	bool ok = s && run_files_read(&files, s, error) && scene_name_copies(r, s, &files, error);
	run_files_free(&files);
	if (ok)
		return s;
	scene_free(s);
	return NULL;
}

// ---------------------------------------------------------------- all of it

static int run_in_folder(const run_request *r, const scene *s, run_files *files, talus_world *world)
{
	talus_error error;
	int lock, code = run_folder_open(r->folder, &lock);
	if (code != EXIT_DONE)
		return code;
	code = run_folder_judge(r); // again: somebody may have been here before the lock was
	if (code != EXIT_DONE) {
		folder_unlock(lock);
		return code;
	}
	if (r->force)
		run_remove(r->folder);
	loop l = {.scene = s, .world = world, .folder = r->folder, .lock = lock, .quiet = r->quiet};
	snprintf(l.origin.command, sizeof l.origin.command, "%s", r->command);
	bool kept = run_files_write(files, r->folder, &error);
	run_files_free(files); // they may be large
	code = kept ? loop_begin(&l) : cli_error(&error, EXIT_FAILED);
	if (code == EXIT_DONE)
		code = loop_run(&l);
	folder_unlock(lock);
	return code;
}

int run_scene(run_request *r)
{
	talus_error error;
	scene *s = scene_of(r, &error);
	if (!s)
		return cli_error(&error, EXIT_WRONG);
	if (!r->folder)
		run_folder_choose_apart(r);
	int code = run_folder_judge(r);
	if (code == EXIT_DONE) {
		// made of the scene as it was written, so that messages point there
		s->threads = loop_threads(r->threads);
		run_files files = {0};
		talus_world *world = run_files_read(&files, s, &error) ? scene_build(s, false, &error) : NULL;
		bool ok = world && scene_name_copies(r, s, &files, &error);
		code = ok ? run_in_folder(r, s, &files, world) : cli_error(&error, EXIT_WRONG);
		run_files_free(&files);
		talus_world_destroy(world);
	}
	scene_free(s);
	return code;
}

void run_request_free(run_request *r)
{
	for (int i = 0; i < r->own_count; i++)
		free(r->sets[r->set_count + i]);
	r->own_count = 0;
}
