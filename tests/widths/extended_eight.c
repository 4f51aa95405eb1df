// SPDX-License-Identifier: MIT
// The loops over extended contacts, 8 at once, for any processor.
#pragma GCC diagnostic ignored "-Wpsabi" // vectors may be longer than the registers; they never leave this file
#define WIDTH 8
#define FLAT 0
#include "solve/extended_text.h"

#include "widths/widths.h"

const extended_kernel extended_eight = EXTENDED_KERNEL;
