// SPDX-License-Identifier: MIT
// A proof that a contact problem has no solution. For any weights d >= 0 of the contacts' normals and any solution,
//
//     0 <= d.u_N = d.q_N + (W^T d).r,   so   |r| >= -d.q_N/|W^T d|
//
// and if the right side is beyond all bounds (Farkas: W^T d = 0, d.q_N < 0) there is none. Such d are where the problem
// without friction, lowest x.A x/2 + q_N.x over x >= 0 with A = W_NN, has no bottom: then steps of a proximal loop,
//
//     x' = lowest x.A x/2 + q_N.x + sigma |x - x_old|^2/2,
//
// do not end but tend to one and the same d (Pazy 1971). After a few of them it is clear which contacts have a part in d, and
// conjugate gradients take away what A does not make zero. W in even units, A with a diagonal of 1. What friction alone
// makes impossible (Painleve's paradox with a singular W) is not found.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { STEPS = 8, NEWTON_STEPS = 200, POLISH_STEPS = 100 };
static const double sigma = 1e-3, beyond_bounds = 1e10;

// The unit of each normal that makes the diagonal of A 1.
static double *normal_units(const delassus_problem *of)
{
	size_t n = (size_t)of->size;
	double *unit = delassus_zeros(of->contacts, sizeof *unit);
	for (size_t i = 0; i < of->contacts; i++) {
		double own = of->w.value[block_matrix_find(&of->w, i, (uint32_t)i)*n*n];
		unit[i] = own > 0 ? 1/sqrt(own) : 1;
	}
	return unit;
}

// The problem without friction, as one in 2D whose tangents are by themselves. Mirror images that the scaled W has room
// for come along as zeros.
static void normals_init(delassus_problem *normals, const delassus_problem *of, const double *unit)
{
	size_t n = (size_t)of->size, blocks = of->w.first[of->contacts], count = 0;
	sparse_entries w = {.rows = 2*of->contacts, .columns = 2*of->contacts};
	w.row = delassus_zeros(blocks + 2*of->contacts, sizeof *w.row);
	w.column = delassus_zeros(blocks + 2*of->contacts, sizeof *w.column);
	w.value = delassus_zeros(blocks + 2*of->contacts, sizeof *w.value);
	for (size_t i = 0; i < of->contacts; i++) {
		for (size_t e = of->w.first[i]; e < of->w.first[i + 1]; e++, count++) {
			w.row[count] = (uint32_t)(2*i);
			w.column[count] = 2*of->w.column[e];
			w.value[count] = unit[i]*of->w.value[e*n*n]*unit[of->w.column[e]];
		}
		for (uint32_t k = 0; k < 2; k++, count++) {
			w.row[count] = w.column[count] = (uint32_t)(2*i) + k;
			w.value[count] = k == 0 ? sigma : 1;
		}
	}
	w.count = count;
	delassus_problem_init(normals, 2, of->contacts);
	delassus_problem_set_w(normals, &w);
	sparse_entries_free(&w);
}

// What weights d (contacts) prove: how many |q| any solution has at least. Rounding of W^T d counts against it; where there is
// nothing but rounding, W as it stands in the file moves none of them, and a clear d.q_N < 0 is proof enough.
static double bound_of(const delassus_problem *even, const double *d)
{
	size_t n = (size_t)even->size, count = even->contacts*n;
	double *across = delassus_zeros(count, sizeof *across), *size = delassus_zeros(count, sizeof *size);
	double closing = 0, moved = 0, rounding = 0, q = 0, all = 0;
	for (size_t i = 0; i < even->contacts; i++) {
		closing -= d[i]*even->q[i*n];
		all += d[i]*d[i];
		for (size_t e = even->w.first[i]; e < even->w.first[i + 1]; e++)
			for (size_t k = 0; k < n; k++) {
				double part = d[i]*even->w.value[e*n*n + k];
				across[even->w.column[e]*n + k] += part;
				size[even->w.column[e]*n + k] += fabs(part);
			}
	}
	for (size_t k = 0; k < count; k++) {
		moved += across[k]*across[k];
		rounding += size[k]*size[k];
		q += even->q[k]*even->q[k];
	}
	memory_free(across);
	memory_free(size);
	if (!(closing > 1e-9*sqrt(q*all))) // rounding of the sum
		return 0;
	if (sqrt(moved) <= 2e-15*sqrt(rounding) && closing > 1e-7*sqrt(q*all))
		return INFINITY;
	return closing/((sqrt(moved) + 1e-15*sqrt(rounding))*sqrt(q));
}

static delassus_proof proof_of(const double *d, size_t contacts, double least)
{
	delassus_proof proof = {.least = least};
	double most = 0;
	for (size_t i = 0; i < contacts; i++)
		most = fmax(most, d[i]);
	for (size_t i = 0; i < contacts; i++) {
		if (!(d[i] > 1e-6*most))
			continue;
		if (proof.contacts < sizeof proof.contact/sizeof proof.contact[0])
			proof.contact[proof.contacts] = i;
		proof.contacts++;
	}
	return proof;
}

