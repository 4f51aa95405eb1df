// SPDX-License-Identifier: MIT
// What two runs have cost, from their summaries; from the checkpoint while there is none.
#include "compare.h"

#include "info_summary.h"

#include <math.h>

const cost_name cost_names[COSTS] = {
	[COST_SECONDS] = {"seconds", "seconds, by the clock"},
	[COST_SOLVER] = {"seconds_solver", "of these in the solver"},
	[COST_STEPS] = {"steps", "steps"},
	[COST_PER_STEP] = {"seconds_per_step", "seconds a step"},
	[COST_PER_GRAIN] = {"seconds_per_grain_and_time", "seconds a grain and unit of time"},
	[COST_ITERATIONS] = {"iterations_per_step", "iterations a step"},
	[COST_PER_UPDATE] = {"seconds_per_contact_update", "seconds of the solver a contact update"},
	[COST_THREADS] = {"threads", "threads allowed"},
};

static void cost_of(const compared_run *run, int r, costs *found)
{
	double(*value)[RUNS] = found->value;
	double time = info_number(run->summary, "time"), grains = info_number(run->summary, "grains");
	value[COST_SECONDS][r] = info_number(run->summary, "seconds");
	value[COST_STEPS][r] = info_number(run->summary, "steps");
	if (!run->summary && run->has_checkpoint) {
		value[COST_SECONDS][r] = run->checkpoint.seconds;
		value[COST_STEPS][r] = (double)run->checkpoint.step;
		time = run->checkpoint.time;
		grains = (double)run->checkpoint.grains;
	}
	value[COST_SOLVER][r] = info_number(run->summary, "seconds_solver");
	value[COST_PER_STEP][r] = value[COST_SECONDS][r]/value[COST_STEPS][r];
	value[COST_PER_GRAIN][r] = value[COST_SECONDS][r]/(grains*time);
	value[COST_ITERATIONS][r] = info_number(run->summary, "iterations")/value[COST_STEPS][r];
	value[COST_PER_UPDATE][r] = value[COST_SOLVER][r]/info_number(run->summary, "contact_updates");
	value[COST_THREADS][r] = info_number(run->summary, "threads");
}

costs costs_find(const compared_run run[RUNS])
{
	costs found = {0};
	for (int r = A; r < RUNS; r++) {
		cost_of(&run[r], r, &found);
		for (int k = 0; k < COSTS; k++)
			if (!isfinite(found.value[k][r]))
				found.value[k][r] = NAN;
		info_text(run[r].summary, "host", found.host[r], sizeof found.host[r]);
		info_text(run[r].summary, "version", found.version[r], sizeof found.version[r]);
	}
	return found;
}
