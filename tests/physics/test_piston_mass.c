// SPDX-License-Identifier: MIT
// Pistons of all masses, from a thousandth of the layer of grains that they touch to a million of it. All of a piston's contacts move it at once
// (solve/piston.c), so what must be right whatever its mass: that it carries its weight, that no momentum is lost, and that it takes no more sweeps.
#include "physics.h"

static const double ratios[] = {1e-3, 1e-2, 1, 1e2, 1e4, 1e6}; // over the layer of grains
static const double time_steps[] = {0.01, 0.0025};
static const talus_order orders[] = {TALUS_ORDER_SHUFFLED, TALUS_ORDER_RANDOM, TALUS_ORDER_SEQUENTIAL, TALUS_ORDER_RANDOM_SEQUENTIAL,
                                     TALUS_ORDER_PARALLEL};
enum { WIDE = 6, HIGH = 4 };
static const double disk = PI/4;

static talus_world_def sweeps_of(talus_order order, double dt)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = dt;
	def.solver.order = order;
	def.solver.relaxation = 0.3;
	return def;
}

static talus_wall_def plate(double height, double mass)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = vec(0, height, 0);
	def.axis = vec(0, -1, 0);
	def.mass = mass;
	def.free = TALUS_FREE_Y;
	return def;
}

// Columns of disks of diameter 1 that touch each other and the sides, from a height on.
static void put_columns(talus_world *world, double from, int high)
{
	for (int i = 0; i < WIDE*high; i++)
		put_grain(world, vec(0.5 + i%WIDE, from + 0.5 + i/WIDE, 0), 0.5, vec(0, 0, 0));
}

// ---------------------------------------------------------------- at rest

// A piston at rest on a bed carries its weight, and the floor that of all, in the mean over some steps.
static void assert_carried(talus_world_def *def, double ratio, int steps, double tolerance)
{
	def->gravity = vec(0, -1, 0);
	talus_world *world = world_of(def, 0.3);
	double mass = ratio*WIDE*disk;
	put_box(world, WIDE);
	put_columns(world, 0, HIGH);
	talus_wall_def lid = plate(HIGH, mass);
	int piston = talus_world_add_wall(world, &lid);
	double all = mass + WIDE*HIGH*disk, carried = 0, below = 0;
	run(world, steps);
	for (int i = 0; i < steps; i++) {
		talus_world_step(world);
		carried += talus_world_wall(world, piston).force.y/steps;
		below -= talus_world_wall(world, 0).force.y/steps;
	}
	assert_near(carried, mass, tolerance*mass);
	assert_near(below, all, tolerance*all);
	assert_near(talus_world_wall(world, piston).position.y, HIGH, 1e-3);
	talus_world_destroy(world);
}

// With the solver that scenes have by default, within what its rule allows; solved to the end, to rounding.
static void test_weight(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(time_steps); s++)
		for (size_t r = 0; r < COUNT(ratios); r++) {
			talus_world_def def = talus_world_def_default(), exact = exact_def(2, time_steps[s]);
			def.dimension = 2;
			def.step = time_steps[s];
			assert_carried(&def, ratios[r], 200, 0.01);
			exact.solver.kind = TALUS_SOLVER_ACCELERATED;
			exact.solver.tolerance = 1e-12;
			if (ratios[r] <= 1e4)
				assert_carried(&exact, ratios[r], 30, 1e-5);
		}
}

// Plain sweeps in all orders. To lift what is heavy takes them as many sweeps as it has times the mass of the grains.
static void test_orders(void **state)
{
	(void)state;
	for (size_t o = 0; o < COUNT(orders); o++)
		for (size_t r = 0; ratios[r] <= 1e2; r++) {
			talus_world_def def = sweeps_of(orders[o], time_steps[0]);
			def.solver.stop = TALUS_STOP_RESIDUAL;
			def.solver.tolerance = 1e-10;
			def.solver.max_iterations = 50000;
			assert_carried(&def, ratios[r], 10, 1e-5);
		}
}

// ---------------------------------------------------------------- impacts

typedef struct sums {
	vec3 momentum;
	double energy;
} sums;

