// SPDX-License-Identifier: MIT
// Space cut into boxes: grains that touch are in one box or in two that touch, wherever the cuts are.
#include "unit.h"

#include "collide/collide.h"

#include <stdlib.h>

enum { PER_BOX = 100, MOST = 4096 };

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

static int number(const talus_boxes *boxes, size_t body, int k)
{
	return (int)(boxes->box[body] >> 10*k & 1023);
}

// Grains in the fullest box.
static int fullest(const talus_boxes *boxes)
{
	static int count[MOST];
	int most = 0;
	memset(count, 0, sizeof count);
	for (size_t i = 0; i < boxes->bodies; i++) {
		int row = number(boxes, i, 1) + boxes->count[1]*number(boxes, i, 2);
		int box = number(boxes, i, 0) + boxes->count[0]*row;
		assert_true(box < MOST);
		most = ++count[box] > most ? count[box] : most;
	}
	return most;
}

static void check_numbers(const talus_world *world, const talus_boxes *boxes)
{
	assert_true(boxes->box && boxes->bodies == world->bodies.count);
	for (int k = 0; k < 3; k++) {
		assert_true(boxes->count[k] >= 1 && boxes->count[k] <= 1024);
		assert_true(k < world->def.dimension || boxes->count[k] == 1);
		if (world->cell.periodic[k]) // colours alternate all around
			assert_true(boxes->count[k] == 1 || boxes->count[k]%2 == 0);
		assert_int_equal(boxes->around[k], world->cell.periodic[k] && boxes->count[k] > 1);
		for (size_t i = 0; i < boxes->bodies; i++)
			assert_true(number(boxes, i, k) < boxes->count[k]);
		assert_true(boxes->box[k] >> 30 == 0);
	}
}

static void check_neighbours(const talus_world *world, const talus_boxes *boxes)
{
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		for (int k = 0; k < 3; k++) {
			int apart = abs(number(boxes, c->a, k) - number(boxes, c->b, k));
			assert_true(apart <= 1 || (boxes->around[k] && apart == boxes->count[k] - 1));
		}
	}
}

// No box holds much more than it should. (The sides of a box are at least two grains long, and whole numbers of
// boxes, even ones around a cell, leave some room.)
static void test_beds(void **state)
{
	(void)state;
	for (int b = 0; b < BEDS; b++) {
		talus_world *world = bed(&beds[b], 0, 0);
		for (int cut = 0; cut < 20; cut++) {
			talus_boxes boxes = boxes_cut(world, PER_BOX);
			check_numbers(world, &boxes);
			check_neighbours(world, &boxes);
			double contacts_per_grain = (double)world->contacts.count/(double)boxes.bodies;
			assert_true(fullest(&boxes)*contacts_per_grain < 4*PER_BOX);
			world->step++; // the cuts are elsewhere
		}
		talus_world_destroy(world);
	}
}

// Boxes that are asked to be very small or very large: never thinner than a grain and its neighbour, never more than
// there are numbers for, and at least one.
static void test_extremes(void **state)
{
	(void)state;
	static const bed_def row = {2, {6000, 1, 1}, {false, false, false}};
	for (int b = 0; b <= BEDS; b++) {
		talus_world *world = bed(b < BEDS ? &beds[b] : &row, 0, 0);
		for (int cut = 0; cut < 5; cut++, world->step++) {
			talus_boxes small = boxes_cut(world, 1e-3);
			check_numbers(world, &small);
			check_neighbours(world, &small);
			assert_true(b < BEDS || small.count[0] > 1000);
			talus_boxes large = boxes_cut(world, 1e9);
			check_numbers(world, &large);
			assert_true(large.count[0] == 1 && large.count[1] == 1 && large.count[2] == 1);
			assert_int_equal(fullest(&large), (int)large.bodies);
		}
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
			talus_world *world = bed(&beds[b], 3, far[k]*beds[b].size[0]);
			talus_boxes boxes = boxes_cut(world, PER_BOX);
			check_numbers(world, &boxes);
			check_neighbours(world, &boxes);
			assert_true(fullest(&boxes)*(double)world->contacts.count/(double)boxes.bodies < 6*PER_BOX);
			talus_world_destroy(world);
		}
}

// A long thin bed is cut along its length only, into about as many boxes as are asked for; one with a grain that is
// nowhere is not cut at all.
static void test_thin_and_lost(void **state)
{
	(void)state;
	talus_world *world = bed(&beds[6], 0, 0);
	double wanted = (double)world->contacts.count/PER_BOX;
	talus_boxes boxes = boxes_cut(world, PER_BOX);
	assert_true(boxes.count[1] == 1 && boxes.count[2] == 1);
	assert_true(boxes.count[0] > 0.7*wanted && boxes.count[0] < 1.4*wanted + 1);
	world->bodies.x[5] = vec(INFINITY, 0, 0);
	boxes = boxes_cut(world, PER_BOX);
	assert_true(boxes.count[0] == 1 && boxes.count[1] == 1 && boxes.count[2] == 1);
	talus_world_destroy(world);
}

// Every step has cuts of its own, and the same ones when asked again, whatever the number of threads.
static void test_same_and_different(void **state)
{
	(void)state;
	static uint32_t first[MOST];
	for (int b = 0; b < BEDS - 1; b++) {
		talus_world *world = bed(&beds[b], 0, 0);
		size_t bytes = world->bodies.count*sizeof *first;
		for (int k = 0; k < 4; k++, world->step++) {
			talus_boxes boxes = boxes_cut(world, PER_BOX);
			assert_true(k == 0 || memcmp(first, boxes.box, bytes) != 0);
			memcpy(first, boxes.box, bytes);
			for (int threads = 1; threads <= 4; threads++) {
				talus_world_set_threads(world, threads);
				talus_boxes again = boxes_cut(world, PER_BOX);
				assert_memory_equal(again.count, boxes.count, sizeof boxes.count);
				assert_memory_equal(again.box, first, bytes);
			}
		}
		talus_world_destroy(world);
	}
}

// As many boxes in any unit of length, also where cubes fit into a cell exactly.
static void test_units(void **state)
{
	(void)state;
	enum { MOST_BOXES = 12 };
	int32_t wanted[MOST_BOXES] = {0};
	for (int i = 0; i <= 120; i++) {
		int power = i%2 ? -(i + 1)/2 : i/2; // the first is 0
		talus_world_def def = unit_def(3);
		double side = ldexp(24, power);
		def.cell = (talus_cell_def){.size = {side, side, side}, .periodic = {true, true, true}};
		talus_world *world = unit_world(&def, 0.3);
		unit_grain(world, vec(0, 0, 0), ldexp(0.5, power), vec(0, 0, 0));
		world->mean_radius = ldexp(0.5, power);
		for (size_t n = 2; n < MOST_BOXES; n++) {
			world->contacts.count = n*n*n;
			talus_boxes boxes = boxes_cut(world, 1);
			wanted[n] = i ? wanted[n] : boxes.count[0];
			for (int k = 0; k < 3; k++)
				assert_int_equal(boxes.count[k], wanted[n]);
		}
		world->contacts.count = 0;
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beds),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_thin_and_lost),
		cmocka_unit_test(test_same_and_different),
		cmocka_unit_test(test_units),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
