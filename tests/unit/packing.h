// SPDX-License-Identifier: MIT
// Worlds with contacts made by hand, for tests of what is measured in packings.
#ifndef TALUS_TESTS_PACKING_H
#define TALUS_TESTS_PACKING_H

#include "unit.h"

#include "observe/observe.h"

// A row of unit grains along x in open space with so many contacts, none of which carries anything yet.
static inline talus_world *packing_row(int dimension, int contacts_wanted, const talus_pair *law)
{
	talus_world_def def = unit_def(dimension);
	talus_world *world = unit_world(&def, 0);
	talus_world_set_pair(world, law);
	for (int i = 0; i <= contacts_wanted; i++)
		unit_grain(world, vec(2*i, 0, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_int_equal(world->contacts.count, contacts_wanted);
	for (size_t i = 0; i < world->contacts.count; i++)
		world->contacts.p[i] = vec(0, 0, 0);
	return world;
}

// The contact's force has these parts along its normal and along a tangent.
static inline void packing_push(talus_world *world, size_t i, double along, double tangent)
{
	const talus_contact *c = &world->contacts.contact[i];
	vec3 t = world->state.def.dimension == 2 ? vec(-c->n.y, c->n.x, 0) : any_tangent(c->n);
	world->contacts.p[i] = mul(world->state.def.step, add(mul(along, c->n), mul(tangent, t)));
}

// Grains that have just fallen into a box: enough of them that sums have several blocks.
static inline talus_world *packing_fallen(int dimension, int threads)
{
	talus_world_def def = unit_def(dimension);
	bool flat = dimension == 2;
	vec3 up = flat ? vec(0, 1, 0) : vec(0, 0, 1);
	def.gravity = mul(-1, up);
	def.step = 0.05;
	def.solver.iterations = 10;
	talus_world *world = unit_world(&def, 0.4);
	talus_world_set_threads(world, threads);
	unit_plane(world, "floor", vec(0, 0, 0), up);
	dice d = dice_make(3);
	int across = flat ? 60 : 12;
	for (int i = 0; i < 2500; i++) {
		int column = i%across, row = flat ? i/across : i/across%across, layer = flat ? 0 : i/(across*across);
		vec3 at = flat ? vec(2.01*column, 1.01 + 2.01*row, 0) : vec(2.01*column, 2.01*row, 1.01 + 2.01*layer);
		vec3 v = mul(0.3, roll_direction(&d, dimension));
		unit_grain(world, at, roll(&d, 0.9, 1), v);
	}
	for (int step = 0; step < 30; step++)
		talus_world_step(world);
	return world;
}

#endif
