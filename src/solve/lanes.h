// SPDX-License-Identifier: MIT
// Several doubles at once, WIDTH of them, and the few operations that no operator stands for. Every width does the same
// operations on a lane in the same order, none of them fused, so all widths give the same bits.
#ifndef TALUS_SOLVE_LANES_H
#define TALUS_SOLVE_LANES_H

#include "solve/kernel.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

typedef double real __attribute__((vector_size(8*WIDTH), may_alias));
typedef real real_loose __attribute__((aligned(8))); // the same, anywhere in memory

ALWAYS real load(const double *from)
{
	return *(const real_loose *)from;
}

ALWAYS void store(double *to, real x)
{
	*(real_loose *)to = x;
}

ALWAYS real all(double x)
{
	real r;
	for (int l = 0; l < WIDTH; l++)
		r[l] = x;
	return r;
}

// min and max return the second if one of them is not a number, on all processors.
#if WIDTH == 2 && defined(__SSE2__)
ALWAYS real lanes_max(real a, real b) { return (real)_mm_max_pd((__m128d)a, (__m128d)b); }
ALWAYS real lanes_min(real a, real b) { return (real)_mm_min_pd((__m128d)a, (__m128d)b); }
ALWAYS real lanes_sqrt(real a) { return (real)_mm_sqrt_pd((__m128d)a); }
#elif WIDTH == 4 && defined(__AVX__)
ALWAYS real lanes_max(real a, real b) { return (real)_mm256_max_pd((__m256d)a, (__m256d)b); }
ALWAYS real lanes_min(real a, real b) { return (real)_mm256_min_pd((__m256d)a, (__m256d)b); }
ALWAYS real lanes_sqrt(real a) { return (real)_mm256_sqrt_pd((__m256d)a); }
#elif WIDTH == 8 && defined(__AVX512F__)
ALWAYS real lanes_max(real a, real b) { return (real)_mm512_max_pd((__m512d)a, (__m512d)b); }
ALWAYS real lanes_min(real a, real b) { return (real)_mm512_min_pd((__m512d)a, (__m512d)b); }
ALWAYS real lanes_sqrt(real a) { return (real)_mm512_sqrt_pd((__m512d)a); }
#else
ALWAYS real lanes_max(real a, real b)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = a[l] > b[l] ? a[l] : b[l];
	return a;
}
ALWAYS real lanes_min(real a, real b)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = a[l] < b[l] ? a[l] : b[l];
	return a;
}
ALWAYS real lanes_sqrt(real a)
{
	for (int l = 0; l < WIDTH; l++)
		a[l] = sqrt(a[l]);
	return a;
}
#endif

typedef long long bits __attribute__((vector_size(8*WIDTH)));

// a where x is larger than y, else b.
ALWAYS real larger_of(real x, real y, real a, real b)
{
	bits mask = (bits)(x > y);
	return (real)((mask & (bits)a) | (~mask & (bits)b));
}

typedef double double2 __attribute__((vector_size(16), may_alias));
typedef double2 double2_loose __attribute__((aligned(8)));

ALWAYS double2 load_pair(const double *from)
{
	return *(const double2_loose *)from;
}

ALWAYS void store_pair(double *to, double2 x)
{
	*(double2_loose *)to = x;
}

// Without its sign.
ALWAYS real lanes_size(real x)
{
	return (real)((bits)x & 0x7fffffffffffffffLL);
}

// A sum in the first lanes of eight, with more.
ALWAYS void add_to(double sum[LANES], real more)
{
	store(sum, load(sum) + more);
}

// ---------------------------------------------------------------- rows and columns

// A matrix of WIDTH rows is turned into its columns, in place.
ALWAYS void turn_over(real m[WIDTH])
{
#if WIDTH == 2
	real low = __builtin_shufflevector(m[0], m[1], 0, 2), high = __builtin_shufflevector(m[0], m[1], 1, 3);
	m[0] = low, m[1] = high;
#elif WIDTH == 4
	real l0 = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6), h0 = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
	real l1 = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6), h1 = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
	m[0] = __builtin_shufflevector(l0, l1, 0, 1, 4, 5);
	m[1] = __builtin_shufflevector(h0, h1, 0, 1, 4, 5);
	m[2] = __builtin_shufflevector(l0, l1, 2, 3, 6, 7);
	m[3] = __builtin_shufflevector(h0, h1, 2, 3, 6, 7);
