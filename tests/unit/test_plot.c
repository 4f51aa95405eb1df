// SPDX-License-Identifier: MIT
// Tables from CSV files, ticks of axes, and curves judged by their pixels.
#include "csv_columns.h"
#include "draw_axes.h"
#include "draw_plot.h"
#include "draw_surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static csv_table *table_of(const char *text)
{
	FILE *file = fopen("table.csv", "wb");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	talus_error error;
	csv_table *t = csv_read("table.csv", &error);
	remove("table.csv");
	return t;
}

// ---------------------------------------------------------------- tables

static void a_table_is_read_by_name(void **state)
{
	(void)state;
	csv_table *t = table_of("step,time,wall.floor.fz\n0,0.5,-3e2\r\n1,1.5,7\n");
	assert_int_equal(t->columns, 3);
	assert_int_equal(t->rows, 2);
	assert_int_equal(csv_find(t, "wall.floor.fz"), 2);
	assert_int_equal(csv_find(t, "wall.floor"), -1);
	assert_true(csv_at(t, 0, 2) == -300);
	assert_true(csv_at(t, 1, 1) == 1.5);
	assert_null(t->name[3]);
	csv_free(t);
}

// Empty fields, nan, inf, words and rows that are too short are gaps; a last row without its end is not read.
static void what_is_no_number_is_a_gap(void **state)
{
	(void)state;
	csv_table *t = table_of("a,b,c\n1,,nan\n2,inf,x3\n3\n\n4,5,6\n7,8");
	assert_int_equal(t->rows, 4);
	assert_true(isnan(csv_at(t, 0, 1)) && isnan(csv_at(t, 0, 2)));
	assert_true(isnan(csv_at(t, 1, 1)) && isnan(csv_at(t, 1, 2)));
	assert_true(csv_at(t, 2, 0) == 3 && isnan(csv_at(t, 2, 1)) && isnan(csv_at(t, 2, 2)));
	assert_true(csv_at(t, 3, 2) == 6);
	csv_free(t);
}

static void a_long_table_is_read_whole(void **state)
{
	(void)state;
	FILE *file = fopen("long.csv", "wb");
	fputs("i,square\n", file);
	for (int i = 0; i < 30000; i++)
		fprintf(file, "%d,%d\n", i, i*i);
	fclose(file);
	talus_error error;
	csv_table *t = csv_read("long.csv", &error);
	remove("long.csv");
	assert_int_equal(t->rows, 30000);
	for (size_t i = 0; i < t->rows; i++)
		assert_true(csv_at(t, i, 1) == (double)(i*i));
	csv_free(t);
}

static void missing_and_empty_files_are_refused(void **state)
{
	(void)state;
	talus_error error;
	assert_null(csv_read("no/such/log.csv", &error));
	assert_non_null(strstr(error.text, "no/such/log.csv"));
	assert_null(table_of(""));
	assert_null(table_of("time,step"));
}

// ---------------------------------------------------------------- axes

static void steps_are_round(void **state)
{
	(void)state;
	assert_true(nice_step(10, 5) == 2);
	assert_true(nice_step(10, 10) == 1);
	assert_true(nice_step(1.2, 5) == 0.5);
	assert_true(fabs(nice_step(3e-5, 6)/5e-6 - 1) < 1e-12);
	for (double range = 1e-3; range < 1e3; range *= 1.37)
		for (int most = 1; most < 12; most++) {
			double step = nice_step(range, most);
			assert_true(range/step <= most*(1 + 1e-6));
			assert_true(range/step > most/2.5*(1 - 1e-6) - 1e-9);
		}
}

static void labels_are_short(void **state)
{
	(void)state;
	char text[NUMBER_MOST];
	axis a = axis_make(0, 1.4, false, 7, false);
	axis_label(&a, 1, text);
	assert_string_equal(text, "0.2");
	a = axis_make(-3e-6, 2e-6, false, 5, true);
	assert_int_equal(a.exponent, -6);
	axis_label(&a, 0, text);
	assert_string_equal(text, "−3");
	a = axis_make(2e-5, 300, true, 10, true);
	assert_true(fabs(a.low/1e-5 - 1) < 1e-9 && fabs(a.high/1000 - 1) < 1e-9);
	axis_label(&a, 0, text);
	assert_string_equal(text, "10⁻⁵");
	number_label(0.00012, text);
	assert_string_equal(text, "1.2 × 10⁻⁴");
	number_label(1e6, text);
	assert_string_equal(text, "10⁶");
	number_label(-12.5, text);
	assert_string_equal(text, "−12.5");
}