static sums sums_of(const talus_world *world, int piston, double mass)
{
	talus_grains g = talus_world_grains(world);
	vec3 v = talus_world_wall(world, piston).velocity;
	sums t = {mul(mass, v), 0.5*mass*dot(v, v)};
	for (size_t i = 0; i < g.count; i++) {
		t.momentum = mul_add(t.momentum, g.mass[i], g.v[i]);
		t.energy += 0.5*g.mass[i]*dot(g.v[i], g.v[i]) + 0.25*g.mass[i]*g.radius[i]*g.radius[i]*dot(g.spin[i], g.spin[i]);
	}
	return t;
}

// A piston that falls askew on rough disks in free space, for a few sweeps a step: nothing is solved well, but no momentum gets lost, and none of the
// energy comes back.
static void impact(talus_solver_kind kind, talus_order order, double ratio, double dt)
{
	talus_world_def def = sweeps_of(order, dt);
	def.solver.kind = kind;
	def.solver.iterations = 5;
	talus_world *world = world_of(&def, 0.5);
	double mass = ratio*WIDE*disk;
	put_columns(world, 0, HIGH);
	talus_wall_def lid = plate(HIGH + 0.01, mass);
	lid.free = TALUS_FREE_X | TALUS_FREE_Y;
	int piston = talus_world_add_wall(world, &lid);
	world->state.walls.at[piston].v = vec(0.7, -1, 0);
	sums before = sums_of(world, piston, mass);
	double size = mass + WIDE*HIGH*disk;
	run(world, 40);
	sums after = sums_of(world, piston, mass);
	assert_true(norm(sub(talus_world_wall(world, piston).velocity, vec(0.7, -1, 0))) > 1e-8);
	assert_near3(after.momentum, before.momentum, 1e-12*size);
	assert_below(after.energy, before.energy*(1 + 1e-9));
	talus_world_destroy(world);
}

static void test_impact(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(time_steps); s++)
		for (size_t r = 0; r < COUNT(ratios); r++) {
			for (size_t o = 0; o < COUNT(orders); o++)
				impact(TALUS_SOLVER_NSGS, orders[o], ratios[r], time_steps[s]);
			impact(TALUS_SOLVER_ACCELERATED, TALUS_ORDER_SHUFFLED, ratios[r], time_steps[s]);
		}
}

// ---------------------------------------------------------------- between two beds

// A plate that is free to move between two beds hands on what the upper one weighs, and adds its own weight.
static void test_between(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(time_steps); s++)
		for (size_t r = 0; ratios[r] <= 1e4; r++) { // beyond, sweeps do not come to an end
			talus_world_def def = exact_def(2, time_steps[s]);
			def.solver.kind = TALUS_SOLVER_ACCELERATED;
			def.solver.tolerance = 1e-12;
			def.solver.max_iterations = 20000;
			def.gravity = vec(0, -1, 0);
			talus_world *world = world_of(&def, 0);
			double mass = ratios[r]*WIDE*disk, above = WIDE*HIGH*disk;
			put_box(world, WIDE);
			put_columns(world, 0, HIGH);
			put_columns(world, HIGH, HIGH);
			talus_wall_def sheet = talus_wall_def_default(TALUS_WALL_SEGMENT);
			sheet.point = vec(-1, HIGH, 0);
			sheet.to = vec(WIDE + 1, HIGH, 0);
			sheet.mass = mass;
			sheet.free = TALUS_FREE_Y;
			int piston = talus_world_add_wall(world, &sheet);
			run(world, 20);
			double all = mass + 2*above;
			assert_near(talus_world_wall(world, piston).force.y, mass, 1e-6*all);
			assert_near(talus_world_wall(world, 0).force.y, -all, 1e-6*all);
			assert_below(fabs(talus_world_wall(world, piston).velocity.y), 1e-6*def.step);
			talus_world_destroy(world);
		}
}

// A grain that nothing moves holds a piston, beside others that give way.
static void test_stopped(void **state)
{
	(void)state;
	for (size_t r = 0; r < COUNT(ratios); r++) {
		talus_world_def def = talus_world_def_default();
		def.dimension = 2;
		def.step = time_steps[0];
		def.gravity = vec(0, -1, 0);
		talus_world *world = world_of(&def, 0.3);
		put_box(world, WIDE);
		put_columns(world, 0, HIGH - 1);
		talus_grain_def pillar = talus_grain_def_default();
		pillar.at = vec(2.5, HIGH - 0.5, 0);
		pillar.radius = 0.5;
		pillar.free = 0;
		talus_world_add_grain(world, &pillar);
		put_grain(world, vec(4.5, HIGH - 0.5, 0), 0.5, vec(0, 0, 0));
		double mass = ratios[r]*WIDE*disk;
		talus_wall_def lid = plate(HIGH, mass);
		int piston = talus_world_add_wall(world, &lid);
		run(world, 200);
		assert_near(talus_world_wall(world, piston).force.y, mass, 0.01*mass);
		assert_near(talus_world_wall(world, piston).position.y, HIGH, 1e-3);
		talus_world_destroy(world);
	}
}

