// SPDX-License-Identifier: MIT
// talus soak: scene after scene, until time is over.
#include "cli.h"
#include "base/clock.h"
#include "base/memory.h"
#include "io/files.h"
#include "message.h"
#include "soak.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
	"usage: talus soak [--seed S] [--hours H] [--scenes N] [--scene K] [-o DIR] [--quiet]\n\n"
	"Makes random valid scenes and computes each in several ways: all kinds of registers, several numbers of\n"
	"threads, stopped and resumed, its text written anew. All must agree to the last bit; in every step grains,\n"
	"walls, contacts, forces and energies are looked at from outside. Without --hours and --scenes: one minute.\n\n"
	"  --seed S          which scenes, default 1; scene K of a seed is always the same\n"
	"  --hours H         for so long\n"
	"  --scenes N        so many\n"
	"  --scene K         only this one; its text goes to DIR, whatever is found\n"
	"  -o, --output DIR  where scenes with a finding go, default soak\n"
	"  --quiet           no progress, only findings and the end\n"
	"  --help            this text\n\n"
	"Exit code 0: nothing was found; 1: something was, or a scene could not be written. Ctrl-C ends it after the\n"
	"scene.\n";

typedef struct options {
	uint64_t seed, first;
	double seconds; // 0: no limit
	uint64_t scenes; // 0: no limit
	bool single, quiet;
	const char *folder;
} options;

typedef struct tally {
	uint64_t scenes, accepted, variants, findings, with_findings;
	uint64_t of[SOAK_KINDS];
	bool lost; // a scene that could not be written
	double started, shown;
} tally;

enum { LIMIT = 120, ENOUGH = 40 }; // seconds of a scene; scenes by which the generator is judged

// ---------------------------------------------------------------- a scene

// What a user needs to see it again. False if it cannot be written.
static bool keep(const options *o, uint64_t number, const soak_scene *made, const soak_result *r)
{
	char path[TALUS_PATH_MAX], csv[TALUS_PATH_MAX], *comment = NULL, *rest = NULL;
	size_t size = 0;
	mkdir(o->folder, 0777);
	snprintf(path, sizeof path, "%s/%" PRIu64 "-%" PRIu64 ".yaml", o->folder, o->seed, number);
	snprintf(csv, sizeof csv, "%s/grains.csv", o->folder);
	FILE *out = open_memstream(&comment, &size);
	if (!out)
		memory_lost();
	fprintf(out, "# talus soak --seed %" PRIu64 " --scene %" PRIu64 "\n# %d steps%s\n", o->seed, number, made->steps,
	        made->blocks ? ", solved block by block" : "");
	char *lines = strdup(r->text);
	for (char *line = lines ? strtok_r(lines, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest))
		fprintf(out, "# %s\n", line);
	fclose(out);
	bool kept = soak_scene_save(made, path, csv, comment);
	if (!kept)
		fprintf(stderr, "talus: %s: cannot be written: %s\n", path, strerror(errno));
	free(lines);
	free(comment);
	return kept;
}

static bool is_finding(const soak_result *r)
{
	for (int k = SOAK_REFUSED + 1; k < SOAK_KINDS; k++)
		if (r->count[k])
			return true;
	return false;
}

static void count(tally *t, const soak_result *r)
{
	t->scenes++;
	t->accepted += r->accepted;
	t->variants += (uint64_t)r->variants;
	t->with_findings += is_finding(r);
	for (int k = 0; k < SOAK_KINDS; k++) {
		t->of[k] += (uint64_t)r->count[k];
		t->findings += k == SOAK_REFUSED ? 0 : (uint64_t)r->count[k];
	}
}

static void do_scene(const options *o, tally *t, const char *work, uint64_t number)
{
	soak_scene made = soak_scene_make(o->seed, number);
	soak_result r = soak_child(&made, work, LIMIT);
	count(t, &r);
	if (is_finding(&r) || o->single || (r.count[SOAK_REFUSED] && !o->quiet)) {
		printf("scene %" PRIu64 ":\n%s", number, r.text);
		fflush(stdout);
	}
	if ((is_finding(&r) || o->single) && !keep(o, number, &made, &r))
		t->lost = true;
	free(r.text);
	soak_scene_free(&made);
}

// ---------------------------------------------------------------- the whole

static void show(const options *o, tally *t)
{
	double now = clock_now();
	if (o->quiet || o->single || now - t->shown < 10)
		return;
	t->shown = now;
	printf("%.0f s: %" PRIu64 " scenes, %" PRIu64 " variants, %" PRIu64 " findings\n", now - t->started, t->scenes, t->variants,
	       t->findings);
	fflush(stdout);
}

