// SPDX-License-Identifier: MIT
// Mean speed and acceleration, and who counts for them.
#include "unit.h"

#include "observe/observe.h"

// A disk held in a corner by gravity belongs to the network; one in flight and a fixed one do not count.
static talus_world *corner(bool periodic)
{
	talus_world_def def = unit_def(2);
	def.gravity = vec(-1, -1, 0);
	def.cell.periodic[0] = periodic;
	def.cell.size = vec(40, 0, 0);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0));
	unit_plane(world, "side", vec(0, 0, 0), vec(1, 0, 0));
	unit_grain(world, vec(1, 1, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(10, 10, 0), 1, vec(3, 4, 0));
	talus_grain_def g = talus_grain_def_default();
	g.at = vec(20, 20, 0);
	g.velocity = vec(100, 0, 0);
	g.free = 0;
	talus_world_add_grain(world, &g);
	return world;
}

static void test_before_the_first_step(void **state)
{
	(void)state;
	talus_world *world = corner(false);
	motion_state m = observe_motion(world);
	assert_false(m.network);
	assert_near(m.mean_speed, 2.5, 1e-14);
	assert_near(m.mean_acceleration, 0, 0);
	talus_world_destroy(world);
}

static void test_only_the_network_counts(void **state)
{
	(void)state;
	talus_world *world = corner(false);
	talus_world_step(world);
	motion_state m = observe_motion(world);
	assert_true(m.network);
	assert_int_equal(m.falling, norm(world->state.def.gravity) > 0); // the second one flies
	assert_near(m.mean_speed, 0, 1e-15);
	assert_near(m.mean_acceleration, 0, 1e-12);
	world->state.bodies.v[unit_row(world, 0)] = vec(0, 7, 0);
	assert_near(observe_motion(world).mean_speed, 7, 1e-14);
	talus_world_destroy(world);
}

// The acceleration is the change of velocity over the step: here the corner takes the speed 2 away at once.
static void test_acceleration(void **state)
{
	(void)state;
	talus_world *world = corner(false);
	world->state.bodies.v[0] = vec(-2, -2, 0);
	talus_world_step(world);
	assert_near(observe_motion(world).mean_acceleration, 2*sqrt(2)/0.01, 1e-9);
	talus_world_destroy(world);
}

// Along a periodic direction only velocities relative to the common one count.
static void test_common_velocity(void **state)
{
	(void)state;
	talus_world *world = corner(true);
	talus_world_step(world);
	world->state.bodies.v[unit_row(world, 0)] = vec(5, 2, 0);
	assert_near(observe_motion(world).mean_speed, 2, 1e-14);
	talus_world_destroy(world);
}

// One ball on the floor has too few contacts for a network of its own kind, and is at rest all the same. Another one
// in the air is not.
static void test_one_ball(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity = vec(0, 0, -1);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 1), 1, vec(0, 0, 0));
	talus_world_step(world);
	motion_state m = observe_motion(world);
	assert_true(m.network && !m.falling);
	assert_near(m.mean_speed, 0, 1e-15);
	assert_near(m.mean_acceleration, 0, 1e-12);
	unit_grain(world, vec(5, 0, 9), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_true(observe_motion(world).falling);
	assert_near(observe_motion(world).mean_speed, 0.5*0.01, 1e-12);
	talus_world_destroy(world);
}

// Nobody carries anything: then all that can move count.
static void test_no_network(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	assert_near(observe_motion(world).mean_speed, 0, 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(1, 2, 2));
	unit_grain(world, vec(9, 0, 0), 1, vec(0, 0, 1));
	talus_world_step(world);
	motion_state m = observe_motion(world);
	assert_false(m.network);
	assert_near(m.mean_speed, 2, 1e-14);
	talus_world_destroy(world);
}

// Grains that came after the last step carry nothing yet.
static void test_after_adding(void **state)
{
	(void)state;
	talus_world *world = corner(false);
	talus_world_step(world);
	for (int i = 0; i < 500; i++)
		unit_grain(world, vec(100 + 3*i, 100, 0), 1, vec(9, 0, 0));
	assert_near(observe_motion(world).mean_speed, 0, 1e-15);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before_the_first_step),
		cmocka_unit_test(test_only_the_network_counts),
		cmocka_unit_test(test_acceleration),
		cmocka_unit_test(test_common_velocity),
		cmocka_unit_test(test_one_ball),
		cmocka_unit_test(test_no_network),
		cmocka_unit_test(test_after_adding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
