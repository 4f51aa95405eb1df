// SPDX-License-Identifier: MIT
// What a run will take: steps times sweeps times contacts times what an update costs on this machine, and bytes by the columns
// of its files. A disk in a packing has about four neighbours, a sphere six, each contact counted once. How many sweeps a rule
// takes is not known beforehand: it is guessed as those in which news goes once through the system.
#include "io/estimate.h"

#include "base/clock.h"
#include "base/vec.h"
#include "io/frames.h"
#include "observe/observe.h"
#include "observe/walls.h"


static const double trial = 0.1;      // seconds
static const double some_steps = 1000; // where nobody knows how many there are
static const double frame_time = 5e-3; // seconds that a frame takes beside the bytes in it
static const double save_time = 8e-3;  // the same of a checkpoint, which waits for the disk several times
static const double save_rate = 2e8;   // bytes of a checkpoint in a second
enum { LEAST_SWEEPS = 10 };

// ---------------------------------------------------------------- disk

static double bytes_of(frame_rows rows)
{
	static const double size[] = {[FRAME_REAL] = 8, [FRAME_LONG] = 8, [FRAME_INT] = 4, [FRAME_BYTE] = 1};
	double sum = 0;
	frame_layout layout;
	frame_layout_make(&layout);
	for (int i = 0; i < layout.count; i++)
		sum += layout.at[i].rows == rows ? size[layout.at[i].type]*layout.at[i].width : 0;
	return sum;
}

static double log_columns(void)
{
	observable_list list = observables_in(OBSERVABLE_LOG, 0);
	double sum = 0;
	for (int i = 0; i < list.count; i++)
		sum += (double)observable_count(list.at[i]);
	return sum;
}

static double times_due(const estimate *e, double time, double every)
{
	return every > 0 ? fmin(floor(time/every), e->steps) : 0;
}

// Numbers in the log and in the checkpoint are about so long; the latter is one file, written over and over.
static void measure_files(const scene *s, double grains, double time, estimate *e)
{
	static const double wall_columns = 3*WALL_OBSERVABLES, number = 14, grain_state = 250, contact_state = 150, rest = 3e4;
	static const double frame_itself = 5e3, compressed = 0.6; // headers in run.h5 and lines in run.xdmf; what is left of the rest
	double listed = s->output.contacts ? e->contacts : 0;
	double one = grains*bytes_of(ROWS_GRAIN) + listed*bytes_of(ROWS_CONTACT) + s->walls*bytes_of(ROWS_WALL);
	e->written = 2 + times_due(e, time, s->output.frames);
	e->frames = e->written*(frame_itself + (s->output.compress ? compressed : 1)*one);
	e->log = (2 + times_due(e, time, s->output.log))*(log_columns() + wall_columns*s->walls)*number;
	e->saved = 2 + times_due(e, time, s->output.checkpoint);
	e->checkpoint = rest + grains*grain_state + e->contacts*contact_state;
}

// ---------------------------------------------------------------- time

static double guess_sweeps(const scene *s, const advice_facts *f)
{
	if (!f->capped || f->grains == 0)
		return f->iterations;
	double across = observe_sweeps(&s->world.solver, f->extent/f->mean_diameter);
	return fmin(fmax(across, LEAST_SWEEPS), f->iterations);
}

estimate estimate_make(const scene *s, const advice_facts *f)
{
	estimate e = {.endless = !s->until_time,
		.steps = s->until_time ? fmax(0, ceil(s->end_time/s->world.step - 0.5)) : some_steps,
		.contacts = f->grains*f->dimension, .sweeps = guess_sweeps(s, f)};
	measure_files(s, f->grains, s->until_time ? s->end_time : some_steps*s->world.step, &e);
	return e;
}

// Grains that touch, on a floor.
static talus_world *trial_world(int dimension)
{
	int side = dimension == 2 ? 32 : 10;
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver = (talus_solver_def){.kind = TALUS_SOLVER_ACCELERATED, .relaxation = 1, .iterations = 20};
	talus_world *world = world_create(&def);
	world_add_material(world, "trial", 1);
	world_set_pair(world, &(talus_pair){.friction = 0.5});
	talus_wall_def ground = talus_wall_def_default(TALUS_WALL_PLANE);
	ground.axis = mul(-1, def.gravity);
	world_add_wall(world, &ground);
	talus_grain_def grain = talus_grain_def_default();
	grain.radius = 0.5;
	for (int i = 0; i < (dimension == 2 ? side*side : side*side*side); i++) {
		grain.at = vec(i%side + 0.5, i/side%side + 0.5, dimension == 2 ? 0 : i/(side*side) + 0.5);
		world_add_grain(world, &grain);
	}
	return world;
}

estimate_cost estimate_measure(int dimension)
{
	talus_world *world = trial_world(dimension);
	world_step(world); // memory is there from now on
	double before = world->report.seconds_solver, start = clock_now(), took = 0, steps = 0;
	uint64_t updates = world->report.updates_all;
	do {
		world_step(world);
		took = clock_now() - start;
		steps += 1;
	} while (took < trial);
	double solver = world->report.seconds_solver - before;
	estimate_cost cost = {.update = solver/(double)(world->report.updates_all - updates),
		.grain = fmax(0, took - solver)/(steps*(double)world->state.bodies.count)};
	world_destroy(world);
	return cost;
}

double estimate_seconds(const estimate *e, const advice_facts *f, estimate_cost cost)
{
	double step = e->contacts*e->sweeps*cost.update + f->grains*cost.grain;
	return step*e->steps + e->written*frame_time + e->saved*(save_time + e->checkpoint/save_rate);
}
