// SPDX-License-Identifier: MIT
// talus solve: one frictional contact problem by itself, from a file in FCLIB's layout.
#include "cli.h"

#include "apart.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "delassus/delassus.h"
#include "io/fclib.h"
#include "io/files.h"
#include "message.h"
#include "stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: talus solve PROBLEM.hdf5 [--solver NAME] [--tolerance E] [--time S] [--guess N] [-o FILE] [--json]\n"
	"\n"
	"Solves a frictional contact problem: impulses r and velocities u = W r + q that obey the laws of all contacts.\n"
	"Reads FCLIB's files, with or without bodies, with or without rolling friction. The error is the natural map\n"
	"over the largest of |q|, |r| and |u|.\n"
	"\n"
	"  --solver NAME   nsgs, accelerated, newton, or auto, which tries them in turn (default)\n"
	"  --tolerance E   error to be reached (default 1e-8)\n"
	"  --time S        seconds of work after which it gives up (default 60)\n"
	"  --guess N       start from the file's guess number N, from 1 on, instead of 0\n"
	"  -o FILE         write the problem and the solution to this file, unless it is proved that there is none\n"
	"  --json          print {problem, dimension, contacts, solver, iterations, error, error_q, seconds, converged,\n"
	"                  reason}; reason is null, or why it has not converged: no_solution (proved), stopped,\n"
	"                  runs_away (impulses grow without bound), time, gave_up\n"
	"  --help          this text\n"
	"\n"
	"Ctrl-C ends it with the best answer so far.\n"
	"Exit codes: 0 solved, 1 not within the time, stopped, or without a solution, 2 wrong use or wrong input.\n";

typedef struct options {
	const char *path, *output, *solver;
	double tolerance, time;
	int guess;
	bool json;
} options;

typedef struct method {
	const char *name;
	delassus_report (*solve)(const delassus_problem *problem, const delassus_options *wish, double *r);
} method;

static const method methods[] = {
	{"auto", delassus_auto},
	{"nsgs", delassus_nsgs},
	{"accelerated", delassus_accelerated},
	{"newton", delassus_newton},
};
enum { METHODS = sizeof methods/sizeof methods[0] };

// ---------------------------------------------------------------- what it prints

static bool out_of_time(const options *o, const delassus_report *report)
{
	return report->seconds >= o->time*(1 - 1e-9); // parts of a chain add up to it but for rounding
}

// One word for programs; NULL: it is solved.
static const char *reason_of(const options *o, const delassus_report *report)
{
	if (report->converged)
		return NULL;
	if (report->proof.contacts > 0)
		return "no_solution";
	if (stop_asked())
		return "stopped";
	return report->ran_away ? "runs_away" : out_of_time(o, report) ? "time" : "gave_up";
}

static void print_json(const options *o, const delassus_problem *problem, const delassus_report *report)
{
	printf("{\"problem\": ");
	json_text(stdout, o->path);
	printf(", \"dimension\": %d, \"contacts\": %zu, \"solver\": \"%s\", \"iterations\": %llu, \"error\": ",
		problem->size == 2 ? 2 : 3, problem->contacts, report->solver, (unsigned long long)report->iterations);
	json_number(stdout, report->error.natural);
	printf(", \"error_q\": ");
	json_number(stdout, report->error.by_q);
	printf(", \"seconds\": ");
	json_number(stdout, report->seconds);
	const char *reason = reason_of(o, report), *mark = reason ? "\"" : "";
	printf(", \"converged\": %s, \"reason\": %s%s%s}\n", report->converged ? "true" : "false", mark, reason ? reason : "null", mark);
}

// Which contacts cannot all stay apart.
static void print_proof(FILE *out, const delassus_proof *proof)
{
	size_t named = sizeof proof->contact/sizeof proof->contact[0];
	fprintf(out, "this problem has no solution: ");
	if (proof->contacts == 1) {
		fprintf(out, "contact %zu closes whatever impulses act", proof->contact[0] + 1);
	} else {
		fprintf(out, "of contacts");
		for (size_t i = 0; i < named && i < proof->contacts; i++)
			fprintf(out, "%s %zu", i == 0 ? "" : i + 1 == proof->contacts ? " and" : ",", proof->contact[i] + 1);
		if (proof->contacts > named)
			fprintf(out, " and %zu more", proof->contacts - named);
		fprintf(out, " at least one closes whatever impulses act");
	}
	fprintf(out, isfinite(proof->least) ? " (below %.1g times q, in even units)\n" : "\n", proof->least);
}

