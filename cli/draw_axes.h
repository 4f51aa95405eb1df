// SPDX-License-Identifier: MIT
// Numbers on axes: round ticks, and labels that carry a common power of ten.
#ifndef TALUS_DRAW_AXES_H
#define TALUS_DRAW_AXES_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

enum { TICKS_MOST = 64, NUMBER_MOST = 48 };

typedef struct axis {
	double low, high; // ends of what is shown
	bool log;
	int ticks, small; // `small`: short ones without a label, behind the others in `at`
	double at[TICKS_MOST];
	int exponent;     // linear: labels are counted in this power of ten
	double step;
} axis;

// 1, 2 or 5 times a power of ten, so that at most `most` of them fit into the range.
double nice_step(double range, int most);

// With `round_ends` the ends move out to the next ticks.
axis axis_make(double low, double high, bool log, int most, bool round_ends);
double axis_share(const axis *a, double value); // 0 at the low end, 1 at the high end
void axis_label(const axis *a, int tick, char text[NUMBER_MOST]);
void power_label(int exponent, char text[NUMBER_MOST]); // 10 to the exponent, small raised figures
void number_label(double value, char text[NUMBER_MOST]); // up to three figures

// Text with its anchor: across 0 left, 0.5 middle, 1 right; upward 0 foot of the letters, 0.5 their middle, 1
// top.
void text_put(cairo_t *cairo, double x, double y, double across, double upward, double size,
              const char *text);
double text_width(cairo_t *cairo, double size, const char *text);

#endif
