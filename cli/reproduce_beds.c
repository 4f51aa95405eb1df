// SPDX-License-Identifier: MIT
// How many sweeps it takes until a bed of smooth grains is at rest in one step from nothing, against its size.
#include "reproduce.h"

#include "base/memory.h"
#include "bench.h"
#include "cli.h"
#include "stop.h"
#include "world.h"

#include <math.h>
#include <stdio.h>

enum { SIZES = 3 };

typedef struct bed {
	int dimension, count;
	vec3 *x;        // where its grains came to rest
	double *radius;
	vec3 *v;        // exact velocities after the step, by id
} bed;

static const double step = 0.01, wanted = 0.1; // largest error of a velocity, over g dt

// ---------------------------------------------------------------- worlds

// As wide as it is high when it has settled; across it is periodic.
static talus_world_def bed_def(const bed *b, talus_solver_def solver)
{
	talus_world_def def = talus_world_def_default();
	double wide = b->dimension == 2 ? 1.9584*sqrt(b->count) : 1.9155*cbrt(b->count);
	def.dimension = b->dimension;
	def.step = step;
	def.gravity = b->dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.cell.size = b->dimension == 2 ? vec(wide, 3*wide, 0) : vec(wide, wide, 3*wide);
	def.cell.periodic[0] = true;
	def.cell.periodic[1] = b->dimension == 3;
	def.solver = solver;
	return def;
}

static talus_world *empty_bed(const bed *b, talus_solver_def solver, int threads)
{
	talus_world_def def = bed_def(b, solver);
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	floor.axis = mul(-1, def.gravity);
	talus_world *world = talus_world_create(&def);
	talus_world_add_material(world, "smooth", 1);
	talus_world_set_pair(world, &(talus_pair){.friction = 0});
	talus_world_add_wall(world, &floor);
	talus_world_set_threads(world, threads);
	return world;
}

static talus_solver_def rule(talus_solver_kind kind, talus_stop stop, double tolerance, int most)
{
	return (talus_solver_def){.kind = kind, .stop = stop, .tolerance = tolerance, .relaxation = 1, .iterations = most,
	                          .max_iterations = most};
}

// A dense layer settles under its weight; waves that are left are damped in the last quarter of the time.
static bool bed_settle(bed *b, int steps, int threads, talus_error *error)
{
	talus_world *world = empty_bed(b, rule(TALUS_SOLVER_ACCELERATED, TALUS_STOP_ERROR, 1e-3/TALUS_WINDOW, 2000), threads);
	talus_fill_def fill = {.count = b->count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.arrangement = TALUS_ARRANGE_DENSE, .friction = 0.02, .in = {.box = {.high = world->def.cell.size}}};
	bool filled = talus_world_fill(world, &fill, error);
	for (int i = 0; filled && i < steps && !stop_asked(); i++) {
		talus_world_step(world);
		for (size_t k = 0; 4*i > 3*steps && k < world->bodies.count; k++)
			world->bodies.v[k] = mul(0.7, world->bodies.v[k]);
	}
	b->count = (int)world->bodies.count;
	b->x = memory_grow(NULL, 0, world->bodies.count*sizeof *b->x);
	b->radius = memory_grow(NULL, 0, world->bodies.count*sizeof *b->radius);
	b->v = memory_grow(NULL, 0, world->bodies.count*sizeof *b->v);
	for (size_t k = 0; k < world->bodies.count; k++) {
		b->x[k] = world->bodies.x[k];
		b->radius[k] = world->bodies.radius[k];
	}
	talus_world_destroy(world);
	return filled;
}

static void bed_free(bed *b)
{
	memory_free(b->x);
	memory_free(b->radius);
	memory_free(b->v);
}

// The bed after one step that starts without velocities and forces.
static talus_world *bed_step(const bed *b, talus_solver_def solver, int threads)
{
	talus_world *world = empty_bed(b, solver, threads);
	talus_grain_def grain = talus_grain_def_default();
	for (int i = 0; i < b->count; i++) {
		grain.at = b->x[i];
		grain.radius = b->radius[i];
		talus_world_add_grain(world, &grain);
	}
	talus_world_step(world);
	return world;
}

// ---------------------------------------------------------------- sweeps

static void bed_exact(bed *b, int threads)
{
	talus_world *world = bed_step(b, rule(TALUS_SOLVER_ACCELERATED, TALUS_STOP_RESIDUAL, 1e-11, 200000), threads);
	for (size_t k = 0; k < world->bodies.count; k++)
		b->v[world->bodies.id[k]] = world->bodies.v[k];
	talus_world_destroy(world);
}

