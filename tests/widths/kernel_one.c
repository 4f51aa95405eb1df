// SPDX-License-Identifier: MIT
// The loops for one contact after the other.
#pragma GCC diagnostic ignored "-Wpsabi" // vectors may be longer than the registers; they never leave this file
#define WIDTH 1
#define FLAT 0
#include "solve/sweep_text.h"

#include "widths/widths.h"

const kernel kernel_one = KERNEL("one", NULL, &extended_one);
