// SPDX-License-Identifier: MIT
// The pressure bath as Shaebani, Unger and Kertesz studied it (J. Comput. Phys. 228, 2009).
#include "reproduce.h"

#include "cli.h"
#include "io/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pressure = 1, inertia = 100, step = 0.01, iterations = 100; // of the reference system

// ---------------------------------------------------------------- the reference system

// The first rows of a log, before anybody is touched: the largest departure of the rate from -P t/M, over its size.
static double fall_error(const csv_table *log)
{
	int time = csv_find(log, "time"), rate = csv_find(log, "rate_xx"), contacts = csv_find(log, "contacts");
	double worst = 0;
	for (size_t i = 1; i < log->rows && csv_at(log, i, contacts) == 0; i++) {
		double wanted = -pressure*csv_at(log, i, time)/inertia;
		worst = fmax(worst, fabs(csv_at(log, i, rate)/wanted - 1));
	}
	return worst;
}

static void curve_of(figure *f, int curve, const csv_table *log, const char *column, double scale)
{
	int time = csv_find(log, "time"), k = csv_find(log, column);
	for (size_t i = 0; k >= 0 && i < log->rows; i++)
		figure_point(f, curve, csv_at(log, i, time), scale*csv_at(log, i, k));
}

static int history_figures(reproduction *r, const csv_table *log)
{
	figure f = figure_make("time", "");
	int size = figure_curve(&f, "edge of the cell over 36"), rate = figure_curve(&f, "-10 rate");
	int solid = figure_curve(&f, "volume fraction");
	curve_of(&f, size, log, "cell_xx", 1/36.0);
	curve_of(&f, rate, log, "rate_xx", -10);
	curve_of(&f, solid, log, "volume_fraction", 1);
	int code = found_figure(r, &f, "history.png", "A dilute gas at rest falls together under a pressure of 1 and comes to rest");
	f = figure_make("time", "pressure inside");
	f.options.log_y = true;
	curve_of(&f, figure_curve(&f, "pressure inside"), log, "pressure", 1);
	int other = found_figure(r, &f, "pressure.png", "Pressure inside: nothing, then collisions, then that of the bath");
	return code == EXIT_DONE ? other : code;
}

static double largest(const series *s, const char *column, double from)
{
	double most = 0;
	for (size_t i = 0; i < s->table->rows; i++)
		most = fmax(most, fabs(series_at(s, i, column) - from));
	return most;
}

static int bath_work(reproduction *r)
{
	series s;
	int code = series_run(&s, r, &(series_wish){.name = "runs", .scene = reproduce_bath_scene, .seeds = r->quick ? 2 : 10});
	csv_table *log = code == EXIT_DONE ? series_log(&s, 0) : NULL;
	if (log) {
		found_between(r, fall_error(log), 0, 1e-12, "rate before the first contact against -P t/M, largest error");
		found_between(r, largest(&s, "pressure", pressure), 0, 1e-6, "pressure inside at rest minus that outside, worst");
		found_within(r, series_mean(&s, "volume_fraction"), 0.80, 0.015, "volume fraction, mean of %zu systems", s.table->rows);
		found_between(r, series_mean(&s, "steps"), r->quick ? 1500 : 2500, r->quick ? 12000 : 6000, "steps until rest (1e-10), mean");
		found(r, series_mean(&s, "coordination_network"), "contacts a grain, without rattlers");
		found(r, series_mean(&s, "mean_overlap"), "mean overlap over the mean diameter");
		code = history_figures(r, log);
		csv_free(log);
	}
	series_free(&s);
	return code;
}

const experiment bath_experiment = {"bath", "reference system of the pressure bath (Shaebani, Unger and Kertesz 2009)", bath_work,
	"rate and pressure are exact; volume fraction and steps are those of the paper, the margins were chosen here"};

// ---------------------------------------------------------------- one parameter at a time

enum { SCANNED = 4, VALUES_MOST = 16 };

