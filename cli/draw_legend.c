// SPDX-License-Identifier: MIT
// What stands beside a picture: a caption below, a colour bar, a sample of the forces' line widths.
#include "draw_picture.h"

#include "draw_axes.h"

#include <stdio.h>
#include <string.h>

static const rgb letters = {0.15, 0.15, 0.17};
static const double letter_size = 17;

double legend_right(const picture *p)
{
	return p->palette.bar && !p->options->forces ? 112*p->unit : 0;
}

static void caption_print(const picture *p, char text[160])
{
	char time[NUMBER_MOST];
	number_label(p->frame->time, time);
	size_t n = p->frame->grains, c = p->frame->contacts;
	int used = snprintf(text, 160, "t = %s,  %zu %s", time, n, n == 1 ? "grain" : "grains");
	if (p->options->forces)
		snprintf(text + used, 160 - (size_t)used, ",  %zu %s", c, c == 1 ? "contact" : "contacts");
}

// Do caption and force scale need a line each? Guessed from the number of letters: there is no page yet to measure on.
static bool two_lines(const picture *p)
{
	char text[160];
	caption_print(p, text);
	double letter = 0.53*letter_size, scale = 34*letter + 60 + (p->pulls ? 170 : 0);
	return p->options->forces && 36 + (double)strlen(text)*letter + scale > p->width/p->unit;
}

static double line_height(const picture *p)
{
	return 28*p->unit;
}

double legend_bottom(const picture *p)
{
	return 50*p->unit + (two_lines(p) ? line_height(p) : 0);
}

static double base_line(const picture *p)
{
	return p->height - 22*p->unit;
}

static void caption(const picture *p)
{
	char text[160];
	caption_print(p, text);
	rgb_set(p->cairo, letters, 1);
	text_put(p->cairo, 18*p->unit, base_line(p), 0, 0.5, letter_size*p->unit, text);
}

static void bar_fill(const picture *p, double x, double y, double width, double height)
{
	cairo_pattern_t *g = cairo_pattern_create_linear(0, y + height, 0, y);
	for (int i = 0; i <= 20; i++) {
		rgb c = color_map(i/20.0);
		cairo_pattern_add_color_stop_rgb(g, i/20.0, c.r, c.g, c.b);
	}
	cairo_rectangle(p->cairo, x, y, width, height);
	cairo_set_source(p->cairo, g);
	cairo_fill_preserve(p->cairo);
	cairo_pattern_destroy(g);
	rgb_set(p->cairo, letters, 1);
	cairo_set_line_width(p->cairo, p->unit);
	cairo_stroke(p->cairo);
}

static void color_bar(const picture *p)
{
	double u = p->unit, height = fmin(0.62*p->h, 520*u), width = 18*u, size = 15*u;
	double x = p->width - legend_right(p) + 14*u, y = p->y + (p->h - height)/2 + 10*u;
	bar_fill(p, x, y, width, height);
	axis a = axis_make(p->palette.low, p->palette.high, false, 6, false);
	for (int i = 0; i < a.ticks; i++) {
		char text[NUMBER_MOST];
		axis_label(&a, i, text);
		double at = y + height*(1 - axis_share(&a, a.at[i]));
		cairo_move_to(p->cairo, x + width, at);
		cairo_line_to(p->cairo, x + width + 4*u, at);
		cairo_stroke(p->cairo);
		text_put(p->cairo, x + width + 8*u, at, 0, 0.5, size, text);
	}
	char head[NUMBER_MOST], power[NUMBER_MOST] = "";
	if (a.exponent)
		power_label(a.exponent, power);
	snprintf(head, sizeof head, "%s%s%.20s", p->palette.label, a.exponent ? " / " : "", power);
	double left = fmin(x, p->width - 8*u - text_width(p->cairo, size, head));
	text_put(p->cairo, left, y - 14*u, 0, 0, size, head);
	if (p->palette.beyond) {
		snprintf(head, sizeof head, "and above");
		text_put(p->cairo, x + width + 8*u, y - 2*u + 0.1*size, 0, 0, 0.72*size, head);
	}
}

void draw_legend(const picture *p)
{
	caption(p);
	if (p->palette.bar && !p->options->forces)
		color_bar(p);
}

// A line as wide as a force, with its right end at x. Returns where the next thing may end.
static double sample(const picture *p, double x, double y, double width, rgb color)
{
	rgb_set(p->cairo, color, 1);
	cairo_set_line_cap(p->cairo, CAIRO_LINE_CAP_BUTT);
	cairo_set_line_width(p->cairo, width);
	cairo_move_to(p->cairo, x - 34*p->unit, y);
	cairo_line_to(p->cairo, x, y);
	cairo_stroke(p->cairo);
	return x - 44*p->unit;
}

static double word(const picture *p, double x, double y, const char *text)
{
	double size = letter_size*p->unit;
	rgb_set(p->cairo, letters, 1);
	text_put(p->cairo, x, y, 1, 0.5, size, text);
	return x - text_width(p->cairo, size, text);
}

// One round force with its line, and the colour of those that pull if there are any.
void draw_force_scale(const picture *p, double force_per_width, double full, bool capped)
{
	double u = p->unit, y = base_line(p) - (two_lines(p) ? line_height(p) : 0);
	double force = nice_step(fmin(full, 14*u*force_per_width)*0.999, 1);
	if (force > fmin(full, 14*u*force_per_width))
		force /= 2;
	char number[NUMBER_MOST], text[160], most[NUMBER_MOST];
	number_label(force, number);
	number_label(full, most);
	snprintf(text, sizeof text, "normal force %s  (widest: %s%s)", number, most, capped ? " and more" : "");
	double width = force/force_per_width, x = word(p, p->width - 18*u, y, text) - 10*u;
	x = sample(p, x, y, width, force_push);
	if (!p->pulls)
		return;
	x = word(p, x, y, "push") - 16*u;
	x = sample(p, x, y, width, force_pull);
	word(p, x, y, "pull");
}
