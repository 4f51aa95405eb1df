// SPDX-License-Identifier: MIT
// Who goes when: permutations, fair ones, and the same ones when asked again.
#include "unit.h"

#include "blocks.h"
#include "law/law.h"
#include "solve/solve.h"

static bool is_permutation(const uint32_t *order, size_t n)
{
	bool seen[1000] = {false};
	for (size_t i = 0; i < n; i++) {
		if (order[i] >= n || seen[order[i]])
			return false;
		seen[order[i]] = true;
	}
	return true;
}

static void test_permutation(void **state)
{
	(void)state;
	uint32_t order[1000];
	for (size_t n = 0; n <= 1000; n = 2*n + 1)
		for (uint64_t sweep = 0; sweep < 5; sweep++) {
			order_fill(order, n, TALUS_ORDER_RANDOM, 1, 2, sweep);
			assert_true(is_permutation(order, n));
		}
	for (int kind = TALUS_ORDER_SEQUENTIAL; kind <= TALUS_ORDER_PARALLEL; kind++) {
		order_fill(order, 1000, (talus_order)kind, 1, 2, 3);
		for (uint32_t i = 0; i < 1000; i++)
			assert_int_equal(order[i], i);
	}
}

// All 120 orders of five contacts are equally frequent: chi-square with 119 degrees of freedom, above 173.6
// once in a thousand.
static void test_uniform(void **state)
{
	(void)state;
	enum { SWEEPS = 60000 };
	static int count[5*5*5*5*5];
	uint32_t order[5];
	for (uint64_t sweep = 0; sweep < SWEEPS; sweep++) {
		order_fill(order, 5, TALUS_ORDER_RANDOM, 3, sweep/100, sweep%100);
		count[order[0] + 5*order[1] + 25*order[2] + 125*order[3] + 625*order[4]]++;
	}
	double chi = 0;
	int seen = 0;
	for (int k = 0; k < 3125; k++)
		if (count[k]) {
			chi += pow(count[k] - SWEEPS/120.0, 2)/(SWEEPS/120.0);
			seen++;
		}
	assert_int_equal(seen, 120);
	assert_true(chi < 173.6);
}

// Each contact is equally often at each place (99 x 99 degrees of freedom, normal approximation).
static void test_places(void **state)
{
	(void)state;
	enum { PLACES = 100, SWEEPS = 10000 };
	static int count[PLACES][PLACES];
	uint32_t order[PLACES];
	for (uint64_t sweep = 0; sweep < SWEEPS; sweep++) {
		order_fill(order, PLACES, TALUS_ORDER_RANDOM, 11, 0, sweep);
		for (size_t i = 0; i < PLACES; i++)
			count[i][order[i]]++;
	}
	double chi = 0;
	for (int i = 0; i < PLACES; i++)
		for (int k = 0; k < PLACES; k++)
			chi += pow(count[i][k] - SWEEPS/PLACES, 2)/(SWEEPS/PLACES);
	assert_near(chi, 99*99, 4*sqrt(2*99*99));
}

// Independent draws: a contact may come twice, each as often as any other, and 1/e of them not at all.
static void test_random_sequential(void **state)
{
	(void)state;
	enum { M = 100, SWEEPS = 2000 };
	uint32_t order[M];
	int count[M] = {0}, absent = 0;
	for (uint64_t sweep = 0; sweep < SWEEPS; sweep++) {
		bool seen[M] = {false};
		order_fill(order, M, TALUS_ORDER_RANDOM_SEQUENTIAL, 5, 1, sweep);
		for (size_t i = 0; i < M; i++) {
			assert_true(order[i] < M);
			seen[order[i]] = true;
			count[order[i]]++;
		}
		for (size_t i = 0; i < M; i++)
			absent += !seen[i];
	}
	double chi = 0;
	for (int k = 0; k < M; k++)
		chi += pow(count[k] - SWEEPS, 2)/SWEEPS;
	assert_true(chi < 149.4); // 99 degrees of freedom, once in a thousand
	assert_near(absent/(double)(M*SWEEPS), pow(1 - 1.0/M, M), 0.005);
}

static void test_same_and_different(void **state)
{
	(void)state;
	uint32_t one[64], other[64];
	static const uint64_t which[4][3] = {{1, 2, 3}, {9, 2, 3}, {1, 9, 3}, {1, 2, 9}}; // seed, step, sweep
	for (int kind = TALUS_ORDER_RANDOM; kind <= TALUS_ORDER_RANDOM_SEQUENTIAL;
		kind += TALUS_ORDER_RANDOM_SEQUENTIAL) {
		order_fill(one, 64, (talus_order)kind, 1, 2, 3);
		for (int k = 0; k < 4; k++) {
			order_fill(other, 64, (talus_order)kind, which[k][0], which[k][1], which[k][2]);
			assert_int_equal(memcmp(one, other, sizeof one) == 0, k == 0);
		}
	}
}

// ---------------------------------------------------------------- orders of a solve

enum { BODIES = 900, CONTACTS = 2000 }; // enough that the team works on it

typedef struct net {
	talus_problem problem;
	talus_solver_body motion[BODIES];
	talus_contact contact[CONTACTS];
	talus_row row[CONTACTS];
	vec3 p[CONTACTS];
} net;

static net one, other;

enum { BOXES = 8, FAR = BOXES };

