// SPDX-License-Identifier: MIT
// Memory that only grows.
#include "unit.h"

#include "base/memory.h"

static void test_blocks_are_aligned_and_keep_their_content(void **state)
{
	(void)state;
	unsigned char *block = NULL;
	size_t old = 0;
	for (size_t size = 1; size < 3000; size = 2*size + 1) {
		block = memory_grow(block, old, size);
		assert_int_equal((uintptr_t)block%64, 0);
		for (size_t i = 0; i < old; i++)
			assert_int_equal(block[i], (unsigned char)(7*i + 1));
		for (size_t i = 0; i < size; i++)
			block[i] = (unsigned char)(7*i + 1);
		old = size;
	}
	block = memory_grow(block, old, 10); // smaller: what fits is kept
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(block[i], (unsigned char)(7*i + 1));
	memory_free(block);
}

static void test_nothing_is_a_block_too(void **state)
{
	(void)state;
	void *block = memory_grow(NULL, 0, 0);
	assert_non_null(block);
	block = memory_grow(block, 0, 8);
	assert_non_null(block);
	memory_free(block);
	memory_free(NULL);
}

// Always enough, and by so much more that n additions one by one grow only some log n times.
static void test_capacity(void **state)
{
	(void)state;
	size_t capacity = 0;
	int times = 0;
	for (size_t n = 1; n <= 1000000; n++)
		if (n > capacity) {
			capacity = memory_capacity(capacity, n);
			assert_true(capacity >= n);
			times++;
		}
	assert_true(times < 40);
	assert_true(capacity < 2000000);
	assert_int_equal(memory_capacity(0, 1), 16);
	assert_int_equal(memory_capacity(0, 100), 100);
	assert_int_equal(memory_capacity(100, 101), 150);
	assert_int_equal(memory_capacity(100, 1000), 1000);
	assert_true(memory_capacity(8, 15) >= 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_are_aligned_and_keep_their_content),
		cmocka_unit_test(test_nothing_is_a_block_too),
		cmocka_unit_test(test_capacity),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
