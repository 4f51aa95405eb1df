// SPDX-License-Identifier: MIT
// Observables of a log with their standard errors, and how far those of one solver are from those of another. Errors come from
// blocks of time within a run, or from the scatter of runs that differ in their seed, whichever is larger: slow changes are not
// seen by blocks, and three seeds say little by themselves, so the scatter is that of all settings together.
#include "reproduce_scenes.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- one run

// A time series, part of a log.
typedef struct window {
	const csv_table *log;
	size_t first, count; // rows
	int time, term[2], over;
	double below; // of an angle
} window;

static double row_value(const window *w, const quantity *o, size_t i)
{
	size_t row = w->first + i;
	double value = 0;
	for (int k = 0; k < 2 && o->term[k].column; k++)
		value += o->term[k].factor*csv_at(w->log, row, w->term[k]);
	if (o->over)
		value /= csv_at(w->log, row, w->over);
	return o->angle ? atan2(value, w->below)*180/M_PI : value;
}

static double row_time(const window *w, size_t i)
{
	return csv_at(w->log, w->first + i, w->time);
}

static double column_mean(const window *w, const char *name)
{
	int k = csv_find(w->log, name);
	double sum = 0;
	for (size_t i = 0; i < w->count && k >= 0; i++)
		sum += csv_at(w->log, w->first + i, k);
	return k < 0 ? NAN : sum/(double)w->count;
}

// False where a column is missing or there are too few rows.
static bool window_open(window *w, const csv_table *log, const quantity *o, double from, double to)
{
	*w = (window){.log = log, .time = csv_find(log, "time"), .over = o->over ? csv_find(log, o->over) : 0};
	bool known = w->time >= 0 && w->over >= 0;
	for (int k = 0; k < 2 && o->term[k].column; k++) {
		w->term[k] = csv_find(log, o->term[k].column);
		known = known && w->term[k] >= 0;
	}
	if (!known)
		return false;
	double slack = 1e-9*to; // times are sums of steps
	while (w->first < log->rows && csv_at(log, w->first, w->time) < from - slack)
		w->first++;
	while (w->first + w->count < log->rows && row_time(w, w->count) <= to + slack)
		w->count++;
	w->below = o->angle ? -column_mean(w, o->angle) : 0;
	return w->count > BLOCKS;
}

static measured blocks_mean(const double block[BLOCKS])
{
	measured m = {0};
	double square = 0;
	for (int k = 0; k < BLOCKS; k++)
		m.mean += block[k]/BLOCKS;
	for (int k = 0; k < BLOCKS; k++)
		square += (block[k] - m.mean)*(block[k] - m.mean);
	m.error = sqrt(square/(BLOCKS - 1)/BLOCKS);
	return m;
}

static measured slope_of(const window *w, const quantity *o)
{
	double block[BLOCKS];
	size_t length = (w->count - 1)/BLOCKS;
	for (size_t k = 0; k < BLOCKS; k++)
		block[k] = (row_value(w, o, (k + 1)*length) - row_value(w, o, k*length))/
		           (row_time(w, (k + 1)*length) - row_time(w, k*length));
	return blocks_mean(block);
}

// Least squares: change of the value in time.
static double trend_of(const window *w, const quantity *o, double time, double mean)
{
	double tt = 0, tx = 0;
	for (size_t i = 0; i < w->count; i++) {
		double t = row_time(w, i) - time;
		tt += t*t;
		tx += t*(row_value(w, o, i) - mean);
	}
	return tx/tt;
}

static measured mean_of(const window *w, const quantity *o)
{
	double block[BLOCKS] = {0}, mean = 0, time = 0;
	size_t length = w->count/BLOCKS;
	for (size_t i = 0; i < w->count; i++) {
		mean += row_value(w, o, i)/(double)w->count;
		time += row_time(w, i)/(double)w->count;
	}
	double trend = o->trend ? trend_of(w, o, time, mean) : 0;
	for (size_t i = 0; i < BLOCKS*length; i++)
		block[i/length] += (row_value(w, o, i) - trend*(row_time(w, i) - time))/(double)length;
	return (measured){mean, blocks_mean(block).error};
}

