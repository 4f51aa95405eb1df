// SPDX-License-Identifier: MIT
// The loops over contacts of disks for registers of eight doubles.
#define WIDTH 8
#define FLAT 1
#include "solve/sweep_text.h"

extern const kernel kernel_avx512_flat;
extern const extended_kernel extended_avx512;
const kernel kernel_avx512_flat = KERNEL("avx512", NULL, &extended_avx512);
