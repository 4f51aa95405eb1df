// SPDX-License-Identifier: MIT
// How much of a test is wanted: all of it that a newcomer waits for; less, where sanitizers make everything slow; or more.
#ifndef TALUS_TESTS_FORM_H
#define TALUS_TESTS_FORM_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool form_wished(const char *name)
{
	const char *wish = getenv(name);
	return wish && wish[0] == '1';
}

static inline bool quick(void)
{
	return form_wished("TALUS_TEST_QUICK");
}

// A test that asks this gets the label `long` and runs once more in `make check-all`.
static inline bool long_form(void)
{
	return form_wished("TALUS_TEST_LONG");
}

#endif
