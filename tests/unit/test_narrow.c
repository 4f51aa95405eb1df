// SPDX-License-Identifier: MIT
// Pairs become contacts: who is one, with which normal and gap, and who is found late.
#include "unit.h"

#include "stages.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "state/wall.h"

// How many contacts two grains have whose gap is g, approaching with the speed v; the step is 0.01, the
// margin 0.01 radii.
static size_t contacts_at(double gap, double v)
{
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(0.25*v, 0, 0));
	unit_grain(world, vec(2 + gap, 0, 0), 1, vec(-0.75*v, 0, 0));
	stages_to_contacts(world);
	size_t count = world->contacts.count;
	talus_world_destroy(world);
	return count;
}

static void test_who_is_a_contact(void **state)
{
	(void)state;
	assert_int_equal(contacts_at(-0.1, 0), 1);
	assert_int_equal(contacts_at(0.009, 0), 1);
	assert_int_equal(contacts_at(0.011, 0), 0);
	for (double v = 1; v <= 10000; v *= 10) {
		assert_int_equal(contacts_at(0.01*v + 0.009, v), 1);
		assert_int_equal(contacts_at(0.01*v + 0.011, v), 0);
	}
}

// The normal points from the older to the younger grain, the gap is the distance of the surfaces, also across
// the border.
static void test_geometry(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {10, 10, 10}, .periodic = {true, true, true}};
	talus_world *world = unit_world(&def, 0);
	uint32_t first = unit_grain(world, vec(9.5, 5, 5), 1, vec(0, 0, 0));
	uint32_t second = unit_grain(world, vec(0.7, 5, 6.3), 0.8, vec(0, 0, 0));
	stages_to_contacts(world);
	assert_int_equal(world->contacts.count, 1);
	const talus_contact *c = &world->contacts.contact[0];
	double distance = hypot(1.2, 1.3);
	assert_int_equal(world->state.bodies.id[c->a], first);
	assert_int_equal(world->state.bodies.id[c->b], second);
	assert_near3(c->n, mul(1/distance, vec(1.2, 0, 1.3)), 1e-14);
	assert_near(world->contacts.contact[0].gap, distance - 1.8, 1e-14);
	assert_true(world->contacts.contact[0].wall == NO_WALL);
	talus_world_destroy(world);
}

static void test_centres_that_coincide(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(1, 1, 1), 1, vec(0, 0, 0));
	unit_grain(world, vec(1, 1, 1), 1, vec(0, 0, 0));
	stages_to_contacts(world);
	assert_int_equal(world->contacts.count, 1);
	assert_near(norm(world->contacts.contact[0].n), 1, 1e-15);
	assert_near(world->contacts.contact[0].gap, -2, 1e-15);
	talus_step_report report = talus_world_step(world);
	assert_true(isfinite(report.residual) && finite3(world->state.bodies.x[0]));
	talus_world_destroy(world);
}

// A wall is a, the grain is b. A spinning wall has a line of its own at each contact, with the velocity it
// has there.
static void test_walls(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	talus_wall_def disc = talus_wall_def_default(TALUS_WALL_PLANE);
	disc.point = vec(1, 0, 8);
	disc.axis = vec(0, 0, -1);
	disc.spin = 2;
	talus_world_add_wall(world, &disc);
	unit_grain(world, vec(3, 0, 1), 1, vec(0, 0, 0));
	unit_grain(world, vec(3, 0, 7.005), 1, vec(0, 0, 0));
	unit_grain(world, vec(1, 5, 7), 1, vec(0, 0, 0));
	stages_to_contacts(world);
	assert_int_equal(world->contacts.count, 3);
	assert_int_equal(world->contacts.wall_lines, 2);
	for (size_t i = 0; i < 3; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		uint32_t w = world->contacts.contact[i].wall;
		vec3 x = world->state.bodies.x[c->b], v = world->approach.motion[c->a].v;
		assert_near3(c->n, vec(0, 0, w ? -1 : 1), 1e-15);
		assert_near(world->contacts.contact[i].gap, x.z == 7.005 ? -0.005 : 0, 1e-12);
		assert_near3(v, w ? mul(2, cross(vec(0, 0, -1), sub(x, vec(1, 0, x.z)))) : vec(0, 0, 0),
			1e-14);
		assert_true(contacts_body_a(world->contacts.contact[i].key) == -1 - (int64_t)w);
	}
	talus_world_destroy(world);
}

// Contacts of bodies with locked directions come after all plain ones; what cannot be pushed at all is none.
static void test_plain_first(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, -1), vec(0, 0, 1));
	static const unsigned free[] = {TALUS_FREE_X | TALUS_FREE_SPIN, TALUS_FREE_ALL, TALUS_FREE_ALL, 0,
		TALUS_FREE_Y};
	for (int i = 0; i < 5; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(2*i, 0, 0);
		g.free = free[i];
		talus_world_add_grain(world, &g);
	}
	stages_to_contacts(world);
	// 0-1 general; 1-2, 2-3, 1-floor, 2-floor plain; 3-4 along x: neither can be pushed; 0 and 4 on the
	// floor likewise
	assert_int_equal(world->contacts.class_end[TALUS_COULOMB], 4);
	assert_int_equal(world->contacts.count, 5);
	for (size_t i = 0; i < 5; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		uint32_t wall_of = world->contacts.contact[i].wall;
		assert_int_equal(state_contact_kind(&world->state, c->a, c->b, wall_of), i >= 4 ? FULL_MASS : PLAIN);
	}
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- late contacts

