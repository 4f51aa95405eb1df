// SPDX-License-Identifier: MIT
// talus resume: from the last checkpoint on, as if nothing had happened.
#include "cli.h"
#include "io/files.h"
#include "io/scene.h"
#include "loop.h"
#include "message.h"
#include "world.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
	"usage: talus resume DIR [--until TIME] [--threads N] [--quiet]\n\n"
	"Goes on from the last checkpoint in DIR, to the end that the scene asks for. Frames and rows of\n"
	"the log after the checkpoint are made again: the result is bit for bit that of a run without\n"
	"interruption. A scene.yaml in DIR that was edited in between is refused, unless only its title,\n"
	"run, output or the audit of its solver were.\n\n"
	"  --until TIME   another end: run until this time instead (DIR/scene.yaml remembers it)\n"
	"  --threads N    how many threads a step may use, 1 to 1024, where that pays; by default as many as\n"
	"                 there are cores, but not more than 8; the result is the same, bit for bit\n"
	"  --quiet        no progress and no result, only warnings\n"
	"  --help         this text\n";

typedef struct request {
	const char *folder;
	const char *until; // NULL: as in the scene
	double until_time;
	int threads;
	bool quiet;
} request;

static int options_read(request *r, int argc, char **argv, bool *done)
{
	static const struct option options[] = {
		{"until", required_argument, NULL, 'u'}, {"threads", required_argument, NULL, 't'},
		{"quiet", no_argument, NULL, 'q'},       {"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":h", options)) != -1;) {
		if (c == 'q')
			r->quiet = true;
		else if (c == 'h') {
			*done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		} else if (c == 'u') {
			r->until = optarg;
			if (!text_to_double(optarg, &r->until_time) || r->until_time <= 0)
				return cli_wrong("resume: --until wants a time above 0, not %s", optarg);
		} else if (c == 't') {
			if (!text_to_int(optarg, 1, 1024, &r->threads))
				return cli_wrong("resume: --threads wants a whole number from 1 to 1024, not %s", optarg);
		} else {
			return message_wrong_option("resume", argv, c, options);
		}
	}
	if (optind == argc)
		return message_missing("resume", "the folder of a run");
	if (argc - optind > 1)
		return message_too_many("resume", argv[optind + 1]);
	r->folder = argv[optind];
	return EXIT_DONE;
}

static scene *scene_of(const request *r, talus_error *error)
{
	char path[TALUS_PATH_MAX], until[64];
	const char *const overrides[] = {until};
	snprintf(until, sizeof until, "run.until={time: %.17g}", r->until_time);
	if (!folder_path(path, r->folder, "scene.yaml", error))
		return NULL;
	return scene_read_file(path, overrides, r->until ? 1 : 0, error);
}

// A kill at the very end may have left something to tidy up.
static int complete(const request *r, const talus_world *world)
{
	talus_error error;
	folder_tidy(r->folder);
	if (!frames_restore(r->folder, world->state.step, &error))
		return cli_error(&error, EXIT_FAILED);
	if (!r->quiet)
		printf("%s: complete at time %.6g, step %llu; to go further: talus resume %s --until TIME\n", r->folder,
		       world->state.time, (unsigned long long)world->state.step, r->folder);
	return EXIT_DONE;
}

// From now on its end is another one.
static int until_remember(const request *r, const scene *s)
{
	talus_error error;
	if (!file_replace(r->folder, "scene.yaml", s->text, strlen(s->text), &error))
		return cli_error(&error, EXIT_FAILED);
	return EXIT_DONE;
}

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
	int64_t before = world->state.bodies.next_id;
	for (int i = 0; i < world->pours.count; i++)
		before -= world->pours.at[i].poured;
	for (int i = 0; i < s->grain_entries; i++) {
		if (s->grains[i].kind == SCENE_FILE) // how many these were is not known any more
			return true;
		before -= s->grains[i].kind == SCENE_FILL ? s->grains[i].fill->count : s->grains[i].kind == SCENE_GRAIN;
	}
	return before == 0;
}

static int go_on(const request *r, const scene *s, talus_world *world, double seconds, int lock)
{
	loop l = {.scene = s, .world = world, .folder = r->folder, .lock = lock, .quiet = r->quiet};
	checkpoint_head head;
	talus_error ignored;
	if (checkpoint_look(r->folder, &head, &ignored))
		l.origin = head.origin;
	l.seconds_before = seconds;
	const char *other = !cell_fits(s, world) ? "size of its `cell`" : !number_fits(s, world) ? "number of `grains`" : NULL;
	if (other)
		return cli_wrong("%s/checkpoint.h5: it does not belong to this scene.yaml, in which the %s was changed; take "
		                 "that back to go on, or start a new run with it", r->folder, other);
	if (r->until && r->until_time < world->state.time - 0.5*world->state.def.step)
		return cli_wrong("%s: the checkpoint is of time %.6g, beyond --until %s", r->folder, world->state.time, r->until);
	if (loop_finished(&l) && summary_finished(r->folder))
		return complete(r, world);
	talus_world_set_threads(world, loop_threads(r->threads));
	int code = loop_look(&l);
	if (code == EXIT_DONE && r->until)
		code = until_remember(r, s);
	if (code == EXIT_DONE)
		code = loop_return(&l);
	return code == EXIT_DONE ? loop_run(&l) : code;
}

static int resume_scene(const request *r, const scene *s, int lock)
{
	talus_error error;
	double seconds = 0;
	talus_world *world = scene_build(s, true, &error);
	if (!world)
		return cli_error(&error, EXIT_WRONG);
	int code = checkpoint_read(r->folder, world, &seconds, &error) ? go_on(r, s, world, seconds, lock)
	                                                               : cli_error(&error, EXIT_WRONG);
	talus_world_destroy(world);
	return code;
}

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

static int folder_judge(const request *r)
{
	if (!folder_has(r->folder, "scene.yaml"))
		return cli_wrong("%s: there is no run here (no scene.yaml)", r->folder);
	if (!folder_has(r->folder, "checkpoint.h5") && has_begun(r->folder))
		return cli_wrong("%s: checkpoint.h5 is not there, and the run cannot go on without it; frames and log are as they were",
		                 r->folder);
	if (!folder_has(r->folder, "checkpoint.h5"))
		return cli_wrong("%s: the run was stopped before its first checkpoint; start it again with talus run --force",
		                 r->folder);
	return EXIT_DONE;
}

static int resume_folder(const request *r)
{
	talus_error error;
	int code = folder_judge(r);
	if (code != EXIT_DONE)
		return code;
	int lock = folder_lock(r->folder, &error);
	if (lock < 0)
		return cli_error(&error, EXIT_FAILED);
	code = folder_judge(r); // again: somebody may have been here before the lock was
	scene *s = code == EXIT_DONE ? scene_of(r, &error) : NULL;
	if (code == EXIT_DONE)
		code = s ? resume_scene(r, s, lock) : cli_error(&error, EXIT_WRONG);
	if (s)
		scene_free(s);
	folder_unlock(lock);
	return code;
}

int cli_resume(int argc, char **argv)
{
	request r = {0};
	bool done = false;
	int code = options_read(&r, argc, argv, &done);
	return code == EXIT_DONE && !done ? resume_folder(&r) : code;
}