typedef struct scan {
	const char *label, *path;
	const char *full, *quick; // values, as --sweep has them
	// mean over the systems, for each value
	int count;
	double value[VALUES_MOST], overlap[VALUES_MOST], solid[VALUES_MOST], updates[VALUES_MOST];
} scan;

// Overlaps and updates differ by factors from system to system: what counts is the mean of their logarithms.
static void scan_take(scan *s, const series *runs, int seeds)
{
	for (size_t i = 0; i < runs->table->rows && s->count < VALUES_MOST; i += (size_t)seeds) {
		double overlap = 0, updates = 0, solid = 0;
		for (size_t k = i; k < i + (size_t)seeds; k++) {
			overlap += log(series_at(runs, k, "mean_overlap"))/seeds;
			updates += log(series_at(runs, k, "contact_updates"))/seeds;
			solid += series_at(runs, k, "volume_fraction")/seeds;
		}
		s->value[s->count] = csv_at(runs->table, i, 1);
		s->overlap[s->count] = exp(overlap);
		s->updates[s->count] = exp(updates);
		s->solid[s->count++] = solid;
	}
}

// P dt^2 of a run, over that of the reference system; and its number of sweeps, the other way round.
static double softness(const scan *s, int i)
{
	switch (s->label[0]) {
	case 'P': return s->value[i]/pressure;
	case 'd': return s->value[i]*s->value[i]/(step*step);
	case 'N': return iterations/s->value[i];
	default: return 1;
	}
}

// A power law by least squares in logarithms, and the largest factor by which overlaps depart from it.
typedef struct power_law {
	double power, factor;
} power_law;

static power_law overlap_law(const scan *s, int scans)
{
	double count = 0, x = 0, y = 0, xx = 0, xy = 0, most = 0;
	for (int k = 0; k < scans; k++)
		for (int i = 0; i < s[k].count; i++) {
			double a = log(softness(&s[k], i)), b = log(s[k].overlap[i]);
			count += 1;
			x += a;
			y += b;
			xx += a*a;
			xy += a*b;
		}
	double power = (count*xy - x*y)/(count*xx - x*x), start = (y - power*x)/count;
	for (int k = 0; k < scans; k++)
		for (int i = 0; i < s[k].count; i++)
			most = fmax(most, fabs(log(s[k].overlap[i]) - start - power*log(softness(&s[k], i))));
	return (power_law){power, exp(most)};
}

static int scan_figures(reproduction *r, const scan *s)
{
	figure overlap = figure_make("P dt²/N, over that of the reference system", "mean overlap"), cost = figure_make("mean overlap", "contact updates");
	figure inertias = figure_make("inertia M", "contact updates");
	overlap.options.log_x = overlap.options.log_y = cost.options.log_x = cost.options.log_y = true;
	inertias.options.log_x = inertias.options.log_y = true;
	for (int k = 0; k < SCANNED; k++)
		figure_dots(&cost, s[k].label);
	for (int k = 0; k < SCANNED - 1; k++)
		figure_dots(&overlap, s[k].label);
	figure_dots(&inertias, "M");
	for (int k = 0; k < SCANNED; k++)
		for (int i = 0; i < s[k].count; i++) {
			if (k < SCANNED - 1)
				figure_point(&overlap, k, softness(&s[k], i), s[k].overlap[i]);
			else
				figure_point(&inertias, 0, s[k].value[i], s[k].updates[i]);
			figure_point(&cost, k, s[k].overlap[i], s[k].updates[i]);
		}
	int code = found_figure(r, &overlap, "overlap.png", "Mean overlap at rest against P dt²/N, changed through pressure, step or sweeps");
	int next = found_figure(r, &cost, "cost.png", "Work until rest against accuracy: one curve, but for the inertia");
	int last = found_figure(r, &inertias, "inertia.png", "Work until rest against the inertia of the bath");
	return code != EXIT_DONE ? code : next != EXIT_DONE ? next : last;
}

