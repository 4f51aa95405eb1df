// SPDX-License-Identifier: MIT
// Sweeps with momentum: they find the same forces, with every law, in fewer sweeps, whose number grows with the length of a
// system instead of its square; and the stopping rule that means the same for small and large systems.
#include "laws.h"
#include "physics.h"

#include "io/files.h"
#include "solve/solve.h"
#include "method/contact_dynamics.h"

#include <stdio.h>
#include <sys/stat.h>

// ---------------------------------------------------------------- a column of grains

static talus_world *column(int count, talus_solver_def solver)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = 1e-3;
	def.gravity = vec(0, -1, 0);
	def.solver = solver;
	talus_world *world = world_of(&def, 0);
	put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	for (int i = 0; i < count; i++)
		put_grain(world, vec(0, 1 + 2*i, 0), 1, vec(0, 0, 0));
	return world;
}

// Contacts carry the weight above them: the largest error after one step from nothing, over the whole weight.
static double column_error(const talus_solver_def *solver, int count, int *sweeps)
{
	talus_world *world = column(count, *solver);
	run(world, 1);
	double worst = 0, weight = PI*world->state.def.step;
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		uint32_t upper = world->contacts.contact[i].wall != NO_WALL || world->state.bodies.id[c->b] > world->state.bodies.id[c->a] ? c->b : c->a;
		double above = count - (double)world->state.bodies.id[upper];
		worst = fmax(worst, fabs(norm(world->contacts.p[i]) - above*weight)/(count*weight));
	}
	*sweeps = world->report.iterations;
	talus_world_destroy(world);
	return worst;
}

static talus_solver_def solver_of(talus_solver_kind kind, int sweeps)
{
	return (talus_solver_def){.kind = kind, .relaxation = 1, .iterations = sweeps, .max_iterations = 1000000};
}

static int sweeps_needed(talus_solver_kind kind, int count, double error)
{
	for (int sweeps = 10, done;; sweeps += sweeps/10) {
		talus_solver_def solver = solver_of(kind, sweeps);
		if (column_error(&solver, count, &done) <= error)
			return sweeps;
	}
}

static void test_length(void **state)
{
	(void)state;
	int few = sweeps_needed(TALUS_SOLVER_ACCELERATED, 50, 1e-6), many = sweeps_needed(TALUS_SOLVER_ACCELERATED, 400, 1e-6);
	double power = log((double)many/few)/log(400.0/50);
	assert_below(power, 1.15);
	assert_below(0.8, power);
	talus_solver_def plain = solver_of(TALUS_SOLVER_NSGS, 40*few);
	int sweeps;
	assert_below(1e-6, column_error(&plain, 50, &sweeps)); // forty times as many are not enough
}

// One number, the same meaning: what a step leaves undone is the error asked for of the loads of a window, but not much less.
static void test_error(void **state)
{
	(void)state;
	static const int counts[] = {10, 50, 200, 800};
	static const double wanted[] = {1e-2, 1e-4};
	for (size_t k = 0; k < (quick() ? 3 : COUNT(counts)); k++)
		for (size_t i = 0; i < COUNT(wanted); i++)
			for (int kind = 0; kind < (counts[k] > 50 ? 1 : 2); kind++) {
				talus_solver_def solver = solver_of(kind ? TALUS_SOLVER_NSGS : TALUS_SOLVER_ACCELERATED, 0);
				int sweeps;
				solver.stop = TALUS_STOP_ERROR;
				solver.tolerance = wanted[i];
				double error = column_error(&solver, counts[k], &sweeps);
				assert_below(error, TALUS_WINDOW*wanted[i]);
				if (kind == 1 && counts[k] > 10) // momentum gets far between two looks
					assert_below(TALUS_WINDOW*wanted[i]/50, error);
			}
}

// Step by step, from the forces of the step before: waves that still run through a long column are no floor, it stands, and loads are
// right in the mean over a window.
static void test_standing(void **state)
{
	(void)state;
	talus_solver_def solver = solver_of(TALUS_SOLVER_ACCELERATED, 0);
	solver.stop = TALUS_STOP_ERROR;
	solver.tolerance = 0.01;
	solver.max_iterations = 20000;
	int count = quick() ? 200 : 600;
	talus_world *world = column(count, solver);
	for (int window = 0; window < 4; window++) {
		double load = 0;
		for (int i = 0; i < TALUS_WINDOW; i++) {
			talus_world_step(world);
			assert_int_equal(world->report.stagnated_steps, 0);
			assert_int_equal(world->report.capped_all, 0);
			load += talus_world_wall(world, 0).force.y/(-PI*count)/TALUS_WINDOW;
		}
		assert_near(load, 1, 0.01);
	}
	talus_world_destroy(world);
}

