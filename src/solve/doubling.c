// SPDX-License-Identifier: MIT
// What has changed since there were half as many sweeps. Two things can be read from such a change d of the impulses.
//
// How soft the problem is: the residual e sees an error of the impulses through the masses, e = W/D error (D: 1/m_n of each contact), so in a
// soft mode it is small however wrong they are. What is left to be found after many sweeps is soft, and so is what they change then:
//     d.Wd/d.Dd,  with  d.Wd = sum of m |dv|^2 + |ds|^2/k  over the bodies,
// is close to the smallest eigenvalue, and residual over the smallest quotient seen is an error of the impulses.
//
// Whether there is a solution at all: bodies that are driven into each other with nowhere to go. Then impulses grow along one direction as long as
// one sweeps, no velocity changes by it (Wd = 0), and contacts go on closing along it. That is Farkas' certificate: d is in the cone, Wd = 0, u.d < 0.
#include "solve/solve.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { FIRST = 8, STILL_FROM = 64 };
static const double rounding = 1e-9;     // changes of the impulses, over them, that say nothing
static const double no_error = 1e-8;     // quotients of changes that move nothing: from one of many right answers to another
static const double beyond_reach = 4e-7; // modes so soft that ten thousand sweeps do not see them

typedef struct change {
	const doubling *from;
	const talus_problem *now;
} change;

// ---------------------------------------------------------------- the copy

static void copy_impulses(void *job, size_t first, size_t last)
{
	const change *c = job;
	for (size_t i = first; i < last; i++) {
		c->from->p[i] = c->now->p[i];
		if (i >= c->now->class_end[TALUS_COULOMB])
			c->from->q[i - c->now->class_end[TALUS_COULOMB]] = c->now->q[i - c->now->class_end[TALUS_COULOMB]];
	}
}

static void copy_motion(void *job, size_t first, size_t last)
{
	const change *c = job;
	memcpy(c->from->motion + first, c->now->motion + first, (last - first)*sizeof *c->from->motion);
}

static void take(doubling *d, const talus_problem *now, int sweeps, parallel *team)
{
	change c = {d, now};
	d->at = sweeps;
	parallel_for(team, now->contacts, PARALLEL_BLOCK, copy_impulses, &c);
	parallel_for(team, now->bodies, PARALLEL_BLOCK, copy_motion, &c);
	if (now->flow) {
		memcpy(d->rate, now->flow->rate, sizeof d->rate);
		memcpy(d->moved, now->flow->virial_sum, sizeof d->moved);
	}
}

void doubling_begin(solver_workspace *ws, const talus_problem *problem)
{
	if (!ws->doubling) {
		ws->doubling = memory_grow(NULL, 0, sizeof *ws->doubling);
		*ws->doubling = (doubling){0};
	}
	doubling *d = ws->doubling;
	d->p = memory_room(d->p, &d->contacts, problem->contacts, sizeof *d->p);
	d->q = memory_room(d->q, &d->extended_count, problem->contacts - problem->class_end[TALUS_COULOMB], sizeof *d->q);
	d->motion = memory_room(d->motion, &d->bodies, problem->bodies, sizeof *d->motion);
	d->at = 0;
	d->softest = INFINITY;
	d->closing = 0;
	d->signs = 0;
	d->still = false;
}

// ---------------------------------------------------------------- what has changed

enum { SIZE, SQUARE, LENGTH, ALONG, PUSH, CLOSING, SUMS };

static void add_contacts(void *job, size_t first, size_t last, totals_part *part)
{
	const change *c = job;
	const talus_problem *now = c->now;
	for (size_t i = first; i < last; i++) {
		double mass = now->row[i].mass_n;
		vec3 p = now->p[i], d = sub(p, c->from->p[i]);
		double approach, push = fmax(0, dot(d, now->contact[i].n));
		if (!(mass > 0))
			continue;
		problem_wrong(now, i, &approach);
		part->term[SIZE][i - first] = dot(d, d)/mass;
		part->term[SQUARE][i - first] = dot(d, d);
		part->term[LENGTH][i - first] = dot(p, p);
		part->term[ALONG][i - first] = dot(d, p);
		part->term[PUSH][i - first] = push;
		part->term[CLOSING][i - first] = push*approach;
		if (i >= now->class_end[TALUS_COULOMB] && now->extended[i - now->class_end[TALUS_COULOMB]].inertia > 0) {
			vec3 q = sub(now->q[i - now->class_end[TALUS_COULOMB]], c->from->q[i - now->class_end[TALUS_COULOMB]]);
			part->term[SIZE][i - first] += dot(q, q)/now->extended[i - now->class_end[TALUS_COULOMB]].inertia;
		}
	}
}

static void add_bodies(void *job, size_t first, size_t last, totals_part *part)
{
	const change *c = job;
	for (size_t i = first; i < last; i++) {
		const talus_solver_body *now = &c->now->motion[i], *from = &c->from->motion[i];
		vec3 dv = sub(now->v, from->v), ds = sub(now->r_omega, from->r_omega);
		part->term[0][i - first] = (now->inv_m > 0 ? dot(dv, dv)/now->inv_m : 0) + (now->r2_over_I > 0 ? dot(ds, ds)/now->r2_over_I : 0);
	}
}

static double cell_energy(const doubling *d, const talus_cell_unknowns *flow)
{
	double sum = 0;
	for (int k = 0; flow && k < 9; k++)
		if (k%3 >= k/3)
			sum += (flow->rate[k/3][k%3] - d->rate[k/3][k%3])*(flow->virial_sum[k/3][k%3] - d->moved[k/3][k%3]);
	return fmax(0, sum);
}

// Impulses grow along themselves; contacts close along that change as they did at half as many sweeps, and it would take many more of it to stop them.
static const double as_before = 0.8, many_more = 10;
enum { ASK_FROM = 128 };

static void look_for_no_solution(doubling *d, const double sum[SUMS], double energy, int sweeps)
{
	double closing = sum[PUSH] > 0 ? sum[CLOSING]/sum[PUSH] : 0;
	bool grows = sum[ALONG] > 0.5*sqrt(sum[SQUARE]*sum[LENGTH]);
	bool sign = grows && sweeps >= ASK_FROM && closing > as_before*d->closing && sum[CLOSING] > many_more*energy;
	d->signs = sign ? d->signs + 1 : 0;
	d->closing = closing;
}

void doubling_look(solver_workspace *ws, const talus_problem *problem, int sweeps)
{
	doubling *d = ws->doubling;
	if (d->at > 0 && sweeps > d->at) {
		change c = {d, problem};
		totals all = totals_of(ws->team, problem->contacts, SUMS, add_contacts, &c);
		const double *sum = all.sum;
		double energy = totals_of(ws->team, problem->bodies, 1, add_bodies, &c).sum[0] + cell_energy(d, problem->flow);
		d->still = sweeps >= STILL_FROM && sum[SQUARE] <= rounding*rounding*sum[LENGTH];
		if (sum[SQUARE] > rounding*rounding*sum[LENGTH] && energy > no_error*sum[SIZE])
			d->softest = fmin(d->softest, fmax(beyond_reach, energy/sum[SIZE]));
		if (sweeps >= 2*d->at)
			look_for_no_solution(d, sum, energy, sweeps);
	}
	if (sweeps >= doubling_next(d))
		take(d, problem, sweeps, ws->team);
}

int doubling_next(const doubling *d)
{
	return d->at > 0 ? 2*d->at : FIRST;
}

void doubling_free(doubling *d)
{
	if (!d)
		return;
	memory_free(d->p);
	memory_free(d->q);
	memory_free(d->motion);
	memory_free(d);
}
