// SPDX-License-Identifier: MIT
#include "region.h"

static double corner(double a, double b, double axis, double radius)
{
	return fmin(a, b) - radius*sqrt(fmax(0, 1 - axis*axis));
}

talus_box region_bounds(const talus_region *g)
{
	if (g->kind == TALUS_REGION_BOX)
		return g->box;
	if (g->kind == TALUS_REGION_SPHERE) {
		vec3 r = vec(g->radius, g->radius, g->radius);
		return (talus_box){sub(g->at, r), add(g->at, r)};
	}
	vec3 axis = unit(sub(g->to, g->at));
	talus_box box;
	for (int k = 0; k < 3; k++) {
		double a = component(g->at, k), b = component(g->to, k), e = component(axis, k);
		set_component(&box.low, k, corner(a, b, e, g->radius));
		set_component(&box.high, k, -corner(-a, -b, e, g->radius));
	}
	return box;
}

static bool spans(const talus_region *g, const cell *c, int k)
{
	double slack = 1e-9*c->h[k][k], low = component(c->origin, k);
	return g->kind == TALUS_REGION_BOX && c->periodic[k] && component(g->box.low, k) <= low + slack &&
	       component(g->box.high, k) >= low + c->h[k][k] - slack;
}

static double inset(const talus_region *g, const cell *c, int k, double r)
{
	return spans(g, c, k) ? 0 : r;
}

bool region_holds(const talus_region *g, const cell *c, int dimension, vec3 x, double r)
{
	if (g->kind == TALUS_REGION_SPHERE)
		return norm(sub(x, g->at)) <= g->radius - r;
	if (g->kind == TALUS_REGION_CYLINDER) {
		vec3 line = sub(g->to, g->at), axis = unit(line), d = sub(x, g->at);
		double along = dot(d, axis), off = norm(mul_add(d, -along, axis));
		return along >= r && along <= norm(line) - r && off <= g->radius - r;
	}
	for (int k = 0; k < dimension; k++) {
		double in = inset(g, c, k, r), slack = 1e-9*r;
		if (component(x, k) < component(g->box.low, k) + in - slack || component(x, k) > component(g->box.high, k) - in + slack)
			return false;
	}
	return true;
}

vec3 region_point(const talus_region *g, const cell *c, int dimension, double r, const double f[3])
{
	talus_box box = region_bounds(g);
	vec3 x = {0, 0, 0};
	for (int k = 0; k < dimension; k++) {
		double in = inset(g, c, k, r), low = component(box.low, k) + in, high = component(box.high, k) - in;
		set_component(&x, k, low + f[k]*(high - low));
	}
	return x;
}
