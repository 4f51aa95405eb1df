// SPDX-License-Identifier: MIT
// Filling and pouring: everybody inside, nobody on top of another, as many as asked for and when.
#include "unit.h"

#include "state/cell.h"
#include "prepare/fill.h"
#include "arrive/region.h"
#include "state/wall.h"

static void assert_no_overlaps(const talus_world *world, double tolerance)
{
	const bodies *b = &world->state.bodies;
	for (size_t i = 0; i < b->count; i++) {
		touch t[WALL_TOUCHES];
		for (size_t j = i + 1; j < b->count; j++)
			assert_true(norm(cell_nearest(&world->state.cell,
				sub(b->x[i], b->x[j]))) >= b->radius[i] + b->radius[j] - tolerance);
		for (int w = 0; w < world->state.walls.count; w++)
			assert_int_equal(wall_touch(&world->state.walls.at[w], vec(0, 0, 0), world->state.def.dimension, b->x[i],
				b->radius[i], -tolerance, t), 0);
	}
}

static talus_fill_def fill_of(int count, talus_arrangement arrangement, double jitter, talus_region in)
{
	return (talus_fill_def){.count = count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.3, .b = 0.5},
		.arrangement = arrangement, .jitter = jitter, .in = in, .velocity = {1, 2, 0}};
}

static talus_region box(vec3 low, vec3 high)
{
	return (talus_region){.kind = TALUS_REGION_BOX, .box = {low, high}};
}

static void fill_and_check(int dimension, const talus_fill_def *def)
{
	talus_world_def world_def = unit_def(dimension);
	talus_world *world = unit_world(&world_def, 0);
	talus_error error;
	assert_true(talus_world_fill(world, def, &error));
	assert_int_equal(world->state.bodies.count, def->count);
	assert_no_overlaps(world, 1e-12);
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		assert_true(region_holds(&def->in, &world->state.cell, dimension, world->state.bodies.x[i],
			world->state.bodies.radius[i]));
		assert_true(dimension == 3 || world->state.bodies.x[i].z == 0);
		assert_true(world->state.bodies.radius[i] >= 0.3 && world->state.bodies.radius[i] <= 0.5);
		assert_near3(world->state.bodies.v[i], vec(1, 2, 0), 0);
	}
	talus_world_destroy(world);
}

static void test_inside_without_overlap(void **state)
{
	(void)state;
	talus_region in[] = {
		box(vec(-3, -3, 0), vec(3, 3, 6)),
		{.kind = TALUS_REGION_SPHERE, .at = {1, 1, 0}, .radius = 4},
		{.kind = TALUS_REGION_CYLINDER, .at = {0, 0, 0}, .to = {2, 2, 6}, .radius = 3},
	};
	for (int k = 0; k < 9; k++) {
		talus_fill_def def = fill_of(60, k/3 ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM, k/3 == 2,
			in[k%3]);
		fill_and_check(3, &def);
		if (k%3 < 2) {
			def.count = 18;
			fill_and_check(2, &def);
		}
	}
}

// A second filling respects the first, and the walls.
static void test_around_others(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		talus_world_def world_def = unit_def(3);
		talus_world *world = unit_world(&world_def, 0);
		unit_plane(world, "floor", vec(0, 0, 1), vec(0, 0, 1));
		unit_grain(world, vec(0, 0, 4), 2, vec(0, 0, 0));
		talus_error error;
		talus_fill_def def = fill_of(40, k ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM, 0,
			box(vec(-4, -4, 0), vec(4, 4, 8)));
		assert_true(talus_world_fill(world, &def, &error));
		assert_true(talus_world_fill(world, &def, &error));
		assert_int_equal(world->state.bodies.count, 81);
		assert_no_overlaps(world, 1e-12);
		talus_world_destroy(world);
	}
}

// Where the region spans the cell, grains straddle the border and still do not overlap on the other side.
static void test_periodic(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	world_def.cell = (talus_cell_def){.origin = {-2, 0, 0}, .size = {4, 4, 0}, .periodic = {true, true, false}};
	talus_world *world = unit_world(&world_def, 0);
	talus_fill_def def = fill_of(110, TALUS_ARRANGE_RANDOM, 0, box(vec(-2, 0, 0), vec(2, 4, 8)));
	talus_error error;
	assert_true(talus_world_fill(world, &def, &error));
	assert_no_overlaps(world, 1e-12);
	int straddling = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		vec3 x = world->state.bodies.x[i];
		double r = world->state.bodies.radius[i];
		straddling += x.x - r < -2 || x.x + r > 2 || x.y - r < 0 || x.y + r > 4;
		assert_true(x.z >= r && x.z <= 8 - r);
	}
	assert_true(straddling > 10);
	talus_world_destroy(world);
}

