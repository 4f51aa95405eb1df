// SPDX-License-Identifier: MIT
// A page of curves of two runs: kinetic energy, volume fraction, a load, and how normal forces are distributed. The window over which
// means are taken is tinted.
#include "compare.h"

#include "base/error.h"
#include "base/memory.h"
#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PANELS = 4, ACROSS = 2, POINTS = 200, FORCES_END = 6, NAME_MOST = 64 };

typedef struct panel {
	figure figure;
	char label[TALUS_NAME_MAX + 64];
} panel;

// "A: folder", with the end of a long name: that is where those of two runs differ.
static void curve_name(const compared_run run[RUNS], int r, char name[NAME_MOST])
{
	enum { KEPT = 32 };
	const char *folder = run[r].folder;
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	size_t start = length > KEPT ? length - KEPT : 0;
	while (start < length && ((unsigned char)folder[start] & 0xc0) == 0x80) // not in the middle of a letter
		start++;
	snprintf(name, NAME_MOST, "%c: %s%.*s", "AB"[r], start ? "…" : "", (int)(length - start), folder + start);
}

static figure panel_make(const compared_run run[RUNS], const char *x, const char *y)
{
	figure f = figure_make(x, y);
	f.options.width = 760;
	f.options.height = 500;
	for (int r = A; r < RUNS; r++) {
		char name[NAME_MOST];
		curve_name(run, r, name);
		figure_curve(&f, name);
	}
	f.options.wide[A] = 2; // to be seen below B where they are the same
	return f;
}

// ---------------------------------------------------------------- columns of the log

// Decades are shown as decades, if most of the curves span some.
static bool wants_decades(const csv_table *t)
{
	double *value = memory_grow(NULL, 0, (t->rows + 1)*sizeof *value);
	size_t count = 0;
	for (size_t i = 0; i < t->rows; i++) {
		double v = fmax(csv_at(t, i, 1), csv_at(t, i, 2)); // one of them is no number
		if (!isnan(v))
			value[count++] = v;
	}
	numbers_sort(value, count);
	bool wants = count > 0 && value[0] >= 0 && value[count - 1 - count/20] > 300*fmax(value[count/20], 1e-300);
	memory_free(value);
	return wants;
}

// Means of so many rows that two noisy curves can be told apart.
static size_t rows_together(const compared_run run[RUNS])
{
	size_t rows = run[A].log->rows > run[B].log->rows ? run[A].log->rows : run[B].log->rows;
	return rows > 2*POINTS ? rows/POINTS : 1;
}

static void curve_add(figure *f, int r, const csv_table *log, int column, size_t together)
{
	figure_point(f, r, csv_at(log, 0, column_time(log)), NAN); // the axis begins here, whatever is averaged
	for (size_t first = 0; first < log->rows; first += together) {
		double time = 0, sum = 0;
		size_t last = first + together < log->rows ? first + together : log->rows;
		for (size_t i = first; i < last; i++) {
			time += csv_at(log, i, column_time(log));
			sum += csv_at(log, i, column);
		}
		figure_point(f, r, time/(double)(last - first), sum/(double)(last - first));
	}
}

static bool column_panel(const comparison *c, const char *column, panel *p)
{
	int found[RUNS];
	for (int r = A; r < RUNS; r++) {
		found[r] = c->run[r].log ? csv_find(c->run[r].log, column) : -1;
		if (found[r] < 0)
			return false;
	}
	size_t together = rows_together(c->run);
	if (together > 1)
		snprintf(p->label, sizeof p->label, "%s, means of %zu rows", column, together);
	else
		snprintf(p->label, sizeof p->label, "%s", column);
	p->figure = panel_make(c->run, "time", p->label);
	for (int r = A; r < RUNS; r++)
		curve_add(&p->figure, r, c->run[r].log, found[r], together);
	p->figure.options.log_y = wants_decades(&p->figure.table);
	if (!c->logs.missing)
		memcpy(p->figure.options.band, c->logs.window, sizeof c->logs.window);
	return true;
}

static bool is_force(const char *name)
{
	const char *dot = strrchr(name, '.');
	return strncmp(name, "wall.", 5) == 0 && dot && dot[1] == 'f' && strchr("xyz", dot[2]) && !dot[3];
}

// The largest force on a wall; where there is none, the pressure.
static const char *load_column(const logs_compared *logs)
{
	const char *name = "pressure";
	double most = 0;
	for (size_t i = 0; i < logs->count; i++) {
		const column_compared *c = &logs->column[i];
		double size = fabs(c->of[A].mean) + fabs(c->of[B].mean);
		if (!is_force(c->name) || !(size > most))
			continue;
		most = size;
		name = c->name;
	}
	return name;
}

// ---------------------------------------------------------------- forces

// Density of f over its mean. A curve breaks where a bin is empty, and begins at 0.
static void density_add(figure *f, int r, const double *scaled, size_t count, size_t bins)
{
	double width = FORCES_END/(double)bins;
	size_t at = 0;
	figure_point(f, r, 0, NAN);
	for (size_t b = 0; b < bins; b++) {
		size_t before = at;
		while (at < count && scaled[at] < (double)(b + 1)*width)
			at++;
		figure_point(f, r, ((double)b + 0.5)*width, at > before ? (double)(at - before)/((double)count*width) : NAN);
	}
}

static bool forces_panel(const comparison *c, panel *p)
{
	const forces_compared *forces = &c->frames.forces;
	if (c->frames.missing || !forces->count[A] || !forces->count[B])
		return false;
	size_t fewer = forces->count[A] < forces->count[B] ? forces->count[A] : forces->count[B];
	size_t bins = (size_t)fmin(fmax(2*cbrt((double)fewer), 8), 30); // as many as there are forces for
	p->figure = panel_make(c->run, "normal force over its mean, last common frame", "density");
	for (int r = A; r < RUNS; r++)
		density_add(&p->figure, r, forces->scaled[r], forces->count[r], bins);
	p->figure.options.log_y = true;
	return true;
}

// ---------------------------------------------------------------- the page

bool compare_figure(const comparison *c, const char *path, talus_error *error)
{
	panel all[PANELS];
	plot_panel shown[PANELS];
	int count = 0, possible = 0;
	count += column_panel(c, "kinetic_energy", &all[count]);
	count += column_panel(c, "volume_fraction", &all[count]);
	count += column_panel(c, load_column(&c->logs), &all[count]);
	count += forces_panel(c, &all[count]);
	for (int i = 0; i < count; i++)
		if (plot_possible(&all[i].figure.table, &all[i].figure.options, error)) // a column may be without numbers
			shown[possible++] = (plot_panel){&all[i].figure.table, all[i].figure.options};
	bool ok = possible > 0 ? draw_plots(shown, possible, ACROSS, path, error) :
	                         error_set(error, "there is nothing to draw: neither a log nor forces");
	for (int i = 0; i < count; i++)
		figure_free(&all[i].figure);
	return ok;
}
