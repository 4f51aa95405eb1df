// SPDX-License-Identifier: MIT
// What the parts of the generator of scenes share.
#include "soak_plan.h"

double plan_shortest(const soak_plan *p)
{
	double least = plan_edge(p, 0);
	for (int k = 1; k < p->dimension; k++)
		least = fmin(least, plan_edge(p, k));
	return least;
}

double plan_volume(const soak_plan *p, double r)
{
	return p->dimension == 2 ? M_PI*r*r : 4*M_PI/3*r*r*r;
}

double plan_mass(const soak_plan *p)
{
	return p->density*plan_volume(p, p->most);
}

vec3 plan_middle(const soak_plan *p)
{
	return mul(0.5, add(p->low, p->high));
}

vec3 plan_direction(soak_plan *p)
{
	for (;;) {
		vec3 a = {roll(&p->d, -1, 1), roll(&p->d, -1, 1), p->dimension == 3 ? roll(&p->d, -1, 1) : 0};
		if (norm(a) > 0.1 && norm(a) <= 1)
			return unit(a);
	}
}

bool plan_deforms(const soak_plan *p)
{
	return p->space == SPACE_BATH || p->space == SPACE_DRIVE;
}

void plan_place(soak_plan *p, vec3 v)
{
	if (p->dimension == 2)
		fprintf(p->out, "[%.7g, %.7g]", v.x, v.y);
	else
		fprintf(p->out, "[%.7g, %.7g, %.7g]", v.x, v.y, v.z);
}

void plan_vector(soak_plan *p, const char *key, vec3 v)
{
	fprintf(p->out, ", %s: ", key);
	plan_place(p, v);
}

void plan_material(soak_plan *p)
{
	if (p->materials > 1 || chance(&p->d, 0.5))
		fprintf(p->out, ", material: m%d", pick(&p->d, p->materials));
}