// Why it has ended without an answer.
static void print_failure(FILE *out, const options *o, const delassus_report *report)
{
	if (report->proof.contacts > 0) {
		print_proof(out, &report->proof);
		return;
	}
	if (stop_asked())
		fprintf(out, "stopped by a signal");
	else if (out_of_time(o, report))
		fprintf(out, "not solved within %g s (--time)", o->time);
	else
		fprintf(out, "not solved: %s gave up", report->solver);
	if (report->ran_away && report->error.by_q <= o->tolerance) // nothing but rounding makes it so small
		fprintf(out, "; impulses grow without bound: perhaps there is no solution\n");
	else if (report->ran_away)
		fprintf(out, "; impulses grow without bound while the error over |q| stays at %.2g: perhaps there is no solution\n",
			report->error.by_q);
	else
		fprintf(out, "; the error is still above %g\n", o->tolerance);
}

static void print_words(const options *o, const delassus_problem *problem, const delassus_report *report)
{
	static const char *const law[] = {[2] = "in 2D", [3] = "in 3D", [5] = "in 3D, with rolling friction"};
	printf("%s: %zu contacts %s\n", o->path, problem->contacts, law[problem->size]);
	if (problem->title[0]) {
		fputs("  title       ", stdout);
		message_text(stdout, problem->title);
		putchar('\n');
	}
	printf("  solver      %s, %llu iterations, %.3g s\n", report->solver, (unsigned long long)report->iterations,
		report->seconds);
	printf("  error       %.3g (over |q|: %.3g)\n", report->error.natural, report->error.by_q);
	if (!report->converged)
		print_failure(stdout, o, report);
}

// ---------------------------------------------------------------- the command

static bool answer_write(const options *o, const delassus_problem *problem, double *r, talus_error *error)
{
	double *u = memory_grow(NULL, 0, problem->contacts*(size_t)problem->size*sizeof *u + 1);
	delassus_error_of(problem, r, u);
	bool ok = fclib_write(o->output, problem, &(delassus_solution){r, u}, error);
	memory_free(u);
	return ok;
}

static int solve_problem(const options *o, const fclib_file *file, const method *how)
{
	talus_error error;
	const delassus_problem *problem = &file->problem;
	size_t count = problem->contacts*(size_t)problem->size;
	if (o->guess > 0 && (size_t)o->guess > file->guesses)
		return cli_wrong("solve: %s holds %zu guesses, there is no number %d", o->path, file->guesses, o->guess);
	double *r = memory_grow(NULL, 0, count*sizeof *r + 1);
	memset(r, 0, count*sizeof *r);
	if (o->guess > 0)
		memcpy(r, file->guess + (size_t)(o->guess - 1)*count, count*sizeof *r);
	delassus_options wish = {.tolerance = o->tolerance, .seconds = o->time, .stop_asked = stop_asked, .prove = delassus_proof_find};
	stop_listen();
	delassus_report report = how->solve(problem, &wish, r);
	if (!report.converged && !stop_asked() && report.proof.contacts == 0)
		report.proof = delassus_proof_find(problem);
	int code = report.converged ? EXIT_DONE : EXIT_FAILED;
	if (o->json)
		print_json(o, problem, &report);
	else
		print_words(o, problem, &report);
	if (o->json && !report.converged) {
		fprintf(stderr, "talus: %s: ", o->path);
		print_failure(stderr, o, &report);
	}
	if (o->output && report.proof.contacts > 0)
		fprintf(stderr, "talus: %s is not written: there is no solution to put into it\n", o->output);
	else if (o->output && !answer_write(o, problem, r, &error))
		code = cli_error(&error, EXIT_FAILED);
	memory_free(r);
	return code;
}

