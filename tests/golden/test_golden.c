// SPDX-License-Identifier: MIT
// Same seed, same bits: scenes with something of everything must end in a state whose hash is known, whatever
// the compiler and however much it optimizes, in one go and in pieces, with any number of threads and
// registers of any width. A change of these numbers is a change of every user's results: it belongs into the
// changelog.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "form.h"

#include "base/random.h"
#include "io/files.h"
#include "observe/observe.h"
#include "solve/schedule.h"
#include "plain.h"
#include "world.h"
#include "method/contact_dynamics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct golden {
	int dimension;
	talus_order order;
	bool laws; // all that materials may do, not only friction
	uint64_t hash;
	bool momentum;
} golden;

static const golden scenes[] = {
	{2, TALUS_ORDER_SHUFFLED, false, 0xdcbc8a5a17f5a1df, false},
	{3, TALUS_ORDER_SHUFFLED, false, 0x03ad9b8745f0a4cd, false},
	{2, TALUS_ORDER_RANDOM, false, 0xff9a8bcd61b9af58, false},
	{3, TALUS_ORDER_RANDOM, false, 0x615f59b80a2469cd, false},
	{2, TALUS_ORDER_SHUFFLED, true, 0xa5844272836f3bed, false},
	{3, TALUS_ORDER_SHUFFLED, true, 0x04e9a202a38df297, false},
	{2, TALUS_ORDER_RANDOM, true, 0x4f3b6f75c6fac98e, false},
	{3, TALUS_ORDER_RANDOM, true, 0xdce1f4db50875db5, false},
	{2, TALUS_ORDER_SHUFFLED, false, 0xeb19166e12e7c84e, true},
	{3, TALUS_ORDER_SHUFFLED, true, 0xc011976fa67cf2d9, true},
};
static const uint64_t golden_blocks = 0xf2bd31cac47a0358, golden_blocks_laws = 0x91b1c814a66ec0ff;
enum { STEPS = 500, BLOCK_STEPS = 20 };

static void assert_hash(uint64_t hash, uint64_t golden_hash, const char *what)
{
	if (hash != golden_hash)
		fail_msg("%s: the hash is 0x%016" PRIx64 ", not 0x%016" PRIx64, what, hash, golden_hash);
}

static talus_vec3 at(double x, double y, double z)
{
	return (talus_vec3){x, y, z};
}

// Up is y in 2D, z in 3D.
static talus_vec3 up(int dimension, double height)
{
	return dimension == 2 ? at(0, height, 0) : at(0, 0, height);
}

static talus_world *empty(int dimension)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.seed = 20;
	def.gravity = up(dimension, -10);
	def.step = 0.005;
	def.solver.iterations = 30;
	def.cell.origin = at(-6, -6, 0);
	def.cell.size = at(12, 12, 0);
	def.cell.periodic[dimension == 2 ? 0 : 1] = true;
	def.has_domain = true;
	def.domain.low = dimension == 2 ? at(-100, -4, 0) : at(-100, -100, -4);
	def.domain.high = at(100, 100, 100);
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "glass", 1);
	talus_world_add_material(world, "steel", 3);
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 0, .friction = 0.3});
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 1, .friction = 0.5});
	return world;
}

// Glass on glass still only rubs; steel bounces and rolls badly, clay (which comes in its own jet) sticks to
// all.
static void add_laws(talus_world *world, int dimension)
{
	talus_world_add_material(world, "clay", 0.6);
	static const talus_pair laws[] = {
		{.a = 0, .b = 1, .friction = 0.3, .static_friction = 0.6, .restitution = 0.5},
		{.a = 1, .b = 1, .friction = 0.4, .restitution = 0.9, .tangential_restitution = 0.3, .yield = 1,
			.rolling = 0.1, .torsion_length = 0.02},
		{.a = 0, .b = 2, .friction = 0.5, .cohesion = 2, .range = 0.02, .rolling_length = 0.02, .torsion = 0.2},
		{.a = 1, .b = 2, .friction = 0.2, .restitution = 0.2, .cohesion = 1, .rolling = 0.3},
		{.a = 2, .b = 2, .friction = 0.3, .static_friction = 0.5, .cohesion = 3, .range = 0.01, .torsion = 0.1},
	};
	for (size_t i = 0; i < sizeof laws/sizeof laws[0]; i++)
		talus_world_set_pair(world, &laws[i]);
	talus_pour_def pour = {.count = 20, .rate = 20, .material = 2,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.2, .b = 0.4}};
	pour.in = (talus_region){.kind = TALUS_REGION_SPHERE, .at = up(dimension, 8), .radius = 1.5};
	pour.in.at.x = 3;
	pour.velocity = up(dimension, -2);
	talus_world_pour(world, &pour);
}

