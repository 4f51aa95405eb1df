// SPDX-License-Identifier: MIT
// Candidate pairs against a look at all pairs and all images: none missed, none twice.
#include "unit.h"

#include "stages.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "state/wall.h"

#include <stdlib.h>

// ---------------------------------------------------------------- configurations

typedef enum style { UNIFORM, CLUSTERS, FAR_FLUNG, ON_FACES, STYLES } style;

typedef struct config {
	int dimension;
	double ratio;     // of the sizes
	unsigned periodic; // bit k: direction k
	bool tight;       // cell hardly wider than 2.5 diameters
	style style;
	double speed;
	int count;
} config;

static double radius_of(const config *c, dice *d, int i)
{
	return c->ratio == 1 ? 1 : c->ratio > 9 ?
		(i < 6 ? 1 : roll(d, 1/c->ratio, 1.2/c->ratio)) : roll(d, 1/c->ratio, 1);
}

static vec3 place_of(const config *c, dice *d, double wide, int i)
{
	vec3 high = vec(wide, wide, c->dimension == 2 ? 0 : wide), x = roll_in(d, vec(0, 0, 0), high);
	if (c->style == CLUSTERS)
		x = add(mul(0.2, x), mul(i%3, vec(0.3*wide, 0.2*wide, 0)));
	if (c->style == ON_FACES) // equal grains at rest have cells of 2.3
		x = vec(2.3*floor(x.x/2.3), 2.3*floor(x.y/2.3), c->dimension == 2 ? 0 : 2.3*floor(x.z/2.3));
	for (int k = 0; k < c->dimension && c->style == FAR_FLUNG && i%10 == 0; k++)
		if (!(c->periodic >> k & 1))
			set_component(&x, k, component(x, k) + (roll(d, 0, 1) < 0.5 ? -1e7 : 1e7));
	return x;
}

static talus_world *make(const config *c, uint64_t seed)
{
	talus_world_def def = unit_def(c->dimension);
	double wide = c->tight ? 5.02 : 2.3*8;
	def.cell.size = vec(wide, wide*1.1, wide);
	for (int k = 0; k < 3; k++)
		def.cell.periodic[k] = c->periodic >> k & 1;
	talus_world *world = unit_world(&def, 0);
	dice d = dice_make(seed);
	for (int i = 0; i < c->count; i++) {
		double r = radius_of(c, &d, i);
		vec3 x = place_of(c, &d, wide, i);
		unit_grain(world, x, r, mul(roll(&d, 0, c->speed), roll_direction(&d, c->dimension)));
	}
	return world;
}

// ---------------------------------------------------------------- comparing

static int by_rows(const void *a, const void *b)
{
	const pair *p = a, *q = b;
	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	if (p->b != q->b)
		return p->b < q->b ? -1 : 1;
	return p->image < q->image ? -1 : p->image > q->image;
}

static bool image_exists(const cell *c, int image)
{
	int n[3] = {image%3 - 1, image/3%3 - 1, image/9 - 1};
	return (c->periodic[0] || !n[0]) && (c->periodic[1] || !n[1]) && (c->periodic[2] || !n[2]);
}

static bool is_listed(const talus_world *world, size_t a, size_t b, int image)
{
	pair key = {(uint32_t)a, (uint32_t)b, (uint32_t)image};
	return world->list.count && bsearch(&key, world->list.pair, world->list.count, sizeof key,
		by_rows) != NULL;
}

// The list is exactly what a look at everything gives; rounding decides only about what is at the edge of the
// skin.
static void assert_complete(talus_world *world)
{
	const bodies *b = &world->state.bodies;
	size_t expected = 0, edge = 0;
	if (world->list.count)
		qsort(world->list.pair, world->list.count, sizeof *world->list.pair, by_rows);
	for (size_t i = 1; i < world->list.count; i++)
		assert_true(by_rows(&world->list.pair[i - 1], &world->list.pair[i]) < 0);
	for (size_t i = 0; i < b->count; i++)
		for (size_t j = i + 1; j < b->count; j++)
			for (int image = 0; image < 27; image++) {
				if (!image_exists(&world->state.cell, image))
					continue;
				vec3 d = sub(add(b->x[j], world->state.cell.shift[image]), b->x[i]);
				double free = norm(d) - b->radius[i] - b->radius[j] - b->skin[i] - b->skin[j];
				bool listed = is_listed(world, i, j, image);
				if (fabs(free) < 1e-9)
					edge += listed;
				else
					assert_int_equal(listed, free < 0);
				expected += fabs(free) >= 1e-9 && free < 0;
			}
	assert_int_equal(world->list.count, expected + edge);
}

static size_t build(talus_world *world)
{
	contact_dynamics_predict(&world->state, &world->approach);
	assert_true(grid_used_up(&world->state, &world->approach, &world->list));
	grid_build(&world->state, &world->approach, &world->list);
	return world->list.count;
}

