// SPDX-License-Identifier: MIT
// Frames that were put together by hand: how far apart the same grains are, and what of contacts and forces they share.
#include "unit.h"

#include "compare.h"

#include <math.h>
#include <stdlib.h>

enum { GRAINS = 3, CONTACTS = 4 };

// Three disks of diameters 1, 2 and 3 in a cell of 10, periodic along x; rows may stand in any order.
typedef struct made {
	frame f;
	uint32_t id[GRAINS];
	double x[GRAINS][3], radius[GRAINS];
	int64_t body[CONTACTS][2];
	double n[CONTACTS][3], force[CONTACTS][3];
} made;

static void contact_put(made *m, int64_t a, int64_t b, double normal)
{
	size_t k = m->f.contacts++;
	m->body[k][0] = a;
	m->body[k][1] = b;
	m->n[k][1] = 1;
	m->force[k][0] = 7; // along the contact: does not count
	m->force[k][1] = normal;
}

static made *frame_make(void)
{
	static const double places[GRAINS] = {1, 5, 9.5};
	made *m = calloc(1, sizeof *m);
	m->f = (frame){.dimension = 2, .grains = GRAINS, .periodic = {true}, .walls = 1, .cell = {{10}, {0, 1}, {0, 0, 1}}};
	for (int i = 0; i < GRAINS; i++) {
		m->id[i] = (uint32_t)i + 4;
		m->x[i][0] = places[i];
		m->radius[i] = 0.5*(i + 1);
	}
	m->f.id = m->id;
	m->f.x = m->x;
	m->f.radius = m->radius;
	m->f.body = m->body;
	m->f.n = m->n;
	m->f.force = m->force;
	return m;
}

// Rows 0 and 2 change their places.
static void swap(made *m)
{
	uint32_t id = m->id[0];
	double radius = m->radius[0], x = m->x[0][0];
	m->id[0] = m->id[2];
	m->radius[0] = m->radius[2];
	m->x[0][0] = m->x[2][0];
	m->id[2] = id;
	m->radius[2] = radius;
	m->x[2][0] = x;
}

// One grain goes by 0.8 of a length through the end of the cell, another by 0.6; a diameter is 2.
static void test_places(void **state)
{
	(void)state;
	made *a = frame_make(), *b = frame_make();
	assert_near(frame_diameter(&a->f), 2, 1e-15);
	b->x[2][0] = 0.3;
	b->x[1][1] = 0.6;
	swap(b);
	grains_compared g = grains_compare(&a->f, &b->f, 2);
	assert_null(g.others);
	assert_near(g.most, 0.4, 1e-12);
	assert_near(g.rms, sqrt((0.64 + 0.36)/3)/2, 1e-12);
	swap(b);
	swap(a);
	assert_near(grains_compare(&a->f, &b->f, 2).most, 0.4, 1e-12);
	swap(a);
	b->f.periodic[0] = a->f.periodic[0] = false;
	a->f.cell[0][0] = 1;
	assert_near(grains_compare(&a->f, &b->f, 2).most, 4.6, 1e-12);
	free(a);
	free(b);
}

// Common are 4-5 and the wall with 4: forces 1, 3 and 2, 2, the second one in two parts.
static void test_contacts(void **state)
{
	(void)state;
	made *a = frame_make(), *b = frame_make();
	contact_put(a, 5, 6, 9);
	contact_put(a, 4, 5, 1);
	contact_put(a, -1, 4, 3);
	contact_put(b, -1, 4, 2);
	contact_put(b, 4, 5, 0.5);
	contact_put(b, -1, 5, 8);
	contact_put(b, 4, 5, 1.5);
	grains_compared g = grains_compare(&a->f, &b->f, 2);
	assert_int_equal(g.contacts[A], 3);
	assert_int_equal(g.contacts[B], 3);
	assert_int_equal(g.common, 2);
	assert_int_equal(g.together, 4);
	assert_near(g.force_rms, sqrt(2/(1.5*1.5 + 2.5*2.5)), 1e-12);
	assert_true(isnan(g.correlation)); // B has the same force twice
	b->force[0][1] = 4;
	assert_near(grains_compare(&a->f, &b->f, 2).correlation, 1, 1e-12);
	b->force[0][1] = 1;
	assert_near(grains_compare(&a->f, &b->f, 2).correlation, -1, 1e-12);
	b->f.walls = 2; // walls of other scenes are other walls
	assert_int_equal(grains_compare(&a->f, &b->f, 2).common, 1);
	free(a);
	free(b);
}

static void test_other_grains(void **state)
{
	(void)state;
	made *a = frame_make(), *b = frame_make();
	b->radius[1] += 1e-9;
	assert_string_equal(grains_compare(&a->f, &b->f, 2).others, "their radii differ");
	b->id[1] = 99;
	assert_string_equal(grains_compare(&a->f, &b->f, 2).others, "their ids differ");
	b->f.grains = 2;
	assert_string_equal(grains_compare(&a->f, &b->f, 2).others, "their numbers differ");
	b->f.dimension = 3;
	assert_string_equal(grains_compare(&a->f, &b->f, 2).others, "one is in 2D, the other in 3D");
	a->f.grains = b->f.grains = 0;
	b->f.dimension = 2;
	assert_string_equal(grains_compare(&a->f, &b->f, NAN).others, "there are none");
	assert_true(isnan(frame_diameter(&a->f)));
	free(a);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places), cmocka_unit_test(test_contacts), cmocka_unit_test(test_other_grains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
