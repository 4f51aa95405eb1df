// SPDX-License-Identifier: MIT
// The sums by which other sums are judged.
#include "unit.h"

#include "exact.h"

#include <float.h>

static double any(uint64_t stream, uint64_t i)
{
	uint64_t bits = random_bits(stream, i);
	double x;
	memcpy(&x, &bits, sizeof x);
	return isfinite(x) ? x : 1;
}

static double sum_of(const double *term, size_t count)
{
	exact e;
	exact_clear(&e);
	for (size_t i = 0; i < count; i++)
		exact_add(&e, term[i]);
	return exact_sum(&e);
}

// What is added comes back, also where it is below the normal numbers.
static void test_one(void **state)
{
	(void)state;
	uint64_t stream = random_stream(1, RANDOM_FILL, 0, 0);
	for (uint64_t i = 0; i < 100000; i++) {
		double x = ldexp(any(stream, i), i%3 ? 0 : -1000);
		assert_true(sum_of(&x, 1) == x);
	}
}

// The processor rounds a sum of two rightly, and so do we: ties, carries, underflow, whatever the distance of the two.
static void test_two(void **state)
{
	(void)state;
	uint64_t stream = random_stream(2, RANDOM_FILL, 0, 0);
	for (uint64_t i = 0; i < 200000; i++) {
		int at;
		double x = any(stream, 3*i), few = (double)(random_bits(stream, 3*i + 1)%1024) - 512;
		frexp(x, &at);
		double y = ldexp(few, at - 53 + (int)(random_bits(stream, 3*i + 2)%70) - 12), two[2] = {x, y};
		if (isfinite(x + y))
			assert_true(sum_of(two, 2) == x + y);
	}
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

// Numbers of very different sizes and both signs, in a thousand orders, in one sum and in parts that are put together.
static void test_orders(void **state)
{
	(void)state;
	enum { N = 500 };
	double term[N], plain_low = INFINITY, plain_high = -INFINITY;
	uint64_t stream = random_stream(3, RANDOM_FILL, 0, 0);
	for (uint64_t i = 0; i < N; i++)
		term[i] = ldexp(random_unit(stream, 2*i) - 0.5, (int)(random_bits(stream, 2*i + 1)%120));
	double expected = sum_of(term, N);
	for (uint64_t order = 0; order < 1000; order++) {
		shuffle(term, N, random_stream(4, RANDOM_FILL, order, 0));
		exact part[3];
		double plain = 0;
		for (int k = 0; k < 3; k++)
			exact_clear(&part[k]);
		for (size_t i = 0; i < N; i++) {
			exact_add(&part[(i*7 + order)%3], term[i]);
			plain += term[i];
		}
		exact_join(&part[0], &part[2]);
		exact_join(&part[0], &part[1]);
		assert_true(exact_sum(&part[0]) == expected);
		plain_low = fmin(plain_low, plain);
		plain_high = fmax(plain_high, plain);
	}
	assert_true(plain_low < plain_high); // or it would show nothing
}

// What cancels is gone, and what remains is right.
static void test_cancel(void **state)
{
	(void)state;
	const double term[] = {1e300, 1, -1e300, 0x1p-1074, -1, 0x1p-1074};
	assert_true(sum_of(term, 6) == 0x1p-1073);
	assert_true(sum_of(term, 0) == 0);
	const double many[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
	assert_true(sum_of(many, 3) == DBL_MAX);
	assert_true(isinf(sum_of(many, 2)));
}

static void test_no_number(void **state)
{
	(void)state;
	const double up[] = {1, INFINITY, 2}, both[] = {INFINITY, -INFINITY}, none[] = {1, NAN};
	assert_true(isinf(sum_of(up, 3)));
	assert_true(isnan(sum_of(both, 2)));
	assert_true(isnan(sum_of(none, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one), cmocka_unit_test(test_two), cmocka_unit_test(test_orders),
		cmocka_unit_test(test_cancel), cmocka_unit_test(test_no_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
