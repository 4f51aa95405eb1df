// SPDX-License-Identifier: MIT
// The eye: an orthographic projection from lengths to pixels. A sphere is seen as a disk of its own radius.
#ifndef TALUS_DRAW_CAMERA_H
#define TALUS_DRAW_CAMERA_H

#include "base/vec.h"

typedef struct camera {
	vec3 right, up, toward; // unit vectors; `toward` points to the eye
	double scale;           // pixels per length
	double x, y;            // where the origin of space is seen
} camera;

typedef struct bounds { // what is seen, in lengths along right and up
	double left, right, bottom, top;
} bounds;

camera camera_turn(int dimension, double azimuth, double elevation);

// Pixel right and down, and the nearness to the eye, also in pixels.
static inline vec3 camera_see(const camera *c, vec3 at)
{
	double across = c->scale*dot(c->right, at), upward = c->scale*dot(c->up, at);
	return vec(c->x + across, c->y - upward, c->scale*dot(c->toward, at));
}

bounds bounds_empty(void);
void bounds_add(bounds *b, const camera *c, vec3 at, double radius);

// Puts the middle of what is seen into the middle of a rectangle, as large as it fits.
void camera_fit(camera *c, const bounds *b, double x, double y, double width, double height);

#endif
