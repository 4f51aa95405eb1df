// SPDX-License-Identifier: MIT
// talus bench in parts: the named scenes, the machine, the yardsticks, one measurement, and how it is told.
#ifndef TALUS_CLI_BENCH_H
#define TALUS_CLI_BENCH_H

#include <stdio.h>
#include <talus/talus.h>

enum { BENCH_THREADS_MOST = 16, BENCH_SETS_MOST = 3, BENCH_TEXT = 128 };

// ---------------------------------------------------------------- bench_scenes.c

typedef struct bench_scene {
	const char *name, *about;
	const char *file;  // in scenes/, without .yaml; several names may share one
	bool quick;        // measured when no name is given
	int warm;          // steps before anything is timed; their end is the state that the hash is of
	int tiles[2];      // copies of the file's grains side by side along x and y; 0: as they are
	double tile;       // the length of one
	const char *sets[2]; // PATH=VALUE, what else a tiled scene needs
} bench_scene;

extern const bench_scene bench_scenes[];
extern const int bench_scene_count;

const bench_scene *bench_scene_find(const char *name);
// The folder that has scenes/ and packings/: `wanted`, or if NULL the one known from building, or ./bench.
bool bench_folder_find(char folder[TALUS_PATH_MAX], const char *wanted, talus_error *error);
// Whether a world can be made of it; without tiling it.
bool bench_scene_judge(const bench_scene *scene, const char *folder, const char *order, talus_error *error);
// A world at its start. `order` NULL: that of the scene.
talus_world *bench_scene_build(const bench_scene *scene, const char *folder, const char *order,
                               talus_error *error);
const char *bench_order_name(const talus_world *world);

// ---------------------------------------------------------------- bench_machine.c

typedef struct bench_machine {
	char processor[BENCH_TEXT], compiler[BENCH_TEXT];
	int processors;       // that this program may use
	double cache[3];      // bytes of L1 (data), L2, L3; 0: unknown
} bench_machine;

bench_machine bench_machine_look(void);

// Memory of this process: bytes now, and the most since the last call of `begin`.
double memory_peak_begin(void);
double memory_peak(void); // NAN if the system does not tell

// ---------------------------------------------------------------- bench_yardstick.c

typedef struct bench_bare bench_bare;

// A copy of the world's contacts; `most` is the largest number of threads that will come.
bench_bare *bare_create(const talus_world *world, int most);
void bare_destroy(bench_bare *bare);
double bare_measure(bench_bare *bare, int threads); // seconds per contact

// Bytes per second of a[i] = b[i] + s c[i] on arrays far larger than the cache, for each number of threads.
void triad_measure(const bench_machine *machine, const int *threads, int count, int rounds, double *rate);

// ---------------------------------------------------------------- bench_measure.c

typedef struct bench_request {
	char folder[TALUS_PATH_MAX];
	const char *order; // NULL: that of the scene
	talus_simd simd;
	int rounds;
	int counts, threads[BENCH_THREADS_MOST]; // numbers of threads
	double triad[BENCH_THREADS_MOST];        // bytes per second
} bench_request;

typedef struct bench_row { // one scene on so many threads, the best of all rounds
	int threads;
	double update; // seconds of the solver per contact update
	double bare;   // seconds of the bare loop per contact
	double step;   // seconds
	double other;  // share of the step outside the solver
	double triad;
	uint64_t hash; // after the first `warm` steps
	uint64_t hash_end;
} bench_row;

typedef struct bench_result {
	const bench_scene *scene;
	char order[TALUS_NAME_MAX];
	const char *simd;
	size_t grains, contacts;
	int iterations, rounds, steps; // steps of a round
	uint64_t steps_all;
	double memory; // bytes per grain at the peak, NAN if not measured
	bool agree;    // all hashes, whatever the number of threads
	int rows;
	bench_row row[BENCH_THREADS_MOST];
} bench_result;

typedef enum bench_outcome { BENCH_MEASURED, BENCH_STOPPED, BENCH_FAILED } bench_outcome;

bench_outcome bench_measure(const bench_scene *scene, const bench_request *request, bench_result *result,
                            talus_error *error);

// ---------------------------------------------------------------- bench_print.c

void bench_list(FILE *out);
void bench_progress(const char *name, int round, int rounds); // a passing line on a terminal; NULL: wipes it
void bench_table_head(const bench_machine *machine, const bench_request *request);
void bench_table_rows(const bench_result *result);
void bench_json_rows(const bench_result *result, const bench_machine *machine, bool first);
bool bench_csv_rows(FILE *out, const bench_result *result, const bench_machine *machine);

// ---------------------------------------------------------------- bench.c


#endif
