// SPDX-License-Identifier: MIT
// The loops for eight contacts at once, for any processor.
#pragma GCC diagnostic ignored "-Wpsabi" // vectors may be longer than the registers; they never leave this file
#define WIDTH 8
#define FLAT 0
#include "solve/sweep_text.h"

#include "widths/widths.h"

const kernel kernel_eight = KERNEL("eight", NULL, &extended_eight);
