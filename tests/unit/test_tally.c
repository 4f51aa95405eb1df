// SPDX-License-Identifier: MIT
// Sums that do not depend on the order of their terms, judged by exact ones.
#include "unit.h"

#include "base/tally.h"
#include "base/totals.h"
#include "exact.h"

#include <float.h>

enum { MOST = 3000 };

static double sum_of(const double *term, size_t count)
{
	tally s = {0};
	tally_add(&s, term, count);
	return tally_sum(&s);
}

static double exactly(const double *term, size_t count)
{
	exact e;
	exact_clear(&e);
	for (size_t i = 0; i < count; i++)
		exact_add(&e, term[i]);
	return exact_sum(&e);
}

static bool same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static void shuffle(double *term, size_t count, uint64_t stream)
{
	for (size_t i = count - 1; i > 0; i--) {
		size_t j = random_bits(stream, i)%(i + 1);
		double kept = term[i];
		term[i] = term[j];
		term[j] = kept;
	}
}

// In parts of any length, put together in any order.
static double in_parts(const double *term, size_t count, uint64_t stream)
{
	tally part[5] = {{{0}, 0, 0}};
	size_t at = 0;
	for (uint64_t i = 0; at < count; i++) {
		uint64_t bits = random_bits(stream, i);
		size_t some = bits%(bits%3 ? 7 : 700) + 1;
		some = some < count - at ? some : count - at;
		tally_add(&part[bits/4096%5], term + at, some);
		at += some;
	}
	size_t first = random_bits(stream, 1u << 30)%5;
	for (size_t k = 1; k < 5; k++)
		tally_join(&part[first], &part[(first + k)%5]);
	return tally_sum(&part[first]);
}

// Terms of `decades` decades about 10^middle, both signs; some cancel, some are nothing.
static void make_terms(double *term, size_t count, double middle, double decades, uint64_t seed)
{
	dice d = dice_make(seed);
	for (size_t i = 0; i < count; i++) {
		double kind = roll(&d, 0, 1), x = roll(&d, -1, 1)*pow(10, middle + decades*roll(&d, -0.5, 0.5));
		term[i] = kind < 0.1 ? 0 : kind < 0.3 && i > 0 ? -term[i - 1] : x;
	}
}

static void expect_any_order(double *term, size_t count, int orders, uint64_t seed)
{
	double one = sum_of(term, count), right = exactly(term, count), largest = 0;
	for (size_t i = 0; i < count; i++)
		largest = fmax(largest, fabs(term[i]));
	if (isfinite(right))
		assert_true(fabs(one - right) <= 0x1p-53*fabs(right) + (double)count*0x1p-64*largest);
	for (int k = 0; k < orders; k++) {
		uint64_t stream = random_stream(seed, RANDOM_FILL, (uint64_t)k, 0);
		shuffle(term, count, stream);
		assert_true(same_bits(sum_of(term, count), one));
		assert_true(same_bits(in_parts(term, count, stream), one));
	}
}

static void test_any_order(void **state)
{
	(void)state;
	static const struct { double middle, decades; } kind[] = {{0, 0}, {0, 3}, {0, 30}, {-5, 100}, {0, 600}, {-300, 40}, {-315, 14}, {290, 35}};
	static const size_t counts[] = {2, 3, 4, 5, 127, 128, 129, MOST};
	static double term[MOST];
	for (size_t k = 0; k < sizeof kind/sizeof kind[0]; k++)
		for (size_t c = 0; c < sizeof counts/sizeof counts[0]; c++) {
			make_terms(term, counts[c], kind[k].middle, kind[k].decades, 100*k + c);
			expect_any_order(term, counts[c], 20, k);
		}
	make_terms(term, 300, 0, 20, 7);
	expect_any_order(term, 300, 1000, 8);
}

// Where all bits of all terms are within 65 nothing is lost, and the sum is the exact one, rounded once.
static void test_rounded_once(void **state)
{
	(void)state;
	static double term[MOST];
	for (uint64_t k = 0; k < 200; k++) {
		size_t count = 1 + random_bits(5, k)%MOST;
		for (size_t i = 0; i < count; i++)
			term[i] = ldexp((double)(int64_t)random_bits(random_mix(k), i), (int)(9*k) - 1000);
		assert_true(sum_of(term, count) == exactly(term, count));
	}
	for (uint64_t k = 0; k < 10000; k++) { // one alone, whatever it is
		uint64_t bits = random_bits(6, k);
		double x;
		memcpy(&x, &bits, sizeof x);
		if (isfinite(x))
			assert_true(sum_of(&x, 1) == x);
	}
}

static void test_edges(void **state)
{
	(void)state;
	const double cancel[] = {1e300, 1, -1e300, -1}, small[] = {0x1p-1074, 0x1p-1074, 0x1p-1022, -0x1p-1073};
	assert_true(same_bits(sum_of(cancel, 4), 0) && same_bits(sum_of(cancel, 0), 0));
	assert_true(sum_of(small, 4) == 0x1p-1022);
	const double huge[] = {DBL_MAX, DBL_MAX, -DBL_MAX}, tie[] = {0x1p53, 1, 0x1p53, 3};
	assert_true(sum_of(huge, 3) == DBL_MAX && isinf(sum_of(huge, 2)));
	assert_true(sum_of(tie, 2) == 0x1p53 && sum_of(tie, 4) == 0x1p54 + 4);
}

