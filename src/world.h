// SPDX-License-Identifier: MIT
// The inside of a world: its state, who may touch whom, contacts, and what the method keeps.
#ifndef TALUS_WORLD_H
#define TALUS_WORLD_H

#include "account/bearing.h"
#include "account/energy_account.h"
#include "arrive/pour.h"
#include "base/memory.h"
#include "base/payoff.h"
#include "base/totals.h"
#include "collide/approach.h"
#include "collide/contacts.h"
#include "collide/pairs.h"
#include "method/audit.h"
#include "method/crush.h"
#include "state/state.h"
#include <talus/extend.h>
#include <talus/talus.h>

typedef struct scratch { // buffers that live as long as the world and only grow
	size_t pistons, piston_capacity;
	talus_piston *piston; // walls that are one, in their order
	struct solver_workspace *solver_workspace; // of the solver, solve/solve.h
	size_t coarse_capacity;
	uint32_t *coarse; // per grain: its box, for the solver's judgement
	memory_pool pool;
} scratch;

struct talus_world {
	world_state state;
	parallel *crew; // all threads that there are; NULL: one
	pair_list list;
	approach approach;
	contacts contacts;
	pours pours;
	scratch scratch;
	size_t team_from;   // with so many pairs, or half as many grains, a step is worth a team; 0: any is, however long it takes
	payoff payoff;      // of the steps that are worth one
	uint64_t shared;    // steps that a team has done, since the program started
	energy_account energy;
	bearing bearing;
	talus_flow flow; // of the last solve; the cell's rate becomes its
	talus_solve_memory memory;
	audit audit;
	crush crush;
	double start_overlap; // largest after the first step, a length: what the scene allows
	size_t removed;
	talus_step_report report;
	bool residual_due; // nobody has asked for that of the last step yet
	double mean_acceleration; // of the grains by which rest is judged, last step
};

// A step; its residual is found only when somebody wants to report it, before the next one.
void world_step(talus_world *world);

// method/step_forces.c
void world_find_residual(talus_world *world);
talus_problem world_problem(talus_world *world); // of the contacts and motion lines as they are
void world_find_and_solve(talus_world *world);    // contacts, laws, impulses of a step

#endif
