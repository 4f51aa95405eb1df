// SPDX-License-Identifier: MIT
// Spheres and their walls. On pixels they are shaded sample by sample; in SVG they are painted from far to
// near, each with a gradient, and only those that can be seen at all.
#include "draw_picture.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static raster raster_all(const picture *p, const camera *c, int width, int height)
{
	raster r = raster_make(width, height);
	for (size_t i = 0; i < p->frame->grains; i++)
		raster_sphere(&r, camera_see(c, grain_at(p->frame, i)), p->frame->radius[i]*c->scale, (int32_t)i);
	for (size_t i = 0; i < p->scenery.faces; i++) {
		const face *f = &p->scenery.face[i];
		vec3 seen[POLYGON_MOST];
		for (int k = 0; k < f->count; k++)
			seen[k] = camera_see(c, p->scenery.point[f->start + (size_t)k]);
		if (f->kind != FACE_PLATE)
			raster_face(&r, seen, f->count, -2 - (int32_t)i);
	}
	return r;
}

static void paint_image(const picture *p, const raster *r, const camera *c, int samples)
{
	cairo_surface_t *image = shade_image(p, r, c, samples);
	cairo_set_source_surface(p->cairo, image, 0, 0);
	cairo_paint(p->cairo);
	cairo_surface_destroy(image);
}

typedef struct item {
	double depth;
	size_t index;
	bool face;
} item;

