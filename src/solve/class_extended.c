// SPDX-License-Identifier: MIT
// Contacts that do more than that (law/extended_text.h), between bodies with isotropic masses. The loops are made of solve/extended_text.h.
#include "solve/classes.h"

#include "law/coulomb.h"

#include <string.h>

// ---------------------------------------------------------------- batches

static void clear(void *to, uint32_t dummy_body)
{
	extended_batch *b = to;
	*b = (extended_batch){0};
	for (int l = 0; l < LANES; l++)
		b->at[l] = (contact_bodies){dummy_body, dummy_body};
}

static void put3(double column[3][LANES], uint32_t lane, vec3 a)
{
	column[0][lane] = a.x, column[1][lane] = a.y, column[2][lane] = a.z;
}

static vec3 get3(const double column[3][LANES], uint32_t lane)
{
	return (vec3){column[0][lane], column[1][lane], column[2][lane]};
}

static void put(void *to, uint32_t lane, contact_bodies at, const talus_problem *problem, size_t i)
{
	extended_batch *b = to;
	const talus_row *row = &problem->row[i];
	const talus_extended *r = class_extended_contact(problem, i);
	b->at[lane] = at;
	put3(b->n, lane, problem->contact[i].n);
	put3(b->target, lane, r->target);
	put3(b->wall_spin, lane, r->wall_spin);
	put3(b->p, lane, problem->p[i]);
	put3(b->q, lane, *class_torque(problem, i));
	b->mass_n[lane] = row->mass_n, b->mass_t[lane] = row->mass_t;
	b->gap_allowance[lane] = r->gap_allowance, b->cohesion_impulse[lane] = r->cohesion_impulse;
	b->mu[lane] = row->mu, b->mu_stick[lane] = r->mu_stick, b->mu_slide[lane] = r->mu_slide;
	b->roll[lane] = r->roll, b->twist[lane] = r->twist, b->inertia[lane] = r->inertia;
	b->centre_distance[lane] = r->centre_distance;
	b->curve_a[lane] = r->curve_a, b->curve_b[lane] = r->curve_b, b->torque_coupling[lane] = r->torque_coupling;
}

static void take(const extended_batch *b, uint32_t lane, const talus_problem *problem, size_t i)
{
	problem->p[i] = get3(b->p, lane);
	problem->row[i].mu = b->mu[lane];
	*class_torque(problem, i) = get3(b->q, lane);
}

static void put_some(void *to, const uint32_t *place, const contact_bodies *at, const talus_problem *problem, size_t first, size_t last)
{
	extended_batch *b = to;
	for (size_t i = first; i < last; i++)
		put(&b[place[i]/LANES], place[i]%LANES, at[i], problem, i);
}

static void take_some(const void *from, const uint32_t *place, const talus_problem *problem, size_t first, size_t last)
{
	const extended_batch *b = from;
	for (size_t i = first; i < last; i++)
		take(&b[place[i]/LANES], place[i]%LANES, problem, i);
}

static void put_row(void *to, const uint32_t *row, size_t count, const contact_bodies *at, const talus_problem *problem)
{
	extended_batch *b = to;
	for (uint32_t i = 0; i < count; i++)
		put(&b[i/LANES], i%LANES, at[row[i]], problem, row[i]);
}

static void take_row(const void *from, const uint32_t *row, size_t count, const talus_problem *problem)
{
	const extended_batch *b = from;
	for (uint32_t i = 0; i < count; i++)
		take(&b[i/LANES], i%LANES, problem, row[i]);
}

static impulse read(const void *from, uint32_t lane)
{
	const extended_batch *b = from;
	return (impulse){.p = get3(b->p, lane), .q = get3(b->q, lane), .mu = b->mu[lane]};
}

static void scale(void *of, double a)
{
	extended_batch *b = of;
	for (int k = 0; k < 3; k++)
		for (int l = 0; l < LANES; l++) {
			b->p[k][l] *= a;
			b->q[k][l] *= a;
		}
}

static void freeze(void *of)
{
	extended_batch *b = of;
	for (int l = 0; l < LANES; l++)
		b->mu_stick[l] = b->mu_slide[l] = b->mu[l];
}

// ---------------------------------------------------------------- sweeps

