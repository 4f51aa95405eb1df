// SPDX-License-Identifier: MIT
// Dense scenes with the solver `auto` and with fixed numbers of plain sweeps: what each costs, and whether the physics is the same.
#ifndef TALUS_CLI_REPRODUCE_SCENES_H
#define TALUS_CLI_REPRODUCE_SCENES_H

#include "reproduce.h"

#include <stdio.h>

enum { SCENES = 9, SETTINGS = 8, SEEDS_MOST = 3, QUANTITIES_MOST = 5, BLOCKS = 8, SETS_MOST = 6 };
enum { REFERENCE, AUTO, FIRST_PLAIN }; // of the settings

// ---------------------------------------------------------------- what is run and measured

typedef enum quantity_kind { OBSERVE_MEAN, OBSERVE_SLOPE, OBSERVE_LAST } quantity_kind;

// A sum of columns of the log, over a window of time.
typedef struct quantity {
	const char *name;
	quantity_kind kind;
	struct {
		double factor;
		const char *column;
	} term[2];
	const char *over;  // the column by which it is divided, row by row
	const char *angle; // of a slope whose torque it is, in degrees: its arctangent over minus the mean of this column
	bool trend;        // a straight line is no part of its error
	double from, to;   // the window, 0: that of the scene
} quantity;

// Grains that have been brought into a state of their own before they are used.
typedef struct scene_start {
	const char *name, *text, *sets[SETS_MOST], *quick[SETS_MOST];
	int entry;   // of `grains` that they stand for
	int first;   // id from which on they are taken
	bool moving; // with their velocities
	bool cell;   // the cell is theirs, too
} scene_start;

typedef struct dense_scene {
	const char *name, *text, *sets[SETS_MOST];
	double from, until, quick_from, quick_until; // window and end; 0: not in the quick version
	int against;  // so many plain sweeps `auto` is compared with, 0: the cheapest that will do
	double limit; // of the ratio of times
	const scene_start *start;
	quantity quantity[QUANTITIES_MOST];
} dense_scene;

typedef struct scene_setting {
	const char *name, *solver;
	int sweeps;        // plain ones, 0: `auto`
	bool quick;        // in the quick version, too
	const char *scene; // only in this one
} scene_setting;

extern const dense_scene dense_scenes[SCENES];
extern const scene_setting scene_settings[SETTINGS];

// ---------------------------------------------------------------- what came out

typedef struct measured {
	double mean, error; // standard error
} measured;

typedef struct outcome { // of a run, or of all with a setting
	measured seen[QUANTITIES_MOST];
	double overlap, largest; // mean over grains and window, and the largest, in diameters
	double seconds;          // of the processor; of several runs the best
	double sweeps, capped, floor; // of a step; shares of steps
	double load_error;       // median of audits, NAN: there was none
} outcome;

typedef struct comparison {
	const dense_scene *scene;
	int quantities, seeds;
	bool used[SETTINGS];
	outcome run[SETTINGS][SEEDS_MOST];
	outcome all[SETTINGS];
	double deviation[SETTINGS][QUANTITIES_MOST]; // from the reference, in standard errors
	int cheapest, cheapest_rigid; // plain setting with the same physics; and with grains as rigid as with `auto`; -1: none
} comparison;

// The same physics: no quantity farther from the reference than this, in standard errors; and rigid: mean overlaps at most so
// many times those of `auto`.
static const double same_physics = 2.5, same_overlap = 1.5;

// reproduce_scenes_judge.c
measured observe(const csv_table *log, const quantity *o, double from, double to); // NAN where it cannot be
void comparison_judge(comparison *c);
double comparison_worst(const comparison *c, int setting); // largest deviation
bool comparison_rigid(const comparison *c, int setting);
double comparison_ratio(const comparison *c, int plain);   // time of auto over that of a plain setting, 0 for none

// reproduce_scenes_runs.c: all runs of a scene, one at a time; an exit code.
int comparison_run(comparison *c, const reproduction *r, const dense_scene *dense);

// reproduce_scenes_table.c
void comparison_print(FILE *out, const comparison *c);
void comparison_summary(FILE *out, const comparison *c, int count);

#endif
