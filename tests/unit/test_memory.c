// SPDX-License-Identifier: MIT
// Memory that only grows.
#include "unit.h"

#include "base/memory.h"
#include "base/totals.h"

#include <stdlib.h>

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

// Through all sizes at which blocks are made in another way, and back.
static void test_large_blocks_keep_their_content(void **state)
{
	(void)state;
	static const size_t sizes[] = {1000, 1 << 20, 3 << 20, (4 << 20) - 64, 4 << 20, 5000001,
		37000000, 60000000, 9000000, 1 << 20, 100};
	enum { SIZES = sizeof sizes/sizeof sizes[0], STRIDE = 997 };
	unsigned char *block = NULL, *other = NULL;
	size_t old = 0;
	for (int k = 0; k < SIZES; k++) {
		block = memory_grow(block, old, sizes[k]);
		other = memory_grow(other, 0, sizes[k]/2); // in the way of growth in place
		assert_int_equal((uintptr_t)block%64, 0);
		for (size_t i = 0; i < old && i < sizes[k]; i += STRIDE)
			assert_int_equal(block[i], (unsigned char)(i/STRIDE));
		for (size_t i = 0; i < sizes[k]; i += STRIDE)
			block[i] = (unsigned char)(i/STRIDE);
		block[sizes[k] - 1] = other[sizes[k]/2 - 1] = 0; // is all of it there?
		block[(sizes[k] - 1)/STRIDE*STRIDE] = (unsigned char)((sizes[k] - 1)/STRIDE);
		old = sizes[k];
	}
	memory_free(block);
	memory_free(other);
}

// The same block for all who ask for no more than there is.
static void test_a_pool(void **state)
{
	(void)state;
	memory_pool pool = {0};
	char *first = memory_borrow(&pool, 1000);
	first[999] = 1;
	assert_ptr_equal(memory_borrow(&pool, 10), first);
	assert_ptr_equal(memory_borrow(&pool, 1000), first);
	char *more = memory_borrow(&pool, 100000);
	more[99999] = 1;
	assert_true(pool.size >= 100000);
	assert_ptr_equal(memory_borrow(&pool, 1), more);
	memory_free(pool.block);
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

// ---------------------------------------------------------------- a step

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static int blocks_taken;

// Small blocks come from here: whoever asks is counted.
void *aligned_alloc(size_t alignment, size_t size)
{
	void *block = NULL;
	blocks_taken++;
	return posix_memalign(&block, alignment, size) ? NULL : block;
}

static void add_rows(void *job, size_t first, size_t last, totals_part *part)
{
	(void)job;
	for (size_t i = first; i < last; i++)
		part->term[0][i - first] = (double)i;
}

// Nor do sums by many threads.
static void test_sums_take_no_memory(void **state)
{
	(void)state;
	parallel *team = parallel_create(3);
	assert_true(totals_of(team, 5000, 1, add_rows, NULL).sum[0] == 5000*4999/2);
	int taken = blocks_taken;
	for (int i = 0; i < 10; i++)
		assert_true(totals_of(team, 5000, 1, add_rows, NULL).sum[0] == 5000*4999/2);
	assert_int_equal(blocks_taken, taken);
	parallel_destroy(team);
}

// Grains in a shaken box: lists are made again and again, and grains sorted, but nothing is new any more after a while.
static void test_a_steady_step_takes_no_memory(void **state)
{
	(void)state;
	talus_world_def def = unit_def(2);
	def.gravity.y = -1;
	def.solver.iterations = 10;
	talus_world *world = unit_world(&def, 0.3);
	unit_plane(world, "left", vec(0, 0, 0), vec(1, 0, 0));
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0));
	unit_plane(world, "right", vec(20, 20, 0), vec(-1, 0, 0));
	unit_plane(world, "lid", vec(20, 20, 0), vec(0, -1, 0));
	talus_wall_def *floor = &world->state.walls.at[1].def;
	floor->oscillate_direction = vec(0, 1, 0);
	floor->oscillate_amplitude = 0.5;
	floor->oscillate_frequency = 0.5;
	for (int i = 0; i < 100; i++)
		unit_grain(world, vec(1 + 1.8*(i%10), 2 + 1.8*(double)(i/10), 0), 0.5 + 0.003*i, vec(0, 0, 0));
	for (int step = 0; step < 3000 || (!world->approach.kick && step < 20000); step++) // a kick is rare
		talus_world_step(world);
	int taken = blocks_taken;
	uint64_t builds = world->list.builds, sorted = world->list.sorted_at;
	for (int step = 0; step < 1000; step++)
		talus_world_step(world);
	assert_true(world->list.builds > builds + 16 && world->list.sorted_at > sorted);
	assert_true(taken > 0);
	assert_int_equal(blocks_taken, taken);
	talus_world_destroy(world);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_are_aligned_and_keep_their_content),
		cmocka_unit_test(test_large_blocks_keep_their_content),
		cmocka_unit_test(test_a_pool),
		cmocka_unit_test(test_nothing_is_a_block_too),
		cmocka_unit_test(test_capacity),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
		cmocka_unit_test(test_a_steady_step_takes_no_memory),
		cmocka_unit_test(test_sums_take_no_memory),
#endif
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
