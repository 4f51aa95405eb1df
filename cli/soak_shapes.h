// SPDX-License-Identifier: MIT
// Shapes of walls, worked out apart from src/state/wall/: a second opinion, so that an error would have to be made twice.
#ifndef TALUS_SOAK_SHAPES_H
#define TALUS_SOAK_SHAPES_H

#include "state/wall.h"

// The way of a grain relative to a wall in a step.
typedef struct soak_way {
	const wall *wall; // at the start
	vec3 x, way;      // of the grain's centre
	double r, turned; // its radius; angle by which the wall spins
} soak_way;

// One for each shape. What is NULL is not looked at, or is nothing.
typedef struct soak_shape {
	double (*distance)(const wall *wall, vec3 x); // of a point from its surface; negative: where it is solid
	int (*side)(const wall *wall, vec3 x);        // of one that is thin: -1 or 1, 0 beside it
	double (*apart)(const wall *wall, vec3 x);    // by which the image of a grain that it meets is found, if it is not the distance
	bool (*ends)(const wall *wall);               // it has images in periodic directions
	double (*bend)(const soak_way *w);            // by how much its surface may leave the plane of a contact, towards the grain
	double (*arm)(const wall *wall, double r);    // of what spinning takes to where it was not
	vec3 (*pivot)(const wall *wall);              // NULL: its point
} soak_shape;

const soak_shape *soak_shape_of(const wall *wall); // NULL: nothing is known about it

#endif
