// SPDX-License-Identifier: MIT
// The loops over rich contacts for registers of two doubles.
#define WIDTH 2
#define FLAT 0
#include "solve/rich_text.h"

extern const rich_kernel rich_generic;
const rich_kernel rich_generic = RICH_KERNEL;
