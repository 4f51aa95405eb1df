// SPDX-License-Identifier: MIT
// Whether threads pay, on machines that are made up: the time that it takes is close to that of whoever knew beforehand.
#include "unit.h"

#include "base/payoff.h"

#include <math.h>

// Seconds a size, alone and together, and by how much a piece of work may differ from that.
typedef struct machine {
	double alone, together, noise;
} machine;

static double piece(const machine *m, bool alone, dice *d)
{
	return (alone ? m->alone : m->together)*roll(d, 1 - m->noise, 1 + m->noise);
}

// Seconds for so many pieces; how many of them were done alone.
static double work(payoff *p, const machine *m, int pieces, dice *d, int *alone)
{
	double sum = 0;
	*alone = 0;
	for (int i = 0; i < pieces; i++) {
		double seconds = piece(m, p->alone, d);
		*alone += p->alone;
		sum += seconds;
		payoff_note(p, seconds, 1);
	}
	return sum;
}

static const machine quiet = {10e-3, 5.5e-3, 0.1}, busy = {20e-3, 60e-3, 0.3}, rough = {10e-3, 5.5e-3, 0.4}, even = {10e-3, 9.9e-3, 0.02},
                     large = {2, 1.1, 0.1}, small = {1e-3, 0.6e-3, 0.2}, flooded = {20e-3, 2, 0.3};

static void test_one_machine(void **state)
{
	(void)state;
	static const struct {
		const machine *m;
		double share; // of the time beyond that of the better way
	} cases[] = {{&quiet, 0.02}, {&busy, 0.05}, {&rough, 0.06}, {&even, 0.02}, {&large, 0.02}, {&small, 0.02}, {&flooded, 0.4}};
	for (size_t k = 0; k < sizeof cases/sizeof *cases; k++) {
		payoff p = {0};
		dice d = dice_make(k + 1);
		int alone;
		double seconds = work(&p, cases[k].m, 3000, &d, &alone), best = 3000*fmin(cases[k].m->alone, cases[k].m->together);
		if (seconds > (1 + cases[k].share)*best)
			fail_msg("machine %zu: %g s instead of %g, %d alone", k, seconds, best, alone);
	}
}

// The others come and go: a second or some after that it is known.
static void test_busy_for_a_while(void **state)
{
	(void)state;
	payoff p = {0};
	dice d = dice_make(9);
	int alone;
	for (int round = 0; round < 5; round++) {
		work(&p, &quiet, 3000, &d, &alone);
		work(&p, &busy, 100, &d, &alone);
		work(&p, &busy, 1000, &d, &alone);
		assert_true(alone > 950);
		work(&p, &quiet, 1200, &d, &alone); // ten seconds
		work(&p, &quiet, 1000, &d, &alone);
		assert_true(alone < 20);
	}
}

// Whoever has no work goes on as he was.
static void test_nothing_to_go_by(void **state)
{
	(void)state;
	payoff p = {0};
	for (int i = 0; i < 100; i++)
		payoff_note(&p, 1, 0);
	assert_false(p.alone);
}

static void test_settled(void **state)
{
	(void)state;
	payoff p;
	dice d = dice_make(5);
	int alone;
	payoff_settle(&p);
	work(&p, &flooded, 100, &d, &alone);
	assert_int_equal(alone, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_machine),
		cmocka_unit_test(test_busy_for_a_while),
		cmocka_unit_test(test_nothing_to_go_by),
		cmocka_unit_test(test_settled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