static void test_no_pair_is_missed(void **state)
{
	(void)state;
	static const double ratios[] = {1, 3, 12};
	size_t all = 0;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int k = 0; k < 3*2*STYLES; k++)
			for (unsigned periodic = 0; periodic < (dimension == 2 ? 4u : 8u); periodic++) {
				config c = {dimension, ratios[k%3], periodic, k/3%2, (style)(k/6), 0, 90};
				talus_world *world = make(&c, (uint64_t)(100*k) + periodic);
				all += build(world);
				assert_complete(world);
				talus_world_destroy(world);
			}
	assert_true(all > 50000);
}

// Fast grains make a wide skin; then a pair may come with several images.
static void test_wide_skins(void **state)
{
	(void)state;
	for (unsigned periodic = 0; periodic < 8; periodic++)
		for (int k = 0; k < 3; k++) {
			config c = {3, 3, periodic, true, UNIFORM, (double[]){10, 30, 60}[k], 40};
			talus_world *world = make(&c, periodic);
			build(world);
			assert_complete(world);
			talus_world_destroy(world);
		}
}

static void test_sheared_cell(void **state)
{
	(void)state;
	for (int k = 0; k < 6; k++) {
		config c = {3, (double[]){1, 3, 12}[k%3], 7, k >= 3, UNIFORM, 0, 90};
		talus_world *world = make(&c, 77 + (uint64_t)k);
		world->state.cell.h[0][1] = 1.3;
		world->state.cell.h[0][2] = -0.8;
		world->state.cell.h[1][2] = 0.6;
		cell_update(&world->state.cell);
		build(world);
		assert_complete(world);
		talus_world_destroy(world);
	}
}

// Grains exactly at the faces of the periodic cell, on both sides and by rounding just beyond.
static void test_on_the_faces_of_the_cell(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {-1, -1, -1}, .size = {6.9, 7, 9.2}, .periodic = {true, true, true}};
	talus_world *world = unit_world(&def, 0);
	static const double f[] = {0, 1, -1e-17, 1 + 1e-16, 1.0/3, 2.0/3};
	for (int i = 0; i < 6*6; i++)
		unit_grain(world, vec(-1 + 6.9*f[i%6], -1 + 7*f[i/6], -1 + 9.2*f[(i + i/6)%6]), 1,
			vec(0, 0, 0));
	build(world);
	assert_complete(world);
	talus_world_destroy(world);
}

// Two that cannot be pushed have nothing to say to each other; no grain meets itself.
static void test_fixed_grains(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	for (int i = 0; i < 4; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(2.1*i, 0, 0);
		g.free = i < 2 ? 0 : TALUS_FREE_ALL;
		talus_world_add_grain(world, &g);
	}
	unit_plane(world, "floor", vec(0, 0, -1), vec(0, 0, 1));
	assert_int_equal(build(world), 2);
	assert_int_equal(world->list.wall_count, 2);
	talus_world_destroy(world);
}

