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

enum { SIZES = 4, PACKINGS = 3 };

typedef struct bed {
	int dimension, count;
	uint64_t seed;
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
	def.seed = b->seed;
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

// ---------------------------------------------------------------- settling

// How a stretch of the way is gone.
typedef struct pace {
	double step, error; // of the solver
	talus_gap gap;
	double kept;        // share of the velocities that a step leaves
	int steps;          // at most
	double speed;       // or until the mean speed is below this, over g times the step
} pace;

// Few sweeps are enough while it falls, and what is wrong with them shakes it. Then every step starts from rest and leads downhill,
// with large steps first: a grain that nothing holds moves by g times the square of the step. After hundreds of the last ones what
// is counted here, the largest error, takes up to twice the sweeps, and the root mean square as many as before.
static const pace way[] = {
	{0.2, 0.1, TALUS_GAP_SIGNED, 0.95, 400, 0.4},
	{0.5, 1e-2, TALUS_GAP_SIGNED, 0, 100, 0.02},
	{0.1, 1e-3, TALUS_GAP_SIGNED, 0, 20, 0},
	{step, 1e-4, TALUS_GAP_POSITIVE, 0, 20, 0},
};

static double mean_speed(const talus_world *world)
{
	double sum = 0;
	for (size_t k = 0; k < world->state.bodies.count; k++)
		sum += norm(world->state.bodies.v[k]);
	return sum/(double)world->state.bodies.count;
}

static void go(talus_world *world, const pace *p)
{
	world->state.def.step = p->step;
	world->state.def.solver.tolerance = p->error;
	world->state.def.solver.gap = p->gap;
	for (int i = 0; i < p->steps && !stop_asked(); i++) {
		talus_world_step(world);
		if (mean_speed(world) < p->speed*p->step)
			return;
		for (size_t k = 0; k < world->state.bodies.count; k++)
			world->state.bodies.v[k] = mul(p->kept, world->state.bodies.v[k]);
	}
}

static void bed_take(bed *b, const talus_world *world)
{
	size_t count = world->state.bodies.count;
	b->x = memory_grow(NULL, 0, count*sizeof *b->x);
	b->radius = memory_grow(NULL, 0, count*sizeof *b->radius);
	b->v = memory_grow(NULL, 0, count*sizeof *b->v);
	for (size_t k = 0; k < count; k++) {
		b->x[k] = world->state.bodies.x[k];
		b->radius[k] = world->state.bodies.radius[k];
	}
}

// Grains at random places, with about half of the volume fraction that they will have, fall and come to rest.
static bool bed_settle(bed *b, int threads, talus_error *error)
{
	talus_world *world = empty_bed(b, rule(TALUS_SOLVER_ACCELERATED, TALUS_STOP_ERROR, way[0].error, 2000), threads);
	talus_fill_def fill = {.count = b->count, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.8, .b = 1.2},
		.in = {.box = {.high = world->state.def.cell.size}}};
	double high = (b->dimension == 2 ? 1.7 : 2)*world->state.def.cell.size.x;
	set_component(&fill.in.box.high, b->dimension - 1, high);
	bool filled = talus_world_fill(world, &fill, error);
	for (size_t i = 0; filled && i < sizeof way/sizeof *way; i++)
		go(world, &way[i]);
	bed_take(b, world);
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
	for (size_t k = 0; k < world->state.bodies.count; k++)
		b->v[world->state.bodies.id[k]] = world->state.bodies.v[k];
	talus_world_destroy(world);
}

// Of the velocities, over g dt. The largest one is that of a few grains, which more grains are likelier to have.
typedef struct velocity_error {
	double largest, mean; // root mean square
} velocity_error;