// Too many: false, and a sentence with both numbers.
static void test_too_many(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		talus_world_def world_def = unit_def(2);
		talus_world *world = unit_world(&world_def, 0);
		talus_fill_def def = fill_of(999, k ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM, 0,
			box(vec(0, 0, 0), vec(4, 4, 0)));
		talus_error error;
		assert_false(talus_world_fill(world, &def, &error));
		assert_non_null(strstr(error.text, "999"));
		assert_true(strlen(error.text) > 40 && strstr(error.text, "larger"));
		def = fill_of(1, def.arrangement, 0, box(vec(0, 0, 0), vec(0.5, 4, 0))); // not even one
		assert_false(talus_world_fill(world, &def, &error));
		talus_world_destroy(world);
	}
}

// A box of 10 by 10 by 10 diameters holds a lattice of 1000, touching.
static void test_a_lattice_that_just_fits(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	talus_world *world = unit_world(&world_def, 0);
	talus_fill_def def = {.count = 1000, .radius = {.kind = TALUS_SIZE_CONSTANT, .a = 0.5},
		.arrangement = TALUS_ARRANGE_LATTICE, .in = box(vec(0, 0, 0), vec(10, 10, 10))};
	talus_error error;
	assert_true(talus_world_fill(world, &def, &error));
	assert_no_overlaps(world, 1e-8);
	talus_world_destroy(world);
}

// Without jitter the grains of a lattice stand in rows; with it they do not, by up to the room that they
// have.
static void test_jitter(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		talus_world_def world_def = unit_def(3);
		talus_world *world = unit_world(&world_def, 0);
		talus_fill_def def = fill_of(100, TALUS_ARRANGE_LATTICE, k, box(vec(0, 0, 0), vec(8, 8, 20)));
		def.radius = (talus_sizes){.kind = TALUS_SIZE_CONSTANT, .a = 0.45};
		talus_error error;
		assert_true(talus_world_fill(world, &def, &error));
		double off = 0;
		for (size_t i = 0; i < 100; i++) {
			double site = world->state.bodies.x[i].x - 0.5;
			off = fmax(off, fabs(site - round(site)));
		}
		assert_true(k ? off > 0.04 && off <= 0.05 + 1e-9 : off < 1e-6);
		talus_world_destroy(world);
	}
}

static uint64_t hash_of_fill(uint64_t seed, talus_arrangement arrangement)
{
	talus_world_def world_def = unit_def(3);
	world_def.seed = seed;
	talus_world *world = unit_world(&world_def, 0);
	talus_fill_def def = fill_of(50, arrangement, 1, box(vec(0, 0, 0), vec(6, 6, 6)));
	talus_error error;
	assert_true(talus_world_fill(world, &def, &error));
	def.in = box(vec(7, 0, 0), vec(13, 6, 6));
	assert_true(talus_world_fill(world, &def, &error));
	// the second one does not repeat the first
	assert_true(world->state.bodies.radius[0] != world->state.bodies.radius[50]);
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	return hash;
}

static void test_seeds(void **state)
{
	(void)state;
	for (int k = TALUS_ARRANGE_RANDOM; k <= TALUS_ARRANGE_LATTICE; k++) {
		assert_true(hash_of_fill(1, (talus_arrangement)k) == hash_of_fill(1, (talus_arrangement)k));
		assert_true(hash_of_fill(1, (talus_arrangement)k) != hash_of_fill(2, (talus_arrangement)k));
	}
}

static void test_none(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	talus_world *world = unit_world(&world_def, 0);
	talus_error error;
	for (int k = 0; k < 2; k++) {
		talus_fill_def def = fill_of(0, k ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM, 0,
			box(vec(0, 0, 0), vec(1, 1, 1)));
		assert_true(talus_world_fill(world, &def, &error));
		assert_int_equal(world->state.bodies.count, 0);
	}
	talus_world_destroy(world);
}

// Where a wall leaves no room it is that which is said; a lattice far beyond the walls comes to an end.
static void test_walled_off(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		talus_world_def world_def = unit_def(3);
		talus_world *world = unit_world(&world_def, 0);
		talus_wall_def side = talus_wall_def_default(k == 2 ? TALUS_WALL_CYLINDER : TALUS_WALL_PLANE);
		side.axis = k == 2 ? vec(0, 1, 0) : vec(0, 0, -1); // turned away from the grains
		side.radius = 8;
		strcpy(side.name, "culprit");
		talus_world_add_wall(world, &side);
		talus_arrangement how = k ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM;
		talus_fill_def def = fill_of(6, how, 0, box(vec(100, 0, 100), vec(1e9, 1e9, 1e9)));
		talus_error error;
		assert_false(talus_world_fill(world, &def, &error));
		assert_non_null(strstr(error.text, "wall `culprit` leaves no room"));
		assert_non_null(strstr(error.text, k == 2 ? "outside the cylinder" : "behind the plane"));
		talus_world_destroy(world);
	}
}

