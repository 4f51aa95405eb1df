// SPDX-License-Identifier: MIT
// The text of the loops for widths that the library does not have, or not for every processor.
#ifndef TALUS_TESTS_WIDTHS_H
#define TALUS_TESTS_WIDTHS_H

#include "solve/kernel.h"

extern const kernel kernel_one, kernel_one_flat, kernel_eight, kernel_eight_flat;
extern const extended_kernel extended_one, extended_eight;

#endif
