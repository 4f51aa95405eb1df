// SPDX-License-Identifier: MIT
// Are contacts spread evenly over space?
#include "packing.h"

static const talus_pair smooth = {.friction = 0};

// A row of 41 grains, 82 long: ten boxes of 8.2, contacts at 1, 3, ... 79.
static void test_row(void **state)
{
	(void)state;
	talus_world *world = packing_row(2, 40, &smooth);
	for (size_t i = 0; i < 40; i++)
		packing_push(world, i, 1, 0);
	homogeneity_state h = observe_homogeneity(world);
	assert_int_equal(h.boxes, 10);
	assert_near(h.mean, 4, 0);
	assert_near(h.deviation, 0, 0);
	assert_near(h.poisson, 0.5, 0);
	for (size_t i = 20; i < 40; i++) // one half of it is empty
		world->contacts.p[i] = vec(0, 0, 0);
	h = observe_homogeneity(world);
	assert_near(h.mean, 2, 0);
	assert_near(h.deviation, 1, 1e-14);
	talus_world_destroy(world);
}

// Contacts in random places of a periodic cell are as uneven as Poisson says.
static void test_random_places(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.size = {80, 80, 80}, .periodic = {true, true, true}};
	talus_world *world = unit_world(&def, 0);
	for (int i = 0; i < 8000; i++) // pairs, with room between them
		unit_grain(world, vec(4*(i%20), 4*(i/20%20), 4*(i/400)), 1.999, vec(0, 0, 0));
	talus_world_step(world);
	assert_true(world->contacts.count >= 8000);
	dice d = dice_make(1);
	for (size_t i = 0; i < 8000; i++) {
		packing_push(world, i, 1, 0);
		world->state.bodies.x[i] = roll_in(&d, vec(0, 0, 0), vec(80, 80, 80));
	}
	for (size_t i = 8000; i < world->contacts.count; i++)
		world->contacts.p[i] = vec(0, 0, 0);
	for (size_t i = 0; i < 8000; i++)
		world->contacts.contact[i].b = (uint32_t)i;
	homogeneity_state h = observe_homogeneity(world);
	assert_int_equal(h.boxes, 125);
	assert_near(h.mean, 64, 0);
	assert_near(h.deviation/h.poisson, 1, 0.2);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	assert_true(observe_homogeneity(world).boxes == 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
	homogeneity_state h = observe_homogeneity(world);
	assert_true(h.boxes == 1 && h.mean == 0 && h.deviation == 0 && h.poisson == 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_row), cmocka_unit_test(test_random_places),
	                                   cmocka_unit_test(test_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
