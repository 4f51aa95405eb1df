// SPDX-License-Identifier: MIT
// Curves of columns against a column, with axes.
#ifndef TALUS_DRAW_PLOT_H
#define TALUS_DRAW_PLOT_H

#include "csv_columns.h"

enum { PLOT_COLUMNS_MOST = 32 };

typedef struct plot_options {
	int width, height;
	int x; // column
	int count, y[PLOT_COLUMNS_MOST];
	bool log_x, log_y;
	bool dots[PLOT_COLUMNS_MOST]; // this one is not a curve but dots
	double wide[PLOT_COLUMNS_MOST]; // of curves, over what they have by default; 0: that
	const char *y_name;           // of the upward axis; NULL: the column, if there is just one
	double band[2];               // this part of the axis across is tinted; none if they are the same
} plot_options;

plot_options plot_options_default(void);
bool draw_plot_built(void); // false in a program without pictures

// Whether there is something to draw; `error` says why not.
bool plot_possible(const csv_table *table, const plot_options *options, talus_error *error);
size_t plot_left_out(const csv_table *table, const plot_options *options); // numbers that logarithmic axes cannot show
bool draw_plot(const csv_table *table, const plot_options *options, const char *path, talus_error *error);

// Several on one page, `across` of them beside each other; all must be possible, and of one size.
typedef struct plot_panel {
	const csv_table *table;
	plot_options options;
} plot_panel;
bool draw_plots(const plot_panel *panel, int count, int across, const char *path, talus_error *error);
bool draw_plot_place(const char *path, talus_error *error); // can a picture of this name be written?

#endif