static bool sweep(const class_sweep *w, const batch_span *at, size_t spans)
{
	const extended_kernel *loops = w->loops->extended;
	bool quiet = true;
	for (const batch_span *end = at + spans; at < end; at++) {
		extended_batch *b = (extended_batch *)w->batch + at->first;
		double(*moved)[MOVED] = w->flow ? w->moved + at->first : NULL;
		if (w->past)
			loops->accelerated_sweep(b, at->count, w->motion, w->flow, moved, (extended_past *)w->past + at->first, w->beta, w->coarse, w->sum);
		else if (w->flow)
			quiet &= loops->sweep_flow(b, at->count, w->motion, w->rule, w->flow, moved);
		else
			quiet &= loops->sweep(b, at->count, w->motion, w->rule);
	}
	return quiet;
}

static void give(const class_sweep *w, const batch_span *at)
{
	w->loops->extended->give((const extended_batch *)w->batch + at->first, at->count, w->motion);
}

static void residual(const class_sweep *w, size_t i, double wrong[LANES], double size[LANES])
{
	w->loops->extended->residual((const extended_batch *)w->batch + i, 1, w->motion, w->flow, wrong, size);
}

static void begin(void *of, const void *from)
{
	(void)from;
	memset(of, 0, sizeof(extended_past));
}

static void terms(const void *of, const void *before, double term[LANES])
{
	const extended_batch *b = of;
	const extended_past *old = before;
	for (int l = 0; l < LANES; l++) {
		double p = 0, q = 0;
		for (int k = 0; k < 3; k++) {
			double dp = b->p[k][l] - old->p[k][l], dq = b->q[k][l] - old->q[k][l];
			p += dp*dp, q += dq*dq;
		}
		term[l] = class_inverse(b->mass_n[l])*p + class_inverse(b->inertia[l])*q;
	}
}

// ---------------------------------------------------------------- a single contact

// With what the cell adds, if it deforms.
vec3 class_velocity_in_flow(const talus_problem *problem, size_t i)
{
	vec3 u = class_velocity(problem, i);
	if (!problem->flow)
		return u;
	flow_columns rate = flow_load(problem->flow->rate);
	return add(u, flow_velocity(&rate, problem->contact[i].n, class_extended_contact(problem, i)->centre_distance));
}

static impulse visit(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	const talus_extended *r = class_extended_contact(problem, i);
	impulse was = {.p = problem->p[i], .q = *class_torque(problem, i)};
	return extended_impulse(c->n, &problem->row[i], r, was, class_velocity_in_flow(problem, i),
	                    extended_contact_spin(r, &problem->motion[c->a], &problem->motion[c->b]));
}

static void give_one(const talus_problem *problem, size_t i, class_bodies to, vec3 dp, vec3 dq)
{
	to.a->v = sub(to.a->v, mul(to.a->inv_m, dp));
	to.b->v = add(to.b->v, mul(to.b->inv_m, dp));
	extended_turn(problem->contact[i].n, class_extended_contact(problem, i), to.a, to.b, dp, dq);
}

// What was given by another step's limits is cut to this one's.
void class_project_extended(const talus_problem *problem, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++) {
		const talus_extended *r = class_extended_contact(problem, i);
		vec3 n = problem->contact[i].n, *q = class_torque(problem, i);
		vec3 p = class_nearest(mul_add(problem->p[i], r->cohesion_impulse, n), n, problem->row[i].mu);
		double load = dot(p, n), qn = dot(*q, n), most = r->twist*load;
		vec3 roll = mul_add(*q, -qn, n);
		double share = r->roll*load/norm(roll);
		problem->p[i] = mul_add(p, -r->cohesion_impulse, n);
		*q = mul_add(mul(share < 1 ? share : 1, roll), fmin(fmax(qn, -most), most), n);
	}
}

// By what a visit would change.
double class_visit_wrong(const talus_problem *problem, size_t i, impulse now)
{
	const talus_extended *r = class_extended_contact(problem, i);
	extended_fields c = {.gap_allowance = r->gap_allowance, .curve_a = r->curve_a, .curve_b = r->curve_b};
	return extended_wrong(&c, sub(now.p, problem->p[i]), sub(now.q, *class_torque(problem, i)));
}

static double wrong(const talus_problem *problem, size_t i)
{
	return class_visit_wrong(problem, i, visit(problem, i));
}

const contact_class class_extended = {
	.name = "extended", .meaning = "all that materials may do, between round bodies", .batch_size = sizeof(extended_batch), .past_size = sizeof(extended_past),
	.clear = clear, .put = put, .put_some = put_some, .take_some = take_some, .put_row = put_row, .take_row = take_row,
	.read = read, .scale = scale, .freeze = freeze, .sweep = sweep, .give = give, .residual = residual, .begin = begin, .terms = terms,
	.visit = visit, .velocity = class_velocity_in_flow, .give_one = give_one, .project = class_project_extended, .wrong = wrong,
	.has_torque = true,
};
