// SPDX-License-Identifier: MIT
// talus bench: what a contact update and a step cost on this machine, for named scenes and numbers of threads.
#include "bench.h"
#include "base/memory.h"

#include "base/nearest.h"
#include "cli.h"
#include "message.h"
#include "stop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: talus bench [NAME...] [--threads LIST] [--rounds N] [--order ORDER] [--simd KIND] [--json] [--csv FILE]\n\n"
	"Measures what a contact update and a step cost on named scenes, beside a bare loop over the same\n"
	"data and the bandwidth of the memory. Without a name a quick selection; all: every scene, the one\n"
	"of a million grains too. Whatever the number of threads, the states must agree bit for bit.\n\n"
	"  --list              the scenes; * is the quick selection\n"
	"  --threads LIST      numbers of threads, as in 1,2,4; by default 1 and the number of processors\n"
	"  --rounds N          1 to 1000, the best one counts; default 5\n"
	"  --order ORDER       order of visits instead of the scene's (solver.nsgs.order); momentum: as many\n"
	"                      accelerated iterations\n"
	"  --simd KIND         generic, avx2 or avx512; default: the best that the processor supports\n"
	"  --json              an array with one object per scene and number of threads\n"
	"  --csv FILE          appends a row per scene and number of threads\n"
	"  --folder DIR        where scenes/ and packings/ are; default: share/talus/bench of the installation\n"
	"  --help              this text\n\n"
	"Exit codes: 0 done, 1 stopped or states that differ, 2 wrong use.\n";

typedef struct words { // of the command line
	bench_request request;
	const char *folder, *csv;
	bool json, list;
	int names;
	const bench_scene **scene;
} words;

// ---------------------------------------------------------------- the command line

static int threads_read(bench_request *r, const char *list)
{
	char text[16*BENCH_THREADS_MOST], *rest = text;
	if (snprintf(text, sizeof text, "%s", list) >= (int)sizeof text)
		return cli_wrong("bench: --threads has too many numbers");
	r->counts = 0;
	for (char *word; (word = strsep(&rest, ","));) {
		int number;
		if (!text_to_int(word, 1, 1024, &number))
			return cli_wrong("bench: --threads wants whole numbers from 1 to 1024 with commas between "
			                 "them, as in 1,2,4, not %s", *list ? list : "an empty text");
		if (r->counts == BENCH_THREADS_MOST)
			return cli_wrong("bench: --threads takes up to %d numbers", BENCH_THREADS_MOST);
		for (int i = 0; i < r->counts; i++)
			if (r->threads[i] == number)
				return cli_wrong("bench: --threads has %d twice", number);
		r->threads[r->counts++] = number;
	}
	return EXIT_DONE;
}

static int unknown_scene(const char *name)
{
	const char **names = calloc((size_t)bench_scene_count + 2, sizeof *names);
	if (!names)
		memory_lost();
	for (int i = 0; i < bench_scene_count; i++)
		names[i] = bench_scenes[i].name;
	names[bench_scene_count] = "all";
	const char *meant = nearest_name(name, names);
	if (meant)
		cli_wrong("bench: there is no scene %s; did you mean %s? The scenes are", name, meant);
	else
		cli_wrong("bench: there is no scene %s; the scenes are", name);
	free(names);
	bench_list(stderr);
	return EXIT_WRONG;
}

// The scenes that are meant, each once, in the order in which they were named.
static void scene_choose(words *w, const bench_scene *scene)
{
	for (int i = 0; i < w->names; i++)
		if (w->scene[i] == scene)
			return;
	w->scene[w->names++] = scene;
}

static int scenes_choose(words *w, int count, char **name)
{
	for (int i = 0; i < count; i++)
		if (strcmp(name[i], "all") != 0 && !bench_scene_find(name[i]))
			return unknown_scene(name[i]);
	for (int i = 0; i < count; i++)
		if (strcmp(name[i], "all") != 0)
			scene_choose(w, bench_scene_find(name[i]));
		else
			for (int k = 0; k < bench_scene_count; k++)
				scene_choose(w, &bench_scenes[k]);
	for (int k = 0; count == 0 && k < bench_scene_count; k++)
		if (bench_scenes[k].quick)
			scene_choose(w, &bench_scenes[k]);
	return EXIT_DONE;
}

static int simd_read(bench_request *request, const char *text)
{
	static const char *const names[] = {"best", "generic", "avx2", "avx512"}; // in the order of talus_simd
	for (int k = 1; k < 4; k++)
		if (!strcmp(text, names[k])) {
			request->simd = (talus_simd)k;
			return EXIT_DONE;
		}
	return cli_wrong("bench: --simd wants generic, avx2 or avx512, not %s", text);
}

