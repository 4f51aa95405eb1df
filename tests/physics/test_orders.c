// SPDX-License-Identifier: MIT
// What the order `shuffled` does, the levels of one random permutation in another order every sweep, and the blocks
// of large problems: news runs both ways alike, sweeps get ahead as in fresh permutations, to the same forces, and
// a symmetric box feels no left and right. docs/orders.md has the same with more seeds.
#include "physics.h"

#include "observe/observe.h"
#include "solve/solve.h"

static const double shuffled_q = 0.777; // measured; a fresh permutation has (4 sqrt(e) - 5)/2 = 0.797

typedef struct sample {
	int count;
	double sum, squares;
} sample;

static void sample_add(sample *s, double x)
{
	s->count++;
	s->sum += x;
	s->squares += x*x;
}

static double sample_mean(const sample *s)
{
	return s->sum/s->count;
}

static double sample_error(const sample *s) // of the mean
{
	double mean = sample_mean(s);
	return sqrt(fmax(0, s->squares/s->count - mean*mean)/(s->count - 1));
}

// ---------------------------------------------------------------- a ring

enum { BLOCK = 20 };

typedef struct ring {
	talus_contact *contact;
	size_t length;
	talus_problem problem;
	solver_workspace ws;
	uint32_t *first; // contacts of the blocks
	uint64_t *name;
} ring;

// Two colours of blocks that alternate around the ring.
static void ring_cut(ring *r)
{
	uint32_t blocks = (uint32_t)(r->length/BLOCK);
	for (uint32_t b = 0; b <= blocks; b++) {
		r->first[TALUS_CLASSES*b] = b*BLOCK;
		r->first[TALUS_CLASSES*b + 1] = r->first[TALUS_CLASSES*b + 2] = (uint32_t)r->length;
		r->name[b] = b;
	}
	r->problem.blocks = (talus_blocks){.count = blocks, .first = r->first, .name = r->name,
	                                   .colour = {0, blocks/2, blocks, blocks, blocks, blocks, blocks}};
}

// Grains of mass 1, touching, at rest.
static ring ring_create(size_t length, bool blocks)
{
	ring r = {.length = length};
	r.problem = (talus_problem){.contacts = length, .class_end = {length, length}, .bodies = length};
	r.problem.contact = r.contact = calloc(length, sizeof *r.contact);
	r.problem.row = calloc(length, sizeof *r.problem.row);
	r.problem.p = calloc(length, sizeof *r.problem.p);
	r.problem.motion = calloc(length, sizeof *r.problem.motion);
	r.first = calloc(TALUS_CLASSES*(length/BLOCK + 1), sizeof *r.first);
	r.name = calloc(length/BLOCK + 1, sizeof *r.name);
	assert_true(r.contact && r.problem.row && r.problem.p && r.problem.motion && r.first && r.name && length%(2*BLOCK) == 0);
	for (size_t i = 0; i < length; i++)
		r.problem.motion[i] = (talus_solver_body){.inv_m = 1, .r2_over_I = 2};
	if (blocks)
		ring_cut(&r);
	return r;
}

static void ring_destroy(ring *r)
{
	free(r->contact);
	free(r->problem.row);
	free(r->problem.p);
	free(r->problem.motion);
	free(r->first);
	free(r->name);
	solver_workspace_free(&r->ws);
}

// Which contact of the ring is in a row of the problem: with blocks first every other one, and cuts between them move with the seed.
static size_t ring_contact(const ring *r, size_t row, uint64_t seed)
{
	size_t block = row/BLOCK, half = r->length/BLOCK/2;
	if (!r->problem.blocks.count)
		return row;
	block = block < half ? 2*block : 2*(block - half) + 1;
	return (block*BLOCK + row%BLOCK + seed)%r->length;
}

// Contact i joins i - 1 and i. From 10 + a sine (or a point load, without waves) and no velocities.
static void ring_sweep(ring *r, talus_order order, int sweeps, double k, double angle, uint64_t seed)
{
	talus_solver_def def = {.order = order, .relaxation = 1, .iterations = sweeps};
	for (size_t row = 0; row < r->length; row++) {
		size_t i = ring_contact(r, row, seed);
		double wave = k > 0 ? sin(k*(double)i + angle) : i == r->length/2;
		r->problem.motion[i].v = r->problem.motion[i].r_omega = vec(0, 0, 0);
		r->contact[row] = (talus_contact){.a = (uint32_t)((i + r->length - 1)%r->length), .b = (uint32_t)i, .n = {1, 0, 0}};
		r->problem.row[row] = (talus_row){.mass_n = 0.5, .mass_t = 1.0/6};
		r->problem.p[row] = vec(10 + wave, 0, 0);
	}
	nsgs_solve(&r->problem, &def, 0.1, seed, 1, &r->ws);
}

