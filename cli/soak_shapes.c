// SPDX-License-Identifier: MIT
// Distances from walls, sides and curvatures, by shape.
#include "soak_shapes.h"

// A point in the frame of a round wall: along its axis, and how far from it.
typedef struct polar {
	double along, off;
} polar;

static polar polar_of(vec3 origin, vec3 axis, vec3 x)
{
	vec3 d = sub(x, origin), across = cross(axis, d);
	return (polar){dot(d, axis), norm(across)};
}

// Distance of (x, y) from the straight line between two points.
static double segment_distance(double x, double y, double x0, double y0, double x1, double y1)
{
	double dx = x1 - x0, dy = y1 - y0, s = ((x - x0)*dx + (y - y0)*dy)/(dx*dx + dy*dy);
	s = s < 0 ? 0 : s > 1 ? 1 : s;
	return hypot(x - x0 - s*dx, y - y0 - s*dy);
}

static int sign(double a)
{
	return a < 0 ? -1 : 1;
}

static bool yes(const wall *w)
{
	(void)w;
	return true;
}

// Inside of something round, going round it brings the wall nearer, which a contact does not see.
static double bend_about(const soak_way *e, vec3 centre, vec3 axis, vec3 way)
{
	vec3 aside = cross(axis, sub(e->x, centre));
	double length = norm(aside);
	if (length < 1e-9*e->r)
		return norm(way);
	aside = mul(1/length, aside);
	double s = dot(way, aside), off = fmax(0, fmin(length, length + dot(way, cross(aside, axis))));
	return hypot(off, s) - off;
}

// ---------------------------------------------------------------- plane

static bool has_hole(const wall *w)
{
	return w->def.has_hole;
}

static double plane_distance(const wall *w, vec3 x)
{
	if (!w->def.has_hole)
		return dot(sub(x, w->point), w->axis);
	polar at = polar_of(w->hole_at, w->axis, x);
	return at.off >= w->def.hole_radius ? fabs(at.along) : hypot(at.along, w->def.hole_radius - at.off);
}

static int plane_side(const wall *w, vec3 x)
{
	polar at = polar_of(w->hole_at, w->axis, x);
	return w->def.has_hole && at.off > w->def.hole_radius ? sign(at.along) : 0;
}

static double plane_apart(const wall *w, vec3 x) // there is a hole in every image
{
	return polar_of(w->hole_at, w->axis, x).off;
}

static double plane_bend(const soak_way *e) // a hole goes round with its plate
{
	const wall *w = e->wall;
	vec3 arm = sub(w->hole_at, w->point);
	return w->def.has_hole ? bend_about(e, w->hole_at, w->axis, sub(e->way, sub(turn(arm, w->axis, e->turned), arm))) : 0;
}

static double plane_arm(const wall *w, double r)
{
	(void)r;
	return w->def.has_hole ? norm(sub(w->hole_at, w->point)) + w->def.hole_radius : 0;
}

// ---------------------------------------------------------------- cylinder

static double cylinder_distance(const wall *w, vec3 x)
{
	polar at = polar_of(w->point, w->axis, x);
	return w->def.inside ? w->def.radius - at.off : at.off - w->def.radius;
}

static bool cylinder_ends(const wall *w)
{
	return !w->def.inside;
}

static double cylinder_bend(const soak_way *e)
{
	return e->wall->def.inside ? bend_about(e, e->wall->point, e->wall->axis, e->way) : 0;
}

// ---------------------------------------------------------------- cone

static double slope_of(const wall *w)
{
	return tan(w->def.angle*M_PI/180);
}

static double cone_distance(const wall *w, vec3 x)
{
	polar at = polar_of(w->point, w->axis, x);
	double slope = slope_of(w);
	return segment_distance(at.along, at.off, w->def.from, slope*w->def.from, w->def.last, slope*w->def.last);
}

static int cone_side(const wall *w, vec3 x)
{
	polar at = polar_of(w->point, w->axis, x);
	double slope = slope_of(w), foot = (at.along + slope*at.off)/(1 + slope*slope);
	return foot > w->def.from && foot < w->def.last ? sign(slope*at.along - at.off) : 0;
}

static double cone_bend(const soak_way *e)
{
	return bend_about(e, e->wall->point, e->wall->axis, e->way);
}

// ---------------------------------------------------------------- segment

static double line_distance(const wall *w, vec3 x)
{
	return segment_distance(x.x, x.y, w->point.x, w->point.y, w->to.x, w->to.y);
}

static int line_side(const wall *w, vec3 x)
{
	vec3 line = sub(w->to, w->point), d = sub(x, w->point);
	double s = dot(d, line)/dot(line, line);
	return s > 0 && s < 1 ? sign(line.x*d.y - line.y*d.x) : 0;
}

static double line_arm(const wall *w, double r)
{
	return 0.5*norm(sub(w->to, w->point)) + r;
}

static vec3 line_pivot(const wall *w)
{
	return mul(0.5, add(w->point, w->to));
}

// ---------------------------------------------------------------- torus

static double torus_distance(const wall *w, vec3 x)
{
	polar at = polar_of(w->point, w->axis, x);
	double from_line = hypot(at.off - w->def.radius, at.along);
	return w->def.inside ? w->def.tube - from_line : from_line - w->def.tube;
}

static double torus_apart(const wall *w, vec3 x)
{
	return w->def.inside ? norm(sub(x, w->point)) : torus_distance(w, x);
}

// About its axis, and in the tube also about the tube's.
static double torus_bend(const soak_way *e)
{
	const wall *w = e->wall;
	vec3 d = sub(e->x, w->point), along = cross(w->axis, d), out = cross(along, w->axis);
	double off = norm(out), ring = bend_about(e, w->point, w->axis, e->way);
	if (!w->def.inside || off < 1e-9*e->r)
		return ring;
	return ring + bend_about(e, mul_add(w->point, w->def.radius/off, out), mul(1/off, along), e->way);
}

// ---------------------------------------------------------------- all

static const soak_shape shapes[] = {
	[TALUS_WALL_PLANE] = {plane_distance, plane_side, plane_apart, has_hole, plane_bend, plane_arm, NULL},
	[TALUS_WALL_CYLINDER] = {cylinder_distance, NULL, NULL, cylinder_ends, cylinder_bend, NULL, NULL},
	[TALUS_WALL_CONE] = {cone_distance, cone_side, NULL, yes, cone_bend, NULL, NULL},
	[TALUS_WALL_SEGMENT] = {line_distance, line_side, NULL, yes, NULL, line_arm, line_pivot},
	[TALUS_WALL_TORUS] = {torus_distance, NULL, torus_apart, yes, torus_bend, NULL, NULL},
};

const soak_shape *soak_shape_of(const wall *w)
{
	size_t kind = (size_t)w->def.kind;
	return kind < sizeof shapes/sizeof shapes[0] && shapes[kind].distance ? &shapes[kind] : NULL;
}
