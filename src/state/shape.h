// SPDX-License-Identifier: MIT
// Spheres (dimension 3) and disks (dimension 2): measure and moment of inertia.
#ifndef TALUS_SHAPE_H
#define TALUS_SHAPE_H

double shape_volume(int dimension, double radius); // 2D: area
double shape_inertia(int dimension, double mass, double radius);

#endif