static double velocity_error(const bed *b, talus_solver_kind kind, int sweeps, int threads)
{
	talus_world *world = bed_step(b, rule(kind, TALUS_STOP_ITERATIONS, 0, sweeps), threads);
	double worst = 0;
	for (size_t k = 0; k < world->bodies.count; k++)
		worst = fmax(worst, norm(sub(world->bodies.v[k], b->v[world->bodies.id[k]])));
	talus_world_destroy(world);
	return worst/step;
}

// To three parts in a hundred. Anything if it is asked to stop.
static int sweeps_needed(const bed *b, talus_solver_kind kind, int threads)
{
	int low = 10, high = 20;
	while (!stop_asked() && velocity_error(b, kind, high, threads) > wanted) {
		low = high;
		high *= 2;
	}
	while (!stop_asked() && high - low > 1 + high/32) {
		int middle = low + (high - low)/2;
		bool enough = velocity_error(b, kind, middle, threads) <= wanted;
		low = enough ? low : middle;
		high = enough ? middle : high;
	}
	return high;
}

// ---------------------------------------------------------------- the experiment

typedef struct family {
	const char *name;
	int dimension, sizes, count[SIZES], steps;
	double fewer; // plain sweeps over those with momentum, at the size where that is looked at
	int at;
	double least, power; // of the length; the power of two small beds is good to 0.3, as they are counted in tens of sweeps
} family;

static const family long_ones[] = {
	{"disks", 2, 3, {1000, 4000, 16000}, 1800, 50, 2, 0.5, 1.2},
	{"spheres", 3, 3, {1000, 3000, 8000}, 1500, 20, 2, 0.5, 1.3},
};
static const family quick_ones[] = {{"disks", 2, 2, {100, 400}, 300, 5, 1, 0.2, 1.8}};

static double power_of(const family *f, const int sweeps[SIZES])
{
	int last = f->sizes - 1;
	return f->dimension*log((double)sweeps[last]/sweeps[0])/log((double)f->count[last]/f->count[0]);
}

static const char *const solver_name[2] = {"", " with momentum"};

static bool bed_work(bed *b, int steps, int threads, int *plain, int *momentum, talus_error *error)
{
	bool settled = bed_settle(b, steps, threads, error);
	if (settled && !stop_asked()) {
		bed_exact(b, threads);
		*momentum = sweeps_needed(b, TALUS_SOLVER_ACCELERATED, threads);
		*plain = sweeps_needed(b, TALUS_SOLVER_NSGS, threads);
	}
	bed_free(b);
	return settled;
}

static int family_work(reproduction *r, const family *f, figure *picture, int first_curve)
{
	int sweeps[2][SIZES], threads = r->threads ? r->threads : bench_machine_look().processors;
	talus_error error;
	for (int i = 0; i < f->sizes; i++) {
		bed b = {.dimension = f->dimension, .count = f->count[i]};
		if (!bed_work(&b, f->steps, threads, &sweeps[0][i], &sweeps[1][i], &error))
			return cli_error(&error, EXIT_FAILED);
		if (stop_asked()) {
			fputs("talus: reproduce: stopped in beds\n", stderr);
			return EXIT_FAILED;
		}
	}
	for (int kind = 0; kind < 2; kind++)
		for (int i = 0; i < f->sizes; i++) {
			figure_point(picture, first_curve + kind, f->count[i], sweeps[kind][i]);
			found(r, sweeps[kind][i], "sweeps, %d %s%s", f->count[i], f->name, solver_name[kind]);
		}
	found(r, power_of(f, sweeps[0]), "power of the length that plain sweeps follow, %s", f->name);
	found_between(r, power_of(f, sweeps[1]), f->least, f->power, "the same with momentum");
	found_between(r, (double)sweeps[0][f->at]/sweeps[1][f->at], f->fewer, INFINITY, "sweeps without over with momentum, %d %s",
	              f->count[f->at], f->name);
	return EXIT_DONE;
}

static int beds_work(reproduction *r)
{
	figure f = figure_make("grains", "sweeps");
	f.options.log_x = f.options.log_y = true;
	const family *of = r->quick ? quick_ones : long_ones;
	int families = r->quick ? 1 : 2, code = EXIT_DONE;
	for (int i = 0; i < 2*families; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s%s", of[i/2].name, solver_name[i%2]);
		figure_dots(&f, name);
	}
	for (int i = 0; i < families && code == EXIT_DONE; i++)
		code = family_work(r, &of[i], &f, 2*i);
	if (code != EXIT_DONE) {
		figure_free(&f);
		return code;
	}
	return found_figure(r, &f, "sweeps.png", "Sweeps until no velocity is wrong by more than 0.1 g dt");
}

const experiment beds_experiment = {"beds", "sweeps until a bed of smooth grains is at rest, against its size, with and without momentum",
	beds_work,
	"chosen here, around what was found"};
