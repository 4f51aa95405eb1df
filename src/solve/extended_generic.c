// SPDX-License-Identifier: MIT
// The loops over extended contacts for registers of two doubles.
#define WIDTH 2
#define FLAT 0
#include "solve/extended_text.h"

extern const extended_kernel extended_generic;
const extended_kernel extended_generic = EXTENDED_KERNEL;