// One that is no number must not get lost: decisions rely on it.
// Terms so far apart that nothing of the small one is left but its rounding, around the borders of levels, where the large ones cancel: all orders, one
// by one, together, and in parts that are joined.
static void test_far_apart(void **state)
{
	(void)state;
	static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	for (int e = -600; e < 600; e++)
		for (int apart = 90; apart < 135; apart++)
			for (int size = 0; size < 3; size++) {
				double large = ldexp(1 + 0.25*size, e + apart), term[3] = {ldexp(1 + 0.499*size, e), large, -large}, first = 0;
				for (int k = 0; k < 6; k++) {
					double by[3] = {term[order[k][0]], term[order[k][1]], term[order[k][2]]};
					tally one = {0}, joined = {0}, other = {0};
					for (int i = 0; i < 3; i++)
						tally_put(&one, by[i]);
					tally_add(&joined, by, 1);
					tally_add(&other, by + 1, 2);
					tally_join(&joined, &other);
					first = k == 0 ? tally_sum(&one) : first;
					assert_true(same_bits(tally_sum(&one), first) && same_bits(tally_sum(&joined), first));
					assert_true(same_bits(sum_of(by, 3), first));
				}
			}
}

static void test_no_number(void **state)
{
	(void)state;
	static double term[200];
	for (size_t at = 0; at < 200; at += 13) {
		make_terms(term, 200, 0, 10, at);
		term[at] = INFINITY;
		assert_true(sum_of(term, 200) == INFINITY);
		term[at] = -INFINITY;
		assert_true(sum_of(term, 200) == -INFINITY);
		term[(at + 50)%200] = INFINITY;
		assert_true(isnan(sum_of(term, 200)));
		term[(at + 50)%200] = NAN;
		double none = sum_of(term, 200);
		assert_true(isnan(none));
		shuffle(term, 200, at);
		assert_true(same_bits(none, in_parts(term, 200, at)));
	}
}

// ---------------------------------------------------------------- many small sums

static void test_grid(void **state)
{
	(void)state;
	static double term[MOST];
	for (uint64_t k = 0; k < 50; k++) {
		make_terms(term, MOST, (double)k*12 - 300, 20, k);
		double largest = 0, up = 0, down = 0;
		for (size_t i = 0; i < MOST; i++)
			largest = fmax(largest, fabs(term[i]));
		double step = tally_unit(largest, MOST);
		for (size_t i = 0; i < MOST; i++) {
			up += tally_round(term[i], step);
			down += tally_round(term[MOST - 1 - i], step);
		}
		assert_true(same_bits(up, down));
		assert_near(up, exactly(term, MOST), MOST*0x1p-38*largest);
	}
	assert_true(tally_unit(0, 5) == 0 && tally_unit(INFINITY, 5) == 0 && tally_unit(1e308, 5) == 0);
	assert_true(isnan(tally_round(NAN, tally_unit(1, 5))));
}

// ---------------------------------------------------------------- of a table

enum { POSITIVE, ALL };

static void look(void *job, size_t first, size_t last, totals_part *part)
{
	const double *x = job;
	for (size_t i = first; i < last; i++) {
		part->term[ALL][i - first] = x[i];
		part->most[0] = fmax(part->most[0], x[i]);
		if (!(x[i] > 0))
			continue;
		part->term[POSITIVE][i - first] = x[i];
		part->count[0]++;
	}
}

static void test_totals(void **state)
{
	(void)state;
	enum { ROWS = 20000 };
	static const size_t rows[] = {0, 1, 127, 128, 129, 1025, 5000, ROWS};
	static double x[ROWS];
	for (size_t k = 0; k < sizeof rows/sizeof rows[0]; k++) {
		make_terms(x, ROWS, 0, 15, k);
		totals one = totals_of(NULL, rows[k], 2, look, x);
		assert_true(same_bits(one.sum[ALL], sum_of(x, rows[k])));
		for (int threads = 2; threads < 9; threads++) {
			parallel *team = parallel_create(threads);
			if (rows[k] > 1)
				shuffle(x, rows[k], (uint64_t)threads);
			totals many = totals_of(team, rows[k], 2, look, x);
			assert_memory_equal(&many, &one, sizeof one);
			parallel_destroy(team);
		}
		uint64_t positive = 0;
		for (size_t i = 0; i < rows[k]; i++)
			positive += x[i] > 0;
		assert_true(one.count[0] == positive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_order), cmocka_unit_test(test_rounded_once), cmocka_unit_test(test_edges),
		cmocka_unit_test(test_far_apart), cmocka_unit_test(test_no_number), cmocka_unit_test(test_grid), cmocka_unit_test(test_totals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