// A wave fades as exp(-q k^2) in each of so many sweeps.
static double measured_q(int sweeps, int seeds, bool blocks)
{
	enum { LENGTH = 1000, WAVES = 9 };
	ring r = ring_create(LENGTH, blocks);
	double k = 2*PI*WAVES/LENGTH;
	sample q = {0};
	for (int seed = 0; seed < seeds; seed++) {
		double angle = 2*PI*seed/seeds, left = 0;
		ring_sweep(&r, TALUS_ORDER_SHUFFLED, sweeps, k, angle, (uint64_t)seed);
		for (int i = 0; i < LENGTH; i++)
			left += (r.problem.p[i].x - 10)*sin(k*r.problem.contact[i].b + angle)*2/LENGTH;
		sample_add(&q, -log(left)/(sweeps*k*k));
	}
	ring_destroy(&r);
	return sample_mean(&q);
}

// Every sweep is as good as the first. A permutation that is repeated as it is would become as fast as any fixed order
// of a chain, q = 1, and a fresh one has 0.797.
static void test_q(void **state)
{
	(void)state;
	int seeds = quick() ? 50 : 200;
	for (int blocks = 0; blocks < 2; blocks++) {
		assert_near(measured_q(1, seeds, blocks), shuffled_q, 0.013);
		assert_near(measured_q(2, 4*seeds, blocks), shuffled_q, 0.013); // scatters the most
		assert_near(measured_q(10, seeds, blocks), shuffled_q, 0.013);
		assert_near(measured_q(40, seeds/2, blocks), shuffled_q, 0.013);
	}
}

typedef struct spreading {
	sample mean, variance, third;
} spreading;

static spreading measured_spreading(talus_order order, int sweeps, int seeds, bool blocks)
{
	enum { LENGTH = 6*BLOCK };
	ring r = ring_create(LENGTH, blocks);
	spreading s = {0};
	for (int seed = 0; seed < seeds; seed++) {
		double m[4] = {0};
		ring_sweep(&r, order, sweeps, 0, 0, (uint64_t)seed);
		for (int i = 0; i < LENGTH; i++) {
			double x = (int)r.problem.contact[i].b - LENGTH/2, p = r.problem.p[i].x - 10;
			m[1] += p*x;
			m[2] += p*x*x;
			m[3] += p*x*x*x;
		}
		sample_add(&s.mean, m[1]);
		sample_add(&s.variance, m[2]);
		sample_add(&s.third, m[3]);
	}
	ring_destroy(&r);
	return s;
}

static double skewness(const spreading *s)
{
	return sample_mean(&s->third)/pow(sample_mean(&s->variance), 1.5);
}

// A point load, after one sweep and after several with the same permutation: no side is preferred, on the
// average over permutations and cuts. A fixed order has the skewness 3/sqrt(2 N).
static void test_both_ways(void **state)
{
	(void)state;
	static const int sweeps[] = {1, 5};
	for (int k = 0; k < 2; k++) {
		for (int blocks = 0; blocks < 2; blocks++) {
			int seeds = quick() ? 4000 : 12000;
			spreading s = measured_spreading(TALUS_ORDER_SHUFFLED, sweeps[k], seeds, blocks);
			double scale = pow(sample_mean(&s.variance), 1.5);
			assert_below(sample_error(&s.third)/scale, 0.05);
			assert_near(skewness(&s), 0, 4*sample_error(&s.third)/scale);
			assert_near(sample_mean(&s.mean), 0, 4*sample_error(&s.mean));
		}
		spreading fixed = measured_spreading(TALUS_ORDER_SEQUENTIAL, sweeps[k], 2, false);
		assert_near(skewness(&fixed), 3/sqrt(2*sweeps[k]), 1e-6);
	}
}

// ---------------------------------------------------------------- a packing

typedef struct kind {
	talus_order order;
	bool blocks;
} kind;

static const kind fresh = {TALUS_ORDER_RANDOM, false};
static const kind repeated[] = {{TALUS_ORDER_SHUFFLED, false}, {TALUS_ORDER_SHUFFLED, true}};

static void choose(talus_world *world, kind k)
{
	world->state.def.solver.order = k.order;
	if (k.blocks) {
		world->list.blocks_from = 1;
		world->list.block_size = 64;
	}
}

typedef struct result {
	sample sweeps; // to the tolerance
	sample ratio;  // horizontal over vertical stress
} result;

// The first step of a packing at rest, from nothing.
static result solved_packing(const char *scene, kind k, uint64_t seeds)
{
	result r = {0};
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		talus_error error = {0};
		talus_world *world = talus_world_load(scene, &error);
		if (!world)
			fail_msg("%s", error.text);
		choose(world, k);
		world->state.def.seed = seed;
		world->state.def.solver.stop = TALUS_STOP_RESIDUAL;
		world->state.def.solver.tolerance = 3e-4;
		talus_step_report report = talus_world_step(world);
		assert_int_equal(report.missed_contacts, 0);
		assert_int_equal(report.capped_all, 0);
		stress_state s = observe_stress(world);
		bool flat = world->state.def.dimension == 2;
		double side = flat ? s.stress[0][0] : 0.5*(s.stress[0][0] + s.stress[1][1]);
		sample_add(&r.sweeps, report.iterations);
		sample_add(&r.ratio, side/s.stress[flat ? 1 : 2][flat ? 1 : 2]);
		talus_world_destroy(world);
	}
	return r;
}

