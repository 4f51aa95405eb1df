// SPDX-License-Identifier: MIT
// L U = A + B (W + shift), in blocks of a contact each, pivot by pivot: a pivot gathers its row and column,
// with what the earlier pivots that touch it have to subtract (Crout's order). Rows are exchanged inside a
// block only; the solvers' shift keeps the blocks on the diagonal away from zero.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX;

void delassus_factor_init(delassus_factor *f, const block_matrix *w)
{
	size_t n = w->rows;
	*f = (delassus_factor){.size = w->size, .contacts = n};
	f->order = delassus_zeros(n, sizeof *f->order);
	f->pivot = delassus_zeros(n, sizeof *f->pivot);
	f->place = delassus_zeros(n, sizeof *f->place);
	f->first = delassus_zeros(n + 1, sizeof *f->first);
	f->inverse = delassus_zeros(n*(size_t)(w->size*w->size), sizeof *f->inverse);
	f->in = delassus_zeros(n, sizeof *f->in);
	f->head = delassus_zeros(n, sizeof *f->head);
	f->next = delassus_zeros(n, sizeof *f->next);
	f->at = delassus_zeros(n, sizeof *f->at);
	f->slot = delassus_zeros(n, sizeof *f->slot);
	delassus_order(w, f->order);
}

void delassus_factor_free(delassus_factor *f)
{
	void *all[] = {f->order, f->pivot, f->place, f->first, f->touched, f->lower, f->upper, f->inverse,
		f->in, f->head, f->next, f->at, f->slot};
	for (size_t k = 0; k < sizeof all/sizeof *all; k++)
		memory_free(all[k]);
}

static void grow(delassus_factor *f, size_t needed)
{
	if (needed <= f->room)
		return;
	size_t block = (size_t)(f->size*f->size)*sizeof(double), room = memory_capacity(f->room, needed);
	f->touched = memory_grow(f->touched, f->room*sizeof *f->touched, room*sizeof *f->touched);
	f->lower = memory_grow(f->lower, 0, room*block);
	f->upper = memory_grow(f->upper, 0, room*block);
	f->room = room;
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void choose_pivots(delassus_factor *f, const bool *in)
{
	memcpy(f->in, in, f->contacts*sizeof *in);
	f->pivots = 0;
	for (size_t k = 0; k < f->contacts; k++) {
		uint32_t contact = f->order[k];
		f->place[contact] = in[contact] ? (uint32_t)f->pivots : NONE;
		if (in[contact])
			f->pivot[f->pivots++] = contact;
	}
}

static void touch(delassus_factor *f, size_t k, uint32_t other, size_t *total)
{
	if (other == NONE || other <= k || f->slot[other] == k)
		return;
	f->slot[other] = k;
	f->touched[(*total)++] = other;
}

// Where the factors have blocks: where W has, and where pivots have whose first touched one is this.
static void lay_out(delassus_factor *f, const block_matrix *w, const bool *in)
{
	choose_pivots(f, in);
	for (size_t k = 0; k < f->pivots; k++) {
		f->head[k] = NONE;
		f->slot[k] = SIZE_MAX;
	}
	size_t total = 0;
	for (size_t k = 0; k < f->pivots; k++) {
		uint32_t contact = f->pivot[k];
		f->first[k] = total;
		grow(f, total + f->pivots);
		for (size_t e = w->first[contact]; e < w->first[contact + 1]; e++)
			touch(f, k, f->place[w->column[e]], &total);
		for (uint32_t child = f->head[k]; child != NONE; child = f->next[child])
			for (size_t e = f->first[child]; e < f->first[child + 1]; e++)
				touch(f, k, f->touched[e], &total);
		f->first[k + 1] = total;
		if (total == f->first[k])
			continue;
		qsort(f->touched + f->first[k], total - f->first[k], sizeof *f->touched, ascending);
		uint32_t parent = f->touched[f->first[k]];
		f->next[k] = f->head[parent];
		f->head[parent] = (uint32_t)k;
	}
}

#define INLINE static inline __attribute__((always_inline))

// c -= a b
INLINE void subtract(int n, double *restrict c, const double *restrict a, const double *restrict b)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			for (int j = 0; j < n; j++)
				c[i*n + j] -= a[i*n + k]*b[k*n + j];
}

// c = a b
INLINE void product(int n, double *restrict c, const double *restrict a, const double *restrict b)
{
	for (int i = 0; i < n*n; i++)
		c[i] = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			for (int j = 0; j < n; j++)
				c[i*n + j] += a[i*n + k]*b[k*n + j];
}

// Gauss-Jordan with exchange of rows. A pivot that is nothing beside the block is lifted; who uses the step
// checks it anyway.
INLINE void invert(int n, const double *restrict block, double *restrict inverse)
{
	double m[5][10] = {{0}}, largest = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			m[i][j] = block[i*n + j], m[i][n + j] = i == j;
			largest = fmax(largest, fabs(m[i][j]));
		}
	double least = fmax(1e-14*largest, 1e-300);
	for (int k = 0; k < n; k++) {
		int best = k;
		for (int i = k + 1; i < n; i++)
			if (fabs(m[i][k]) > fabs(m[best][k]))
				best = i;
		for (int j = 0; j < 2*n; j++) {
			double swap = m[k][j];
			m[k][j] = m[best][j], m[best][j] = swap;
		}
		if (fabs(m[k][k]) < least)
			m[k][k] = copysign(least, m[k][k]);
		double scale = 1/m[k][k];
		for (int j = 0; j < 2*n; j++)
			m[k][j] *= scale;
		for (int i = 0; i < n; i++) {
			double factor = i == k ? 0 : m[i][k];
			for (int j = 0; j < 2*n; j++)
				m[i][j] -= factor*m[k][j];
		}
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			inverse[i*n + j] = m[i][n + j];
}

