// SPDX-License-Identifier: MIT
// The loops over rich contacts for registers of four doubles.
#define WIDTH 4
#define FLAT 0
#include "solve/rich_text.h"

extern const rich_kernel rich_avx2;
const rich_kernel rich_avx2 = RICH_KERNEL;
