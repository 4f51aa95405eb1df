// SPDX-License-Identifier: MIT
// Blocks put together to bundles: every block with contacts is in one, threads get as much as one another; and however many they are,
// the bits of a step are the same.
#include "unit.h"

#include "solve/solve.h"
#include "method/contact_dynamics.h"

#include <stdlib.h>

enum { MOST_THREADS = 8 };

// ---------------------------------------------------------------- bundles

typedef struct cut_def {
	uint32_t blocks[TALUS_COLOURS];
	double least, most; // contacts of a kind in a block; below 0: none
} cut_def;

static const cut_def cuts[] = {
	{{1, 0, 0, 0, 0}, 5, 6}, {{0, 0, 0, 0, 1}, 1, 2}, {{3, 3, 3, 3, 1}, -2, 3}, {{40, 41, 39, 0, 7}, -300, 300},
	{{400, 400, 400, 400, 5}, 50, 100}, {{2000, 1, 2000, 30, 0}, 0, 60}, {{0, 1, 0, 2, 300}, 100, 2000},
};
enum { CUTS = sizeof cuts/sizeof *cuts };

typedef struct problem {
	talus_problem problem;
	uint32_t *first;
	uint64_t *name;
	uint32_t largest; // of all blocks
} problem;

// Only its cut: nobody looks at contacts here.
static problem problem_make(const cut_def *c, uint64_t seed)
{
	dice d = dice_make(seed);
	problem p = {0};
	talus_blocks *cut = &p.problem.blocks;
	for (int k = 0; k < TALUS_COLOURS; k++)
		cut->colour[k + 1] = cut->count += c->blocks[k];
	p.first = calloc((cut->count + 1)*TALUS_CLASSES, sizeof *p.first);
	p.name = calloc(cut->count, sizeof *p.name);
	uint32_t next = 0, *size = calloc(cut->count, sizeof *size);
	size_t end_of[TALUS_CLASSES];
	for (uint32_t k = 0; k < TALUS_CLASSES; k++) {
		for (uint32_t b = 0; b <= cut->count; b++) {
			uint32_t count = b < cut->count ? (uint32_t)fmax(0, roll(&d, c->least, c->most)) : 0;
			p.first[TALUS_CLASSES*b + k] = next;
			next += count;
			size[b < cut->count ? b : 0] += count;
		}
		end_of[k] = next;
	}
	for (uint32_t b = 0; b < cut->count; b++)
		p.largest = size[b] > p.largest ? size[b] : p.largest;
	free(size);
	cut->first = p.first;
	cut->name = p.name;
	p.problem.class_end[TALUS_COULOMB] = end_of[0];
	p.problem.class_end[TALUS_EXTENDED] = end_of[1];
	p.problem.contacts = end_of[2];
	return p;
}

static void problem_free(problem *p)
{
	free(p->first);
	free(p->name);
}

static uint32_t contacts_in(const talus_blocks *cut, uint32_t block)
{
	uint32_t sum = 0;
	for (uint32_t k = 0; k < TALUS_CLASSES; k++)
		sum += cut->first[TALUS_CLASSES*(block + 1) + k] - cut->first[TALUS_CLASSES*block + k];
	return sum;
}

// The bundles of a colour pass: blocks of one colour, those with contacts once, all else nowhere. Returns the number of contacts.
static uint32_t check_pass(const schedule *s, const colour_pass *p, int colour, uint32_t *visit)
{
	const talus_blocks *cut = &s->cut;
	uint32_t block = cut->colour[colour], all = 0;
	for (uint32_t u = p->first; u < p->first + p->bundles; u++) {
		const bundle *at = &s->bundle[u];
		uint32_t visits = 0;
		for (; block < at->block; block++)
			assert_int_equal(contacts_in(cut, block), 0);
		assert_true(at->blocks > 0 && at->block == block && at->visit == *visit);
		for (; block < at->block + at->blocks; block++)
			visits += contacts_in(cut, block);
		assert_true(visits > 0 && at->visits == visits);
		*visit += visits;
		all += visits;
	}
	for (; block < cut->colour[colour + 1]; block++)
		assert_int_equal(contacts_in(cut, block), 0);
	return all;
}

// Each thread has bundles that lie side by side, and where there are many blocks as many contacts as the others, up to one block; or up
// to one bundle, where there are not as many bundles for each.
static void check_shares(const schedule *s, const colour_pass *p, uint32_t all, uint32_t threads, uint32_t largest)
{
	uint32_t share[MOST_THREADS] = {0}, before = 0, course_most = 0;
	for (uint32_t u = p->first; u < p->first + p->bundles; u++) {
		uint32_t thread = s->bundle[u].thread;
		assert_true(thread >= before && thread < threads);
		share[thread] += s->bundle[u].visits;
		course_most = s->bundle[u].visits > course_most ? s->bundle[u].visits : course_most;
		before = thread;
	}
	bool many = all > 50*largest*threads && all > 1024*threads;
	for (uint32_t t = 0; t < threads && many; t++)
		assert_near(share[t], (double)all/threads, p->bundles%threads == 0 ? largest : course_most);
}

