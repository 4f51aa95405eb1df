// SPDX-License-Identifier: MIT
#include "base/tally.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STEP = 32, LOWEST = -978, PIECE = 512, GROUP = 8 };
enum { ODD_ABOVE = 1, ODD_BELOW = 2, ODD_NONE = 4 };

static int exponent_of(int level)
{
	return LOWEST + STEP*level;
}

static double power_of_two(int exponent)
{
	int64_t bits = (int64_t)(exponent + 1023) << 52;
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

// The lowest level at which a term is a multiple below 2^31: then it is less than half of what is kept when all four are dropped, and nothing is
// what it would have been cut into.
static int level_for(double largest)
{
	int exponent;
	frexp(largest, &exponent);
	int above = exponent - (STEP - 1) - LOWEST;
	return largest > 0 && above > 0 ? (above + STEP - 1)/STEP : 0;
}

static void raise_level(tally *s, int level)
{
	for (; s->level < level; s->level++) {
		s->limb[3] = s->limb[2];
		s->limb[2] = s->limb[1];
		s->limb[1] = s->limb[0];
		s->limb[0] = 0;
		if (s->limb[3] == 0 && s->limb[2] == 0 && s->limb[1] == 0) { // nothing is left
			s->level = level;
			return;
		}
	}
}

// ---------------------------------------------------------------- terms

typedef struct pieces {
	int64_t limb[TALLY_LIMBS];
	bool fit; // or else some terms are larger than the level allows, and nothing of this counts
} pieces;

static int64_t bits_of(double x)
{
	int64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

// To the nearest integer, to the nearest multiple of 2^-32 of the rest, of 2^-64 of that rest, and so on. Sizes are compared as integers, which what is not
// finite is beyond, too. One text for registers of `width` doubles; what they find is the same.
#define CUT(name, width) \
	static pieces name(const double *term, size_t groups, double scale) \
	{ \
		typedef double some __attribute__((vector_size(8*(width)), aligned(8), may_alias)); \
		typedef int64_t bits __attribute__((vector_size(8*(width)))); \
		const double whole = 0x1.8p52, part = 0x1.8p20, small = 0x1.8p-12, rest = 0x1.8p-44; \
		const int64_t limit = bits_of(0x1p31) - 1; \
		some a = {0}, b = {0}, c = {0}, d = {0}; \
		bits beyond = {0}; \
		for (size_t i = 0; i < groups*(GROUP/(width)); i++) { \
			some x = scale**(const some *)(term + (width)*i); \
			beyond |= limit - ((bits)x & INT64_MAX); \
			some first = (x + whole) - whole; \
			x -= first; \
			some second = (x + part) - part; \
			x -= second; \
			some third = (x + small) - small; \
			x -= third; \
			a += first; \
			b += second; \
			c += third; \
			d += (x + rest) - rest; \
		} \
		int64_t any = 0; \
		double all[TALLY_LIMBS] = {0}; \
		for (int l = 0; l < (width); l++) { \
			any |= beyond[l]; \
			all[0] += a[l]; \
			all[1] += b[l]; \
			all[2] += c[l]; \
			all[3] += d[l]; \
		} \
		if (any < 0) \
			return (pieces){.fit = false}; \
		return (pieces){{(int64_t)all[0], (int64_t)(all[1]*0x1p32), (int64_t)(all[2]*0x1p64), (int64_t)(all[3]*0x1p96)}, true}; \
	}

typedef pieces cutter(const double *term, size_t groups, double scale);

CUT(cut_plain, 2)
#if defined(__x86_64__)
__attribute__((target("avx2"))) CUT(cut_avx2, 4)
__attribute__((target("avx512f"))) CUT(cut_avx512, 8)

static cutter *cutter_best(void)
{
	return __builtin_cpu_supports("avx512f") ? cut_avx512 : __builtin_cpu_supports("avx2") ? cut_avx2 : cut_plain;
}
#else
static cutter *cutter_best(void)
{
	return cut_plain;
}
#endif

// ---------------------------------------------------------------- sums

static bool add_at_level(tally *s, const double *term, size_t groups)
{
	double scale = power_of_two(-exponent_of(s->level));
	pieces p = cutter_best()(term, groups, scale);
	for (int k = 0; p.fit && k < TALLY_LIMBS; k++)
		s->limb[k] += p.limb[k];
	return p.fit;
}

// Terms that are not finite are noted, and do not count otherwise; the largest of the others gives the level.
static void add_raising(tally *s, const double *term, size_t groups)
{
	double finite[PIECE], largest = 0;
	for (size_t i = 0; i < GROUP*groups; i++) {
		double x = term[i];
		s->odd |= isnan(x) ? ODD_NONE : isinf(x) ? (x > 0 ? ODD_ABOVE : ODD_BELOW) : 0;
		finite[i] = isfinite(x) ? x : 0;
		largest = fmax(largest, fabs(finite[i]));
	}
	raise_level(s, level_for(largest));
	add_at_level(s, finite, groups);
}

static void add_groups(tally *s, const double *term, size_t groups)
{
	if (!add_at_level(s, term, groups))
		add_raising(s, term, groups);
}

void tally_add(tally *s, const double *term, size_t count)
{
	size_t whole = count/GROUP;
	for (size_t i = 0; i < whole; i += PIECE/GROUP)
		add_groups(s, term + GROUP*i, whole - i < PIECE/GROUP ? whole - i : PIECE/GROUP);
	if (whole*GROUP == count)
		return;
	double last[GROUP] = {0};
	for (size_t i = whole*GROUP; i < count; i++)
		last[i - whole*GROUP] = term[i];
	add_groups(s, last, 1);
}

void tally_join(tally *s, const tally *part)
{
	tally other = *part;
	raise_level(s, other.level);
	raise_level(&other, s->level);
	for (int k = 0; k < TALLY_LIMBS; k++)
		s->limb[k] += other.limb[k];
	s->odd |= other.odd;
}

double tally_sum(const tally *s)
{
	if (s->odd)
		return s->odd == ODD_ABOVE ? INFINITY : s->odd == ODD_BELOW ? -INFINITY : NAN;
	const int64_t step = (int64_t)1 << STEP, few = (int64_t)1 << 61;
	__int128 high = (__int128)s->limb[0]*step + s->limb[1], low = (__int128)s->limb[2]*step + s->limb[3];
	high += low >> 64;
	uint64_t rest = (uint64_t)low;
	int unit = exponent_of(s->level) - 3*STEP;
	if (high > -few && high < few)
		return ldexp((double)(high*2*((__int128)1 << 63) + rest), unit);
	return ldexp((double)(2*high + (rest != 0)), unit + 63); // below all that is kept of it: there is a rest, or none
}

// ---------------------------------------------------------------- many small ones

double tally_unit(double largest, size_t count)
{
	int exponent, more = 1;
	if (!(largest > 0) || !isfinite(largest))
		return 0;
	frexp(largest, &exponent);
	while (count >> more)
		more++;
	return exponent + more < 1023 ? ldexp(1.5, exponent + more) : 0; // beyond, there is no such unit: they are added as they are
}
