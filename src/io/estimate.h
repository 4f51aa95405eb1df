// SPDX-License-Identifier: MIT
// What a run will take, before it runs: time and disk. Estimates, good to a factor of a few.
#ifndef TALUS_IO_ESTIMATE_H
#define TALUS_IO_ESTIMATE_H

#include "io/advice.h"

typedef struct estimate {
	bool endless;    // it ends with rest, and nobody knows when
	double steps;    // of the run, or those that are counted of one without an end
	double contacts; // in a packing of all grains
	double sweeps;   // of a step
	double written, saved; // frames and checkpoints; like bytes
	double frames, log, checkpoint; // bytes; of a run without an end, those of a thousand steps
} estimate;

estimate estimate_make(const scene *scene, const advice_facts *facts);

// Seconds of so many updates of contacts and so many steps of grains, on one thread; by a trial of about a tenth of a second.
typedef struct estimate_cost {
	double update, grain;
} estimate_cost;

estimate_cost estimate_measure(int dimension);
double estimate_seconds(const estimate *e, const advice_facts *facts, estimate_cost cost); // of the run, or of a thousand steps

#endif