static void scan_findings(reproduction *r, const scan *s)
{
	power_law together = overlap_law(s, 2), sweeps = overlap_law(&s[2], 1);
	found_between(r, together.factor, 1, r->quick ? 4 : 2, "factor by which overlaps depart from a power of P dt², as P and dt change");
	found(r, together.power, "that power");
	found_within(r, sweeps.power, 1, r->quick ? 0.6 : 0.25, "power of 1/N that overlaps follow");
	found_between(r, sweeps.factor, 1, r->quick ? 4 : 2, "factor by which they depart from it");
	for (int k = 0; k < SCANNED; k++) {
		double worst = 0;
		for (int i = 0; i < s[k].count; i++)
			worst = fmax(worst, fabs(s[k].solid[i] - 0.80));
		found_between(r, worst, 0, r->quick ? 0.03 : 0.02, "volume fraction minus 0.80, worst, as %s changes", s[k].label);
	}
	const scan *m = &s[SCANNED - 1];
	int best = 0;
	for (int i = 1; i < m->count; i++)
		if (m->updates[i] < m->updates[best])
			best = i;
	found(r, m->value[best], "inertia with the least work until rest");
	found(r, m->updates[m->count - 1]/m->updates[best], "work with the largest inertia over the least");
	if (r->quick) // two values have no optimum
		found(r, m->updates[0]/m->updates[best], "work with the smallest inertia over the least");
	else
		found_unmet(r, m->updates[0]/m->updates[best], 1.1, INFINITY, 1, 1.1, "work with the smallest inertia over the least: an optimum in between");
}

static int scan_work(reproduction *r)
{
	scan s[SCANNED] = {
		{.label = "P", .path = "cell.bath.pressure", .full = "0.01:100:9:log", .quick = "0.3,3"},
		{.label = "dt", .path = "method.contact_dynamics.step", .full = "0.0025,0.005,0.01,0.02,0.04", .quick = "0.01,0.02"},
		{.label = "N", .path = "solver.nsgs.stop.iterations", .full = "12,25,50,100,200,400", .quick = "25,100"},
		{.label = "M", .path = "cell.bath.inertia", .full = "0.1:10000:11:log", .quick = "10,1000"},
	};
	int code = EXIT_DONE, seeds = r->quick ? 2 : 6;
	for (int k = 0; k < SCANNED && code == EXIT_DONE; k++) {
		char sweep[160];
		series runs;
		snprintf(sweep, sizeof sweep, "%s=%s", s[k].path, r->quick ? s[k].quick : s[k].full);
		code = series_run(&runs, r, &(series_wish){.name = s[k].label, .scene = reproduce_bath_scene, .sweeps = {sweep},
		                  .sets = {"run.until={rest: 1e-7, time: 2000}"}, .seeds = seeds});
		if (code == EXIT_DONE)
			scan_take(&s[k], &runs, seeds);
		series_free(&runs);
	}
	if (code != EXIT_DONE)
		return code;
	scan_findings(r, s);
	return scan_figures(r, s);
}

const experiment bath_scan_experiment = {"bath-scan",
	"pressure, step, sweeps and inertia of the bath, one at a time (Shaebani, Unger and Kertesz 2009)", scan_work,
	"what the paper says; a factor of 2, 0.25 and 0.02 are margins chosen here"};

// ---------------------------------------------------------------- the two schemes