// y = A x among the contacts that are in.
static void normals_times(const delassus_problem *normals, const bool *in, const double *x, double *y)
{
	const block_matrix *w = &normals->w;
	for (size_t i = 0; i < normals->contacts; i++) {
		y[i] = 0;
		for (size_t e = w->first[i]; in[i] && e < w->first[i + 1]; e++)
			y[i] += in[w->column[e]] ? (w->value[e*4] - (w->column[e] == i ? sigma : 0))*x[w->column[e]] : 0;
	}
}

static double dot(const double *a, const double *b, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += a[i]*b[i];
	return sum;
}

// Conjugate gradients for A d = 0 among the contacts that are in, from d on: they end at the nearest such. room: 3 of
// the size of d.
static void descend(const delassus_problem *normals, const bool *in, double *d, double *room)
{
	size_t count = normals->contacts;
	double *rest = room, *way = room + count, *moved = room + 2*count;
	normals_times(normals, in, d, moved);
	for (size_t i = 0; i < count; i++)
		way[i] = rest[i] = -moved[i];
	double square = dot(rest, rest, count), enough = 1e-32*dot(d, d, count);
	for (int step = 0; step < POLISH_STEPS && square > enough; step++) {
		normals_times(normals, in, way, moved);
		double stiff = dot(way, moved, count), last = square;
		if (!(stiff > 0))
			break;
		for (size_t i = 0; i < count; i++) {
			d[i] += square/stiff*way[i];
			rest[i] -= square/stiff*moved[i];
		}
		square = dot(rest, rest, count);
		for (size_t i = 0; i < count; i++)
			way[i] = rest[i] + square/last*way[i];
	}
}

// Takes from d what A does not make zero, in three passes, since rounding adds up on the way.
static void polish(const delassus_problem *normals, double *d)
{
	size_t count = normals->contacts;
	double *room = delassus_zeros(3*count, sizeof *room), most = 0;
	bool *in = delassus_zeros(count, sizeof *in);
	for (size_t i = 0; i < count; i++)
		most = fmax(most, d[i]);
	for (size_t i = 0; i < count; i++) {
		in[i] = d[i] > 1e-6*most;
		d[i] = in[i] ? d[i] : 0;
	}
	for (int pass = 0; pass < 3; pass++)
		descend(normals, in, d, room);
	for (size_t i = 0; i < count; i++)
		d[i] = fmax(0, d[i]);
	memory_free(room);
	memory_free(in);
}

// The better of d as it is and polished, which goes to `answer`, in even units.
static double judge(const delassus_problem *even, const delassus_problem *normals, const double *unit, const double *d,
	double *answer)
{
	for (size_t i = 0; i < even->contacts; i++)
		answer[i] = unit[i]*d[i];
	double least = bound_of(even, answer);
	if (least > beyond_bounds)
		return least;
	memcpy(answer, d, even->contacts*sizeof *d);
	polish(normals, answer);
	for (size_t i = 0; i < even->contacts; i++)
		answer[i] *= unit[i];
	return bound_of(even, answer);
}

static delassus_proof proof_in(const delassus_problem *even, delassus_problem *normals, const double *unit)
{
	size_t n = (size_t)even->size, contacts = even->contacts;
	double *x = delassus_zeros(2*contacts, sizeof *x), *was = delassus_zeros(2*contacts, sizeof *was);
	double *d = delassus_zeros(contacts, sizeof *d), *answer = delassus_zeros(contacts, sizeof *answer), least = 0;
	delassus_options wish = {.tolerance = 1e-13, .iterations = NEWTON_STEPS};
	for (int step = 0; step < STEPS && !(least > beyond_bounds); step++) {
		for (size_t i = 0; i < contacts; i++)
			normals->q[2*i] = unit[i]*even->q[i*n] - sigma*x[2*i];
		memcpy(was, x, 2*contacts*sizeof *x);
		for (size_t i = 0; i < contacts; i++) // as far again as last time
			x[2*i] += d[i];
		delassus_newton(normals, &wish, x);
		for (size_t i = 0; i < contacts; i++)
			d[i] = fmax(0, x[2*i] - was[2*i]);
		least = judge(even, normals, unit, d, answer);
	}
	delassus_proof proof = least > beyond_bounds ? proof_of(answer, contacts, least) : (delassus_proof){0};
	memory_free(x);
	memory_free(was);
	memory_free(d);
	memory_free(answer);
	return proof;
}

static delassus_proof find(const delassus_problem *problem)
{
	delassus_scaled even;
	delassus_problem normals;
	delassus_scaled_init(&even, problem);
	double *unit = normal_units(&even.problem);
	normals_init(&normals, &even.problem, unit);
	delassus_proof proof = proof_in(&even.problem, &normals, unit);
	delassus_problem_free(&normals);
	memory_free(unit);
	delassus_scaled_free(&even);
	return proof;
}

delassus_proof delassus_proof_find(const delassus_problem *problem)
{
	delassus_range range;
	if (!delassus_range_init(&range, problem))
		return find(problem);
	delassus_proof proof = find(&range.problem);
	delassus_range_free(&range);
	return proof;
}
