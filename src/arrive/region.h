// SPDX-License-Identifier: MIT
// Regions of space that grains are put into.
#ifndef TALUS_REGION_H
#define TALUS_REGION_H

#include "state/cell.h"

talus_box region_bounds(const talus_region *region);
double region_width(const talus_region *region, const cell *cell, int direction); // infinite where it spans a periodic cell

// Is a whole grain inside? Along periodic directions in which a box spans the cell, a grain may stick out: it comes
// in on the other side. In a region that is narrower than the grain, it must lie in the middle.
bool region_holds(const talus_region *region, const cell *cell, int dimension, vec3 x, double r);

// The centre at the fractions f of what a grain of radius r has inside the bounds.
vec3 region_point(const talus_region *region, const cell *cell, int dimension, double r, const double f[3]);

#endif
