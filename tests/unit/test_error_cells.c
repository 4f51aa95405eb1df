// SPDX-License-Identifier: MIT
// Space cut into boxes of a few grains: grains that touch are in one box or in two that touch, and those who flew away do not count.
#include "unit.h"

#include "base/memory.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"

#include <stdlib.h>

enum { MOST = 4096 };

typedef struct bed_def {
	int dimension;
	int size[3];
	bool periodic[3];
} bed_def;

static const bed_def beds[] = {
	{2, {40, 40, 1}, {false, false, false}}, {2, {80, 20, 1}, {true, false, false}},
	{2, {37, 43, 1}, {true, true, false}}, {3, {12, 12, 12}, {false, false, false}},
	{3, {10, 14, 11}, {true, true, false}}, {3, {11, 13, 9}, {true, true, true}},
	{3, {400, 2, 2}, {false, false, false}}, {2, {3, 3, 1}, {false, false, false}},
};

enum { BEDS = sizeof beds/sizeof *beds };

// Grains of radius 0.5 on a lattice, each touching its neighbours, also around the edges; contacts are found by a
// step that moves nothing.
static talus_world *bed(const bed_def *b, int outliers, double far)
{
	talus_world_def def = unit_def(b->dimension);
	dice d = dice_make(3);
	def.solver.iterations = 1;
	def.step = 1e-6;
	def.seed = 5;
	def.cell.origin = vec(-3, 2, b->dimension == 3 ? 7 : 0);
	def.cell.size = vec(b->size[0], b->size[1], b->dimension == 3 ? b->size[2] : 0);
	memcpy(def.cell.periodic, b->periodic, sizeof b->periodic);
	talus_world *world = unit_world(&def, 0.3);
	for (int i = 0; i < b->size[0]*b->size[1]*b->size[2]; i++) {
		int row = i/b->size[0];
		vec3 at = vec(i%b->size[0] + 0.5, row%b->size[1] + 0.5, row/b->size[1]);
		unit_grain(world, add(def.cell.origin, at), roll(&d, 0.499, 0.5), vec(0, 0, 0));
	}
	for (int i = 0; i < outliers; i++)
		unit_grain(world, mul(far, roll_direction(&d, b->dimension)), 0.5, vec(0, 0, 0));
	talus_world_step(world);
	return world;
}

// As a step does it; good while the world is.
static talus_error_cells cut(talus_world *world)
{
	contact_dynamics *s = contact_dynamics_of(world);
	s->coarse = memory_room(s->coarse, &s->coarse_capacity, world->state.bodies.count, sizeof *s->coarse);
	return error_cells_make(&world->state, world->contacts.count, s->coarse);
}

static int number(const talus_error_cells *coarse, size_t body, int k)
{
	int box = (int)coarse->box[body];
	return k == 0 ? box%coarse->side[0] : k == 1 ? box/coarse->side[0]%coarse->side[1] : box/coarse->side[0]/coarse->side[1];
}

// Grains in the fullest box.
static int fullest(const talus_error_cells *coarse)
{
	static int count[MOST];
	int most = 0;
	memset(count, 0, sizeof count);
	for (size_t i = 0; i < coarse->bodies; i++)
		most = ++count[coarse->box[i]] > most ? count[coarse->box[i]] : most;
	return most;
}

// Powers of two, not more than there are contacts for; edges and sides make up the bed.
static void check_numbers(const talus_world *world, const talus_error_cells *coarse)
{
	assert_true(coarse->box && coarse->bodies == world->state.bodies.count && coarse->dimension == world->state.def.dimension);
	assert_near(coarse->diameter, 2*world->state.mean_radius, 0);
	int all = coarse->side[0]*coarse->side[1]*coarse->side[2];
	assert_true(all == 1 || (all <= MOST && 8*(size_t)all <= world->contacts.count));
	for (int k = 0; k < 3; k++) {
		assert_true(coarse->side[k] >= 1 && (coarse->side[k] & (coarse->side[k] - 1)) == 0);
		assert_true(k < world->state.def.dimension || coarse->side[k] == 1);
		assert_true(coarse->side[k] == 1 || coarse->edge[k] >= 4*coarse->diameter*(1 - 1e-12));
		if (world->state.cell.periodic[k])
			assert_near(coarse->side[k]*coarse->edge[k], component(world->state.def.cell.size, k), 1e-9);
	}
	for (size_t i = 0; i < coarse->bodies; i++)
		assert_true(coarse->box[i] < (uint32_t)all);
}

