// SPDX-License-Identifier: MIT
// Granular temperature.
#include "packing.h"

// Two grains of masses m and 8 m with velocities +-u about a common one: weighted by mass, and so are spins.
static void test_two(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world_def def = unit_def(dimension);
		talus_world *world = unit_world(&def, 0);
		unit_grain(world, vec(0, 0, 0), 1, vec(10 + 9, 5, 0));
		unit_grain(world, vec(9, 0, 0), 2, vec(10, 5, 0));
		bodies *b = &world->state.bodies;
		b->spin[0] = vec(0, 0, 3);
		double m0 = b->mass[0], m1 = b->mass[1], i0 = b->inertia[0], i1 = b->inertia[1];
		temperature_state t = observe_temperature(world);
		assert_near(t.motion, m0*m1/((m0 + m1)*(m0 + m1))*81/dimension, 1e-12); // reduced mass
		assert_near(t.spin, i0*i1/(i0 + i1)*9/(m0 + m1)/(dimension == 3 ? 3 : 1), 1e-12);
		talus_world_destroy(world);
	}
}

// Moving together, at rest and none: no temperature. What is fixed does not count.
static void test_cold(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	assert_true(observe_temperature(world).motion == 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(1, 2, 3));
	unit_grain(world, vec(5, 0, 0), 2, vec(1, 2, 3));
	talus_grain_def fixed = talus_grain_def_default();
	fixed.at = vec(0, 9, 0);
	fixed.free = 0;
	fixed.velocity = vec(100, 0, 0);
	talus_world_add_grain(world, &fixed);
	temperature_state t = observe_temperature(world);
	assert_near(t.motion, 0, 1e-28);
	assert_near(t.spin, 0, 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_two), cmocka_unit_test(test_cold)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