// A residual of contacts does not see what adds up.
static void test_residual_is_blind(void **state)
{
	(void)state;
	talus_solver_def solver = solver_of(TALUS_SOLVER_NSGS, 0);
	int sweeps;
	solver.stop = TALUS_STOP_RESIDUAL;
	solver.tolerance = 1e-4;
	assert_below(1e-2, column_error(&solver, 200, &sweeps));
}

// ---------------------------------------------------------------- packings

typedef struct case_of {
	const char *name;
	int dimension;
	talus_pair law;
	bool piston, bath;
	double tolerance; // residual that both solvers reach
} case_of;

static const case_of cases[] = {
	{"smooth disks", 2, {.friction = 0}, false, false, 1e-9},
	{"disks", 2, {.friction = 0.5}, false, false, 1e-4},
	{"spheres", 3, {.friction = 0.3}, false, false, 1e-4},
	{"much friction", 2, {.friction = 1}, false, false, 1e-4},
	{"rolling", 3, {.friction = 0.5, .rolling = 0.1, .torsion = 0.05}, false, false, 1e-4},
	{"cohesion", 2, {.friction = 0.3, .cohesion = 5, .range = 0.05}, false, false, 1e-4},
	{"restitution", 3, {.friction = 0.3, .restitution = 0.5}, false, false, 1e-4},
	{"piston", 2, {.friction = 0.3}, true, false, 1e-4},
	{"piston on spheres", 3, {.friction = 0.3, .rolling = 0.05}, true, false, 1e-4},
	{"bath", 2, {.friction = 0.5}, false, true, 1e-4},
	{"bath of spheres", 3, {.friction = 0.3}, false, true, 1e-4},
};

// A world of this case, with grains or without.
static talus_world *world_of_case(const case_of *c, talus_solver_def solver, bool grains)
{
	talus_error error;
	int d = c->dimension, count = d == 2 ? 80 : 120;
	double wide = d == 2 ? 14 : 9, high = d == 2 ? 40 : 30;
	talus_world_def def = plain_def();
	def.dimension = d;
	def.step = 0.01;
	def.solver = solver;
	def.cell.size = vec(wide, d == 2 ? high : wide, high);
	def.cell.periodic[0] = def.cell.periodic[1] = d == 3;
	def.cell.periodic[0] = true;
	if (c->bath) {
		def.cell.periodic[0] = def.cell.periodic[1] = true;
		def.cell.periodic[2] = d == 3;
		def.cell.size = d == 2 ? vec(30, 30, 1) : vec(14, 14, 14);
		def.cell.bath = true;
		def.cell.pressure = 1;
		def.cell.inertia = 30;
	} else {
		def.gravity = d == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	}
	talus_world *world = world_of_law(&def, c->law);
	talus_fill_def fill = {.count = count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.in = {.box = {{0, 0, 0}, def.cell.size}}};
	if (d == 2)
		fill.in.box.high.z = 0;
	assert_true(!grains || talus_world_fill(world, &fill, &error));
	if (!c->bath)
		put_plane(world, vec(0, 0, 0), d == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	if (c->piston) {
		talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
		lid.point = d == 2 ? vec(0, high + 2, 0) : vec(0, 0, high + 2);
		lid.axis = d == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
		lid.mass = 20;
		lid.free = d == 2 ? TALUS_FREE_Y : TALUS_FREE_Z;
		lid.force = mul(20, lid.axis);
		talus_world_add_wall(world, &lid);
	}
	return world;
}

static talus_world *packing(const case_of *c, talus_solver_def solver)
{
	return world_of_case(c, solver, true);
}

// Most cases need a bed: fallen for a while with plain sweeps, once for all tests, then the step that both solve.
static talus_world *bed(const case_of *c, talus_solver_def solver)
{
	static bool fallen[COUNT(cases)];
	char folder[32];
	talus_error error;
	double seconds;
	snprintf(folder, sizeof folder, "bed-%d", (int)(c - cases));
	if (!fallen[c - cases]) {
		talus_world *world = packing(c, solver_of(TALUS_SOLVER_NSGS, 40));
		run(world, quick() ? 300 : 1500);
		mkdir(folder, 0777);
		assert_true(checkpoint_write(folder, world, 0, &error));
		talus_world_destroy(world);
		fallen[c - cases] = true;
	}
	talus_world *world = world_of_case(c, solver_of(TALUS_SOLVER_NSGS, 40), false);
	if (!checkpoint_read(folder, world, &seconds, &error))
		fail_msg("%s", error.text);
	world->state.def.solver = solver;
	return world;
}

static void test_laws(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(cases); k++) {
		if (quick() && k%3 != 0)
			continue;
		int sweeps[2];
		for (int kind = 0; kind < 2; kind++) {
			talus_solver_def solver = solver_of(kind ? TALUS_SOLVER_ACCELERATED : TALUS_SOLVER_NSGS, 0);
			solver.stop = TALUS_STOP_RESIDUAL;
			solver.tolerance = cases[k].tolerance;
			solver.max_iterations = 20000;
			talus_world *world = bed(&cases[k], solver);
			for (size_t i = 0; i < world->contacts.count; i++)
				world->contacts.p[i] = vec(0, 0, 0); // from nothing
			run(world, 1);
			if (world->report.residual > cases[k].tolerance)
				fail_msg("%s, solver %d: the residual is %g after %d sweeps", cases[k].name, kind, world->report.residual,
				         world->report.iterations);
			sweeps[kind] = world->report.iterations;
			talus_world_destroy(world);
		}
		if (sweeps[1] > sweeps[0] + sweeps[0]/10 + 10)
			fail_msg("%s: %d sweeps instead of %d", cases[k].name, sweeps[1], sweeps[0]);
	}
}

