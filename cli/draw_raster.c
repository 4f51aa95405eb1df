// SPDX-License-Identifier: MIT
// Casts a ray through every sample of an orthographic view; for spheres and planes the hit is a formula.
#include "draw_raster.h"

#include "base/memory.h"

raster raster_make(int width, int height)
{
	size_t samples = (size_t)width*(size_t)height;
	raster r = {.width = width, .height = height};
	r.depth = memory_grow(NULL, 0, samples*sizeof *r.depth);
	r.owner = memory_grow(NULL, 0, samples*sizeof *r.owner);
	for (size_t i = 0; i < samples; i++) {
		r.depth[i] = -INFINITY;
		r.owner[i] = RASTER_NOTHING;
	}
	return r;
}

void raster_free(raster *r)
{
	memory_free(r->depth);
	memory_free(r->owner);
}

static int clamp_int(double x, int low, int high)
{
	return x < low ? low : x > high ? high : (int)x;
}

static void put(raster *r, int x, int y, double depth, int32_t owner)
{
	size_t i = raster_at(r, x, y);
	if ((float)depth > r->depth[i]) {
		r->depth[i] = (float)depth;
		r->owner[i] = owner;
	}
}

void raster_sphere(raster *r, vec3 seen, double radius, int32_t owner)
{
	double R = fmax(radius, 0.71); // never so small that it falls between the samples
	if (seen.x + R < 0 || seen.x - R > r->width || seen.y + R < 0 || seen.y - R > r->height)
		return;
	int y0 = clamp_int(floor(seen.y - R), 0, r->height - 1);
	int y1 = clamp_int(ceil(seen.y + R), 0, r->height - 1);
	for (int y = y0; y <= y1; y++) {
		double dy = y + 0.5 - seen.y, rest = R*R - dy*dy;
		if (rest <= 0)
			continue;
		double half = sqrt(rest);
		int x0 = clamp_int(ceil(seen.x - half - 0.5), 0, r->width);
		int x1 = clamp_int(floor(seen.x + half - 0.5), -1, r->width - 1);
		for (int x = x0; x <= x1; x++) {
			double dx = x + 0.5 - seen.x;
			put(r, x, y, seen.z + sqrt(fmax(0, rest - dx*dx)), owner);
		}
	}
}

// Where the row at height y enters and leaves a convex polygon.
static bool row_span(const vec3 *p, int count, double y, double *left, double *right)
{
	*left = INFINITY;
	*right = -INFINITY;
	for (int i = 0; i < count; i++) {
		vec3 a = p[i], b = p[(i + 1)%count];
		if ((a.y <= y) == (b.y <= y))
			continue;
		double x = a.x + (y - a.y)/(b.y - a.y)*(b.x - a.x);
		*left = fmin(*left, x);
		*right = fmax(*right, x);
	}
	return *left < *right;
}

void raster_face(raster *r, const vec3 *p, int count, int32_t owner)
{
	vec3 n = vec(0, 0, 0);
	double top = INFINITY, bottom = -INFINITY;
	for (int i = 0; i < count; i++) {
		n = add(n, cross(sub(p[i], p[0]), sub(p[(i + 1)%count], p[0])));
		top = fmin(top, p[i].y);
		bottom = fmax(bottom, p[i].y);
	}
	if (!(fabs(n.z) > 1e-6*norm(n))) // seen edge-on
		return;
	for (int y = clamp_int(floor(top), 0, r->height); y < r->height && y + 0.5 < bottom; y++) {
		double left, right;
		if (!row_span(p, count, y + 0.5, &left, &right))
			continue;
		int x1 = clamp_int(floor(right - 0.5), -1, r->width - 1);
		for (int x = clamp_int(ceil(left - 0.5), 0, r->width); x <= x1; x++)
			put(r, x, y, p[0].z - (n.x*(x + 0.5 - p[0].x) + n.y*(y + 0.5 - p[0].y))/n.z, owner);
	}
}

bool raster_hides(const raster *r, vec3 seen, double slack)
{
	if (!(seen.x >= 0 && seen.y >= 0 && seen.x < r->width && seen.y < r->height))
		return false;
	return r->depth[raster_at(r, (int)seen.x, (int)seen.y)] > seen.z + slack;
}
