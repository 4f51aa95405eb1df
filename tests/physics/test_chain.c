// SPDX-License-Identifier: MIT
// The rigid chain that behaves like an elastic one when it gets too few iterations (Unger, Brendel, Wolf &
// Kertesz 2002, figs. 3 and 4): 50 disks in a row are pushed against a wall and ring like a rod, with a
// frequency and a damping that follow from the number of iterations alone.
#include "ringing.h"

enum { DISKS = 50 };
static const double d = 1; // diameter

// The disk at the far end, step by step. With `free` = TALUS_FREE_X the full-mass contact law is at work.
static void ring(record *out, int steps, int iterations, double dt, unsigned free, uint64_t seed)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = dt;
	def.seed = seed;
	def.solver.iterations = iterations;
	def.solver.order = TALUS_ORDER_RANDOM; // theory is about this one
	talus_world *world = world_of(&def, 0);
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	double mass = PI*d*d/4;
	for (int i = 0; i < DISKS; i++) {
		talus_grain_def disk = talus_grain_def_default();
		disk.at = vec((1.5 + i)*d, 0, 0);
		disk.radius = d/2;
		disk.free = free;
		disk.force.x = i == DISKS - 1 ? -0.05*d*mass/(dt*dt) : 0;
		talus_world_add_grain(world, &disk);
	}
	for (out->count = 0; out->count < steps; out->count++) {
		talus_world_step(world);
		out->x[out->count] = look(world, DISKS - 1).x.x;
	}
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- what theory expects

// What theory expects of the wave that is four times as long as the chain, in units of the step. With the
// exponent e = q N (pi/100)^2/2, q = (4 sqrt(e) - 5)/2: cos(omega) = exp(-e), tau = 1/e; the published
// numbers come from the limit of short steps, which is up to 0.3 % below.
typedef struct expectation {
	int iterations, first, last; // and the steps to look at: a softer chain rattles longer before it rings
	double omega, tau, tau_tolerance;
} expectation;

static const expectation forty = {40, 220, 400, 0.17697, 63.5, 0.05};
static const expectation others[] = {
	{10, 600, 960, 0.08863, 254.1, 0.1},
	{20, 500, 800, 0.12522, 127.1, 0.1},
	{80, 200, 380, 0.24894, 31.8, 0.1},
};

static void check_ringing(const expectation *e, double dt, unsigned free, uint64_t seed)
{
	static record r;
	ring(&r, e->last, e->iterations, dt, free, seed);
	fit found = fit_damped_sine(&r, e->first, e->last, e->omega, e->tau);
	assert_near(found.omega, e->omega, 0.005*e->omega);
	assert_near(found.tau, e->tau, e->tau_tolerance*e->tau);
	assert_below(0.99, found.r2);
	double exponent = 0.5*q_random*e->iterations*pow(PI/100, 2);
	assert_near(found.omega, acos(exp(-exponent)), 0.005*found.omega);
}

// ---------------------------------------------------------------- tests

// Pushed against the wall, the chain rings with 0.17697/dt and fades with 63.5 dt at 40 iterations. The
// time step is nothing but the unit of time in this, and it does not matter whether the disks cannot or
// only do not leave the line.
static void test_chain(void **state)
{
	(void)state;
	static const double dts[] = {1, 0.02};
	static const unsigned frees[] = {TALUS_FREE_ALL, TALUS_FREE_X};
	for (int k = 0; k < 2; k++)
		for (int f = 0; f < 2; f++)
			for (uint64_t seed = 1; seed <= (quick() ? 1 : 2); seed++)
				check_ringing(&forty, dts[k], frees[f], seed);
}

// Softer with fewer iterations: omega ~ N^1/2, tau ~ 1/N.
static void test_iterations(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(others); k++) {
		for (uint64_t seed = 1; seed <= (quick() ? 1 : 3); seed++)
			check_ringing(&others[k], 1, TALUS_FREE_ALL, seed);
		check_ringing(&others[k], 0.02, TALUS_FREE_X, 1);
	}
}

// The same line of disks by the plain law and by the full-mass one: the same numbers but for round-off.
static void test_laws_agree(void **state)
{
	(void)state;
	static record plain, full_mass;
	ring(&plain, 300, 40, 0.1, TALUS_FREE_ALL, 1);
	ring(&full_mass, 300, 40, 0.1, TALUS_FREE_X, 1);
	for (int k = 0; k < 300; k++)
		assert_near(full_mass.x[k], plain.x[k], 1e-9);
}

// ---------------------------------------------------------------- Bagnold

// A heap of disks (balls) with friction, thrown into a box with all forces times `a` and all times over its
// root.
static talus_world *thrown(int dimension, double a)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = 0.01/sqrt(a);
	def.gravity = dimension == 2 ? vec(0, -a, 0) : vec(0, 0, -a);
	def.solver.iterations = 30;
	talus_world *world = world_of(&def, 0.4);
	put_plane(world, vec(0, 0, 0), dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(world, vec(9, 0, 0), vec(-1, 0, 0));
	uint64_t stream = test_stream(1);
	for (int i = 0; i < 64; i++) {
		double high = 1 + 2.1*(i/4);
		vec3 at = vec(1.1 + 2.2*(i%4), dimension == 2 ? high : 1 + 2.2*(i/4%2),
			dimension == 2 ? 0 : 1 + 2.1*(i/8));
		double radius = 0.6 + 0.4*random_unit(stream, 1000 + (uint64_t)i);
		put_grain(world, at, radius, mul(sqrt(a), random_vector(dimension, stream, (uint64_t)i)));
	}
	return world;
}

// Rigid grains know no time scale of their own: all forces times a and all times over sqrt(a) is the same
// motion, seen faster (Bagnold). With a = 4 every number is scaled by a power of two, so not a bit may
// differ.
static void test_bagnold(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world *slow = thrown(dimension, 1), *fast = thrown(dimension, 4), *odd = thrown(dimension, 3);
		for (int step = 1; step <= 600; step++) {
			run(slow, 1);
			run(fast, 1);
			for (uint32_t i = 0; step%50 == 0 && i < 64; i++) {
				grain s = look(slow, i), f = look(fast, i);
				assert_near3(f.x, s.x, 0);
				assert_near3(f.v, mul(2, s.v), 0);
				assert_near3(f.spin, mul(2, s.spin), 0);
			}
			if (step > 150) // later, collisions have made round-off large
				continue;
			run(odd, 1);
			for (uint32_t i = 0; i < 64; i++)
				assert_near3(look(odd, i).x, look(slow, i).x, 1e-9);
		}
		talus_world_destroy(slow);
		talus_world_destroy(fast);
		talus_world_destroy(odd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_iterations),
		cmocka_unit_test(test_laws_agree),
		cmocka_unit_test(test_bagnold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
