// SPDX-License-Identifier: MIT
// What the tests of contact laws share: worlds with one law, and the books of energy.
#ifndef TALUS_TESTS_LAWS_H
#define TALUS_TESTS_LAWS_H

#include "physics.h"

static inline talus_world *world_of_law(const talus_world_def *def, talus_pair law)
{
	talus_world *world = world_of(def, 0);
	law.a = law.b = 0;
	talus_world_set_pair(world, &law);
	return world;
}

// Moment of inertia over m r^2, inverse: 5/2 for balls, 2 for disks.
static inline double spin_share(int dimension)
{
	return dimension == 2 ? 2 : 2.5;
}

static inline double inertia_of(const talus_world *world, uint32_t id)
{
	grain b = look(world, id);
	return b.m*b.r*b.r/spin_share(world->state.def.dimension);
}

static inline size_t row_of(const talus_world *world, uint32_t id)
{
	size_t row = 0;
	while (world->state.bodies.id[row] != id)
		row++;
	return row;
}

// What the books say must not change.
static inline double balance(const talus_world *world)
{
	talus_energy e = talus_world_energy(world);
	double lost = e.normal + e.friction + e.rolling + e.torsion + e.bonds + e.numerical;
	return e.kinetic + e.potential + lost - e.wall_work - e.driven_work - e.added;
}

// A step by which the books stay closed, to round-off of what is in them; `size` is an energy that counts as
// much.
static inline void step_in_balance(talus_world *world, double size)
{
	double before = balance(world);
	talus_world_step(world);
	talus_energy e = talus_world_energy(world);
	assert_near(balance(world), before, 1e-12*(size + e.kinetic + fabs(e.potential) + fabs(e.wall_work)));
}

#endif
