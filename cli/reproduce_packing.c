// SPDX-License-Identifier: MIT
// Packings whose density and contacts are known: smooth disks, smooth spheres, spheres with friction.
#include "reproduce.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>

// Mean over the systems of what contacts a grain are too many: smooth grains that just hold each other have D N' - D + 1 of
// them, one more than they have ways to move, as the cell may move, too.
static double contacts_too_many(const series *s, int dimension)
{
	double sum = 0;
	for (size_t i = 0; i < s->table->rows; i++) {
		double held = series_at(s, i, "grains") - series_at(s, i, "rattlers_network");
		sum += series_at(s, i, "coordination_network") - 2*(dimension - (dimension - 1)/held);
	}
	return sum/(double)s->table->rows;
}

static double not_at_rest(const series *s, double end)
{
	double count = 0;
	for (size_t i = 0; i < s->table->rows; i++)
		count += series_at(s, i, "time") >= 0.999*end;
	return count;
}

static int isostatic_work(reproduction *r)
{
	series s;
	int code = series_run(&s, r, &(series_wish){.name = "runs", .scene = reproduce_isostatic_scene, .seeds = r->quick ? 2 : 4,
	                      .sets = {r->quick ? "grains.0.fill.count=100" : "grains.0.fill.count=300",
	                               r->quick ? "cell.size=[36, 36]" : "cell.size=[62, 62]",
	                               r->quick ? "grains.0.fill.in.box=[[0, 0], [36, 36]]" : "grains.0.fill.in.box=[[0, 0], [62, 62]]"}});
	if (code != EXIT_DONE)
		return code;
	found_between(r, not_at_rest(&s, 2000), 0, 0, "systems that did not come to rest");
	found_within(r, contacts_too_many(&s, 2), 0, 0.01, "contacts a grain without rattlers, minus 4 - 2/N'");
	found_between(r, series_mean(&s, "volume_fraction"), r->quick ? 0.82 : 0.835, 0.845, "volume fraction, mean of %zu systems",
	              s.table->rows);
	found(r, series_mean(&s, "mean_overlap"), "mean overlap over the mean diameter");
	series_free(&s);
	return EXIT_DONE;
}

const experiment isostatic_experiment = {"isostatic", "smooth disks under pressure have 4 contacts each", isostatic_work,
	"smooth grains that just hold each other have 4 - 2/N' contacts; the volume fraction is that of the literature"};

// ---------------------------------------------------------------- spheres

static int forces_figure(reproduction *r, const series *s, const char *caption)
{
	enum { BINS = 50 };
	double number[BINS], all = 0;
	int bins = series_list(s, 0, "distributions.forces.counts", number, BINS);
	figure f = figure_make("normal force over its mean", "probability density");
	f.options.log_y = true;
	int dots = figure_dots(&f, "P(f)");
	for (int k = 0; k < bins; k++)
		all += number[k];
	for (int k = 0; k < bins; k++)
		if (number[k] > 0)
			figure_point(&f, dots, 5.0/BINS*(k + 0.5), number[k]/all*BINS/5);
	return found_figure(r, &f, "forces.png", caption);
}

static int spheres_run(series *s, const reproduction *r, const char *friction)
{
	return series_run(s, r, &(series_wish){.name = "runs", .scene = reproduce_spheres_scene, .seeds = r->quick ? 1 : 2,
	                  .sets = {friction, r->quick ? "grains.0.fill.count=150" : "grains.0.fill.count=2000",
	                           r->quick ? "cell.size=[17, 17, 17]" : "cell.size=[40, 40, 40]",
	                           r->quick ? "grains.0.fill.in.box=[[0, 0, 0], [17, 17, 17]]"
	                                    : "grains.0.fill.in.box=[[0, 0, 0], [40, 40, 40]]"}});
}

static int spheres_work(reproduction *r)
{
	series s;
	int code = spheres_run(&s, r, "contacts.0.friction=0");
	if (code != EXIT_DONE)
		return code;
	found_between(r, not_at_rest(&s, 600), 0, 0, "systems that did not come to rest");
	found_within(r, series_mean(&s, "volume_fraction"), 0.639, r->quick ? 0.02 : 0.004, "volume fraction, mean of %zu systems",
	             s.table->rows);
	found_within(r, series_mean(&s, "coordination_network"), 6, r->quick ? 0.1 : 0.02, "contacts a grain, without rattlers");
	found_within(r, contacts_too_many(&s, 3), 0, 0.02, "the same minus 6 - 4/N'");
	found(r, series_mean(&s, "rattlers_network")/series_mean(&s, "grains"), "share of rattlers");
	found(r, series_mean(&s, "mean_overlap"), "mean overlap over the mean diameter");
	code = forces_figure(r, &s, "Distribution of normal forces between smooth spheres");
	series_free(&s);
	return code;
}

const experiment spheres_experiment = {"spheres", "smooth spheres under pressure: random close packing, 6 contacts each", spheres_work,
	"smooth grains that just hold each other have 6 - 4/N' contacts; 0.639 is that of the literature, margins were chosen here"};

static int rough_work(reproduction *r)
{
	series s;
	int code = spheres_run(&s, r, "contacts.0.friction=0.3");
	if (code != EXIT_DONE)
		return code;
	found_between(r, not_at_rest(&s, 600), 0, 0, "systems that did not come to rest");
	found_within(r, series_mean(&s, "volume_fraction"), 0.593, r->quick ? 0.03 : 0.015, "volume fraction, mean of %zu systems",
	             s.table->rows);
	found_within(r, series_mean(&s, "coordination_network"), 4.5, r->quick ? 0.25 : 0.1, "contacts a grain, without rattlers");
	found_within(r, series_mean(&s, "weak_share"), 0.6, 0.05, "share of contacts with less than the mean force");
	found_within(r, series_mean(&s, "weak_pressure_share"), 0.28, 0.05, "share of the pressure that these carry");
	found(r, series_mean(&s, "rattlers_network")/series_mean(&s, "grains"), "share of rattlers");
	code = forces_figure(r, &s, "Distribution of normal forces between spheres with friction 0.3");
	series_free(&s);
	return code;
}

const experiment rough_spheres_experiment = {"rough-spheres",
	"spheres with friction 0.3 under pressure (Agnolin and Roux 2007; Radjai et al. 1998 for forces)", rough_work,
	"the numbers of the papers, with margins chosen here"};
