// SPDX-License-Identifier: MIT
// The periodic cell, straight and sheared.
#include "unit.h"

#include "state/cell.h"

static cell make(bool x, bool y, bool z)
{
	cell c;
	cell_init(&c, &(talus_cell_def){.origin = {-1, 2, 0.5}, .size = {4, 5, 6}, .periodic = {x, y, z}});
	return c;
}

static cell sheared(void)
{
	cell c = make(true, true, true);
	c.h[0][1] = 1.5;
	c.h[0][2] = -0.7;
	c.h[1][2] = 0.9;
	cell_update(&c);
	return c;
}

static vec3 lattice(const cell *c, double i, double j, double k)
{
	return vec(c->h[0][0]*i + c->h[0][1]*j + c->h[0][2]*k, c->h[1][0]*i + c->h[1][1]*j + c->h[1][2]*k,
		c->h[2][0]*i + c->h[2][1]*j + c->h[2][2]*k);
}

// What is inside stays as it is to the last bit; what is outside comes in by whole edges, and is counted.
static void test_wrap(void **state)
{
	(void)state;
	cell cells[2] = {make(true, true, true), sheared()};
	dice d = dice_make(1);
	for (int n = 0; n < 2000; n++) {
		const cell *c = &cells[n%2];
		int i = (int)roll(&d, -20, 20), j = (int)roll(&d, -20, 20), k = (int)roll(&d, -20, 20);
		vec3 f = roll_in(&d, vec(0.001, 0.001, 0.001), vec(0.999, 0.999, 0.999));
		vec3 inside = add(c->origin, lattice(c, f.x, f.y, f.z));
		int32_t image[3] = {100, 200, 300};
		assert_near3(cell_wrap(c, inside, image), inside, 0);
		assert_int_equal(image[0] + image[1] + image[2], 600);
		assert_near3(cell_wrap(c, add(inside, lattice(c, i, j, k)), image), inside, 1e-12);
		assert_int_equal(image[0], 100 + i);
		assert_int_equal(image[1], 200 + j);
		assert_int_equal(image[2], 300 + k);
	}
}

static void test_open_directions_are_left_alone(void **state)
{
	(void)state;
	cell c = make(false, true, false);
	int32_t image[3] = {0, 0, 0};
	vec3 x = cell_wrap(&c, vec(1000, 8, -1000), image);
	assert_near3(x, vec(1000, 3, -1000), 1e-12);
	assert_int_equal(image[0], 0);
	assert_int_equal(image[1], 1);
	assert_int_equal(image[2], 0);
	assert_near3(cell_nearest(&c, vec(1000, 4.9, -1000)), vec(1000, -0.1, -1000), 1e-12);
	assert_true(cell_any(&c));
	c = make(false, false, false);
	assert_false(cell_any(&c));
	assert_near3(cell_wrap(&c, vec(1e9, -1e9, 7), image), vec(1e9, -1e9, 7), 0);
}

// Wrapped fractions lie in [0, 1], also for points that miss a face by rounding only.
static void test_wrap_at_faces(void **state)
{
	(void)state;
	cell c = make(true, true, true);
	static const double off[] = {0, 1e-18, -1e-18, 1e-16, -1e-16, 1e-15, -1e-15};
	for (int i = 0; i < 7; i++)
		for (int side = 0; side < 2; side++) {
			int32_t image[3] = {0, 0, 0};
			vec3 f = cell_fraction(&c,
				cell_wrap(&c,
				vec(-1 + 4*side + off[i], 2 + 5*side + off[i], 0.5 + 6*side + off[i]),
				image));
			for (int k = 0; k < 3; k++)
				assert_true(component(f, k) >= 0 && component(f, k) <= 1);
		}
}

static void test_fraction(void **state)
{
	(void)state;
	cell c = sheared();
	dice d = dice_make(2);
	for (int n = 0; n < 100; n++) {
		vec3 f = roll_in(&d, vec(-3, -3, -3), vec(3, 3, 3));
		assert_near3(cell_fraction(&c, add(c.origin, lattice(&c, f.x, f.y, f.z))), f, 1e-13);
	}
}

