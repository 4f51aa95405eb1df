// SPDX-License-Identifier: MIT
// The inner loops for disks. A normal that was turned round has -0 along z, which the loops for disks never look at: all widths give the
// same bits.
#include "unit.h"

#include "solve/solve.h"

#include "widths/widths.h"

enum { BATCHES = 1 + KERNEL_AHEAD };

static void sweep_one(const kernel *k, double z, talus_solver_body motion[2*LANES + 1], batch b[BATCHES])
{
	const talus_row row = {.mass_n = 1.0/1.5, .mass_t = 1.0/4.5, .mu = 0.3};
	motion[2*LANES] = (talus_solver_body){.inv_m = 0};
	for (uint32_t i = 0; i < BATCHES; i++)
		batch_clear(&b[i], LINE*2*LANES);
	for (uint32_t i = 0; i < LANES; i++) {
		motion[2*i] = (talus_solver_body){.v = {1, 0.2, 0}, .inv_m = 1, .r_omega = {0, 0, 0.3}, .r2_over_I = 2};
		motion[2*i + 1] = (talus_solver_body){.v = {-1, 0.1*i, 0}, .inv_m = 0.5, .r2_over_I = 1};
		batch_put(b, i, (contact_bodies){LINE*2*i, LINE*(2*i + 1)}, vec(0.6, 0.8, z), &row, vec(0, 0, 0));
	}
	k->sweep(b, &(batch_span){.count = 1}, 1, motion, false);
}

static void test_sign_of_nothing(void **state)
{
	(void)state;
	static const talus_simd simd[] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	talus_solver_body wide[2*LANES + 1], other[2*LANES + 1];
	batch one[BATCHES], two[BATCHES];
	sweep_one(&kernel_one_flat, -0.0, wide, one);
	for (int i = 0; i < LANES; i++) {
		assert_true(signbit(one->n[2][i])); // as it was
		assert_true(one->p[0][i] > 0 && one->p[2][i] == 0);
	}
	for (size_t k = 0; k <= sizeof simd/sizeof simd[0]; k++) {
		const kernel *some = k == 0 ? &kernel_eight_flat : kernel_named(simd[k - 1]) ? kernel_named(simd[k - 1])->flat : NULL;
		for (int turned = 0; turned < 2 && some; turned++) {
			sweep_one(some, turned ? -0.0 : 0.0, other, two);
			assert_memory_equal(wide, other, sizeof wide);
			assert_memory_equal(one->p, two->p, sizeof one->p);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sign_of_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
