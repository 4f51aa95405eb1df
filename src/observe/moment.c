// SPDX-License-Identifier: MIT
// When it is, who is there, and the cell around them.
#include "observe/observe.h"

#include <string.h>

typedef struct moment {
	uint64_t step;
	double time;
	size_t grains, removed;
} moment;

static void moment_measure(observations *seen, void *result)
{
	const talus_world *world = seen->world;
	*(moment *)result = (moment){world->state.step, world->state.time, world->state.bodies.count, world->removed};
}

static const measurement moment_measurement = {sizeof(moment), moment_measure};
#define MOMENT(member) OBSERVABLE_AT(moment_measurement, moment, member)

const observable moment_observables[] = {
	{"step", "steps done", "", MOMENT(step), .log = 1, .summary = 2, .key = "steps", .always = true},
	{"time", "time", "T", MOMENT(time), .log = 2, .summary = 1, .always = true},
	{"grains", "number of grains", "", MOMENT(grains), .log = 3, .summary = 3, .always = true},
	{"removed", "grains that have left the domain since the start", "", MOMENT(removed), .log = 4, .summary = 4, .always = true},
	{0},
};

// ---------------------------------------------------------------- the cell

static void cell_measure(observations *seen, void *result)
{
	*(cell *)result = seen->world->state.cell;
}

static const measurement cell_measurement = {sizeof(cell), cell_measure};
#define CELL(member) OBSERVABLE_AT(cell_measurement, cell, member)

const observable cell_observables[] = {
	{"cell", "edges of the cell as columns; 1 on the diagonal for open directions", "L", CELL(h), .shape = TALUS_TENSOR,
	 .log = 16, .summary = 32},
	{"rate", "velocity gradient L of a cell that deforms, at the end of the step; 0 where it does not", "1/T",
	 CELL(rate), .shape = TALUS_TENSOR, .log = 52, .summary = 33, .frames = 28},
	{0},
};