// Against a search among 125 images: whenever the nearest one is closer than half the cell's least height, it
// is found.
static void test_nearest(void **state)
{
	(void)state;
	cell cells[2] = {make(true, true, true), sheared()};
	dice d = dice_make(3);
	int checked = 0;
	for (int n = 0; n < 4000; n++) {
		const cell *c = &cells[n%2];
		double half = 0.5*fmin(cell_height(c, 0), fmin(cell_height(c, 1), cell_height(c, 2)));
		vec3 f = roll_in(&d, vec(-1, -1, -1), vec(1, 1, 1)), delta = lattice(c, f.x, f.y, f.z), best =
			delta;
		for (int k = 0; k < 125; k++) {
			vec3 a = add(delta, lattice(c, k%5 - 2, k/5%5 - 2, k/25 - 2));
			best = norm(a) < norm(best) ? a : best;
		}
		if (norm(best) < half || n%2 == 0) {
			assert_near3(cell_nearest(c, delta), best, 1e-12);
			checked++;
		}
	}
	assert_true(checked > 2300);
}

// The distance of opposite faces: volume over area.
static void test_height(void **state)
{
	(void)state;
	cell c = make(true, true, true);
	assert_near(cell_height(&c, 0), 4, 1e-14);
	assert_near(cell_height(&c, 1), 5, 1e-14);
	assert_near(cell_height(&c, 2), 6, 1e-14);
	c = sheared();
	vec3 edge[3] = {lattice(&c, 1, 0, 0), lattice(&c, 0, 1, 0), lattice(&c, 0, 0, 1)};
	double volume = dot(edge[0], cross(edge[1], edge[2]));
	for (int k = 0; k < 3; k++)
		assert_near(cell_height(&c, k), volume/norm(cross(edge[(k + 1)%3], edge[(k + 2)%3])), 1e-13);
}

static void test_lattice_vectors(void **state)
{
	(void)state;
	cell c = sheared();
	assert_near3(c.shift[CELL_NO_IMAGE], vec(0, 0, 0), 0);
	for (int image = 0; image < 27; image++) {
		assert_near3(c.shift[image], lattice(&c, image%3 - 1, image/3%3 - 1, image/9 - 1), 1e-14);
		assert_near3(c.shift[image], neg(c.shift[26 - image]), 0);
	}
}

// A counter stops where it is full, and says so.
static void test_images_are_full(void **state)
{
	(void)state;
	cell c = make(true, true, false);
	int32_t image[3] = {1999999990, -1999999990, 0};
	vec3 middle = vec(1, 4, 1), far = add(middle, lattice(&c, 20, -20, 0));
	assert_false(cell_lost(&c, middle, image));
	assert_true(cell_lost(&c, far, image));
	assert_near3(cell_wrap(&c, far, image), middle, 1e-12);
	assert_int_equal(image[0], CELL_IMAGE_MOST);
	assert_int_equal(image[1], -CELL_IMAGE_MOST);
	assert_true(cell_lost(&c, middle, image));
	for (int i = 0; i < 100; i++)
		cell_wrap(&c, add(middle, lattice(&c, 900000000, -900000000, 0)), image);
	assert_int_equal(image[0], CELL_IMAGE_MOST);
	assert_int_equal(cell_image_add(7, 1e300), CELL_IMAGE_MOST);
	assert_int_equal(cell_image_add(7, -INFINITY), -CELL_IMAGE_MOST);
	int32_t none[3] = {0, 0, 0};
	assert_true(cell_lost(&c, vec(1, 1e11, 0), none)); // too far away to be put back
	assert_false(cell_lost(&c, vec(1, 1, 1e300), none)); // open
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_open_directions_are_left_alone),
		cmocka_unit_test(test_wrap_at_faces),
		cmocka_unit_test(test_fraction),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_height),
		cmocka_unit_test(test_lattice_vectors),
		cmocka_unit_test(test_images_are_full),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