static int summary(const options *o, const tally *t)
{
	double share = t->scenes ? (double)t->accepted/(double)t->scenes : 1;
	bool poor = t->scenes >= ENOUGH && share < 0.9;
	printf("seed %" PRIu64 ": %" PRIu64 " variants, %.1f %% of the scenes accepted, %.0f s\n", o->seed, t->variants, 100*share,
	       clock_now() - t->started);
	for (int k = SOAK_REFUSED + 1; k < SOAK_KINDS; k++)
		if (t->of[k])
			printf("  %-10s %" PRIu64 "\n", soak_kind_names[k], t->of[k]);
	if (t->with_findings && !t->lost)
		printf("%" PRIu64 " scenes with findings are in %s\n", t->with_findings, o->folder);
	if (poor)
		printf("more than a tenth of the scenes was refused: they say little\n");
	printf("%" PRIu64 " scenes, %" PRIu64 " findings\n", t->scenes, t->findings);
	return t->findings || poor || t->lost ? EXIT_FAILED : EXIT_DONE;
}

static bool goes_on(const options *o, const tally *t)
{
	return !stop_asked() && !(o->scenes && t->scenes >= o->scenes) && !(o->seconds > 0 && clock_now() - t->started >= o->seconds);
}

// In memory where there is such a place: checkpoints are written to the disk in earnest.
static bool work_folder(char path[TALUS_PATH_MAX])
{
	const char *wish = getenv("TMPDIR"), *place = wish ? wish : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(path, TALUS_PATH_MAX, "%s/talus-soak-XXXXXX", place);
	return mkdtemp(path) != NULL;
}

static void clean(const char *folder)
{
	static const char *const names[] = {"scene.yaml", "grains.csv", "log.csv", "checkpoint.h5", "checkpoint.h5.tmp"};
	static const char *const parts[] = {"first", "other"};
	char part[TALUS_PATH_MAX], path[TALUS_PATH_MAX];
	talus_error error;
	for (size_t k = 0; k < sizeof parts/sizeof parts[0]; k++) {
		if (!folder_path(part, folder, parts[k], &error))
			continue;
		for (size_t i = 0; i < sizeof names/sizeof names[0]; i++)
			if (folder_path(path, part, names[i], &error))
				unlink(path);
		rmdir(part);
	}
	rmdir(folder);
}

static int soak(const options *o)
{
	char work[TALUS_PATH_MAX];
	stop_listen();
	if (!work_folder(work))
		return cli_wrong("soak: there is no folder for temporary files: %s", strerror(errno));
	tally t = {.started = clock_now(), .shown = clock_now()};
	for (uint64_t number = o->first; goes_on(o, &t); number++) {
		do_scene(o, &t, work, number);
		show(o, &t);
	}
	clean(work);
	return summary(o, &t);
}

// ---------------------------------------------------------------- the command line

static bool text_to_number(const char *text, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && errno == 0;
}

static int wrong_number(const char *option, const char *text)
{
	return cli_wrong("soak: %s wants a whole number, not %s", option, text);
}

static int options_read(options *o, int argc, char **argv, bool *done)
{
	static const struct option known[] = {
		{"seed", required_argument, NULL, 's'},   {"hours", required_argument, NULL, 't'}, {"scenes", required_argument, NULL, 'n'},
		{"scene", required_argument, NULL, 'k'},  {"output", required_argument, NULL, 'o'}, {"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
	};
	double hours = 0;
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":o:h", known)) != -1;) {
		if (c == 'h') {
			*done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		}
		if (c == 'o') {
			o->folder = optarg;
		} else if (c == 'q') {
			o->quiet = true;
		} else if (c == 's') {
			if (!text_to_number(optarg, &o->seed))
				return wrong_number("--seed", optarg);
		} else if (c == 'n') {
			if (!text_to_number(optarg, &o->scenes) || !o->scenes)
				return wrong_number("--scenes", optarg);
		} else if (c == 'k') {
			if (!text_to_number(optarg, &o->first))
				return wrong_number("--scene", optarg);
			o->single = true;
		} else if (c == 't') {
			if (!text_to_double(optarg, &hours) || hours <= 0)
				return cli_wrong("soak: --hours wants a number above 0, not %s", optarg);
		} else {
			return message_wrong_option("soak", argv, c, known);
		}
	}
	if (optind < argc)
		return message_too_many("soak", argv[optind]);
	if (!*o->folder)
		return cli_wrong("soak: -o wants the name of a folder");
	if (o->single && (o->scenes || hours > 0))
		return cli_wrong("soak: --scene is for one scene, without --scenes and --hours");
	o->scenes = o->single ? 1 : o->scenes;
	o->seconds = hours > 0 ? 3600*hours : o->scenes ? 0 : 60;
	return EXIT_DONE;
}

int cli_soak(int argc, char **argv)
{
	options o = {.seed = 1, .folder = "soak"};
	bool done = false;
	int code = options_read(&o, argc, argv, &done);
	return code == EXIT_DONE && !done ? soak(&o) : code;
}