// The row and the column of J that belong to pivot k, into the places of the factors.
INLINE void load(int n, delassus_factor *f, const delassus_jacobian *j, size_t k, double *diagonal)
{
	size_t nn = (size_t)(n*n), contact = f->pivot[k];
	const block_matrix *w = &j->scaled->problem.w;
	const double *a = j->a, *b = j->b;
	memset(f->lower + f->first[k]*nn, 0, (f->first[k + 1] - f->first[k])*nn*sizeof(double));
	memset(f->upper + f->first[k]*nn, 0, (f->first[k + 1] - f->first[k])*nn*sizeof(double));
	for (size_t e = f->first[k]; e < f->first[k + 1]; e++)
		f->slot[f->touched[e]] = e;
	for (size_t e = w->first[contact]; e < w->first[contact + 1]; e++) {
		uint32_t other = w->column[e], place = f->place[other];
		if (place == NONE || place <= k)
			continue;
		product(n, f->upper + f->slot[place]*nn, b + contact*nn, w->value + e*nn);
		product(n, f->lower + f->slot[place]*nn, b + other*nn, w->value + j->scaled->mirror[e]*nn);
	}
	product(n, diagonal, b + contact*nn, w->value + j->scaled->diagonal[contact]*nn);
	for (size_t i = 0; i < nn; i++)
		diagonal[i] += a[contact*nn + i] + j->shift*b[contact*nn + i];
}

// Pivot j, whose next touched one is k, takes its part from row and column k.
INLINE void update(int n, delassus_factor *f, uint32_t j, double *diagonal)
{
	size_t nn = (size_t)(n*n), at = f->at[j];
	const double *left = f->lower + at*nn, *above = f->upper + at*nn;
	subtract(n, diagonal, left, above);
	for (size_t e = at + 1; e < f->first[j + 1]; e++) {
		size_t to = f->slot[f->touched[e]]*nn;
		subtract(n, f->upper + to, left, f->upper + e*nn);
		subtract(n, f->lower + to, f->lower + e*nn, above);
	}
}

static void enlist(delassus_factor *f, uint32_t j)
{
	if (f->at[j] == f->first[j + 1])
		return;
	uint32_t k = f->touched[f->at[j]];
	f->next[j] = f->head[k], f->head[k] = j;
}

INLINE void factor(int n, delassus_factor *f, const delassus_jacobian *jacobian)
{
	size_t nn = (size_t)(n*n);
	for (size_t k = 0; k < f->pivots; k++)
		f->head[k] = NONE;
	for (size_t k = 0; k < f->pivots; k++) {
		double diagonal[25] = {0}, block[25] = {0};
		load(n, f, jacobian, k, diagonal);
		for (uint32_t j = f->head[k], next; j != NONE; j = next) {
			next = f->next[j];
			update(n, f, j, diagonal);
			f->at[j]++;
			enlist(f, j);
		}
		invert(n, diagonal, f->inverse + k*nn);
		for (size_t e = f->first[k]; e < f->first[k + 1]; e++) {
			product(n, block, f->lower + e*nn, f->inverse + k*nn);
			memcpy(f->lower + e*nn, block, nn*sizeof(double));
		}
		f->at[k] = f->first[k];
		enlist(f, (uint32_t)k);
	}
}

void delassus_factor_make(delassus_factor *f, const delassus_jacobian *j)
{
	if (f->touched == NULL || memcmp(j->in, f->in, f->contacts*sizeof *f->in))
		lay_out(f, &j->scaled->problem.w, j->in);
	switch (f->size) {
	case 2: factor(2, f, j); break;
	case 3: factor(3, f, j); break;
	default: factor(5, f, j); break;
	}
}

INLINE void apply(int n, double *restrict y, const double *restrict block, const double *restrict x)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			y[i] -= block[i*n + j]*x[j];
}

INLINE void solve(int n, const delassus_factor *f, double *x)
{
	size_t nn = (size_t)(n*n), s = (size_t)n;
	for (size_t k = 0; k < f->pivots; k++)
		for (size_t e = f->first[k]; e < f->first[k + 1]; e++)
			apply(n, x + f->pivot[f->touched[e]]*s, f->lower + e*nn, x + f->pivot[k]*s);
	for (size_t k = f->pivots; k-- > 0;) {
		double *own = x + f->pivot[k]*s, y[5] = {0};
		for (size_t e = f->first[k]; e < f->first[k + 1]; e++)
			apply(n, own, f->upper + e*nn, x + f->pivot[f->touched[e]]*s);
		apply(n, y, f->inverse + k*nn, own);
		for (int i = 0; i < n; i++)
			own[i] = -y[i];
	}
}

void delassus_factor_solve(const delassus_factor *f, double *x)
{
	switch (f->size) {
	case 2: solve(2, f, x); break;
	case 3: solve(3, f, x); break;
	default: solve(5, f, x); break;
	}
}