// Some grains find a place inside a cylinder that was to stand among them: it is named, and the floor is not.
static void test_most_of_it_walled_off(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		talus_world_def world_def = unit_def(3);
		talus_world *world = unit_world(&world_def, 0);
		talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE), post = talus_wall_def_default(TALUS_WALL_CYLINDER);
		strcpy(floor.name, "floor");
		strcpy(post.name, "post");
		post.point = vec(5, 5, 0);
		post.axis = vec(0, 0, 1);
		post.radius = 2;
		post.inside = k < 2;
		talus_world_add_wall(world, &floor);
		talus_world_add_wall(world, &post);
		talus_arrangement how = k == 1 ? TALUS_ARRANGE_LATTICE : TALUS_ARRANGE_RANDOM;
		talus_fill_def def = fill_of(k == 2 ? 3000 : 500, how, 0, box(vec(0, 0, 0), vec(10, 10, 15)));
		talus_error error;
		assert_false(talus_world_fill(world, &def, &error));
		assert_null(strstr(error.text, "only 0 of"));
		assert_null(strstr(error.text, "`floor`"));
		if (k < 2)
			assert_non_null(strstr(error.text, ": wall `post` takes about 9"));
		else
			assert_null(strstr(error.text, "`post`"));
		assert_int_equal(strstr(error.text, "`side: outside`") != NULL, k < 2);
		talus_world_destroy(world);
	}
}

// A lattice with room for one grain between two walls, and then for none as far as it goes.
static void test_barren_lattice(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	talus_world *world = unit_world(&world_def, 0);
	talus_wall_def side = talus_wall_def_default(TALUS_WALL_PLANE);
	side.point = vec(1.2, 1.2, 0);
	for (int k = 0; k < 2; k++) {
		side.axis = k ? vec(-1, 0, 0) : vec(0, -1, 0);
		talus_world_add_wall(world, &side);
	}
	talus_fill_def def = fill_of(6, TALUS_ARRANGE_LATTICE, 0, box(vec(0, 0, 0), vec(1e9, 1e9, 1e9)));
	talus_error error;
	assert_false(talus_world_fill(world, &def, &error));
	assert_non_null(strstr(error.text, "only 1 of 6 grains found a place before"));
	assert_int_equal(world->state.bodies.count, 0);
	talus_world_destroy(world);
}

// A pour behind a wall would wait for ever, unless the wall moves.
static void test_pour_behind_a_wall(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	talus_world *world = unit_world(&world_def, 0);
	talus_wall_def side = talus_wall_def_default(TALUS_WALL_PLANE);
	side.axis = vec(0, 0, -1);
	int moving = talus_world_add_wall(world, &side);
	talus_pour_def pour = {.count = 5, .rate = 1, .radius = {.a = 0.5}, .in = box(vec(0, 0, 0), vec(4, 4, 4))};
	talus_error error;
	assert_false(fill_check_pour(world, &pour, &error));
	assert_non_null(strstr(error.text, "leaves no room"));
	world->state.walls.at[moving].def.velocity = vec(0, 0, 1);
	assert_true(fill_check_pour(world, &pour, &error));
	world->state.walls.at[moving].def.velocity = vec(0, 0, 0);
	pour.in = box(vec(0, 0, -1.1), vec(4, 4, 4));
	assert_true(fill_check_pour(world, &pour, &error));
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- pouring

static talus_pour_def pour_of(int count, double rate, double start, talus_region in)
{
	return (talus_pour_def){.count = count, .rate = rate, .start = start, .in = in,
		.velocity = {0, 0, -3},
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.3, .b = 0.5}};
}

// The first at the start, then one every 1/rate, and no more than the count. Until then an empty world is a
// world, too.
static void test_rate(void **state)
{
	(void)state;
	for (double rate = 2; rate < 400; rate *= 10) {
		talus_world_def world_def = unit_def(3);
		talus_world *world = unit_world(&world_def, 0);
		talus_pour_def pour = pour_of(30, rate, 0.25, box(vec(-9, -9, 0), vec(9, 9, 9)));
		talus_world_pour(world, &pour);
		for (int step = 0; step < 120; step++) {
			double t = talus_world_time(world);
			talus_world_step(world);
			int due = t < 0.25 ? 0 : (int)floor(rate*(t - 0.25) + 1e-9) + 1;
			assert_int_equal(world->state.bodies.count, due < 30 ? due : 30);
			assert_no_overlaps(world, 1e-3);
		}
		assert_near(world->state.bodies.v[0].z, -3, 1e-12);
		assert_true(world->state.bodies.radius[0] != world->state.bodies.radius[1]);
		talus_world_destroy(world);
	}
}

