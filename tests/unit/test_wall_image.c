// SPDX-License-Identifier: MIT
// Periodic images of walls, against a walk through all cells around.
#include "unit.h"

#include "stages.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "prepare/fill.h"
#include "method/contact_dynamics.h"
#include "state/wall.h"

enum { POST, DRUM, SEGMENT, CONE, PLATE, RING, TUBE, KINDS_OF_WALL };
static const vec3 size = {10, 9, 8};

static talus_wall_def some_wall(dice *d, int kind, int dimension)
{
	static const talus_wall_kind kinds[] = {TALUS_WALL_CYLINDER, TALUS_WALL_CYLINDER, TALUS_WALL_SEGMENT, TALUS_WALL_CONE,
	                                        TALUS_WALL_PLANE, TALUS_WALL_TORUS, TALUS_WALL_TORUS};
	talus_wall_def def = talus_wall_def_default(kinds[kind]);
	vec3 flat = vec(1, 1, dimension == 3);
	def.point = roll_in(d, mul(-40, flat), mul(40, flat));
	def.to = add(def.point, mul(roll(d, 1, 6), roll_direction(d, 2)));
	def.radius = roll(d, 0.5, 3.2);
	def.tube = 0.2*def.radius;
	def.inside = kind == DRUM || kind == TUBE;
	bool any = kind == CONE || kind == RING || kind == TUBE;
	def.axis = any ? roll_direction(d, 3) : kind == PLATE && dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
	def.angle = roll(d, 5, 50);
	def.last = 3;
	def.from = roll(d, 0, 2);
	def.has_hole = kind == PLATE;
	def.hole_at = def.point;
	def.hole_radius = roll(d, 0.5, 3);
	return def;
}

static cell some_cell(dice *d, int kind, int dimension)
{
	talus_cell_def def = {.size = size, .origin = roll_in(d, vec(-5, -5, -5), vec(5, 5, 5))};
	unsigned periodic = 1 + (unsigned)roll(d, 0, 7);
	for (int k = 0; k < 3; k++)
		def.periodic[k] = periodic >> k & 1;
	def.periodic[2] &= dimension == 3 && kind != PLATE;
	def.periodic[1] &= kind != PLATE || dimension == 3;
	cell c;
	cell_init(&c, &def);
	return c;
}

static double least_gap(const wall *w, vec3 image, int dimension, vec3 x)
{
	touch t[WALL_TOUCHES];
	double least = INFINITY;
	int count = wall_touch(w, image, dimension, x, 0.4, 1e9, t);
	for (int i = 0; i < count; i++)
		least = fmin(least, t[i].gap);
	return least;
}

// The smallest gap to any of the images; where the grain is inside, the largest.
static double walk(const wall *w, const cell *c, int dimension, vec3 x)
{
	enum { FAR = 8 };
	bool hull = (w->def.kind == TALUS_WALL_CYLINDER || w->def.kind == TALUS_WALL_TORUS) && w->def.inside;
	double best = hull ? -INFINITY : INFINITY, closest = INFINITY;
	for (int i = c->periodic[0] ? -FAR : 0; i <= (c->periodic[0] ? FAR : 0); i++)
		for (int j = c->periodic[1] ? -FAR : 0; j <= (c->periodic[1] ? FAR : 0); j++)
			for (int k = c->periodic[2] ? -FAR : 0; k <= (c->periodic[2] ? FAR : 0); k++) {
				vec3 image = vec(i*size.x, j*size.y, k*size.z);
				double gap = least_gap(w, image, dimension, x), off = norm(sub(x, add(w->hole_at, image)));
				if (w->def.has_hole && off < closest) {
					closest = off;
					best = gap;
				} else if (!w->def.has_hole) {
					best = hull ? fmax(best, gap) : fmin(best, gap);
				}
			}
	return best;
}

// A centre in the tube of a ring, which is nowhere else, or in that of an image.
static vec3 in_tube(dice *d, const talus_wall_def *ring, const cell *c)
{
	vec3 out = turn(any_tangent(unit(ring->axis)), unit(ring->axis), roll(d, 0, 6.28));
	vec3 x = add(mul_add(ring->point, ring->radius, out), mul(roll(d, 0, ring->tube), roll_direction(d, 3)));
	for (int k = 0; k < 3; k++)
		if (c->periodic[k])
			set_component(&x, k, component(x, k) + floor(roll(d, -5, 5))*component(size, k));
	return x;
}

