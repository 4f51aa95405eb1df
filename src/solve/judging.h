// SPDX-License-Identifier: MIT
// The rule `error` from within: what its two files share, numbers per box (error.c) and the masses there (masses.c).
#ifndef TALUS_SOLVE_JUDGING_H
#define TALUS_SOLVE_JUDGING_H

#include "solve/solve.h"

// of a box
enum { COUNT = LOOK_COUNT, TENSOR = LOOK_TENSOR, HELD = LOOK_END, MASS = HELD + 3, BROUGHT, CELL = LOOK_CELL };
enum { STILL_SHARED, STILL_BROUGHT, SHARES, STILL_MASS = SHARES, STILL }; // by heavy bodies, and the mass of the others
#define NO_BOX UINT32_MAX

typedef struct other_glance { // at a contact that is in no batch: e/m, and is or would there be an impulse?
	vec3 v;
	bool any;
} other_glance;

typedef struct judging {
	const solver_workspace *ws;
	const schedule *plan; // whose batches have the plain contacts; NULL: they are where they came from
	const talus_problem *problem;
	vec3 drift;             // mean velocity of the bodies that are not heavy
	double unit, hold_unit; // of what is added up in boxes
	size_t chunks;          // copies of the boxes, one for each thread
} judging;

judge *judging_prepare(solver_workspace *ws, const talus_problem *problem);

static inline uint32_t judging_body_box(const judging *j, uint32_t body)
{
	return body < j->problem->error_cells.bodies ? j->ws->judge->box[body] : NO_BOX;
}

// A contact lies where one of its bodies is. Those that cannot be moved have lines behind all others.
static inline uint32_t judging_box(const judging *j, contact_bodies at)
{
	uint32_t box = judging_body_box(j, at.b/LINE);
	if (box == NO_BOX)
		box = judging_body_box(j, at.a/LINE);
	return box != NO_BOX ? box : 0;
}

#endif
