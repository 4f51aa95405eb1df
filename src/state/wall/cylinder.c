// SPDX-License-Identifier: MIT
// A cylinder without ends, with the grains inside or around it; in 2D a circle.
#include "state/wall/outline.h"
#include "state/wall/shapes.h"
#include "state/wall/touching.h"

#include "base/fields.h"

const talus_field wall_cylinder_fields[] = {
	{.name = "point", .meaning = "a point of its axis", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "axis",
		.meaning = "direction of its axis, of any length; along a periodic direction or across it; in 2D along z", .unit = "",
		.type = TALUS_FIELD_AXIS, AT(talus_wall_def, axis), .fallback = "in 2D [0, 0, 1]"},
	{.name = "radius", .meaning = "its radius", .unit = "L", .type = TALUS_FIELD_REAL,
		AT(talus_wall_def, radius), .required = true, POSITIVE},
	WALL_SIDE("where the grains are"),
	END,
};

static bool is_inside(const talus_wall_def *d)
{
	return d->inside;
}

// One that is oblique to a periodic direction does not meet its images.
static bool check(const talus_wall_def *d, int dimension, const bool periodic[3], wall_fault *fault)
{
	bool oblique = (d->axis.x != 0) + (d->axis.y != 0) + (d->axis.z != 0) > 1;
	if (dimension == 2 && (d->axis.x != 0 || d->axis.y != 0))
		return wall_fault_set(fault, "axis", "`axis` of a `cylinder` must be along z in 2D");
	for (int k = 0; k < 3; k++)
		if (periodic[k] && component(d->axis, k) != 0 && oblique)
			return wall_fault_set(fault, "axis", "`axis` must be along %c, which is periodic, or have no part along it", "xyz"[k]);
	return true;
}

static int touch_cylinder(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	double along;
	vec3 out;
	double off = touch_split(add(w->point, image), w->axis, dimension, x, &along, &out);
	if (!w->def.inside)
		return touch_put(list, 0, range, 0, out, off - w->def.radius - r);
	int count = touch_put(list, 0, range, 0, neg(out), w->def.radius - r - off);
	return touch_put(list, count, range, 1, out, w->def.radius - r + off); // a ball that fits tightly
}

// ---------------------------------------------------------------- images

static bool is_endless(const wall *w, int k)
{
	return component(w->axis, k) != 0;
}

static void span(const wall *w, int k, double *low, double *high)
{
	(void)k;
	*low = -w->def.radius;
	*high = w->def.radius;
}

// ---------------------------------------------------------------- before a run

static bool catches(const talus_wall_def *d, vec3 down)
{
	return norm(cross(unit(d->axis), down)) > WALL_UPRIGHT;
}

static double lowest(const talus_wall_def *d, vec3 down)
{
	double across = dot(unit(d->axis), down);
	return d->inside ? dot(d->point, down) + d->radius*sqrt(fmax(0, 1 - across*across)) : -INFINITY;
}

static double girth(const talus_wall_def *d)
{
	return d->radius;
}

static wall_beyond beyond(const talus_wall_def *d)
{
	return d->inside ? (wall_beyond){"outside the cylinder", "`side: outside` is for grains around it"}
	                 : (wall_beyond){"inside the cylinder", "`side: inside` is for grains in it"};
}

// ---------------------------------------------------------------- pictures

static void bounds(const talus_wall_def *d, talus_box *box, double extent)
{
	vec3 axis = unit(d->axis), middle = mul(0.5, add(box->low, box->high));
	if (d->radius < 2*extent)
		box_include_disk(box, mul_add(d->point, dot(sub(middle, d->point), axis), axis), axis, d->radius);
}

static int holds(const talus_wall_def *d, wall_half_space *list)
{
	return d->inside ? outline_tube(list, d->point, unit(d->axis), d->radius) : 0;
}

static void outline_circle(const talus_wall_def *d, const wall_pen *pen)
{
	enum { PIECES = 240 };
	static const double two_pi = 2*M_PI;
	for (int i = 0; i < PIECES; i++) {
		double phi = two_pi*i/PIECES, next = two_pi*(i + 1)/PIECES;
		vec3 out = vec(cos(phi), sin(phi), 0), a = mul_add(d->point, d->radius, out);
		vec3 b = mul_add(d->point, d->radius, vec(cos(next), sin(next), 0));
		pen->edge(pen->page, a, b, d->inside ? out : neg(out));
	}
}

static void outline(const talus_wall_def *d, int dimension, const wall_pen *pen)
{
	vec3 a[WALL_ROUND + 1], b[WALL_ROUND + 1], outward[WALL_ROUND + 1], axis = unit(d->axis);
	if (dimension == 2) {
		outline_circle(d, pen);
		return;
	}
	for (int i = 0; i <= WALL_ROUND; i++) {
		outward[i] = outline_around(axis, i);
		vec3 foot = add(mul_add(d->point, dot(sub(pen->middle, d->point), axis), axis), mul(d->radius, outward[i]));
		a[i] = mul_add(foot, -2*pen->diagonal, axis);
		b[i] = mul_add(foot, 2*pen->diagonal, axis);
	}
	pen->strip(pen->page, d->inside, a, b, outward);
}

const wall_shape wall_cylinder = {
	.fields = wall_cylinder_fields,
	.check = check,
	.touch = touch_cylinder,
	.curvature = touch_curvature,
	.part = "wall",
	.endless = is_endless,
	.encloses = is_inside,
	.span = span,
	.catches = catches,
	.lowest = lowest,
	.girth = girth,
	.beyond = beyond,
	.bounds = bounds,
	.ground = girth,
	.holds = holds,
	.outline = outline,
};
