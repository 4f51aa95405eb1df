// SPDX-License-Identifier: MIT
// The nearest valid name to a misspelt one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/nearest.h"

static const char *const names[] = {"friction", "restitution", "rolling", "x", "kinetic_energy", NULL};

static void test_slips_of_the_finger(void **state)
{
	(void)state;
	assert_string_equal(nearest_name("frictoin", names), "friction");  // two letters swapped
	assert_string_equal(nearest_name("fricton", names), "friction");   // one lost
	assert_string_equal(nearest_name("frictionn", names), "friction"); // one too many
	assert_string_equal(nearest_name("rollimg", names), "rolling");    // one wrong
	assert_string_equal(nearest_name("rolling", names), "rolling");
}

static void test_swapped_before_wrong(void **state)
{
	(void)state;
	static const char *const components[] = {"xx", "yy", "zz", "xy", "xz", "yz", NULL};
	assert_string_equal(nearest_name("yx", components), "xy");
	assert_string_equal(nearest_name("zy", components), "yz");
	assert_string_equal(nearest_name("xw", components), "xx"); // all the same: the first
}

static void test_nothing_near(void **state)
{
	(void)state;
	static const char *const none[] = {NULL};
	assert_null(nearest_name("temperature", names));
	assert_null(nearest_name("friction", none));
	nearest_name("", names); // whatever it says, it comes back
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slips_of_the_finger), cmocka_unit_test(test_swapped_before_wrong),
	                                   cmocka_unit_test(test_nothing_near)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
