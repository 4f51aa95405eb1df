// SPDX-License-Identifier: MIT
// talus compare: do two runs give the same? Two methods, two solvers, two sizes, two seeds.
#include "compare.h"

#include "base/memory.h"
#include "cli.h"
#include "draw_plot.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: talus compare A B [options]: two runs side by side\n\n"
	"Are they identical bit for bit; what differs in their scenes; means of all columns that both logs\n"
	"have; grains, contacts and forces of the last common frame; what they have cost.\n\n"
	"  --from T, --to T   window of time for the means (default: second half of the common time)\n"
	"  -o, --output FILE  a page of curves, .png, .svg or .pdf\n"
	"  --json             one object with everything\n"
	"  --help             this text\n\n"
	"Errors are standard errors of means over time, from the autocorrelation of the rows. Two means\n"
	"agree if |B - A| <= 2 errors of the difference; by chance alone one of 20 columns then differs that\n"
	"does not. Unknown: too few independent samples (fewer than 20), a drift, or grains at rest, which\n"
	"are one sample however long they are watched; then take several seeds.\n";

typedef struct request {
	const char *folder[RUNS], *output;
	double window[2]; // NAN: not said
	bool json;
} request;

// ---------------------------------------------------------------- options

static int time_read(const char *option, const char *word, double *time)
{
	if (text_to_double(word, time))
		return EXIT_DONE;
	return cli_wrong("compare: %s %s: give a time, a number", option, word);
}

// 0: go on; else the code to exit with, plus one.
static int options_read(int argc, char **argv, request *r)
{
	enum { FROM = 256, TO };
	static const struct option options[] = {
		{"from", required_argument, NULL, FROM}, {"to", required_argument, NULL, TO}, {"output", required_argument, NULL, 'o'},
		{"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0},
	};
	opterr = 0;
	optind = 0;
	for (int o; (o = message_next_option(argc, argv, ":o:h", options)) != -1;) {
		int wrong = EXIT_DONE;
		switch (o) {
		case FROM: wrong = time_read("--from", optarg, &r->window[0]); break;
		case TO: wrong = time_read("--to", optarg, &r->window[1]); break;
		case 'o': r->output = optarg; break;
		case 'j': r->json = true; break;
		case 'h': fputs(usage, stdout); return EXIT_DONE + 1;
		default: return message_wrong_option("compare", argv, o, options) + 1;
		}
		if (wrong)
			return wrong + 1;
	}
	return 0;
}

static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int request_check(const request *r)
{
	talus_error error;
	if (same_folder(r->folder[A], r->folder[B]))
		return cli_wrong("compare: %s and %s are the same folder", r->folder[A], r->folder[B]);
	if (r->window[0] >= r->window[1])
		return cli_wrong("compare: --from %g --to %g: the window of time is empty", r->window[0], r->window[1]);
	if (r->output && !draw_plot_place(r->output, &error))
		return cli_error(&error, EXIT_WRONG);
	return EXIT_DONE;
}

// ---------------------------------------------------------------- the command

static bool runs_read(comparison *c, const request *r, talus_error *error)
{
	for (int k = A; k < RUNS; k++)
		if (!compare_read(&c->run[k], r->folder[k], error))
			return false;
	for (int k = A; k < RUNS; k++) { // what is missing is told, and the rest is compared
		if (*c->run[k].log_error.text)
			cli_error(&c->run[k].log_error, EXIT_DONE);
		if (*c->run[k].frames_error.text)
			cli_error(&c->run[k].frames_error, EXIT_DONE);
	}
	return true;
}

static bool all_compared(comparison *c, const request *r, talus_error *error)
{
	double latest = isnan(r->window[1]) ? INFINITY : r->window[1];
	c->identity = identity_find(c->run);
	c->costs = costs_find(c->run);
	if (!differences_find(c->run, &c->scenes, error) || !frames_compare(c->run, latest, &c->frames, error))
		return false;
	c->logs = logs_compare(c->run, r->window, c->frames.diameter);
	return true;
}

// Logs that end before the window begins, or nothing at all that two runs have in common.
static int common_check(const comparison *c)
{
	const logs_compared *logs = &c->logs;
	if (logs->missing && logs->chosen)
		return cli_wrong("compare: %s (--from, --to); the logs have times %g to %g in common", logs->missing, logs->common[0],
		                 logs->common[1]);
	if (logs->missing && c->frames.missing)
		return cli_wrong("compare: there is nothing to compare: %s, and %s", logs->missing, c->frames.missing);
	return EXIT_DONE;
}

static int compare(comparison *c, const request *r)
{
	talus_error error;
	if (!runs_read(c, r, &error) || !all_compared(c, r, &error))
		return cli_error(&error, EXIT_WRONG);
	int wrong = common_check(c);
	if (wrong)
		return wrong;
	if (r->output && !compare_figure(c, r->output, &error))
		return cli_error(&error, EXIT_FAILED);
	if (r->json)
		compare_json(c);
	else
		compare_print(c);
	if (r->output && !r->json)
		printf("\n%s\n", r->output);
	return EXIT_DONE;
}

static void comparison_free(comparison *c)
{
	for (int k = A; k < RUNS; k++)
		compare_close(&c->run[k]);
	memory_free(c->scenes.at);
	memory_free(c->logs.column);
	frames_compared_free(&c->frames);
}

int cli_compare(int argc, char **argv)
{
	request r = {.window = {NAN, NAN}};
	int end = options_read(argc, argv, &r);
	if (end)
		return end - 1;
	if (argc - optind < RUNS)
		return message_missing("compare", optind == argc ? "the folder of a run" : "the folder of a second run");
	if (argc - optind > RUNS)
		return message_too_many("compare", argv[optind + RUNS]);
	for (int k = A; k < RUNS; k++)
		r.folder[k] = argv[optind + k];
	int wrong = request_check(&r);
	if (wrong)
		return wrong;
	comparison c = {0};
	int code = compare(&c, &r);
	comparison_free(&c);
	return code;
}
