// SPDX-License-Identifier: MIT
// A rigid chain that gets too few iterations is an elastic one (Unger, Brendel, Wolf & Kertesz 2002; Unger & Kertesz 2003): sound with a
// dispersion of its own, and contacts as stiff as  kappa = q m N/dt^2.
#include "ringing.h"

static const double d = 1, overlap = 0.1; // diameter; how far disks are in each other, so that no gap ever opens
static const double mass = PI/4;

static talus_world *chain_world(int disks, int iterations, double dt, bool ring, uint64_t seed)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = dt;
	def.seed = seed;
	def.solver.iterations = iterations;
	def.solver.order = TALUS_ORDER_RANDOM; // theory is about this one
	if (ring) {
		def.cell.size = vec(disks*(d - overlap), 4, 1);
		def.cell.periodic[0] = true;
	}
	talus_world *world = world_of(&def, 0);
	for (int i = 0; i < disks; i++)
		put_grain(world, vec((i + 0.5)*(d - overlap), 0, 0), d/2, vec(0, 0, 0));
	return world;
}

// ---------------------------------------------------------------- sound

enum { RING = 240, MODES = 4, RECORDED = 12 };

// Amplitude of each mode in the velocities, step by step, mean of all rings so far.
typedef struct sound {
	double v[MODES][RECORDED];
} sound;

static double wave(int number, uint32_t id, uint64_t seed) // starts somewhere else in each ring
{
	return sin(2*PI*number*((double)id + 0.37*(double)seed)/RING);
}

// Rings without motion but for waves of small amplitude on top of a pressure that keeps all contacts closed.
static void listen(sound *s, const int *waves, int iterations, double dt, uint64_t seed, double share)
{
	talus_world *world = chain_world(RING, iterations, dt, true, seed);
	double amplitude = 1e-4*d/dt;
	talus_world_step(world);
	assert_int_equal(world->contacts.count, RING);
	for (size_t c = 0; c < world->contacts.count; c++)
		world->contacts.p[c] = mul(mass*d/dt, world->contacts.contact[c].n);
	for (int i = 0; i < RING; i++)
		for (int m = 0; m < MODES; m++)
			world->state.bodies.v[i].x += amplitude*wave(waves[m], world->state.bodies.id[i], seed);
	for (int n = 0; n < RECORDED; n++) {
		talus_grains g = talus_world_grains(world);
		for (int i = 0; i < RING; i++)
			for (int m = 0; m < MODES; m++)
				s->v[m][n] += share*g.v[i].x*wave(waves[m], g.id[i], seed)*2/RING/amplitude;
		talus_world_step(world);
	}
	talus_world_destroy(world);
}

// Least squares for  v'' = a v' - b v,  whose solutions are waves with  b = exp(-2/tau),  a = 2 exp(-1/tau) cos(omega).
static void sound_fit(const double *v, double *omega, double *tau)
{
	double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
	for (int n = 2; n < RECORDED; n++) {
		double x = v[n - 1], y = -v[n - 2], z = v[n];
		xx += x*x, xy += x*y, yy += y*y, xz += x*z, yz += y*z;
	}
	double a = (xz*yy - yz*xy)/(xx*yy - xy*xy), b = (yz*xx - xz*xy)/(xx*yy - xy*xy);
	*tau = -2/log(b);
	*omega = acos(a/(2*sqrt(b)));
}

// Modes up to 0.7 k_c, k_c d = 2/sqrt(q N): cos(omega dt) = exp(-q N (k d)^2/2), tau = 2 dt/(q N (k d)^2).
static void test_dispersion(void **state)
{
	(void)state;
	static const int iterations[] = {10, 20, 40}, waves[3][MODES] = {{4, 9, 14, 19}, {3, 6, 10, 13}, {2, 4, 7, 9}};
	static const double dts[] = {1, 0.02};
	int seeds = quick() ? 20 : 100;
	for (int k = 0; k < 3; k++) {
		sound s = {0};
		for (int seed = 1; seed <= seeds; seed++)
			listen(&s, waves[k], iterations[k], dts[seed%2], (uint64_t)seed, 1.0/seeds);
		for (int m = 0; m < MODES; m++) {
			double x = q_random*iterations[k]*pow(2*PI*waves[k][m]/RING, 2), omega, tau;
			sound_fit(s.v[m], &omega, &tau);
			assert_near(omega, acos(exp(-x/2)), (quick() ? 0.02 : 0.005)*omega);
			assert_near(tau, 2/x, (quick() ? 0.05 : 0.01)*tau);
		}
	}
}

// ---------------------------------------------------------------- stiffness

// Distance of the ends of the middle half.
static double half_length(const talus_world *world, uint32_t disks)
{
	return look(world, 3*disks/4).x.x - look(world, disks/4).x.x;
}

// By how much a contact of the middle half gives way to a load that grows slowly, over load/kappa. Only the second half of the way
// counts: until then it rings.
static double yielding(int disks, int iterations, double dt, uint64_t seed)
{
	const int steps = 2400;
	talus_world *world = chain_world(disks, iterations, dt, false, seed);
	put_plane(world, vec(-0.5*overlap, 0, 0), vec(1, 0, 0));
	double kappa = q_random*mass*iterations/(dt*dt), most = 0.01*kappa*d, before = 0;
	for (int n = 1; n <= steps; n++) {
		world->state.bodies.force[disks - 1].x = -most*n/steps;
		talus_world_step(world);
		if (n == steps/2)
			before = half_length(world, (uint32_t)disks);
	}
	double shorter = before - half_length(world, (uint32_t)disks);
	talus_world_destroy(world);
	return shorter/(disks/2)/(0.5*most/kappa);
}

// A load F that comes slowly pushes the disks into each other by F/kappa, kappa = q m N/dt^2. Rows are seven times as long as what news
// passes in a step, sqrt(4 q N): farther from their ends than that, contacts do not know that there are any.
static void test_stiffness(void **state)
{
	(void)state;
	static const int iterations[] = {10, 20, 40}, disks[] = {40, 56, 80};
	static const double dts[] = {1, 0.02};
	for (int k = 0; k < (quick() ? 1 : 3); k++)
		for (uint64_t t = 0; t < 2; t++)
			assert_near(yielding(disks[k], iterations[k], dts[t], t), 1, 0.004);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dispersion),
		cmocka_unit_test(test_stiffness),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
