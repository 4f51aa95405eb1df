// SPDX-License-Identifier: MIT
// Many grains that bounce: nothing makes energy, whatever the law and however far the sweeps went, smooth
// elastic grains keep it as far as a step can tell one collision from the next, and a pile comes to rest.
#include "laws.h"

#include "observe/observe.h"
#include "method/contact_dynamics.h"

// ---------------------------------------------------------------- gases

typedef struct mix { // laws of two materials, of which every other grain is made
	double e_aa, e_ab, e_bb, e_t, mu;
} mix;

static double all_energy(const talus_world *world)
{
	energies e = account_grains(&world->state);
	return e.kinetic + e.potential;
}

static void set_laws(talus_world *world, const mix *m)
{
	double e[] = {m->e_aa, m->e_ab, m->e_bb};
	for (int k = 0; k < 3; k++) {
		talus_pair law = {.a = k/2, .b = (k + 1)/2, .friction = m->mu, .restitution = e[k]};
		law.tangential_restitution = m->e_t;
		talus_world_set_pair(world, &law);
	}
}

// Grains of all sizes in a periodic box, with random velocities and spins. Densities are 1 and 3.
static talus_world *gas(const talus_world_def *basis, const mix *m)
{
	talus_world_def def = *basis;
	int count = quick() ? 60 : 150, dimension = def.dimension;
	// mean squares and cubes of radii from 0.6 to 1.2; 45 % in 2D and 33 % in 3D of the room is grains
	double size = dimension == 2 ? sqrt(count*PI*0.84/0.45) : cbrt(count*4*PI/3*0.81/0.33);
	def.cell.size = vec(size, size, size);
	def.cell.periodic[0] = def.cell.periodic[1] = true;
	def.cell.periodic[2] = dimension == 3;
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "a", 1);
	talus_world_add_material(world, "b", 3);
	set_laws(world, m);
	for (int material = 0; material < 2; material++) {
		talus_fill_def fill = {.count = count/2, .material = material,
			.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.6, .b = 1.2}};
		fill.in.box.high = vec(size, size, dimension == 3 ? size : 0);
		talus_error error;
		if (!talus_world_fill(world, &fill, &error))
			fail_msg("%s", error.text);
	}
	stir(world, test_stream(7));
	return world;
}

static talus_world_def swept(int dimension, double dt, int sweeps)
{
	talus_world_def def = exact_def(dimension, dt);
	def.solver.tolerance = 1e-13;
	if (sweeps > 0) { // not to the end
		def.solver.stop = TALUS_STOP_ITERATIONS;
		def.solver.iterations = sweeps;
	}
	return def;
}

// Runs a gas, looks at every step; returns the share of the energy that is left.
static double check_no_gain(const talus_world_def *def, const mix *m)
{
	talus_world *world = gas(def, m);
	double start = account_grains(&world->state).kinetic, last = start;
	size_t seen = 0;
	for (int n = 0; n < (int)(1/def->step); n++) {
		seen += talus_world_step(world).contacts;
		double now = account_grains(&world->state).kinetic;
		assert_below(now, last + 1e-12*start);
		last = now;
	}
	assert_true(seen > 100);
	assert_near(last + energy_account_dissipated(&world->energy), start, 1e-12*start);
	talus_world_destroy(world);
	return last/start;
}

// Steps of all lengths, sweeps to the end (0) and not. Each of them meets a share of all cases and together they meet all: that of
// number k if taken(k, turn). In the long form each meets all.
static bool taken(size_t k, size_t turn)
{
	return long_form() || quick() || k%4 == turn%4;
}

