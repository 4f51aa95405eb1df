// SPDX-License-Identifier: MIT
#include "arrive/region.h"

static const double slack = 1e-9; // share of a length that is rounding

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
	double rest = slack*c->h[k][k], low = component(c->origin, k);
	return g->kind == TALUS_REGION_BOX && c->periodic[k] && component(g->box.low, k) <= low + rest &&
	       component(g->box.high, k) >= low + c->h[k][k] - rest;
}

// How far a centre stays from the faces: a radius; in a box that is narrower than the grain, at its middle.
static double inset(const talus_region *g, const cell *c, int k, double r)
{
	talus_box box = region_bounds(g);
	double half = 0.5*(component(box.high, k) - component(box.low, k));
	return spans(g, c, k) ? 0 : half < r ? half : r;
}

double region_width(const talus_region *g, const cell *c, int k)
{
	talus_box box = region_bounds(g);
	return spans(g, c, k) ? INFINITY : component(box.high, k) - component(box.low, k);
}

bool region_holds(const talus_region *g, const cell *c, int dimension, vec3 x, double r)
{
	if (g->kind == TALUS_REGION_SPHERE)
		return norm(sub(x, g->at)) <= fmax(0, g->radius - r) + slack*r;
	if (g->kind == TALUS_REGION_CYLINDER) {
		vec3 line = sub(g->to, g->at), axis = unit(line), d = sub(x, g->at);
		double along = dot(d, axis), off = norm(mul_add(d, -along, axis));
		double end = fmin(r, 0.5*norm(line)), rest = slack*r;
		return along >= end - rest && along <= norm(line) - end + rest && off <= fmax(0, g->radius - r) + rest;
	}
	for (int k = 0; k < dimension; k++) {
		double in = inset(g, c, k, r) - slack*r;
		if (component(x, k) < component(g->box.low, k) + in || component(x, k) > component(g->box.high, k) - in)
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
