// SPDX-License-Identifier: MIT
// A cone between two distances from its tip: a thin shell that holds grains on either side.
#include "state/wall/outline.h"
#include "state/wall/shapes.h"
#include "state/wall/touching.h"

#include "base/fields.h"

const talus_field wall_cone_fields[] = {
	{.name = "tip", .meaning = "its tip", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "axis", .meaning = "direction from the tip to the wide end, of any length", .unit = "",
		.type = TALUS_FIELD_DIRECTION, AT(talus_wall_def, axis), .required = true},
	{.name = "angle", .meaning = "between axis and surface", .unit = "degrees", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, angle), .required = true, .least = 0, .most = 90, .above = true,
		.below = true},
	WALL_SIDE("where the grains are meant to be; a thin shell, it holds them on either side"),
	{.name = "from", .meaning = "distance from the tip along the axis at which it begins", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, from), .fallback = "0", NOT_NEGATIVE},
	{.name = "to", .meaning = "distance from the tip along the axis at which it ends", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, last), .required = true, NOT_NEGATIVE},
	END,
};

static bool check(const talus_wall_def *d, int dimension, const bool periodic[3], wall_fault *fault)
{
	(void)dimension, (void)periodic;
	return d->last > d->from ||
		wall_fault_set(fault, "to", "`to` must be greater than `from` = %.15g, but is %.15g", d->from, d->last);
}

// Its line in the half plane (along, off) goes from (from, from tan) to (last, last tan). At an azimuth away from the grain's own,
// the grain is `off cos(azimuth)` from the axis in that half plane.
static int touch_cone(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	(void)dimension;
	double angle = w->def.angle*wall_degree, cs = cos(angle), sn = sin(angle), along;
	vec3 out, tip = add(w->point, image);
	double off = touch_split(tip, w->axis, 3, x, &along, &out);
	double reach = along*cs + off*sn, first = w->def.from/cs, last = w->def.last/cs; // along the line from the tip
	if (reach <= first || reach >= last) {
		double end = reach <= first ? w->def.from : w->def.last;
		vec3 centre = mul_add(tip, end, w->axis);
		return touch_ring(list, 3, range, centre, w->axis, end*sn/cs, out, x, r);
	}
	double inward = along*sn - off*cs; // distance from the shell, positive inside
	if (inward < 0 || (inward == 0 && !w->def.inside))
		return touch_put(list, 0, range, 0, sub(mul(cs, out), mul(sn, w->axis)), -inward - r);
	vec3 azimuth[4] = {out, neg(out), cross(w->axis, out), neg(cross(w->axis, out))};
	double offs[4] = {off, -off, 0, 0};
	int count = 0;
	for (int k = 0; k < 4; k++) {
		double distance = along*sn - offs[k]*cs, foot = along*cs + offs[k]*sn;
		if (foot > first && foot < last)
			count = touch_put(list, count, range, k, sub(mul(sn, w->axis), mul(cs, azimuth[k])), distance - r);
	}
	return count;
}

static bool is_thin(const talus_wall_def *d)
{
	(void)d;
	return true;
}

// From the tip.
static void span(const wall *w, int k, double *low, double *high)
{
	double along = component(w->axis, k), aside = tan(w->def.angle*wall_degree)*sqrt(fmax(0, 1 - along*along));
	*low = fmin(w->def.from*(along - aside), w->def.last*(along - aside));
	*high = fmax(w->def.from*(along + aside), w->def.last*(along + aside));
}

static double girth(const talus_wall_def *d)
{
	return d->last*tan(d->angle*wall_degree);
}

// ---------------------------------------------------------------- pictures

static void bounds(const talus_wall_def *d, talus_box *box, double extent)
{
	vec3 axis = unit(d->axis);
	double slope = tan(d->angle*wall_degree);
	if (d->last >= 4*extent)
		return;
	box_include_disk(box, mul_add(d->point, d->from, axis), axis, d->from*slope);
	box_include_disk(box, mul_add(d->point, d->last, axis), axis, d->last*slope);
}

static void outline(const talus_wall_def *d, int dimension, const wall_pen *pen)
{
	(void)dimension;
	vec3 a[WALL_ROUND + 1], b[WALL_ROUND + 1], outward[WALL_ROUND + 1], axis = unit(d->axis);
	double angle = d->angle*wall_degree, slope = tan(angle);
	for (int i = 0; i <= WALL_ROUND; i++) {
		vec3 out = outline_around(axis, i), along = mul_add(axis, slope, out);
		a[i] = mul_add(d->point, d->from, along);
		b[i] = mul_add(d->point, d->last, along);
		outward[i] = sub(mul(cos(angle), out), mul(sin(angle), axis));
	}
	pen->strip(pen->page, d->inside, a, b, outward);
}

const wall_shape wall_cone = {
	.fields = wall_cone_fields,
	.dimension = 3,
	.instead = "use two walls of the shape `segment`",
	.check = check,
	.touch = touch_cone,
	.curvature = touch_curvature,
	.thin = is_thin,
	.part = "wall",
	.span = span,
	.girth = girth,
	.bounds = bounds,
	.ground = girth,
	.outline = outline,
};
