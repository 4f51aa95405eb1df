// SPDX-License-Identifier: MIT
// What experiments say about a number: right, known not to be met, or wrong.
#include "cli.h"
#include "reproduce.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static verdict last_verdict(const reproduction *r)
{
	return finding_verdict(&r->finding[r->findings - 1]);
}

// A number without limits is only reported; with limits it is right within them, ends included, and wrong outside. So is none at all.
static void test_limits(void **state)
{
	(void)state;
	reproduction r = {0};
	found(&r, 1e9, "anything");
	assert_int_equal(last_verdict(&r), REPORTED);
	static const double values[] = {0.9, 1, 1.1, 0.89, 1.11, NAN};
	static const verdict wanted[] = {RIGHT, RIGHT, RIGHT, WRONG, WRONG, WRONG};
	for (int i = 0; i < 6; i++) {
		found_between(&r, values[i], 0.9, 1.1, "number %d", i);
		assert_int_equal(last_verdict(&r), wanted[i]);
	}
	found_between(&r, 3, 2, INFINITY, "above");
	assert_int_equal(last_verdict(&r), RIGHT);
	assert_string_equal(r.finding[1].what, "number 0");
}

// What is known not to be met is so while it is as far off as it always was. Met after all it is right, and elsewhere it is wrong: then
// something has changed.
static void test_unmet(void **state)
{
	(void)state;
	reproduction r = {0};
	static const double values[] = {0.7, 0.6, 1.2, 2, 0.5, 2.1, NAN};
	static const verdict wanted[] = {RIGHT, RIGHT, NOT_MET, NOT_MET, WRONG, WRONG, WRONG};
	for (int i = 0; i < 7; i++) {
		found_unmet(&r, values[i], 0.6, 0.85, 0.85, 2, "time");
		assert_int_equal(last_verdict(&r), wanted[i]);
	}
}

// The report has the words, what limits are, and where they come from.
static void test_report(void **state)
{
	(void)state;
	static const experiment e = {"name", "meaning", NULL, "from a paper"};
	const experiment *list[] = {&e};
	reproduction r = {0};
	talus_error error;
	char text[2000] = "";
	found_within(&r, 1, 1, 0.5, "a");
	found_unmet(&r, 1.2, 0.6, 0.85, 0.85, 2, "b");
	found_between(&r, 7, 0, 1, "c");
	found(&r, 4, "d");
	assert_true(report_write(".", list, &r, 1, &error));
	FILE *file = fopen("report.md", "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof text - 1, file) > 0);
	fclose(file);
	assert_non_null(strstr(text, "## name\n\nmeaning.\n\nLimits: from a paper.\n"));
	assert_non_null(strstr(text, "| a | 1 | 0.5 to 1.5 | ok |\n| b | 1.2 | 0.6 to 0.85 | not met |\n"
		"| c | 7 | 0 to 1 | WRONG |\n| d | 4 | reported |  |\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_unmet),
		cmocka_unit_test(test_report),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
