// SPDX-License-Identifier: MIT
// Problems with bodies beside contacts become problems of contacts alone: W = H^T M^-1 H, q = H^T M^-1 f + w.
//
// M falls into pieces that know nothing of each other (bodies). Each piece is factorised by itself, with a sparse LU
// (KLU: M need not be symmetric), and solved only for the contacts that it has, so W stays sparse.
#include "delassus/delassus.h"

#include "base/error.h"
#include "base/memory.h"

#include <klu.h>
#include <string.h>

// ---------------------------------------------------------------- sorting

static void *room(size_t count, size_t size)
{
	void *block = memory_grow(NULL, 0, count*size + 1);
	memset(block, 0, count*size);
	return block;
}

// What is in `order` (NULL: as it is) by rising key below `keys`; equal ones keep their order. Frees `order`.
static size_t *sorted(const uint32_t *key, size_t count, size_t keys, size_t *order)
{
	size_t *next = room(keys + 1, sizeof *next), *out = room(count, sizeof *out);
	for (size_t i = 0; i < count; i++)
		next[key[i] + 1]++;
	for (size_t k = 0; k < keys; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < count; i++) {
		size_t entry = order ? order[i] : i;
		out[next[key[entry]]++] = entry;
	}
	memory_free(next);
	memory_free(order);
	return out;
}

// ---------------------------------------------------------------- pieces

typedef struct pieces {
	size_t count;
	uint32_t *of;    // the piece of each row of M
	uint32_t *place; // of each row, within its piece
	size_t *size;
} pieces;

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static pieces pieces_find(const sparse_entries *m)
{
	size_t n = m->rows;
	uint32_t *parent = room(n, sizeof *parent);
	pieces p = {0, room(n, sizeof *p.of), room(n, sizeof *p.place), room(n, sizeof *p.size)};
	for (size_t i = 0; i < n; i++)
		parent[i] = (uint32_t)i;
	for (size_t k = 0; k < m->count; k++) {
		if (m->value[k] == 0)
			continue;
		uint32_t a = root_of(parent, m->row[k]), b = root_of(parent, m->column[k]);
		parent[a > b ? a : b] = a > b ? b : a; // the root is the lowest
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t root = root_of(parent, (uint32_t)i);
		p.of[i] = root == i ? (uint32_t)p.count++ : p.of[root];
		p.place[i] = (uint32_t)p.size[p.of[i]]++;
	}
	memory_free(parent);
	return p;
}

static void pieces_free(pieces *p)
{
	memory_free(p->of);
	memory_free(p->place);
	memory_free(p->size);
}

typedef struct shares { // entries of a matrix, piece by piece, within a piece by column
	const sparse_entries *entries;
	size_t *order, *first;
} shares;

static shares shares_of(const sparse_entries *e, const pieces *p)
{
	uint32_t *piece = room(e->count, sizeof *piece);
	shares s = {e, NULL, room(p->count + 1, sizeof *s.first)};
	for (size_t k = 0; k < e->count; k++) {
		piece[k] = p->of[e->row[k]];
		s.first[piece[k] + 1]++;
	}
	for (size_t i = 0; i < p->count; i++)
		s.first[i + 1] += s.first[i];
	s.order = sorted(e->row, e->count, e->rows, NULL);
	s.order = sorted(e->column, e->count, e->columns, s.order);
	s.order = sorted(piece, e->count, p->count, s.order);
	memory_free(piece);
	return s;
}

static void shares_free(shares *s)
{
	memory_free(s->order);
	memory_free(s->first);
}

// ---------------------------------------------------------------- one piece

typedef struct factors {
	int size;
	int *p, *i;
	double *x;
	klu_common common;
	klu_symbolic *symbolic;
	klu_numeric *numeric;
} factors;

static void factors_free(factors *f)
{
	klu_free_numeric(&f->numeric, &f->common);
	klu_free_symbolic(&f->symbolic, &f->common);
	memory_free(f->p);
	memory_free(f->i);
	memory_free(f->x);
}

// False if M is singular.
static bool factors_make(factors *f, const shares *m, const pieces *p, size_t piece)
{
	size_t first = m->first[piece], last = m->first[piece + 1], count = 0;
	memset(f, 0, sizeof *f);
	f->size = (int)p->size[piece];
	f->p = room(p->size[piece] + 1, sizeof *f->p);
	f->i = room(last - first, sizeof *f->i);
	f->x = room(last - first, sizeof *f->x);
	uint32_t row_before = UINT32_MAX, column_before = UINT32_MAX;
	for (size_t k = first; k < last; k++) {
		size_t entry = m->order[k];
		uint32_t row = p->place[m->entries->row[entry]], column = p->place[m->entries->column[entry]];
		if (m->entries->value[entry] == 0)
			continue; // a zero may stand between two pieces
		if (row == row_before && column == column_before) {
			f->x[count - 1] += m->entries->value[entry];
			continue;
		}
		f->i[count] = (int)row;
		f->x[count++] = m->entries->value[entry];
		f->p[column + 1] = (int)count;
		row_before = row;
		column_before = column;
	}
	for (int k = 0; k < f->size; k++)
		f->p[k + 1] = f->p[k + 1] > f->p[k] ? f->p[k + 1] : f->p[k];
	klu_defaults(&f->common);
	f->symbolic = klu_analyze(f->size, f->p, f->i, &f->common);
	f->numeric = f->symbolic ? klu_factor(f->p, f->i, f->x, f->symbolic, &f->common) : NULL;
	return f->numeric && f->common.status == KLU_OK;
}

