// SPDX-License-Identifier: MIT
// Draws curves: axes with round ticks, one colour a curve, a legend above where there are several.
#include "draw_plot.h"

#include "base/error.h"
#include "draw_axes.h"
#include "draw_color.h"
#include "draw_surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct plot {
	const csv_table *table;
	const plot_options *options;
	cairo_t *cairo;
	double unit, x, y, w, h; // rectangle of the axes
	double letters;          // size of text
	axis across, upward;
} plot;

static const rgb ink = {0.15, 0.15, 0.17};

plot_options plot_options_default(void)
{
	return (plot_options){.width = 1200, .height = 750};
}

bool draw_plot_built(void)
{
	return true;
}

// Dark enough for lines; the set of Okabe and Ito. From the eighth curve on they come again, dashed.
static rgb curve_color(int k)
{
	static const rgb color[] = {
		{0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
		{0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.20, 0.20, 0.20},
	};
	return color[k%7];
}

static void curve_style(const plot *p, int k)
{
	rgb_set(p->cairo, curve_color(k), 1);
	double wide = p->options->wide[k];
	cairo_set_line_width(p->cairo, (wide > 0 ? wide : 1)*2*p->unit);
	const double dash[] = {7*p->unit, 4*p->unit};
	cairo_set_dash(p->cairo, dash, k/7%2 ? 2 : 0, 0);
}

static bool range_of(const plot *p, int column, bool log, double *low, double *high, talus_error *error)
{
	bool number = false, found = false;
	for (size_t i = 0; i < p->table->rows; i++) {
		double v = csv_at(p->table, i, column);
		number |= !isnan(v);
		if (isnan(v) || (log && v <= 0))
			continue;
		*low = fmin(*low, v);
		*high = fmax(*high, v);
		found = true;
	}
	if (found)
		return true;
	const char *name = p->table->name[column];
	if (number)
		return error_set(error, "column %s has no value above 0, which a logarithmic axis needs", name);
	return error_set(error, "column %s holds no numbers", name);
}

static bool choose_axes(plot *p, talus_error *error)
{
	const plot_options *o = p->options;
	double low = INFINITY, high = -INFINITY;
	if (!range_of(p, o->x, o->log_x, &low, &high, error))
		return false;
	double step = high > low ? nice_step(high - low, 9) : 0, end = step > 0 ? step*ceil(high/step) : high;
	if (!o->log_x && end - high < 0.02*(high - low)) // a log that ends a row before a round time
		high = end;
	p->across = axis_make(low, high, o->log_x, o->log_x ? 12 : 9, false);
	low = INFINITY;
	high = -INFINITY;
	for (int k = 0; k < o->count; k++)
		if (!range_of(p, o->y[k], o->log_y, &low, &high, error))
			return false;
	if (!o->log_y && low > 0 && low < 0.35*high) // near enough to 0 to show it
		low = 0;
	p->upward = axis_make(low, high, o->log_y, o->log_y ? 12 : 7, true);
	return true;
}

// Is there a number for both axes, and can they show it? `number` tells the first of it alone.
static bool shows(const csv_table *table, const plot_options *o, size_t row, int k, bool *number)
{
	double x = csv_at(table, row, o->x), y = csv_at(table, row, o->y[k]);
	*number = !isnan(x) && !isnan(y);
	return *number && !(o->log_x && x <= 0) && !(o->log_y && y <= 0);
}

size_t plot_left_out(const csv_table *table, const plot_options *options)
{
	size_t count = 0;
	for (int k = 0; k < options->count; k++) {
		for (size_t i = 0; i < table->rows; i++) {
			bool number, shown = shows(table, options, i, k, &number);
			count += number && !shown;
		}
	}
	return count;
}

// Numbers above 0 in both columns are not enough: they must stand in the same rows.
static bool all_have_points(const csv_table *table, const plot_options *o, talus_error *error)
{
	for (int k = 0; k < o->count; k++) {
		bool some = false, number;
		for (size_t i = 0; i < table->rows && !some; i++)
			some = shows(table, o, i, k, &number);
		if (!some)
			return error_set(error, "column %s has no value that can be shown against %s: in every row one of them is missing%s",
			                 table->name[o->y[k]], table->name[o->x],
			                 o->log_x || o->log_y ? " or not above 0, as a logarithmic axis needs it" : "");
	}
	return true;
}

static double widest_label(const plot *p, const axis *a)
{
	double most = 0;
	for (int i = 0; i < a->ticks; i++) {
		char text[NUMBER_MOST];
		axis_label(a, i, text);
		most = fmax(most, text_width(p->cairo, p->letters, text));
	}
	return most;
}

static double swatch_width(const plot *p, int k)
{
	return 62*p->unit + text_width(p->cairo, p->letters, p->table->name[p->options->y[k]]);
}

static void dot(const plot *p, double x, double y, double radius)
{
	cairo_arc(p->cairo, x, y, radius*p->unit, 0, 2*M_PI);
	cairo_fill(p->cairo);
}

static const double speck = 2.6, mark = 5; // radii of dots: a number alone in a curve, and where dots are wanted

static void swatch(const plot *p, int k, double x, double y)
{
	if (p->options->dots[k]) {
		dot(p, x + 15*p->unit, y, mark);
		return;
	}
	cairo_move_to(p->cairo, x, y);
	cairo_line_to(p->cairo, x + 30*p->unit, y);
	cairo_stroke(p->cairo);
}

// Places the legend's entries line by line; returns the number of lines.
static int legend(const plot *p, double left, double top, double width, bool paint)
{
	double x = left, u = p->unit;
	int lines = 1;
	for (int k = 0; k < p->options->count; k++) {
		if (x > left && x + swatch_width(p, k) > left + width) {
			x = left;
			lines++;
		}
		double y = top + (lines - 0.5)*1.5*p->letters;
		if (paint) {
			curve_style(p, k);
			swatch(p, k, x, y);
			rgb_set(p->cairo, ink, 1);
			text_put(p->cairo, x + 38*u, y, 0, 0.5, p->letters, p->table->name[p->options->y[k]]);
		}
		x += swatch_width(p, k);
	}
	cairo_set_dash(p->cairo, NULL, 0, 0);
	return lines;
}

static const char *upward_name(const plot *p)
{
	if (p->options->y_name)
		return p->options->y_name;
	return p->options->count == 1 ? p->table->name[p->options->y[0]] : NULL;
}

static void lay_out(plot *p)
{
	const plot_options *o = p->options;
	double u = p->unit, edge = 20*u;
	p->x = edge + widest_label(p, &p->upward) + 14*u + (upward_name(p) ? 1.6*p->letters : 0);
	p->w = o->width - p->x - 1.6*edge;
	int lines = o->count > 1 ? legend(p, p->x, edge, p->w, false) : 0;
	double power = p->upward.exponent ? 1.4*p->letters : 0;
	p->y = edge + lines*1.5*p->letters + power + (lines ? 8*u : 0);
	p->h = o->height - p->y - 3.9*p->letters - 0.5*edge;
	if (lines)
		legend(p, p->x, edge, p->w, true);
}

static double place_x(const plot *p, double value)
{
	return p->x + p->w*axis_share(&p->across, value);
}

static double place_y(const plot *p, double value)
{
	return p->y + p->h*(1 - axis_share(&p->upward, value));
}

static void tick_line(const plot *p, double ax, double ay, double bx, double by, rgb color, double width)
{
	rgb_set(p->cairo, color, 1);
	cairo_set_line_width(p->cairo, width*p->unit);
	cairo_move_to(p->cairo, ax, ay);
	cairo_line_to(p->cairo, bx, by);
	cairo_stroke(p->cairo);
}

static void ticks_across(const plot *p)
{
	const axis *a = &p->across;
	double bottom = p->y + p->h, u = p->unit;
	for (int i = 0; i < a->ticks + a->small; i++) {
		double x = place_x(p, a->at[i]);
		char text[NUMBER_MOST];
		if (i < a->ticks)
			tick_line(p, x, p->y, x, bottom, (rgb){0.91, 0.91, 0.92}, 1);
		tick_line(p, x, bottom, x, bottom - (i < a->ticks ? 6 : 3.5)*u, ink, 1.1);
		if (i >= a->ticks)
			continue;
		axis_label(a, i, text);
		text_put(p->cairo, x, bottom + 9*u, 0.5, 1, p->letters, text);
	}
}

static void ticks_upward(const plot *p)
{
	const axis *a = &p->upward;
	double u = p->unit;
	for (int i = 0; i < a->ticks + a->small; i++) {
		double y = place_y(p, a->at[i]);
		char text[NUMBER_MOST];
		if (i < a->ticks)
			tick_line(p, p->x, y, p->x + p->w, y, (rgb){0.91, 0.91, 0.92}, 1);
		tick_line(p, p->x, y, p->x + (i < a->ticks ? 6 : 3.5)*u, y, ink, 1.1);
		if (i >= a->ticks)
			continue;
		axis_label(a, i, text);
		text_put(p->cairo, p->x - 9*u, y, 1, 0.5, p->letters, text);
	}
}

// Names of the axes, and the power of ten that labels are counted in.
static void names(const plot *p)
{
	char text[NUMBER_MOST], power[NUMBER_MOST];
	double bottom = p->y + p->h, u = p->unit;
	rgb_set(p->cairo, ink, 1);
	const char *x_name = p->table->name[p->options->x];
	text_put(p->cairo, p->x + p->w/2, bottom + 2.6*p->letters, 0.5, 0.5, p->letters, x_name);
	if (p->across.exponent) {
		power_label(p->across.exponent, power);
		snprintf(text, sizeof text, "× %.40s", power);
		text_put(p->cairo, p->x + p->w, bottom + 2.6*p->letters, 1, 0.5, p->letters, text);
	}
	if (p->upward.exponent) {
		power_label(p->upward.exponent, power);
		snprintf(text, sizeof text, "× %.40s", power);
		text_put(p->cairo, p->x, p->y - 8*u, 0, 0, p->letters, text);
	}
	if (!upward_name(p))
		return;
	cairo_save(p->cairo);
	cairo_translate(p->cairo, 14*u + 0.7*p->letters, p->y + p->h/2);
	cairo_rotate(p->cairo, -M_PI/2);
	text_put(p->cairo, 0, 0, 0.5, 0.3, p->letters, upward_name(p));
	cairo_restore(p->cairo);
}

// A curve breaks where a number is missing. A number alone between gaps is a dot.
static void curve(const plot *p, int k)
{
	const plot_options *o = p->options;
	int in_line = 0;
	double last_x = 0, last_y = 0;
	curve_style(p, k);
	for (size_t i = 0; i <= p->table->rows; i++) {
		bool number;
		if (i == p->table->rows || !shows(p->table, o, i, k, &number)) {
			cairo_stroke(p->cairo);
			if (in_line == 1)
				dot(p, last_x, last_y, speck);
			in_line = 0;
			continue;
		}
		double x = place_x(p, csv_at(p->table, i, o->x)), y = place_y(p, csv_at(p->table, i, o->y[k]));
		if (o->dots[k]) {
			dot(p, x, y, mark);
			continue;
		}
		if (in_line++ > 0) {
			if (hypot(x - last_x, y - last_y) < 0.3 && i + 1 < p->table->rows)
				continue;
			cairo_line_to(p->cairo, x, y);
		} else {
			cairo_move_to(p->cairo, x, y);
		}
		last_x = x;
		last_y = y;
		if (in_line%1000 == 0) { // short paths: the time for one grows faster than its length
			cairo_stroke(p->cairo);
			cairo_move_to(p->cairo, x, y);
		}
	}
}

static void band(const plot *p)
{
	const double *ends = p->options->band;
	double low = fmax(ends[0], p->across.low), high = fmin(ends[1], p->across.high);
	if (!(low < high))
		return;
	rgb_set(p->cairo, (rgb){0.965, 0.95, 0.90}, 1);
	cairo_rectangle(p->cairo, place_x(p, low), p->y, place_x(p, high) - place_x(p, low), p->h);
	cairo_fill(p->cairo);
}

static void paint(plot *p)
{
	lay_out(p);
	band(p);
	ticks_across(p);
	ticks_upward(p);
	names(p);
	cairo_save(p->cairo);
	double over = 6*p->unit;
	cairo_rectangle(p->cairo, p->x - over, p->y - over, p->w + 2*over, p->h + 2*over);
	cairo_clip(p->cairo);
	cairo_set_line_join(p->cairo, CAIRO_LINE_JOIN_ROUND);
	for (int k = 0; k < p->options->count; k++)
		curve(p, k);
	cairo_restore(p->cairo);
	cairo_set_dash(p->cairo, NULL, 0, 0);
	rgb_set(p->cairo, ink, 1);
	cairo_set_line_width(p->cairo, 1.2*p->unit);
	cairo_rectangle(p->cairo, p->x, p->y, p->w, p->h);
	cairo_stroke(p->cairo);
}

bool plot_possible(const csv_table *table, const plot_options *options, talus_error *error)
{
	plot p = {.table = table, .options = options};
	if (table->rows == 0)
		return error_set(error, "the log has no rows yet");
	return choose_axes(&p, error) && all_have_points(table, options, error);
}

static bool panel_paint(const plot_panel *panel, cairo_t *cairo, talus_error *error)
{
	const plot_options *o = &panel->options;
	plot p = {.table = panel->table, .options = o, .cairo = cairo};
	p.unit = fmax(sqrt((double)o->width*o->height)/1000, 0.6);
	p.letters = 19*p.unit;
	if (!choose_axes(&p, error))
		return false;
	paint(&p);
	return true;
}

bool draw_plots(const plot_panel *panel, int count, int across, const char *path, talus_error *error)
{
	int width = panel->options.width, height = panel->options.height, wide = count < across ? count : across;
	const int gap = 24; // between two beside each other
	draw_surface page;
	for (int i = 0; i < count; i++)
		if (!plot_possible(panel[i].table, &panel[i].options, error))
			return false;
	if (!draw_surface_open(&page, path, wide*width + (wide - 1)*gap, (count + across - 1)/across*height, error))
		return false;
	bool ok = true;
	for (int i = 0; ok && i < count; i++) {
		cairo_save(page.cairo);
		cairo_translate(page.cairo, i%across*(width + gap), i/across*height);
		ok = panel_paint(&panel[i], page.cairo, error);
		cairo_restore(page.cairo);
	}
	return draw_surface_close(&page, ok, error) && ok;
}

bool draw_plot(const csv_table *table, const plot_options *options, const char *path, talus_error *error)
{
	return draw_plots(&(plot_panel){table, *options}, 1, 1, path, error);
}

bool draw_plot_place(const char *path, talus_error *error)
{
	bool vector;
	return draw_surface_ending(path, &vector, error);
}
