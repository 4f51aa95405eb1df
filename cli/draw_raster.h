// SPDX-License-Identifier: MIT
// A depth buffer of spheres and flat faces: for every sample, what is nearest to the eye there.
#ifndef TALUS_DRAW_RASTER_H
#define TALUS_DRAW_RASTER_H

#include "draw_camera.h"

enum { RASTER_NOTHING = -1 };

typedef struct raster {
	int width, height;
	float *depth;   // towards the eye, in samples
	int32_t *owner; // grain, or -2 - face, or RASTER_NOTHING
} raster;

raster raster_make(int width, int height);
void raster_free(raster *r);
void raster_sphere(raster *r, vec3 seen, double radius, int32_t owner);
void raster_face(raster *r, const vec3 *seen, int count, int32_t owner);

static inline size_t raster_at(const raster *r, int x, int y)
{
	return (size_t)y*(size_t)r->width + (size_t)x;
}

// Whether a seen point lies behind the surface by more than `slack` samples.
bool raster_hides(const raster *r, vec3 seen, double slack);

#endif
