// SPDX-License-Identifier: MIT
// Fabric tensor, its eigenvalues, the distribution of normals.
#include "packing.h"

static const talus_pair smooth = {.friction = 0};

static talus_world *lattice(bool hexagonal)
{
	talus_world_def def = unit_def(2);
	double rise = hexagonal ? sqrt(3) : 2;
	def.cell = (talus_cell_def){.size = {8, 4*rise, 0}, .periodic = {true, true, false}};
	talus_world *world = unit_world(&def, 0);
	for (int row = 0; row < 4; row++)
		for (int i = 0; i < 4; i++)
			unit_grain(world, vec(2*i + (hexagonal ? row%2 : 0), rise*row, 0), 1, vec(0, 0, 0));
	talus_world_step(world);
	assert_int_equal(world->contacts.count, hexagonal ? 48 : 32);
	for (size_t i = 0; i < world->contacts.count; i++)
		packing_push(world, i, 1, 0);
	return world;
}

// Square and hexagonal lattices look the same in all directions to second order, and histograms tell them apart.
static void test_lattices(void **state)
{
	(void)state;
	for (int hexagonal = 0; hexagonal < 2; hexagonal++) {
		talus_world *world = lattice(hexagonal);
		fabric_state f = observe_fabric(world);
		assert_int_equal(f.contacts, world->contacts.count);
		assert_near(f.fabric[0][0], 0.5, 1e-12);
		assert_near(f.fabric[1][1], 0.5, 1e-12);
		assert_near(f.fabric[0][1], 0, 1e-12);
		assert_near(f.anisotropy, 0, 1e-12);
		assert_near(f.coefficient, 0, 1e-12);
		for (size_t i = 0; i < world->contacts.count; i++) { // off the edges of bins
			talus_contact *c = &world->contacts.contact[i];
			c->n = turn(c->n, vec(0, 0, 1), 0.01);
		}
		normals_state n = observe_normals(world);
		assert_true(n.rows == 1 && n.bins == 36);
		for (int k = 0; k < 36; k++)
			assert_int_equal(n.count[0][k], k%(hexagonal ? 12 : 18) == 0 ? 16 : 0);
		talus_world_destroy(world);
	}
}

// A square lattice that is loaded along x only has all its normals there.
static void test_loaded_one_way(void **state)
{
	(void)state;
	talus_world *world = lattice(false);
	for (size_t i = 0; i < world->contacts.count; i++)
		if (fabs(world->contacts.contact[i].n.y) > 0.5)
			world->contacts.p[i] = vec(0, 0, 0);
	fabric_state f = observe_fabric(world);
	assert_int_equal(f.contacts, 16);
	assert_near(f.fabric[0][0], 1, 1e-12);
	assert_near(f.anisotropy, 1, 1e-12);
	assert_near(f.coefficient, 2, 1e-12);
	talus_world_destroy(world);
}

// Normals drawn from E = (1 + a cos 2(theta - phi))/(2 pi), by weights: the coefficient comes back.
static void test_coefficient(void **state)
{
	(void)state;
	enum { ALL = 2000 };
	const double a = 0.3, phi = 0.7;
	talus_world *world = packing_row(2, ALL, &smooth);
	for (size_t i = 0; i < ALL; i++) { // theta where the share i/ALL of half a turn is reached
		double theta = 0, wanted = M_PI*((double)i + 0.5)/ALL;
		for (int k = 0; k < 60; k++) // theta + a/2 sin 2 theta = wanted
			theta -= (theta + 0.5*a*sin(2*theta) - wanted)/(1 + a*cos(2*theta));
		world->contacts.contact[i].n = vec(cos(theta + phi), sin(theta + phi), 0);
		packing_push(world, i, 1, 0);
	}
	assert_near(observe_fabric(world).coefficient, a, 1e-5);
	talus_world_destroy(world);
}

// 5, 3 and 2 contacts of 10 along three axes, turned somehow: eigenvalues 0.5, 0.3, 0.2.
static void test_eigenvalues(void **state)
{
	(void)state;
	talus_world *world = packing_row(3, 10, &smooth);
	dice d = dice_make(1);
	for (int trial = 0; trial < 20; trial++) {
		vec3 axis = roll_direction(&d, 3);
		double angle = trial ? roll(&d, 0, 3) : 0;
		for (size_t i = 0; i < 10; i++) {
			vec3 n = i < 5 ? vec(1, 0, 0) : i < 8 ? vec(0, 1, 0) : vec(0, 0, -1);
			world->contacts.contact[i].n = turn(n, axis, angle);
			packing_push(world, i, 1, 0.1);
		}
		fabric_state f = observe_fabric(world);
		assert_near(f.fabric[0][0] + f.fabric[1][1] + f.fabric[2][2], 1, 1e-14);
		assert_near(f.fabric[2][0], f.fabric[0][2], 0);
		assert_near(f.anisotropy, 0.3, 1e-12);
		assert_near(f.coefficient, 7.5*sqrt(1.5*(0.16667*0.16667 + 0.03333*0.03333 + 0.13333*0.13333)), 1e-4);
		if (!trial)
			assert_near(f.fabric[1][1], 0.3, 1e-15);
	}
	normals_state n = observe_normals(world);
	assert_true(n.rows == 3 && n.bins == 10);
	for (int k = 0; k < 3; k++) {
		size_t sum = 0;
		for (int bin = 0; bin < 10; bin++)
			sum += n.count[k][bin];
		assert_int_equal(sum, 10);
	}
	talus_world_destroy(world);
}

// All normals along one axis, and equally along three: the ends of the closed form.
static void test_ends_of_the_form(void **state)
{
	(void)state;
	talus_world *world = packing_row(3, 9, &smooth);
	for (size_t i = 0; i < 9; i++)
		packing_push(world, i, 1, 0);
	assert_near(observe_fabric(world).anisotropy, 1, 1e-7);
	assert_int_equal(observe_normals(world).count[0][9], 9);
	assert_int_equal(observe_normals(world).count[1][0], 9);
	for (size_t i = 0; i < 9; i++)
		world->contacts.contact[i].n = vec(i%3 == 0, i%3 == 1, i%3 == 2);
	assert_near(observe_fabric(world).anisotropy, 0, 1e-12);
	talus_world_destroy(world);
}

static void test_none(void **state)
{
	(void)state;
	talus_world *world = packing_row(3, 2, &smooth);
	fabric_state f = observe_fabric(world);
	assert_true(f.contacts == 0 && f.anisotropy == 0 && f.coefficient == 0 && f.fabric[0][0] == 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lattices),
		cmocka_unit_test(test_loaded_one_way),
		cmocka_unit_test(test_coefficient),
		cmocka_unit_test(test_eigenvalues),
		cmocka_unit_test(test_ends_of_the_form),
		cmocka_unit_test(test_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
