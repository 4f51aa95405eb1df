// SPDX-License-Identifier: MIT
// Rich contacts to and from batches.
#include "solve/kernel.h"

void rich_batch_clear(rich_batch *b, uint32_t nobody)
{
	*b = (rich_batch){0};
	for (int l = 0; l < LANES; l++)
		b->at[l] = (ends){nobody, nobody};
}

static void put(double column[3][LANES], uint32_t lane, talus_vec3 a)
{
	column[0][lane] = a.x, column[1][lane] = a.y, column[2][lane] = a.z;
}

static talus_vec3 get(const double column[3][LANES], uint32_t lane)
{
	return (talus_vec3){column[0][lane], column[1][lane], column[2][lane]};
}

void rich_batch_put(rich_batch *b, uint32_t lane, ends at, const talus_contact *c, const talus_rich *r)
{
	b->at[lane] = at;
	put(b->n, lane, c->n);
	put(b->target, lane, r->target);
	put(b->turning, lane, r->turning);
	put(b->p, lane, c->p);
	put(b->q, lane, r->q);
	b->mass_n[lane] = c->mass_n, b->mass_t[lane] = c->mass_t;
	b->slack[lane] = r->slack, b->pull[lane] = r->pull;
	b->mu[lane] = c->mu, b->mu_stick[lane] = r->mu_stick, b->mu_slide[lane] = r->mu_slide;
	b->roll[lane] = r->roll, b->twist[lane] = r->twist, b->inertia[lane] = r->inertia;
	b->span[lane] = r->span;
	b->curve_a[lane] = r->curve_a, b->curve_b[lane] = r->curve_b, b->couple[lane] = r->couple;
}

void rich_batch_take(const rich_batch *b, uint32_t lane, talus_contact *c, talus_rich *r)
{
	c->p = get(b->p, lane);
	c->mu = b->mu[lane];
	r->q = get(b->q, lane);
}
