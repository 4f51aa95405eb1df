// SPDX-License-Identifier: MIT
// Plane shear at constant normal stress: friction and density of the flow against the inertial number
// I = rate sqrt(m/P)  (da Cruz et al. 2005).
#include "reproduce.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>

static const double full_rates[] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2}, quick_rates[] = {0.03, 0.1};
enum { FULL = sizeof full_rates/sizeof full_rates[0], QUICK = sizeof quick_rates/sizeof quick_rates[0] };

typedef struct flow_point {
	double inertial, friction, solid;
	double friction_range, solid_range; // largest minus smallest of single systems
} flow_point;

static double friction_law(double inertial)
{
	return 0.25 + 1.1*inertial;
}

static double solid_law(double inertial)
{
	return 0.81 - 0.3*inertial;
}

// The mean of the time series of all systems, without their first third.
static bool flow_measure(flow_point *p, const series *s, double rate)
{
	const double radius = 1, mass = M_PI*(radius*radius + 0.4*0.4/12); // uniform from 0.8 to 1.2
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	*p = (flow_point){.inertial = rate*sqrt(mass)};
	for (size_t i = 0; i < s->table->rows; i++) {
		csv_table *log = series_log(s, i);
		if (!log)
			return false;
		double xy = 0.5*(log_mean(log, "stress_xy", 1/3.0) + log_mean(log, "stress_yx", 1/3.0));
		double value[2] = {-xy/log_mean(log, "stress_yy", 1/3.0), log_mean(log, "volume_fraction", 1/3.0)};
		for (int k = 0; k < 2; k++) {
			low[k] = fmin(low[k], value[k]);
			high[k] = fmax(high[k], value[k]);
		}
		p->friction += value[0]/(double)s->table->rows;
		p->solid += value[1]/(double)s->table->rows;
		csv_free(log);
	}
	p->friction_range = high[0] - low[0];
	p->solid_range = high[1] - low[1];
	return true;
}

static int flow_run(const reproduction *r, double rate, flow_point *p)
{
	char name[32], wanted[64], until[64], every[64];
	double strain = r->quick ? 1.5 : 5;
	series s;
	snprintf(name, sizeof name, "rate-%g", rate);
	snprintf(wanted, sizeof wanted, "cell.drive.xy.rate=%g", rate);
	snprintf(until, sizeof until, "run.until.time=%g", strain/rate);
	snprintf(every, sizeof every, "output.log.every=%g", 0.005/rate);
	int code = series_run(&s, r, &(series_wish){.name = name, .scene = reproduce_shear_scene, .seeds = 2,
	                      .sets = {wanted, until, every, r->quick ? "grains.0.fill.count=200" : "grains.0.fill.count=400",
	                               r->quick ? "cell.size=[28, 50]" : "cell.size=[40, 70]",
	                               r->quick ? "grains.0.fill.in.box=[[0, 0], [28, 50]]" : "grains.0.fill.in.box=[[0, 0], [40, 70]]"}});
	if (code == EXIT_DONE && !flow_measure(p, &s, rate))
		code = cli_wrong("%s: a log cannot be read", s.folder);
	series_free(&s);
	return code;
}

static int law_figure(reproduction *r, const flow_point *p, int count, bool friction)
{
	figure f = figure_make("inertial number I", friction ? "stress xy over stress yy" : "volume fraction");
	f.options.log_x = true;
	int dots = figure_dots(&f, "measured"), line = figure_curve(&f, friction ? "0.25 + 1.1 I" : "0.81 - 0.3 I");
	for (int i = 0; i < count; i++)
		figure_point(&f, dots, p[i].inertial, friction ? p[i].friction : p[i].solid);
	for (int i = 0; i <= 100; i++) {
		double inertial = p[0].inertial*pow(p[count - 1].inertial/p[0].inertial, i/100.0);
		figure_point(&f, line, inertial, friction ? friction_law(inertial) : solid_law(inertial));
	}
	return found_figure(r, &f, friction ? "friction.png" : "solid.png",
	                    friction ? "Friction of plane shear against the inertial number, with the line of da Cruz et al."
	                             : "Volume fraction of plane shear against the inertial number, with the line of da Cruz et al.");
}

static int shear_work(reproduction *r)
{
	flow_point p[FULL];
	const double *rates = r->quick ? quick_rates : full_rates;
	int count = r->quick ? QUICK : FULL, code = EXIT_DONE;
	for (int i = count; i-- > 0 && code == EXIT_DONE;) // the fastest first: they take the least time
		code = flow_run(r, rates[i], &p[i]);
	if (code != EXIT_DONE)
		return code;
	double margin = r->quick ? 0.3 : 0.1; // known: between 0.01 and 0.1 it is a little more
	for (int i = 0; i < count; i++)
		found_unmet(r, p[i].friction/friction_law(p[i].inertial), 1 - margin, 1 + margin, 1 - margin, 1.06 + margin,
		            "friction over 0.25 + 1.1 I at I = %.3g", p[i].inertial);
	for (int i = 0; i < count; i++)
		found_within(r, p[i].solid/solid_law(p[i].inertial), 1, r->quick ? 0.05 : 0.02,
		             "volume fraction over 0.81 - 0.3 I at I = %.3g", p[i].inertial);
	double friction_range = 0, solid_range = 0;
	for (int i = 0; i < count; i++) {
		friction_range = fmax(friction_range, p[i].friction_range/p[i].friction);
		solid_range = fmax(solid_range, p[i].solid_range/p[i].solid);
	}
	found(r, friction_range, "friction of single systems at the same rate, largest difference over their mean");
	found(r, solid_range, "volume fraction of single systems at the same rate, largest difference over their mean");
	code = law_figure(r, p, count, true);
	int other = law_figure(r, p, count, false);
	return code == EXIT_DONE ? other : code;
}

const experiment plane_shear_experiment = {"plane-shear",
	"friction and density of sheared disks against the inertial number (da Cruz et al. 2005)", shear_work,
	"the lines are those of da Cruz et al., who give no errors; 10 % of friction and 2 % of volume fraction around them were chosen here"};