// Two hundred steps of a bed with few sweeps: overlaps are not much larger, nothing gains energy.
static void test_never_worse(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(cases); k++) {
		if (quick() && k%3 != 1)
			continue;
		double overlap[2], kinetic[2];
		for (int kind = 0; kind < 2; kind++) {
			talus_world *world = bed(&cases[k], solver_of(kind ? TALUS_SOLVER_ACCELERATED : TALUS_SOLVER_NSGS, 20));
			run(world, 200);
			overlap[kind] = world->report.mean_overlap;
			kinetic[kind] = talus_world_energy(world).kinetic;
			talus_world_destroy(world);
		}
		if (overlap[1] > 1.7*overlap[0] + 1e-9) // in single beds; in the mean over beds it is 0.97
			fail_msg("%s: mean overlap %g instead of %g", cases[k].name, overlap[1], overlap[0]);
		assert_below(kinetic[1], 1.5*kinetic[0] + 1);
	}
}

// Grains that flow in a drum: momentum must not run in circles where friction changes all the time.
static uint64_t drum_sweeps(talus_solver_kind kind)
{
	talus_error error;
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = 0.01;
	def.gravity = vec(0, -1, 0);
	def.solver = solver_of(TALUS_SOLVER_NSGS, 40);
	talus_world *world = world_of(&def, 0.5);
	talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
	drum.axis = vec(0, 0, 1);
	drum.radius = 24;
	drum.spin = 0.1;
	talus_world_add_wall(world, &drum);
	talus_fill_def fill = {.count = 250, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.in = {.kind = TALUS_REGION_SPHERE, .radius = 23.9}};
	assert_true(talus_world_fill(world, &fill, &error));
	run(world, 1500);
	world->state.def.solver = solver_of(kind, 0);
	world->state.def.solver.stop = TALUS_STOP_ERROR;
	world->state.def.solver.tolerance = 0.01;
	world->state.def.solver.max_iterations = 5000;
	uint64_t before = world->report.iterations_all;
	run(world, 100);
	uint64_t sweeps = world->report.iterations_all - before;
	talus_world_destroy(world);
	return sweeps;
}

static void test_flow(void **state)
{
	(void)state;
	if (quick()) // the same loops as above
		return;
	uint64_t plain = drum_sweeps(TALUS_SOLVER_NSGS), faster = drum_sweeps(TALUS_SOLVER_ACCELERATED);
	if (2*faster > plain)
		fail_msg("%llu sweeps instead of %llu", (unsigned long long)faster, (unsigned long long)plain);
}

