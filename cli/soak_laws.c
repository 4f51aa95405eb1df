// SPDX-License-Identifier: MIT
// Random scenes: materials, laws between them, and how contacts are solved.
#include "soak_plan.h"

static void put_friction(soak_plan *p)
{
	dice *d = &p->d;
	double mu = chance(d, 0.2) ? 0 : roll(d, 0.05, 1);
	if (chance(d, 0.3))
		fprintf(p->out, ", friction: {static: %.4g, dynamic: %.4g}", mu + roll(d, 0, 0.5), mu);
	else if (mu > 0)
		fprintf(p->out, ", friction: %.4g", mu);
}

static void put_restitution(soak_plan *p)
{
	dice *d = &p->d;
	if (!chance(d, 0.35))
		return;
	double e = chance(d, 0.1) ? 1 : roll(d, 0, 1);
	if (chance(d, 0.4))
		fprintf(p->out, ", restitution: {normal: %.4g, tangential: %.4g}", e, roll(d, 0, 1));
	else
		fprintf(p->out, ", restitution: %.4g", e);
	if (chance(d, 0.3))
		fprintf(p->out, ", yield: %.4g", p->speed*roll(d, 0.1, 2));
}

static void put_torque(soak_plan *p, const char *name)
{
	if (!chance(&p->d, 0.25))
		return;
	double share = roll(&p->d, 0, 0.5);
	if (chance(&p->d, 0.5))
		fprintf(p->out, ", %s: %.4g", name, share);
	else
		fprintf(p->out, ", %s: {length: %.4g}", name, share*p->least);
}

static void put_cohesion(soak_plan *p)
{
	dice *d = &p->d;
	if (!chance(d, 0.25))
		return;
	double range = chance(d, 0.15) ? 0 : p->least*roll_log(d, 1e-3, 0.3);
	double force = plan_mass(p)*p->speed*p->speed/p->most*roll_log(d, 0.01, 5);
	fprintf(p->out, ", cohesion: {force: %.4g, range: %.4g}", force, range);
	p->range = fmax(p->range, range);
}

void plan_laws(soak_plan *p)
{
	dice *d = &p->d;
	bool plain = chance(d, 0.3); // only friction: the other kind of inner loops
	p->materials = 1 + pick(d, 3);
	fprintf(p->out, "materials:\n");
	for (int i = 0; i < p->materials; i++)
		fprintf(p->out, "  m%d: {density: %.5g}\n", i, p->density*roll_log(d, 0.5, 2));
	fprintf(p->out, "contacts:\n");
	for (int a = 0; a < p->materials; a++)
		for (int b = a; b < p->materials; b++) {
			fprintf(p->out, "  - {between: [m%d, m%d]", a, b);
			put_friction(p);
			if (!plain) {
				put_restitution(p);
				put_torque(p, "rolling");
				if (p->dimension == 3)
					put_torque(p, "torsion");
				put_cohesion(p);
			}
			fprintf(p->out, "}\n");
		}
}

// ---------------------------------------------------------------- the solver

static void put_stop(soak_plan *p, bool momentum)
{
	dice *d = &p->d;
	int most = p->crowd ? 10 : 150;
	int rule = chance(d, 0.4) ? 0 : 1 + pick(d, momentum ? 2 : 4);
	fprintf(p->out, "stop: {");
	if (rule == 0)
		fprintf(p->out, "iterations: %d}", p->crowd ? 2 + pick(d, 5) : 5 + pick(d, 60));
	else if (rule == 1)
		fprintf(p->out, "residual: %.3g, max_iterations: %d}", roll_log(d, 1e-9, 1e-2), most);
	else if (rule == 2)
		fprintf(p->out, "error: %.3g, max_iterations: %d}", roll_log(d, 1e-4, 0.1), most);
	else if (rule == 3)
		fprintf(p->out, "local: %.3g, max_iterations: %d}", roll_log(d, 1e-6, 1e-2), most);
	else
		fprintf(p->out, "global: %.3g, max_iterations: %d}", roll_log(d, 1e-7, 1e-3), most);
}

void plan_solver(soak_plan *p)
{
	static const char *const orders[] = {"shuffled", "shuffled", "random", "sequential", "random_sequential", "parallel"};
	dice *d = &p->d;
	int kind = p->crowd ? 2 + pick(d, 8) : pick(d, 10);
	if (kind == 0)
		return; // the default
	if (kind == 1) {
		fprintf(p->out, "solver: {auto: {error: %.3g}}\n", roll_log(d, 1e-3, 0.1));
		return;
	}
	fprintf(p->out, "solver: {%s: {", kind < 5 ? "accelerated" : "nsgs");
	if (kind >= 5) {
		int order = pick(d, 6);
		fprintf(p->out, "order: %s, ", orders[order]);
		if (order == 5)
			fprintf(p->out, "relaxation: %.3g, ", roll(d, 0.1, p->crowd ? 0.2 : 1)); // a crowd that flies apart meets everybody
	}
	put_stop(p, kind < 5);
	fprintf(p->out, "%s}}\n", chance(d, 0.07) ? ", gap: signed" : "");
}