static void a_constant_has_an_axis_too(void **state)
{
	(void)state;
	double value[] = {0, 5, -2e-9};
	for (int i = 0; i < 3; i++) {
		axis a = axis_make(value[i], value[i], false, 6, true);
		assert_true(a.low < value[i] && a.high > value[i] && a.ticks >= 2);
	}
	axis a = axis_make(5, 5, true, 6, true);
	assert_true(a.low < 5 && a.high > 5 && a.ticks >= 2);
}

// ---------------------------------------------------------------- pictures

typedef struct curve {
	int width, height;
	int *top; // for each column of pixels the highest one of the first curve's colour; -1: none
} curve;

static bool is_blue(const unsigned char *pixel)
{
	return pixel[0] - pixel[2] > 60; // blue minus red; text and axes are grey
}

static curve curve_of(const csv_table *t, plot_options o)
{
	talus_error error;
	if (!draw_plot(t, &o, "plot.png", &error))
		fail_msg("%s", error.text);
	cairo_surface_t *s = cairo_image_surface_create_from_png("plot.png");
	remove("plot.png");
	assert_int_equal(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
	curve c = {cairo_image_surface_get_width(s), cairo_image_surface_get_height(s), NULL};
	c.top = malloc((size_t)c.width*sizeof *c.top);
	for (int x = 0; x < c.width; x++) {
		c.top[x] = -1;
		for (int y = c.height - 1; y >= 0; y--)
			if (is_blue(cairo_image_surface_get_data(s) + y*cairo_image_surface_get_stride(s) + 4*x))
				c.top[x] = y;
	}
	cairo_surface_destroy(s);
	return c;
}

static plot_options options_of(int x, int y)
{
	plot_options o = plot_options_default();
	o.x = x;
	o.y[0] = y;
	o.count = 1;
	return o;
}

// A straight line from corner to corner stays straight, has the right ends, and the picture has its size.
static void a_straight_line_is_straight(void **state)
{
	(void)state;
	csv_table *t = table_of("time,v\n0,0\n1,1\n2,2\n3,3\n10,10\n");
	plot_options o = options_of(0, 1);
	o.width = 900;
	o.height = 500;
	curve c = curve_of(t, o);
	assert_int_equal(c.width, 900);
	assert_int_equal(c.height, 500);
	int first = 0, last = c.width - 1;
	while (c.top[first] < 0)
		first++;
	while (c.top[last] < 0)
		last--;
	assert_true(last - first > 700);
	assert_true(c.top[first] - c.top[last] > 350);
	for (int x = first; x <= last; x++) {
		double share = (double)(x - first)/(last - first);
		assert_true(fabs(c.top[x] - (c.top[first] + share*(c.top[last] - c.top[first]))) < 4);
	}
	free(c.top);
	csv_free(t);
}

// Where numbers are missing there is no line; between two gaps there is a dot.
static void a_gap_is_not_bridged(void **state)
{
	(void)state;
	csv_table *t = table_of("time,v\n0,1\n1,2\n2,nan\n4,1\n5,\n9,2\n10,1\n");
	curve c = curve_of(t, options_of(0, 1));
	int first = 0, last = c.width - 1;
	while (c.top[first] < 0)
		first++;
	while (c.top[last] < 0)
		last--;
	double scale = (last - first)/10.0;
	assert_true(c.top[first + (int)(0.5*scale)] > 0);
	assert_true(c.top[first + (int)(2*scale)] < 0);
	assert_true(c.top[first + (int)lrint(4*scale)] > 0);
	assert_true(c.top[first + (int)(5*scale)] < 0);
	assert_true(c.top[first + (int)(9.5*scale)] > 0);
	free(c.top);
	csv_free(t);
}

// On a logarithmic axis a power law from 1e-6 to 1 has its middle value, 1e-3, at half the height.
static void a_logarithmic_axis_is_logarithmic(void **state)
{
	(void)state;
	csv_table *t = table_of("time,v\n0,1e-6\n1,1e-3\n2,1\n3,0\n");
	plot_options o = options_of(0, 1);
	o.log_y = true;
	assert_int_equal(plot_left_out(t, &o), 1);
	curve c = curve_of(t, o);
	int first = 0, last = c.width - 1;
	while (c.top[first] < 0)
		first++;
	while (c.top[last] < 0)
		last--;
	assert_true(abs(c.top[(first + last)/2] - (c.top[first] + c.top[last])/2) < 4);
	assert_true(last < 0.75*c.width); // the 0 at the end cannot be shown
	free(c.top);
	csv_free(t);
}

static void what_cannot_be_drawn_is_said(void **state)
{
	(void)state;
	talus_error error;
	csv_table *t = table_of("time,minus,none\n0,-1,nan\n1,-2,\n");
	plot_options o = options_of(0, 1);
	o.log_y = true;
	assert_false(draw_plot(t, &o, "plot.png", &error));
	assert_non_null(strstr(error.text, "minus"));
	o = options_of(0, 2);
	assert_false(draw_plot(t, &o, "plot.png", &error));
	assert_non_null(strstr(error.text, "none"));
	o = options_of(0, 1);
	assert_false(draw_plot(t, &o, "plot.gif", &error));
	assert_int_not_equal(access("plot.png", F_OK), 0);
	csv_free(t);
	t = table_of("time,v\n0,1\n1,0\n2,-1\n3,nan\n"); // each has numbers above 0, but no row has two
	o.log_x = true;
	assert_true(plot_possible(t, &o, &error));
	assert_int_equal(plot_left_out(t, &o), 1); // the first
	o.log_y = true;
	assert_int_equal(plot_left_out(t, &o), 3);
	assert_false(draw_plot(t, &o, "plot.png", &error));
	assert_non_null(strstr(error.text, "column v has no value that can be shown against time"));
	o.log_x = o.log_y = false;
	assert_int_equal(plot_left_out(t, &o), 0);
	csv_free(t);
	t = table_of("time,v\n");
	assert_false(draw_plot(t, &o, "plot.png", &error));
	assert_non_null(strstr(error.text, "no rows"));
	csv_free(t);
}

// Many columns, one row, tiny pages: nothing falls over.
static void odd_plots_are_drawn(void **state)
{
	(void)state;
	csv_table *t = table_of("time,some_rather_long_name.of.a.column,b\n0,3,4\n");
	plot_options o = options_of(0, 1);
	for (o.count = 0; o.count < PLOT_COLUMNS_MOST; o.count++)
		o.y[o.count] = 1 + o.count%2;
	talus_error error;
	static const int size[] = {100, 300, 1200};
	for (int i = 0; i < 3; i++) {
		o.width = size[i];
		o.height = size[i];
		assert_true(draw_plot(t, &o, "odd.svg", &error));
		assert_true(draw_plot(t, &o, "odd.png", &error));
	}
	remove("odd.svg");
	remove("odd.png");
	csv_free(t);
}

// Two that draw into the same picture at once do not meet on the way; the one that is done last has it.
static void two_at_once_do_not_meet(void **state)
{
	(void)state;
	talus_error error;
	draw_surface first, second;
	assert_true(draw_surface_open(&first, "both.png", 40, 30, &error));
	assert_true(draw_surface_open(&second, "both.png", 50, 30, &error));
	assert_string_not_equal(first.part, second.part);
	assert_true(draw_surface_close(&first, true, &error));
	assert_true(draw_surface_close(&second, true, &error));
	assert_int_equal(access("both.png", R_OK), 0);
	assert_int_not_equal(access(first.part, F_OK), 0);
	assert_int_not_equal(access(second.part, F_OK), 0);
	unlink("both.png");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_read_by_name),
		cmocka_unit_test(what_is_no_number_is_a_gap),
		cmocka_unit_test(a_long_table_is_read_whole),
		cmocka_unit_test(missing_and_empty_files_are_refused),
		cmocka_unit_test(steps_are_round),
		cmocka_unit_test(labels_are_short),
		cmocka_unit_test(a_constant_has_an_axis_too),
		cmocka_unit_test(a_straight_line_is_straight),
		cmocka_unit_test(a_gap_is_not_bridged),
		cmocka_unit_test(a_logarithmic_axis_is_logarithmic),
		cmocka_unit_test(what_cannot_be_drawn_is_said),
		cmocka_unit_test(odd_plots_are_drawn),
		cmocka_unit_test(two_at_once_do_not_meet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
