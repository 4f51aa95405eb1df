// SPDX-License-Identifier: MIT
// What the tests of faults share: running the program, and comparing what it has left.
#ifndef TALUS_TESTS_FAULTS_H
#define TALUS_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A folder to work in: in memory if there is such a place, since thousands of runs are made in it. Gone at the end.
typedef struct bench_place {
	char folder[256];
	char talus[4096], library[4096], scene[4096]; // the program, what is preloaded, and what it runs
} bench_place;
bool place_open(bench_place *place, int argc, char **argv);
void place_close(const bench_place *place);

typedef struct outcome {
	int code;   // exit code, -1: a signal
	int number; // of the signal
	char said[4096];
} outcome;
// `talus WORDS` in the folder, with `VARIABLE=value` in its surroundings if there is one; words end with NULL.
outcome talus(const bench_place *place, const char *variable, const char *const *words);
outcome command(const bench_place *place, const char *line); // by the shell, in the folder

// Can everybody read all of run.h5? Plain HDF5, in a process of its own.
bool frames_open(const bench_place *place, const char *run);
// Do two runs have the same end, log and frames, to the last bit, and no file that does not belong there? Says what differs.
bool same_run(const bench_place *place, const char *a, const char *b);
bool is_there(const bench_place *place, const char *run, const char *name);

// Random numbers, the same everywhere.
uint64_t dice(uint64_t *state);
size_t dice_below(uint64_t *state, size_t n);

#endif
