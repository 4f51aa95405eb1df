// SPDX-License-Identifier: MIT
// A straight line between two points, in 2D: thin, with round ends, touched from both sides.
#include "state/wall/outline.h"
#include "state/wall/shapes.h"
#include "state/wall/touching.h"

#include "base/fields.h"

const talus_field wall_segment_fields[] = {
	{.name = "from", .meaning = "one end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, point), .required = true},
	{.name = "to", .meaning = "the other end", .unit = "L", .type = TALUS_FIELD_VECTOR,
		AT(talus_wall_def, to), .required = true},
	END,
};

static void settle(talus_wall_def *d) // it turns in the plane of the grains
{
	d->axis = vec(0, 0, 1);
}

static bool check(const talus_wall_def *d, int dimension, const bool periodic[3], wall_fault *fault)
{
	(void)dimension, (void)periodic;
	return norm(sub(d->to, d->point)) > 0 ||
		wall_fault_set(fault, "to", "`from` and `to` of `segment` must not be the same point");
}

static int touch_segment(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	(void)dimension;
	vec3 line = sub(w->to, w->point), from = add(w->point, image);
	double s = dot(sub(x, from), line)/dot(line, line);
	vec3 nearest = mul_add(from, fmin(1, fmax(0, s)), line);
	return touch_point(list, 0, range, 0, nearest, x, r, unit(vec(-line.y, line.x, 0)));
}

static bool is_thin(const talus_wall_def *d)
{
	(void)d;
	return true;
}

static vec3 middle(const talus_wall_def *d)
{
	return mul(0.5, add(d->point, d->to));
}

static double half_length(const talus_wall_def *d)
{
	return 0.5*norm(sub(d->to, d->point));
}

static void span(const wall *w, int k, double *low, double *high)
{
	double half = w->def.spin != 0 ? half_length(&w->def) : 0.5*fabs(component(sub(w->def.to, w->def.point), k));
	*low = -half;
	*high = half;
}

static bool catches(const talus_wall_def *d, vec3 down)
{
	return norm(cross(unit(sub(d->to, d->point)), down)) > WALL_UPRIGHT;
}

// ---------------------------------------------------------------- pictures

static void bounds(const talus_wall_def *d, talus_box *box, double extent)
{
	vec3 centre = mul(0.5, add(box->low, box->high));
	if (norm(sub(d->point, centre)) >= 2*extent || norm(sub(d->to, centre)) >= 2*extent)
		return;
	box_include(box, d->point);
	box_include(box, d->to);
}

static void outline(const talus_wall_def *d, int dimension, const wall_pen *pen)
{
	(void)dimension;
	bool around = norm(pen->period) > 0; // then it ends at the edge of the cell
	pen->bar(pen->page, d->point, d->to, around);
}

const wall_shape wall_segment = {
	.fields = wall_segment_fields,
	.dimension = 2,
	.instead = "use a `plane`, a `cylinder` or a `cone`",
	.settle = settle,
	.check = check,
	.touch = touch_segment,
	.thin = is_thin,
	.pivot = middle,
	.arm = half_length,
	.part = "wall",
	.span = span,
	.catches = catches,
	.girth = half_length,
	.bounds = bounds,
	.outline = outline,
};
