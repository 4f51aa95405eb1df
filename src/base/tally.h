// SPDX-License-Identifier: MIT
// Sums that do not depend on the order of their terms, nor on who adds which of them.
//
// A sum is kept as four integers, multiples of 2^e, 2^(e - 32), 2^(e - 64) and 2^(e - 96). Its level e fits the largest term so far, in steps of 32. A term is
// cut into four such multiples, each the nearest one to what is left of it; integers may be added in any order. When a larger term comes,
// the lowest of the four is dropped: what is left is what the terms would have been cut into at once (Demmel & Nguyen 2015). Nothing is
// lost but what is 2^-97 of the largest term or less, and the sum is rounded once, when it is asked for. (So much is kept that all bits of all terms
// nearly always are: else sums would depend on the unit that they are in, which moves terms against the levels.)
#ifndef TALUS_BASE_TALLY_H
#define TALUS_BASE_TALLY_H

#include <stddef.h>
#include <stdint.h>

enum { TALLY_LIMBS = 4 };

typedef struct tally { // zeros: of no terms
	int64_t limb[TALLY_LIMBS]; // for up to 2^31 terms
	int32_t level;
	uint32_t odd; // infinities and what is no number
} tally;

void tally_add(tally *s, const double *term, size_t count);
static inline void tally_put(tally *s, double x) // one by one is slow
{
	tally_add(s, &x, 1);
}

void tally_join(tally *s, const tally *part);
double tally_sum(const tally *s);

// Many small sums at once, of `count` terms in all and none larger than `largest`: terms are rounded to multiples of one unit, such that plain
// additions of them do not round, in any order.
double tally_unit(double largest, size_t count);

static inline double tally_round(double x, double unit)
{
	return (x + unit) - unit;
}

#endif
