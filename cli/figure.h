// SPDX-License-Identifier: MIT
// A figure that is put together point by point: curves and dots over one pair of axes.
#ifndef TALUS_CLI_FIGURE_H
#define TALUS_CLI_FIGURE_H

#include "draw_plot.h"

typedef struct figure {
	csv_table table;
	size_t capacity;
	plot_options options;
} figure;

figure figure_make(const char *x, const char *y); // names of the axes
int figure_curve(figure *f, const char *name);    // before the first point; both return the curve's number
int figure_dots(figure *f, const char *name);
void figure_point(figure *f, int curve, double x, double y); // those of a curve one after the other
bool figure_draw(figure *f, const char *path, talus_error *error);
void figure_free(figure *f);

#endif
