// SPDX-License-Identifier: MIT
// The part of space worth showing, and the half spaces that bound what is drawn in it.
#ifndef TALUS_DRAW_REGION_H
#define TALUS_DRAW_REGION_H

#include "base/vec.h"
#include "io/files.h"
#include "state/wall/shape.h"

typedef struct region {
	talus_box box;
	double round;       // > 0: only what is that near to the vertical line through its middle is shown
	double extent;      // longest edge of the box of grains
	double mean_radius;
} region;

region region_of(const frame *frame, bool walls);
vec3 region_middle(const region *r);
double region_diagonal(const region *r);
bool region_has(const region *r, vec3 at, double radius); // some of it is inside
vec3 frame_period(const frame *frame); // edges of the cell along periodic directions, else 0
// Corners of the periodic cell; bit k of the index: at the far end of edge k.
void frame_corners(const frame *frame, const region *r, vec3 corner[8]);

typedef struct limits {
	size_t count, capacity;
	wall_half_space *at;
} limits;

// The region's sides and every wall that grains cannot pass, but for wall `except`.
limits limits_make(const frame *frame, const region *r, int except);
void limits_free(limits *l);

enum { POLYGON_MOST = 256 };
typedef struct polygon { // convex
	int count;
	vec3 at[POLYGON_MOST];
} polygon;

void polygon_clip(polygon *p, const limits *l);
bool line_clip(vec3 *a, vec3 *b, const limits *l); // false: nothing is left

#endif
