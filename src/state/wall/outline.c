// SPDX-License-Identifier: MIT
// Boxes, rings and prisms around walls.
#include "state/wall/outline.h"

static const double two_pi = 2*M_PI;

void box_include(talus_box *box, vec3 at)
{
	for (int k = 0; k < 3; k++) {
		set_component(&box->low, k, fmin(component(box->low, k), component(at, k)));
		set_component(&box->high, k, fmax(component(box->high, k), component(at, k)));
	}
}

void box_include_disk(talus_box *box, vec3 at, vec3 axis, double radius)
{
	for (int k = 0; k < 3; k++) {
		double c = component(axis, k), half = radius*sqrt(fmax(0, 1 - c*c));
		vec3 step = vec(k == 0 ? half : 0, k == 1 ? half : 0, k == 2 ? half : 0);
		box_include(box, add(at, step));
		box_include(box, sub(at, step));
	}
}

vec3 outline_around(vec3 axis, int side)
{
	double phi = two_pi*side/WALL_ROUND;
	vec3 u = any_tangent(axis), v = cross(axis, u);
	return add(mul(cos(phi), u), mul(sin(phi), v));
}

int outline_tube(wall_half_space list[WALL_ROUND], vec3 point, vec3 axis, double radius)
{
	for (int i = 0; i < WALL_ROUND; i++) {
		vec3 out = outline_around(axis, i);
		list[i] = (wall_half_space){mul_add(point, radius, out), neg(out)};
	}
	return WALL_ROUND;
}