// ---------------------------------------------------------------- sweeps

static talus_world *bed(double ratio, talus_order order, bool plain, uint64_t seed)
{
	talus_world_def def = talus_world_def_default();
	double width = 8, height = 11;
	talus_error error;
	def.seed = seed;
	def.step = 0.01;
	def.gravity = vec(0, 0, -10);
	if (plain)
		def.solver = sweeps_of(order, 0).solver;
	def.solver.iterations = 20;
	talus_world *world = world_of(&def, 0.4);
	put_box(world, width);
	talus_fill_def fill = {.count = 640, .arrangement = TALUS_ARRANGE_LATTICE, .jitter = 0.3,
	                       .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.45, .b = 0.5},
	                       .in = {.kind = TALUS_REGION_BOX, .box = {vec(0, 0, 0), vec(width, width, height)}}};
	assert_true(talus_world_fill(world, &fill, &error));
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	lid.point = vec(0, 0, height);
	lid.axis = vec(0, 0, -1);
	lid.mass = ratio*width*width*PI/6;
	lid.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &lid);
	return world;
}

// Where a bed settles below it, a light piston takes as many sweeps as one of the mass of a layer.
static void test_sweeps(void **state)
{
	(void)state;
	double sweeps[3] = {0};
	for (size_t r = 0; r < 3; r++)
		for (uint64_t seed = 1; seed <= (quick() ? 1 : 3); seed++) {
			talus_world *world = bed(ratios[r], TALUS_ORDER_SHUFFLED, false, seed);
			run(world, 250);
			sweeps[r] += (double)world->report.iterations_all;
			talus_world_destroy(world);
		}
	print_message("sweeps over those with a layer's mass: %.2f, %.2f\n", sweeps[0]/sweeps[2], sweeps[1]/sweeps[2]);
	assert_below(sweeps[0], 1.3*sweeps[2]);
	assert_below(sweeps[1], 1.3*sweeps[2]);
}

static uint64_t end_of(double ratio, talus_order order, bool plain, int threads, talus_simd simd)
{
	talus_world *world = bed(ratio, order, plain, 1);
	talus_world_set_threads(world, threads);
	uint64_t hash = 0;
	if (talus_world_set_simd(world, simd)) {
		run(world, 75);
		hash = talus_world_hash(world);
		assert_true(world->contacts.count >= 1024); // fewer are not shared
	}
	talus_world_destroy(world);
	return hash;
}

// ---------------------------------------------------------------- several pistons, and those that may slide

// Disks side by side, squeezed between two pistons that push with the same force: each grain touches both. However light these are, each feels the
// force of the other from the first step on, and neither gets into the grains.
static void squeeze(talus_world_def *def, double mass, int grains, double dt)
{
	def->dimension = 2;
	def->step = dt;
	talus_world *world = world_of(def, 0.3);
	for (int i = 0; i < grains; i++)
		put_grain(world, vec(1.2*i, 0.5, 0), 0.5, vec(0, 0, 0));
	talus_wall_def high = plate(1, mass), low = plate(0, 0.5*mass);
	low.axis = vec(0, 1, 0);
	high.force = vec(0, -10, 0);
	low.force = vec(0, 10, 0);
	int top = talus_world_add_wall(world, &high), bottom = talus_world_add_wall(world, &low);
	for (int i = 0; i < 30; i++) {
		talus_world_step(world);
		assert_near(talus_world_wall(world, top).force.y, 10, i < 20 ? 1.5 : 0.3);
		assert_near(talus_world_wall(world, bottom).force.y, -10, i < 20 ? 1.5 : 0.3);
	}
	assert_true(world->report.max_overlap < 1e-3);
	talus_world_destroy(world);
}

