// SPDX-License-Identifier: MIT
// Sums that do not depend on the order of their terms: every bit of every term is kept, and the sum is rounded once, when it is asked for
// (a fixed-point number as wide as the range of doubles: Kulisch; Neal 2015). So parts of a sum may be made by anybody and put together
// in any order.
#ifndef TALUS_BASE_EXACT_H
#define TALUS_BASE_EXACT_H

#include <stdint.h>

enum { EXACT_LIMBS = 67 };

typedef struct exact {
	int64_t limb[EXACT_LIMBS]; // of 32 bits each, with room for carries
	double odd;                // infinities and what is no number, added up
	uint32_t room;             // terms that may be added before carries are passed on
} exact;

void exact_clear(exact *e);
void exact_add(exact *e, double x);
void exact_join(exact *e, const exact *part);
double exact_sum(const exact *e); // rounded to nearest, ties to even

#endif
