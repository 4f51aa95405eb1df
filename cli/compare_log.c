// SPDX-License-Identifier: MIT
// Means of the columns of two logs over one window of time, each with its error, and whether they agree: |B - A| <= 2 errors, the error
// of the difference being that of both means together.
#include "compare.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- the window

typedef struct part {
	size_t first, last; // rows from .. up to, without the last
} part;

// Times of rows grow; the ends belong to it, to rounding.
static part rows_within(const csv_table *log, const double window[2])
{
	double slack = 1e-9*(fabs(window[0]) + fabs(window[1]));
	int time = column_time(log);
	part p = {0, log->rows};
	while (p.first < p.last && !(csv_at(log, p.first, time) >= window[0] - slack))
		p.first++;
	while (p.last > p.first && !(csv_at(log, p.last - 1, time) <= window[1] + slack))
		p.last--;
	return p;
}

static void window_choose(const compared_run run[RUNS], const double wanted[2], logs_compared *found)
{
	double span[RUNS][2];
	for (int r = A; r < RUNS; r++)
		log_span(&run[r], span[r]);
	found->common[0] = fmax(span[A][0], span[B][0]);
	found->common[1] = fmin(span[A][1], span[B][1]);
	found->chosen = !isnan(wanted[0]) || !isnan(wanted[1]);
	found->window[1] = fmin(wanted[1], found->common[1]); // NAN does not count
	found->window[0] = isnan(wanted[0]) ? 0.5*(found->common[0] + found->window[1]) : fmax(wanted[0], found->common[0]);
}

// ---------------------------------------------------------------- a column

// From the second row on: before the first step some columns are 0.
static bool is_constant(const csv_table *log, int column)
{
	bool same = true;
	for (size_t i = 2; same && i < log->rows; i++)
		same = csv_at(log, i, column) == csv_at(log, 1, column);
	return same;
}

// Numbers of the scene stay what they are in all rows. What only stands still in the window is a single sample of what it might be.
static series_mean column_mean(const csv_table *log, int column, part p)
{
	double *value = memory_grow(NULL, 0, (p.last - p.first + 1)*sizeof *value);
	for (size_t i = p.first; i < p.last; i++)
		value[i - p.first] = csv_at(log, i, column);
	series_mean m = series_mean_of(value, p.last - p.first);
	memory_free(value);
	if (m.state == MEAN_GIVEN && !is_constant(log, column)) {
		m.state = MEAN_FEW;
		m.error = NAN;
	}
	return m;
}

static bool has_state(const column_compared *c, mean_state state)
{
	return c->of[A].state == state || c->of[B].state == state;
}

static bool has_all(const column_compared *c, mean_state state)
{
	return c->of[A].state == state && c->of[B].state == state;
}

static void judge(column_compared *c, bool rest)
{
	c->difference = c->of[B].mean - c->of[A].mean;
	c->trivial = has_all(c, MEAN_GIVEN) && c->difference == 0;
	if (rest)
		for (int r = A; r < RUNS; r++)
			c->of[r].error = c->of[r].state == MEAN_GIVEN ? 0 : NAN;
	c->error = hypot(c->of[A].error, c->of[B].error);
	c->errors = c->difference == 0 ? 0 : fabs(c->difference)/c->error;
	if (c->difference == 0) {
		c->verdict = VERDICT_AGREE;
	} else if (isnan(c->error)) {
		c->verdict = VERDICT_UNKNOWN;
		c->why = has_state(c, MEAN_NONE) ? "none" : rest ? "rest" : has_state(c, MEAN_FEW) ? "few" : "drift";
	} else {
		c->verdict = c->errors <= 2 ? VERDICT_AGREE : VERDICT_DIFFER;
	}
}

// ---------------------------------------------------------------- all of them

// Do grains move by less than a tenth of their diameter?
static bool rests(const csv_table *log, part p, double duration, double diameter)
{
	int column = csv_find(log, "mean_speed");
	return column >= 0 && column_mean(log, column, p).mean*duration < 0.1*diameter;
}

static void count(logs_compared *found, const column_compared *c)
{
	found->agree += c->verdict == VERDICT_AGREE;
	found->differ += c->verdict == VERDICT_DIFFER;
	found->unknown += c->verdict == VERDICT_UNKNOWN;
}

static void columns_compare(const compared_run run[RUNS], const part p[RUNS], logs_compared *found)
{
	const csv_table *a = run[A].log, *b = run[B].log;
	found->column = memory_grow(NULL, 0, a->columns*sizeof *found->column);
	found->only[B] = b->columns;
	for (size_t k = 0; k < a->columns; k++) {
		int other = csv_find(b, a->name[k]);
		found->only[A] += other < 0;
		found->only[B] -= other >= 0;
		if (other < 0 || strcmp(a->name[k], "time") == 0 || strcmp(a->name[k], "step") == 0)
			continue;
		column_compared *c = &found->column[found->count++];
		*c = (column_compared){.name = a->name[k]};
		c->of[A] = column_mean(a, (int)k, p[A]);
		c->of[B] = column_mean(b, other, p[B]);
		judge(c, found->rest[A] || found->rest[B]);
		count(found, c);
	}
}

logs_compared logs_compare(const compared_run run[RUNS], const double window[2], double diameter)
{
	logs_compared found = {.common = {NAN, NAN}, .window = {NAN, NAN}};
	part p[RUNS];
	if (!run[A].log || !run[B].log) {
		found.missing = run[A].log ? "B has no log with rows" : run[B].log ? "A has no log with rows" : "neither has a log with rows";
		return found;
	}
	window_choose(run, window, &found);
	if (!(found.common[0] <= found.common[1])) {
		found.missing = "the logs have no time in common";
		return found;
	}
	for (int r = A; r < RUNS; r++) {
		p[r] = rows_within(run[r].log, found.window);
		found.rows[r] = p[r].last - p[r].first;
		found.rest[r] = found.rows[r] > 0 && rests(run[r].log, p[r], found.window[1] - found.window[0], diameter);
	}
	if (found.rows[A] == 0 || found.rows[B] == 0)
		found.missing = found.rows[A] ? "B has no rows in this window of time" : "A has no rows in this window of time";
	else
		columns_compare(run, p, &found);
	return found;
}