// A shaken plate with a hole, through which grains leave.
static void add_sieve(talus_world *world, int dimension)
{
	talus_wall_def sieve = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(sieve.name, sizeof sieve.name, "sieve");
	sieve.axis = up(dimension, 1);
	sieve.has_hole = true;
	sieve.hole_at = at(-2, 0, 0);
	sieve.hole_radius = 1.1;
	sieve.oscillate_direction = dimension == 2 ? at(1, 2, 0) : at(1, 0, 2);
	sieve.oscillate_amplitude = 0.1;
	sieve.oscillate_frequency = 4;
	sieve.oscillate_phase = 0.1;
	world_add_wall(world, &sieve);
}

// A roller that spins, a piston that comes down, and above them a hopper (2D: a blade that turns).
static void add_machines(talus_world *world, int dimension)
{
	talus_wall_def roller = talus_wall_def_default(TALUS_WALL_CYLINDER);
	snprintf(roller.name, sizeof roller.name, "roller");
	roller.point = dimension == 2 ? at(3, 1.5, 0) : at(3, 0, 1.5);
	roller.axis = dimension == 2 ? at(0, 0, 1) : at(0, 1, 0);
	roller.radius = 1.2;
	roller.inside = false;
	roller.material = 1;
	roller.spin = 3;
	world_add_wall(world, &roller);

	talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(piston.name, sizeof piston.name, "piston");
	piston.point = at(5.5, 0, 0);
	piston.axis = dimension == 2 ? at(-1, 0.2, 0) : at(-1, 0, 0.2);
	piston.mass = 20;
	piston.force = at(-40, 0, 0);
	piston.free = TALUS_FREE_X;
	world_add_wall(world, &piston);

	talus_wall_def hopper = talus_wall_def_default(dimension == 2 ? TALUS_WALL_SEGMENT : TALUS_WALL_CONE);
	snprintf(hopper.name, sizeof hopper.name, "hopper");
	hopper.point = dimension == 2 ? at(-3, 5, 0) : at(0, 0, 2);
	hopper.to = at(0, 6, 0);
	hopper.axis = at(0.1, 0, 1);
	hopper.angle = 35;
	hopper.from = 2;
	hopper.last = 7;
	hopper.spin = 0.8;
	world_add_wall(world, &hopper);
}

static void add_grains(talus_world *world, int dimension)
{
	talus_grain_def grain = talus_grain_def_default();
	grain.at = dimension == 2 ? at(-4.5, 2, 0) : at(-4.5, 0, 2);
	grain.radius = 0.6;
	grain.free = 0; // fixed
	world_add_grain(world, &grain);
	grain.at = dimension == 2 ? at(0.5, 1.5, 0) : at(0.5, 0.3, 1.5);
	grain.free = TALUS_FREE_X | TALUS_FREE_SPIN; // locked on a rail
	grain.material = 1;
	grain.force = at(1, 0, 0);
	world_add_grain(world, &grain);

	talus_fill_def fill = {.count = dimension == 2 ? 25 : 60, .in = {.kind = TALUS_REGION_BOX}};
	fill.radius = (talus_sizes){.kind = TALUS_SIZE_LOGNORMAL, .a = 0.35, .b = 0.3, .least = 0.15,
		.most = 0.7};
	fill.in.box = dimension == 2 ? (talus_box){{-6, 0.4, 0}, {6, 4.5, 0}} : (talus_box){{-5, -6, 0.4},
		{5, 6, 3.5}};
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);

}

static void add_jet(talus_world *world, int dimension)
{
	talus_pour_def pour = {.count = 40, .rate = 30, .start = 0.1,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.2, .b = 0.4}};
	pour.in = (talus_region){.kind = TALUS_REGION_SPHERE, .at = up(dimension, 8), .radius = 1.5};
	pour.velocity = up(dimension, -3);
	talus_world_pour(world, &pour);
}