static void for_all_solves(void (*body)(const talus_world_def *def, size_t turn))
{
	static const double steps[] = {0.05, 0.02, 0.02, 0.005};
	static const int sweeps[] = {0, 0, 50, 100};
	for (size_t s = 0; s < (quick() ? 1 : COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = swept(dimension, steps[s], sweeps[s]);
			body(&def, s);
		}
}

// One material. The less bouncy, the more is lost.
static void all_laws(const talus_world_def *def, size_t turn)
{
	static const double es[] = {0, 0.5, 0.9, 1};
	static const double mus[] = {0, 0.3, 0.3, 0.3, 1, 1, 1}, ets[] = {0, 0, 0.5, 1, 0, 0.5, 1};
	for (size_t k = 0; k < COUNT(mus); k++) {
		double left[COUNT(es)];
		if (!taken(k + (size_t)def->dimension, turn))
			continue;
		for (size_t i = 0; i < COUNT(es); i++) {
			mix m = {es[i], es[i], es[i], ets[k], mus[k]};
			left[i] = check_no_gain(def, &m);
		}
		assert_below(left[0], 0.9);
		assert_below(left[0], left[3]);
	}
}

static void test_no_gain(void **state)
{
	(void)state;
	for_all_solves(all_laws);
}

// Elastic and perfectly inelastic pairs side by side: where one pair that moves apart is stopped dead while
// another one bounces, that makes energy if bounces are not kept in check.
static void all_mixtures(const talus_world_def *def, size_t turn)
{
	static const double mixtures[][3] = {{0, 1, 1}, {1, 0, 1}, {0, 1, 0}, {1, 0, 0}};
	static const double mus[] = {0, 0.3, 1}, ets[] = {0, 1};
	for (size_t k = 0; k < COUNT(mixtures)*COUNT(mus)*COUNT(ets); k++) {
		const double *e = mixtures[k%4];
		mix m = {e[0], e[1], e[2], ets[k/12], mus[k/4%3]};
		if (taken(k + k/4 + (size_t)def->dimension, turn))
			check_no_gain(def, &m);
	}
}

static void test_mixtures(void **state)
{
	(void)state;
	for_all_solves(all_mixtures);
}

// Does a contact push that has not bounced, but closed the gap to a grain that was sent its way within the
// step?
static bool any_closes(const talus_world *world)
{
	const contacts *c = &world->contacts;
	for (size_t i = c->class_end[TALUS_COULOMB]; i < c->count; i++) {
		const talus_contact *at = &c->contact[i];
		double target = dot(contact_dynamics_of(world)->rows.extended[i - c->class_end[TALUS_COULOMB]].target, at->n), bias = contact_dynamics_of(world)->rows.row[i].bias;
		if (dot(c->p[i], at->n) > 0 && fabs(target - bias) <= 1e-12*bias)
			return true;
	}
	return false;
}

// Smooth elastic grains keep their energy to round-off, also where many meet at once, as long as all of the
// collisions begin with the step. A grain that is sent against its neighbour within a step closes that gap
// and loses; the shorter the step, the less of this.
static void test_elastic(void **state)
{
	(void)state;
	static const double steps[] = {0.02, 0.005, 0.001};
	mix m = {1, 1, 1, 0, 0};
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t s = 0; s < some(COUNT(steps)); s++) {
			talus_world_def def = swept(dimension, steps[s], 0);
			talus_world *world = gas(&def, &m);
			double start = account_grains(&world->state).kinetic, last = start;
			int kept = 0, all = (int)(2/steps[s]);
			for (int n = 0; n < all; n++) {
				talus_world_step(world);
				double now = account_grains(&world->state).kinetic;
				if (!any_closes(world)) {
					assert_near(now, last, 1e-12*start);
					kept++;
				}
				last = now;
			}
			assert_below(1 - last/start, fmin(0.3, 30*steps[s]));
			assert_below((double)(all - kept)/all, 60*steps[s]);
			assert_true(kept > 0 && world->report.bounces_reduced == 0);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- piles

// 50 grains thrown into a box.
static talus_world *pile(int dimension, double dt)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = dt;
	def.solver.iterations = 50;
	vec3 up = dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
	def.gravity = neg(up);
	// without some rolling friction a last grain rolls to and fro in its hollow for long
	talus_pair law = {.friction = 0.3, .restitution = 0.8, .rolling = 0.02, .torsion = 0.02};
	talus_world *world = world_of_law(&def, law);
	double size = dimension == 2 ? 12 : 7;
	put_box(world, size);
	talus_fill_def fill = {.count = 50, .jitter = 1,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.6, .b = 1}};
	fill.arrangement = TALUS_ARRANGE_LATTICE;
	fill.in.box.high = dimension == 2 ? vec(size, 2*size, 0) : vec(size, size, 4*size);
	fill.velocity = dimension == 2 ? vec(0.3, -3, 0) : vec(0.3, 0.2, -3);
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);
	return world;
}

// Bouncy grains come to rest, and stay so.
static void test_pile(void **state)
{
	(void)state;
	static const double steps[] = {0.01, 0.005, 0.002};
	for (size_t s = 0; s < (quick() ? 1 : long_form() ? COUNT(steps) : 2); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = pile(dimension, steps[s]);
			double start = account_grains(&world->state).kinetic, total = all_energy(world);
			while (account_grains(&world->state).kinetic > 1e-10*start && world->state.time < 40)
				run(world, 10);
			run(world, 500);
			assert_below(account_grains(&world->state).kinetic, 1e-10*start);
			assert_below(world->report.worst_overlap, 1e-3);
			assert_near(all_energy(world) + energy_account_dissipated(&world->energy), total, 1e-10*total);
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_gain),
		cmocka_unit_test(test_mixtures),
		cmocka_unit_test(test_elastic),
		cmocka_unit_test(test_pile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
