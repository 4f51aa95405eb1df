// SPDX-License-Identifier: MIT
// The loops for one contact of disks after the other.
#pragma GCC diagnostic ignored "-Wpsabi" // vectors may be longer than the registers; they never leave this file
#define WIDTH 1
#define FLAT 1
#include "solve/sweep_text.h"

#include "widths/widths.h"

const kernel kernel_one_flat = KERNEL("one_flat", NULL, &extended_one);
