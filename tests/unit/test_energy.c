// SPDX-License-Identifier: MIT
// Kinetic and potential energy by hand.
#include "unit.h"

#include "observe/observe.h"

static void test_by_hand(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world_def def = unit_def(dimension);
		def.gravity = vec(0.5, -2, 0);
		talus_world *world = unit_world(&def, 0);
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(3, 4, 0);
		g.radius = 2;
		g.velocity = vec(1, -2, 0);
		g.spin = vec(0, 0, 3);
		g.force = vec(7, 0, 0);
		talus_world_add_grain(world, &g);
		unit_grain(world, vec(-1, 1, 0), 1, vec(0, 0, 0));
		double m = dimension == 2 ? 4*M_PI : 32*M_PI/3, small = dimension == 2 ? M_PI : 4*M_PI/3;
		double inertia = (dimension == 2 ? 0.5 : 0.4)*m*4;
		energies e = account_grains(&world->state);
		assert_near(e.kinetic, 0.5*m*5 + 0.5*inertia*9, 1e-12);
		assert_near(e.potential, -m*(1.5 - 8) - 21 - small*(-0.5 - 2), 1e-12);
		talus_world_destroy(world);
	}
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	energies e = account_grains(&world->state);
	assert_true(e.kinetic == 0 && e.potential == 0);
	talus_world_destroy(world);
}

// A grain that slides down a periodic chute loses height also when it comes in again on the other side.
static void test_across_the_border(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity = vec(1, 0, -5);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {10, 10, 0}, .periodic = {true, true, false}};
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(9.8, 5, 0), 1, vec(1, 0, 0));
	double before = account_grains(&world->state).potential, m = world->state.bodies.mass[0];
	for (int n = 0; n < 100; n++) {
		talus_world_step(world);
		world->list.stale = true; // wrap at once
	}
	assert_int_equal(world->state.bodies.image[0][0], 1);
	double way = 1 + 1e-4*100*101/2;
	assert_near(account_grains(&world->state).potential - before, -m*way - 5*m*1e-4*5*100*101/2, 1e-9*m);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_across_the_border),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