static talus_world *without_grains(int dimension)
{
	talus_world *world = empty(dimension);
	add_sieve(world, dimension);
	add_machines(world, dimension);
	add_jet(world, dimension);
	return world;
}

static talus_world *scene_of(const golden *g, bool grains)
{
	talus_world *world = without_grains(g->dimension);
	world->state.def.solver.order = g->order;
	if (g->momentum) {
		world->state.def.solver.kind = TALUS_SOLVER_ACCELERATED;
		world->state.def.solver.stop = TALUS_STOP_ERROR;
		world->state.def.solver.tolerance = 0.01;
		world->state.def.solver.max_iterations = 100;
	}
	if (g->laws)
		add_laws(world, g->dimension);
	if (grains)
		add_grains(world, g->dimension);
	for (size_t i = 0; g->laws && i < world->state.bodies.count; i++)
		world->state.bodies.material[i] = (uint16_t)(i%3);
	return world;
}

static bool all_kinds(const talus_world *world)
{
	const contacts *c = &world->contacts;
	return c->class_end[TALUS_COULOMB] > 0 && c->class_end[TALUS_EXTENDED] > c->class_end[TALUS_COULOMB] && c->count > c->class_end[TALUS_EXTENDED];
}

// Every law has done something.
static void check_laws(const talus_world *world, int dimension)
{
	talus_energy e = talus_world_energy(world);
	talus_step_report report = world->report;
	assert_true(report.bonds > 0 && report.bonds_formed_all > report.bonds);
	assert_true(e.normal > 0 && e.friction > 0 && e.rolling > 0 && e.bonds > 0);
	assert_true(dimension == 2 || e.torsion > 0);
}

// Runs a scene; what it must have seen on the way is checked, so that the hash stands for it.
static uint64_t run(const golden *g, int threads, talus_simd simd)
{
	talus_world *world = scene_of(g, true);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	assert_true(talus_world_set_simd(world, simd));
	talus_step_report report = {0};
	bool touched[4] = {false}, kinds = !g->laws;
	for (int step = 0; step < STEPS; step++) {
		report = talus_world_step(world);
		kinds |= all_kinds(world);
		for (int w = 0; w < 4; w++) {
			talus_vec3 f = talus_world_wall(world, w).force;
			touched[w] |= f.x != 0 || f.y != 0 || f.z != 0;
		}
	}
	assert_true(report.removed > 0);
	assert_true(report.grains + report.removed == (g->dimension == 2 ? 67u : 102u) + (g->laws ? 20u : 0));
	assert_true(touched[0] && touched[1] && touched[2] && touched[3]);
	assert_true(report.contacts > 20 && kinds);
	if (g->laws)
		check_laws(world, g->dimension);
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	return hash;
}

// The same, but written to a checkpoint and taken up from it again and again, after stretches of random
// length, each with another number of threads.
static uint64_t run_in_pieces(const golden *g, uint64_t seed)
{
	char folder[] = "golden-XXXXXX";
	talus_error error;
	double seconds;
	assert_non_null(mkdtemp(folder));
	talus_world *world = scene_of(g, true);
	uint64_t stream = random_stream(seed, RANDOM_ORDER, 0, 0), step = 0, piece = 0;
	while (step < STEPS) {
		uint64_t stop = step + 1 + random_below(stream, piece++, 120);
		for (; step < STEPS && step < stop; step++)
			talus_world_step(world);
		if (!checkpoint_write(folder, world, 0, &error))
			fail_msg("%s", error.text);
		talus_world_destroy(world);
		world = scene_of(g, false);
		talus_world_set_threads(world, 1 + (int)(piece%4));
		world->team_from = 0; // however little there is to do
		if (!checkpoint_read(folder, world, &seconds, &error))
			fail_msg("%s", error.text);
	}
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	char path[64];
	snprintf(path, sizeof path, "%s/checkpoint.h5", folder);
	remove(path);
	rmdir(folder);
	return hash;
}

static bool has_simd(talus_simd simd)
{
	talus_world *world = empty(2);
	bool has = talus_world_set_simd(world, simd);
	talus_world_destroy(world);
	return has;
}