#else
	real q[8], r[8];
	for (int i = 0; i < 8; i += 2) { // pairs within 128 bits
		q[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
		q[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
	}
	for (int i = 0; i < 8; i += 4) // within 256 bits, for two rows of blocks at a time
		for (int k = 0; k < 2; k++) {
			r[i + k] = __builtin_shufflevector(q[i + k], q[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
			r[i + k + 2] = __builtin_shufflevector(q[i + k], q[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
		}
	for (int k = 0; k < 4; k++) {
		m[k] = __builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
		m[k + 4] = __builtin_shufflevector(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
	}
#endif
}

// ---------------------------------------------------------------- bodies

// A line of a body is CHUNKS pieces of WIDTH doubles: v and 1/m first, then s and k.
enum { CHUNKS = 8/WIDTH, SPIN = 4 };

#if WIDTH == 8
// x plus or minus y, as the sign of each lane says. The product is exact, so a fused operation rounds once, as a sum does: these are
// the bits that all processors have.
ALWAYS real with_sign(real x, real y, real sign)
{
#ifdef __AVX512F__
	return (real)_mm512_fmadd_pd((__m512d)y, (__m512d)sign, (__m512d)x);
#else
	return x + y*sign;
#endif
}

ALWAYS real relative(real a, real b, int chunk)
{
	return (void)chunk, with_sign(b, a, (real){-1, -1, -1, -1, 1, 1, 1, 1});
}
ALWAYS real given(real b, real c, real change, int chunk)
{
	return (void)chunk, with_sign(b, c*change, (real){1, 1, 1, 1, -1, -1, -1, -1});
}
ALWAYS real spread(real line) // 1/m over what moves, k over what turns
{
	return __builtin_shufflevector(line, line, 3, 3, 3, 3, 7, 7, 7, 7);
}
ALWAYS real mobility(const double *line, int chunk) { return (void)chunk, spread(load(line)); }
#else
ALWAYS real relative(real a, real b, int chunk) { return chunk*WIDTH < SPIN ? b - a : b + a; }
ALWAYS real given(real b, real c, real change, int chunk)
{
	return chunk*WIDTH < SPIN ? b + c*change : b - c*change;
}
ALWAYS real mobility(const double *line, int chunk) { return all(line[chunk*WIDTH < SPIN ? 3 : 7]); }
#endif

// vb - va in the first three columns, sa + sb in columns 4 to 6: subtracted in rows, so that only one turn is needed.
ALWAYS void load_relative(const talus_motion *motion, const ends *at, real column[8])
{
	for (int l = 0; l < WIDTH; l++) {
		const double *a = &motion->v.x + at[l].a, *b = &motion->v.x + at[l].b;
		for (int chunk = 0; chunk < CHUNKS; chunk++)
			column[chunk*WIDTH + l] = relative(load(a + chunk*WIDTH), load(b + chunk*WIDTH), chunk);
	}
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
}

// Gives dp (columns 0 to 2, column 3 is 0) and the torque (4 to 6, 7 is 0) to both bodies. 1/m and k are written back
// as they were.
ALWAYS void store_change(talus_motion *motion, const ends *at, real column[8])
{
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
	for (int l = 0; l < WIDTH; l++) {
		double *a = &motion->v.x + at[l].a, *b = &motion->v.x + at[l].b;
		for (int chunk = 0; chunk < CHUNKS; chunk++) {
			real change = column[chunk*WIDTH + l];
			real va = load(a + chunk*WIDTH) - mobility(a, chunk)*change;
			real vb = given(load(b + chunk*WIDTH), mobility(b, chunk), change, chunk);
			store(a + chunk*WIDTH, va);
			store(b + chunk*WIDTH, vb);
		}
	}
}

#endif