static void check_neighbours(const talus_world *world, const talus_error_cells *coarse)
{
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		for (int k = 0; k < 3; k++) {
			int apart = abs(number(coarse, c->a, k) - number(coarse, c->b, k));
			assert_true(apart <= 1 || (world->state.cell.periodic[k] && apart == coarse->side[k] - 1));
		}
	}
}

// Boxes are 4 to 8 diameters wide unless there would be too many; grains stand one diameter apart, and what lies around the bed counts
// with its edge.
static void test_beds(void **state)
{
	(void)state;
	for (int b = 0; b < BEDS; b++) {
		talus_world *world = bed(&beds[b], 0, 0);
		talus_error_cells coarse = cut(world);
		check_numbers(world, &coarse);
		check_neighbours(world, &coarse);
		assert_true(fullest(&coarse) <= (beds[b].dimension == 2 ? 10*10 : 10*10*10));
		talus_world_destroy(world);
	}
}

// Some grains that got out of the bed, ten or a thousand times as far as it is wide: the boxes are those of the bed.
static void test_outliers(void **state)
{
	(void)state;
	static const double far[] = {10, 1000};
	for (int b = 0; b < 4; b += 3)
		for (int k = 0; k < 2; k++) {
			talus_world *world = bed(&beds[b], 0, 0), *more = bed(&beds[b], 3, far[k]*beds[b].size[0]);
			talus_error_cells coarse = cut(world), with = cut(more);
			check_numbers(more, &with);
			check_neighbours(more, &with);
			assert_memory_equal(with.side, coarse.side, sizeof with.side);
			talus_world_destroy(world);
			talus_world_destroy(more);
		}
}

// A long thin bed is cut along its length only; one with a grain that is nowhere is not cut at all.
static void test_thin_and_lost(void **state)
{
	(void)state;
	talus_world *world = bed(&beds[6], 0, 0);
	talus_error_cells coarse = cut(world);
	assert_true(coarse.side[0] == 64 && coarse.side[1] == 1 && coarse.side[2] == 1);
	world->state.bodies.x[5] = vec(INFINITY, 0, 0);
	coarse = cut(world);
	check_numbers(world, &coarse);
	assert_true(coarse.side[0] == 1 && coarse.side[1] == 1 && coarse.side[2] == 1);
	talus_world_destroy(world);
}

// Whatever the number of threads.
static void test_threads(void **state)
{
	(void)state;
	for (int b = 0; b < BEDS; b++) {
		talus_world *one = bed(&beds[b], 0, 0), *many = bed(&beds[b], 0, 0);
		talus_error_cells coarse = cut(one);
		for (int threads = 2; threads <= 4; threads++) {
			talus_world_set_threads(many, threads);
			many->team_from = 0; // however little there is to do
			talus_error_cells again = cut(many);
			assert_memory_equal(again.side, coarse.side, sizeof coarse.side);
			assert_memory_equal(again.edge, coarse.edge, sizeof coarse.edge);
			assert_memory_equal(again.box, coarse.box, coarse.bodies*sizeof *coarse.box);
		}
		talus_world_destroy(one);
		talus_world_destroy(many);
	}
}

// As many boxes in any unit of length, also where they fit into a cell exactly.
static void test_units(void **state)
{
	(void)state;
	for (int power = -60; power <= 60; power++)
		for (int n = 1; n <= 4; n++) {
			talus_world_def def = unit_def(3);
			double side = ldexp(1 << n, power + 2);
			def.cell = (talus_cell_def){.size = {side, side, side}, .periodic = {true, true, true}};
			talus_world *world = unit_world(&def, 0.3);
			unit_grain(world, vec(0, 0, 0), ldexp(0.5, power), vec(0, 0, 0));
			world->state.mean_radius = ldexp(0.5, power);
			world->contacts.count = 1 << 20;
			talus_error_cells coarse = cut(world);
			for (int k = 0; k < 3; k++)
				assert_int_equal(coarse.side[k], 1 << n);
			world->contacts.count = 0;
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beds),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_thin_and_lost),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