static int scheme_work(reproduction *r)
{
	series s;
	int code = series_run(&s, r, &(series_wish){.name = "runs", .scene = reproduce_bath_scene, .seeds = r->quick ? 2 : 10,
	                      .sweeps = {"cell.bath.scheme=implicit,semi-implicit"}});
	if (code != EXIT_DONE)
		return code;
	double solid[2] = {0}, seconds[2] = {0}, updates[2] = {0};
	size_t half = s.table->rows/2;
	for (size_t i = 0; i < s.table->rows; i++) {
		solid[i/half] += series_at(&s, i, "volume_fraction")/(double)half;
		seconds[i/half] += series_at(&s, i, "seconds_solver")/(double)half;
		updates[i/half] += series_at(&s, i, "contact_updates")/(double)half;
	}
	found_between(r, fabs(solid[1] - solid[0]), 0, 0.01, "volume fraction, difference between the two schemes");
	found(r, updates[1]/updates[0], "contact updates until rest, semi-implicit over implicit");
	found(r, seconds[1]/updates[1]/(seconds[0]/updates[0]), "time of an update, semi-implicit over implicit");
	if (r->quick) // two systems of each scheme do not tell
		found(r, seconds[1]/seconds[0], "time until rest, semi-implicit over implicit");
	else
		found_unmet(r, seconds[1]/seconds[0], 0.6, 0.85, 0.85, 2, "time until rest, semi-implicit over implicit");
	series_free(&s);
	return EXIT_DONE;
}

const experiment bath_scheme_experiment = {"bath-scheme",
	"implicit and semi-implicit bath (Shaebani, Unger and Kertesz 2009)", scheme_work,
	"the paper finds the semi-implicit scheme 25 % faster; 15 to 40 % and 0.01 were chosen here"};

// ---------------------------------------------------------------- larger systems

// Both experiments look at the same systems, in a folder beside theirs. The paper has five; ten make the means twice as sharp as
// its limit of 1 % needs.
static int large_run(series *s, const reproduction *r)
{
	reproduction beside = *r;
	char *end = strrchr(beside.folder, '/');
	if (end)
		snprintf(end, sizeof beside.folder - (size_t)(end - beside.folder), "/bath-systems");
	int lock, code = run_folder_hold(beside.folder, &lock);
	if (code != EXIT_DONE)
		return code;
	folder_unlock(lock);
	return series_run(s, &beside, &(series_wish){.name = "runs", .scene = reproduce_bath_scene, .seeds = r->quick ? 2 : 10,
	                  .sets = {r->quick ? "grains.0.fill.count=300" : "grains.0.fill.count=1000",
	                           r->quick ? "cell.size=[62, 62]" : "cell.size=[114, 114]",
	                           r->quick ? "grains.0.fill.in.box=[[0, 0], [62, 62]]" : "grains.0.fill.in.box=[[0, 0], [114, 114]]",
	                           "output.log.every=1", "run.until.rest=1e-6"}});
}

// Of single systems: how far they are from isotropic, and how much they scatter around the mean of all.
typedef struct single_state {
	double first_mean;                // of the difference of stresses over their sum, of the first five systems
	double difference_spread, xy_spread; // standard deviations
	double deviator_mean, deviator_most;
	int beyond;                       // so many have a deviator of more than 1 %
} single_state;

static single_state singles(const series *s)
{
	size_t count = s->table->rows;
	single_state e = {0};
	double mean[2] = {0}, square[2] = {0};
	for (size_t i = 0; i < count; i++) {
		double xx = series_at(s, i, "stress_xx"), yy = series_at(s, i, "stress_yy"), deviator = series_at(s, i, "deviator");
		double value[2] = {(xx - yy)/(xx + yy), 0.5*(series_at(s, i, "stress_xy") + series_at(s, i, "stress_yx"))};
		for (int k = 0; k < 2; k++) {
			mean[k] += value[k]/(double)count;
			square[k] += value[k]*value[k]/(double)count;
		}
		e.first_mean += i < 5 ? value[0]/(count < 5 ? (double)count : 5) : 0;
		e.deviator_mean += deviator/(double)count;
		e.deviator_most = fmax(e.deviator_most, deviator);
		e.beyond += deviator > 0.01;
	}
	double free = (double)count/((double)count - 1);
	e.difference_spread = sqrt(free*(square[0] - mean[0]*mean[0]));
	e.xy_spread = sqrt(free*(square[1] - mean[1]*mean[1]));
	return e;
}

