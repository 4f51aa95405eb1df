// SPDX-License-Identifier: MIT
// The inside of a world: its state, who may touch whom, contacts, and what the method keeps.
#ifndef TALUS_WORLD_H
#define TALUS_WORLD_H

#include "account/bearing.h"
#include "account/energy_account.h"
#include "account/pushes.h"
#include "arrive/pour.h"
#include "base/memory.h"
#include "base/payoff.h"
#include "base/totals.h"
#include "collide/approach.h"
#include "collide/contacts.h"
#include "collide/pairs.h"
#include "law/laws.h"
#include "method/method.h"
#include "state/given.h"
#include "state/state.h"
#include <talus/extend.h>
#include <talus/talus.h>

struct talus_world {
	world_state state;
	const method *method;
	void *own; // what the method keeps
	parallel *crew; // all threads that there are; NULL: one
	pair_list list;
	approach approach;
	contacts contacts;
	law_set laws;
	pours pours;
	memory_pool pool; // what a stage needs for itself alone
	size_t team_from;   // with so many pairs, or half as many grains, a step is worth a team; 0: any is, however long it takes
	payoff payoff;      // of the steps that are worth one
	uint64_t shared;    // steps that a team has done, since the program started
	energy_account energy;
	bearing bearing;
	double start_overlap; // largest after the first step, a length: what the scene allows
	size_t removed;
	talus_step_report report;
	double mean_acceleration; // of the grains by which rest is judged, last step
	size_t grains_most; // that the files of its run have room for; 0: there is none
	push_function pushes;
	given_values given;
	struct world_api *api; // what the public functions keep between calls (api/api.h); NULL: nothing
};

// Making a world of values that are known to be right; who has them from outside asks first (api/check.h).
talus_world *world_create(const talus_world_def *def);
talus_solver_def world_solver_completed(talus_solver_def solver); // what is 0 and cannot be meant so has its default
void world_destroy(talus_world *world);
void world_set_threads(talus_world *world, int threads);
int world_add_material(talus_world *world, const char *name, double density);
void world_set_pair(talus_world *world, const talus_pair *pair);
int world_add_wall(talus_world *world, const talus_wall_def *def);
uint32_t world_add_grain(talus_world *world, const talus_grain_def *def);
void world_pour(talus_world *world, const talus_pour_def *def);

void world_refresh_laws(talus_world *world); // what contacts remember follows from the pairs of materials
// A step. Numbers that it reports only when somebody asks are found by the second, before the next one.
void world_step(talus_world *world);
void world_report(talus_world *world);

#endif