// A packing at rest needs as many sweeps as with fresh permutations and finds the same of the many forces that friction
// allows.
static void test_packing(void **state)
{
	(void)state;
	static const char *const scenes[] = {TALUS_SOURCE "/bench/scenes/disks-1000.yaml",
		TALUS_SOURCE "/bench/scenes/spheres-1000.yaml"};
	for (size_t i = 0; i < COUNT(scenes); i++) {
		result random = solved_packing(scenes[i], fresh, 2);
		for (size_t k = 0; k < COUNT(repeated); k++) {
			result r = solved_packing(scenes[i], repeated[k], quick() ? 2 : 5);
			assert_near(sample_mean(&r.sweeps)/sample_mean(&random.sweeps), 1, 0.04);
			assert_near(sample_mean(&r.ratio)/sample_mean(&random.ratio), 1, 0.002);
		}
	}
}

// ---------------------------------------------------------------- a symmetric box

enum { LEFT = 1, RIGHT }; // walls

// Equal grains in rows that lie in the hollows of one another, and fill the box from wall to wall.
static talus_world *crystal(int dimension, kind k, uint64_t seed)
{
	bool flat = dimension == 2;
	int wide = flat ? 24 : 8, high = flat ? 14 : 8;
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.seed = seed;
	def.step = 1e-3;
	def.gravity = flat ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver.iterations = 50;
	talus_world *world = world_of(&def, 0.3);
	choose(world, k);
	put_plane(world, vec(0, 0, 0), flat ? vec(0, 1, 0) : vec(0, 0, 1));
	put_plane(world, vec(0, 0, 0), vec(1, 0, 0));
	put_plane(world, vec(2*wide, 0, 0), vec(-1, 0, 0));
	if (!flat) {
		put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
		put_plane(world, vec(0, 2*wide, 0), vec(0, -1, 0));
	}
	for (int row = 0; row < high; row++) {
		int odd = row%2, across = wide - odd, deep = flat ? 1 : across;
		for (int i = 0; i < across*deep; i++) {
			double x = 1 + 2*(i%across) + odd, y = 1 + 2*(i/across) + odd;
			double up = 1 + row*sqrt(flat ? 3 : 2);
			put_grain(world, flat ? vec(x, up, 0) : vec(x, y, up), 1, vec(0, 0, 0));
		}
	}
	return world;
}

typedef struct loads { // over the weight
	double left, right, support;
	double shear; // of the force-weighted normals, between across and up: 0 in a symmetric state
} loads;

static loads crystal_loads(const talus_world *world)
{
	int up = world->state.def.dimension - 1;
	double weight = 0, forces = 0, shear = 0, support = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		weight += world->state.bodies.mass[i];
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		double push = dot(world->contacts.p[i], c->n);
		forces += push;
		shear += push*c->n.x*component(c->n, up);
	}
	for (int w = 0; w < world->state.walls.count; w++)
		support -= component(world->state.walls.at[w].force, up)/weight;
	double left = -world->state.walls.at[LEFT].force.x, right = world->state.walls.at[RIGHT].force.x;
	return (loads){left/weight, right/weight, support, shear/forces};
}

// Nothing in the box tells left from right, so that the average over permutations and cuts may not either. A
// fixed order pushes harder on one wall (2D) and tilts the forces (3D) by several times what is allowed here.
static void check_symmetry(int dimension, kind k, uint64_t seeds)
{
	sample side = {0}, shear = {0};
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		talus_world *world = crystal(dimension, k, seed);
		run(world, 1);
		loads l = crystal_loads(world);
		sample_add(&side, l.left - l.right);
		sample_add(&shear, l.shear);
		talus_world_destroy(world);
	}
	assert_below(sample_error(&side), 1e-3);
	assert_below(sample_error(&shear), 1e-3);
	assert_near(sample_mean(&side), 0, 3.5*sample_error(&side));
	assert_near(sample_mean(&shear), 0, 3.5*sample_error(&shear));
}

static void test_symmetry(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t k = 0; k < COUNT(repeated); k++)
			check_symmetry(dimension, repeated[k], quick() ? 60 : dimension == 2 ? 200 : 100);
}

// After some steps, each with an order and cuts of its own, floor and walls carry the weight.
static void test_support(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t k = 0; k < COUNT(repeated); k++) {
			talus_world *world = crystal(dimension, repeated[k], 1);
			run(world, 60);
			loads l = crystal_loads(world);
			assert_near(l.support, 1, 1e-4);
			assert_near(l.left, l.right, 0.3*l.right);
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_q),
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_packing),
		cmocka_unit_test(test_symmetry),
		cmocka_unit_test(test_support),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