// Among the images that a grain may meet is the nearest of all.
static void test_the_nearest_is_among_them(void **state)
{
	(void)state;
	dice d = dice_make(41);
	int near = 0;
	for (int i = 0; i < 3000; i++) {
		int kind = i%KINDS_OF_WALL, dimension = kind == SEGMENT ? 2 : kind == CONE || kind >= RING ? 3 : 2 + i%2;
		talus_wall_def def = some_wall(&d, kind, dimension);
		cell c = some_cell(&d, kind, dimension);
		wall w;
		wall_init(&w, &def);
		wall_find_images(&w, &c);
		vec3 x = kind == TUBE ? in_tube(&d, &def, &c) : roll_in(&d, vec(-15, -15, -15), vec(15, 15, 15));
		int32_t turns[3];
		for (int k = 0; k < 3; k++)
			turns[k] = (int32_t)roll(&d, -9, 9);
		if (dimension == 2)
			x.z = 0;
		double wanted = walk(&w, &c, dimension, x), found = INFINITY;
		unsigned image = 0;
		do
			found = fmin(found, least_gap(&w, wall_image(&w, &c, x, turns, image), dimension, x));
		while (wall_next_image(&w, &image));
		if (wanted < 1)
			assert_near(found, wanted, 1e-11);
		near += wanted < 1;
		assert_int_equal(wall_overlaps(&w, &c, dimension, x, 0.4, 0), wanted < 0);
	}
	assert_true(near > 500);
}

// An image keeps its number when the grain is wrapped, and when the two move on together.
static void test_a_number_stays(void **state)
{
	(void)state;
	dice d = dice_make(42);
	for (int i = 0; i < 500; i++) {
		talus_wall_def def = some_wall(&d, POST, 3);
		cell c;
		cell_init(&c, &(talus_cell_def){.size = size, .periodic = {true, true, false}});
		wall w;
		wall_init(&w, &def);
		wall_find_images(&w, &c);
		vec3 x = roll_in(&d, vec(0, 0, 0), size);
		for (unsigned image = 0; image < 4; image++) {
			vec3 first = wall_image(&w, &c, x, (int32_t[3]){0, 0, 0}, image), away = sub(x, add(w.point, first));
			assert_true(fabs(away.x) <= size.x + 1e-9 && fabs(away.y) <= size.y + 1e-9);
			vec3 wrapped = vec(x.x + 3*size.x, x.y - size.y, x.z);
			vec3 then = wall_image(&w, &c, wrapped, (int32_t[3]){-3, 1, 0}, image);
			assert_near3(sub(then, first), vec(3*size.x, -size.y, 0), 1e-11);
			wall moved = w;
			moved.shift = vec(-21, 33, 2);
			wall_place(&moved);
			assert_near3(wall_image(&moved, &c, add(x, moved.shift), (int32_t[3]){0, 0, 0}, image), first, 1e-11);
		}
	}
}

// Of a ring that leans: its lowest point lies below the lowest of its centre line.
static void test_width_of_a_ring(void **state)
{
	(void)state;
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_TORUS);
	def.axis = vec(0, 3, 4);
	def.radius = 5;
	def.tube = 1;
	wall w;
	wall_init(&w, &def);
	assert_near(wall_width(&w, 0), 12, 1e-12);
	assert_near(wall_width(&w, 1), 2*(5*0.8 + 1), 1e-12);
	assert_near(wall_width(&w, 2), 2*(5*0.6 + 1), 1e-12);
}

// How wide: from points of it.
static void test_width(void **state)
{
	(void)state;
	dice d = dice_make(43);
	for (int i = 0; i < 200; i++) {
		talus_wall_def def = some_wall(&d, CONE, 3);
		wall w;
		wall_init(&w, &def);
		vec3 low = vec(INFINITY, INFINITY, INFINITY), high = neg(low), side = any_tangent(w.axis);
		for (int p = 0; p < 4000; p++) {
			double s = p%2 ? def.from : def.last;
			vec3 out = mul_add(mul(s, w.axis), s*tan(def.angle*M_PI/180), turn(side, w.axis, p*2*M_PI/4000));
			for (int k = 0; k < 3; k++) {
				set_component(&low, k, fmin(component(low, k), component(out, k)));
				set_component(&high, k, fmax(component(high, k), component(out, k)));
			}
		}
		for (int k = 0; k < 3; k++)
			assert_near(wall_width(&w, k), component(high, k) - component(low, k), 1e-4);
	}
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_SEGMENT);
	def.to = vec(3, -4, 0);
	wall w;
	wall_init(&w, &def);
	assert_near(wall_width(&w, 0), 3, 0);
	assert_near(wall_width(&w, 1), 4, 0);
	w.def.spin = 0.1; // it will lie along every direction
	assert_near(wall_width(&w, 0), 5, 0);
}

