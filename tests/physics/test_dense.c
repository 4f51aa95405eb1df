// SPDX-License-Identifier: MIT
// Dense packings: in equilibrium from the first step on, as dense and as connected as friction lets them be.
#include "physics.h"

#include "state/cell.h"
#include "observe/observe.h"

#include <string.h>

typedef struct kind {
	int dimension, count;
	double mu, spread, pressure;
	double low, high; // volume fraction
	double least, most; // coordination of the network
} kind;

static talus_world *bath_world(const kind *k, double step, double side)
{
	talus_world_def def = plain_def();
	def.dimension = k->dimension;
	def.step = step;
	def.cell.origin = vec(3, -2, 0);
	def.cell.size = vec(1, side, 1);
	for (int i = 0; i < k->dimension; i++)
		def.cell.periodic[i] = true;
	def.cell.bath = true;
	def.cell.pressure = k->pressure;
	def.cell.inertia = 1000*k->pressure*step*step;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "stuff", 3);
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = k->mu});
	return world;
}

static talus_fill_def dense(const talus_world *world, int count, double r, double spread)
{
	talus_fill_def fill = {.count = count,
		.arrangement = TALUS_ARRANGE_DENSE,
		.friction = -1,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = r*(1 - spread), .b = r*(1 + spread)}};
	talus_vec3 o = world->state.def.cell.origin, s = world->state.def.cell.size;
	fill.in.box = (talus_box){o, {o.x + s.x, o.y + s.y, world->state.def.dimension == 3 ? o.z + s.z : 0}};
	return fill;
}

static void fill_it(talus_world *world, const talus_fill_def *fill)
{
	talus_error error = {.text = ""};
	if (!talus_world_fill(world, fill, &error))
		fail_msg("%s", error.text);
}

// ---------------------------------------------------------------- in a cell of its own

// The first step finds pressure and forces at once, and nothing moves afterwards. Sizes, pressure and step
// are far from 1.
static void stays(talus_world *world, const kind *k)
{
	double fraction = observe_extent(world).solid/cell_volume(&world->state.cell, k->dimension);
	assert_near(observe_stress(world).pressure/k->pressure, 1, 1e-5);
	talus_step_report report = talus_world_step(world);
	stress_state stress = observe_stress(world);
	assert_near(stress.pressure/k->pressure, 1, 1e-5);
	assert_below(report.mean_overlap, 1e-4);
	assert_below(report.residual, 1e-4);
	run(world, 99);
	stress = observe_stress(world);
	assert_near(stress.pressure/k->pressure, 1, 1e-5);
	assert_near(stress.volume_fraction, fraction, 1e-4);
}

static void test_kinds(void **state)
{
	(void)state;
	static const kind kinds[] = {
		{2, 150, 0.5, 0.2, 7, 0.77, 0.82, 3.0, 3.6},
		{2, 100, 0, 0.3, 0.2, 0.81, 0.86, 3.9, 4.1},
		{3, 250, 0.3, 0, 1, 0.56, 0.61, 4.2, 5.2},
		{3, 120, 0, 0.1, 1, 0.61, 0.66, 5.9, 6.1},
	};
	for (size_t i = 0; i < (quick() ? 2 : COUNT(kinds)); i++) {
		const kind *k = &kinds[i];
		double r = 0.04;
		talus_world *world = bath_world(k, 0.02*r*sqrt(3/k->pressure), 1.3);
		talus_fill_def fill = dense(world, k->count, r, k->spread);
		fill.pressure = k->pressure;
		fill_it(world, &fill);
		assert_int_equal(world->state.bodies.count, k->count);
		assert_near(world->state.cell.h[1][1]/world->state.cell.h[0][0], 1.3, 1e-9);
		double fraction = observe_extent(world).solid/cell_volume(&world->state.cell, k->dimension);
		assert_near(fraction, 0.5*(k->low + k->high), 0.5*(k->high - k->low));
		network_state network = observe_network(world);
		assert_near(network.coordination, 0.5*(k->least + k->most), 0.5*(k->most - k->least));
		if (k->mu == 0) // one contact more than the network can move: isostatic, with the size of the cell
			assert_near(network.coordination, 2*k->dimension - 2*(k->dimension - 1)/(double)network.grains,
				0.01);
		stays(world, k);
		talus_world_destroy(world);
	}
}

// ---------------------------------------------------------------- the same bits

