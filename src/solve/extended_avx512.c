// SPDX-License-Identifier: MIT
// The loops over extended contacts for registers of eight doubles.
#define WIDTH 8
#define FLAT 0
#include "solve/extended_text.h"

extern const extended_kernel extended_avx512;
const extended_kernel extended_avx512 = EXTENDED_KERNEL;
