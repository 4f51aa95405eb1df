// SPDX-License-Identifier: MIT
// Random numbers by counter.
#include "unit.h"

// The generator is SplitMix64: its published first outputs from the state 0.
static void test_known_values(void **state)
{
	(void)state;
	assert_true(random_bits(0, 0) == 0xe220a8397b1dcdafu);
	assert_true(random_bits(0, 1) == 0x6e789e6aa1b965f4u);
	assert_true(random_bits(0, 2) == 0x06c45d188009454fu);
}

// Mean 1/2, variance 1/12, no correlation of neighbours, never 1.
static void test_unit(void **state)
{
	(void)state;
	enum { N = 200000 };
	uint64_t stream = random_stream(7, RANDOM_FILL, 1, 2);
	double sum = 0, square = 0, next = 0;
	for (uint64_t i = 0; i < N; i++) {
		double u = random_unit(stream, i);
		assert_true(u >= 0 && u < 1);
		sum += u - 0.5;
		square += (u - 0.5)*(u - 0.5);
		next += (u - 0.5)*(random_unit(stream, i + 1) - 0.5);
	}
	assert_near(sum/N, 0, 4*sqrt(1/12.0/N));
	assert_near(square/N, 1/12.0, 4*sqrt(1/180.0/N));
	assert_near(next/N, 0, 4/12.0/sqrt(N));
}

// Chi-square with 9 degrees of freedom: above 27.9 once in a thousand.
static void test_below(void **state)
{
	(void)state;
	enum { N = 100000 };
	int count[10] = {0};
	for (uint64_t i = 0; i < N; i++) {
		uint32_t k = random_below(42, i, 10);
		assert_true(k < 10);
		count[k]++;
	}
	double chi = 0;
	for (int k = 0; k < 10; k++)
		chi += pow(count[k] - N/10.0, 2)/(N/10.0);
	assert_true(chi < 27.9);
	assert_int_equal(random_below(1, 2, 1), 0);
}

// Every argument of a stream matters, and none can be traded for another.
static void test_streams_differ(void **state)
{
	(void)state;
	enum { SIDE = 6, ALL = SIDE*SIDE*SIDE*3 };
	uint64_t seen[ALL];
	int n = 0;
	for (uint64_t seed = 0; seed < SIDE; seed++)
		for (uint64_t a = 0; a < SIDE; a++)
			for (uint64_t b = 0; b < SIDE; b++)
				for (random_user user = RANDOM_ORDER; user <= RANDOM_POUR; user++)
					seen[n++] = random_stream(seed, user, a, b);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
	assert_true(random_stream(3, RANDOM_POUR, 4, 5) == random_stream(3, RANDOM_POUR, 4, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_values),
		cmocka_unit_test(test_unit),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_streams_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
