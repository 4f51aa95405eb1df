// SPDX-License-Identifier: MIT
// The inner loops for disks. A normal that was turned round has -0 along z: loops that go through rows of contacts write their fields
// back, and must leave it. The widest loop is here a second time, for any processor.
#include "unit.h"

#include "solve/solve.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors longer than the registers; they never leave this file
#define is_calm is_calm_wide
#define WIDTH 8
#define FLAT 1
#include "solve/sweep_text.h"
#undef is_calm

static const kernel kernel_wide = KERNEL("wide", NULL, NULL);

enum { ROW = (1 + KERNEL_AHEAD)*LANES };

static void visit(const kernel *k, talus_contact contact[LANES])
{
	talus_motion motion[2*LANES] = {{{0, 0, 0}, 0, {0, 0, 0}, 0}};
	uint32_t row[ROW] = {0};
	ends at[LANES];
	for (uint32_t i = 0; i < LANES; i++) {
		motion[2*i] = (talus_motion){.v = {1, 0.2, 0}, .inv_m = 1, .s = {0, 0, 0.3}, .k = 2};
		motion[2*i + 1] = (talus_motion){.v = {-1, 0.1*i, 0}, .inv_m = 0.5, .k = 1};
		contact[i] = (talus_contact){.a = 2*i, .b = 2*i + 1, .n = {0.6, 0.8, -0.0}, .mass_n = 1.0/1.5, .mass_t = 1.0/4.5, .mu = 0.3};
		at[i] = (ends){LINE*2*i, LINE*(2*i + 1)};
		row[i] = i;
	}
	k->visit(contact, at, row, 1, motion);
}

static void test_row_is_left_as_it_was(void **state)
{
	(void)state;
	static const talus_simd simd[] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	talus_contact wide[LANES], other[LANES];
	visit(&kernel_wide, wide);
	for (int i = 0; i < LANES; i++) {
		assert_true(signbit(wide[i].n.z));
		assert_true(wide[i].p.x > 0);
	}
	for (size_t k = 0; k < sizeof simd/sizeof simd[0]; k++) {
		if (!kernel_named(simd[k]))
			continue;
		visit(kernel_named(simd[k])->flat, other);
		assert_memory_equal(wide, other, sizeof wide);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row_is_left_as_it_was),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
