// SPDX-License-Identifier: MIT
// Which loops can this processor run?
#include "solve/kernel.h"

extern const kernel kernel_generic;
#ifdef TALUS_X86
extern const kernel kernel_avx2, kernel_avx512;
#endif

const kernel *kernel_named(talus_simd simd)
{
	if (simd == TALUS_SIMD_GENERIC)
		return &kernel_generic;
#ifdef TALUS_X86
	if (simd == TALUS_SIMD_AVX2 && __builtin_cpu_supports("avx2"))
		return &kernel_avx2;
	if (simd == TALUS_SIMD_AVX512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
		return &kernel_avx512;
#endif
	return simd == TALUS_SIMD_BEST ? kernel_best() : NULL;
}

const kernel *kernel_best(void)
{
	const kernel *best = kernel_named(TALUS_SIMD_AVX512);
	best = best ? best : kernel_named(TALUS_SIMD_AVX2);
	return best ? best : &kernel_generic;
}
