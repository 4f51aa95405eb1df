// SPDX-License-Identifier: MIT
// Contacts that carry, rattlers, coordination, overlaps.
#include "unit.h"

#include "observe/observe.h"

// On the floor a triangle of three disks, one of them fixed, pressed together by gravity; and one far away.
static talus_world *pile(void)
{
	talus_world_def def = unit_def(2);
	def.gravity.y = -1;
	def.solver.iterations = 500;
	talus_world *world = unit_world(&def, 0.5);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0));
	talus_grain_def g = talus_grain_def_default();
	g.at = vec(-1.1, 1, 0);
	g.free = 0;
	talus_world_add_grain(world, &g);
	unit_grain(world, vec(1.1, 1, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(0, 1 + sqrt(4 - 1.21), 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(50, 50, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	return world;
}

// Bearing: 0-2, 1-2, floor-1. Ends at mobile grains: two at 2, two at 1, none at 3. Three mobile grains.
static void test_counts(void **state)
{
	(void)state;
	talus_world *world = pile();
	structure_state s = observe_structure(world);
	assert_int_equal(s.bearing, 3);
	assert_int_equal(s.rattlers, 1);
	assert_near(s.coordination, 4.0/3, 1e-15);
	static const int expected[] = {1, 2, 2, 0};
	for (uint32_t id = 0; id < 4; id++)
		assert_int_equal(world->bearing.at[unit_row(world, id)], expected[id]);
	talus_world_destroy(world);
}

// In 3D two contacts do not hold a grain.
static void test_rattlers_in_3d(void **state)
{
	(void)state;
	talus_world *world = pile();
	world->state.def.dimension = 3;
	assert_int_equal(observe_structure(world).rattlers, 3);
	talus_world_destroy(world);
}

// The far one is taken away, the two others hold each other up; a wall and a fixed grain count at one end.
static void test_network(void **state)
{
	(void)state;
	talus_world *world = pile();
	network_state n = observe_network(world);
	assert_true(n.grains == 2 && n.rattlers == 1);
	assert_near(n.coordination, 2, 0);
	world->state.def.dimension = 3;
	n = observe_network(world);
	assert_true(n.grains == 0 && n.rattlers == 3 && n.coordination == 0);
	talus_world_destroy(world);
}

// A loaded row is a network if it is closed. If not its ends are rattlers, then their neighbours, then all of it.
static void test_network_peels(void **state)
{
	(void)state;
	for (int closed = 0; closed < 2; closed++) {
		talus_world_def def = unit_def(2);
		def.cell = (talus_cell_def){.size = {20, 20, 0}, .periodic = {closed, true, false}};
		talus_world *world = unit_world(&def, 0);
		for (int i = 0; i < 10; i++)
			unit_grain(world, vec(2*i, 1, 0), 1, vec(0, 0, 0));
		talus_world_step(world);
		assert_int_equal(world->contacts.count, closed ? 10 : 9);
		for (size_t i = 0; i < world->contacts.count; i++)
			world->contacts.p[i] = world->contacts.contact[i].n;
		network_state n = observe_network(world);
		assert_true(n.grains == (closed ? 10 : 0) && n.rattlers == (closed ? 0 : 10));
		assert_near(n.coordination, closed ? 2 : 0, 0);
		talus_world_destroy(world);
	}
}

// Overlaps 0.02 and 0, both pressed; a pair that is near but apart does not count. Over the mean diameter 2.
static void test_overlap(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity.z = -1;
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 0.98), 1, vec(0, 0, 0));
	unit_grain(world, vec(5, 0, 1), 1, vec(0, 0, 0));
	unit_grain(world, vec(10, 0, 1.005), 1, vec(0, 0, 0));
	unit_grain(world, vec(15, 0, 1.005), 1, vec(0, 0, 0));
	talus_step_report report = talus_world_step(world);
	assert_int_equal(report.contacts, 4);
	assert_near(report.mean_overlap, 0.02/2/2, 1e-14);
	assert_near(report.max_overlap, 0.02/2, 1e-14);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	structure_state s = observe_structure(world);
	assert_true(s.bearing == 0 && s.rattlers == 0 && s.coordination == 0);
	network_state n = observe_network(world);
	assert_true(n.grains == 0 && n.rattlers == 0 && n.coordination == 0);
	world->report.mean_overlap = world->report.max_overlap = 1;
	energy_account_contacts(&(account_view){&world->state, &world->approach, &world->contacts}, &world->energy, &world->report);
	assert_true(world->report.mean_overlap == 0 && world->report.max_overlap == 0);
	bearing_count(&world->bearing, &world->state, &world->contacts);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_rattlers_in_3d),
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_network_peels),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
