// SPDX-License-Identifier: MIT
// talus check: reads and judges a scene without running it.
#include "run/accuracy.h"
#include "cli.h"
#include "base/memory.h"
#include "base/nearest.h"

#include "io/advice.h"
#include "io/estimate.h"
#include "io/files.h"
#include "io/scene.h"

#include "message.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: talus check SCENE.yaml [--json] [--set PATH=VALUE]...\n"
	"\n"
	"Reads a scene and sets it up without running it. Invalid scenes are rejected, with the place of the error;\n"
	"valid ones get a summary, an estimate of run time and disk space, and advice.\n"
	"\n"
	"  --json            print {ok, errors, advice, summary, estimate} as JSON\n"
	"  --set PATH=VALUE  change one value of the scene first, as in --set solver.nsgs.stop.iterations=40\n";

typedef struct options {
	const char *path;
	bool json;
	const char **overrides;
	int override_count;
} options;

// ---------------------------------------------------------------- JSON

static void print_error_json(const talus_error *error)
{
	printf("{\"ok\": false, \"errors\": [{\"file\": ");
	json_text(stdout, error->file);
	printf(", \"line\": %d, \"column\": %d, \"message\": ", error->line, error->column);
	json_text(stdout, error->text);
	printf(", \"path\": ");
	json_text(stdout, error->path);
	printf(", \"nearest\": ");
	json_text(stdout, error->nearest);
	printf("}], \"advice\": []}\n");
}

// What a run would take.
typedef struct outlook {
	estimate of;
	double seconds;
} outlook;

static void print_json(const scene *s, const advice_facts *facts, size_t present, const advice *list,
	int count, const outlook *o)
{
	printf("{\"ok\": true, \"errors\": [], \"advice\": [");
	for (int i = 0; i < count; i++) {
		printf("%s{\"code\": \"%s\", \"message\": ", i ? ", " : "", list[i].code);
		json_text(stdout, list[i].message);
		printf("}");
	}
	printf("],\n \"summary\": {\"title\": ");
	json_text(stdout, s->title);
	printf(", \"dimension\": %d, \"grains\": %zu, \"poured\": %.0f, \"walls\": %d, \"materials\": %d, \"step\": ",
		s->world.dimension, present, facts->grains - (double)present, s->walls, s->materials);
	json_number(stdout, s->world.step);
	printf(", \"iterations\": %d},\n \"estimate\": {\"steps\": ", facts->iterations);
	json_number(stdout, o->of.endless ? NAN : o->of.steps);
	printf(", \"seconds\": ");
	json_number(stdout, o->seconds);
	printf(", \"bytes\": {\"frames\": %.0f, \"log\": %.0f, \"checkpoint\": %.0f}}}\n", o->of.frames, o->of.log,
		o->of.checkpoint);
}

// ---------------------------------------------------------------- words

static const char *bytes_text(double bytes, char *text, size_t size)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
	int unit = 0;
	while (bytes >= 1000 && unit < 5) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, size, "%.2g %s", bytes, units[unit]);
	if (bytes >= 100) // not 1.2e+02
		snprintf(text, size, "%.0f %s", bytes, units[unit]);
	return text;
}

static void print_outlook(const outlook *o)
{
	char took[32], all[32], frames[32], log[32], state[32];
	const estimate *e = &o->of;
	progress_duration(took, sizeof took, o->seconds);
	if (e->steps > 0)
		printf("  estimate    about %s for %s on one thread, if a step takes %.0f iterations\n", o->seconds < 1 ? "a second" : took,
			e->endless ? "a thousand steps" : "all steps", e->sweeps);
	else
		printf("  estimate    no step is made: `run.until.time` is less than half of one\n");
	printf("              about %s on disk%s: frames %s, log %s, checkpoint %s\n",
		bytes_text(e->frames + e->log + e->checkpoint, all, sizeof all), e->endless ? " after a thousand steps" : "",
		bytes_text(e->frames, frames, sizeof frames), bytes_text(e->log, log, sizeof log),
		bytes_text(e->checkpoint, state, sizeof state));
}

