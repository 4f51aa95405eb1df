// SPDX-License-Identifier: MIT
// How many sweeps it takes until a column of grains carries its weight: the square of its length with plain sweeps, its length
// with momentum.
#include "reproduce.h"

#include "cli.h"
#include "stop.h"
#include "world.h"

#include <math.h>
#include <stdio.h>

enum { LENGTHS = 8 };
static const int lengths[LENGTHS] = {25, 50, 100, 200, 400, 800, 1600, 3200};
static const double wanted = 1e-6; // force error, over the whole weight

static talus_world *column(int count, talus_solver_kind kind, int sweeps)
{
	talus_world_def def = talus_world_def_default();
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	talus_grain_def grain = talus_grain_def_default();
	def.dimension = 2;
	def.step = 1e-3;
	def.gravity.y = -1;
	def.solver = (talus_solver_def){.kind = kind, .iterations = sweeps};
	floor.axis = vec(0, 1, 0);
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "disk", 1);
	talus_world_set_pair(world, &(talus_pair){.friction = 0});
	talus_world_add_wall(world, &floor);
	for (int i = 0; i < count; i++) {
		grain.at = vec(0, 1 + 2*i, 0);
		talus_world_add_grain(world, &grain);
	}
	return world;
}

// Of one step that starts from nothing: a contact should carry all that is above it.
static double force_error(int count, talus_solver_kind kind, int sweeps)
{
	talus_world *world = column(count, kind, sweeps);
	double worst = 0, weight = M_PI*world->state.def.step;
	talus_world_step(world);
	const contacts *c = &world->contacts;
	for (size_t i = 0; i < c->count; i++) {
		double height = world->state.bodies.x[c->contact[i].b].y;
		if (c->contact[i].wall == NO_WALL)
			height = fmax(height, world->state.bodies.x[c->contact[i].a].y);
		double above = count - floor(0.5*height);
		worst = fmax(worst, fabs(norm(c->p[i]) - above*weight)/(count*weight));
	}
	talus_world_destroy(world);
	return worst;
}

// To a tenth; from where fewer are known not to be enough. Anything if it is asked to stop.
static int sweeps_needed(int count, talus_solver_kind kind, int from)
{
	int sweeps = from;
	while (!stop_asked() && force_error(count, kind, sweeps) > wanted)
		sweeps += 1 + sweeps/10;
	return sweeps;
}

static double power_of(const int sweeps[LENGTHS], int first, int last)
{
	return log((double)sweeps[last]/sweeps[first])/log((double)lengths[last]/lengths[first]);
}

static int sweeps_work(reproduction *r)
{
	int plain[LENGTHS] = {0}, momentum[LENGTHS] = {0}, plains = r->quick ? 2 : 4, all = r->quick ? 4 : LENGTHS;
	figure f = figure_make("grains in the column", "sweeps");
	f.options.log_x = f.options.log_y = true;
	int dots[2] = {figure_dots(&f, "plain"), figure_dots(&f, "with momentum")};
	for (int i = 0; i < all; i++) {
		if (i < plains)
			plain[i] = sweeps_needed(lengths[i], TALUS_SOLVER_NSGS, i ? 3*plain[i - 1] : 1000);
		momentum[i] = sweeps_needed(lengths[i], TALUS_SOLVER_ACCELERATED, i ? momentum[i - 1] : 50);
	}
	if (stop_asked()) {
		figure_free(&f);
		fputs("talus: reproduce: stopped in sweeps\n", stderr);
		return EXIT_FAILED;
	}
	for (int i = 0; i < plains; i++)
		figure_point(&f, dots[0], lengths[i], plain[i]);
	for (int i = 0; i < all; i++)
		figure_point(&f, dots[1], lengths[i], momentum[i]);
	found_within(r, power_of(plain, 0, plains - 1), 2, 0.1, "power of the length that plain sweeps follow");
	found_between(r, power_of(momentum, 1, all - 1), 0.8, r->quick ? 1.4 : 1.1, "the same with momentum");
	found_between(r, (double)plain[plains - 1]/momentum[plains - 1], r->quick ? 40 : 200, INFINITY, "sweeps without over with momentum, %d grains",
	              lengths[plains - 1]);
	for (int i = 0; i < all; i++)
		found(r, momentum[i], "sweeps with momentum, %d grains", lengths[i]);
	for (int i = 0; i < plains; i++)
		found(r, plain[i], "plain sweeps, %d grains", lengths[i]);
	return found_figure(r, &f, "sweeps.png", "Sweeps until all forces of a column are right to 1e-6 of its weight");
}

const experiment sweeps_experiment = {"sweeps", "sweeps until a column carries its weight (Unger and Kertesz 2003), with and without momentum",
	sweeps_work,
	"sweeps are a diffusion, which has the power 2; those of momentum were chosen here, around what was found"};
