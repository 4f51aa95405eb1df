// SPDX-License-Identifier: MIT
// Walls. A touch is the nearest point of the wall: a face, an edge or a rim. A ball that is larger than the ring it
// lies in (a hole, the mouth of a cone, the cone itself) touches all around; four points of the ring stand for it,
// each of them a true point of the wall, so that nothing is forbidden that the wall allows.
#include "state/wall.h"

#include <string.h>

static const double two_pi = 6.28318530717958647693;
static const double degree = 0.01745329251994329577;

void wall_init(wall *w, const talus_wall_def *def)
{
	memset(w, 0, sizeof *w);
	w->def = *def;
	if (def->kind == TALUS_WALL_SEGMENT)
		w->def.axis = vec(0, 0, 1);
	w->def.axis = unit(w->def.axis);
	if (def->has_hole) { // its centre belongs into the plane
		double off = dot(sub(def->hole_at, def->point), w->def.axis);
		w->def.hole_at = mul_add(def->hole_at, -off, w->def.axis);
	}
	double length = norm(def->oscillate_direction);
	if (length > 0)
		w->def.oscillate_direction = mul(1/length, def->oscillate_direction);
	wall_place(w);
}

bool wall_is_piston(const wall *w)
{
	return w->def.mass > 0;
}

bool wall_spins(const wall *w)
{
	return w->def.spin != 0;
}

// ---------------------------------------------------------------- motion

static vec3 pivot_at_start(const wall *w)
{
	return w->def.kind == TALUS_WALL_SEGMENT ? mul(0.5, add(w->def.point, w->def.to)) : w->def.point;
}

vec3 wall_pivot(const wall *w)
{
	return add(pivot_at_start(w), w->shift);
}

static vec3 carried(const wall *w, vec3 point)
{
	vec3 pivot = pivot_at_start(w), arm = sub(point, pivot);
	return add(add(pivot, w->shift), w->angle == 0 ? arm : turn(arm, w->def.axis, w->angle));
}

void wall_place(wall *w)
{
	w->axis = w->def.axis; // spin is about the axis: it stays
	w->point = carried(w, w->def.point);
	w->to = carried(w, w->def.to);
	w->hole_at = carried(w, w->def.hole_at);
}

// Displacement of a prescribed wall since the start, exact at any time.
static vec3 path(const wall *w, double time)
{
	const talus_wall_def *d = &w->def;
	double swing = sin(two_pi*(d->oscillate_frequency*time + d->oscillate_phase)) - sin(two_pi*d->oscillate_phase);
	return add(mul(time, d->velocity), mul(d->oscillate_amplitude*swing, d->oscillate_direction));
}

void wall_begin_step(wall *w, double time, double dt)
{
	if (wall_is_piston(w))
		return;
	w->v = mul(1/dt, sub(path(w, time + dt), path(w, time)));
	w->w = w->def.spin;
}

void wall_end_step(wall *w, double time, double dt)
{
	w->moved += dt*wall_top_speed(w);
	w->shift = wall_is_piston(w) ? mul_add(w->shift, dt, w->v) : path(w, time + dt);
	w->angle = w->def.spin*(time + dt);
	wall_place(w);
}

vec3 wall_velocity_at(const wall *w, vec3 image, vec3 point)
{
	return add(w->v, mul(w->w, cross(w->axis, sub(point, add(wall_pivot(w), image)))));
}

double wall_top_speed(const wall *w)
{
	double speed = norm(w->v);
	if (w->def.kind == TALUS_WALL_SEGMENT)
		speed += fabs(w->w)*0.5*norm(sub(w->def.to, w->def.point));
	else if (w->def.has_hole)
		speed += fabs(w->w)*norm(sub(w->def.hole_at, w->def.point));
	return speed;
}

// ---------------------------------------------------------------- touching

static int put(touch *list, int count, double range, int feature, vec3 n, double gap)
{
	if (gap < range)
		list[count++] = (touch){n, gap, feature};
	return count;
}

// From a point of the wall: the direction is free, so a centre that lies on the point takes the one given.
static int put_point(touch *list, int count, double range, int feature, vec3 from, vec3 x, double r, vec3 otherwise)
{
	vec3 away = sub(x, from);
	double distance = norm(away);
	return put(list, count, range, feature, distance > 0 ? mul(1/distance, away) : otherwise, distance - r);
}

// A ring of the given radius about axis; `out` is the unit vector from the axis towards x. Its far side counts if it is within
// range: for a large ball always, for a fast one within a step.
static int touch_ring(touch *list, int dimension, double range, vec3 centre, vec3 axis, double radius, vec3 out, vec3 x,
                      double r)
{
	int count = put_point(list, 0, range, 0, mul_add(centre, radius, out), x, r, axis);
	if (radius == 0)
		return count;
	count = put_point(list, count, range, 1, mul_add(centre, -radius, out), x, r, axis);
	if (dimension == 2)
		return count;
	vec3 side = cross(axis, out);
	count = put_point(list, count, range, 2, mul_add(centre, radius, side), x, r, axis);
	return put_point(list, count, range, 3, mul_add(centre, -radius, side), x, r, axis);
}

