// SPDX-License-Identifier: MIT
// A bed of many grains, filled or poured, comes to rest, and nobody is lost or squeezed.
#include "physics.h"

#include "observe/observe.h"

static const double side = 18; // of the box, in mean radii

static talus_world *box(int dimension, double mu)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.step = 0.05; // a grain falls a quarter of a radius or less per step
	def.solver.iterations = 200;
	talus_world *world = world_of(&def, mu);
	put_box(world, side);
	return world;
}

// Rest is judged by the grains that carry something: a ball that lies loose on the floor may roll for ever,
// as nothing resists rolling, but not fast.
static void check_settled(const talus_world *world, size_t count)
{
	talus_grains g = talus_world_grains(world);
	assert_int_equal(g.count, count);
	int up = world->state.def.dimension - 1;
	double speed = 0, high = 0, volume = 0, slack = 0.01;
	for (size_t i = 0; i < g.count; i++) {
		speed += norm(g.v[i])/(double)g.count;
		high = fmax(high, component(g.x[i], up));
		volume += g.mass[i]; // density 1
		for (int k = 0; k < world->state.def.dimension; k++)
			assert_below(g.radius[i] - slack, component(g.x[i], k));
		for (int k = 0; k < up; k++)
			assert_below(component(g.x[i], k), side - g.radius[i] + slack);
	}
	assert_true(observe_motion(world).network);
	assert_below(observe_motion(world).mean_speed, 1e-6*sqrt(2)); // over sqrt(g d)
	assert_below(speed, 1e-3);
	assert_below(world->report.mean_overlap, 1e-4);
	assert_below(world->report.max_overlap, 1e-2);
	// neither crushed nor hanging in the air
	assert_near(volume/pow(side, up)/high, up == 2 ? 0.5 : 0.75, 0.15);
}

// A time within which all have fallen, and then until they lie still, but not for ever.
static void settle(talus_world *world)
{
	run(world, 400);
	for (int more = 0; more < 20 && observe_motion(world).mean_speed > 1e-7; more++)
		run(world, 100);
}

// 500 balls that fall into a box lie still in the end, inside of it, with overlaps below a ten thousandth
// of their diameter.
static void test_filled(void **state)
{
	(void)state;
	talus_world *world = box(3, 0.3);
	int count = quick() ? 150 : 500;
	talus_fill_def fill = {.count = count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.jitter = 1, .arrangement = TALUS_ARRANGE_LATTICE};
	fill.in.box.high = vec(side, side, 60);
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);
	settle(world);
	check_settled(world, (size_t)count);
	talus_world_destroy(world);
}

// So do disks that are poured in one after the other.
static void test_poured(void **state)
{
	(void)state;
	talus_world *world = box(2, 0.3);
	talus_pour_def pour = {.count = 60, .rate = 4, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
	                       .velocity = {0, -1, 0}};
	pour.in.box = (talus_box){vec(2, 20, 0), vec(side - 2, 25, 0)};
	talus_world_pour(world, &pour);
	run(world, 300); // the last one comes at time 15
	settle(world);
	check_settled(world, 60);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filled),
		cmocka_unit_test(test_poured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