static uint64_t state_of(int threads, uint64_t seed, double mu)
{
	kind k = {2, 60, mu, 0.2, 1, 0, 1, 0, 9};
	talus_world *world = bath_world(&k, 0.01, 1);
	world->state.def.seed = seed;
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	talus_fill_def fill = dense(world, k.count, 1, k.spread);
	fill_it(world, &fill);
	talus_world_step(world);
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	return hash;
}

static void test_bits(void **state)
{
	(void)state;
	for (int smooth = 0; smooth < 2; smooth++) {
		double mu = smooth ? 0 : 0.4;
		uint64_t one = state_of(1, 1, mu);
		assert_true(one == state_of(1, 1, mu));
		assert_true(one == state_of(2, 1, mu));
		assert_true(one != state_of(1, 2, mu));
	}
}

// ---------------------------------------------------------------- in a box

// A wide box with walls: all grains lie inside it, on its low end, and touch neither each other by more than
// they do in a packing nor the walls.
static talus_world *walled(int dimension, bool around, talus_box *box)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.cell.size = vec(9, 9, 9);
	def.cell.periodic[0] = around;
	talus_world *world = world_of(&def, 0.4);
	*box = (talus_box){{0, 0, 0}, {9, dimension == 3 ? 8 : 40, dimension == 3 ? 30 : 0}};
	vec3 up = dimension == 3 ? vec(0, 0, 1) : vec(0, 1, 0);
	put_plane(world, vec(0, 0, 0), up);
	if (!around) {
		put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
		put_plane(world, vec(9, 0, 0), vec(-1, 0, 0));
	}
	return world;
}

static void test_box(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int around = 0; around < 2; around++) {
			talus_box box;
			talus_world *world = walled(dimension, around, &box);
			talus_fill_def fill = dense(world, dimension == 3 ? 150 : 60, 0.6, 0.1);
			fill.in.box = box;
			fill.friction = dimension == 2 ? -1 : around ? 0.4 : 0;
			fill_it(world, &fill);
			double lowest = INFINITY, highest = 0;
			for (size_t i = 0; i < world->state.bodies.count; i++) {
				double r = world->state.bodies.radius[i];
				for (int k = 0; k < dimension; k++) {
					double x = component(world->state.bodies.x[i], k), in = around && k == 0 ? 0 : r;
					assert_true(x >= component(box.low, k) + in - 1e-9 &&
						    x <= component(box.high, k) - in + 1e-9);
				}
				lowest = fmin(lowest, component(world->state.bodies.x[i], dimension - 1) - r);
				highest = fmax(highest, component(world->state.bodies.x[i], dimension - 1) + r);
			}
			assert_near(lowest, 0, 1e-9);
			assert_below(highest, dimension == 3 ? 6 : 14);
			talus_step_report report = talus_world_step(world);
			assert_below(report.mean_overlap, 1e-4);
			assert_below(report.max_overlap, 2e-3);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- what cannot be

static void assert_refused(talus_world *world, const talus_fill_def *fill, const char *sentence)
{
	talus_error error;
	size_t before = world->state.bodies.count;
	assert_false(talus_world_fill(world, fill, &error));
	if (!strstr(error.text, sentence))
		fail_msg("it says: %s", error.text);
	assert_int_equal(world->state.bodies.count, before);
}

static void test_refused(void **state)
{
	(void)state;
	talus_box box;
	talus_world *world = walled(2, false, &box);
	talus_fill_def fill = dense(world, 60, 0.6, 0.1);
	fill.in.box = (talus_box){{0, 0, 0}, {9, 9.5, 0}};
	assert_refused(world, &fill, "high, but the region only 9.5");
	fill.in.box = (talus_box){{0, -5, 0}, {9, 40, 0}};
	assert_refused(world, &fill, "of the 60 grains of the dense packing overlap walls or grains that are there");
	fill.in.box = (talus_box){{0, 0, 0}, {4, 40, 0}};
	assert_refused(world, &fill, "a dense packing needs room of at least 2.5 times the largest diameter along x");
	fill.in.box = (talus_box){{0, 0, 0}, {5, 6, 0}};
	assert_refused(world, &fill, "60 grains are more than the region can hold");
	fill.in = (talus_region){.kind = TALUS_REGION_SPHERE, .at = {5, 20, 0}, .radius = 4};
	assert_refused(world, &fill, "a dense packing fills a box, not a sphere or a cylinder");
	fill.in = (talus_region){.box = box};
	fill.count = 8;
	assert_refused(world, &fill, "it needs more grains, or other proportions");
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
