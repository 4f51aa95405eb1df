// SPDX-License-Identifier: MIT
// The loops for registers of four doubles.
#define WIDTH 4
#include "solve/sweep_text.h"

const kernel kernel_avx2 = KERNEL("avx2");
