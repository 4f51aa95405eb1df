// SPDX-License-Identifier: MIT
// How the program ends when an assert fails, when it crashes, and when there is no memory.
#include "unit.h"

#include "base/memory.h"
#include "cli.h"
#include "crash.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void by_assert(void)
{
	int apples = 2;
	assert(apples == 3);
}

static void by_memory(void)
{
	memory_free(memory_grow(NULL, 0, SIZE_MAX/4));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Deeper than any stack; what is added behind the call keeps it from being a loop.
static int depth(volatile char *above, int n)
{
	volatile char here[4096];
	here[0] = (char)(above[0] + 1);
	return n < 0 ? 0 : depth(here, n + 1) + here[0];
}

static void by_stack(void)
{
	volatile char first[1] = {0};
	_exit(depth(first, 0) == 1 ? EXIT_DONE : EXIT_FAILED);
}
#endif

// Runs it in a process of its own: returns the exit code, -1 if it was killed; `said` is what came on stderr.
static int end_of(void (*bug)(void), char *said, size_t size)
{
	int ends[2], status;
	assert_int_equal(pipe(ends), 0);
	pid_t id = fork();
	if (id == 0) {
		dup2(ends[1], STDERR_FILENO);
		crash_listen();
		bug();
		_exit(EXIT_DONE);
	}
	close(ends[1]);
	size_t length = 0;
	for (ssize_t got; length + 1 < size && (got = read(ends[0], said + length, size - 1 - length)) > 0;)
		length += (size_t)got;
	said[length] = 0;
	close(ends[0]);
	assert_int_equal(waitpid(id, &status, 0), id);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_an_assert(void **state)
{
	(void)state;
	char said[2000];
	assert_int_equal(end_of(by_assert, said, sizeof said), EXIT_BUG);
	assert_non_null(strstr(said, "test_crash.c:"));
	assert_non_null(strstr(said, "apples == 3"));
	assert_non_null(strstr(said, "\ntalus: this is a bug of talus " TALUS_VERSION "; please report it"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void test_a_stack_that_overflows(void **state)
{
	(void)state;
	char said[2000];
	assert_int_equal(end_of(by_stack, said, sizeof said), EXIT_BUG);
	assert_non_null(strstr(said, "SIGSEGV"));
	assert_non_null(strstr(said, "this is a bug"));
}
#endif

static void test_no_memory(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); // it ends the process by itself
#endif
	char said[2000];
	assert_int_equal(end_of(by_memory, said, sizeof said), EXIT_FAILED);
	assert_non_null(strstr(said, "talus: out of memory: "));
	assert_null(strstr(said, "bug"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_assert),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
		cmocka_unit_test(test_a_stack_that_overflows),
#endif
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
