// SPDX-License-Identifier: MIT
// Two frames of the same grains: how far apart the grains are, which contacts they share, and how far forces differ in those.
#include "compare.h"

#include "base/memory.h"
#include "state/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- who is who

typedef struct who {
	uint32_t id;
	size_t row;
} who;

static int who_order(const void *a, const void *b)
{
	uint32_t x = ((const who *)a)->id, y = ((const who *)b)->id;
	return (x > y) - (x < y);
}

static who *by_id(const frame *f)
{
	who *list = memory_grow(NULL, 0, (f->grains + 1)*sizeof *list);
	for (size_t i = 0; i < f->grains; i++)
		list[i] = (who){f->id[i], i};
	qsort(list, f->grains, sizeof *list, who_order);
	return list;
}

static const char *others(const frame *a, const frame *b, const who *in_a, const who *in_b)
{
	if (a->dimension != b->dimension)
		return "one is in 2D, the other in 3D";
	if (a->grains != b->grains)
		return "their numbers differ";
	for (size_t i = 0; i < a->grains; i++) {
		double x = a->radius[in_a[i].row], y = b->radius[in_b[i].row];
		if (in_a[i].id != in_b[i].id)
			return "their ids differ";
		if (fabs(x - y) > 1e-12*fmax(x, y))
			return "their radii differ";
	}
	return a->grains ? NULL : "there are none";
}

// ---------------------------------------------------------------- places

static cell cell_of(const frame *f)
{
	cell c;
	cell_init(&c, &(talus_cell_def){.origin = vec(f->origin[0], f->origin[1], f->origin[2]), .size = vec(1, 1, 1),
	                                .periodic = {f->periodic[0], f->periodic[1], f->periodic[2]}});
	memcpy(c.h, f->cell, sizeof c.h);
	cell_update(&c);
	return c;
}

static void places_compare(const frame *a, const frame *b, const who *in_a, const who *in_b, double diameter, grains_compared *found)
{
	cell c = cell_of(a);
	double sum = 0;
	for (size_t i = 0; i < a->grains; i++) {
		const double *x = a->x[in_a[i].row], *y = b->x[in_b[i].row];
		vec3 apart = cell_nearest(&c, vec(y[0] - x[0], y[1] - x[1], y[2] - x[2]));
		sum += dot(apart, apart);
		found->most = fmax(found->most, norm(apart)/diameter);
	}
	found->rms = sqrt(sum/(double)a->grains)/diameter;
}

// ---------------------------------------------------------------- contacts

typedef struct pair_force {
	int64_t a, b;
	double normal;
} pair_force;

static int pair_order(const void *left, const void *right)
{
	const pair_force *x = left, *y = right;
	return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

// One entry a pair, also where it touches twice, through a periodic cell. Walls have numbers, which mean something to frames with the
// same number of them.
static pair_force *pairs_of(const frame *f, bool walls, size_t *count)
{
	pair_force *list = memory_grow(NULL, 0, (f->contacts + 1)*sizeof *list);
	size_t all = 0;
	for (size_t i = 0; i < f->contacts; i++) {
		const double *n = f->n[i], *force = f->force[i];
		if (walls || (f->body[i][0] >= 0 && f->body[i][1] >= 0))
			list[all++] = (pair_force){f->body[i][0], f->body[i][1], n[0]*force[0] + n[1]*force[1] + n[2]*force[2]};
	}
	qsort(list, all, sizeof *list, pair_order);
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		if (*count > 0 && pair_order(&list[*count - 1], &list[i]) == 0)
			list[*count - 1].normal += list[i].normal;
		else
			list[(*count)++] = list[i];
	}
	return list;
}

typedef struct force_sums { // over common contacts
	double n, a, b, aa, bb, ab;
	double apart, middle; // squares of differences and of means: from the others they would come with their rounding
} force_sums;

static force_sums common_forces(const pair_force *a, size_t count_a, const pair_force *b, size_t count_b)
{
	force_sums s = {0};
	for (size_t i = 0, j = 0; i < count_a && j < count_b;) {
		int order = pair_order(&a[i], &b[j]);
		if (order == 0) {
			double x = a[i].normal, y = b[j].normal;
			s = (force_sums){s.n + 1,      s.a + x,    s.b + y,                     s.aa + x*x,
			                 s.bb + y*y, s.ab + x*y, s.apart + (y - x)*(y - x), s.middle + 0.25*(x + y)*(x + y)};
		}
		i += order <= 0;
		j += order >= 0;
	}
	return s;
}

static void contacts_compare(const frame *a, const frame *b, grains_compared *found)
{
	bool walls = a->walls == b->walls;
	pair_force *in_a = pairs_of(a, walls, &found->contacts[A]), *in_b = pairs_of(b, walls, &found->contacts[B]);
	force_sums s = common_forces(in_a, found->contacts[A], in_b, found->contacts[B]);
	found->common = (size_t)s.n;
	found->together = found->contacts[A] + found->contacts[B] - found->common;
	found->force_rms = s.middle > 0 ? sqrt(s.apart/s.middle) : NAN;
	double va = s.aa - s.a*s.a/s.n, vb = s.bb - s.b*s.b/s.n;
	found->correlation = found->common > 1 && va > 0 && vb > 0 ? (s.ab - s.a*s.b/s.n)/sqrt(va*vb) : NAN;
	memory_free(in_a);
	memory_free(in_b);
}

grains_compared grains_compare(const frame *a, const frame *b, double diameter)
{
	grains_compared found = {.force_rms = NAN, .correlation = NAN};
	who *in_a = by_id(a), *in_b = by_id(b);
	found.others = others(a, b, in_a, in_b);
	if (!found.others) {
		places_compare(a, b, in_a, in_b, diameter, &found);
		contacts_compare(a, b, &found);
	}
	memory_free(in_a);
	memory_free(in_b);
	return found;
}
