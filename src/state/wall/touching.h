// SPDX-License-Identifier: MIT
// What shapes share when they look for touches. A touch is the nearest point of the wall: a face, an edge or a rim. A ball that is
// larger than the ring it lies in (a hole, the mouth of a cone, the cone itself) touches all around; four points of the ring stand
// for it, so that nothing is forbidden that the wall allows. The narrow phase runs through this, hence the inline functions.
#ifndef TALUS_WALL_TOUCHING_H
#define TALUS_WALL_TOUCHING_H

#include "state/wall.h"

static const double wall_degree = 0.01745329251994329577;
#define WALL_UPRIGHT 1e-9 // a wall that leans less from the vertical does not catch anything

static inline int touch_put(touch *list, int count, double range, int feature, vec3 n, double gap)
{
	if (gap < range)
		list[count++] = (touch){n, gap, feature};
	return count;
}

// From a point of the wall: the direction is free, so a centre that lies on the point takes the one given.
static inline int touch_point(touch *list, int count, double range, int feature, vec3 from, vec3 x, double r, vec3 otherwise)
{
	vec3 away = sub(x, from);
	double distance = norm(away);
	return touch_put(list, count, range, feature, distance > 0 ? mul(1/distance, away) : otherwise, distance - r);
}

// A ring of the given radius about axis; `out` is the unit vector from the axis towards x. Its far side counts if it is within
// range: for a large ball always, for a fast one within a step.
static inline int touch_ring(touch *list, int dimension, double range, vec3 centre, vec3 axis, double radius, vec3 out, vec3 x,
                             double r)
{
	int count = touch_point(list, 0, range, 0, mul_add(centre, radius, out), x, r, axis);
	if (radius == 0)
		return count;
	count = touch_point(list, count, range, 1, mul_add(centre, -radius, out), x, r, axis);
	if (dimension == 2)
		return count;
	vec3 side = cross(axis, out);
	count = touch_point(list, count, range, 2, mul_add(centre, radius, side), x, r, axis);
	return touch_point(list, count, range, 3, mul_add(centre, -radius, side), x, r, axis);
}

// Splits x - point into its part along the axis and the rest; the rest's direction is some tangent when it vanishes.
static inline double touch_split(vec3 point, vec3 axis, int dimension, vec3 x, double *along, vec3 *out)
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

// Curvature about the axis: going round it leads away from it.
static inline double touch_curvature(const wall *w, vec3 image, int dimension, vec3 x, vec3 n, vec3 way)
{
	double along;
	vec3 out;
	double off = touch_split(add(w->point, image), w->axis, dimension, x, &along, &out);
	double aside = dot(way, cross(w->axis, out));
	return dot(n, out)*(sqrt(off*off + aside*aside) - off);
}

#endif
