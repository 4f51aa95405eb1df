// SPDX-License-Identifier: MIT
// A plane: the half space behind it is solid. With a hole it is a thin plate that grains touch from both sides.
#include "state/wall/outline.h"
#include "state/wall/shapes.h"
#include "state/wall/touching.h"

#include "base/fields.h"

static const talus_field hole_fields[] = {
	{.name = "at", .meaning = "its centre; moved into the plane if it lies beside it", .unit = "L",
		.type = TALUS_FIELD_VECTOR, AT(talus_wall_def, hole_at), .required = true},
	{.name = "radius", .meaning = "its radius; in 2D half the width of the slit", .unit = "L",
		.type = TALUS_FIELD_REAL, AT(talus_wall_def, hole_radius), .required = true, POSITIVE},
	END,
};

const talus_field wall_plane_fields[] = {
	{.name = "point", .meaning = "a point of it", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "normal",
		.meaning = "direction towards the grains, of any length; no part of it along a periodic direction", .unit = "",
		.type = TALUS_FIELD_DIRECTION, AT(talus_wall_def, axis), .required = true},
	{.name = "hole",
		.meaning = "a round hole: the plane becomes a thin plate that is touched from both sides",
		.type = TALUS_FIELD_OPTION, AT(talus_wall_def, has_hole), .fallback = "none", .table = hole_fields},
	END,
};

static bool has_hole(const talus_wall_def *d)
{
	return d->has_hole;
}

static void settle(talus_wall_def *d) // the centre of a hole belongs into the plane
{
	vec3 n = unit(d->axis);
	if (d->has_hole)
		d->hole_at = mul_add(d->hole_at, -dot(sub(d->hole_at, d->point), n), n);
}

// A plane that cuts a periodic direction would have to be there again in every image.
static bool check(const talus_wall_def *d, int dimension, const bool periodic[3], wall_fault *fault)
{
	for (int k = 0; k < 3; k++)
		if (periodic[k] && component(d->axis, k) != 0)
			return wall_fault_set(fault, "normal", "`normal` must have no part along %c, which is periodic", "xyz"[k]);
	if (dimension == 2 && d->axis.z != 0)
		return wall_fault_set(fault, "normal", "`normal` of a `plane` must have no part along z in 2D");
	if (dimension == 2 && d->spin != 0)
		return wall_fault_set(fault, "spin", "a `plane` cannot spin about its normal in 2D; use a `segment`");
	if (d->spin != 0 && (periodic[0] || periodic[1] || periodic[2]))
		return wall_fault_set(fault, "spin",
			"a `plane` cannot spin in a periodic cell: its velocity would not be the same beyond an edge");
	return true;
}

// ---------------------------------------------------------------- touching

static int touch_plane(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	double height = dot(sub(x, w->point), w->axis);
	if (!w->def.has_hole)
		return touch_put(list, 0, range, 0, w->axis, height - r);
	if (fabs(height) - r >= range)
		return 0;
	double along;
	vec3 out, hole = add(w->hole_at, image);
	double off = touch_split(hole, w->axis, dimension, x, &along, &out);
	if (off < w->def.hole_radius)
		return touch_ring(list, dimension, range, hole, w->axis, w->def.hole_radius, out, x, r);
	return touch_put(list, 0, range, 0, height >= 0 ? w->axis : neg(w->axis), fabs(height) - r);
}

static double arm(const talus_wall_def *d)
{
	return d->has_hole ? norm(sub(d->hole_at, d->point)) : 0;
}

// ---------------------------------------------------------------- images

static bool is_endless(const wall *w, int k)
{
	(void)k;
	return !w->def.has_hole;
}

static vec3 centre(const wall *w)
{
	return w->hole_at;
}

static void span(const wall *w, int k, double *low, double *high)
{
	(void)k;
	*low = -w->def.hole_radius;
	*high = w->def.hole_radius;
}

// ---------------------------------------------------------------- before a run

static bool catches(const talus_wall_def *d, vec3 down)
{
	return dot(unit(d->axis), down) < -WALL_UPRIGHT;
}

static double lowest(const talus_wall_def *d, vec3 down)
{
	return dot(d->axis, down) < 0 ? dot(d->point, down) : -INFINITY;
}

static wall_beyond beyond(const talus_wall_def *d)
{
	if (d->has_hole)
		return (wall_beyond){NULL, NULL};
	return (wall_beyond){"behind the plane", "the `normal` points to the side where grains can be"};
}

// ---------------------------------------------------------------- pictures

