// SPDX-License-Identifier: MIT
// Contacts with nothing but volume exclusion and friction, between bodies with isotropic masses: the law is law/coulomb_text.h, the loops
// are made of solve/sweep_text.h.
#include "solve/classes.h"

#include "law/coulomb.h"

#include <string.h>

// ---------------------------------------------------------------- batches

static void clear(void *to, uint32_t dummy_body)
{
	batch_clear(to, dummy_body);
}

static inline void put_one(batch *b, uint32_t lane, contact_bodies at, const talus_problem *problem, size_t i)
{
	batch_put(b, lane, at, problem->contact[i].n, &problem->row[i], problem->p[i]);
}

static void put(void *to, uint32_t lane, contact_bodies at, const talus_problem *problem, size_t i)
{
	put_one(to, lane, at, problem, i);
}

static void put_some(void *to, const uint32_t *place, const contact_bodies *at, const talus_problem *problem, size_t first, size_t last)
{
	batch *b = to;
	for (size_t i = first; i < last; i++)
		put_one(&b[place[i]/LANES], place[i]%LANES, at[i], problem, i);
}

static void take_some(const void *from, const uint32_t *place, const talus_problem *problem, size_t first, size_t last)
{
	const batch *b = from;
	for (size_t i = first; i < last; i++)
		problem->p[i] = batch_impulse(&b[place[i]/LANES], place[i]%LANES);
}

static void put_row(void *to, const uint32_t *row, size_t count, const contact_bodies *at, const talus_problem *problem)
{
	batch *b = to;
	for (uint32_t i = 0; i < count; i++)
		put_one(&b[i/LANES], i%LANES, at[row[i]], problem, row[i]);
}

static void take_row(const void *from, const uint32_t *row, size_t count, const talus_problem *problem)
{
	const batch *b = from;
	for (uint32_t i = 0; i < count; i++)
		problem->p[row[i]] = batch_impulse(&b[i/LANES], i%LANES);
}

static impulse read(const void *from, uint32_t lane)
{
	const batch *b = from;
	return (impulse){.p = batch_impulse(b, lane), .mu = b->mu[lane]};
}

static void scale(void *of, double a)
{
	batch *b = of;
	for (int k = 0; k < 3; k++)
		for (int l = 0; l < LANES; l++)
			b->p[k][l] *= a;
}

// ---------------------------------------------------------------- sweeps

static bool sweep(const class_sweep *w, const batch_span *at, size_t spans)
{
	batch *b = w->batch;
	if (w->past)
		w->loops->accelerated_sweep(b, at, spans, w->motion, w->far, w->past, w->beta, w->coarse, w->sum);
	else if (w->rule)
		return w->loops->sweep_watched(b + at->first, at->count, w->motion, *w->rule);
	else
		w->loops->sweep(b, at, spans, w->motion, w->far);
	return true;
}

static void give(const class_sweep *w, const batch_span *at)
{
	w->loops->give((const batch *)w->batch + at->first, at->count, w->motion);
}

static void residual(const class_sweep *w, size_t i, double wrong[LANES], double size[LANES])
{
	w->loops->residual((const batch *)w->batch + i, 1, w->motion, wrong, size);
}

static void begin(void *of, const void *from)
{
	past *to = of;
	const batch *b = from;
	memset(to, 0, sizeof *to);
	for (int l = 0; l < LANES; l++)
		to->weight[l] = 1/(b->mass_n[l] > 0 ? b->mass_n[l] : INFINITY);
}

static void terms(const void *of, const void *before, double term[LANES])
{
	const batch *b = of;
	const past *old = before;
	for (int l = 0; l < LANES; l++) {
		double x = b->p[0][l] - old->p[0][l], y = b->p[1][l] - old->p[1][l], z = b->p[2][l] - old->p[2][l];
		term[l] = old->weight[l]*(x*x + y*y + z*z);
	}
}

// ---------------------------------------------------------------- a single contact

vec3 class_velocity(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	return coulomb_velocity(c->n, &problem->motion[c->a], &problem->motion[c->b]);
}

static impulse visit(const talus_problem *problem, size_t i)
{
	const talus_row *row = &problem->row[i];
	return (impulse){.p = coulomb_impulse(problem->contact[i].n, row, problem->p[i], class_velocity(problem, i)), .mu = row->mu};
}

static void give_one(const talus_problem *problem, size_t i, class_bodies to, vec3 dp, vec3 dq)
{
	(void)dq;
	coulomb_apply(problem->contact[i].n, to.a, to.b, dp);
}

static inline vec3 nearest(vec3 p, vec3 n, double mu)
{
	double pn = dot(p, n);
	vec3 t = mul_add(p, -pn, n);
	if (pn > 0 && mu > 1e-6 && dot(t, t) < 0.99*(mu*pn)*(mu*pn)) // well inside: most are
		return mul_add(mul(pn, n), 1, t);
	return coulomb_nearest(p, n, mu);
}

vec3 class_nearest(vec3 p, vec3 n, double mu)
{
	return nearest(p, n, mu);
}

static void project(const talus_problem *problem, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++) {
		vec3 *p = &problem->p[i];
		if (p->x != 0 || p->y != 0 || p->z != 0)
			*p = nearest(*p, problem->contact[i].n, problem->row[i].mu);
	}
}

double class_natural_wrong(const talus_problem *problem, size_t i)
{
	vec3 u = class_velocity(problem, i), n = problem->contact[i].n, p = problem->p[i];
	coulomb_fields c = coulomb_of(n, &problem->row[i], p);
	vec3 e = sub(p, nearest(coulomb_beyond(&c, u), n, c.mu));
	return dot(e, e);
}

const contact_class class_coulomb = {
	.name = "coulomb", .meaning = "volume exclusion and friction between round bodies", .batch_size = sizeof(batch), .past_size = sizeof(past),
	.clear = clear, .put = put, .put_some = put_some, .take_some = take_some, .put_row = put_row, .take_row = take_row,
	.read = read, .scale = scale, .sweep = sweep, .give = give, .residual = residual, .begin = begin, .terms = terms,
	.visit = visit, .velocity = class_velocity, .give_one = give_one, .project = project, .wrong = class_natural_wrong,
};