// The search for races takes twenty times as long, and finds none where there is one thread.
#ifdef __SANITIZE_THREAD__
static const bool only_threads = true;
#else
static const bool only_threads = false;
#endif

typedef struct way { // of computing the same
	int threads;
	talus_simd simd;
} way;

// Every number of threads and every kind of registers, in ever more pairs: for the sanitizers, for all, for the long form.
static const way ways[] = {
	{3, TALUS_SIMD_BEST}, {1, TALUS_SIMD_GENERIC},
	{2, TALUS_SIMD_AVX2}, {4, TALUS_SIMD_AVX512},
	{1, TALUS_SIMD_BEST}, {1, TALUS_SIMD_AVX2}, {1, TALUS_SIMD_AVX512}, {2, TALUS_SIMD_BEST}, {4, TALUS_SIMD_BEST},
};
static const size_t all_ways = sizeof ways/sizeof ways[0];

static void assert_golden(const golden *g)
{
	char what[128];
	size_t some = only_threads ? 1 : quick() ? 2 : long_form() ? all_ways : 4;
	for (size_t i = 0; i < some; i++) {
		way w = ways[i];
		if (!has_simd(w.simd))
			w.simd = TALUS_SIMD_BEST;
		snprintf(what, sizeof what, "%dD, order %d, laws %d, momentum %d, %d threads, registers of kind %d", g->dimension,
		         (int)g->order, g->laws, g->momentum, w.threads, (int)w.simd);
		assert_hash(run(g, w.threads, w.simd), g->hash, what);
	}
	uint64_t pieces = only_threads ? 0 : long_form() ? 3 : 1;
	for (uint64_t seed = 1; seed <= pieces; seed++)
		assert_hash(run_in_pieces(g, seed), g->hash, "in pieces");
}

static void test_scene(void **state)
{
	assert_golden(*state);
}

// ---------------------------------------------------------------- enough for several threads

// Disks of many sizes that fly about between the same machines, so many that every sweep level is split up, and so
// fast that the pair list is made again and again.
static talus_world *crowd(int threads, bool laws)
{
	enum { ROWS = 80 };
	talus_world *world = without_grains(2);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	if (laws)
		add_laws(world, 2);
	uint64_t stream = random_stream(7, RANDOM_FILL, 0, 0), draw = 0;
	for (int i = 0; i < ROWS*ROWS; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.at = at(-5.9 + 0.147*(i%ROWS), 0.3 + 0.147*(double)(i/ROWS), 0);
		grain.radius = 0.03 + 0.04*random_unit(stream, draw++);
		grain.velocity = at(4*random_unit(stream, draw) - 2, 4*random_unit(stream, draw + 1) - 2, 0);
		draw += 2;
		grain.material = i%(laws ? 3 : 2);
		if (i%500 == 0)
			grain.free = i%1000 ? 0 : TALUS_FREE_Y | TALUS_FREE_SPIN;
		world_add_grain(world, &grain);
	}
	return world;
}

enum { NUMBERS = 20 };

typedef struct end_state {
	uint64_t hash;
	double number[NUMBERS];
} end_state;

// What the log and the books say.
static void take_numbers(const talus_world *world, const talus_step_report *report, double number[NUMBERS])
{
	energies energy = account_grains(&world->state);
	stress_state stress = observe_stress(world);
	structure_state structure = observe_structure(world);
	motion_state motion = observe_motion(world);
	talus_energy e = talus_world_energy(world);
	const double all[NUMBERS] = {(double)report->contacts, report->residual, report->mean_overlap,
		report->max_overlap, energy.kinetic, energy.potential, stress.stress[0][1], stress.volume_fraction,
		structure.coordination, (double)structure.rattlers, motion.mean_speed, motion.mean_acceleration,
		e.wall_work, e.driven_work, e.normal, e.friction, e.rolling, e.bonds, e.numerical,
		(double)report->bonds_formed_all};
	memcpy(number, all, sizeof all);
}

