// SPDX-License-Identifier: MIT
// What stands around the grains in 3D: walls as flat faces and lines, and the edges of the periodic cell.
#ifndef TALUS_DRAW_SCENERY_H
#define TALUS_DRAW_SCENERY_H

#include "draw_camera.h"
#include "draw_region.h"

typedef enum face_kind {
	FACE_BACK,  // behind the grains that it holds
	FACE_SOLID, // in front of something: the outer side of a rod
	FACE_PLATE, // a thin plate with grains on both sides, drawn translucent
} face_kind;

typedef struct face {
	face_kind kind;
	vec3 normal; // the side that is seen
	size_t start;
	int count;
} face;

typedef struct line {
	bool cell; // an edge of the periodic cell, else of a wall
	size_t start, count;
} line;

typedef struct scenery {
	size_t points, point_capacity, faces, face_capacity, lines, line_capacity;
	vec3 *point;
	face *face;
	line *line;
} scenery;

scenery scenery_make(const frame *frame, const region *r, const camera *c, bool walls);
void scenery_free(scenery *s);

#endif