static void check_bundles(const problem *p, int threads, bool flows)
{
	schedule s = {0};
	talus_cell_unknowns flow = {0};
	talus_problem of = p->problem;
	uint32_t visit = 0, bundles = 0;
	of.flow = flows ? &flow : NULL;
	bundles_make(&s, &of, threads);
	int colour_passes = 0;
	for (int c = 0; c < TALUS_COLOURS; c++) {
		const talus_blocks *cut = &of.blocks;
		uint32_t there = 0;
		for (uint32_t b = cut->colour[c]; b < cut->colour[c + 1]; b++)
			there += contacts_in(cut, b);
		if (!there)
			continue;
		const colour_pass *at = &s.colour_pass[colour_passes++];
		assert_true(at->first == bundles && at->bundles > 0);
		bundles += at->bundles;
		assert_int_equal(check_pass(&s, at, c, &visit), there);
		if (!flows)
			check_shares(&s, at, there, (uint32_t)threads, p->largest);
	}
	assert_true(s.colour_passes == colour_passes && s.bundles == bundles && visit == of.contacts);
	schedule_free(&s);
}

static void test_courses(void **state)
{
	(void)state;
	for (int k = 0; k < CUTS; k++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			problem p = problem_make(&cuts[k], seed);
			for (int threads = 1; threads <= MOST_THREADS; threads++)
				for (int flows = 0; flows < 2; flows++)
					check_bundles(&p, threads, flows);
			problem_free(&p);
		}
}

// Without blocks everything is one bundle.
static void test_whole(void **state)
{
	(void)state;
	for (int threads = 1; threads <= MOST_THREADS; threads++) {
		schedule s = {0};
		talus_problem p = {.contacts = 9000, .class_end = {5000, 8000}};
		bundles_make(&s, &p, threads);
		assert_true(s.colour_passes == 1 && s.bundles == 1 && s.bundle->visits == 9000 && s.bundle->blocks == 1);
		schedule_free(&s);
	}
}

// ---------------------------------------------------------------- bits

typedef enum kind { PLAIN_GRAINS, LAWS, HELD, FLOWING, WORLDS } kind;

typedef struct way {
	talus_solver_kind kind;
	talus_stop stop;
	double tolerance;
} way;

static const way methods[] = {
	{TALUS_SOLVER_NSGS, TALUS_STOP_ITERATIONS, 0}, {TALUS_SOLVER_NSGS, TALUS_STOP_RESIDUAL, 0.05},
	{TALUS_SOLVER_ACCELERATED, TALUS_STOP_ITERATIONS, 0}, {TALUS_SOLVER_AUTO, TALUS_STOP_ERROR, 0.02},
	{TALUS_SOLVER_ACCELERATED, TALUS_STOP_FORCES, 0.1},
};
enum { METHODS = sizeof methods/sizeof *methods, WIDE = 12, HIGH = 10 };

static void add_walls(talus_world *world, kind what)
{
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	if (what != HELD)
		return;
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(lid.name, sizeof lid.name, "lid");
	lid.point = vec(0, 0, 0.98*HIGH + 0.02);
	lid.axis = vec(0, 0, -1);
	lid.mass = 30;
	lid.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &lid);
}

// A bed of grains that touch, everybody on the way somewhere.
static talus_world *bed(kind what, const way *m, int threads)
{
	talus_world_def def = unit_def(3);
	dice d = dice_make(17);
	def.step = 0.005;
	def.gravity = what == FLOWING ? vec(0, 0, 0) : vec(0, 0, -1);
	def.cell.size = vec(0.98*WIDE, 0.98*WIDE, 0.98*HIGH);
	for (int k = 0; k < 3; k++)
		def.cell.periodic[k] = what == FLOWING || k == 0;
	if (what == FLOWING) {
		def.cell.bath = true;
		def.cell.pressure = 1;
		def.cell.inertia = 10;
	}
	def.solver.kind = m->kind;
	def.solver.stop = m->stop;
	def.solver.tolerance = m->tolerance;
	def.solver.iterations = 20;
	def.solver.max_iterations = 120;
	talus_world *world = unit_world(&def, 0.4);
	if (what == LAWS)
		talus_world_set_pair(world, &(talus_pair){.friction = 0.3, .static_friction = 0.5, .restitution = 0.4, .rolling = 0.1});
	talus_world_set_threads(world, threads);
	world->team_from = 0; // however little there is to do
	world->list.blocks_from = 0;
	world->list.block_size = 30;
	if (what != FLOWING)
		add_walls(world, what);
	for (int i = 0; i < WIDE*WIDE*HIGH; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = vec(0.98*(i%WIDE) + 0.49, 0.98*(i/WIDE%WIDE) + 0.49, 0.98*(i/WIDE/WIDE) + 0.5);
		g.radius = roll(&d, 0.485, 0.5);
		g.velocity = mul(0.3, roll_direction(&d, 3));
		if ((what == HELD || what == FLOWING) && i%70 == 3)
			g.free = i%140 == 3 ? 0 : TALUS_FREE_Y | TALUS_FREE_Z | TALUS_FREE_SPIN;
		talus_world_add_grain(world, &g);
	}
	return world;
}

