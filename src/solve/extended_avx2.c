// SPDX-License-Identifier: MIT
// The loops over extended contacts for registers of four doubles.
#define WIDTH 4
#define FLAT 0
#include "solve/extended_text.h"

extern const extended_kernel extended_avx2;
const extended_kernel extended_avx2 = EXTENDED_KERNEL;