static int stress_work(reproduction *r)
{
	series s;
	int code = large_run(&s, r);
	if (code != EXIT_DONE)
		return code;
	double limit = r->quick ? 0.05 : 0.01, xx = series_mean(&s, "stress_xx"), yy = series_mean(&s, "stress_yy");
	found_within(r, (xx - yy)/(xx + yy), 0, limit, "difference of stresses xx and yy over their sum, mean of %zu systems", s.table->rows);
	found_within(r, 0.5*(series_mean(&s, "stress_xy") + series_mean(&s, "stress_yx")), 0, limit, "stress xy over the pressure, mean");
	found_within(r, series_mean(&s, "pressure") - pressure, 0, 1e-6, "pressure inside minus that outside, mean");
	single_state single = singles(&s);
	found(r, single.first_mean, "the difference of stresses xx and yy, mean of the first five systems");
	found(r, single.difference_spread, "the same, standard deviation of single systems");
	found(r, single.xy_spread, "stress xy, standard deviation of single systems");
	found_unmet(r, single.deviator_mean, 0, 0.01, 0.01, 0.15, "deviator of the stress of a single system over the pressure, mean");
	found_unmet(r, single.deviator_most, 0, 0.01, 0.01, 0.25, "the same, largest");
	found(r, single.beyond, "systems of which it is more than 1 %%");
	series_free(&s);
	return EXIT_DONE;
}

const experiment bath_stress_experiment = {"bath-stress",
	"the stress in a large system is a pressure (Shaebani, Unger and Kertesz 2009)", stress_work,
	"the 1 % of the paper, which had five systems (5 % for means with --quick)"};

static int normals_work(reproduction *r)
{
	enum { BINS = 36 };
	series s;
	int code = large_run(&s, r);
	if (code != EXIT_DONE)
		return code;
	double sum[BINS] = {0}, all = 0;
	for (size_t i = 0; i < s.table->rows; i++) {
		double number[BINS] = {0};
		series_list(&s, i, "distributions.normals.counts", number, BINS);
		for (int k = 0; k < BINS; k++) {
			sum[k] += number[k];
			all += number[k];
		}
	}
	figure f = figure_make("angle of the contact normal (degrees)", "share over a uniform one");
	int dots = figure_dots(&f, "contacts"), line = figure_curve(&f, "uniform");
	double square = 0, even = all/BINS;
	for (int k = 0; k < BINS; k++) {
		figure_point(&f, dots, 180.0/BINS*(k + 0.5), sum[k]/even);
		square += (sum[k]/even - 1)*(sum[k]/even - 1)/BINS;
	}
	figure_point(&f, line, 0, 1);
	figure_point(&f, line, 180, 1);
	found(r, all, "contacts with a force, all systems");
	found_between(r, sqrt(square)/sqrt(1/even), 0, 1.5, "deviation of the normals from uniform, over that of a random sample");
	found_between(r, hypot(series_mean(&s, "fabric_xx") - series_mean(&s, "fabric_yy"), 2*series_mean(&s, "fabric_xy")), 0,
	              r->quick ? 0.05 : 0.02, "anisotropy of the fabric of all systems together");
	double spread = 0, poisson = 0;
	for (size_t i = 0; i < s.table->rows; i++) {
		double number[1] = {0};
		series_list(&s, i, "distributions.homogeneity.deviation", number, 1);
		spread += number[0];
		series_list(&s, i, "distributions.homogeneity.poisson", number, 1);
		poisson += number[0];
	}
	found_between(r, spread/poisson, 0, 1.2,
	              "contacts in boxes: their deviation over that of contacts thrown at random");
	series_free(&s);
	return found_figure(r, &f, "normals.png", "Directions of contact normals of all systems together");
}

const experiment bath_normals_experiment = {"bath-normals",
	"contact normals and homogeneity of large systems (Shaebani, Unger and Kertesz 2009)", normals_work,
	"the paper finds normals within 3 % of uniform; here chance alone is the measure, and margins were chosen here"};