typedef struct condenser {
	const pieces *pieces;
	const shares *h;
	delassus_problem *problem;
	sparse_entries w;
	double *x; // of the largest piece
} condenser;

// H^T x of one piece, from entry `k` on as long as the column is the same; `k` goes on to the next column.
static double column_times(const condenser *c, size_t last, size_t *k)
{
	const sparse_entries *h = c->h->entries;
	uint32_t column = h->column[c->h->order[*k]];
	double sum = 0;
	for (; *k < last && h->column[c->h->order[*k]] == column; ++*k) {
		size_t entry = c->h->order[*k];
		sum += h->value[entry]*c->x[c->pieces->place[h->row[entry]]];
	}
	return sum;
}

// The columns of W that contacts of this piece give it.
static void piece_add(condenser *c, factors *f, size_t piece)
{
	const sparse_entries *h = c->h->entries;
	size_t first = c->h->first[piece], last = c->h->first[piece + 1], end;
	for (size_t k = first; k < last; k = end) {
		uint32_t column = h->column[c->h->order[k]];
		memset(c->x, 0, sizeof(double)*(size_t)f->size);
		for (end = k; end < last && h->column[c->h->order[end]] == column; end++)
			c->x[c->pieces->place[h->row[c->h->order[end]]]] += h->value[c->h->order[end]];
		klu_solve(f->symbolic, f->numeric, f->size, 1, c->x, &f->common);
		for (size_t other = first; other < last;) {
			c->w.row[c->w.count] = h->column[c->h->order[other]];
			c->w.column[c->w.count] = column;
			c->w.value[c->w.count++] = column_times(c, last, &other);
		}
	}
}

// Its part of q; x holds f of the piece.
static void piece_add_free(condenser *c, factors *f, size_t piece)
{
	size_t first = c->h->first[piece], last = c->h->first[piece + 1];
	klu_solve(f->symbolic, f->numeric, f->size, 1, c->x, &f->common);
	for (size_t k = first; k < last;) {
		uint32_t column = c->h->entries->column[c->h->order[k]];
		c->problem->q[column] += column_times(c, last, &k);
	}
}

// ---------------------------------------------------------------- all

// How many entries W gets: each piece the square of its columns.
static size_t w_count(const shares *h, const pieces *p)
{
	const uint32_t *column = h->entries->column;
	size_t all = 0;
	for (size_t i = 0; i < p->count; i++) {
		size_t columns = 0;
		for (size_t k = h->first[i]; k < h->first[i + 1]; k++)
			columns += k == h->first[i] || column[h->order[k]] != column[h->order[k - 1]];
		all += columns*columns;
	}
	return all;
}

static bool condense(condenser *c, const shares *m, const double *f)
{
	size_t n = m->entries->rows;
	size_t *order = sorted(c->pieces->of, n, c->pieces->count, NULL), at = 0;
	bool ok = true;
	for (size_t i = 0; i < c->pieces->count && ok; at += c->pieces->size[i], i++) {
		if (c->h->first[i] == c->h->first[i + 1])
			continue;
		factors lu;
		ok = factors_make(&lu, m, c->pieces, i);
		if (ok) {
			for (size_t k = 0; k < c->pieces->size[i]; k++)
				c->x[k] = f[order[at + k]];
			piece_add_free(c, &lu, i);
			piece_add(c, &lu, i);
		}
		factors_free(&lu);
	}
	memory_free(order);
	return ok;
}

bool delassus_condense(delassus_problem *problem, const sparse_entries *m, const sparse_entries *h, const double *f, const double *w,
                   talus_error *error)
{
	pieces p = pieces_find(m);
	shares of_m = shares_of(m, &p), of_h = shares_of(h, &p);
	size_t unknowns = problem->contacts*(size_t)problem->size, most = w_count(&of_h, &p);
	condenser c = {.pieces = &p, .h = &of_h, .problem = problem, .x = room(m->rows, sizeof(double))};
	c.w = (sparse_entries){.rows = unknowns, .columns = unknowns, .row = room(most, sizeof *c.w.row),
		.column = room(most, sizeof *c.w.column), .value = room(most, sizeof *c.w.value)};
	memcpy(problem->q, w, unknowns*sizeof *w);
	bool ok = condense(&c, &of_m, f) || error_set(error, "the mass matrix M is singular");
	if (ok)
		delassus_problem_set_w(problem, &c.w);
	sparse_entries_free(&c.w);
	memory_free(c.x);
	shares_free(&of_m);
	shares_free(&of_h);
	pieces_free(&p);
	return ok;
}
