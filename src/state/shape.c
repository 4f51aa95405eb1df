// SPDX-License-Identifier: MIT
#include "state/shape.h"

#include <math.h>

double shape_volume(int dimension, double radius)
{
	return dimension == 2 ? M_PI*radius*radius : 4*M_PI/3*radius*radius*radius;
}

double shape_inertia(int dimension, double mass, double radius)
{
	return (dimension == 2 ? 0.5 : 0.4)*mass*radius*radius;
}
