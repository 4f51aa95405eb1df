// SPDX-License-Identifier: MIT
// Regions that grains are put into.
#include "unit.h"

#include "state/cell.h"
#include "arrive/region.h"

static const talus_region regions[] = {
	{.kind = TALUS_REGION_BOX, .box = {{-1, -2, -3}, {4, 3, 5}}},
	{.kind = TALUS_REGION_SPHERE, .at = {1, 0.5, 1}, .radius = 3},
	{.kind = TALUS_REGION_CYLINDER, .at = {-1, -1, -1}, .to = {2, 1, 3}, .radius = 2},
};
enum { REGIONS = 3 };

static cell open_space(void)
{
	cell c;
	cell_init(&c, &(talus_cell_def){.origin = {0, 0, 0}, .size = {0, 0, 0}, .periodic = {false, false, false}});
	return c;
}

// By definition alone.
static bool contains_point(const talus_region *g, vec3 x)
{
	if (g->kind == TALUS_REGION_SPHERE)
		return norm(sub(x, g->at)) <= g->radius;
	if (g->kind == TALUS_REGION_CYLINDER) {
		vec3 line = sub(g->to, g->at);
		double s = dot(sub(x, g->at), line)/dot(line, line);
		return s >= 0 && s <= 1 && norm(sub(x, mul_add(g->at, s, line))) <= g->radius;
	}
	return x.x >= g->box.low.x && x.x <= g->box.high.x && x.y >= g->box.low.y && x.y <= g->box.high.y &&
		x.z >= g->box.low.z && x.z <= g->box.high.z;
}

// A grain is inside if all of its surface is.
static bool contains_ball(const talus_region *g, vec3 x, double r)
{
	enum { N = 2000 };
	for (int i = 0; i < N; i++) {
		// a spiral over the sphere
		double z = 1 - 2*(i + 0.5)/N, phi = 2.399963229728653*i, s = sqrt(1 - z*z);
		if (!contains_point(g, mul_add(x, r, vec(s*cos(phi), s*sin(phi), z))))
			return false;
	}
	return true;
}

static void test_holds_whole_grains(void **state)
{
	(void)state;
	cell c = open_space();
	dice d = dice_make(4);
	for (int k = 0; k < REGIONS; k++) {
		int inside = 0;
		for (int n = 0; n < 1500; n++) {
			vec3 x = roll_in(&d, vec(-3, -3, -4), vec(5, 4, 6));
			double r = roll(&d, 0.05, 1.2);
			bool holds = region_holds(&regions[k], &c, 3, x, r);
			inside += holds;
			// a sampled surface misses a little of what sticks out
			assert_true(holds ?
				contains_ball(&regions[k], x, 0.999*r) : !contains_ball(&regions[k], x,
				1.01*r));
		}
		assert_true(inside > 50);
	}
}

// Bounds hold all points of the region, and each face of them is reached.
static void test_bounds(void **state)
{
	(void)state;
	dice d = dice_make(5);
	for (int k = 0; k < REGIONS; k++) {
		talus_box b = region_bounds(&regions[k]);
		vec3 low = vec(1e9, 1e9, 1e9), high = vec(-1e9, -1e9, -1e9);
		for (int n = 0; n < 400000; n++) {
			vec3 x = roll_in(&d, sub(b.low, vec(0.5, 0.5, 0.5)), add(b.high, vec(0.5, 0.5, 0.5)));
			if (!contains_point(&regions[k], x))
				continue;
			low = vec(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
			high = vec(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
		}
		assert_near3(low, b.low, 0.25);
		assert_near3(high, b.high, 0.25);
		for (int axis = 0; axis < 3; axis++) {
			assert_true(component(low, axis) >= component(b.low, axis) - 1e-12);
			assert_true(component(high, axis) <= component(b.high, axis) + 1e-12);
		}
	}
}

// A cylinder along an axis has an obvious bound.
static void test_straight_cylinder(void **state)
{
	(void)state;
	talus_region g = {.kind = TALUS_REGION_CYLINDER, .at = {1, 2, 9}, .to = {1, 2, 3}, .radius = 2};
	talus_box b = region_bounds(&g);
	assert_near3(b.low, vec(-1, 0, 3), 1e-14);
	assert_near3(b.high, vec(3, 4, 9), 1e-14);
}

// The fractions 0 and 1 are where the grain touches the bounds.
static void test_point(void **state)
{
	(void)state;
	cell c = open_space();
	const talus_region *g = &regions[0];
	assert_near3(region_point(g, &c, 3, 0.5, (double[]){0, 0, 0}), vec(-0.5, -1.5, -2.5), 1e-14);
	assert_near3(region_point(g, &c, 3, 0.5, (double[]){1, 1, 1}), vec(3.5, 2.5, 4.5), 1e-14);
	assert_near3(region_point(g, &c, 2, 0.5, (double[]){0.5, 0.25, 0.7}), vec(1.5, -0.5, 0), 1e-14);
	assert_true(region_holds(g, &c, 3, vec(-0.5, -1.5, 4.5), 0.5));
	assert_false(region_holds(g, &c, 3, vec(-0.51, -1.5, 4.5), 0.5));
	assert_true(region_holds(g, &c, 2, vec(0, 0, 99), 0.5)); // in 2D there is no z
}

// Where a box spans a periodic direction, grains may stick out, and only there.
static void test_periodic(void **state)
{
	(void)state;
	cell c;
	cell_init(&c, &(talus_cell_def){.origin = {-1, -2, 0}, .size = {5, 5, 1}, .periodic = {true, true, false}});
	talus_region g = regions[0];
	assert_near3(region_point(&g, &c, 3, 0.5, (double[]){0, 1, 0}), vec(-1, 3, -2.5), 1e-14);
	assert_true(region_holds(&g, &c, 3, vec(-1, 3, 0), 0.5));
	assert_false(region_holds(&g, &c, 3, vec(0, 0, 4.9), 0.5));
	g.box.high.x = 3.9; // no longer all of the cell
	assert_false(region_holds(&g, &c, 3, vec(-1, 0, 0), 0.5));
	assert_near3(region_point(&g, &c, 3, 0.5, (double[]){0, 1, 0}), vec(-0.5, 3, -2.5), 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds_whole_grains),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_straight_cylinder),
		cmocka_unit_test(test_point),
		cmocka_unit_test(test_periodic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
