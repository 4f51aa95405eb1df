// SPDX-License-Identifier: MIT
// talus compare: two runs, side by side. Each part is found in a file of its own, printed in compare_print.c and compare_json.c.
#ifndef TALUS_CLI_COMPARE_H
#define TALUS_CLI_COMPARE_H

#include "csv_columns.h"
#include "io/files.h"
#include "statistics.h"

enum { A, B, RUNS };

// ---------------------------------------------------------------- what a folder has

typedef struct compared_run {
	const char *folder;
	scene *scene;
	csv_table *log;                       // NULL: none that can be read
	talus_error log_error, frames_error;  // why there is none
	size_t frames;
	uint64_t *frame_step;
	double *frame_time;
	char *summary; // text, NULL while it runs
	bool has_checkpoint;
	checkpoint_head checkpoint;
} compared_run;

// compare_read.c: false and a sentence if it is no run. What else is missing or damaged is only noted.
bool compare_read(compared_run *run, const char *folder, talus_error *error);
void compare_close(compared_run *run);
void log_span(const compared_run *run, double span[2]); // first and last time; NAN if there are no rows

// ---------------------------------------------------------------- bit for bit

typedef enum sameness { SAME_BITS, OTHER_BITS, SAME_UNKNOWN } sameness;

typedef struct identity { // compare_identity.c
	sameness end;          // of the states at the end, by their hashes
	char hash[RUNS][64];   // empty: none
	bool same_log;         // all rows and columns
	double same_until;     // one log goes on where the other one ends, here; NAN if not
	double parting;        // time of the first row in which the logs differ; NAN if they do not, or cannot be compared
} identity;
identity identity_find(const compared_run run[RUNS]);

// ---------------------------------------------------------------- scenes

typedef struct scene_difference {
	char path[256];          // as --set has it
	char value[RUNS][128];   // empty: not in this scene
} scene_difference;

typedef struct scene_differences { // compare_scene.c
	size_t count, left_out; // left out: beyond the most that are kept
	scene_difference *at;
} scene_differences;
enum { DIFFERENCES_MOST = 1000 };
bool differences_find(const compared_run run[RUNS], scene_differences *found, talus_error *error);

// ---------------------------------------------------------------- logs

typedef enum verdict { VERDICT_AGREE, VERDICT_DIFFER, VERDICT_UNKNOWN } verdict;

typedef struct column_compared {
	const char *name;
	series_mean of[RUNS];
	double difference, error; // B - A; NAN where there is none
	double errors;            // one in units of the other
	verdict verdict;
	const char *why; // of an unknown one: "few", "drift", "rest", "none"; NULL
	bool trivial;    // one and the same number in all rows of both
} column_compared;

typedef struct logs_compared { // compare_log.c
	const char *missing; // why they cannot be compared; NULL
	bool chosen;         // the window, by the user
	double common[2], window[2];
	size_t rows[RUNS]; // in the window
	bool rest[RUNS];   // grains hardly move in it
	size_t count, agree, differ, unknown;
	column_compared *column;
	size_t only[RUNS]; // columns that the other one does without
} logs_compared;
// `window`: what the user wants, NAN where he has not said.
logs_compared logs_compare(const compared_run run[RUNS], const double window[2], double diameter);
int column_time(const csv_table *log);

// ---------------------------------------------------------------- frames

enum { NUMBERS = 6 };
extern const char *const frame_numbers[NUMBERS]; // observables that frames have

typedef struct forces_compared { // normal forces f > 0
	size_t count[RUNS];
	double *scaled[RUNS]; // over their mean, sorted
	double distance, limit;
} forces_compared;

typedef struct grains_compared { // of the same grains
	const char *others;     // why they are not the same; NULL
	double rms, most;       // of distances, in mean diameters
	size_t contacts[RUNS], common, together; // pairs in contact: in both, in one of them at least
	double force_rms;       // of differences of normal forces in common contacts, over the rms of their means
	double correlation;     // of the same
} grains_compared;

typedef struct frames_compared { // compare_frame.c, compare_grains.c
	const char *missing; // why there are none; NULL
	size_t index[RUNS];
	frame *frame[RUNS];
	double diameter;     // mean, of both
	double number[NUMBERS][RUNS]; // NAN: not in the file
	forces_compared forces;
	grains_compared grains;
} frames_compared;
// The last frame that both have, at `latest` or before.
bool frames_compare(const compared_run run[RUNS], double latest, frames_compared *found, talus_error *error);
void frames_compared_free(frames_compared *found);
double frame_diameter(const frame *f); // mean; NAN without grains
grains_compared grains_compare(const frame *a, const frame *b, double diameter);

// ---------------------------------------------------------------- cost

enum { COST_SECONDS, COST_SOLVER, COST_STEPS, COST_PER_STEP, COST_PER_GRAIN, COST_ITERATIONS, COST_PER_UPDATE, COST_THREADS, COSTS };

typedef struct cost_name {
	const char *key, *name; // in JSON, for people
} cost_name;
extern const cost_name cost_names[COSTS];

typedef struct costs { // compare_cost.c
	double value[COSTS][RUNS]; // NAN: not known
	char host[RUNS][128], version[RUNS][64];
} costs;
costs costs_find(const compared_run run[RUNS]);

// ---------------------------------------------------------------- all of it

typedef struct comparison {
	compared_run run[RUNS];
	identity identity;
	scene_differences scenes;
	logs_compared logs;
	frames_compared frames;
	costs costs;
} comparison;

void compare_print(const comparison *c);
void compare_print_logs(const logs_compared *logs); // compare_print_log.c
void compare_json(const comparison *c);
const char *run_state_name(const compared_run *run); // "finished", "running", "stopped"
// compare_figure.c: energy, volume fraction, load and forces of both.
bool compare_figure(const comparison *c, const char *path, talus_error *error);

#endif
