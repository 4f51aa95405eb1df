// SPDX-License-Identifier: MIT
// Stress, pressure and volume fraction by hand.
#include "unit.h"

#include "observe/observe.h"

// A row of grains along x in a periodic cell, each pressed on the next with the force F: sigma_xx = F/(Ly
// Lz), nothing else.
static void test_pressed_row(void **state)
{
	(void)state;
	enum { COUNT = 5 };
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {2*COUNT, 7, 11}, .periodic = {true, true, true}};
	talus_world *world = unit_world(&def, 0.3);
	for (int i = 0; i < COUNT; i++)
		unit_grain(world, vec(2*i, 1, 1), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_int_equal(world->contacts.count, COUNT);
	for (size_t i = 0; i < COUNT; i++)
		world->contacts.p[i] = mul(0.03, world->contacts.contact[i].n);
	stress_state s = observe_stress(world);
	assert_near(s.volume, 2*COUNT*7*11, 1e-9);
	assert_near(s.stress[0][0], 3.0/77, 1e-13);
	assert_near(s.pressure, 1.0/77, 1e-13);
	assert_near(s.volume_fraction, COUNT*4*M_PI/3/s.volume, 1e-14);
	for (int k = 1; k < 9; k++)
		assert_near(s.stress[k/3][k%3], 0, 1e-14);
	assert_near(s.deviator, 3.0/77, 1e-13); // uniaxial: the stress itself
	assert_near(s.contact_pressure, s.pressure, 0);
	assert_near(s.kinetic_pressure, 0, 0);
	talus_world_destroy(world);
}

// One contact along y with an impulse that has a tangential part: sigma_ij = F_i l_j/V, l from a to b.
static void test_shear(void **state)
{
	(void)state;
	talus_world_def def = unit_def(2);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {10, 10, 0}, .periodic = {true, true, false}};
	talus_world *world = unit_world(&def, 0.5);
	unit_grain(world, vec(5, 4, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(5, 5.9, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_int_equal(world->contacts.count, 1);
	world->contacts.p[0] = vec(-0.02, 0.05, 0); // force -2, 5 on the upper one; l = (0, 1.9)
	stress_state s = observe_stress(world);
	assert_near(s.stress[0][1], -2*1.9/100, 1e-13);
	assert_near(s.stress[1][1], 5*1.9/100, 1e-13);
	assert_near(s.stress[1][0], 0, 1e-13);
	assert_near(s.stress[0][0], 0, 1e-13);
	assert_near(s.pressure, 0.5*5*1.9/100, 1e-13);
	assert_near(s.deviator, 0.5*hypot(5, 2)*1.9/100, 1e-13); // of the symmetric part: half of s_yy, and s_xy/2
	assert_near(s.volume_fraction, 2*M_PI/100, 1e-14);
	talus_world_destroy(world);
}

// A gas of two: m v v relative to the common velocity; open space counts as wide as the grains reach.
static void test_motion_and_open_space(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(10, 3, 1));
	unit_grain(world, vec(8, 4, 3), 1, vec(10, -1, 1));
	double m = 4*M_PI/3;
	stress_state s = observe_stress(world);
	assert_near(s.volume, 10*6*5, 1e-12);
	assert_near(s.stress[1][1], 2*m*4/300, 1e-14);
	assert_near(s.stress[0][0], 0, 1e-14);
	assert_near(s.pressure, 2*m*4/900, 1e-14);
	assert_near(s.kinetic_pressure, s.pressure, 0);
	assert_near(s.kinetic[1][1], s.stress[1][1], 0);
	assert_near(s.contact_pressure, 0, 0);
	talus_world_destroy(world);
}

// A ball on the floor: the force on it acts over its radius.
static void test_wall_contact(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 2), 2, vec(0, 0, 0));
	talus_world_step(world);
	double weight = 32*M_PI/3;
	assert_near(observe_stress(world).stress[2][2], weight*2/64, 1e-12);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	stress_state s = observe_stress(world);
	assert_true(s.volume == 0 && s.pressure == 0 && s.volume_fraction == 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pressed_row),
		cmocka_unit_test(test_shear),
		cmocka_unit_test(test_motion_and_open_space),
		cmocka_unit_test(test_wall_contact),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