static velocity_error error_after(const bed *b, talus_solver_kind kind, int sweeps, int threads)
{
	talus_world *world = bed_step(b, rule(kind, TALUS_STOP_ITERATIONS, 0, sweeps), threads);
	double largest = 0, sum = 0;
	for (size_t k = 0; k < world->state.bodies.count; k++) {
		vec3 wrong = sub(world->state.bodies.v[k], b->v[world->state.bodies.id[k]]);
		largest = fmax(largest, norm(wrong));
		sum += dot(wrong, wrong);
	}
	double mean = sqrt(sum/(double)world->state.bodies.count);
	talus_world_destroy(world);
	return (velocity_error){largest/step, mean/step};
}

typedef enum measure { LARGEST, MEAN } measure;

static bool right(const bed *b, talus_solver_kind kind, measure of, int sweeps, int threads)
{
	velocity_error e = error_after(b, kind, sweeps, threads);
	return (of == LARGEST ? e.largest : e.mean) <= wanted;
}

// To three parts in a hundred. Anything if it is asked to stop.
static int sweeps_needed(const bed *b, talus_solver_kind kind, measure of, int threads)
{
	int low = 10, high = 20;
	while (!stop_asked() && !right(b, kind, of, high, threads)) {
		low = high;
		high *= 2;
	}
	while (!stop_asked() && high - low > 1 + high/32) {
		int middle = low + (high - low)/2;
		bool enough = right(b, kind, of, middle, threads);
		low = enough ? low : middle;
		high = enough ? middle : high;
	}
	return high;
}

// ---------------------------------------------------------------- the experiment

enum { BY_PLAIN, BY_MOMENTUM, BY_MOMENTUM_MEAN, COUNTS };

typedef struct family {
	const char *name;
	int dimension, sizes, count[SIZES], packings;
	int plains;          // sizes for which plain sweeps are counted, in the first packing
	double fewer;        // plain sweeps over those with momentum, at the largest of them
	double least, power; // of the length
} family;

typedef struct counts {
	int sweeps[COUNTS][SIZES][PACKINGS]; // 0: not counted
} counts;

static const family long_ones[] = {
	{"disks", 2, 3, {1000, 4000, 16000}, 3, 2, 30, 0.5, 1.2},
	{"spheres", 3, 4, {1000, 3000, 8000, 27000}, 3, 3, 15, 0.5, 1.1},
};
static const family quick_ones[] = {{"disks", 2, 2, {100, 400}, 2, 2, 5, 0.2, 1.8}};

typedef struct line {
	double slope, error; // its standard error, 0 if two points make the line
} line;

// Least squares: logarithms of sweeps over those of the length, each packing a point.
static line power_of(const family *f, const int sweeps[SIZES][PACKINGS])
{
	double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
	for (int i = 0; i < SIZES*PACKINGS; i++)
		if (sweeps[i/PACKINGS][i%PACKINGS] > 0) {
			double at = log(f->count[i/PACKINGS])/f->dimension, of = log(sweeps[i/PACKINGS][i%PACKINGS]);
			n += 1, x += at, y += of, xx += at*at, xy += at*of, yy += of*of;
		}
	xx -= x*x/n, xy -= x*y/n, yy -= y*y/n;
	double slope = xy/xx;
	return (line){slope, n > 2 ? sqrt(fmax(0, yy - slope*xy)/((n - 2)*xx)) : 0};
}

// Of logarithms, over the packings.
static double mean_of(const int sweeps[PACKINGS])
{
	double sum = 0;
	int n = 0;
	for (int k = 0; k < PACKINGS; k++)
		if (sweeps[k] > 0)
			sum += log(sweeps[k]), n++;
	return exp(sum/n);
}

static bool bed_work(bed *b, int threads, bool plain, int sweeps[COUNTS], talus_error *error)
{
	bool settled = bed_settle(b, threads, error);
	if (settled && !stop_asked()) {
		bed_exact(b, threads);
		sweeps[BY_MOMENTUM] = sweeps_needed(b, TALUS_SOLVER_ACCELERATED, LARGEST, threads);
		sweeps[BY_MOMENTUM_MEAN] = sweeps_needed(b, TALUS_SOLVER_ACCELERATED, MEAN, threads);
		sweeps[BY_PLAIN] = plain ? sweeps_needed(b, TALUS_SOLVER_NSGS, LARGEST, threads) : 0;
	}
	bed_free(b);
	return settled;
}

