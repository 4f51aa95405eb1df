// SPDX-License-Identifier: MIT
// Observables of a log with their errors, and which plain sweeps give the same physics as the reference.
#include "cli.h"
#include "reproduce_scenes.h"
#include "unit.h"

#include <math.h>

enum { ROWS = 161, COLUMNS = 4 };

// Rows at 0, 0.1, ...: x = 3 + 2 t, a square wave of one row up, one down, and something to divide by.
static csv_table *log_make(double value[ROWS*COLUMNS], csv_table *t)
{
	static char time[] = "time", line[] = "line", wave[] = "wave", four[] = "four", *names[] = {time, line, wave, four, NULL};
	for (int i = 0; i < ROWS; i++) {
		double *row = value + (ptrdiff_t)i*COLUMNS;
		row[0] = 0.1*i;
		row[1] = 3 + 2*row[0];
		row[2] = i%2 ? 1 : -1;
		row[3] = 4;
	}
	*t = (csv_table){.columns = COLUMNS, .rows = ROWS, .name = names, .value = value};
	return t;
}

static measured seen(const quantity *o, double from, double to)
{
	static double value[ROWS*COLUMNS];
	csv_table t;
	return observe(log_make(value, &t), o, from, to);
}

// Rows at both ends of the window count: from 4 to 12 there are 81, whose mean lies in the middle. A straight line has an error, the
// scatter of its blocks, unless it is told that it is one.
static void test_mean(void **state)
{
	(void)state;
	measured line = seen(&(quantity){.term = {{1, "line"}}}, 4, 12);
	assert_near(line.mean, 19, 1e-12);
	assert_near(line.error, 2*sqrt(6.0/8), 1e-9); // means of blocks are 2 apart
	assert_near(seen(&(quantity){.term = {{1, "line"}}, .trend = true}, 4, 12).error, 0, 1e-12);
	assert_near(seen(&(quantity){.term = {{1, "line"}, {-2, "time"}}, .over = "four"}, 4, 12).mean, 0.75, 1e-12);
	assert_near(seen(&(quantity){.term = {{1, "line"}}, .from = 0, .to = 2}, 4, 12).mean, 5, 1e-12);
	assert_near(seen(&(quantity){.term = {{1, "line"}}, .kind = OBSERVE_LAST}, 4, 12).mean, 35, 1e-12);
	assert_near(seen(&(quantity){.term = {{-4, "four"}}, .angle = "four"}, 4, 12).mean, -180 + atan(4)*180/M_PI, 1e-9);
}

static void test_slope(void **state)
{
	(void)state;
	measured line = seen(&(quantity){.term = {{1, "line"}}, .kind = OBSERVE_SLOPE}, 4, 12);
	assert_near(line.mean, 2, 1e-12);
	assert_near(line.error, 0, 1e-12);
}

// What is not there, and too few rows, are no numbers.
static void test_nothing(void **state)
{
	(void)state;
	assert_true(isnan(seen(&(quantity){.term = {{1, "circle"}}}, 4, 12).mean));
	assert_true(isnan(seen(&(quantity){.term = {{1, "line"}}, .over = "circle"}, 4, 12).mean));
	assert_true(isnan(seen(&(quantity){.term = {{1, "line"}}}, 15.5, 16).mean));
}

// ---------------------------------------------------------------- solvers compared

static void setting_put(comparison *c, int setting, double value, double overlap, double seconds)
{
	c->used[setting] = true;
	for (int i = 0; i < c->seeds; i++)
		c->run[setting][i] = (outcome){.seen = {{value + i - 1, 0.1}}, .overlap = overlap, .seconds = seconds + i,
		                               .capped = 0.01*i, .load_error = i ? 0.5*i : NAN};
}

static comparison example(void)
{
	comparison c = {.quantities = 1, .seeds = 3};
	setting_put(&c, REFERENCE, 10, 1e-6, 40);
	setting_put(&c, AUTO, 10.5, 1e-5, 12);
	setting_put(&c, FIRST_PLAIN, 14, 1e-3, 4);
	setting_put(&c, FIRST_PLAIN + 1, 9, 2e-5, 6);
	setting_put(&c, FIRST_PLAIN + 2, 11, 1.4e-5, 8);
	setting_put(&c, FIRST_PLAIN + 3, 10, 1e-6, 20);
	return c;
}

// Seeds scatter by 1, which is more than blocks say: means of three have an error of 1/sqrt 3. The best time counts.
static void test_seeds(void **state)
{
	(void)state;
	comparison c = example();
	comparison_judge(&c);
	assert_near(c.all[AUTO].seen[0].mean, 10.5, 1e-12);
	assert_near(c.all[AUTO].seen[0].error, sqrt(1.0/3), 1e-12);
	assert_near(c.all[AUTO].seconds, 12, 0);
	assert_near(c.all[AUTO].capped, 0.01, 1e-12);
	assert_near(c.all[AUTO].load_error, 0.75, 1e-12);
	assert_near(c.deviation[AUTO][0], 0.5/sqrt(2.0/3), 1e-12);
	assert_near(comparison_worst(&c, FIRST_PLAIN), 4/sqrt(2.0/3), 1e-12);
}

// The fewest sweeps are wrong, the next ones right but soft, and those after them will do.
static void test_cheapest(void **state)
{
	(void)state;
	comparison c = example();
	comparison_judge(&c);
	assert_int_equal(c.cheapest, FIRST_PLAIN + 1);
	assert_int_equal(c.cheapest_rigid, FIRST_PLAIN + 2);
	assert_near(comparison_ratio(&c, c.cheapest), 2, 1e-12);
	assert_near(comparison_ratio(&c, c.cheapest_rigid), 1.5, 1e-12);
	c.run[FIRST_PLAIN + 2][0].overlap = NAN; // as from a log that is too short
	comparison_judge(&c);
	assert_int_equal(c.cheapest_rigid, FIRST_PLAIN + 3);
	for (int s = FIRST_PLAIN; s < SETTINGS; s++)
		c.run[s][0].seen[0].mean = NAN; // or without the column
	comparison_judge(&c);
	assert_int_equal(c.cheapest, -1);
	assert_near(comparison_ratio(&c, c.cheapest), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean),  cmocka_unit_test(test_slope),    cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_seeds), cmocka_unit_test(test_cheapest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