static int far_first(const void *a, const void *b)
{
	const item *x = a, *y = b;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

static void paint_face(const picture *p, const face *f)
{
	double bright = f->kind == FACE_SOLID ? 0.65 + 0.3*fmax(0, dot(f->normal, p->camera.toward)) : 1;
	rgb color = {0.93*bright, 0.94*bright, 0.95*bright};
	for (int k = 0; k < f->count; k++) {
		vec3 at = camera_see(&p->camera, p->scenery.point[f->start + (size_t)k]);
		cairo_line_to(p->cairo, at.x, at.y);
	}
	cairo_close_path(p->cairo);
	rgb_set(p->cairo, color, 1);
	cairo_fill_preserve(p->cairo);
	cairo_set_line_width(p->cairo, 0.6); // no slits between neighbours
	cairo_stroke(p->cairo);
}

static void paint_sphere(const picture *p, size_t i)
{
	vec3 at = camera_see(&p->camera, grain_at(p->frame, i));
	double r = fmax(p->frame->radius[i]*p->camera.scale, 0.5);
	rgb white = {1, 1, 1}, black = {0, 0, 0}, c = p->palette.grain[i];
	if (p->options->forces)
		c = rgb_mix(c, white, 0.8);
	double depth = p->options->forces ? 0.4 : 1;
	cairo_pattern_t *g = cairo_pattern_create_radial(at.x - 0.35*r, at.y - 0.45*r, 0.05*r, at.x, at.y, r);
	rgb light = rgb_mix(c, white, 0.35*depth), half = rgb_mix(c, black, 0.06*depth);
	rgb dark = rgb_mix(c, black, 0.5*depth);
	cairo_pattern_add_color_stop_rgb(g, 0, light.r, light.g, light.b);
	cairo_pattern_add_color_stop_rgb(g, 0.55, half.r, half.g, half.b);
	cairo_pattern_add_color_stop_rgb(g, 1, dark.r, dark.g, dark.b);
	cairo_arc(p->cairo, at.x, at.y, r, 0, 2*M_PI);
	cairo_set_source(p->cairo, g);
	cairo_fill(p->cairo);
	cairo_pattern_destroy(g);
}

static bool *seen_grains(const picture *p, const raster *r)
{
	bool *seen = memory_grow(NULL, 0, p->frame->grains + 1);
	memset(seen, 0, p->frame->grains + 1);
	size_t samples = (size_t)r->width*(size_t)r->height;
	for (size_t i = 0; i < samples; i++)
		if (r->owner[i] >= 0)
			seen[r->owner[i]] = true;
	return seen;
}

static void paint_vectors(const picture *p, const raster *r)
{
	bool *seen = seen_grains(p, r);
	item *list = memory_grow(NULL, 0, (p->frame->grains + p->scenery.faces + 1)*sizeof *list);
	size_t count = 0;
	for (size_t i = 0; i < p->scenery.faces; i++) {
		const face *f = &p->scenery.face[i];
		if (f->kind != FACE_SOLID) {
			paint_face(p, f);
			continue;
		}
		double depth = 0;
		for (int k = 0; k < f->count; k++)
			depth += dot(p->camera.toward, p->scenery.point[f->start + (size_t)k])/f->count;
		list[count++] = (item){depth, i, true};
	}
	for (size_t i = 0; i < p->frame->grains; i++)
		if (seen[i])
			list[count++] = (item){dot(p->camera.toward, grain_at(p->frame, i)), i, false};
	qsort(list, count, sizeof *list, far_first);
	for (size_t i = 0; i < count; i++) {
		if (list[i].face)
			paint_face(p, &p->scenery.face[list[i].index]);
		else
			paint_sphere(p, list[i].index);
	}
	memory_free(list);
	memory_free(seen);
}

// Grains and rods hide what is behind them; light sheets do not, and a line may lie in one.
static bool hidden_at(const picture *p, const raster *r, vec3 seen, double slack)
{
	if (!raster_hides(r, seen, slack))
		return false;
	int32_t owner = r->owner[raster_at(r, (int)seen.x, (int)seen.y)];
	return owner >= 0 || p->scenery.face[-2 - owner].kind == FACE_SOLID;
}

// Lines are cut into pieces, and pieces behind something are left out.
static void paint_line(const picture *p, const line *l, const raster *r, const camera *c)
{
	const vec3 *at = &p->scenery.point[l->start];
	double slack = fmax(2, 0.25*p->region.mean_radius*c->scale), ratio = p->camera.scale/c->scale;
	for (size_t i = 0; i + 1 < l->count; i++) {
		vec3 a = camera_see(c, at[i]), b = camera_see(c, at[i + 1]);
		int pieces = 1 + (int)fmin(norm(sub(b, a))/4, 5000);
		bool down = false;
		for (int k = 0; k <= pieces; k++) {
			vec3 now = mul_add(a, (double)k/pieces, sub(b, a));
			bool hidden = hidden_at(p, r, now, slack);
			if (!hidden && !down)
				cairo_move_to(p->cairo, now.x*ratio, now.y*ratio);
			else if (down)
				cairo_line_to(p->cairo, now.x*ratio, now.y*ratio);
			down = !hidden;
		}
	}
	cairo_stroke(p->cairo);
}

static void paint_lines(const picture *p, const raster *r, const camera *c)
{
	cairo_set_line_cap(p->cairo, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_join(p->cairo, CAIRO_LINE_JOIN_ROUND);
	for (size_t i = 0; i < p->scenery.lines; i++) {
		const line *l = &p->scenery.line[i];
		rgb_set(p->cairo, l->cell ? (rgb){0.35, 0.35, 0.38} : (rgb){0.55, 0.57, 0.60}, 1);
		cairo_set_line_width(p->cairo, (l->cell ? 1.0 : 1.3)*p->unit);
		paint_line(p, l, r, c);
	}
}

void draw_spheres(const picture *p)
{
	int samples = p->vector || (double)p->width*p->height > 12e6 ? 1 : 2;
	camera c = p->camera;
	c.scale *= samples;
	c.x *= samples;
	c.y *= samples;
	raster r = raster_all(p, &c, p->width*samples, p->height*samples);
	if (p->vector)
		paint_vectors(p, &r);
	else
		paint_image(p, &r, &c, samples);
	paint_lines(p, &r, &c);
	raster_free(&r);
}