static void test_squeezed(void **state)
{
	(void)state;
	static const double steps[] = {0.05, 0.01, 0.001}, mass[] = {1e-3, 0.1, 0.7, 5};
	static const int grains[] = {1, 2, 10};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (size_t m = 0; m < COUNT(mass); m++)
			for (size_t g = 0; g < COUNT(grains); g++) {
				talus_world_def def = talus_world_def_default();
				squeeze(&def, mass[m], grains[g], steps[s]);
				for (size_t o = 0; o < COUNT(orders) && s == 1; o++) {
					def = sweeps_of(orders[o], steps[s]);
					def.solver.iterations = 300;
					squeeze(&def, mass[m], grains[g], steps[s]);
				}
			}
}

// A light piston that is free to slide presses loose disks against a ceiling, in a periodic cell: nothing pushes it sideways but what friction makes of the
// motion of the grains, or a small force, so it gets no faster than they do.
static talus_world *sliding(double mass, double dt, double along)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.step = dt;
	def.cell = (talus_cell_def){.periodic = {true}, .size = vec(20, 20, 20)};
	talus_world *world = world_of(&def, 0.5);
	talus_wall_def low = plate(0, mass), ceiling = plate(12, 0);
	low.axis = vec(0, 1, 0);
	low.free = TALUS_FREE_X | TALUS_FREE_Y;
	low.force = vec(along, 10, 0);
	int piston = talus_world_add_wall(world, &low);
	talus_world_add_wall(world, &ceiling);
	talus_fill_def fill = {.count = 140, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.3, .b = 0.6}, .arrangement = TALUS_ARRANGE_LATTICE,
	                       .jitter = 0.5, .in = {.kind = TALUS_REGION_BOX, .box = {vec(0, 0.1, 0), vec(20, 11.9, 0)}}};
	talus_error error;
	assert_true(talus_world_fill(world, &fill, &error));
	assert_int_equal(piston, 0);
	return world;
}

static double fastest_slide(double mass, double dt, double along)
{
	talus_world *world = sliding(mass, dt, along);
	double fastest = 0;
	for (int i = 0; i < 5/dt; i++) {
		talus_world_step(world);
		fastest = fmax(fastest, fabs(talus_world_wall(world, 0).velocity.x));
	}
	talus_world_destroy(world);
	return fastest;
}

// In blocks and in threads, with the ceiling a piston as well.
static uint64_t end_of_slide(double mass, int threads)
{
	talus_world *world = sliding(mass, 0.02, 0.3);
	world->team_from = world->list.blocks_from = 0;
	world->list.block_size = 20;
	talus_wall_def *ceiling = &world->state.walls.at[1].def;
	ceiling->mass = 0.5;
	ceiling->free = TALUS_FREE_Y;
	ceiling->force = vec(0, -10, 0);
	talus_world_set_threads(world, threads);
	run(world, 150);
	uint64_t hash = talus_world_hash(world);
	assert_true(world->state.walls.at[0].light == (mass < 0.05));
	assert_true(threads == 1 || world->shared == 150);
	talus_world_destroy(world);
	return hash;
}

static void test_slides(void **state)
{
	(void)state;
	static const double mass[] = {1e-3, 1e-2, 0.1}, steps[] = {0.02, 0.01};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (size_t m = 0; m < COUNT(mass); m++)
			for (double along = 0; along < 0.5; along += 0.3)
				assert_true(fastest_slide(mass[m], steps[s], along) < 3);
	for (size_t m = 0; m < COUNT(mass); m++)
		for (int threads = 2; threads <= 3; threads++)
			assert_true(end_of_slide(mass[m], threads) == end_of_slide(mass[m], 1));
}

// Whoever sweeps, with whatever registers.
static void test_same_bits(void **state)
{
	(void)state;
	for (size_t o = 0; o <= (quick() ? 0 : COUNT(orders)); o++) { // the last one with momentum
		bool plain = o < COUNT(orders);
		talus_order order = orders[plain ? o : 0];
		double ratio = ratios[2*(o%3)];
		uint64_t hash = end_of(ratio, order, plain, 1, TALUS_SIMD_GENERIC), other = end_of(ratio, order, plain, 1, TALUS_SIMD_AVX2);
		assert_true(other == 0 || other == hash);
		for (int threads = 2; threads <= (long_form() ? 4 : 3); threads++)
			assert_true(end_of(ratio, order, plain, threads, TALUS_SIMD_BEST) == hash);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_impact),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_squeezed),
		cmocka_unit_test(test_slides),
		cmocka_unit_test(test_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
