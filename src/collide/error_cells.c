// SPDX-License-Identifier: MIT
// Space cut into boxes of a few grains, by which the solver judges its answers.
#include "collide/collide.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/totals.h"
#include "state/cell.h"

enum { ENOUGH = 2048 };

typedef struct cutting {
	const world_state *st;
	uint32_t *box;
	vec3 low, per_length; // number = (place - low)*per_length, in fractions of the cell along periodic directions
	const talus_error_cells *coarse;
} cutting;

vec3 error_cells_place(const world_state *st, vec3 x)
{
	if (!cell_any(&st->cell))
		return x;
	vec3 f = cell_fraction(&st->cell, x);
	for (int k = 0; k < 3; k++)
		if (!st->cell.periodic[k])
			set_component(&f, k, component(x, k));
	return f;
}

typedef struct crowd { // where grains are along each direction
	vec3 *at;
	size_t count;
	double mean[3], deviation[3];
} crowd;

// A thousand or two of them know it as well as all: those with certain ids.
static void ask_some(const world_state *st, const vec3 *x, crowd *c)
{
	const bodies *b = &st->bodies;
	uint32_t others = 0;
	while (b->count/(others + 1) >= ENOUGH)
		others = 2*others + 1;
	size_t most = b->next_id/(others + 1) + 1;
	c->at = memory_borrow(st->pool, (most < b->count ? most : b->count)*sizeof *c->at);
	for (size_t i = 0; i < b->count; i++)
		if (!(b->id[i] & others))
			c->at[c->count++] = error_cells_place(st, x[i]);
}

// Number, sum and sum of squares along each direction, of those who are not far out.
static void moments(void *job, size_t first, size_t last, totals_part *part)
{
	const crowd *c = job;
	for (size_t i = first; i < last; i++) {
		for (int k = 0; k < 3; k++) {
			double x = component(c->at[i], k);
			if (!(fabs(x - c->mean[k]) <= 3*c->deviation[k]))
				continue;
			part->count[k]++;
			part->term[k][i - first] = x;
			part->term[3 + k][i - first] = x*x;
		}
	}
}

// Where most of the grains are: a uniform bed reaches sqrt(3) standard deviations to either side. A few that flew far away
// spoil the first look, not the third. Who is farther out is counted with the last box.
void error_cells_extent(const world_state *st, const vec3 *x, vec3 *low, vec3 *size)
{
	crowd c = {.deviation = {INFINITY, INFINITY, INFINITY}};
	ask_some(st, x, &c);
	for (int look = 0; look < 3; look++) {
		totals m = totals_of(st->team, c.count, 6, moments, &c);
		for (int k = 0; k < 3; k++) {
			double count = (double)m.count[k];
			c.mean[k] = m.sum[k]/count;
			c.deviation[k] = sqrt(fmax(0, m.sum[3 + k]/count - c.mean[k]*c.mean[k]));
		}
	}
	for (int k = 0; k < 3; k++) {
		set_component(low, k, st->cell.periodic[k] ? 0 : c.mean[k] - 1.8*c.deviation[k]);
		set_component(size, k, st->cell.periodic[k] ? cell_height(&st->cell, k) : 3.6*c.deviation[k]);
	}
}

enum { COARSE_MOST = 4096 };
static const double coarse_edge = 4; // mean diameters

// As many halvings as leave a few grains in a box.
static int halvings(double size, double diameter)
{
	double fit = size/(coarse_edge*diameter);
	int n = 0;
	while (n < 10 && fit >= 2) {
		fit /= 2;
		n++;
	}
	return n;
}

static void coarse_some(void *job, size_t first, size_t last)
{
	const cutting *c = job;
	const talus_error_cells *coarse = c->coarse;
	for (size_t i = first; i < last; i++) {
		vec3 x = error_cells_place(c->st, c->st->bodies.x[i]);
		uint32_t box = 0;
		for (int k = 2; k >= 0; k--) {
			double f = (component(x, k) - component(c->low, k))*component(c->per_length, k), last_one = coarse->side[k] - 1;
			f = f > 0 ? f : 0; // also what is no number
			box = box*(uint32_t)coarse->side[k] + (uint32_t)(f < last_one ? f : last_one);
		}
		c->box[i] = box;
	}
}

talus_error_cells error_cells_make(const world_state *st, size_t rows, uint32_t *box)
{
	talus_error_cells coarse = {.dimension = st->def.dimension, .bodies = st->bodies.count, .diameter = 2*st->mean_radius};
	cutting c = {.st = st, .coarse = &coarse};
	vec3 size;
	error_cells_extent(st, st->bodies.x, &c.low, &size);
	int n[3] = {0, 0, 0}, all = 0;
	for (int k = 0; k < coarse.dimension; k++)
		all += n[k] = halvings(component(size, k), coarse.diameter);
	while (1 << all > COARSE_MOST || (all > 0 && (size_t)1 << all > rows/8)) {
		int longest = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
		n[longest]--;
		all--;
	}
	for (int k = 0; k < 3; k++) {
		double length = k < coarse.dimension ? fmax(component(size, k), coarse.diameter) : coarse.diameter;
		coarse.side[k] = 1 << n[k];
		coarse.edge[k] = length/coarse.side[k];
		double span = st->cell.periodic[k] ? 1 : fmax(component(size, k), 1e-300);
		set_component(&c.per_length, k, coarse.side[k]/span);
	}
	coarse.box = c.box = box;
	parallel_for(st->team, coarse.bodies, PARALLEL_BLOCK, coarse_some, &c);
	return coarse;
}