static void assert_no_overlap(const talus_world *world, double tolerance)
{
	const bodies *b = &world->state.bodies;
	for (size_t i = 0; i < b->count; i++) {
		for (size_t j = i + 1; j < b->count; j++) {
			vec3 d = cell_nearest(&world->state.cell, sub(b->x[i], b->x[j]));
			assert_true(norm(d) - b->radius[i] - b->radius[j] > -tolerance);
		}
		for (int w = 0; w < world->state.walls.count; w++) {
			touch t[WALL_TOUCHES];
			assert_int_equal(wall_touch(&world->state.walls.at[w], vec(0, 0, 0), world->state.def.dimension, b->x[i],
				b->radius[i], -tolerance, t), 0);
		}
	}
}

// A heavy ball kicks a light one, which within the same step meets a third, and that one a wall: nobody
// foresaw it.
static void test_a_kick_is_found_late(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.solver.iterations = 3000; // light grains between a heavy one and a wall
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "end", vec(10.3, 0, 0), vec(-1, 0, 0));
	unit_grain(world, vec(0, 0, 0), 2, vec(40, 0, 0));
	unit_grain(world, vec(2.5, 0, 0), 0.5, vec(0, 0, 0));
	unit_grain(world, vec(3.5 + 0.06, 0, 0), 0.5, vec(0, 0, 0));
	size_t late = 0;
	for (int step = 0; step < 30; step++) {
		late += talus_world_step(world).missed_contacts;
		assert_no_overlap(world, 1e-6);
	}
	assert_true(late > 0);
	talus_world_destroy(world);
}

// A late pair and a late wall take part until the step is over, not longer.
static void test_late_marks_end_with_the_step(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, -1.2), vec(0, 0, 1));
	unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
	unit_grain(world, vec(2.2, 0, 5), 1, vec(0, 0, 0));
	unit_grain(world, vec(0, 0, 5), 1, vec(0, 0, 0));
	contact_dynamics_predict(&world->state, &world->approach);
	grid_build(&world->state, &world->approach, &world->list);
	narrow_begin(&world->state, &world->list);
	narrow_find(&world->state, &world->approach, &world->list, &world->contacts, NULL);
	assert_int_equal(world->contacts.count, 0);
	world->approach.motion[unit_row(world, 0)].v = vec(0, 0, -0.3/def.step);
	world->approach.motion[unit_row(world, 2)].v = vec(0.3/def.step, 0, 0);
	assert_int_equal(narrow_late(&world->state, &world->approach, &world->list), 2);
	contact_dynamics_predict(&world->state, &world->approach);
	for (int round = 0; round < 2; round++) {
		narrow_find(&world->state, &world->approach, &world->list, &world->contacts, NULL);
		assert_int_equal(world->contacts.count, 2);
	}
	narrow_begin(&world->state, &world->list);
	narrow_find(&world->state, &world->approach, &world->list, &world->contacts, NULL);
	assert_int_equal(world->contacts.count, 0);
	talus_world_destroy(world);
}

// Shots so fast that a step carries them over many grains do not pass through anybody: the list follows the
// velocities.
static void test_nobody_is_jumped_over(void **state)
{
	(void)state;
	for (int k = 0; k < 4; k++) {
		talus_world_def def = unit_def(k%2 ? 3 : 2);
		def.solver.iterations = 500;
		talus_world *world = unit_world(&def, 0);
		unit_plane(world, "end", vec(20, 0, 0), vec(-1, 0, 0));
		for (int i = 0; i < 3; i++)
			unit_grain(world, vec(5 + 4*i, 0, 0), 1, vec(0, 0, 0));
		unit_grain(world, vec(0, 0.1, 0), k < 2 ? 1 : 0.3, vec(3000, 0, 0));
		talus_world_step(world);
		assert_no_overlap(world, 1e-5);
		talus_world_destroy(world);
	}
}

// A piston that its force throws forward within one step stops at the grain in its way.
static void test_a_piston_does_not_jump_over_grains(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
	piston.point = vec(0, 0, 5);
	piston.axis = vec(0, 0, -1);
	piston.mass = 1e-3;
	piston.force = vec(0, 0, -100);
	piston.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &piston);
	unit_grain(world, vec(0, 0, 1), 1, vec(0, 0, 0));
	for (int step = 0; step < 5; step++) {
		talus_world_step(world);
		assert_no_overlap(world, 1e-6);
	}
	assert_near(world->state.walls.at[1].point.z, 2, 1e-6);
	talus_world_destroy(world);
}

// In a narrow cell a fast grain may reach another one on both sides: two contacts, told apart.
static void test_keys_are_unique(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {5.2, 0, 0}, .periodic = {true, false, false}};
	talus_world *world = unit_world(&def, 0);
	unit_grain(world, vec(1, 0, 0), 1, vec(100, 0, 0));
	unit_grain(world, vec(3.6, 0, 0), 1, vec(0, 0, 0));
	stages_to_contacts(world);
	for (size_t i = 0; i < world->contacts.count; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(world->contacts.contact[i].key != world->contacts.contact[j].key);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_is_a_contact),
		cmocka_unit_test(test_geometry),
		cmocka_unit_test(test_centres_that_coincide),
		cmocka_unit_test(test_walls),
		cmocka_unit_test(test_plain_first),
		cmocka_unit_test(test_a_kick_is_found_late),
		cmocka_unit_test(test_late_marks_end_with_the_step),
		cmocka_unit_test(test_nobody_is_jumped_over),
		cmocka_unit_test(test_a_piston_does_not_jump_over_grains),
		cmocka_unit_test(test_keys_are_unique),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