// A full region: grains wait, and come as soon as there is room; their sizes do not depend on the waiting.
static void test_waiting(void **state)
{
	(void)state;
	talus_world_def world_def = unit_def(3);
	talus_world *world = unit_world(&world_def, 0);
	talus_grain_def plug = talus_grain_def_default();
	plug.radius = 2;
	plug.free = 0;
	talus_world_add_grain(world, &plug);
	talus_pour_def pour = pour_of(5, 10, 0, box(vec(-1, -1, -1), vec(1, 1, 1)));
	pour.velocity = vec(0, 0, -200);
	talus_world_pour(world, &pour);
	for (int step = 0; step < 20; step++)
		talus_world_step(world);
	assert_int_equal(world->state.bodies.count, 1);
	assert_near(world->report.waiting_most, 2, 0); // due at 0 and at 0.1; that of 0.2 has not been asked for yet
	double waiting = world->pours.at[0].next_radius;
	assert_true(waiting >= 0.3);
	world->state.bodies.x[0] = vec(100, 0, 0);
	talus_world_step(world);
	assert_true(world->state.bodies.count > 1);
	assert_near(world->state.bodies.radius[unit_row(world, 1)], waiting, 0);
	for (int step = 0; step < 60; step++)
		talus_world_step(world);
	assert_int_equal(world->state.bodies.count, 6);
	talus_world_destroy(world);
}

// As many as find room at once, small and large, also where the region goes all the way round a cell, beside grains that are larger than
// the region is high: nobody on top of another, and there is room for no fewer than random places give.
static void test_a_full_region(void **state)
{
	(void)state;
	for (int k = 0; k < 12; k++) {
		int dimension = k%2 ? 2 : 3;
		double depth = dimension == 3 ? 6 : 0, large = k%4 < 2 ? 2.5 : 0.5;
		talus_world_def def = unit_def(dimension);
		def.cell.size = vec(8, 8, 8);
		def.cell.periodic[0] = k >= 4;
		def.cell.periodic[1] = k >= 8;
		talus_world *world = unit_world(&def, 0);
		unit_grain(world, vec(0.1, 4, depth/2), large, vec(0, 0, 0));
		unit_grain(world, vec(6, 7.9, depth/2), 0.3, vec(0, 0, 0));
		talus_pour_def pour = pour_of(10000, 1e6, 0, box(vec(0, 0, 0), vec(8, 8, depth)));
		pour.radius = (talus_sizes){.kind = TALUS_SIZE_UNIFORM, .a = 0.2, .b = 0.6};
		pour.velocity = vec(0, -1, 0);
		talus_world_pour(world, &pour);
		world->state.time = 1;
		assert_true(pours_arrive(&world->pours, &world->state, &world->report.waiting_most));
		assert_no_overlaps(world, 1e-9);
		assert_true(world->state.bodies.count > (dimension == 3 ? 60 : 20));
		talus_world_destroy(world);
	}
}

// Two pours at once, each with its own count; same seed, same grains.
static void test_two_pours(void **state)
{
	(void)state;
	uint64_t hash[2];
	for (int k = 0; k < 2; k++) {
		talus_world_def world_def = unit_def(2);
		talus_world *world = unit_world(&world_def, 0);
		for (int i = 0; i < 6; i++) {
			talus_pour_def pour =
				pour_of(4 + i, 50, 0, box(vec(20*i, 0, 0), vec(20*i + 10, 20, 0)));
			pour.velocity = vec(0, -1, 0);
			talus_world_pour(world, &pour);
		}
		for (int step = 0; step < 50; step++)
			talus_world_step(world);
		int counts[6] = {0};
		for (size_t i = 0; i < world->state.bodies.count; i++)
			counts[(int)(world->state.bodies.x[i].x/20)]++;
		for (int i = 0; i < 6; i++)
			assert_int_equal(counts[i], 4 + i);
		hash[k] = talus_world_hash(world);
		talus_world_destroy(world);
	}
	assert_true(hash[0] == hash[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inside_without_overlap),
		cmocka_unit_test(test_around_others),
		cmocka_unit_test(test_periodic),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_a_lattice_that_just_fits),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_walled_off),
		cmocka_unit_test(test_most_of_it_walled_off), cmocka_unit_test(test_barren_lattice),
		cmocka_unit_test(test_pour_behind_a_wall),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_a_full_region),
		cmocka_unit_test(test_two_pours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
