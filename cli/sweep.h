// SPDX-License-Identifier: MIT
// Many runs of one scene that differ in a few values and in their seed, each in a folder of its own.
#ifndef TALUS_CLI_SWEEP_H
#define TALUS_CLI_SWEEP_H

#include "run.h"
#include "run/folder.h"

#define SWEEP_TABLE "sweep.csv"
enum { SWEEP_MEMBERS_MOST = 100000 };

// One --sweep: a path and its values.
typedef struct sweep_axis {
	char *path;
	int count;
	char **set;         // PATH=VALUE, as --set takes it
	const char **value; // its second part
} sweep_axis;

typedef enum sweep_state { SWEEP_WAITING, SWEEP_DONE, SWEEP_FAILED, SWEEP_STOPPED } sweep_state;

typedef struct sweep {
	const run_request *request;
	int axes;
	sweep_axis axis[RUN_SWEEPS_MOST];
	uint64_t seed; // of the scene
	int seeds;     // at least 1
	int members;   // all combinations; the first axis changes slowest, the seed fastest
	int digits;    // of their names
	sweep_state *state; // of each member
	bool *resume;       // it has a checkpoint to go on from
} sweep;

// The whole of it, for `talus run`; returns the exit code.
int sweep_run(run_request *request);

// sweep_members.c
void sweep_name(const sweep *sweep, int member, char name[16]); // of its folder in the sweep's folder
int sweep_digits(int members); // of their names
int sweep_choice(const sweep *sweep, int member, int axis);     // which value of an axis it has
uint64_t sweep_seed(const sweep *sweep, int member);
int sweep_count(const sweep *sweep, sweep_state state);

// sweep_values.c: false and a sentence if the text of --sweep is wrong.
bool sweep_axis_read(sweep_axis *axis, const char *text, talus_error *error);
void sweep_axis_free(sweep_axis *axis);

// sweep_folder.c: sweep.json says which sweep is in a folder. The caller frees the text.
char *sweep_definition(const sweep *sweep);
// May it go there? `same`: this very sweep is already there.
int sweep_folder_judge(const sweep *sweep, const char *wanted, bool *same);
int sweep_folder_remove(const sweep *sweep); // the runs of all members, old and new; returns an exit code

// sweep_pool.c: does the work of all waiting members in processes of their own, so many at once, until all are
// done or somebody asks to stop. `work` returns an exit code.
typedef struct sweep_work {
	const char *doing; // a word for the progress line
	int (*work)(const sweep *sweep, int member);
	bool check; // the first failure ends it, and what it says is about the scene
} sweep_work;

void sweep_pool_run(sweep *sweep, const sweep_work *work);

// sweep_table.c: what is in the summaries, a row for each member.
bool sweep_table_write(const sweep *sweep, talus_error *error);

// A whole file, which the caller frees; NULL if it is not there.
char *sweep_text_read(const char *folder, const char *name);

#endif