measured observe(const csv_table *log, const quantity *o, double from, double to)
{
	window w;
	bool own = o->to > 0 && o->to <= to; // a quick run may end before
	if (o->kind == OBSERVE_LAST)
		from = 0, to = INFINITY;
	if (!window_open(&w, log, o, own ? o->from : from, own ? o->to : to))
		return (measured){NAN, NAN};
	if (o->kind == OBSERVE_LAST)
		return (measured){row_value(&w, o, w.count - 1), 0};
	return o->kind == OBSERVE_SLOPE ? slope_of(&w, o) : mean_of(&w, o);
}

// ---------------------------------------------------------------- all runs of a scene

// Standard deviation of single runs of one setting, from all settings.
static double seed_scatter(const comparison *c, int k)
{
	double square = 0;
	int degrees = 0;
	for (int s = 0; s < SETTINGS; s++) {
		double mean = 0;
		if (!c->used[s])
			continue;
		for (int i = 0; i < c->seeds; i++)
			mean += c->run[s][i].seen[k].mean/c->seeds;
		for (int i = 0; i < c->seeds; i++)
			square += pow(c->run[s][i].seen[k].mean - mean, 2);
		degrees += c->seeds - 1;
	}
	return degrees ? sqrt(square/degrees) : 0;
}

static measured seeds_mean(const comparison *c, int s, int k)
{
	measured m = {0};
	double square = 0;
	for (int i = 0; i < c->seeds; i++) {
		m.mean += c->run[s][i].seen[k].mean/c->seeds;
		square += pow(c->run[s][i].seen[k].error, 2);
	}
	m.error = fmax(sqrt(square)/c->seeds, seed_scatter(c, k)/sqrt(c->seeds));
	return m;
}

static void seeds_join(comparison *c, int s)
{
	outcome *all = &c->all[s];
	int audited = 0;
	*all = (outcome){.seconds = INFINITY};
	for (int i = 0; i < c->seeds; i++) {
		const outcome *one = &c->run[s][i];
		all->overlap += one->overlap/c->seeds;
		all->largest = fmax(all->largest, one->largest);
		all->seconds = fmin(all->seconds, one->seconds);
		all->sweeps += one->sweeps/c->seeds;
		all->capped += one->capped/c->seeds;
		all->floor += one->floor/c->seeds;
		if (isfinite(one->load_error))
			all->load_error += one->load_error, audited++;
	}
	all->load_error = audited ? all->load_error/audited : NAN;
	for (int k = 0; k < c->quantities; k++)
		all->seen[k] = seeds_mean(c, s, k);
}

static double deviation_of(measured a, measured reference)
{
	return (a.mean - reference.mean)/hypot(a.error, reference.error);
}

double comparison_worst(const comparison *c, int setting)
{
	double worst = 0;
	for (int k = 0; k < c->quantities; k++) {
		double d = fabs(c->deviation[setting][k]);
		worst = d <= worst ? worst : d; // what is no number is the worst
	}
	return worst;
}

bool comparison_rigid(const comparison *c, int setting)
{
	return c->all[setting].overlap <= same_overlap*c->all[AUTO].overlap; // not if there is no number
}

double comparison_ratio(const comparison *c, int plain)
{
	return plain < 0 ? 0 : c->all[AUTO].seconds/c->all[plain].seconds;
}

static int cheapest_of(const comparison *c, bool rigid)
{
	int best = -1;
	for (int s = FIRST_PLAIN; s < SETTINGS; s++) {
		if (!c->used[s] || !(comparison_worst(c, s) <= same_physics))
			continue;
		if (rigid && !comparison_rigid(c, s))
			continue;
		if (best < 0 || c->all[s].seconds < c->all[best].seconds)
			best = s;
	}
	return best;
}

void comparison_judge(comparison *c)
{
	memset(c->deviation, 0, sizeof c->deviation);
	for (int s = 0; s < SETTINGS; s++)
		if (c->used[s])
			seeds_join(c, s);
	for (int s = AUTO; s < SETTINGS; s++)
		for (int k = 0; k < c->quantities && c->used[s]; k++)
			c->deviation[s][k] = deviation_of(c->all[s].seen[k], c->all[REFERENCE].seen[k]);
	c->cheapest = cheapest_of(c, false);
	c->cheapest_rigid = cheapest_of(c, true);
}
