// SPDX-License-Identifier: MIT
// Force and torque on walls, and the work that they do.
#include "unit.h"

#include "observe/observe.h"

// Two balls on a floor: its force is their weight, its torque about its point that of the two weights.
static void test_weight(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -2;
	talus_world *world = unit_world(&def, 0.3);
	unit_plane(world, "floor", vec(1, 0, 0), vec(0, 0, 1));
	unit_plane(world, "away", vec(0, 0, 90), vec(0, 0, -1));
	unit_grain(world, vec(4, 0, 1), 1, vec(0, 0, 0));
	unit_grain(world, vec(0, 5, 2), 2, vec(0, 0, 0));
	talus_world_step(world);
	double light = 2*4*M_PI/3, heavy = 8*light;
	talus_wall_state w = talus_world_wall(world, 0);
	assert_string_equal(w.name, "floor");
	assert_near3(w.force, vec(0, 0, -light - heavy), 1e-11);
	assert_near3(w.torque, add(cross(vec(3, 0, 0), vec(0, 0, -light)),
		cross(vec(-1, 5, 0), vec(0, 0, -heavy))), 1e-11);
	assert_near3(talus_world_wall(world, 1).force, vec(0, 0, 0), 0);
	for (int step = 0; step < 3; step++)
		talus_world_step(world);
	// of one step, not of all
	assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -light - heavy), 1e-11);
	talus_world_destroy(world);
}

// A belt under a ball that is held in place except for its height: friction mu N against the belt, work mu N
// times its way.
static void test_work(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	talus_world *world = unit_world(&def, 0.25);
	talus_wall_def belt = talus_wall_def_default(TALUS_WALL_PLANE);
	belt.velocity = vec(3, 0, 0);
	talus_world_add_wall(world, &belt);
	talus_grain_def g = talus_grain_def_default();
	g.at.z = 1;
	g.free = TALUS_FREE_Z;
	talus_world_add_grain(world, &g);
	for (int step = 0; step < 100; step++)
		talus_world_step(world);
	double weight = 4*M_PI/3;
	assert_near3(talus_world_wall(world, 0).force, vec(-0.25*weight, 0, -weight), 1e-10);
	assert_near(world->energy.wall_work, 0.25*weight*3*1, 1e-9);
	// what gravity gives and the contact takes within a step, m (g dt)^2/2, may be counted as dissipated
	// or not
	assert_near(energy_account_dissipated(&world->energy), world->energy.wall_work, 100*0.5*weight*1e-4 + 1e-9);
	talus_world_destroy(world);
}

// A drum that spins about y rubs a ball that does not turn: torque mu N R on the drum, about its axis.
static void test_torque_on_a_drum(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	talus_world *world = unit_world(&def, 0.25);
	talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
	drum.axis = vec(0, 1, 0);
	drum.radius = 5;
	drum.spin = 2;
	talus_world_add_wall(world, &drum);
	talus_grain_def g = talus_grain_def_default();
	g.at.z = -4;
	g.free = TALUS_FREE_Z;
	talus_world_add_grain(world, &g);
	talus_world_step(world);
	double weight = 4*M_PI/3;
	// the lowest point moves along w x r = (0, 2, 0) x (0, 0, -5) = (-10, 0, 0); the ball rubs it back
	assert_near3(talus_world_wall(world, 0).force, vec(0.25*weight, 0, -weight), 1e-10);
	assert_near3(talus_world_wall(world, 0).torque, vec(0, -5*0.25*weight, 0), 1e-10);
	assert_near(world->energy.wall_work, 0.25*weight*10*0.01, 1e-10);
	talus_world_destroy(world);
}

// A piston is no prescribed wall: no work of walls. At rest it carries its load.
static void test_piston(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.solver.iterations = 1000;
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	talus_wall_def p = talus_wall_def_default(TALUS_WALL_PLANE);
	p.point.z = 2;
	p.axis = vec(0, 0, -1);
	p.mass = 3;
	p.force = vec(0, 0, -5);
	p.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &p);
	unit_grain(world, vec(0, 0, 1), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_near3(talus_world_wall(world, 1).force, vec(0, 0, 5), 1e-9);
	assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -5), 1e-9);
	assert_near(world->energy.wall_work, 0, 1e-12);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_torque_on_a_drum),
		cmocka_unit_test(test_piston),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
