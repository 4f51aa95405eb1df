// SPDX-License-Identifier: MIT
// The loops for registers of eight doubles.
#define WIDTH 8
#define FLAT 0
#include "solve/sweep_text.h"

extern const kernel kernel_avx512_flat;
const kernel kernel_avx512 = KERNEL("avx512", &kernel_avx512_flat);