static end_state end_of_crowd(int threads, bool laws, int steps)
{
	talus_world *world = crowd(threads, laws);
	talus_step_report report = {0};
	end_state end;
	for (int step = 0; step < steps; step++)
		report = talus_world_step(world);
	assert_true(report.contacts > 4096); // that many are worth a second thread
	end.hash = talus_world_hash(world);
	take_numbers(world, &report, end.number);
	talus_world_destroy(world);
	return end;
}

// Not only the state: the numbers about it have the same bits too.
static void test_threads(void **state)
{
	(void)state;
	int steps = long_form() ? 30 : 15;
	for (int laws = 0; laws < 2; laws++) {
		end_state one = end_of_crowd(1, laws, steps);
		for (int threads = long_form() ? 2 : 3; threads <= (long_form() ? 4 : 3); threads++) {
			end_state many = end_of_crowd(threads, laws, steps);
			assert_true(many.hash == one.hash);
			for (int k = 0; k < NUMBERS; k++)
				assert_true(many.number[k] == one.number[k]);
		}
	}
}

// ---------------------------------------------------------------- in blocks

// Spheres of several sizes above the same machines, one of them large, solved block by block as only large
// problems are.
static talus_world *blocks(int threads, bool laws)
{
	enum { WIDE = 16, HIGH = 12 };
	talus_world *world = without_grains(3);
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	if (laws)
		add_laws(world, 3);
	world->list.blocks_from = 0;
	world->list.block_size = 40; // cells too small for the large one
	uint64_t stream = random_stream(9, RANDOM_FILL, 0, 0), draw = 0;
	talus_grain_def grain = talus_grain_def_default();
	grain.at = at(0.5, 0, 3);
	grain.radius = 1.5;
	world_add_grain(world, &grain);
	for (int i = 0; i < WIDE*WIDE*HIGH; i++) {
		grain.at = at(-4.8 + 0.6*(i%WIDE), -6 + 0.75*(i/WIDE%WIDE), 0.5 + 0.6*(i/WIDE/WIDE));
		grain.radius = 0.25 + 0.1*random_unit(stream, draw++);
		if (hypot(hypot(grain.at.x - 0.5, grain.at.y), grain.at.z - 3) < 1.5 + grain.radius)
			continue;
		grain.velocity = at(0, random_unit(stream, draw++) - 0.5, -2);
		grain.material = i%(laws ? 3 : 2);
		grain.free = i%300 ? TALUS_FREE_ALL : i%600 ? 0 : TALUS_FREE_Y | TALUS_FREE_SPIN;
		world_add_grain(world, &grain);
	}
	return world;
}

static uint64_t end_of_blocks(int threads, talus_simd simd, bool laws)
{
	talus_world *world = blocks(threads, laws);
	talus_step_report report = {0};
	assert_true(talus_world_set_simd(world, simd));
	for (int step = 0; step < BLOCK_STEPS; step++)
		report = talus_world_step(world);
	const schedule *plan = contact_dynamics_of(world)->solver_workspace->plan;
	assert_true(report.contacts > 4096 && plan->cut.count > 40 && plan->cut.count == world->list.blocks.count);
	assert_true(plan->cut.colour[TALUS_OF_PISTONS - 1] < plan->cut.colour[TALUS_OF_PISTONS]); // the large one fits into no block
	assert_true(world->contacts.count > world->contacts.class_end[TALUS_EXTENDED]);
	assert_true(all_kinds(world) == laws);
	uint64_t hash = talus_world_hash(world);
	talus_world_destroy(world);
	return hash;
}

static void test_blocks(void **state)
{
	(void)state;
	for (int laws = 0; laws < 2; laws++) {
		uint64_t hash = laws ? golden_blocks_laws : golden_blocks;
		for (int threads = 1; threads <= 4; threads += long_form() ? 1 : 2)
			assert_hash(end_of_blocks(threads, TALUS_SIMD_BEST, laws), hash, "in blocks");
		assert_hash(end_of_blocks(2, TALUS_SIMD_GENERIC, laws), hash, "in blocks");
	}
}

#define SCENE(i) {"scene " #i, test_scene, NULL, NULL, (void *)(uintptr_t)&scenes[i]}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(0),
		SCENE(1),
		SCENE(2),
		SCENE(3),
		SCENE(4),
		SCENE(5),
		SCENE(6),
		SCENE(7),
		SCENE(8),
		SCENE(9),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
