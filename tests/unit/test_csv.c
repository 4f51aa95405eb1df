// SPDX-License-Identifier: MIT
// Grains from CSV files: columns in any order, and a sentence with its place for everything that is doubtful.
#include "base/memory.h"
#include "io/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "talus_test_grains.csv"

typedef struct result {
	bool ok;
	talus_grain_def *grain;
	size_t count;
	talus_error error;
} result;

static result read_bytes(const char *text, size_t length, int dimension)
{
	result r = {0};
	FILE *file = fopen(FILE_NAME, "wb");
	assert_non_null(file);
	fwrite(text, 1, length, file);
	fclose(file);
	r.ok = csv_read_grains(FILE_NAME, dimension, &r.grain, &r.count, &r.error);
	remove(FILE_NAME);
	return r;
}

static void check_wrong(const char *text, int dimension, const char *wanted)
{
	char got[8192];
	result r = read_bytes(text, strlen(text), dimension);
	assert_false(r.ok);
	assert_null(r.grain);
	assert_int_equal(r.count, 0);
	snprintf(got, sizeof got, "%s:%d:%d: %s", r.error.file, r.error.line, r.error.column, r.error.text);
	assert_string_equal(got, wanted);
}

static void columns_come_in_any_order(void **state)
{
	(void)state;
	static const char text[] = "radius, wz,x ,y,vz,z,wy,wx,vy,vx\r\n"
		"1.5,10,1,2,6,3,9,8,5,4\r\n\n"
		" 2 ,0,-1e-3,+.5,0,0,0,0,0,0\n\n";
	result r = read_bytes(text, strlen(text), 3);
	assert_true(r.ok);
	assert_int_equal(r.count, 2);
	const talus_grain_def *g = r.grain;
	assert_true(g->radius == 1.5 && g->at.x == 1 && g->at.y == 2 && g->at.z == 3);
	assert_true(g->velocity.x == 4 && g->velocity.y == 5 && g->velocity.z == 6);
	assert_true(g->spin.x == 8 && g->spin.y == 9 && g->spin.z == 10);
	assert_true(g->free == TALUS_FREE_ALL && g->material == 0 && g->force.x == 0);
	assert_true(g[1].radius == 2 && g[1].at.x == -1e-3 && g[1].at.y == 0.5);
	memory_free(r.grain);
}

static void the_last_line_break_may_be_missing(void **state)
{
	(void)state;
	static const char text[] = "\xef\xbb\xbfx,y,z,radius\n1,2,3,4";
	result r = read_bytes(text, strlen(text), 3);
	assert_true(r.ok && r.count == 1 && r.grain[0].radius == 4 && r.grain[0].velocity.x == 0);
	memory_free(r.grain);
}

static void two_dimensions_do_without_z(void **state)
{
	(void)state;
	static const char text[] = "x,y,radius,vx,vy,wz\n1,2,3,4,5,6\n",
		flat[] = "x,y,z,radius,vz,wx\n1,2,0,3,0,-0.0\n";
	result r = read_bytes(text, strlen(text), 2);
	assert_true(r.ok && r.count == 1 && r.grain[0].at.z == 0 && r.grain[0].velocity.y == 5 &&
		r.grain[0].spin.z == 6);
	memory_free(r.grain);
	r = read_bytes(flat, strlen(flat), 2);
	assert_true(r.ok && r.count == 1);
	memory_free(r.grain);
}

static void many_grains_fit(void **state)
{
	(void)state;
	enum { MANY = 5000 };
	char *text = malloc(MANY*32), *at = text;
	assert_non_null(text);
	at += sprintf(at, "x,y,z,radius\n");
	for (int i = 0; i < MANY; i++)
		at += sprintf(at, "%d,%d,0,0.5\n", i, -i);
	result r = read_bytes(text, (size_t)(at - text), 3);
	assert_true(r.ok);
	assert_int_equal(r.count, MANY);
	for (int i = 0; i < MANY; i++)
		assert_true(r.grain[i].at.x == i && r.grain[i].at.y == -i && r.grain[i].radius == 0.5);
	memory_free(r.grain);
	free(text);
}

