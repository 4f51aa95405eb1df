// SPDX-License-Identifier: MIT
// Errors of means where they are known, and a distance of distributions that was counted by hand.
#include "unit.h"

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static double gauss(dice *d)
{
	double u = roll(d, 0, 1), v = roll(d, 0, 1);
	return sqrt(-2*log(1 - u))*cos(2*M_PI*v);
}

// x(i + 1) = a x(i) + noise, of variance 1: rho(t) = a^t, tau = 1/2 (1 + a)/(1 - a), from its steady state.
static void process(double *x, size_t count, double a, dice *d)
{
	x[0] = gauss(d);
	for (size_t i = 1; i < count; i++)
		x[i] = a*x[i - 1] + sqrt(1 - a*a)*gauss(d);
}

static double time_of(double a)
{
	return 0.5*(1 + a)/(1 - a);
}

// In the mean over many series, with rows of a log and with more of them than are looked at one by one.
static void error_is_right(size_t count, double a, int series, double within)
{
	double *x = malloc(count*sizeof *x), variance = 0, wanted = 2*time_of(a)/(double)count, tau = 0;
	dice d = dice_make(count);
	int sound = 0, inside = 0;
	for (int k = 0; k < series; k++) {
		process(x, count, a, &d);
		series_mean m = series_mean_of(x, count);
		if (m.state != MEAN_SOUND)
			continue;
		sound++;
		inside += fabs(m.mean) <= 2*m.error;
		variance += m.error*m.error;
		tau += m.time;
	}
	free(x);
	assert_true(sound >= 0.97*series);
	assert_near(sqrt(variance/sound/wanted), 1, within);
	assert_near(tau/sound/time_of(a), 1, 2*within);
	assert_true(inside >= 0.9*sound); // 95 % for errors that are known
}

static void test_error_of_mean(void **state)
{
	(void)state;
	error_is_right(1000, 0, 300, 0.05);
	error_is_right(1000, 0.5, 300, 0.1);
	error_is_right(1000, 0.8, 300, 0.2);
	error_is_right(20000, 0.9, 60, 0.1);
	error_is_right(20000, -0.5, 60, 0.1);
}

// One long series is enough to know its time to a fifth.
static void test_one_series(void **state)
{
	(void)state;
	enum { COUNT = 50000 };
	double *x = malloc(COUNT*sizeof *x);
	dice d = dice_make(7);
	process(x, COUNT, 0.95, &d);
	series_mean m = series_mean_of(x, COUNT);
	assert_int_equal(m.state, MEAN_SOUND);
	assert_near(m.time/time_of(0.95), 1, 0.2);
	assert_near(m.error/sqrt(2*time_of(0.95)/COUNT), 1, 0.2);
	free(x);
}

// What cannot be told is not told: a handful of numbers, a series as long as its memory, a ramp, noise on a slope.
static void test_too_little(void **state)
{
	(void)state;
	double x[1000];
	dice d = dice_make(3);
	process(x, 1000, 0, &d);
	assert_int_equal(series_mean_of(x, SERIES_LEAST - 1).state, MEAN_FEW);
	assert_true(isnan(series_mean_of(x, SERIES_LEAST - 1).error));
	int sound = 0;
	for (int k = 0; k < 100; k++) {
		process(x, 200, 0.99, &d);
		sound += series_mean_of(x, 200).state == MEAN_SOUND;
	}
	assert_true(sound < 10);
	for (int i = 0; i < 1000; i++)
		x[i] = i;
	assert_int_equal(series_mean_of(x, 1000).state, MEAN_FEW);
	process(x, 1000, 0, &d);
	for (int i = 0; i < 1000; i++)
		x[i] += 0.001*i;
	assert_int_equal(series_mean_of(x, 1000).state, MEAN_DRIFTING);
}

static void test_constants_and_gaps(void **state)
{
	(void)state;
	double same[] = {0.1, 0.1, NAN, 0.1}, none[] = {NAN};
	series_mean m = series_mean_of(same, 4);
	assert_int_equal(m.state, MEAN_GIVEN);
	assert_int_equal(m.count, 3);
	assert_true(m.mean == 0.1 && m.error == 0);
	assert_int_equal(series_mean_of(none, 1).state, MEAN_NONE);
	assert_int_equal(series_mean_of(none, 0).state, MEAN_NONE);
}

// 1 2 3 4 and 2.5 3.5 4.5: below 2.5 lie two of the four and none of the three, and nowhere else is it more.
static void test_distance_by_hand(void **state)
{
	(void)state;
	double a[] = {1, 2, 3, 4}, b[] = {2.5, 3.5, 4.5}, c[] = {2, 2, 2, 5};
	assert_near(ks_distance(a, 4, b, 3), 0.5, 1e-15);
	assert_near(ks_distance(b, 3, a, 4), 0.5, 1e-15);
	assert_near(ks_distance(a, 4, a, 4), 0, 0);
	assert_near(ks_distance(a, 4, c, 4), 0.25, 1e-15); // equal numbers count together: at 1 it is 1/4, at 2 1/4, at 4 1/4
	assert_near(ks_distance((double[]){2, 2}, 2, (double[]){2}, 1), 0, 0);
	assert_near(ks_distance(a, 1, b, 3), 1, 0);
	assert_true(isnan(ks_distance(a, 0, b, 3)));
	assert_near(ks_limit(100, 100), 0.19205, 1e-4);
	assert_near(ks_limit(50, 200), 0.21472, 1e-4);
}

// The limit is exceeded as often as it should be.
static void test_limit(void **state)
{
	(void)state;
	enum { SERIES = 2000, A = 150, B = 100 };
	dice d = dice_make(5);
	int beyond = 0;
	for (int k = 0; k < SERIES; k++) {
		double a[A], b[B];
		for (int i = 0; i < A; i++)
			a[i] = roll(&d, 0, 1);
		for (int i = 0; i < B; i++)
			b[i] = roll(&d, 0, 1);
		numbers_sort(a, A);
		numbers_sort(b, B);
		beyond += ks_distance(a, A, b, B) > ks_limit(A, B);
	}
	assert_near((double)beyond/SERIES, 0.045, 0.015);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_of_mean), cmocka_unit_test(test_one_series), cmocka_unit_test(test_too_little),
		cmocka_unit_test(test_constants_and_gaps), cmocka_unit_test(test_distance_by_hand), cmocka_unit_test(test_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
