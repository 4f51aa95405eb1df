// SPDX-License-Identifier: MIT
// talus check: reads and judges a scene without running it.
#include "cli.h"

#include "io/advice.h"
#include "io/files.h"
#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: talus check SCENE.yaml [--json] [--set PATH=VALUE]...\n"
	"\n"
	"Reads a scene and sets it up without running it. Wrong scenes are refused with the place of the error;\n"
	"right ones get a summary, and advice about step, iterations, laws and method.\n"
	"\n"
	"  --json            print {ok, errors, advice, summary} as JSON\n"
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
	printf("}], \"advice\": []}\n");
}

static void print_json(const scene *s, const advice_facts *facts, size_t present, const advice *list,
	int count)
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
	printf(", \"iterations\": %d}}\n", facts->iterations);
}

// ---------------------------------------------------------------- words

static void print_words(const scene *s, const advice_facts *facts, size_t present, const advice *list,
	int count)
{
	const talus_solver_def *solver = &s->world.solver;
	static const char *const rules[] = {"", "the local error is below", "the global error is below", "the residual is below",
		"overlaps, forces and the balance of large parts are right to"};
	static const char *const kinds[] = {"plain sweeps", "sweeps with momentum", "auto: sweeps with momentum"};
	printf("%s: the scene is right\n", s->file);
	if (*s->title)
		printf("  title       %s\n", s->title);
	printf("  grains      %zu %s", present, s->world.dimension == 2 ? "disks" : "spheres");
	if (facts->grains > (double)present)
		printf(" at the start, %.0f poured", facts->grains - (double)present);
	printf("\n  walls       %d\n  materials   %d\n  step        %g\n", s->walls, s->materials,
		s->world.step);
	printf("  solver      %s, ", kinds[solver->kind]);
	if (facts->capped)
		printf("until %s %g, at most %d\n", rules[solver->stop], solver->tolerance, facts->iterations);
	else
		printf("%d a step\n", facts->iterations);
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
	(o->json ? print_json : print_words)(s, &facts, talus_world_grains(world).count, list, count);
	talus_world_destroy(world);
	scene_free(s);
	return EXIT_DONE;
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
			return cli_wrong("unknown option `%s` of `talus check`; see `talus check --help`",
				argv[i]);
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
		abort();
	int code = read_options(&o, argc, argv);
	if (code < 0)
		code = check(&o);
	free(o.overrides);
	return code;
}
