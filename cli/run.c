// SPDX-License-Identifier: MIT
// talus run: a scene from its file to the files of a run. Nothing is written before the scene is known to be right.
#define _GNU_SOURCE // asprintf
#include "run.h"

#include "base/error.h"
#include "base/memory.h"
#include "cli.h"
#include "io/files.h"
#include "io/problems.h"
#include "loop.h"
#include "message.h"
#include "run_files.h"
#include "sweep.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
	"usage: talus run [SCENE.yaml] [-o DIR] [--set PATH=VALUE]... [--threads N] [--quiet] [--force]\n"
	"       talus run [SCENE.yaml] --sweep PATH=VALUES... [--seeds N] [the same options]\n\n"
	"Simulates a scene and leaves frames, log, checkpoint and summary in DIR. Without a scene it runs\n"
	"the one that is built in, a heap.\n\n"
	"  -o, --output DIR    where the files go; by default the scene's name without its ending, in the\n"
	"                      current folder (a scene called scene.yaml goes by the name of its folder, NAME,\n"
	"                      and to NAME-run where that is this very folder)\n"
	"  --set PATH=VALUE    changes one value of the scene, as in --set solver.nsgs.stop.iterations=40;\n"
	"                      may be repeated\n"
	"  --threads N         how many threads a step may use, 1 to 1024, where that pays; by default as many\n"
	"                      as there are cores, but not more than 8; the result is the same, bit for bit\n"
	"  --sweep PATH=VALUES\n"
	"                      runs the scene once for each value: a list, 10,20,40; a range, 1:10:5 (5 values\n"
	"                      from 1 to 10) or 1e-3:1:4:log; repeated, for all combinations. The runs go to\n"
	"                      DIR/0000, DIR/0001, ..., their results to DIR/sweep.csv; --threads is how many\n"
	"                      run at once, by default the number of processors. The same command goes on\n"
	"                      with a sweep that was stopped\n"
	"  --seeds N           repeats each with N seeds: that of the scene, and those after it\n"
	"  --quiet             no progress and no result, only warnings\n"
	"  --force             replaces the run, or the sweep, that is already in DIR\n"
	"  --help              this text\n\n"
	"Ctrl-C stops after the current step with a checkpoint; talus resume DIR goes on from there.\n";

// ---------------------------------------------------------------- the command line

static int options_read(run_request *r, int argc, char **argv, bool *done)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, {"set", required_argument, NULL, 's'},
		{"threads", required_argument, NULL, 't'}, {"quiet", no_argument, NULL, 'q'},
		{"force", no_argument, NULL, 'f'},         {"help", no_argument, NULL, 'h'},
		{"sweep", required_argument, NULL, 'w'},   {"seeds", required_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		if (c == 'o')
			r->folder = optarg;
		else if (c == 'q')
			r->quiet = true;
		else if (c == 'f')
			r->force = true;
		else if (c == 'h') {
			*done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		} else if (c == 's') {
			if (r->set_count == RUN_SETS_MOST/2)
				return cli_wrong("run: more than %d times --set", RUN_SETS_MOST/2);
			r->sets[r->set_count++] = optarg;
		} else if (c == 'w') {
			if (r->sweep_count == RUN_SWEEPS_MOST)
				return cli_wrong("run: more than %d times --sweep", RUN_SWEEPS_MOST);
			r->sweeps[r->sweep_count++] = optarg;
		} else if (c == 'n') {
			if (!text_to_int(optarg, 1, SWEEP_MEMBERS_MOST, &r->seeds))
				return cli_wrong("run: --seeds wants a whole number from 1 to %d, not %s",
				                 SWEEP_MEMBERS_MOST, optarg);
		} else if (c == 't') {
			if (!text_to_int(optarg, 1, 1024, &r->threads))
				return cli_wrong("run: --threads wants a whole number from 1 to 1024, not %s", optarg);
		} else if (strncmp(argv[optind - 1], "--seed", 6) == 0 && strchr("=", argv[optind - 1][6])) {
			return cli_wrong("run: there is no option --seed; the seed is --set seed=3, and --seeds 3 makes three runs");
		} else {
			return message_wrong_option("run", argv, c, options);
		}
	}
	if (argc - optind > 1)
		return message_too_many("run", argv[optind + 1]);
	r->scene = optind < argc ? argv[optind] : NULL;
	return r->folder && !*r->folder ? cli_wrong("run: -o wants the name of a folder") : EXIT_DONE;
}

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

// ---------------------------------------------------------------- the folder

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
static void folder_choose_apart(run_request *r)
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

static int run_folder_make(const char *folder)
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
	int code = run_folder_make(folder);
	if (code != EXIT_DONE)
		return code;
	*lock = folder_lock(folder, &error);
	return *lock < 0 ? cli_error(&error, EXIT_FAILED) : EXIT_DONE;
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
		folder_choose_apart(r);
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

int cli_run(int argc, char **argv)
{
	run_request r = {0};
	talus_error error;
	bool done = false;
	message_command(r.command, sizeof r.command, argc, argv);
	int code = options_read(&r, argc, argv, &done);
	if (code == EXIT_DONE && !done && r.scene && !(r.text = scene_file_bytes(r.scene, &r.length, &error)))
		code = cli_error(&error, EXIT_WRONG);
	if (code == EXIT_DONE && !done)
		code = r.sweep_count || r.seeds ? sweep_run(&r) : run_scene(&r);
	run_request_free(&r);
	free(r.text);
	return code;
}