// Where sweeps do not come closer they end, long before the last one that is allowed, and say so.
static void test_floor(void **state)
{
	(void)state;
	for (int finds = 0; finds < 2; finds++) {
		talus_solver_def solver = solver_of(TALUS_SOLVER_ACCELERATED, 0);
		solver.stop = TALUS_STOP_ERROR;
		solver.tolerance = finds ? 1e-4 : 1e-30; // below what numbers can
		talus_world *world = bed(&cases[1], solver);
		run(world, 1);
		assert_int_equal(world->report.stagnated_steps, !finds);
		assert_int_equal(world->report.capped_all, 0);
		assert_below(world->report.iterations, 100000);
		assert_below(world->report.error_global, finds ? 1e-4 : 1e-6);
		talus_world_destroy(world);
	}
}

// What the cell is said to have been pushed by is the sum over all contacts, of those with locked grains, too.
static void test_cell(void **state)
{
	(void)state;
	for (size_t k = 9; k <= 10; k++) {
		talus_world *world = packing(&cases[k], solver_of(TALUS_SOLVER_ACCELERATED, 25));
		for (size_t i = 0; i < world->state.bodies.count; i += 7)
			world->state.bodies.free[i] = TALUS_FREE_X | TALUS_FREE_SPIN;
		world->state.any_full_mass = world->state.any_held = true;
		run(world, 500);
		double sum[3] = {0}, size = 0;
		assert_true(world->contacts.count > 50 && world->contacts.class_end[TALUS_EXTENDED] < world->contacts.count);
		for (size_t i = 0; i < world->contacts.count; i++) {
			const talus_contact *c = &world->contacts.contact[i];
			vec3 p = world->contacts.p[i];
			double span = contact_dynamics_of(world)->rows.extended[i - world->contacts.class_end[TALUS_COULOMB]].centre_distance;
			for (int n = 0; n < 3; n++)
				sum[n] += component(p, n)*component(c->n, n)*span;
			size += norm(p)*span;
		}
		assert_true(size > 0);
		for (int n = 0; n < 3; n++)
			assert_near(contact_dynamics_of(world)->flow.virial_sum[n][n], sum[n], 1e-11*size);
		double rate[3][3];
		flow_exact(&contact_dynamics_of(world)->flow, rate);
		assert_near(world->state.cell.rate[0][0], rate[0][0], 0); // and the cell has the rate that this asks for
		talus_world_destroy(world);
	}
}

// Momentum needs an order that stays: another one that is asked for makes no difference.
static void test_order(void **state)
{
	(void)state;
	uint64_t hash[2];
	for (int other = 0; other < 2; other++) {
		talus_solver_def solver = solver_of(TALUS_SOLVER_ACCELERATED, 30);
		solver.order = other ? TALUS_ORDER_RANDOM : TALUS_ORDER_SHUFFLED;
		talus_world *world = packing(&cases[2], solver);
		run(world, 300);
		hash[other] = talus_world_hash(world);
		talus_world_destroy(world);
	}
	assert_true(hash[0] == hash[1]);
}

// ---------------------------------------------------------------- the same bits

static void test_threads(void **state)
{
	(void)state;
	static const size_t some_cases[] = {1, 2, 4, 8, 9, 10};
	for (size_t k = 0; k < COUNT(some_cases); k++)
		for (int blocks = 0; blocks < 2; blocks++) {
			uint64_t hash = 0;
			for (int threads = 1; threads <= 3; threads += 2) {
				talus_solver_def solver = solver_of(TALUS_SOLVER_ACCELERATED, 0);
				solver.stop = TALUS_STOP_ERROR;
				solver.tolerance = 1e-3;
				solver.max_iterations = 200;
				talus_world *world = packing(&cases[some_cases[k]], solver);
				talus_world_set_threads(world, threads);
				world->team_from = 0; // however little there is to do
				if (blocks) {
					world->list.blocks_from = 40;
					world->list.block_size = 20;
				}
				run(world, quick() ? 150 : 500);
				if (threads > 1)
					assert_true(talus_world_hash(world) == hash);
				hash = talus_world_hash(world);
				talus_world_destroy(world);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length), cmocka_unit_test(test_error),      cmocka_unit_test(test_residual_is_blind),
		cmocka_unit_test(test_laws),   cmocka_unit_test(test_never_worse), cmocka_unit_test(test_flow),
		cmocka_unit_test(test_floor),  cmocka_unit_test(test_order),       cmocka_unit_test(test_cell),
		cmocka_unit_test(test_standing), cmocka_unit_test(test_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