static int count_all(const reproduction *r, const family *f, counts *c)
{
	int threads = r->threads ? r->threads : bench_machine_look().processors;
	talus_error error;
	for (int i = 0; i < f->sizes; i++)
		for (int k = 0; k < f->packings; k++) {
			bed b = {.dimension = f->dimension, .count = f->count[i], .seed = (uint64_t)k + 1};
			int sweeps[COUNTS] = {0};
			if (!bed_work(&b, threads, k == 0 && i < f->plains, sweeps, &error))
				return cli_error(&error, EXIT_FAILED);
			if (stop_asked()) {
				fputs("talus: reproduce: stopped in beds\n", stderr);
				return EXIT_FAILED;
			}
			for (int of = 0; of < COUNTS; of++)
				c->sweeps[of][i][k] = sweeps[of];
		}
	return EXIT_DONE;
}

static const char *const count_name[COUNTS] = {"", " with momentum", " with momentum, root mean square"};

static void report_counts(reproduction *r, const family *f, const counts *c, figure *picture, int first_curve)
{
	for (int of = 0; of < COUNTS; of++)
		for (int i = 0; i < f->sizes && c->sweeps[of][i][0] > 0; i++) {
			found(r, mean_of(c->sweeps[of][i]), "sweeps, %d %s%s", f->count[i], f->name, count_name[of]);
			for (int k = 0; k < PACKINGS; k++)
				if (c->sweeps[of][i][k] > 0)
					figure_point(picture, first_curve + of, f->count[i], c->sweeps[of][i][k]);
		}
}

static void report_powers(reproduction *r, const family *f, const counts *c)
{
	int at = f->plains - 1;
	line momentum = power_of(f, c->sweeps[BY_MOMENTUM]), mean = power_of(f, c->sweeps[BY_MOMENTUM_MEAN]);
	found(r, power_of(f, c->sweeps[BY_PLAIN]).slope, "power of the length that plain sweeps follow, %s", f->name);
	found_between(r, momentum.slope, f->least, f->power, "the same with momentum");
	found(r, momentum.error, "its standard error");
	found_between(r, mean.slope, f->least, f->power, "the same with momentum, root mean square");
	found(r, mean.error, "its standard error");
	found_between(r, (double)c->sweeps[BY_PLAIN][at][0]/c->sweeps[BY_MOMENTUM][at][0], f->fewer, INFINITY,
	              "sweeps without over with momentum, %d %s", f->count[at], f->name);
}

static int beds_work(reproduction *r)
{
	figure f = figure_make("grains", "sweeps");
	f.options.log_x = f.options.log_y = true;
	const family *of = r->quick ? quick_ones : long_ones;
	int families = r->quick ? 1 : 2, code = EXIT_DONE;
	for (int i = 0; i < COUNTS*families; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s%s", of[i/COUNTS].name, count_name[i%COUNTS]);
		figure_dots(&f, name);
	}
	for (int i = 0; i < families && code == EXIT_DONE; i++) {
		counts c = {0};
		code = count_all(r, &of[i], &c);
		if (code == EXIT_DONE) {
			report_counts(r, &of[i], &c, &f, COUNTS*i);
			report_powers(r, &of[i], &c);
		}
	}
	if (code != EXIT_DONE) {
		figure_free(&f);
		return code;
	}
	return found_figure(r, &f, "sweeps.png", "Sweeps until the largest error of a velocity, or the root mean square of all, is 0.1 g dt");
}

const experiment beds_experiment = {"beds", "sweeps until a bed of smooth grains is at rest, against its size, with and without momentum",
	beds_work,
	"chosen here, around what was found"};
