// SPDX-License-Identifier: MIT
// Colours of the grains: viridis for quantities, a few quiet ones for kinds. Both are safe for the colour-
// blind.
#ifndef TALUS_DRAW_COLOR_H
#define TALUS_DRAW_COLOR_H

#include "draw_frame.h"

#include <cairo.h>

typedef struct rgb {
	double r, g, b;
} rgb;

typedef struct palette {
	rgb *grain;        // one a grain
	bool bar;          // a quantity is shown, and a colour bar tells its values
	double low, high;  // the bar's ends
	bool beyond;       // some values lie above the bar
	const char *label;
} palette;

rgb rgb_mix(rgb a, rgb b, double share_of_b);
void rgb_set(cairo_t *cairo, rgb color, double alpha);
rgb color_map(double t); // 0 to 1, viridis
rgb color_kind(size_t k); // one of eight

palette palette_make(const frame *frame, draw_color color);
void palette_free(palette *p);

#endif