// Splits x - point into its part along the axis and the rest; the rest's direction is some tangent when it vanishes.
static double split(vec3 point, vec3 axis, int dimension, vec3 x, double *along, vec3 *out)
{
	vec3 d = sub(x, point);
	*along = dot(d, axis);
	vec3 rest = mul_add(d, -*along, axis);
	rest = mul_add(rest, -dot(rest, axis), axis); // once more: close to the axis rounding is all that is left
	double length = norm(rest);
	vec3 otherwise = dimension == 2 && axis.z == 0 ? vec(-axis.y, axis.x, 0) : any_tangent(axis);
	*out = length > 1e-14*fabs(*along) ? mul(1/length, rest) : otherwise;
	return length;
}

static int touch_plane(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	double height = dot(sub(x, w->point), w->axis);
	if (!w->def.has_hole)
		return put(list, 0, range, 0, w->axis, height - r);
	if (fabs(height) - r >= range)
		return 0;
	double along;
	vec3 out, hole = add(w->hole_at, image);
	double off = split(hole, w->axis, dimension, x, &along, &out);
	if (off < w->def.hole_radius)
		return touch_ring(list, dimension, range, hole, w->axis, w->def.hole_radius, out, x, r);
	return put(list, 0, range, 0, height >= 0 ? w->axis : neg(w->axis), fabs(height) - r);
}

static int touch_cylinder(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch *list)
{
	double along;
	vec3 out;
	double off = split(add(w->point, image), w->axis, dimension, x, &along, &out);
	if (!w->def.inside)
		return put(list, 0, range, 0, out, off - w->def.radius - r);
	int count = put(list, 0, range, 0, neg(out), w->def.radius - r - off);
	return put(list, count, range, 1, out, w->def.radius - r + off); // a ball that fits tightly
}

// The cone is a thin shell and holds grains on either side. Its line in the half plane (along, off) goes from (from,
// from tan) to (last, last tan). At an azimuth away from the grain's own, the grain is `off cos(azimuth)` from the
// axis in that half plane.
static int touch_cone(const wall *w, vec3 image, vec3 x, double r, double range, touch *list)
{
	double angle = w->def.angle*degree, cs = cos(angle), sn = sin(angle), along;
	vec3 out, tip = add(w->point, image);
	double off = split(tip, w->axis, 3, x, &along, &out);
	double reach = along*cs + off*sn, first = w->def.from/cs, last = w->def.last/cs; // along the line from the tip
	if (reach <= first || reach >= last) {
		double end = reach <= first ? w->def.from : w->def.last;
		vec3 centre = mul_add(tip, end, w->axis);
		return touch_ring(list, 3, range, centre, w->axis, end*sn/cs, out, x, r);
	}
	double inward = along*sn - off*cs; // distance from the shell, positive inside
	if (inward < 0 || (inward == 0 && !w->def.inside))
		return put(list, 0, range, 0, sub(mul(cs, out), mul(sn, w->axis)), -inward - r);
	vec3 azimuth[4] = {out, neg(out), cross(w->axis, out), neg(cross(w->axis, out))};
	double offs[4] = {off, -off, 0, 0};
	int count = 0;
	for (int k = 0; k < 4; k++) {
		double distance = along*sn - offs[k]*cs, foot = along*cs + offs[k]*sn;
		if (foot > first && foot < last)
			count = put(list, count, range, k, sub(mul(sn, w->axis), mul(cs, azimuth[k])), distance - r);
	}
	return count;
}

static int touch_segment(const wall *w, vec3 image, vec3 x, double r, double range, touch *list)
{
	vec3 line = sub(w->to, w->point), from = add(w->point, image);
	double s = dot(sub(x, from), line)/dot(line, line);
	vec3 nearest = mul_add(from, fmin(1, fmax(0, s)), line);
	return put_point(list, 0, range, 0, nearest, x, r, unit(vec(-line.y, line.x, 0)));
}

double wall_bend(const wall *w, vec3 image, int dimension, vec3 x, vec3 n, vec3 way)
{
	if (w->def.kind != TALUS_WALL_CYLINDER && w->def.kind != TALUS_WALL_CONE)
		return 0;
	double along;
	vec3 out;
	double off = split(add(w->point, image), w->axis, dimension, x, &along, &out), aside = dot(way, cross(w->axis, out));
	return dot(n, out)*(sqrt(off*off + aside*aside) - off);
}

int wall_touch(const wall *w, vec3 image, int dimension, vec3 x, double r, double range, touch touches[WALL_TOUCHES])
{
	switch (w->def.kind) {
	case TALUS_WALL_PLANE:
		return touch_plane(w, image, dimension, x, r, range, touches);
	case TALUS_WALL_CYLINDER:
		return touch_cylinder(w, image, dimension, x, r, range, touches);
	case TALUS_WALL_CONE:
		return touch_cone(w, image, x, r, range, touches);
	case TALUS_WALL_SEGMENT:
		return touch_segment(w, image, x, r, range, touches);
	}
	return 0;
}
