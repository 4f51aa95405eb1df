// SPDX-License-Identifier: MIT
// Puts a picture together: the page, the eye, grains and walls, forces, legend.
#include "draw_picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "draw_images.h"
#include "draw_surface.h"

#include <stdlib.h>

draw_options draw_options_default(void)
{
	return (draw_options){.azimuth = 25, .elevation = 18, .walls = true};
}

static bool side_allowed(long pixels)
{
	return pixels >= DRAW_SIZE_LEAST && pixels <= DRAW_SIZE_MOST;
}

bool draw_size_read(const char *text, int *width, int *height)
{
	char *end;
	long w = strtol(text, &end, 10);
	if (end == text || (*end != 'x' && *end != 'X'))
		return false;
	const char *second = end + 1;
	long h = strtol(second, &end, 10);
	if (end == second || *end || !side_allowed(w) || !side_allowed(h))
		return false;
	*width = (int)w;
	*height = (int)h;
	return true;
}

// The part of a 2D region where grains can be, with a seam for the hatching of its walls.
static void add_free_space(const picture *p, bounds *b)
{
	const talus_box *box = &p->region.box;
	vec3 low = box->low, high = box->high;
	polygon space = {4, {low, vec(high.x, low.y, 0), high, vec(low.x, high.y, 0)}};
	limits l = limits_make(p->frame, &p->region, -1);
	for (int i = 0; i < 4; i++)
		space.at[i].z = 0;
	polygon_clip(&space, &l);
	for (int i = 0; i < space.count; i++)
		bounds_add(b, &p->camera, space.at[i], 0.008*p->region.extent);
	limits_free(&l);
}

// What must be on the page: the grains and the walls around them, without the walls' far ends.
static bounds content(const picture *p)
{
	const frame *f = p->frame;
	bounds b = bounds_empty();
	for (size_t i = 0; i < f->grains; i++)
		if (region_has(&p->region, grain_at(f, i), 0))
			bounds_add(&b, &p->camera, grain_at(f, i), f->radius[i]);
	for (size_t i = 0; i < p->scenery.points; i++)
		bounds_add(&b, &p->camera, p->scenery.point[i], 0);
	vec3 corner[8];
	if (f->dimension == 2 && (f->periodic[0] || f->periodic[1])) {
		frame_corners(f, &p->region, corner);
		for (int i = 0; i < 8; i++)
			bounds_add(&b, &p->camera, corner[i], 0);
	}
	if (f->dimension == 2 && p->options->walls && f->walls > 0)
		add_free_space(p, &b);
	if (!(b.left < b.right))
		b = (bounds){-1, 1, -1, 1};
	return b;
}

// Size of the page, rectangle of the grains, scale of the eye.
static void lay_out(picture *p)
{
	bounds b = content(p);
	double shape = fmin(fmax((b.right - b.left)/fmax(b.top - b.bottom, 1e-300), 0.4), 4);
	p->width = p->options->width;
	p->height = p->options->height;
	p->unit = 1.1;
	if (p->width > 0)
		p->unit = fmax(sqrt((double)p->width*p->height)/1000, 0.6); // letters stay readable
	double edge = 16*p->unit, right = legend_right(p), area = 1.1e6;
	bool choose = p->width <= 0;
	if (choose)
		p->width = (int)lrint(fmax(sqrt(area*shape), 640) + 2*edge + right);
	double bottom = legend_bottom(p);
	if (choose)
		p->height = (int)lrint(sqrt(area/shape) + edge + bottom);
	p->x = edge;
	p->y = edge;
	p->w = fmax(p->width - 2*edge - right, 10);
	p->h = fmax(p->height - edge - bottom, 10);
	camera_fit(&p->camera, &b, p->x, p->y, p->w, p->h);
}

static void paint(picture *p)
{
	cairo_save(p->cairo);
	double over = 12*p->unit;
	cairo_rectangle(p->cairo, p->x - over, p->y - over, p->w + 2*over, p->h + 2*over);
	cairo_clip(p->cairo);
	if (p->frame->dimension == 2) {
		draw_disks(p);
		draw_walls(p);
	} else {
		draw_spheres(p);
	}
	cairo_restore(p->cairo);
	if (p->options->forces)
		draw_forces(p);
	draw_legend(p);
}

static bool size_allowed(const draw_options *o, talus_error *error)
{
	if (o->width == 0 && o->height == 0)
		return true;
	if (side_allowed(o->width) && side_allowed(o->height))
		return true;
	return error_set(error, "a picture of %dx%d pixels: width and height must be %d to %d", o->width,
	                 o->height, DRAW_SIZE_LEAST, DRAW_SIZE_MOST);
}

// A run that went wrong may have left numbers that are nowhere.
static bool grains_finite(const frame *f, talus_error *error)
{
	for (size_t i = 0; i < f->grains; i++)
		if (!finite3(grain_at(f, i)) || !isfinite(f->radius[i]))
			return error_set(error, "grain %u has no finite place at time %g", f->id[i], f->time);
	return true;
}

bool draw_frame(const frame *f, const draw_options *options, const char *path, talus_error *error)
{
	if (!size_allowed(options, error) || !grains_finite(f, error))
		return false;
	frame shown = images_shown(f);
	picture p = {.frame = &shown, .options = options};
	p.camera = camera_turn(f->dimension, options->azimuth, options->elevation);
	p.region = region_of(&shown, options->walls);
	p.palette = palette_make(f, options->color);
	p.pulls = options->forces && forces_pull(f);
	if (f->dimension == 3)
		p.scenery = scenery_make(&shown, &p.region, &p.camera, options->walls);
	lay_out(&p);
	draw_surface page;
	bool done = draw_surface_open(&page, path, p.width, p.height, error);
	if (done) {
		p.cairo = page.cairo;
		p.vector = page.vector;
		paint(&p);
		done = draw_surface_close(&page, true, error);
	}
	scenery_free(&p.scenery);
	palette_free(&p.palette);
	memory_free(shown.wall);
	return done;
}
