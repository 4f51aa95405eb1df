// SPDX-License-Identifier: MIT
// The program: finds the command and hands over to it.
#include "cli.h"
#include "crash.h"

#include "base/nearest.h"

#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *meaning;
} command;

static const command commands[] = {
	{"run", cli_run, "simulate a scene"},
	{"resume", cli_resume, "continue a run from its last checkpoint"},
	{"check", cli_check, "validate a scene and give advice, without running it"},
	{"info", cli_info, "show what is in a run"},
	{"compare", cli_compare, "compare two runs: scenes, means with errors, last frames, cost"},
	{"plot", cli_plot, "plot columns of the log"},
	{"render", cli_render, "draw the grains, with or without contact forces"},
	{"solve", cli_solve, "solve a single frictional contact problem (FCLIB file)"},
	{"reproduce", cli_reproduce, "reproduce published results"},
	{"bench", cli_bench, "benchmarks: what a step costs on this machine"},
	{"soak", cli_soak, "random scenes, in search of bugs"},
	{"doc", cli_doc, "list every key of a scene, every observable"},
};
enum { COMMANDS = sizeof commands/sizeof commands[0] };

static void usage(FILE *out)
{
	fputs("talus " TALUS_VERSION ": granular matter by contact dynamics\n\nusage: talus COMMAND ...\n\n", out);
	for (int i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].meaning);
	fputs("\n  talus COMMAND --help   options of a command\n"
	      "  talus --version        print the version\n\n"
	      "To begin: talus run, then talus render heap.\n"
	      "Exit codes: 0 done, 1 the run failed, 2 wrong use or wrong input, 3 a bug.\n",
	      out);
}

// Known, and not there yet.
static const char *const later[] = {"view", "export"};

static int unknown(const char *word)
{
	for (size_t i = 0; i < sizeof later/sizeof *later; i++)
		if (strcmp(word, later[i]) == 0)
			return cli_wrong("the command %s is not in this version (%s)", word, TALUS_VERSION);
	const char *names[COMMANDS + 1] = {NULL};
	for (int i = 0; i < COMMANDS; i++)
		names[i] = commands[i].name;
	const char *meant = nearest_name(word, names);
	if (meant)
		return cli_wrong("there is no command %s; did you mean %s?", word, meant);
	return cli_wrong("there is no command %s; see talus --help", word);
}

// A line that is short of room on the disk must not look like success.
static int finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	perror("talus: standard output");
	return code == EXIT_DONE ? EXIT_FAILED : code;
}

// HDF5 leaves the program in this way when it gets no memory. What it was writing is not on the disk then.
static void left(int code, void *unused)
{
	(void)unused;
	if (code != -1)
		return;
	fputs("talus: out of memory\n", stderr);
	_exit(EXIT_FAILED);
}

// Started with one of the first three closed, a file of a run would get its number, and messages would go into that.
static void descriptors_open(void)
{
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == STDIN_FILENO ? O_RDONLY : O_WRONLY) != i)
			_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	descriptors_open();
	on_exit(left, NULL);
	crash_listen();
	signal(SIGXFSZ, SIG_IGN); // a file that may not grow is told like a full disk
	// After a full disk HDF5 would try to write once more on the way out, and complain.
	H5dont_atexit();
	if (argc < 2) {
		usage(stderr);
		return EXIT_WRONG;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		usage(stdout);
		return finish(EXIT_DONE);
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("talus " TALUS_VERSION);
		return finish(EXIT_DONE);
	}
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return finish(commands[i].run(argc - 1, argv + 1));
	return unknown(argv[1]);
}
