// SPDX-License-Identifier: MIT
// talus reproduce: experiments of the literature done again, each with what came out, what should, and its figures.
#include "reproduce.h"
#include "base/memory.h"

#include "base/nearest.h"
#include "cli.h"
#include "io/files.h"
#include "message.h"
#include "run/folder.h"
#include "stop.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const experiment *const experiments[] = {
	&bath_experiment,         &bath_scan_experiment,  &bath_scheme_experiment, &bath_stress_experiment,
	&bath_normals_experiment, &isostatic_experiment,  &spheres_experiment,     &rough_spheres_experiment,
	&indeterminacy_experiment, &plane_shear_experiment, &sweeps_experiment,      &beds_experiment,
	&scenes_experiment,
};
enum { EXPERIMENTS = sizeof experiments/sizeof experiments[0] };

static const char usage[] =
	"usage: talus reproduce [NAME... or all] [--quick] [-o DIR] [--threads N] [--quiet] [--force]\n\n"
	"Reproduces published results. Measured and expected numbers and the figures go to\n"
	"DIR/report.md, which covers the experiments of this call only; each has a folder for its runs.\n"
	"Without a NAME it lists them.\n\n"
	"  --quick             smaller systems, fewer of them, wider limits: minutes instead of hours\n"
	"  -o, --output DIR    where it all goes (default: reproduce, with --quick reproduce-quick)\n"
	"  --threads N         how many runs at once, by default the number of processors\n"
	"  --quiet             no progress\n"
	"  --force             replaces runs that are already in DIR; otherwise those that are done are kept\n"
	"  --help              this text\n\n"
	"A number outside its limits is WRONG, or `not met` if that is a known and unchanged deviation.\n"
	"The exit code is 1 if a number is WRONG, or after Ctrl-C.\n";

typedef struct request {
	const char *folder;
	bool quick, quiet, force, done;
	int threads;
	int count;
	const experiment *chosen[EXPERIMENTS];
} request;

static int list(void)
{
	for (int i = 0; i < EXPERIMENTS; i++)
		printf("  %-14s %s\n", experiments[i]->name, experiments[i]->meaning);
	puts("\ntalus reproduce NAME... does some of them, talus reproduce all does all; --quick is a smaller version.");
	return EXIT_DONE;
}

static int choose(request *q, const char *word)
{
	const char *names[EXPERIMENTS + 2] = {"all"};
	for (int i = 0; i < EXPERIMENTS; i++) {
		names[i + 1] = experiments[i]->name;
		if (strcmp(word, names[i + 1]) != 0 && strcmp(word, "all") != 0)
			continue;
		bool twice = false;
		for (int k = 0; k < q->count; k++)
			twice |= q->chosen[k] == experiments[i];
		if (!twice)
			q->chosen[q->count++] = experiments[i];
		if (strcmp(word, "all") != 0)
			return EXIT_DONE;
	}
	if (strcmp(word, "all") == 0)
		return EXIT_DONE;
	const char *near = nearest_name(word, names);
	if (near)
		return cli_wrong("reproduce: there is no experiment %s; did you mean %s?", word, near);
	return cli_wrong("reproduce: there is no experiment %s; talus reproduce lists them", word);
}

static int options_read(request *q, int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, {"quick", no_argument, NULL, 'k'},
		{"threads", required_argument, NULL, 't'}, {"quiet", no_argument, NULL, 'q'},
		{"force", no_argument, NULL, 'f'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
	};
	opterr = 0;
	for (int c; (c = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		switch (c) {
		case 'o': q->folder = optarg; break;
		case 'k': q->quick = true; break;
		case 'q': q->quiet = true; break;
		case 'f': q->force = true; break;
		case 't':
			if (!text_to_int(optarg, 1, 1024, &q->threads))
				return cli_wrong("reproduce: --threads wants a whole number from 1 to 1024, not %s", optarg);
			break;
		case 'h':
			q->done = true;
			return fputs(usage, stdout) < 0 ? EXIT_FAILED : EXIT_DONE;
		default: return message_wrong_option("reproduce", argv, c, options);
		}
	}
	int code = EXIT_DONE;
	for (int i = optind; i < argc && code == EXIT_DONE; i++)
		code = choose(q, argv[i]);
	if (q->folder && !*q->folder)
		return cli_wrong("reproduce: -o wants the name of a folder");
	if (!q->folder)
		q->folder = q->quick ? "reproduce-quick" : "reproduce";
	return code;
}

static int do_one(const request *q, const experiment *e, reproduction *r)
{
	talus_error error;
	int lock;
	*r = (reproduction){.quick = q->quick, .quiet = q->quiet, .force = q->force, .threads = q->threads};
	if (!folder_path(r->folder, q->folder, e->name, &error))
		return cli_error(&error, EXIT_WRONG);
	if (run_in(r->folder) || folder_has(r->folder, SWEEP_DEFINITION))
		return cli_wrong("%s: there is a run in this folder; choose another one with -o", r->folder);
	int code = run_folder_hold(r->folder, &lock);
	if (code != EXIT_DONE)
		return code;
	code = e->work(r);
	folder_unlock(lock);
	return code;
}

static int do_all(const request *q, reproduction *all)
{
	talus_error error;
	int wrong = 0, unmet = 0;
	stop_listen();
	for (int i = 0; i < q->count; i++) {
		if (stop_asked()) { // too late for the one before to notice
			fprintf(stderr, "talus: reproduce: stopped before %s\n", q->chosen[i]->name);
			return EXIT_FAILED;
		}
		if (!q->quiet)
			fprintf(stderr, "talus: %s: %s\n", q->chosen[i]->name, q->chosen[i]->meaning);
		int code = do_one(q, q->chosen[i], &all[i]);
		if (code != EXIT_DONE)
			return code;
		report_print(q->chosen[i], &all[i], q->folder);
		for (int k = 0; k < all[i].findings; k++)
			wrong += finding_verdict(&all[i].finding[k]) == WRONG, unmet += finding_verdict(&all[i].finding[k]) == NOT_MET;
		if (!report_write(q->folder, q->chosen, all, i + 1, &error))
			return cli_error(&error, EXIT_FAILED);
	}
	printf("\n%s/report.md has all of it, %s.\n", q->folder,
	       draw_plot_built() ? "with the figures" : "but no figures: this talus was built without pictures");
	if (unmet)
		printf("%d not met, which is known: docs/reproduced.md says more.\n", unmet);
	if (wrong)
		fputs("talus: not all numbers lie within their limits\n", stderr);
	return wrong ? EXIT_FAILED : EXIT_DONE;
}

int cli_reproduce(int argc, char **argv)
{
	request q = {0};
	int code = options_read(&q, argc, argv);
	if (code != EXIT_DONE || q.done)
		return code;
	if (!q.count)
		return list();
	reproduction *all = calloc((size_t)q.count, sizeof *all);
	if (!all)
		memory_lost();
	code = do_all(&q, all);
	for (int i = 0; i < q.count; i++)
		free(all[i].tables);
	free(all);
	return code;
}
