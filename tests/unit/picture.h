// SPDX-License-Identifier: MIT
// What the tests of pictures share: frames made by hand, and pixels that are looked at.
#ifndef TALUS_TESTS_PICTURE_H
#define TALUS_TESTS_PICTURE_H

#include "base/memory.h"
#include "base/vec.h"
#include "draw_color.h"
#include "draw_frame.h"
#include "draw_picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 400 };

// ---------------------------------------------------------------- frames by hand

static inline frame *scene_new(int dimension)
{
	frame *f = calloc(1, sizeof *f);
	f->dimension = dimension;
	f->id = calloc(ROOM, sizeof *f->id);
	f->x = calloc(ROOM, sizeof *f->x);
	f->v = calloc(ROOM, sizeof *f->v);
	f->q = calloc(ROOM, sizeof *f->q);
	f->radius = calloc(ROOM, sizeof *f->radius);
	f->material = calloc(ROOM, sizeof *f->material);
	f->body = calloc(ROOM, sizeof *f->body);
	f->n = calloc(ROOM, sizeof *f->n);
	f->force = calloc(ROOM, sizeof *f->force);
	f->torque = calloc(ROOM, sizeof *f->torque);
	f->gap = calloc(ROOM, sizeof *f->gap);
	f->bonded = calloc(ROOM, sizeof *f->bonded);
	f->wall = calloc(ROOM, sizeof *f->wall);
	return f;
}

static inline void scene_delete(frame *f)
{
	void *column[] = {f->id, f->x, f->v, f->q, f->radius, f->material, f->body, f->n, f->force, f->torque, f->gap,
	                  f->bonded, f->wall, f};
	for (size_t i = 0; i < sizeof column/sizeof *column; i++)
		free(column[i]);
}

// Ids are not rows: they start at 100 and have holes.
static inline int64_t put_grain(frame *f, vec3 at, double radius, int material)
{
	size_t i = f->grains++;
	f->id[i] = (uint32_t)(100 + 3*i);
	f->x[i][0] = at.x;
	f->x[i][1] = at.y;
	f->x[i][2] = at.z;
	f->q[i][0] = 1;
	f->radius[i] = radius;
	f->material[i] = material;
	return f->id[i];
}

static inline void put_contact(frame *f, int64_t a, int64_t b, vec3 n, double force)
{
	size_t c = f->contacts++;
	f->body[c][0] = a;
	f->body[c][1] = b;
	for (int k = 0; k < 3; k++) {
		f->n[c][k] = component(n, k);
		f->force[c][k] = force*component(n, k);
	}
}

static inline talus_wall_def *put_wall(frame *f, talus_wall_kind kind, vec3 point, vec3 axis)
{
	talus_wall_def *w = &f->wall[f->walls++].def;
	w->kind = kind;
	w->point = point;
	w->axis = axis;
	return w;
}

// ---------------------------------------------------------------- pixels

typedef struct image {
	int width, height;
	uint32_t *pixel;
} image;

static inline image image_read(const char *path)
{
	cairo_surface_t *s = cairo_image_surface_create_from_png(path);
	assert_int_equal(cairo_surface_status(s), CAIRO_STATUS_SUCCESS);
	image m = {cairo_image_surface_get_width(s), cairo_image_surface_get_height(s), NULL};
	m.pixel = malloc((size_t)m.width*(size_t)m.height*4);
	for (int y = 0; y < m.height; y++)
		memcpy(m.pixel + (size_t)y*(size_t)m.width,
		       cairo_image_surface_get_data(s) + y*cairo_image_surface_get_stride(s), (size_t)m.width*4);
	cairo_surface_destroy(s);
	return m;
}

static inline image drawn(const frame *f, const draw_options *o)
{
	talus_error error;
	if (!draw_frame(f, o, "test.png", &error))
		fail_msg("%s", error.text);
	image m = image_read("test.png");
	remove("test.png");
	return m;
}

static inline draw_options options_of(int width, int height)
{
	draw_options o = draw_options_default();
	o.width = width;
	o.height = height;
	o.azimuth = o.elevation = 0;
	return o;
}

// Of the colour c, whatever light falls on it; `slack` in shares of each component.
static inline bool like(uint32_t pixel, rgb c, double slack)
{
	double r = (pixel >> 16 & 255)/255.0, g = (pixel >> 8 & 255)/255.0, b = (pixel & 255)/255.0;
	double s = (r + g + b)/(c.r + c.g + c.b);
	double off = fmax(fabs(r - s*c.r), fmax(fabs(g - s*c.g), fabs(b - s*c.b)));
	return s > 0.3 && s < 1.3 && off < slack;
}

typedef struct blob { // all pixels of a colour
	double x, y;
	long area;
	int left, right, top, bottom;
} blob;

// All pixels of a colour between two heights.
static inline blob find_between(const image *m, int top, int bottom, rgb c, double slack)
{
	blob b = {.left = m->width, .right = -1, .top = m->height, .bottom = -1};
	for (int y = top; y < bottom; y++)
		for (int x = 0; x < m->width; x++) {
			if (!like(m->pixel[(size_t)y*(size_t)m->width + (size_t)x], c, slack))
				continue;
			b.area++;
			b.x += x;
			b.y += y;
			b.left = x < b.left ? x : b.left;
			b.right = x > b.right ? x : b.right;
			b.top = y < b.top ? y : b.top;
			b.bottom = y > b.bottom ? y : b.bottom;
		}
	b.x /= (double)b.area;
	b.y /= (double)b.area;
	return b;
}

// The caption, below, is left out.
static inline blob find(const image *m, rgb c, double slack)
{
	return find_between(m, 0, m->height*9/10, c, slack);
}

static inline uint32_t pixel_at(const image *m, double x, double y)
{
	return m->pixel[(size_t)y*(size_t)m->width + (size_t)x] & 0xffffff;
}

#endif
