// SPDX-License-Identifier: MIT
// The loops over contacts of disks for registers of four doubles.
#define WIDTH 4
#define FLAT 1
#include "solve/sweep_text.h"

extern const kernel kernel_avx2_flat;
extern const extended_kernel extended_avx2;
const kernel kernel_avx2_flat = KERNEL("avx2", NULL, &extended_avx2);
