// SPDX-License-Identifier: MIT
// The loops for registers of eight doubles.
#define WIDTH 8
#define FLAT 0
#include "solve/sweep_text.h"

extern const kernel kernel_avx512_flat;
extern const extended_kernel extended_avx512;
const kernel kernel_avx512 = KERNEL("avx512", &kernel_avx512_flat, &extended_avx512);
