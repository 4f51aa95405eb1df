// SPDX-License-Identifier: MIT
// Grains of 2D scenes: disks with an outline, and a thin radius that shows how they have turned.
#include "draw_picture.h"

static void disk(const picture *p, size_t i)
{
	const frame *f = p->frame;
	vec3 at = camera_see(&p->camera, grain_at(f, i));
	double r = f->radius[i]*p->camera.scale, thin = fmin(1.1*p->unit, 0.14*r);
	bool pale = p->options->forces;
	rgb white = {1, 1, 1}, black = {0, 0, 0}, c = p->palette.grain[i];
	if (pale)
		c = p->options->color == DRAW_COLOR_AUTO ? (rgb){0.945, 0.945, 0.935} : rgb_mix(c, white, 0.6);
	rgb outline = pale ? (rgb){0.72, 0.72, 0.70} : rgb_mix(c, black, 0.55);
	cairo_arc(p->cairo, at.x, at.y, r - thin/2, 0, 2*M_PI);
	rgb_set(p->cairo, c, 1);
	cairo_fill_preserve(p->cairo);
	rgb_set(p->cairo, outline, 1);
	cairo_set_line_width(p->cairo, thin);
	cairo_stroke(p->cairo);
	if (pale || r < 4*p->unit)
		return;
	double angle = 2*atan2(f->q[i][3], f->q[i][0]);
	cairo_move_to(p->cairo, at.x + 0.45*r*cos(angle), at.y - 0.45*r*sin(angle));
	cairo_line_to(p->cairo, at.x + 0.85*r*cos(angle), at.y - 0.85*r*sin(angle));
	rgb_set(p->cairo, rgb_mix(c, black, 0.35), 1);
	cairo_stroke(p->cairo);
}

void draw_disks(const picture *p)
{
	cairo_set_line_cap(p->cairo, CAIRO_LINE_CAP_ROUND);
	for (size_t i = 0; i < p->frame->grains; i++)
		if (region_has(&p->region, grain_at(p->frame, i), p->frame->radius[i]))
			disk(p, i);
}
