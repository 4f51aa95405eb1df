// SPDX-License-Identifier: MIT
// A figure is a table for draw_plot: a row for each point, with a number for its own curve alone.
#include "figure.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = PLOT_COLUMNS_MOST + 1 };

static void column_add(csv_table *t, const char *name)
{
	t->name[t->columns] = strdup(name);
	if (!t->name[t->columns])
		memory_lost();
	t->name[++t->columns] = NULL;
}

figure figure_make(const char *x, const char *y)
{
	figure f = {.options = plot_options_default()};
	f.table.name = calloc(COLUMNS + 1, sizeof *f.table.name);
	if (!f.table.name)
		memory_lost();
	f.options.width = 900;
	f.options.height = 600;
	f.options.y_name = y;
	column_add(&f.table, x);
	return f;
}

int figure_curve(figure *f, const char *name)
{
	f->options.y[f->options.count] = f->options.count + 1;
	column_add(&f->table, name);
	return f->options.count++;
}

int figure_dots(figure *f, const char *name)
{
	int curve = figure_curve(f, name);
	f->options.dots[curve] = true;
	return curve;
}

void figure_point(figure *f, int curve, double x, double y)
{
	csv_table *t = &f->table;
	if (t->rows == f->capacity) {
		f->capacity = f->capacity ? 2*f->capacity : 256;
		t->value = realloc(t->value, f->capacity*t->columns*sizeof *t->value);
		if (!t->value)
			memory_lost();
	}
	double *row = t->value + t->rows++*t->columns;
	for (size_t k = 0; k < t->columns; k++)
		row[k] = NAN;
	row[0] = x;
	row[curve + 1] = y;
}

bool figure_draw(figure *f, const char *path, talus_error *error)
{
	return draw_plot(&f->table, &f->options, path, error);
}

void figure_free(figure *f)
{
	for (size_t k = 0; k < f->table.columns; k++)
		free(f->table.name[k]);
	free(f->table.name);
	free(f->table.value);
}
