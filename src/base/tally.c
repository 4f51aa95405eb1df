// SPDX-License-Identifier: MIT
#include "base/tally.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STEP = 32, LOWEST = -1010, PIECE = 512, WIDTH = 4 };
enum { ODD_ABOVE = 1, ODD_BELOW = 2, ODD_NONE = 4 };

typedef double some __attribute__((vector_size(8*WIDTH), may_alias));
typedef some some_loose __attribute__((aligned(8)));
typedef int64_t flags __attribute__((vector_size(8*WIDTH)));

// Loops are written once and made for wider registers, too; what they find is the same.
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#endif
#define ALWAYS static inline __attribute__((always_inline))

static int exponent_of(int level)
{
	return LOWEST + STEP*level;
}

// The lowest level at which a term is a multiple up to 2^32.
static int level_for(double largest)
{
	int exponent;
	frexp(largest, &exponent);
	int above = exponent - STEP - LOWEST;
	return largest > 0 && above > 0 ? (above + STEP - 1)/STEP : 0;
}

static void raise_level(tally *s, int level)
{
	for (; s->level < level; s->level++) {
		s->limb[2] = s->limb[1];
		s->limb[1] = s->limb[0];
		s->limb[0] = 0;
		if (s->limb[2] == 0 && s->limb[1] == 0) { // nothing is left
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

// To the nearest integer, to the nearest multiple of 2^-32 of the rest, and of 2^-64 of that rest. Sizes are compared as integers, which what is not
// finite is beyond, too.
ALWAYS pieces cut(const double *term, size_t groups, double scale)
{
	const double whole = 0x1.8p52, part = 0x1.8p20, rest = 0x1.8p-12;
	const int64_t limit = bits_of(0x1p32) - 1;
	some a = {0}, b = {0}, c = {0};
	flags beyond = {0};
	for (size_t i = 0; i < groups; i++) {
		some x = scale**(const some_loose *)(term + WIDTH*i);
		beyond |= limit - ((flags)x & INT64_MAX);
		some first = (x + whole) - whole;
		x -= first;
		some second = (x + part) - part;
		x -= second;
		a += first;
		b += second;
		c += (x + rest) - rest;
	}
	pieces p = {{0}, true};
	for (int l = 0; l < WIDTH; l++)
		p.fit &= beyond[l] >= 0;
	for (int l = 0; p.fit && l < WIDTH; l++) {
		p.limb[0] += (int64_t)a[l];
		p.limb[1] += (int64_t)(b[l]*0x1p32);
		p.limb[2] += (int64_t)(c[l]*0x1p64);
	}
	return p;
}

static pieces cut_plain(const double *term, size_t groups, double scale)
{
	return cut(term, groups, scale);
}

#ifdef WIDE
WIDE static pieces cut_wide(const double *term, size_t groups, double scale)
{
	return cut(term, groups, scale);
}
#endif

// ---------------------------------------------------------------- sums

static bool add_at_level(tally *s, const double *term, size_t groups)
{
	double scale = ldexp(1, -exponent_of(s->level));
#ifdef WIDE
	pieces p = __builtin_cpu_supports("avx2") ? cut_wide(term, groups, scale) : cut_plain(term, groups, scale);
#else
	pieces p = cut_plain(term, groups, scale);
#endif
	for (int k = 0; k < TALLY_LIMBS; k++)
		s->limb[k] += p.limb[k];
	return p.fit;
}

// Terms that are not finite are noted, and do not count otherwise; the largest of the others gives the level.
static void add_raising(tally *s, const double *term, size_t groups)
{
	double finite[PIECE], largest = 0;
	for (size_t i = 0; i < WIDTH*groups; i++) {
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
	size_t whole = count/WIDTH;
	for (size_t i = 0; i < whole; i += PIECE/WIDTH)
		add_groups(s, term + WIDTH*i, whole - i < PIECE/WIDTH ? whole - i : PIECE/WIDTH);
	if (whole*WIDTH == count)
		return;
	double last[WIDTH] = {0};
	for (size_t i = whole*WIDTH; i < count; i++)
		last[i - whole*WIDTH] = term[i];
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
	__int128 all = (((__int128)s->limb[0]*((int64_t)1 << STEP)) + s->limb[1])*((int64_t)1 << STEP) + s->limb[2];
	return ldexp((double)all, exponent_of(s->level) - 2*STEP);
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