static int options_read(words *w, int argc, char **argv, bool *done)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},          {"threads", required_argument, NULL, 't'},
		{"list", no_argument, NULL, 'l'},          {"rounds", required_argument, NULL, 'r'},
		{"order", required_argument, NULL, 'o'},   {"csv", required_argument, NULL, 'c'},
		{"folder", required_argument, NULL, 'f'},  {"simd", required_argument, NULL, 's'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c, code; (c = message_next_option(argc, argv, ":h", options)) != -1;) {
		switch (c) {
		case 'j': w->json = true; break;
		case 'l': w->list = true; break;
		case 'o': w->request.order = optarg; break;
		case 'c': w->csv = optarg; break;
		case 'f': w->folder = optarg; break;
		case 's':
			if ((code = simd_read(&w->request, optarg)) != EXIT_DONE)
				return code;
			break;
		case 't':
			if ((code = threads_read(&w->request, optarg)) != EXIT_DONE)
				return code;
			break;
		case 'r':
			if (!text_to_int(optarg, 1, 1000, &w->request.rounds))
				return cli_wrong("bench: --rounds wants a whole number from 1 to 1000, not %s", optarg);
			break;
		case 'h': *done = true; return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		default: return message_wrong_option("bench", argv, c, options);
		}
	}
	return scenes_choose(w, argc - optind, argv + optind);
}

// ---------------------------------------------------------------- measuring

static int scene_tell(const words *w, const bench_result *result, const bench_machine *machine, FILE *csv,
                      bool first)
{
	if (w->json)
		bench_json_rows(result, machine, first);
	else
		bench_table_rows(result);
	if (csv && !bench_csv_rows(csv, result, machine)) {
		fprintf(stderr, "talus: %s: cannot be written: %s\n", w->csv, strerror(errno));
		return EXIT_FAILED;
	}
	if (result->agree)
		return EXIT_DONE;
	fprintf(stderr, "talus: bench: %s ends in a different state with a different number of threads\n",
	        result->scene->name);
	return EXIT_FAILED;
}

static int scenes_measure(words *w, const bench_machine *machine, FILE *csv)
{
	int worst = EXIT_DONE;
	bool first = true;
	for (int i = 0; i < w->names; i++, first = false) {
		bench_result result;
		talus_error error;
		bench_outcome outcome = bench_measure(w->scene[i], &w->request, &result, &error);
		if (outcome == BENCH_FAILED)
			return cli_error(&error, EXIT_WRONG);
		if (outcome == BENCH_STOPPED) {
			fprintf(stderr, "talus: bench: stopped in %s\n", w->scene[i]->name);
			return EXIT_FAILED;
		}
		int code = scene_tell(w, &result, machine, csv, first);
		worst = code > worst ? code : worst;
	}
	return worst;
}

// Wrong scenes and orders are refused before anything is measured or written.
static int scenes_judge(words *w)
{
	talus_error error;
	if (!bench_folder_find(w->request.folder, w->folder, &error))
		return cli_error(&error, EXIT_WRONG);
	for (int i = 0; i < w->names; i++)
		if (!bench_scene_judge(w->scene[i], w->request.folder, w->request.order, &error))
			return cli_error(&error, EXIT_WRONG);
	return EXIT_DONE;
}

static void threads_default(bench_request *r, int processors)
{
	if (r->counts)
		return;
	r->threads[r->counts++] = 1;
	if (processors > 1)
		r->threads[r->counts++] = processors;
}

static int bench(words *w)
{
	FILE *csv = NULL;
	int code = scenes_judge(w);
	if (code != EXIT_DONE)
		return code;
	if (w->csv && !(csv = fopen(w->csv, "ae")))
		return cli_wrong("%s: cannot be opened: %s", w->csv, strerror(errno));
	stop_listen();
	bench_machine machine = bench_machine_look();
	threads_default(&w->request, machine.processors);
	triad_measure(&machine, w->request.threads, w->request.counts, w->request.rounds, w->request.triad);
	if (w->json)
		putchar('[');
	else
		bench_table_head(&machine, &w->request);
	code = scenes_measure(w, &machine, csv);
	if (w->json)
		fputs("\n]\n", stdout);
	if (csv && fclose(csv) != 0 && code == EXIT_DONE) {
		fprintf(stderr, "talus: %s: cannot be written: %s\n", w->csv, strerror(errno));
		code = EXIT_FAILED;
	}
	return code;
}

int cli_bench(int argc, char **argv)
{
	bool done = false;
	words w = {.request = {.rounds = 5}, .scene = calloc((size_t)bench_scene_count, sizeof *w.scene)};
	if (!w.scene)
		memory_lost();
	int code = options_read(&w, argc, argv, &done);
	if (code == EXIT_DONE && !done && w.list)
		bench_list(stdout);
	else if (code == EXIT_DONE && !done)
		code = bench(&w);
	free(w.scene);
	return code;
}