static void print_solver(const talus_solver_def *solver, const advice_facts *facts)
{
	static const char *const kinds[] = {"nsgs: plain iterations", "accelerated iterations (Nesterov momentum)", "auto: accelerated iterations"};
	char until[256];
	accuracy_until(solver, until, sizeof until);
	if (facts->capped)
		printf("  solver      %s until %s; at most %d a step\n", kinds[solver->kind], until, facts->iterations);
	else
		printf("  solver      %s, %d a step\n", kinds[solver->kind], facts->iterations);
}

static void print_words(const scene *s, const advice_facts *facts, size_t present, const advice *list,
	int count, const outlook *o)
{
	const talus_solver_def *solver = &s->world.solver;
	printf("%s: OK, the scene is valid\n", s->file);
	if (*s->title) {
		fputs("  title       ", stdout);
		message_text(stdout, s->title);
		putchar('\n');
	}
	printf("  grains      %zu %s", present, s->world.dimension == 2 ? "disks" : "spheres");
	if (facts->grains > (double)present)
		printf(" at the start, %.0f poured", facts->grains - (double)present);
	printf("\n  walls       %d\n  materials   %d\n  step        %g\n", s->walls, s->materials,
		s->world.step);
	print_solver(solver, facts);
	print_outlook(o);
	for (int i = 0; i < count; i++)
		printf("advice: %s (%s)\n", list[i].message, list[i].code);
	if (!count)
		printf("no advice\n");
}

// ---------------------------------------------------------------- the command

static int refuse(const options *o, const talus_error *error)
{
	if (o->json)
		print_error_json(error);
	return cli_error(error, EXIT_WRONG);
}

static int check(const options *o)
{
	talus_error error;
	scene *s = scene_read_file(o->path, o->overrides, o->override_count, &error);
	talus_world *world = s ? scene_build(s, false, &error) : NULL;
	if (!world) {
		scene_free(s);
		return refuse(o, &error);
	}
	advice list[ADVICE_MAX];
	advice_facts facts = advice_measure(s, world);
	int count = advice_judge(&facts, list);
	outlook run = {.of = estimate_make(s, &facts)};
	run.seconds = estimate_seconds(&run.of, &facts, estimate_measure(s->world.dimension));
	(o->json ? print_json : print_words)(s, &facts, talus_world_grains(world).count, list, count, &run);
	talus_world_destroy(world);
	scene_free(s);
	return EXIT_DONE;
}

static int unknown_option(const char *word)
{
	static const char *const names[] = {"--json", "--set", "--help", NULL};
	const char *meant = nearest_name(word, names);
	if (meant)
		return cli_wrong("unknown option `%s` of `talus check`; did you mean %s?", word, meant);
	return cli_wrong("unknown option `%s` of `talus check`; see `talus check --help`", word);
}

// Returns -1 if there is something to check, otherwise the exit code.
static int read_options(options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return printf("%s", usage), EXIT_DONE;
		if (!strcmp(argv[i], "--json"))
			o->json = true;
		else if (!strncmp(argv[i], "--set=", 6))
			o->overrides[o->override_count++] = argv[i] + 6;
		else if (!strcmp(argv[i], "--set") && i + 1 == argc)
			return cli_wrong("`--set` needs PATH=VALUE behind it");
		else if (!strcmp(argv[i], "--set"))
			o->overrides[o->override_count++] = argv[++i];
		else if (argv[i][0] == '-')
			return unknown_option(argv[i]);
		else if (o->path)
			return cli_wrong("`talus check` takes one scene, but got `%s` and `%s`", o->path,
				argv[i]);
		else
			o->path = argv[i];
	}
	if (!o->path)
		return cli_wrong("`talus check` needs the path of a scene; see `talus check --help`");
	return -1;
}

int cli_check(int argc, char **argv)
{
	options o = {.overrides = calloc((size_t)argc, sizeof *o.overrides)};
	if (!o.overrides)
		memory_lost();
	int code = read_options(&o, argc, argv);
	if (code < 0)
		code = check(&o);
	free(o.overrides);
	return code;
}
