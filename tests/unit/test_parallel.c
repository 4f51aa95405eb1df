// SPDX-License-Identifier: MIT
// Threads: every index once, barriers that hold, sums whose bits do not depend on the team.
#include "unit.h"

#include "base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

static const int teams[] = {1, 2, 3, 5};
enum { TEAMS = sizeof teams/sizeof teams[0] };

// ---------------------------------------------------------------- loops

typedef struct coverage {
	size_t count, block;
	int *visits; // plain: two threads on one index are a race
	atomic_int pieces, wrong; // counted: a thread must not leave by a failed assert
} coverage;

static void visit(void *job, size_t first, size_t last)
{
	coverage *c = job;
	atomic_fetch_add(&c->pieces, 1);
	bool fits = first < last && last <= c->count && first%c->block == 0 && (last%c->block == 0 || last == c->count);
	atomic_fetch_add(&c->wrong, !fits);
	for (size_t i = first; i < last; i++)
		c->visits[i]++;
}

static void cover(parallel *team, size_t count, size_t block)
{
	coverage c = {.count = count, .block = block, .visits = calloc(count + 1, sizeof(int))};
	parallel_for(team, count, block, visit, &c);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(c.visits[i], 1);
	assert_int_equal(c.visits[count], 0);
	assert_int_equal(c.wrong, 0);
	assert_true(c.pieces <= parallel_threads(team));
	if (count > block*(size_t)parallel_threads(team)) // there is enough for all
		assert_int_equal(c.pieces, parallel_threads(team));
	free(c.visits);
}

static void test_a_loop_visits_each_index_once(void **state)
{
	(void)state;
	static const size_t counts[] = {0, 1, 2, 3, 63, 64, 65, 1000, 4096, 10007}, blocks[] = {1, 2, 7, 64, 1024};
	for (int t = 0; t < TEAMS; t++) {
		parallel *team = parallel_create(teams[t]);
		for (size_t i = 0; i < sizeof counts/sizeof counts[0]; i++)
			for (size_t j = 0; j < sizeof blocks/sizeof blocks[0]; j++)
				cover(team, counts[i], blocks[j]);
		parallel_destroy(team);
	}
}

static void mark_thread(void *job, int thread)
{
	((int *)job)[thread]++;
}

static void test_every_thread_is_called_once(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		int seen[8] = {0};
		parallel *team = parallel_create(teams[t]);
		assert_int_equal(parallel_threads(team), teams[t]);
		parallel_run(team, mark_thread, seen);
		for (int i = 0; i < 8; i++)
			assert_int_equal(seen[i], i < teams[t]);
		parallel_destroy(team);
	}
}

// ---------------------------------------------------------------- barriers

enum { ROUNDS = 500, MOST = 8 };

typedef struct relay {
	parallel *team;
	int threads;
	int at[MOST][ROUNDS + 1]; // plain memory: only the barrier orders who reads it and who writes it
	int wrong[MOST];
} relay;

// Nobody may begin a round before everybody has left his number in the last one.
static void pass_on(void *job, int thread)
{
	relay *r = job;
	for (int round = 0; round < ROUNDS; round++) {
		for (int t = 0; t < r->threads; t++)
			r->wrong[thread] += r->at[t][round] != round;
		r->at[thread][round + 1] = round + 1;
		parallel_barrier(r->team);
	}
}

static void test_nobody_passes_a_barrier_alone(void **state)
{
	(void)state;
	for (int t = 0; t < TEAMS; t++) {
		relay *r = calloc(1, sizeof *r);
		r->team = parallel_create(teams[t]);
		r->threads = teams[t];
		parallel_run(r->team, pass_on, r);
		for (int i = 0; i < r->threads; i++) {
			assert_int_equal(r->wrong[i], 0);
			for (int round = 0; round <= ROUNDS; round++)
				assert_int_equal(r->at[i][round], round);
		}
		parallel_destroy(r->team);
		free(r);
	}
}

// ---------------------------------------------------------------- sums

static double term(size_t i)
{
	dice d = dice_make(i);
	return roll(&d, -1, 1)*pow(10, roll(&d, -8, 8));
}

