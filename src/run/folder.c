// SPDX-License-Identifier: MIT
// The folder of a run: whether it may be used, and files that must go.
#include "run/folder.h"

#include "base/error.h"
#include "io/files.h"
#include "io/problems.h"
#include "run/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool run_scene_is_in(const char *folder, const char *scene_path)
{
	char path[TALUS_PATH_MAX];
	struct stat a, b;
	talus_error ignored;
	return scene_path && folder_path(path, folder, "scene.yaml", &ignored) && stat(path, &a) == 0 && stat(scene_path, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool refuse(const char **code, const char *why, const char *folder, talus_error *error, const char *text)
{
	*code = why;
	return error_at(error, folder, 0, 0, "%s", text);
}

bool run_folder_takes(const char *folder, const char *scene_path, bool replace, const char **code, talus_error *error)
{
	struct stat status;
	if (stat(folder, &status) != 0)
		return true;
	if (!S_ISDIR(status.st_mode))
		return refuse(code, "not_a_folder", folder, error, "this is not a folder");
	if (folder_has(folder, SWEEP_DEFINITION))
		return refuse(code, "sweep_in_folder", folder, error, "there is a sweep in this folder (" SWEEP_DEFINITION ")");
	const char *name = run_in(folder);
	if (name && !replace) {
		*code = "run_in_folder";
		return error_at(error, folder, 0, 0, "there is already a run in this folder (%s)", name);
	}
	if (run_scene_is_in(folder, scene_path))
		return refuse(code, "scene_in_folder", folder, error, "the scene itself lies in this folder and would be replaced by its copy");
	return true;
}

static bool folder_make(const char *folder, talus_error *error)
{
	char path[TALUS_PATH_MAX];
	size_t length = strlen(folder);
	if (length >= sizeof path)
		return error_at(error, folder, 0, 0, "the path is too long");
	memcpy(path, folder, length + 1);
	for (char *at = path + 1; at <= path + length; at++) {
		if (*at && *at != '/')
			continue;
		char kept = *at;
		*at = 0;
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return error_at(error, path, 0, 0, "cannot make the folder: %s", strerror(errno));
		*at = kept;
	}
	return true;
}

int run_folder_open(const char *folder, talus_error *error)
{
	return folder_make(folder, error) ? folder_lock(folder, error) : -1;
}
