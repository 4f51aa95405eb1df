// SPDX-License-Identifier: MIT
// The loops over rich contacts for registers of eight doubles.
#define WIDTH 8
#define FLAT 0
#include "solve/rich_text.h"

extern const rich_kernel rich_avx512;
const rich_kernel rich_avx512 = RICH_KERNEL;