// Grows the box as far as a plane that lies a little below it (seen along its normal).
static void reach_down(const talus_wall_def *d, talus_box *box, double reach)
{
	vec3 n = unit(d->axis);
	double least = INFINITY;
	for (int i = 0; i < 8; i++) {
		vec3 corner = vec(i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
		                  i & 4 ? box->high.z : box->low.z);
		least = fmin(least, dot(n, sub(corner, d->point)));
	}
	if (least <= 0 || least > reach)
		return;
	for (int k = 0; k < 3; k++) {
		double share = component(n, k);
		if (share > 0.1)
			set_component(&box->low, k, component(box->low, k) - least*share);
		if (share < -0.1)
			set_component(&box->high, k, component(box->high, k) - least*share);
	}
}

static void bounds(const talus_wall_def *d, talus_box *box, double extent)
{
	vec3 middle = mul(0.5, add(box->low, box->high));
	reach_down(d, box, 0.4*extent);
	if (d->has_hole && norm(sub(d->hole_at, middle)) < 1.5*extent)
		box_include_disk(box, d->hole_at, unit(d->axis), 1.5*d->hole_radius);
}

static double ground(const talus_wall_def *d)
{
	return d->has_hole ? 1.5*d->hole_radius : 0;
}

static int holds(const talus_wall_def *d, wall_half_space *list)
{
	list[0] = (wall_half_space){d->point, unit(d->axis)};
	return d->has_hole ? 0 : 1;
}

// A square of the plane, larger than what is shown, and its hole.
static void outline_sheet(const talus_wall_def *d, const wall_pen *pen)
{
	vec3 n = unit(d->axis), u = any_tangent(n), v = cross(n, u), corner[4], rim[WALL_ROUND + 1];
	vec3 middle = mul_add(pen->middle, dot(sub(d->point, pen->middle), n), n);
	double half = 2*pen->diagonal;
	for (int i = 0; i < 4; i++)
		corner[i] = add(middle, add(mul(i == 0 || i == 3 ? -half : half, u), mul(i < 2 ? -half : half, v)));
	if (!d->has_hole) {
		pen->sheet(pen->page, n, corner);
		return;
	}
	vec3 hole = mul_add(d->hole_at, dot(sub(d->point, d->hole_at), n), n);
	for (int i = 0; i <= WALL_ROUND; i++)
		rim[i] = mul_add(hole, d->hole_radius, outline_around(n, i));
	pen->plate(pen->page, n, corner, hole, rim, 4*pen->diagonal/d->hole_radius);
}

// The edge of the cell along a direction in which it is periodic, else 0.
static double period_along(const wall_pen *pen, vec3 t)
{
	for (int k = 0; k < 2; k++)
		if (component(pen->period, k) > 0 && fabs(component(t, k)) > 0.5)
			return component(pen->period, k);
	return 0;
}

static void outline_line(const talus_wall_def *d, const wall_pen *pen)
{
	vec3 n = unit(d->axis), t = cross(vec(0, 0, 1), n);
	double far = 4*pen->diagonal;
	vec3 foot = mul_add(d->point, dot(sub(pen->middle, d->point), t), t);
	vec3 a = mul_add(foot, -far, t), b = mul_add(foot, far, t);
	if (!d->has_hole) {
		pen->edge(pen->page, a, b, neg(n));
		return;
	}
	vec3 slit = mul_add(d->point, dot(sub(d->hole_at, d->point), t), t);
	vec3 c = mul_add(slit, -d->hole_radius, t), e = mul_add(slit, d->hole_radius, t);
	double period = period_along(pen, t);
	if (period > 0) { // up to the next slits
		a = mul_add(e, -period, t);
		b = mul_add(c, period, t);
	}
	pen->bar(pen->page, a, c, true);
	pen->bar(pen->page, e, b, true);
}

static void outline(const talus_wall_def *d, int dimension, const wall_pen *pen)
{
	if (dimension == 2)
		outline_line(d, pen);
	else
		outline_sheet(d, pen);
}

const wall_shape wall_plane = {
	.fields = wall_plane_fields,
	.settle = settle,
	.check = check,
	.touch = touch_plane,
	.thin = has_hole,
	.arm = arm,
	.part = "the hole of",
	.endless = is_endless,
	.encloses = has_hole,
	.centre = centre,
	.span = span,
	.flat = true,
	.catches = catches,
	.lowest = lowest,
	.beyond = beyond,
	.bounds = bounds,
	.ground = ground,
	.holds = holds,
	.outline = outline,
};
