// SPDX-License-Identifier: MIT
// The loops for registers of four doubles.
#define WIDTH 4
#define FLAT 0
#include "solve/sweep_text.h"

extern const kernel kernel_avx2_flat;
extern const extended_kernel extended_avx2;
const kernel kernel_avx2 = KERNEL("avx2", &kernel_avx2_flat, &extended_avx2);
