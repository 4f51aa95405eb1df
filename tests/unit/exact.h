// SPDX-License-Identifier: MIT
// What sums are judged by: every bit of every term is kept, and the sum is rounded once, when it is asked for
// (a fixed-point number as wide as the range of doubles: Kulisch; Neal 2015). So parts of a sum may be made by anybody and put together
// in any order.
#ifndef TALUS_TESTS_EXACT_H
#define TALUS_TESTS_EXACT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { EXACT_LIMBS = 67 };

typedef struct exact {
	int64_t limb[EXACT_LIMBS]; // of 32 bits each, with room for carries
	double odd;                // infinities and what is no number, added up
	uint32_t room;             // terms that may be added before carries are passed on
} exact;

// A limb of 32 bits takes 2^30 terms of less than 2^32 before it runs over; some are left for those who join.
enum { EXACT_ROOM = 1 << 29, EXACT_MANTISSA = 52, EXACT_EXPONENTS = 2047 };

static inline void exact_clear(exact *e)
{
	memset(e->limb, 0, sizeof e->limb);
	e->odd = 0;
	e->room = EXACT_ROOM;
}

// Carries upwards; all limbs but the highest are then 0 to 2^32 - 1.
static inline void exact_carry(exact *e)
{
	for (int i = 0; i < EXACT_LIMBS - 1; i++) {
		int64_t over = e->limb[i] >> 32;
		e->limb[i] -= over*((int64_t)1 << 32);
		e->limb[i + 1] += over;
	}
	e->room = EXACT_ROOM;
}

static inline void exact_add(exact *e, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	unsigned exponent = (unsigned)(bits >> EXACT_MANTISSA) & EXACT_EXPONENTS;
	uint64_t mantissa = bits & (((uint64_t)1 << EXACT_MANTISSA) - 1);
	if (exponent == EXACT_EXPONENTS) {
		e->odd += x;
		return;
	}
	if (exponent)
		mantissa |= (uint64_t)1 << EXACT_MANTISSA;
	else
		exponent = 1; // below the normal ones
	unsigned at = exponent >> 5, shift = exponent & 31;
	int64_t sign = -(int64_t)(bits >> 63); // 0 or -1
	int64_t low = (int64_t)(mantissa << shift & UINT32_MAX), high = (int64_t)(mantissa >> (32 - shift));
	int64_t middle = high & UINT32_MAX, top = high >> 32;
	e->limb[at] += (low ^ sign) - sign;
	e->limb[at + 1] += (middle ^ sign) - sign;
	e->limb[at + 2] += (top ^ sign) - sign;
	if (--e->room == 0)
		exact_carry(e);
}

static inline void exact_join(exact *e, const exact *part)
{
	exact other = *part;
	exact_carry(&other);
	exact_carry(e);
	for (int i = 0; i < EXACT_LIMBS; i++)
		e->limb[i] += other.limb[i];
	e->odd += other.odd;
	e->room--;
}

static inline bool exact_negate_if_negative(exact *e)
{
	exact_carry(e);
	if (e->limb[EXACT_LIMBS - 1] >= 0)
		return false;
	for (int i = 0; i < EXACT_LIMBS; i++)
		e->limb[i] = -e->limb[i];
	exact_carry(e);
	return true;
}

// The 64 bits from the highest one on, with the last one set if there is anything below; *exponent: of the lowest of them.
static inline uint64_t exact_leading(const exact *e, int highest, int *exponent)
{
	uint64_t top = (uint64_t)e->limb[highest];
	int zeros = __builtin_clzll(top);
	unsigned __int128 all = (unsigned __int128)top << 64;
	bool below = false;
	for (int i = highest - 1, place = 32; i >= 0; i--, place -= 32) {
		if (place >= 0)
			all |= (unsigned __int128)(uint64_t)e->limb[i] << place;
		else
			below |= e->limb[i] != 0;
	}
	all <<= zeros;
	*exponent = 32*highest - zeros;
	return (uint64_t)(all >> 64) | (below || (uint64_t)all != 0);
}

// Rounded to nearest, ties to even.
static inline double exact_sum(const exact *e)
{
	if (e->odd != 0)
		return e->odd;
	exact sum = *e;
	bool negative = exact_negate_if_negative(&sum);
	int highest = EXACT_LIMBS - 1, exponent;
	while (highest >= 0 && sum.limb[highest] == 0)
		highest--;
	if (highest < 0)
		return 0;
	uint64_t bits = exact_leading(&sum, highest, &exponent);
	// Two roundings give the right one: the first keeps 64 bits with a mark for the rest, the second is the one to 53 or, below the normal ones, fewer.
	int keep = 53, lowest = exponent + 11; // exponent of the last of 53, in units of limb bits
	if (lowest < 1) {
		keep += lowest - 1;
		lowest = 1;
	}
	double value;
	if (keep <= 0) {
		value = keep == 0 && bits > (uint64_t)1 << 63 ? 1 : 0;
	} else {
		int drop = 64 - keep;
		uint64_t kept = bits >> drop, rest = bits << (64 - drop), half = (uint64_t)1 << 63;
		kept += rest > half || (rest == half && (kept & 1));
		value = (double)kept;
	}
	value = ldexp(value, lowest - 1 - 1074);
	return negative ? -value : value;
}

#endif
