// SPDX-License-Identifier: MIT
// The folder of a run: which one it is, whether it may be used, and files that must go.
#include "run.h"

#include "cli.h"
#include "io/files.h"
#include "io/problems.h"
#include "run_files.h"
#include "sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

const char *run_in(const char *folder)
{
	static const char *const names[] = {"run.h5", "checkpoint.h5", "log.csv", "summary.json"};
	for (size_t i = 0; i < sizeof names/sizeof names[0]; i++)
		if (folder_has(folder, names[i]))
			return names[i];
	return NULL;
}

static void names_remove(const char *folder, const char *const *names)
{
	char path[TALUS_PATH_MAX];
	talus_error ignored;
	for (; *names; names++)
		if (folder_path(path, folder, *names, &ignored))
			unlink(path);
}

// Pictures by the names that `render` and `plot` give them are of the run that was there; without one they are somebody else's.
void run_remove(const char *folder)
{
	static const char *const names[] = {"summary.json", "checkpoint.h5", "run.h5", "run.xdmf", "log.csv", "run.h5.journal", NULL};
	static const char *const pictures[] = {"frame.png", "forces.png", "plot.png", NULL};
	if (run_in(folder))
		names_remove(folder, pictures);
	names_remove(folder, names);
	folder_tidy(folder);
	run_files_remove(folder);
	problems_truncate(folder, 0);
}

// Would the copy of the scene replace the scene itself, with its comments?
static bool scene_is_in(const run_request *r)
{
	char path[TALUS_PATH_MAX];
	struct stat a, b;
	talus_error ignored;
	return r->scene && folder_path(path, r->folder, "scene.yaml", &ignored) && stat(path, &a) == 0 && stat(r->scene, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// A scene.yaml that is named from the folder above its own has that one's name, but its run goes beside it.
void run_folder_choose_apart(run_request *r)
{
	static const char beside[] = "-run";
	run_folder_choose(r);
	size_t length = strlen(r->folder_default);
	if (scene_is_in(r) && length + sizeof beside <= sizeof r->folder_default)
		memcpy(r->folder_default + length, beside, sizeof beside);
}

int run_folder_judge(const run_request *r)
{
	struct stat status;
	if (stat(r->folder, &status) != 0)
		return EXIT_DONE;
	if (!S_ISDIR(status.st_mode))
		return cli_wrong("%s: this is not a folder; choose another one with -o", r->folder);
	if (folder_has(r->folder, SWEEP_DEFINITION))
		return cli_wrong("%s: there is a sweep in this folder (" SWEEP_DEFINITION "); choose another one with -o",
		                 r->folder);
	const char *name = run_in(r->folder);
	if (name && !r->force)
		return cli_wrong("%s: there is already a run in this folder (%s); --force replaces it, -o chooses another "
		                 "folder", r->folder, name);
	if (scene_is_in(r))
		return cli_wrong("%s: the scene itself lies in this folder and would be replaced by its copy; choose "
		                 "another folder with -o", r->folder);
	return EXIT_DONE;
}

static int folder_make(const char *folder)
{
	char path[TALUS_PATH_MAX];
	size_t length = strlen(folder);
	if (length >= sizeof path)
		return cli_wrong("%s: the path is too long", folder);
	memcpy(path, folder, length + 1);
	for (char *at = path + 1; at <= path + length; at++) {
		if (*at && *at != '/')
			continue;
		char kept = *at;
		*at = 0;
		if (mkdir(path, 0777) != 0 && errno != EEXIST) {
			fprintf(stderr, "talus: %s: cannot make the folder: %s\n", path, strerror(errno));
			return EXIT_FAILED;
		}
		*at = kept;
	}
	return EXIT_DONE;
}

int run_folder_open(const char *folder, int *lock)
{
	talus_error error;
	int code = folder_make(folder);
	if (code != EXIT_DONE)
		return code;
	*lock = folder_lock(folder, &error);
	return *lock < 0 ? cli_error(&error, EXIT_FAILED) : EXIT_DONE;
}