static void test_none_and_one(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.cell = (talus_cell_def){.origin = {0, 0, 0}, .size = {5.1, 5.1, 5.1}, .periodic = {true, true, true}};
	talus_world *world = unit_world(&def, 0);
	assert_int_equal(build(world), 0);
	unit_grain(world, vec(9, 9, 9), 1, vec(0, 0, 0));
	assert_int_equal(build(world), 0);
	assert_near3(world->state.bodies.x[0], vec(3.9, 3.9, 3.9), 1e-12);
	assert_int_equal(world->state.bodies.image[0][1], 1);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- over time

// Every pair, image and wall that could be reached within the step.
static void assert_reach_is_covered(talus_world *world)
{
	const bodies *b = &world->state.bodies;
	size_t expected = 0;
	for (size_t i = 0; i < b->count; i++) {
		double reach = approach_reach(&world->approach, &world->state, &world->approach.motion[i]);
		for (size_t j = i + 1; j < b->count; j++)
			for (int image = 0; image < 27; image++) {
				if (!image_exists(&world->state.cell, image))
					continue;
				vec3 d = sub(add(b->x[j], world->state.cell.shift[image]), b->x[i]);
				double more = approach_reach(&world->approach, &world->state, &world->approach.motion[j]);
				expected += norm(d) < b->radius[i] + b->radius[j] + reach + more;
			}
		for (int w = 0; w < world->state.walls.count; w++) {
			touch t[WALL_TOUCHES];
			double wall_reach = world->state.def.step*wall_top_speed(&world->state.walls.at[w]);
			expected += (size_t)wall_touch(&world->state.walls.at[w], vec(0, 0, 0), world->state.def.dimension, b->x[i],
				b->radius[i],
				reach + wall_reach, t);
		}
	}
	assert_int_equal(world->contacts.count, expected);
}

// The stages of a step up to the contacts, looked at, then the step itself.
static void watched_step(talus_world *world)
{
	stages_to_contacts(world);
	assert_reach_is_covered(world);
	talus_world_step(world);
}

static void test_skin_over_time(void **state)
{
	(void)state;
	for (int k = 0; k < 6; k++) {
		config c = {k%2 ? 3 : 2, (double[]){1, 3, 12}[k%3], (unsigned)k%4, false, UNIFORM, 8, 60};
		talus_world *world = make(&c, 300 + (uint64_t)k);
		world->state.def.solver.iterations = 10;
		int wall_index = unit_plane(world, "shaker", vec(0, 0, 0), k%2 ? vec(0, 0, 1) : vec(0, 1, 0));
		talus_wall_def *shaker = &world->state.walls.at[wall_index].def;
		shaker->oscillate_direction = shaker->axis;
		shaker->oscillate_amplitude = 0.5;
		shaker->oscillate_frequency = 3;
		for (int step = 0; step < 150; step++)
			watched_step(world);
		assert_true(world->list.builds > 3 && world->list.builds < 120);
		talus_world_destroy(world);
	}
}

// The list of a checkpoint is made again from where the grains were when it was made.
static void test_restore(void **state)
{
	(void)state;
	config c = {3, 3, 3, false, UNIFORM, 5, 100};
	talus_world *world = make(&c, 5);
	for (int step = 0; step < 20; step++)
		talus_world_step(world);
	size_t count = world->list.count;
	pair *old = malloc(count*sizeof *old);
	memcpy(old, world->list.pair, count*sizeof *old);
	pairs_free(&(pair_list){.grid = world->list.grid});
	world->list.grid = NULL;
	grid_restore(&world->state, &world->approach, &world->list);
	assert_int_equal(world->list.count, count);
	assert_memory_equal(world->list.pair, old, count*sizeof *old);
	free(old);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- cost

// Few large among many small grains, ten times as large; four times as many of both in four times the space: four times
// the work and the pairs. One grid with cells for the large ones would look at thousands of distances a grain.
static void test_pairs_grow_with_the_number(void **state)
{
	(void)state;
	double per_grain[2], work[2];
	for (int k = 0; k < 2; k++) {
		talus_world_def def = unit_def(3);
		int n = k ? 64000 : 16000;
		double wide = cbrt(n/2000.0)*4;
		talus_world *world = unit_world(&def, 0);
		dice d = dice_make(5);
		for (int i = 0; i < n; i++)
			unit_grain(world, roll_in(&d, vec(0, 0, 0), vec(wide, wide, wide)), i%1000 ? 0.1 : 1,
				vec(0, 0, 0));
		per_grain[k] = (double)build(world)/n;
		work[k] = (double)world->list.tried/n;
		talus_world_destroy(world);
	}
	assert_near(per_grain[1]/per_grain[0], 1, 0.1);
	assert_true(work[1] < 100); // it is 11
	assert_near(work[1]/work[0], 1, 0.2); // fewer of them are at the surface
}

static talus_world *block(vec3 stray, vec3 velocity)
{
	talus_world_def def = unit_def(3);
	talus_world *world = unit_world(&def, 0);
	for (int i = 0; i < 20*20*20; i++)
		unit_grain(world, vec(2.01*(i%20), 2.01*(i/20%20), 2.01*(i/400)), 1, vec(0, 0, 0));
	unit_grain(world, stray, 1, velocity);
	return world;
}

// One grain that flies far away at great speed must not make the others look at each other more often.
static void test_a_fast_stray_costs_only_its_own_work(void **state)
{
	(void)state;
	talus_world *world = block(vec(0, 0, -1000), vec(0, 0, 0));
	size_t calm = build(world);
	talus_world_destroy(world);
	world = block(vec(0, 0, -1000), vec(0, 0, -3000));
	size_t wild = build(world);
	talus_world_destroy(world);
	assert_true(wild < 2*calm);
}

// Nor may the others fall into one cell because the grid reaches out to the stray.
static void test_a_far_stray_costs_only_its_own_work(void **state)
{
	(void)state;
	uint64_t tried[2];
	for (int k = 0; k < 2; k++) {
		talus_world *world = block(k ? vec(-1e9, -1e9, -1e9) : vec(-10, -10, -10), vec(0, 0, 0));
		build(world);
		tried[k] = world->list.tried;
		talus_world_destroy(world);
	}
	assert_true(tried[0] > 1000);
	assert_true(tried[1] < tried[0] + tried[0]/10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_pair_is_missed),
		cmocka_unit_test(test_wide_skins),
		cmocka_unit_test(test_sheared_cell),
		cmocka_unit_test(test_on_the_faces_of_the_cell),
		cmocka_unit_test(test_fixed_grains),
		cmocka_unit_test(test_none_and_one),
		cmocka_unit_test(test_skin_over_time),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_pairs_grow_with_the_number),
		cmocka_unit_test(test_a_fast_stray_costs_only_its_own_work),
		cmocka_unit_test(test_a_far_stray_costs_only_its_own_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
