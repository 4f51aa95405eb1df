// SPDX-License-Identifier: MIT
// A picture in the making: what its parts share.
#ifndef TALUS_DRAW_PICTURE_H
#define TALUS_DRAW_PICTURE_H

#include "draw_camera.h"
#include "draw_color.h"
#include "draw_frame.h"
#include "draw_raster.h"
#include "draw_region.h"
#include "draw_scenery.h"

#include <cairo.h>

typedef struct picture {
	const frame *frame;
	const draw_options *options;
	cairo_t *cairo;
	bool vector;          // SVG: no images
	int width, height;
	double x, y, w, h;    // the rectangle for grains and walls
	double unit;          // a thousandth of the picture's size; line widths and letters are counted in it
	region region;
	camera camera;
	palette palette;
	scenery scenery;      // 3D
	bool pulls;           // forces are shown, and some pull
} picture;

// Red and blue stay apart for the colour-blind, too.
static const rgb force_push = {0.70, 0.09, 0.17}, force_pull = {0.13, 0.40, 0.67};

static inline vec3 grain_at(const frame *f, size_t i)
{
	return vec(f->x[i][0], f->x[i][1], f->x[i][2]);
}

// draw_walls.c: 2D
void draw_walls(const picture *p);
// draw_disks.c
void draw_disks(const picture *p);
// draw_spheres.c: 3D, walls included
void draw_spheres(const picture *p);
// draw_shade.c: spheres and faces as an image, sample by sample; `samples` a pixel in each direction
cairo_surface_t *shade_image(const picture *p, const raster *r, const camera *c, int samples);
// draw_forces.c
void draw_forces(const picture *p);
bool forces_pull(const frame *f); // some of them, so strongly that one can see it
// draw_legend.c: caption, colour bar, scale of forces
double legend_right(const picture *p);  // room that it needs beside and below
double legend_bottom(const picture *p); // once the picture has its width
void draw_legend(const picture *p);
void draw_force_scale(const picture *p, double force_per_width, double largest, bool capped);

#endif
