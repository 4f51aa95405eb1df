// SPDX-License-Identifier: MIT
// Sentences about what went wrong.
#include "unit.h"

#include "base/error.h"

static void test_set(void **state)
{
	(void)state;
	talus_error error;
	memset(&error, 'x', sizeof error);
	assert_false(error_set(&error, "only %d of %s fit", 3, "them"));
	assert_string_equal(error.text, "only 3 of them fit");
	assert_string_equal(error.file, "");
	assert_int_equal(error.line, 0);
	assert_int_equal(error.column, 0);
}

static void test_at(void **state)
{
	(void)state;
	talus_error error;
	assert_false(error_at(&error, "heap.yaml", 12, 5, "`%s` is not known", "frction"));
	assert_string_equal(error.text, "`frction` is not known");
	assert_string_equal(error.file, "heap.yaml");
	assert_int_equal(error.line, 12);
	assert_int_equal(error.column, 5);
}

static void test_too_long_is_cut(void **state)
{
	(void)state;
	talus_error error;
	char text[3000], file[2*TALUS_PATH_MAX];
	memset(text, 'a', sizeof text - 1);
	memset(file, 'b', sizeof file - 1);
	text[sizeof text - 1] = file[sizeof file - 1] = 0;
	assert_false(error_at(&error, file, 1, 1, "%s", text));
	assert_int_equal(strlen(error.text), sizeof error.text - 1);
	assert_int_equal(strlen(error.file), sizeof error.file - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_at),
		cmocka_unit_test(test_too_long_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
