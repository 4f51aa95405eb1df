// SPDX-License-Identifier: MIT
// The stages of a step, for tests that look between them.
#ifndef TALUS_TESTS_STAGES_H
#define TALUS_TESTS_STAGES_H

#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "world.h"

// Up to the contacts, which have no laws yet.
static inline void stages_to_contacts(talus_world *world)
{
	for (int w = 0; w < world->state.walls.count; w++)
		wall_begin_step(&world->state.walls.at[w], world->state.time, world->state.def.step);
	contact_dynamics_predict(&world->state, &world->approach);
	if (grid_used_up(&world->state, &world->approach, &world->list))
		grid_build(&world->state, &world->approach, &world->list);
	narrow_begin(&world->state, &world->list);
	narrow_find(&world->state, &world->approach, &world->list, &world->contacts, NULL);
	rows_reserve(&contact_dynamics_of(world)->rows, &world->contacts);
}

#endif
