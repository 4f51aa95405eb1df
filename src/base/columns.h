// SPDX-License-Identifier: MIT
// WIDTH numbers at once, and vectors of them in columns: what the text of a law is written in, so that one text serves single contacts (WIDTH 1)
// and registers of two, four and eight doubles. Every width does the same operations on a lane in the same order, none of
// them fused, so all widths give the same bits. FLAT makes the text for disks: nothing moves along z or turns about another axis, so what is
// known to be 0 is not computed.
#ifndef TALUS_BASE_COLUMNS_H
#define TALUS_BASE_COLUMNS_H

#include "base/vec.h"

#if defined(__x86_64__) && WIDTH > 1
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

#if FLAT
#define DEEP(z) all(0)
#else
#define DEEP(z) (z)
#endif

#if WIDTH == 1
typedef double reals;
typedef vec3 column3;
ALWAYS reals all(double x) { return x; }
#else
typedef double reals __attribute__((vector_size(8*WIDTH), may_alias));

typedef struct column3 {
	reals x, y, z;
} column3;

ALWAYS reals all(double x)
{
	reals r;
	for (int l = 0; l < WIDTH; l++)
		r[l] = x;
	return r;
}
#endif

// min and max return the second if one of them is not a number, on all processors.
#if WIDTH == 1
ALWAYS reals lanes_max(reals a, reals b) { return a > b ? a : b; }
ALWAYS reals lanes_min(reals a, reals b) { return a < b ? a : b; }
ALWAYS reals lanes_sqrt(reals a) { return sqrt(a); }
#elif WIDTH == 2 && defined(__SSE2__)
ALWAYS reals lanes_max(reals a, reals b) { return (reals)_mm_max_pd((__m128d)a, (__m128d)b); }
ALWAYS reals lanes_min(reals a, reals b) { return (reals)_mm_min_pd((__m128d)a, (__m128d)b); }
ALWAYS reals lanes_sqrt(reals a) { return (reals)_mm_sqrt_pd((__m128d)a); }
#elif WIDTH == 4 && defined(__AVX__)
ALWAYS reals lanes_max(reals a, reals b) { return (reals)_mm256_max_pd((__m256d)a, (__m256d)b); }
ALWAYS reals lanes_min(reals a, reals b) { return (reals)_mm256_min_pd((__m256d)a, (__m256d)b); }
ALWAYS reals lanes_sqrt(reals a) { return (reals)_mm256_sqrt_pd((__m256d)a); }
#elif WIDTH == 8 && defined(__AVX512F__)
ALWAYS reals lanes_max(reals a, reals b) { return (reals)_mm512_max_pd((__m512d)a, (__m512d)b); }
ALWAYS reals lanes_min(reals a, reals b) { return (reals)_mm512_min_pd((__m512d)a, (__m512d)b); }
ALWAYS reals lanes_sqrt(reals a) { return (reals)_mm512_sqrt_pd((__m512d)a); }
#else
ALWAYS reals lanes_max(reals a, reals b)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = a[l] > b[l] ? a[l] : b[l];
	return a;
}
ALWAYS reals lanes_min(reals a, reals b)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = a[l] < b[l] ? a[l] : b[l];
	return a;
}
ALWAYS reals lanes_sqrt(reals a)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = sqrt(a[l]);
	return a;
}
#endif

// a where x is larger than y, else b; and x without its sign.
#if WIDTH == 1
ALWAYS reals larger_of(reals x, reals y, reals a, reals b) { return x > y ? a : b; }
ALWAYS reals lanes_size(reals x) { return fabs(x); }
#else
typedef long long lane_bits __attribute__((vector_size(8*WIDTH)));

ALWAYS reals larger_of(reals x, reals y, reals a, reals b)
{
	lane_bits mask = (lane_bits)(x > y);
	return (reals)((mask & (lane_bits)a) | (~mask & (lane_bits)b));
}

ALWAYS reals lanes_size(reals x)
{
	return (reals)((lane_bits)x & 0x7fffffffffffffffLL);
}
#endif

// ---------------------------------------------------------------- vectors

ALWAYS reals dot3(column3 a, column3 b)
{
#if FLAT
	return a.x*b.x + a.y*b.y;
#else
	return a.x*b.x + a.y*b.y + a.z*b.z;
#endif
}

ALWAYS column3 cross3(column3 a, column3 b)
{
#if FLAT
	return (column3){-(a.z*b.y), a.z*b.x, a.x*b.y - a.y*b.x};
#else
	return (column3){a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x};
#endif
}

ALWAYS column3 sub3(column3 a, column3 b)
{
	return (column3){a.x - b.x, a.y - b.y, DEEP(a.z - b.z)};
}

ALWAYS column3 mul_add3(column3 a, reals s, column3 b) // a + s b
{
	return (column3){a.x + s*b.x, a.y + s*b.y, DEEP(a.z + s*b.z)};
}

ALWAYS column3 sum3(reals s, column3 a, reals t, column3 b) // s a + t b
{
	return (column3){s*a.x + t*b.x, s*a.y + t*b.y, DEEP(s*a.z + t*b.z)};
}

#endif