enum { STEPS = 2, NUMBERS = 6 };

typedef struct outcome {
	uint64_t hash;
	double number[NUMBERS];
} outcome;

static void run(kind what, const way *m, int threads, outcome result[STEPS])
{
	talus_world *world = bed(what, m, threads);
	for (int step = 0; step < STEPS; step++) {
		talus_step_report r = talus_world_step(world);
		result[step] = (outcome){talus_world_hash(world), {r.residual, r.error_overlap, r.error_local, r.error_global, r.error_forces,
		                                                   r.iterations}};
		const schedule *plan = contact_dynamics_of(world)->solver_workspace->plan;
		assert_true(plan->cut.count > 50 && r.contacts > 2000);
		assert_true(what != HELD || plan->cut.colour[TALUS_OF_PISTONS] < plan->cut.count); // the lid
	}
	talus_world_destroy(world);
}

static void compare(const outcome *alone, const outcome *team, int what, int m, int step, int threads)
{
	if (alone->hash != team->hash)
		fail_msg("world %d, way %d, step %d: %d threads come to another state", what, m, step, threads);
	for (int k = 0; k < NUMBERS; k++)
		if (alone->number[k] != team->number[k])
			fail_msg("world %d, way %d, step %d: %d threads say %.17g, and one %.17g (number %d)", what, m, step, threads,
			         team->number[k], alone->number[k], k);
}

// The state, and what is said about it.
static void test_bits(void **state)
{
	(void)state;
	for (int what = 0; what < WORLDS; what++)
		for (int m = 0; m < METHODS; m++) {
			outcome alone[STEPS], team[STEPS];
			run((kind)what, &methods[m], 1, alone);
			for (int threads = 2; threads <= MOST_THREADS; threads += threads == 2 ? 1 : 5) {
				run((kind)what, &methods[m], threads, team);
				for (int step = 0; step < STEPS; step++)
					compare(&alone[step], &team[step], what, m, step, threads);
			}
		}
}

// ---------------------------------------------------------------- chains

static bool in_batches(const schedule *s, uint32_t first, size_t line)
{
	const batch *all = s->of[TALUS_COULOMB].batch;
	for (const batch *b = all + first; b < all + first + KERNEL_JOINED; b++)
		for (int l = 0; l < LANES; l++)
			if (b->at[l].a/LINE == line || b->at[l].b/LINE == line)
				return true;
	return false;
}

// The first batches of one, and the last of another.
static bool share_a_body(const schedule *s, const sweep_level *one, const sweep_level *other, size_t movable)
{
	const batch *all = s->of[TALUS_COULOMB].batch;
	uint32_t end = other->of[TALUS_COULOMB].first + other->of[TALUS_COULOMB].count, first = one->of[TALUS_COULOMB].first;
	for (uint32_t i = end - KERNEL_JOINED; i < end; i++)
		for (int l = 0; l < LANES; l++) {
			contact_bodies at = all[i].at[l];
			if ((at.a/LINE < movable && in_batches(s, first, at.a/LINE)) || (at.b/LINE < movable && in_batches(s, first, at.b/LINE)))
				return true;
		}
	return false;
}

// Whatever sweep level follows another one, it begins early only if they share no body there. Returns the share of all pairs of long sweep levels that may.
static double check_chains(const talus_world *world)
{
	const schedule *s = contact_dynamics_of(world)->solver_workspace->plan;
	size_t movable = world->state.bodies.count, pairs = 0, joined = 0;
	for (const bundle *u = s->bundle; u < s->bundle + s->bundles; u++)
		for (uint32_t i = 0; i < u->sweep_levels*u->sweep_levels; i++) {
			const sweep_level *one = &s->sweep_level[u->first + i%u->sweep_levels], *other = &s->sweep_level[u->first + i/u->sweep_levels];
			assert_true(one->of[TALUS_COULOMB].count >= KERNEL_JOINED || !(one->opens || one->closes));
			pairs += one->of[TALUS_COULOMB].count >= KERNEL_JOINED && other->of[TALUS_COULOMB].count >= KERNEL_JOINED;
			if (!one->opens || !other->closes)
				continue;
			joined++;
			assert_false(share_a_body(s, one, other, movable));
		}
	return pairs ? (double)joined/(double)pairs : 0;
}

static void test_chains(void **state)
{
	(void)state;
	for (int what = 0; what < FLOWING; what++)
		for (int cut = 0; cut < 2; cut++) {
			talus_world *world = bed((kind)what, &methods[0], 1);
			world->list.blocks_from = cut ? 0 : SIZE_MAX;
			talus_world_step(world);
			double share = check_chains(world);
			print_message("kind %d, %s: %.2f of all pairs of stages go on at once\n", what, cut ? "in blocks" : "whole", share);
			assert_true(what != PLAIN_GRAINS || share > 0.3);
			assert_true(what == PLAIN_GRAINS || !contact_dynamics_of(world)->solver_workspace->plan->bundle->chained || what == HELD);
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_courses),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_chains),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
