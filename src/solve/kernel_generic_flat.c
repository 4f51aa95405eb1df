// SPDX-License-Identifier: MIT
// The loops over contacts of disks for registers of two doubles.
#define WIDTH 2
#define FLAT 1
#include "solve/sweep_text.h"

extern const kernel kernel_generic_flat;
extern const extended_kernel extended_generic;
const kernel kernel_generic_flat = KERNEL("generic", NULL, &extended_generic);
