// SPDX-License-Identifier: MIT
// The first guess (warm start). Contacts start from their impulses of the last step. After an impact these are far too large for the next one: a heavy
// body that has just been stopped would be thrown back, and sweeps that end early cannot take that back. So all of them are multiplied
// by one number, that for which the energy  E(a) = a q.p + a^2/2 p.Wp  is least (q: velocities at the contacts without impulses). In a
// cone they stay in the cone. Bodies that have p already know most of it:
//     p.Wp = sum of m |dv|^2 + |ds|^2/k,   q.p = sum of m dv.v + ds.s/k, with v and s without impulses, dv and ds by them,
// plus what contacts allow (bias) and what bodies do that nothing can move. A guess that is right within a factor of 2 is left as it is:
// in a packing near rest that factor says more about how far the last step has come than about the next one. It is not made larger for the sake
// of what is driven, where there may be no end to it; later, when sweeps have found how forces run against heavy bodies, it is, but not without end.
#include "solve/piston.h"
#include "solve/solve.h"

#include <math.h>

enum { POWER, ENERGY, MASS, OF_BODIES };
enum { FORCE = POWER + 1, DRIVEN, OF_CONTACTS };
static const double harmless = 1e-6; // diameters that a guess moves contacts wrongly in a step, as a mean by force

typedef struct guess {
	const talus_problem *problem; // bodies have the impulses
	const talus_solver_body *from;     // these have not
	const solver_bodies *solver_bodies;
} guess;

static void add_bodies(void *job, size_t first, size_t last, totals_part *part)
{
	const guess *g = job;
	for (size_t i = first; i < last; i++) {
		const talus_solver_body *now = &g->problem->motion[i], *from = &g->from[i];
		vec3 dv = sub(now->v, from->v), ds = sub(now->r_omega, from->r_omega);
		double m = now->inv_m > 0 ? 1/now->inv_m : 0, inertia = now->r2_over_I > 0 ? 1/now->r2_over_I : 0;
		part->term[MASS][i - first] = m;
		part->term[ENERGY][i - first] = m*dot(dv, dv) + inertia*dot(ds, ds);
		part->term[POWER][i - first] = m*dot(dv, from->v) + inertia*dot(ds, from->r_omega);
	}
}

// What a body that nothing moves does at the contact: -v - s x n for the first one, v - s x n for the second.
static vec3 driven(const guess *g, uint32_t line, double sign, vec3 n)
{
	if (line < g->problem->bodies || pistons_have(g->solver_bodies, line*LINE))
		return vec(0, 0, 0);
	const talus_solver_body *m = &g->solver_bodies->motion[line];
	return sub(mul(sign, m->v), cross(m->r_omega, n));
}

static void add_contacts(void *job, size_t first, size_t last, totals_part *part)
{
	const guess *g = job;
	const talus_problem *problem = g->problem;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &problem->contact[i];
		contact_bodies at = g->solver_bodies->at[i];
		vec3 aim = mul(problem->row[i].bias, c->n), p = problem->p[i];
		if (contact_classes[class_of(problem, i)]->has_torque) {
			const talus_extended *r = class_extended_contact(problem, i);
			aim = r->target;
			part->term[POWER][i - first] = dot(r->wall_spin, *class_torque(problem, i));
		}
		if (at.a/LINE >= problem->bodies || at.b/LINE >= problem->bodies) {
			vec3 by_force = add(driven(g, at.a/LINE, -1, c->n), driven(g, at.b/LINE, 1, c->n));
			aim = add(aim, by_force);
			part->term[DRIVEN][i - first] = dot(by_force, p);
		}
		part->term[POWER][i - first] += dot(aim, p);
		part->term[FORCE][i - first] = norm(p);
	}
}

static void find_fastest(void *job, size_t first, size_t last, totals_part *part)
{
	const guess *g = job;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &g->problem->contact[i];
		contact_bodies at = g->solver_bodies->at[i];
		double speed = fabs(dot(c->n, add(driven(g, at.a/LINE, -1, c->n), driven(g, at.b/LINE, 1, c->n))));
		part->most[0] = fmax(part->most[0], speed);
		part->most[1] = fmax(part->most[1], norm(g->problem->p[i]));
	}
}

// How much larger impulses may become for the sake of what is driven: none more than would give its speed to all that is free. Where that
// leaves no room, there is no end to it.
static double driven_limit(guess *g, double mass, parallel *team)
{
	totals all = totals_of(team, g->problem->contacts, 0, find_fastest, g);
	return all.most[1] > 0 ? mass*all.most[0]/all.most[1] : 1;
}

double guess_factor(const talus_problem *problem, const talus_solver_body *from, const solver_bodies *all, bool heavy, bool later, parallel *team)
{
	guess g = {problem, from, all};
	totals of_bodies = totals_of(team, problem->bodies, OF_BODIES, add_bodies, &g);
	totals of_contacts = totals_of(team, problem->contacts, OF_CONTACTS, add_contacts, &g);
	const double *sum = of_bodies.sum, *more = of_contacts.sum;
	double power = sum[POWER] + more[POWER], energy = sum[ENERGY];
	double speed = harmless*problem->error_cells.diameter/problem->dt;
	if (!(energy > 0) || !(fabs(power + energy) > speed*more[FORCE]))
		return 1;
	double a = fmax(0, -power/energy), undriven = more[DRIVEN] - power;
	double by_others = undriven > speed*more[FORCE] ? fmax(1, undriven/energy) : 1;
	if (a >= 2 && a > by_others)
		a = fmin(a, later ? fmax(by_others, driven_limit(&g, sum[MASS], team)) : by_others);
	double least = heavy ? 0.7 : 0.5; // a heavy body would come back by what is left over
	return a > least && a < 2 ? 1 : a;
}

void guess_scale(const schedule *s, talus_problem *problem, double a)
{
	for (int k = 0; k < TALUS_CLASSES; k++) {
		const contact_class *class = contact_classes[k];
		for (size_t i = 0; i < s->of[k].batches; i++)
			class->scale(class_batch(class, s->of[k].batch, i), a);
		for (size_t i = class_first(problem, k); i < class_end(problem, k) && !class->batch_size; i++) {
			problem->p[i] = mul(a, problem->p[i]);
			*class_torque(problem, i) = mul(a, *class_torque(problem, i));
		}
	}
}
