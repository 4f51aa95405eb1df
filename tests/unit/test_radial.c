// SPDX-License-Identifier: MIT
// The radial distribution of centres.
#include "packing.h"

#include "state/cell.h"

// A square lattice with spacing 2.5 of grains with diameter 2: 4 neighbours at 2.5, 4 at 2.5 sqrt 2, ... 36 up to 8.
static void test_square_lattice(void **state)
{
	(void)state;
	talus_world_def def = unit_def(2);
	def.cell = (talus_cell_def){.size = {25, 25, 0}, .periodic = {true, true, false}};
	talus_world *world = unit_world(&def, 0);
	for (int i = 0; i < 100; i++)
		unit_grain(world, vec(2.5*(i%10), 2.5*(i/10), 0), 1, vec(0, 0, 0));
	radial_state r = observe_radial(world);
	assert_near(r.range, 4, 1e-14);
	assert_int_equal(r.centres, 100);
	size_t all = 0;
	for (int k = 0; k < RADIAL_BINS; k++)
		all += r.count[k];
	assert_int_equal(all, 3600);
	assert_int_equal(r.count[31], 400);
	assert_int_equal(r.count[44], 400);
	assert_int_equal(r.count[69], 800);
	double ring = M_PI*(2.56*2.56 - 2.48*2.48);
	assert_near(r.g[31], 4/(99.0/625*ring), 1e-12);
	talus_world_destroy(world);
}

static talus_world *gas(const talus_world_def *def, int count, vec3 size, double radius, uint64_t seed)
{
	talus_world *world = unit_world(def, 0);
	dice d = dice_make(seed);
	for (int i = 0; i < count; i++)
		unit_grain(world, roll_in(&d, vec(0, 0, 0), size), radius, vec(0, 0, 0));
	return world;
}

// Points strewn at random know nothing of each other: g = 1 everywhere, also around every so many-th of them.
static void test_ideal_gas(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int many = 0; many < 2; many++) {
			talus_world_def def = unit_def(dimension);
			vec3 size = vec(many ? 200 : 10, 10, dimension == 3 ? 10 : 0);
			def.cell = (talus_cell_def){.size = size, .periodic = {true, true, dimension == 3}};
			talus_world *world = gas(&def, many ? 20001 : 1500, size, 1, 5);
			radial_state r = observe_radial(world);
			assert_near(r.range, 2.5, 1e-14); // half the cell
			assert_int_equal(r.centres, many ? 10001 : 1500);
			double sum = 0;
			for (int k = 30; k < RADIAL_BINS; k++) {
				assert_near(r.g[k], 1, 0.15);
				sum += r.g[k];
			}
			assert_near(sum/70, 1, 0.02);
			talus_world_destroy(world);
		}
}

static bool image_exists(const cell *c, int image)
{
	return (c->periodic[0] || image%3 == 1) && (c->periodic[1] || image/3%3 == 1) && (c->periodic[2] || image/9 == 1);
}

// Every pair once from each side, through the nearest of all images.
static void assert_brute_force(const talus_world *world)
{
	radial_state r = observe_radial(world);
	const bodies *b = &world->state.bodies;
	size_t count[RADIAL_BINS] = {0};
	double width = r.range*r.diameter/RADIAL_BINS;
	for (size_t i = 0; i < b->count; i++)
		for (size_t j = 0; j < b->count; j++) {
			double least = INFINITY;
			vec3 way = cell_nearest(&world->state.cell, sub(b->x[j], b->x[i]));
			for (int k = 0; k < 27; k++)
				if (image_exists(&world->state.cell, k))
					least = fmin(least, norm(add(way, world->state.cell.shift[k])));
			if (i != j && least/width < RADIAL_BINS)
				count[(int)(least/width)]++;
		}
	size_t all = 0, moved = 0; // round-off may take a pair over the edge of a bin
	for (int k = 0; k < RADIAL_BINS; k++) {
		all += count[k];
		moved += count[k] > r.count[k] ? count[k] - r.count[k] : r.count[k] - count[k];
	}
	assert_true(all > 1000 && moved <= 4);
}

static void test_all_kinds_of_space(void **state)
{
	(void)state;
	for (int kind = 0; kind < 8; kind++)
		for (int narrow = 0; narrow < 2; narrow++) {
			talus_world_def def = unit_def(3);
			vec3 size = vec(narrow ? 6 : 31, 17, 14);
			def.cell = (talus_cell_def){.size = size, .periodic = {kind & 1, kind & 2, kind & 4}};
			talus_world *world = gas(&def, 300, size, 0.8, (uint64_t)kind);
			if (kind == 7) { // sheared
				world->state.cell.h[0][1] = 5;
				world->state.cell.h[1][2] = -3;
				cell_update(&world->state.cell);
			}
			assert_brute_force(world);
			talus_world_destroy(world);
		}
}

// In open space a grain that has flown far away costs nothing, and walls or edges make g fall.
static void test_open_space(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = gas(&def, 1000, vec(20, 20, 20), 1, 2);
	radial_state r = observe_radial(world);
	assert_true(r.g[99] < 0.75 && r.g[99] > 0.4);
	unit_grain(world, vec(1e12, -1e12, 0), 1, vec(0, 0, 0));
	radial_state far = observe_radial(world);
	assert_memory_equal(r.count, far.count, sizeof r.count);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	assert_true(observe_radial(world).centres == 0);
	unit_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
	assert_true(observe_radial(world).g[50] == 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_square_lattice),
		cmocka_unit_test(test_ideal_gas),
		cmocka_unit_test(test_all_kinds_of_space),
		cmocka_unit_test(test_open_space),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