static uint32_t box_of(uint32_t body)
{
	return BOXES*body/BODIES;
}

// Eight boxes around a ring. A block is what lies in a box, or between it and the next one: those of even and of odd numbers share no
// ball. What reaches farther is a block of the last colour.
static void net_cut(net *m)
{
	uint32_t block[CONTACTS];
	int colour[BOXES + 1] = {[FAR] = TALUS_COLOURS - 1};
	for (int b = 0; b < BOXES; b++)
		colour[b] = b%2;
	for (size_t i = 0; i < CONTACTS; i++) {
		uint32_t a = box_of(m->contact[i].a), b = box_of(m->contact[i].b);
		block[i] = b == a || b == (a + 1)%BOXES ? a : a == (b + 1)%BOXES ? b : FAR;
	}
	blocks_give(&m->problem, block, colour, BOXES + 1);
}

// Balls that are tied to others anywhere.
static void net_make(net *m, bool blocks)
{
	blocks_forget(&m->problem);
	dice d = dice_make(31);
	*m = (net){.problem = {.contacts = CONTACTS, .class_end = {CONTACTS, CONTACTS}, .contact = m->contact, .row = m->row, .p = m->p, .bodies = BODIES,
		.motion = m->motion}};
	for (uint32_t i = 0; i < BODIES; i++)
		m->motion[i] = (talus_solver_body){.v = roll_direction(&d, 3), .inv_m = i%10 ? 1 : 0, .r2_over_I = i%10 ? 2.5 : 0};
	for (uint32_t i = 0; i < CONTACTS; i++) {
		uint32_t a = (uint32_t)roll(&d, 0, BODIES), b = (a + 1 + (uint32_t)roll(&d, 0, 200))%BODIES;
		b += a%10 == 0 && b%10 == 0;
		m->contact[i] = (talus_contact){.a = a, .b = b, .n = roll_direction(&d, 3)};
		coulomb_prepare(&m->row[i], &m->motion[a], &m->motion[b], 0, 0, 1, TALUS_GAP_POSITIVE, roll(&d, 0, 1));
	}
	if (blocks)
		net_cut(m);
}

static talus_solve_report solve(net *m, int threads, const talus_solver_def *def)
{
	solver_workspace ws = {.team = parallel_create(threads)};
	talus_solve_report report = nsgs_solve(&m->problem, def, 1, 4, 5, &ws);
	solver_workspace_free(&ws);
	parallel_destroy(ws.team);
	return report;
}

// Every sweep has the order that is its own, also where the orders of several sweeps are made at once. A wrong one
// would be seen in the first digits.
static void test_orders_of_a_solve(void **state)
{
	(void)state;
	static const talus_order kinds[] = {TALUS_ORDER_RANDOM, TALUS_ORDER_SEQUENTIAL,
		TALUS_ORDER_RANDOM_SEQUENTIAL};
	uint32_t order[CONTACTS];
	talus_solver_def def = plain_def().solver;
	def.iterations = 7;
	for (int k = 0; k < 3; k++) {
		def.order = kinds[k];
		net_make(&one, false);
		for (uint64_t sweep = 0; sweep < 7; sweep++) {
			order_fill(order, CONTACTS, def.order, 4, 5, sweep);
			for (size_t i = 0; i < CONTACTS; i++)
				problem_visit(&one.problem, order[i], NULL);
		}
		for (int threads = 1; threads <= 4; threads++) {
			net_make(&other, false);
			solve(&other, threads, &def);
			for (size_t i = 0; i < CONTACTS; i++)
				assert_near3(other.p[i], one.p[i], 1e-10);
			for (size_t i = 0; i < BODIES; i++)
				assert_near3(other.motion[i].v, one.motion[i].v, 1e-10);
		}
	}
}

// All teams do the same sweeps and say the same about them. A shuffled order is drawn again on the way.
static void test_teams_of_a_solve(void **state)
{
	(void)state;
	for (int kind = TALUS_ORDER_SHUFFLED; kind <= TALUS_ORDER_RANDOM_SEQUENTIAL; kind++)
		for (int rule = TALUS_STOP_ITERATIONS; rule <= TALUS_STOP_RESIDUAL; rule++) {
			talus_solver_def def = plain_def().solver;
			def.order = (talus_order)kind;
			def.stop = (talus_stop)rule;
			def.iterations = def.max_iterations = 110;
			def.relaxation = kind == TALUS_ORDER_PARALLEL ? 0.1 : 1;
			def.tolerance = rule == TALUS_STOP_LOCAL ? 0.3 : 0.015;
			def.cutoff = 0.1;
			bool blocks = kind == TALUS_ORDER_SHUFFLED && rule%2;
			net_make(&one, blocks);
			talus_solve_report alone = solve(&one, 1, &def);
			for (int threads = 2; threads <= 4; threads++) {
				net_make(&other, blocks);
				talus_solve_report team = solve(&other, threads, &def);
				assert_true(team.iterations == alone.iterations && team.converged == alone.converged);
				assert_true(team.residual == alone.residual);
				assert_memory_equal(other.contact, one.contact, sizeof one.contact);
				assert_memory_equal(other.motion, one.motion, sizeof one.motion);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permutation),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_random_sequential),
		cmocka_unit_test(test_same_and_different),
		cmocka_unit_test(test_orders_of_a_solve),
		cmocka_unit_test(test_teams_of_a_solve),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
