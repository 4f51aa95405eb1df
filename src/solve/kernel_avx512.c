// SPDX-License-Identifier: MIT
// The loops for registers of eight doubles.
#define WIDTH 8
#include "solve/sweep_text.h"

const kernel kernel_avx512 = KERNEL("avx512");
