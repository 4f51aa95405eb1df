// SPDX-License-Identifier: MIT
#include "state/shape.h"

static const double pi = 3.14159265358979323846;

double shape_volume(int dimension, double radius)
{
	return dimension == 2 ? pi*radius*radius : 4*pi/3*radius*radius*radius;
}

double shape_inertia(int dimension, double mass, double radius)
{
	return (dimension == 2 ? 0.5 : 0.4)*mass*radius*radius;
}
