// SPDX-License-Identifier: MIT
// The folder of a run as the command line names it.
#include "run.h"

#include "cli.h"
#include "hints.h"
#include "run/folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void run_folder_choose(run_request *r)
{
	char full[PATH_MAX];
	const char *name = r->scene ? last_name(r->scene) : "heap";
	if (strcmp(name, "scene.yaml") == 0 && realpath(r->scene, full)) {
		char *slash = strrchr(full, '/');
		*slash = 0;
		if (*last_name(full))
			name = last_name(full);
		snprintf(r->folder_default, sizeof r->folder_default, "%s", name);
	} else {
		const char *dot = strrchr(name, '.');
		int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
		snprintf(r->folder_default, sizeof r->folder_default, "%.*s", length, name);
	}
	r->folder = r->folder_default;
}

// A scene.yaml that is named from the folder above its own has that one's name, but its run goes beside it.
void run_folder_choose_apart(run_request *r)
{
	static const char beside[] = "-run";
	run_folder_choose(r);
	size_t length = strlen(r->folder_default);
	if (run_scene_is_in(r->folder, r->scene) && length + sizeof beside <= sizeof r->folder_default)
		memcpy(r->folder_default + length, beside, sizeof beside);
}

int run_folder_judge(const run_request *r)
{
	talus_error error;
	const char *code;
	return run_folder_takes(r->folder, r->scene, r->force, &code, &error) ? EXIT_DONE : hints_error(&error, code, EXIT_WRONG);
}

int run_folder_hold(const char *folder, int *lock)
{
	talus_error error;
	*lock = run_folder_open(folder, &error);
	return *lock < 0 ? cli_error(&error, EXIT_FAILED) : EXIT_DONE;
}
