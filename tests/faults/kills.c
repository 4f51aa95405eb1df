// SPDX-License-Identifier: MIT
// A run that is killed, or whose calls fail, at the n-th call of a kind: its files open, `talus resume` comes to the end that a
// run without faults has, bit for bit, and a call that fails gets a sentence and exit code 1.
// Libraries that get no memory may crash; what is on the disk is whole then too, but they are tried on demand only.
//   faults_kills TALUS LIBRARY SCENE [SEED [COUNT | all [KIND [ACTION]]]]
#include "faults.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const run_words[] = {"run", "scene.yaml", "-o", "dead", "--quiet", NULL};
static const char *const resume_words[] = {"resume", "dead", "--quiet", NULL};
static const char *const info_words[] = {"info", "dead", NULL};

typedef struct fault {
	const char *call, *action;
	long number;
} fault;

typedef struct tally {
	long tried, closed, failed; // closed: run.h5 did not open for others
} tally;

static bool wrong(const fault *f, const char *what, const outcome *o)
{
	printf("%s:%ld:%s: %s\n", f->call, f->number, f->action, what);
	if (o)
		printf("  exit code %d, signal %d\n%s", o->code, o->number, o->said);
	return false;
}

// A call that fails must not go unnoticed; where it does no harm, the run goes on to its end.
static bool ended_well(const bench_place *place, const fault *f, const outcome *o)
{
	bool kills = strcmp(f->action, "kill") == 0 || strcmp(f->action, "after") == 0 || strcmp(f->action, "tear") == 0;
	if (kills)
		return o->code == 0 || o->number == SIGKILL || wrong(f, "it was not killed", o);
	if (o->code == 0)
		return same_run(place, "whole", "dead") || wrong(f, "it says it is done", o);
	if (o->code != 1 && o->code != 2)
		return wrong(f, "exit code", o);
	return strncmp(o->said, "talus: ", 7) == 0 || wrong(f, "no sentence", o);
}

// What is left is readable by everybody and by Talus, and leads to the same end.
static bool goes_on(const bench_place *place, const fault *f, tally *t)
{
	if (!is_there(place, "dead", "checkpoint.h5")) {
		outcome o = talus(place, NULL, resume_words);
		return o.code == 2 || wrong(f, "there is no checkpoint, and it resumes", &o);
	}
	if (!frames_open(place, "dead")) {
		t->closed++;
		wrong(f, "others cannot read run.h5", NULL);
	}
	outcome o = talus(place, NULL, info_words);
	if (o.code != 0 || strstr(o.said, "talus: "))
		return wrong(f, "it cannot be looked at", &o);
	o = talus(place, NULL, resume_words);
	if (o.code != 0)
		return wrong(f, "it does not go on", &o);
	return same_run(place, "whole", "dead") || wrong(f, "it goes on to another end", &o);
}

static void try(const bench_place *place, const fault *f, tally *t)
{
	char variable[64];
	snprintf(variable, sizeof variable, "TALUS_FAULT=%s:%ld:%s", f->call, f->number, f->action);
	command(place, "rm -rf dead");
	outcome o = talus(place, variable, run_words);
	t->tried++;
	if (!ended_well(place, f, &o) || !goes_on(place, f, t))
		t->failed++;
}

// How many calls of each kind a run has.
static bool counts_read(const bench_place *place, const char *const *calls, long *count, int kinds)
{
	char variable[400], path[300], name[32];
	long number;
	snprintf(path, sizeof path, "%s/counts", place->folder);
	snprintf(variable, sizeof variable, "TALUS_FAULT_COUNT=%s", path);
	command(place, "rm -rf dead");
	outcome o = talus(place, variable, run_words);
	FILE *in = fopen(path, "r");
	if (!in || o.code != 0) {
		printf("%s", o.said);
		return false;
	}
	while (fscanf(in, "%31s %ld", name, &number) == 2)
		for (int i = 0; i < kinds; i++)
			if (strcmp(name, calls[i]) == 0)
				count[i] = number;
	fclose(in);
	return same_run(place, "whole", "dead");
}

enum { KINDS = 9, RANDOM_KINDS = 8, ACTIONS = 7 };
static const char *const calls[KINDS] = {"pwrite", "write", "fsync", "rename", "ftruncate", "open", "unlink", "malloc", "memory"};
static const char *const actions[ACTIONS] = {"kill", "after", "tear", "short", "enospc", "eio", "eintr"};

// Only what a system may really answer.
static bool makes_sense(const char *call, const char *action)
{
	bool writes = strcmp(call, "write") == 0 || strcmp(call, "pwrite") == 0;
	if (strcmp(action, "short") == 0 || strcmp(action, "tear") == 0)
		return writes;
	if (strcmp(action, "eintr") == 0)
		return writes || strcmp(call, "fsync") == 0;
	if (strcmp(call, "malloc") == 0 || strcmp(call, "memory") == 0)
		return strcmp(action, "enospc") == 0;
	return true;
}

static void try_all(const bench_place *place, const long *count, const char *only, const char *doing, tally *t)
{
	for (int k = 0; k < KINDS; k++)
		for (int a = 0; a < ACTIONS && (!only || strcmp(only, calls[k]) == 0); a++) {
			tally part = {0};
			long stride = strcmp(calls[k], "memory") == 0 ? 197 : 1; // there are a hundred thousand
			bool asked = makes_sense(calls[k], actions[a]) && (!doing || strcmp(doing, actions[a]) == 0);
			for (long n = 1; n <= count[k] && asked; n += stride)
				try(place, &(fault){calls[k], actions[a], n}, &part);
			if (part.tried)
				printf("%-9s %-6s %5ld tried, %ld failed, %ld times run.h5 was closed to others\n", calls[k], actions[a],
				       part.tried, part.failed, part.closed);
			fflush(stdout);
			t->tried += part.tried;
			t->failed += part.failed;
			t->closed += part.closed;
		}
}

static void try_some(const bench_place *place, const long *count, uint64_t seed, long times, tally *t)
{
	while (t->tried < times) {
		size_t k = dice_below(&seed, RANDOM_KINDS), a = dice_below(&seed, ACTIONS);
		fault f = {calls[k], actions[a], 1 + (long)dice_below(&seed, (size_t)count[k])};
		if (makes_sense(f.call, f.action))
			try(place, &f, t);
	}
}

int main(int argc, char **argv)
{
	bench_place place;
	long count[KINDS] = {0}, times = getenv("TALUS_TEST_LONG") ? 400 : 50;
	tally t = {0};
	if (!place_open(&place, argc, argv))
		return 1;
	uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
	bool all = argc > 5 && strcmp(argv[5], "all") == 0;
	if (argc > 5 && !all)
		times = atol(argv[5]);
	char line[9000];
	snprintf(line, sizeof line, "cp '%s' scene.yaml && '%s' run scene.yaml -o whole --quiet", place.scene, place.talus);
	outcome o = command(&place, line);
	bool ok = o.code == 0 && counts_read(&place, calls, count, KINDS);
	if (ok && all)
		try_all(&place, count, argc > 6 ? argv[6] : NULL, argc > 7 ? argv[7] : NULL, &t);
	else if (ok)
		try_some(&place, count, seed, times, &t);
	else
		printf("no run without a fault to compare with\n%s", o.said);
	printf("seed %llu: %ld faults, %ld failed, %ld times run.h5 was closed to others\n", (unsigned long long)seed, t.tried,
	       t.failed, t.closed);
	place_close(&place);
	return !ok || t.failed || t.closed;
}