// A grain fits between a wall and its image, but holes only stay apart; what has no end is never too wide.
static void test_too_wide(void **state)
{
	(void)state;
	cell c;
	cell_init(&c, &(talus_cell_def){.size = size, .periodic = {true, true, false}});
	const struct {
		int kind;
		double radius, diameter;
		int wanted;
	} cases[] = {{POST, 4, 0.9, -1},  {POST, 4, 1.1, 1}, {POST, 4.7, 0.1, 1}, {POST, 5.1, 0, 0}, {DRUM, 4.4, 2, -1},
	             {DRUM, 4.6, 0.1, 1}, {PLATE, 4.4, 5, -1}, {PLATE, 4.5, 1, 1}};
	dice d = dice_make(44);
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		talus_wall_def def = some_wall(&d, cases[i].kind, 3);
		def.radius = def.hole_radius = cases[i].radius;
		wall w;
		wall_init(&w, &def);
		wall_find_images(&w, &c);
		assert_int_equal(wall_too_wide(&w, &c, cases[i].diameter), cases[i].wanted);
		def.axis = vec(0, 1, 0);
		def.has_hole = false;
		wall_init(&w, &def);
		wall_find_images(&w, &c);
		assert_true(wall_too_wide(&w, &c, cases[i].diameter) <= 0); // along its axis it has no width
	}
}

// ---------------------------------------------------------------- in a world

// Every place where a grain may get to an image within the step is a contact, in every step.
static size_t expected_contacts(const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	size_t expected = 0;
	for (size_t i = 0; i < b->count; i++)
		for (int w = 0; w < world->state.walls.count; w++)
			for (int cells = 0; cells < 49; cells++) {
				vec3 image = vec((cells%7 - 3)*size.x, (cells/7 - 3)*size.y, 0);
				double range = approach_reach(&world->approach, &world->state, &world->approach.motion[i]) +
				               approach_wall_reach(&world->approach, &world->state, w);
				touch t[WALL_TOUCHES];
				expected += (size_t)wall_touch(&world->state.walls.at[w], image, world->state.def.dimension, b->x[i], b->radius[i],
				                               range, t);
			}
	return expected;
}

static void watched_step(talus_world *world)
{
	stages_to_contacts(world);
	size_t found = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		found += world->contacts.contact[i].wall != NO_WALL;
	assert_int_equal(found, expected_contacts(world));
	talus_world_step(world);
}

static talus_world *gas(int dimension)
{
	talus_world_def def = unit_def(dimension);
	def.cell = (talus_cell_def){.size = size, .periodic = {true, true, false}};
	def.solver.iterations = 10;
	talus_world *world = unit_world(&def, 0.2);
	talus_wall_def post = talus_wall_def_default(TALUS_WALL_CYLINDER);
	post.radius = 1.2;
	post.inside = false;
	post.velocity = vec(-4, 3, 0);
	talus_world_add_wall(world, &post);
	talus_wall_def other = talus_wall_def_default(dimension == 2 ? TALUS_WALL_SEGMENT : TALUS_WALL_CONE);
	other.point = vec(5, 8.5, 0);
	other.to = vec(9, 10, 0);
	other.last = 2;
	other.angle = 50;
	other.spin = 2;
	talus_world_add_wall(world, &other);
	return world;
}

static void test_contacts_over_time(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world *world = gas(dimension);
		dice d = dice_make(45);
		for (int i = 0; i < 20; i++)
			unit_grain(world, roll_in(&d, vec(0, 0, 0), vec(size.x, size.y, dimension == 3 ? 2 : 0)), 0.3,
			           mul(5, roll_direction(&d, 2)));
		for (int step = 0; step < 300; step++)
			watched_step(world);
		assert_true(world->list.builds > 3);
		talus_world_destroy(world);
	}
}

// Grains that are filled in or poured keep away from images, too.
static void test_places(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int way = 0; way < 3; way++) {
			talus_world *world = gas(dimension);
			talus_error error;
			talus_sizes radius = {.kind = TALUS_SIZE_CONSTANT, .a = 0.4};
			talus_region in = {.box = {vec(-3, -3, dimension == 3 ? -1 : 0), vec(size.x, size.y, dimension == 3 ? 3 : 0)}};
			talus_fill_def fill = {.count = 40, .radius = radius, .in = in,
			                       .arrangement = way ? TALUS_ARRANGE_RANDOM : TALUS_ARRANGE_LATTICE};
			talus_pour_def pour = {.count = 40, .start = -1, .rate = 1e9, .radius = radius, .in = in};
			world_pour(world, &pour);
			assert_true(way < 2 ? talus_world_fill(world, &fill, &error) :
			            pours_arrive(&world->pours, &world->state, &world->report.waiting_most));
			assert_int_equal(world->state.bodies.count, 40);
			for (size_t i = 0; i < world->state.bodies.count; i++)
				for (int w = 0; w < world->state.walls.count; w++)
					assert_true(walk(&world->state.walls.at[w], &world->state.cell, dimension, world->state.bodies.x[i]) > -1e-9);
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_nearest_is_among_them), cmocka_unit_test(test_a_number_stays), cmocka_unit_test(test_width),
		cmocka_unit_test(test_width_of_a_ring),
		cmocka_unit_test(test_too_wide), cmocka_unit_test(test_contacts_over_time), cmocka_unit_test(test_places),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
