// SPDX-License-Identifier: MIT
// Chooses ticks and writes numbers.
#include "draw_axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double nice_step(double range, int most)
{
	double rough = range/most, power = pow(10, floor(log10(rough))), share = rough/power;
	const double slack = 1 + 1e-9;
	return power*(share <= slack ? 1 : share <= 2*slack ? 2 : share <= 5*slack ? 5 : 10);
}

static void linear_ticks(axis *a, int most, bool round_ends)
{
	a->step = nice_step(a->high - a->low, most);
	double slack = 1e-6;
	if (round_ends) {
		a->low = a->step*floor(a->low/a->step + slack);
		a->high = a->step*ceil(a->high/a->step - slack);
	}
	double first = ceil(a->low/a->step - slack), last = floor(a->high/a->step + slack);
	for (double k = first; k <= last && a->ticks < TICKS_MOST; k++)
		a->at[a->ticks++] = k == 0 ? 0 : k*a->step;
	double largest = fmax(fabs(a->low), fabs(a->high));
	int exponent = largest > 0 ? (int)floor(log10(largest)*(1 + 1e-12)) : 0;
	a->exponent = exponent >= 5 || exponent <= -3 ? exponent : 0;
}

static void log_ticks(axis *a, int most, bool round_ends)
{
	int first = (int)floor(log10(a->low) + 1e-9), last = (int)ceil(log10(a->high) - 1e-9);
	if (last == first)
		last++;
	int every = 1 + (last - first)/most;
	if (round_ends || last - first <= 1) {
		a->low = pow(10, first);
		a->high = pow(10, last);
	}
	for (int e = first; e <= last && a->ticks < TICKS_MOST/2; e++)
		if ((e - first)%every == 0 && pow(10, e) >= a->low*(1 - 1e-9) && pow(10, e) <= a->high*(1 + 1e-9))
			a->at[a->ticks++] = pow(10, e);
	for (int e = first; e < last && last - first <= 6; e++)
		for (int k = 2; k <= 9; k++)
			if (a->ticks + a->small < TICKS_MOST && k*pow(10, e) > a->low && k*pow(10, e) < a->high)
				a->at[a->ticks + a->small++] = k*pow(10, e);
}

axis axis_make(double low, double high, bool log, int most, bool round_ends)
{
	axis a = {.low = low, .high = high, .log = log};
	if (!(high > low)) { // a constant: some room around it
		double half = low != 0 ? 0.1*fabs(low) : 1;
		a.low = log ? low/3 : low - half;
		a.high = log ? low*3 : low + half;
	}
	if (log)
		log_ticks(&a, most, round_ends);
	else
		linear_ticks(&a, most, round_ends);
	return a;
}

double axis_share(const axis *a, double value)
{
	if (a->log)
		return (log10(value) - log10(a->low))/(log10(a->high) - log10(a->low));
	return (value - a->low)/(a->high - a->low);
}

void power_label(int exponent, char text[NUMBER_MOST])
{
	static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	char digits[16];
	snprintf(digits, sizeof digits, "%d", abs(exponent));
	snprintf(text, NUMBER_MOST, exponent < 0 ? "10⁻" : "10");
	for (const char *d = digits; *d; d++)
		strncat(text, raised[*d - '0'], NUMBER_MOST - strlen(text) - 1);
}

// A true minus sign is as wide as a figure.
static void put_minus(char text[NUMBER_MOST])
{
	if (text[0] != '-')
		return;
	char rest[NUMBER_MOST];
	snprintf(rest, sizeof rest, "%s", text + 1);
	snprintf(text, NUMBER_MOST, "−%.40s", rest);
}

void axis_label(const axis *a, int tick, char text[NUMBER_MOST])
{
	double value = a->at[tick];
	if (a->log) {
		power_label((int)lrint(log10(value)), text);
		return;
	}
	double power = pow(10, a->exponent);
	int decimals = (int)ceil(-log10(a->step/power) - 1e-9);
	snprintf(text, NUMBER_MOST, "%.*f", decimals < 0 ? 0 : decimals > 12 ? 12 : decimals, value/power);
	put_minus(text);
}

void number_label(double value, char text[NUMBER_MOST])
{
	double size = fabs(value);
	if (value == 0 || !isfinite(value) || (size >= 1e-3 && size < 1e5)) {
		snprintf(text, NUMBER_MOST, "%.3g", value);
		if (strchr(text, 'e')) // 99999 and the like, rounded up
			snprintf(text, NUMBER_MOST, "%.0f", value);
		put_minus(text);
		return;
	}
	int exponent = (int)floor(log10(size));
	char power[NUMBER_MOST], front[NUMBER_MOST];
	power_label(exponent, power);
	snprintf(front, sizeof front, "%.3g", value/pow(10, exponent));
	put_minus(front);
	if (strcmp(front, "1") == 0)
		snprintf(text, NUMBER_MOST, "%s", power);
	else
		snprintf(text, NUMBER_MOST, "%.20s × %.20s", front, power);
}

static void choose_font(cairo_t *cairo, double size)
{
	cairo_select_font_face(cairo, "sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cairo, size);
}

double text_width(cairo_t *cairo, double size, const char *text)
{
	cairo_text_extents_t e;
	choose_font(cairo, size);
	cairo_text_extents(cairo, text, &e);
	return e.x_advance;
}

void text_put(cairo_t *cairo, double x, double y, double across, double upward, double size,
              const char *text)
{
	double width = text_width(cairo, size, text);
	cairo_move_to(cairo, x - across*width, y + upward*0.72*size); // 0.72: height of capitals and figures
	cairo_show_text(cairo, text);
	cairo_new_path(cairo);
}