static double sum_terms(void *job, size_t first, size_t last)
{
	const double *x = job;
	double sum = 0;
	for (size_t i = first; i < last; i++)
		sum += x[i];
	return sum;
}

static void two_sums(void *job, size_t first, size_t last, double *value)
{
	const double *x = job;
	for (size_t i = first; i < last; i++) {
		value[0] += x[i];
		value[1] += 1;
	}
}

static void join_sums(double *total, const double *value)
{
	total[0] += value[0];
	total[1] += value[1];
}

static void largest(void *job, size_t first, size_t last, double *value)
{
	const double *x = job;
	for (size_t i = first; i < last; i++)
		value[0] = fmax(value[0], x[i]);
}

static void join_largest(double *total, const double *value)
{
	total[0] = fmax(total[0], value[0]);
}

typedef struct numbers {
	double pair[2], most;
} numbers;

static numbers numbers_of(parallel *team, double *x, size_t count)
{
	numbers n = {0};
	parallel_reduce(team, count, 2, two_sums, join_sums, x, n.pair);
	parallel_reduce(team, count, 1, largest, join_largest, x, &n.most);
	return n;
}

static void test_sums_have_the_same_bits_for_any_team(void **state)
{
	(void)state;
	static const size_t counts[] = {0, 1, 1023, 1024, 1025, 5000, 50000};
	double *x = calloc(50000, sizeof *x);
	for (size_t i = 0; i < 50000; i++)
		x[i] = term(i);
	for (size_t k = 0; k < sizeof counts/sizeof counts[0]; k++) {
		numbers one = numbers_of(NULL, x, counts[k]);
		double most = 0;
		for (size_t i = 0; i < counts[k]; i++)
			most = fmax(most, x[i]);
		assert_true(one.pair[1] == (double)counts[k] && one.most == most);
		if (counts[k] <= 1024)
			assert_true(one.pair[0] == sum_terms(x, 0, counts[k]));
		for (int t = 0; t < TEAMS; t++) {
			parallel *team = parallel_create(teams[t]);
			numbers many = numbers_of(team, x, counts[k]);
			assert_memory_equal(&many, &one, sizeof one);
			parallel_destroy(team);
		}
	}
	free(x);
}

// ---------------------------------------------------------------- over and over

static void count_up(void *job, size_t first, size_t last)
{
	int *x = job;
	for (size_t i = first; i < last; i++)
		x[i]++;
}

// Each round reads and writes what another thread has left in the round before.
static void turn_round(void *job, size_t first, size_t last)
{
	int (*x)[64] = job;
	for (size_t i = first; i < last; i++)
		x[1][63 - i] = x[0][i];
}

static void test_many_short_rounds(void **state)
{
	(void)state;
	enum { TIMES = 500 };
	for (int t = 0; t < TEAMS; t++) {
		parallel *team = parallel_create(teams[t]);
		int x[2][64] = {{0}};
		for (int round = 0; round < TIMES; round++) {
			parallel_for(team, 64, 1, count_up, x[0]);
			parallel_for(team, 64, 1, turn_round, x);
			assert_int_equal(x[1][round%64], round + 1);
		}
		parallel_destroy(team);
	}
}

static void test_teams_come_and_go(void **state)
{
	(void)state;
	parallel_destroy(NULL);
	assert_int_equal(parallel_threads(NULL), 1);
	assert_null(parallel_create(1));
	for (int round = 0; round < 100; round++) {
		parallel *team = parallel_create(2 + round%4);
		int x[64] = {0};
		if (round%3) // some never get work
			parallel_for(team, 64, 1, count_up, x);
		parallel_destroy(team);
		for (int i = 0; i < 64; i++)
			assert_int_equal(x[i], round%3 != 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_loop_visits_each_index_once),
		cmocka_unit_test(test_every_thread_is_called_once),
		cmocka_unit_test(test_nobody_passes_a_barrier_alone),
		cmocka_unit_test(test_sums_have_the_same_bits_for_any_team),
		cmocka_unit_test(test_many_short_rounds),
		cmocka_unit_test(test_teams_come_and_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
