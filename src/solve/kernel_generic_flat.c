// SPDX-License-Identifier: MIT
// The loops over contacts of disks for registers of two doubles.
#define WIDTH 2
#define FLAT 1
#include "solve/sweep_text.h"

extern const kernel kernel_generic_flat;
const kernel kernel_generic_flat = KERNEL("generic", NULL);
