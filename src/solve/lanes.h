// SPDX-License-Identifier: MIT
// Numbers of WIDTH contacts (base/columns.h) to and from batches, and the lines of their bodies to and from columns.
#ifndef TALUS_SOLVE_LANES_H
#define TALUS_SOLVE_LANES_H

#include "base/columns.h"
#include "solve/kernel.h"

#include <math.h>
#include <string.h>

#if WIDTH == 1
#define LANE(x, l) ((void)(l), (x))
typedef double reals_loose;
#else
#define LANE(x, l) ((x)[l])
typedef reals reals_loose __attribute__((aligned(8))); // anywhere in memory
#endif

ALWAYS reals load(const double *from)
{
	return *(const reals_loose *)from;
}

ALWAYS void store(double *to, reals x)
{
	*(reals_loose *)to = x;
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

// A sum in the first lanes of eight, with more.
ALWAYS void add_to(double sum[LANES], reals more)
{
	store(sum, load(sum) + more);
}

// ---------------------------------------------------------------- rows and columns

// A matrix of WIDTH rows is turned into its columns, in place.
ALWAYS void turn_over(reals m[WIDTH])
{
#if WIDTH == 1
	(void)m;
#elif WIDTH == 2
	reals low = __builtin_shufflevector(m[0], m[1], 0, 2), high = __builtin_shufflevector(m[0], m[1], 1, 3);
	m[0] = low, m[1] = high;
#elif WIDTH == 4
	reals l0 = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6), h0 = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
	reals l1 = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6), h1 = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
	m[0] = __builtin_shufflevector(l0, l1, 0, 1, 4, 5);
	m[1] = __builtin_shufflevector(h0, h1, 0, 1, 4, 5);
	m[2] = __builtin_shufflevector(l0, l1, 2, 3, 6, 7);
	m[3] = __builtin_shufflevector(h0, h1, 2, 3, 6, 7);
#else
	reals q[8], r[8];
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
ALWAYS reals with_sign(reals x, reals y, reals sign)
{
#ifdef __AVX512F__
	return (reals)_mm512_fmadd_pd((__m512d)y, (__m512d)sign, (__m512d)x);
#else
	return x + y*sign;
#endif
}

ALWAYS reals relative(reals a, reals b, int chunk)
{
	return (void)chunk, with_sign(b, a, (reals){-1, -1, -1, -1, 1, 1, 1, 1});
}
ALWAYS reals given(reals b, reals c, reals change, int chunk)
{
	return (void)chunk, with_sign(b, c*change, (reals){1, 1, 1, 1, -1, -1, -1, -1});
}
ALWAYS reals spread(reals line) // 1/m over what moves, k over what turns
{
	return __builtin_shufflevector(line, line, 3, 3, 3, 3, 7, 7, 7, 7);
}
ALWAYS reals mobility(const double *line, int chunk) { return (void)chunk, spread(load(line)); }
#else
ALWAYS reals relative(reals a, reals b, int chunk) { return chunk*WIDTH < SPIN ? b - a : b + a; }
ALWAYS reals given(reals b, reals c, reals change, int chunk)
{
	return chunk*WIDTH < SPIN ? b + c*change : b - c*change;
}
ALWAYS reals mobility(const double *line, int chunk) { return all(line[chunk*WIDTH < SPIN ? 3 : 7]); }
#endif

// vb - va in the first three columns, sa + sb in columns 4 to 6: subtracted in rows, so that only one turn is needed.
ALWAYS void load_relative(const talus_solver_body *motion, const contact_bodies *at, reals column[8])
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
ALWAYS void store_change(talus_solver_body *motion, const contact_bodies *at, reals column[8])
{
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
	for (int l = 0; l < WIDTH; l++) {
		double *a = &motion->v.x + at[l].a, *b = &motion->v.x + at[l].b;
		for (int chunk = 0; chunk < CHUNKS; chunk++) {
			reals change = column[chunk*WIDTH + l];
			reals va = load(a + chunk*WIDTH) - mobility(a, chunk)*change;
			reals vb = given(load(b + chunk*WIDTH), mobility(b, chunk), change, chunk);
			store(a + chunk*WIDTH, va);
			store(b + chunk*WIDTH, vb);
		}
	}
}

// Part i of the groups: which group, and its first lane.
typedef struct position {
	size_t group;
	int lane;
} position;

static inline position position_of(size_t i)
{
	enum { PARTS = LANES/WIDTH };
	return (position){i/PARTS, (int)(i%PARTS)*WIDTH};
}

#endif
