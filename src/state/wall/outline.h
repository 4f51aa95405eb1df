// SPDX-License-Identifier: MIT
// What outlines of walls are made of.
#ifndef TALUS_WALL_OUTLINE_H
#define TALUS_WALL_OUTLINE_H

#include "state/wall/shape.h"

void box_include(talus_box *box, vec3 at);
void box_include_disk(talus_box *box, vec3 at, vec3 axis, double radius); // about the axis, which is a unit vector

int outline_tube(wall_half_space list[WALL_ROUND], vec3 point, vec3 axis, double radius); // the inside of a cylinder, as a prism
vec3 outline_around(vec3 axis, int side); // unit vector from the axis at the azimuth of side 0 to WALL_ROUND; the last is the first

#endif