static void wrong_headers_are_refused(void **state)
{
	(void)state;
	check_wrong("", 3, FILE_NAME ":1:1: the file is empty");
	check_wrong("\n\n", 3, FILE_NAME ":2:1: the file is empty");
	check_wrong("x,y,z,radius\n", 3, FILE_NAME ":1:1: there are no grains below the first row");
	check_wrong("x,y,z,raduis\n", 3, FILE_NAME ":1:7: unknown column `raduis`; did you mean `radius`?");
	check_wrong("x,y,z,radius,material\n", 3, FILE_NAME
		":1:14: unknown column `material`; the first row must name columns among "
		"x,y,z,radius,vx,vy,vz,wx,wy,wz");
	check_wrong("1,2,3,4\n", 3, FILE_NAME
		":1:1: unknown column `1`; the first row must name columns among "
		"x,y,z,radius,vx,vy,vz,wx,wy,wz");
	check_wrong("x,y,z,x,radius\n", 3, FILE_NAME ":1:7: the column `x` stands twice");
	check_wrong("x,y,radius\n1,2,3\n", 3, FILE_NAME ":1:1: the column `z` is missing");
	check_wrong("x,y,z\n1,2,3\n", 3, FILE_NAME ":1:1: the column `radius` is missing");
	check_wrong("x,radius\n1,2\n", 2, FILE_NAME ":1:1: the column `y` is missing");
}

static void wrong_rows_are_refused(void **state)
{
	(void)state;
	check_wrong("x,y,z,radius\n1,2,3,4\n1,2,nan,4\n", 3,
		FILE_NAME ":3:5: `z` must be a finite number, but is nan");
	check_wrong("x,y,z,radius\n1,-inf,3,4\n", 3,
		FILE_NAME ":2:3: `y` must be a finite number, but is -inf");
	check_wrong("x,y,z,radius\n1e999,2,3,4\n", 3,
		FILE_NAME ":2:1: `x` must be a finite number, but is 1e999");
	check_wrong("x,y,z,radius\n1,2,3,0\n", 3,
		FILE_NAME ":2:7: `radius` must be greater than 0, but is 0");
	check_wrong("x,y,z,radius\n1,2,3,-4\n", 3,
		FILE_NAME ":2:7: `radius` must be greater than 0, but is -4");
	check_wrong("x,y,z,radius\n1,2,3\n", 3,
		FILE_NAME ":2:5: the row has 3 cells, but the first row has 4");
	check_wrong("x,y,z,radius\n1,2,3,4,5\n", 3,
		FILE_NAME ":2:9: the row has more cells than the 4 of the first row");
	check_wrong("x,y,z,radius\n1,2,3,4,\n", 3,
		FILE_NAME ":2:9: the row has more cells than the 4 of the first row");
	check_wrong("x,y,z,radius\n1, 2 m,3,4\n", 3, FILE_NAME ":2:4: `y` must be a number, but is `2 m`");
	check_wrong("x,y,z,radius\n1,,3,4\n", 3, FILE_NAME ":2:3: `y` must be a number, but is ``");
	check_wrong("x,y,z,radius\n1,0x10,3,4\n", 3, FILE_NAME ":2:3: `y` must be a number, but is `0x10`");
	check_wrong("x,y,z,radius\n1;2;3;4\n", 3, FILE_NAME ":2:1: `x` must be a number, but is `1;2;3;4`");
}

static void depth_is_refused_in_2d(void **state)
{
	(void)state;
	check_wrong("x,y,z,radius\n1,2,3,4\n", 2, FILE_NAME ":2:5: `z` must be 0 in 2D, but is 3");
	check_wrong("x,y,radius,vz\n1,2,3,4\n", 2, FILE_NAME ":2:7: `vz` must be 0 in 2D, but is 4");
	check_wrong("x,y,radius,wx\n1,2,3,4\n", 2, FILE_NAME ":2:7: `wx` must be 0 in 2D, but is 4");
	check_wrong("x,y,radius,wy\n1,2,3,4\n", 2, FILE_NAME ":2:7: `wy` must be 0 in 2D, but is 4");
}

static void files_that_are_none_are_refused(void **state)
{
	(void)state;
	talus_grain_def *grain;
	size_t count;
	talus_error error;
	assert_false(csv_read_grains("no/such.csv", 3, &grain, &count, &error));
	assert_string_equal(error.file, "no/such.csv");
	assert_string_equal(error.text, "the file cannot be opened: No such file or directory");
	assert_false(csv_read_grains(".", 3, &grain, &count, &error));
	assert_string_equal(error.text, "the file cannot be opened: it is not a file");
	result r = read_bytes("x,y,z,radius\n1,\0", 16, 3);
	assert_false(r.ok);
	assert_string_equal(r.error.text, "the character NUL has no place in a CSV file");
	assert_true(r.error.line == 2 && r.error.column == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_come_in_any_order),
		cmocka_unit_test(the_last_line_break_may_be_missing),
		cmocka_unit_test(two_dimensions_do_without_z),
		cmocka_unit_test(many_grains_fit),
		cmocka_unit_test(wrong_headers_are_refused),
		cmocka_unit_test(wrong_rows_are_refused),
		cmocka_unit_test(depth_is_refused_in_2d),
		cmocka_unit_test(files_that_are_none_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
