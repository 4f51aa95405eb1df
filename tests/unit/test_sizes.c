// SPDX-License-Identifier: MIT
// Distributions of radii: moments, limits, sieve curves.
#include "unit.h"

#include "arrive/sizes.h"

enum { N = 100000 };

typedef struct sample {
	double mean, deviation, least, most;
} sample;

static sample draw(const talus_sizes *s, bool logarithm)
{
	uint64_t counter = 0, stream = random_stream(5, RANDOM_FILL, 0, 0);
	sample m = {0, 0, INFINITY, -INFINITY};
	double square = 0;
	for (int i = 0; i < N; i++) {
		double r = sizes_draw(s, 3, stream, &counter), x = logarithm ? log(r) : r;
		m.mean += x/N;
		square += x*x/N;
		m.least = fmin(m.least, r);
		m.most = fmax(m.most, r);
	}
	m.deviation = sqrt(square - m.mean*m.mean);
	return m;
}

static void test_constant(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_CONSTANT, .a = 0.7};
	sample m = draw(&s, false);
	assert_near(m.least, 0.7, 0);
	assert_near(m.most, 0.7, 0);
	assert_near(sizes_most(&s), 0.7, 0);
}

static void test_uniform(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.4};
	sample m = draw(&s, false);
	assert_near(m.mean, 1.1, 0.6*0.004);
	assert_near(m.deviation, 0.6/sqrt(12), 0.002);
	assert_true(m.least >= 0.8 && m.least < 0.8001 && m.most <= 1.4 && m.most > 1.3999);
	assert_near(sizes_most(&s), 1.4, 0);
}

static void test_normal(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_NORMAL, .a = 2, .b = 0.2, .least = 0.1, .most = 4};
	sample m = draw(&s, false);
	assert_near(m.mean, 2, 4*0.2/sqrt(N));
	assert_near(m.deviation, 0.2, 4*0.2/sqrt(2*N));
	assert_near(sizes_most(&s), 4, 0);
}

// The median is a, so the mean of the logarithm is log a.
static void test_lognormal(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_LOGNORMAL, .a = 1.5, .b = 0.3, .least = 0.01, .most = 100};
	sample m = draw(&s, true);
	assert_near(m.mean, log(1.5), 4*0.3/sqrt(N));
	assert_near(m.deviation, 0.3, 4*0.3/sqrt(2*N));
	assert_near(sizes_most(&s), 100, 0);
}

// A cut normal: mean a + b (phi(l) - phi(m))/(Phi(m) - Phi(l)), with l and m the limits in units of b.
static void test_cut(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_NORMAL, .a = 1, .b = 0.5, .least = 0.75, .most = 2};
	sample m = draw(&s, false);
	double l = -0.5, h = 2, mass = 0.5*(erf(h/sqrt(2)) - erf(l/sqrt(2)));
	double mean = 1 + 0.5*(exp(-l*l/2) - exp(-h*h/2))/sqrt(2*M_PI)/mass;
	assert_near(m.mean, mean, 0.005);
	assert_true(m.least >= 0.75 && m.most <= 2 && m.least < 0.751 && m.most > 1.98);
	s.kind = TALUS_SIZE_LOGNORMAL;
	m = draw(&s, false);
	assert_true(m.least >= 0.75 && m.most <= 2);
}

// The curve that was asked for, read off the masses of the grains drawn, also between its points.
static void test_sieve(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_SIEVE, .points = 4, .opening = {0.5, 1, 2, 3},
		.passing = {0, 0.3, 0.3, 1}};
	double at[] = {0.6, 0.8, 1, 1.7, 2, 2.25, 2.5, 2.9, 3}, curve[] =
		{0.06, 0.18, 0.3, 0.3, 0.3, 0.475, 0.65, 0.93, 1};
	for (int dimension = 2; dimension <= 3; dimension++) {
		uint64_t counter = 0, stream = random_stream(6, RANDOM_FILL, 0, 0);
		double passed[9] = {0}, all = 0;
		for (int i = 0; i < 2*N; i++) {
			double d = 2*sizes_draw(&s, dimension, stream, &counter), mass = pow(d, dimension);
			assert_true(d >= 0.5 && d <= 3);
			assert_true(d <= 1 || d >= 2);
			all += mass;
			for (int k = 0; k < 9; k++)
				passed[k] += d <= at[k] ? mass : 0;
		}
		for (int k = 0; k < 9; k++)
			assert_near(passed[k]/all, curve[k], 0.012);
	}
	assert_near(sizes_most(&s), 1.5, 0);
}

// A draw depends on the stream and the counter only, and moves the counter on.
static void test_counter(void **state)
{
	(void)state;
	talus_sizes s = {.kind = TALUS_SIZE_NORMAL, .a = 1, .b = 0.5, .least = 0.9, .most = 1.5};
	uint64_t one = 0, two = 0;
	for (int i = 0; i < 100; i++) {
		uint64_t before = one;
		double r = sizes_draw(&s, 3, 9, &one);
		assert_true(one > before);
		assert_near(sizes_draw(&s, 3, 9, &two), r, 0);
		assert_true(one == two);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_lognormal),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_sieve),
		cmocka_unit_test(test_counter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
