// SPDX-License-Identifier: MIT
// The loops for registers of two doubles, which every 64-bit processor of the PC kind has; others do it one by one.
#define WIDTH 2
#define FLAT 0
#include "solve/sweep_text.h"

extern const kernel kernel_generic_flat;
extern const extended_kernel extended_generic;
const kernel kernel_generic = KERNEL("generic", &kernel_generic_flat, &extended_generic);
