// SPDX-License-Identifier: MIT
// One run, from what is asked for to its end.
#include "run.h"

#include "cli.h"
#include "run/files.h"
#include "watch.h"

static const char default_name[] = "default scene";

scene *run_scene_read(const run_request *r, talus_error *error)
{
	const char *const *sets = (const char *const *)r->sets;
	run_files files = {0};
	scene *s = r->text    ? scene_read_bytes(r->text, r->length, r->scene, sets, r->set_count, error)
	           : r->scene ? scene_read_file(r->scene, sets, r->set_count, error)
	                      : scene_read_text(talus_default_scene, default_name, sets, r->set_count, error);
	bool ok = s && run_files_read(&files, s, error) && run_files_name(&files, s, error);
	run_files_free(&files);
	if (ok)
		return s;
	scene_free(s);
	return NULL;
}

int run_scene(run_request *r)
{
	talus_run_def def = talus_run_def_default();
	if (!r->folder)
		run_folder_choose_apart(r);
	def.folder = r->folder;
	def.threads = r->threads;
	def.scene = r->scene ? r->scene : default_name;
	def.text = !r->scene ? talus_default_scene : r->text && r->length == 0 ? "" : r->text;
	def.length = r->length;
	def.sets = (const char *const *)r->sets;
	def.set_count = r->set_count;
	def.replace = r->force;
	def.command = r->command;
	return watch_start(&def, r->quiet);
}