static const method *method_find(const char *name)
{
	const char *names[METHODS + 1] = {NULL};
	for (int i = 0; i < METHODS; i++) {
		if (strcmp(name, methods[i].name) == 0)
			return &methods[i];
		names[i] = methods[i].name;
	}
	const char *meant = nearest_name(name, names);
	if (meant)
		cli_wrong("solve: there is no solver %s; did you mean %s?", name, meant);
	else
		cli_wrong("solve: there is no solver %s; there are auto, nsgs, accelerated and newton", name);
	return NULL;
}

static bool is_problem(const char *path)
{
	talus_error ignored;
	fclib_file file;
	if (!apart_try_hdf5(path, true, &ignored) || !fclib_read(path, &file, &ignored))
		return false;
	fclib_free(&file);
	return true;
}

// Looked at before the work. Over the problem itself the answer would cost its guesses, and its bodies.
static int output_check(const options *o)
{
	talus_error error;
	char place[TALUS_PATH_MAX];
	struct stat problem, output;
	if (!file_place(place, o->output, &error))
		return cli_error(&error, EXIT_WRONG);
	if (stat(o->path, &problem) == 0 && stat(place, &output) == 0 && problem.st_dev == output.st_dev &&
	    problem.st_ino == output.st_ino)
		return cli_wrong("solve: %s is the problem itself, whose guesses would be lost; choose another file with -o",
			o->output);
	if (stat(place, &output) == 0 && output.st_size > 0 && !is_problem(place))
		return cli_wrong("solve: %s is there already, and is no contact problem; remove it, or choose another file with -o",
			o->output);
	return EXIT_DONE;
}

static int solve_file(const options *o)
{
	talus_error error;
	fclib_file file;
	const method *how = method_find(o->solver);
	if (!how)
		return EXIT_WRONG;
	if (o->output && output_check(o) != EXIT_DONE)
		return EXIT_WRONG;
	if (!apart_try_hdf5(o->path, true, &error) || !fclib_read(o->path, &file, &error))
		return cli_error(&error, EXIT_WRONG);
	int code = solve_problem(o, &file, how);
	fclib_free(&file);
	return code;
}

static const struct option names[] = {
	{"solver", required_argument, NULL, 's'},
	{"tolerance", required_argument, NULL, 't'},
	{"time", required_argument, NULL, 'T'},
	{"guess", required_argument, NULL, 'g'},
	{"output", required_argument, NULL, 'o'},
	{"json", no_argument, NULL, 'j'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

// Returns -1 if there is something to solve, otherwise the exit code.
static int read_options(options *o, int argc, char **argv)
{
	opterr = 0;
	for (int answer; (answer = message_next_option(argc, argv, ":o:h", names)) != -1;) {
		if (answer == 'h')
			return fputs(usage, stdout), EXIT_DONE;
		else if (answer == 'j')
			o->json = true;
		else if (answer == 'o')
			o->output = optarg;
		else if (answer == 's')
			o->solver = optarg;
		else if (answer == 't' && (!text_to_double(optarg, &o->tolerance) || o->tolerance <= 0))
			return cli_wrong("solve: the tolerance must be a number above 0, not %s", optarg);
		else if (answer == 'T' && (!text_to_double(optarg, &o->time) || o->time <= 0))
			return cli_wrong("solve: the time must be a number of seconds above 0, not %s", optarg);
		else if (answer == 'g' && !text_to_int(optarg, 1, 1000000, &o->guess))
			return cli_wrong("solve: the number of a guess is a whole number from 1 on, not %s", optarg);
		else if (answer == '?' || answer == ':')
			return message_wrong_option("solve", argv, answer, names);
	}
	if (optind == argc)
		return message_missing("solve", "the file of the problem");
	if (optind + 1 < argc)
		return message_too_many("solve", argv[optind + 1]);
	o->path = argv[optind];
	return -1;
}

int cli_solve(int argc, char **argv)
{
	options o = {.solver = "auto", .tolerance = 1e-8, .time = 60};
	int code = read_options(&o, argc, argv);
	return code < 0 ? solve_file(&o) : code;
}
