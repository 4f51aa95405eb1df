// SPDX-License-Identifier: MIT
// Spread of normal forces, weak and strong ones, friction in use.
#include "packing.h"

static const talus_pair smooth = {.friction = 0}, rough = {.friction = 0.5};

// Forces 1, 2, 3, 10: the mean is 4, three are weak and carry 6 of 16 of the pressure. All spans are 2.
static void test_weak_and_strong(void **state)
{
	(void)state;
	static const double force[] = {10, 1, 3, 2};
	talus_world *world = packing_row(3, 5, &smooth);
	for (size_t i = 0; i < 4; i++)
		packing_push(world, i, force[i], 0);
	forces_state f = observe_forces(world);
	assert_true(f.pushing == 4 && f.pulling == 0);
	assert_near(f.mean, 4, 1e-13);
	assert_near(f.largest, 10, 1e-13);
	assert_near(f.weak_share, 0.75, 0);
	assert_near(f.weak_pressure_share, 6.0/16, 1e-13);
	assert_true(f.pull_share == 0 && f.mobilisation == 0 && f.sliding_share == 0);
	talus_world_destroy(world);
}

// What a weak contact adds to the pressure goes with the distance of the centres too.
static void test_sizes_count(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(0, 0, 0), 3, vec(0, 0, 0));
	unit_grain(world, vec(4, 0, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(6, 0, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	packing_push(world, unit_contact(world, 0, 1), 1, 0);
	packing_push(world, unit_contact(world, 1, 2), 3, 0);
	assert_near(observe_forces(world).weak_pressure_share, 1*4.0/(1*4 + 3*2), 1e-13);
	stress_state s = observe_stress(world); // and that is what the stress has
	assert_near(s.contact_pressure*3*s.volume, 10, 1e-11);
	talus_world_destroy(world);
}

static void test_histogram(void **state)
{
	(void)state;
	enum { ALL = 20 };
	talus_world *world = packing_row(2, ALL, &smooth);
	for (size_t i = 0; i < ALL; i++)
		packing_push(world, i, i == 0 ? 12 : i == 1 ? 0.105 : i == 2 ? -1 : 0.5, 0);
	force_histogram h = observe_force_histogram(world);
	double mean = (12 + 0.105 + 0.5*17)/19;
	assert_near(h.mean, mean, 1e-13);
	size_t wanted[FORCE_BINS + 1] = {[FORCE_BINS] = 1};
	wanted[(int)(0.105/mean*10)]++;
	wanted[(int)(0.5/mean*10)] += 17;
	assert_memory_equal(h.count, wanted, sizeof wanted);
	talus_world_destroy(world);
}

// Tangential parts of 0, a half and all of the limit; one that does not push has no limit.
static void test_friction(void **state)
{
	(void)state;
	talus_world *world = packing_row(2, 4, &rough);
	packing_push(world, 0, 2, 0);
	packing_push(world, 1, 2, -0.5);
	packing_push(world, 2, 4, 2);
	forces_state f = observe_forces(world);
	assert_near(f.mobilisation, 1.5/3, 1e-13);
	assert_near(f.sliding_share, 1.0/3, 1e-15);
	packing_push(world, 1, 2, 0.9985);
	assert_near(observe_forces(world).sliding_share, 1.0/3, 1e-15);
	packing_push(world, 1, 2, 0.9995);
	assert_near(observe_forces(world).sliding_share, 2.0/3, 1e-15);
	talus_world_destroy(world);
}

// Bonds pull, and add what they can hold to the limit of friction.
static void test_bonds(void **state)
{
	(void)state;
	talus_pair sticky = {.friction = 0.5, .cohesion = 3, .range = 0.1};
	talus_world *world = packing_row(3, 4, &sticky);
	assert_int_equal(world->report.bonds, 4);
	packing_push(world, 0, 1, 1);    // of 0.5 (1 + 3)
	packing_push(world, 1, -1, 0.5); // of 0.5 (-1 + 3)
	packing_push(world, 2, 3, 0);
	packing_push(world, 3, -3, 0); // it gives way: there is no limit
	forces_state f = observe_forces(world);
	assert_true(f.pushing == 2 && f.pulling == 2);
	assert_near(f.pull_share, 0.5, 0);
	assert_near(f.mean, 2, 1e-13);
	assert_near(f.weak_share, 0.5, 0);
	assert_near(f.mobilisation, 1.0/3, 1e-13);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world *world = packing_row(3, 2, &rough);
	forces_state f = observe_forces(world);
	assert_true(f.pushing == 0 && f.mean == 0 && f.largest == 0 && f.weak_share == 0 && f.weak_pressure_share == 0);
	assert_true(f.pull_share == 0 && f.mobilisation == 0 && f.sliding_share == 0);
	force_histogram h = observe_force_histogram(world);
	for (int i = 0; i <= FORCE_BINS; i++)
		assert_int_equal(h.count[i], 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weak_and_strong), cmocka_unit_test(test_sizes_count), cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_friction),        cmocka_unit_test(test_bonds),       cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
