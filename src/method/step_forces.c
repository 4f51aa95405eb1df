// SPDX-License-Identifier: MIT
// The middle of a step: its contacts and their impulses.
#include "world.h"

#include "base/clock.h"
#include "state/cell_drive.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "observe/observe.h"
#include "solve/solve.h"
#include "state/wall.h"

#include <string.h>

// ---------------------------------------------------------------- the problem

enum { MASS, MOMENTUM, MOTION = MOMENTUM + 3, KICKS, DRIVEN, SPEEDS };

static void add_speeds(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	for (size_t i = first; i < last; i++) {
		vec3 kick = sub(world->approach.motion[i].v, b->v[i]);
		double m = b->free[i] ? b->mass[i] : 0;
		part->term[MASS][i - first] = m;
		for (int k = 0; k < 3; k++)
			part->term[MOMENTUM + k][i - first] = m*component(b->v[i], k);
		part->term[MOTION][i - first] = m*dot(b->v[i], b->v[i]);
		part->term[KICKS][i - first] = m*dot(kick, kick);
		if (b->free[i])
			continue;
		double driven = dot(b->v[i], b->v[i]);
		part->term[DRIVEN][i - first] = driven;
		part->count[0] += driven > 0;
	}
}

// The speed of what nothing stops, beside the mean velocity of all that is free; of walls, if grains push them.
static double driven_speed(const talus_world *world, const totals *all, vec3 drift)
{
	double most = all->count[0] ? sqrt(all->sum[DRIVEN]/(double)all->count[0]) : 0;
	for (int w = 0; w < world->state.walls.count; w++) {
		const wall *at = &world->state.walls.at[w];
		bool moves = !wall_is_piston(at) && (dot(at->v, at->v) > 0 || wall_spins(at)) && dot(at->force, at->force) > 0;
		double turning = wall_spins(at) ? fabs(at->w)*at->def.radius : 0;
		most = moves ? fmax(most, norm(sub(at->v, drift)) + turning) : most;
	}
	return most;
}

// Over how many steps loads are to be right in the mean. What is missing in a step is made up for in the next; where grains flow it is a small
// part of their motion. Near rest it would be all of it, and a bed would never come to rest: the window shrinks with the motion, measured by what a
// step gives to free grains, or, where nothing pulls at them, by what contacts give. Where something is driven it never comes to rest, and what is
// missing may be a larger part.
static const double least_window = 1e-4, by_driven = 6;

static double window(const talus_world *world)
{
	totals all = totals_of(world->state.team, world->state.bodies.count, world->state.any_held ? SPEEDS : DRIVEN, add_speeds, (void *)world);
	const double *sum = all.sum;
	if (!(sum[MASS] > 0) || world->memory.load == 0) // nothing was there before, nothing is known
		return TALUS_WINDOW;
	vec3 drift = mul(1/sum[MASS], vec(sum[MOMENTUM], sum[MOMENTUM + 1], sum[MOMENTUM + 2]));
	double motion = sqrt(fmax(0, sum[MOTION]/sum[MASS] - dot(drift, drift))), kick = sqrt(sum[KICKS]/sum[MASS]);
	double mean_mass = sum[MASS]/(double)world->state.bodies.count;
	if (kick > 0)
		return fmax(least_window, fmin(TALUS_WINDOW, (motion + by_driven*driven_speed(world, &all, drift))/kick));
	kick = world->memory.load/mean_mass;
	return kick > 0 ? fmin(TALUS_WINDOW, 1 + motion/kick) : TALUS_WINDOW;
}

static talus_problem contacts_and_motion(talus_world *world)
{
	contacts *c = &world->contacts;
	return (talus_problem){.flat = world->state.def.dimension == 2,
	                       .contacts = c->count, .plain = c->plain, .round = c->round,
	                       .contact = c->contact, .rich = c->rich, .general = c->general,
	                       .flow = world->state.flows ? &world->flow : NULL,
	                       .bodies = world->state.bodies.count + (size_t)world->state.walls.count + c->wall_lines,
	                       .motion = world->approach.motion, .pistons = world->scratch.pistons, .piston = world->scratch.piston,
	                       .dt = world->state.def.step, .memory = world->memory};
}

static talus_coarse coarse(talus_world *world)
{
	scratch *s = &world->scratch;
	s->coarse = memory_room(s->coarse, &s->coarse_capacity, world->state.bodies.count, sizeof *s->coarse);
	return boxes_coarse(&world->state, world->contacts.count, s->coarse);
}

talus_problem world_problem(talus_world *world)
{
	talus_problem problem = contacts_and_motion(world);
	const list_blocks *cut = &world->list.blocks;
	if (cut->count && world->list.followed) {
		problem.blocks = (talus_blocks){.count = cut->count, .first = world->contacts.first, .name = cut->name};
		memcpy(problem.blocks.colour, cut->colour, sizeof cut->colour);
	}
	if (world->state.def.solver.stop == TALUS_STOP_ERROR)
		problem.window = window(world);
	if (world->state.def.solver.stop == TALUS_STOP_ERROR || world->state.def.solver.kind != TALUS_SOLVER_NSGS)
		problem.coarse = coarse(world);
	else
		problem.coarse.diameter = 2*world->state.mean_radius;
	return problem;
}

void world_find_residual(talus_world *world)
{
	if (!world->residual_due)
		return;
	talus_problem problem = contacts_and_motion(world);
	world->report.residual = problem_residual(&problem, world->state.team);
	world->residual_due = false;
}

// ---------------------------------------------------------------- solving it

// Rules that have nothing to do with it leave it to who asks.
static bool needs_residual(const talus_solver_def *solver)
{
	return solver->stop != TALUS_STOP_ITERATIONS && solver->stop != TALUS_STOP_ERROR;
}

static talus_solve_report solve(talus_world *world, const talus_solver_def *solver)
{
	double start = clock_now();
	if (world->state.flows)
		cell_drive_prepare(&world->state, &world->flow);
	talus_problem problem = world_problem(world);
	bool alone = !world->list.long_enough && solver->order == TALUS_ORDER_SHUFFLED; // threads would meet too often
	world->scratch.solver_workspace->team = alone ? NULL : world->state.team;
	world->scratch.solver_workspace->brief = !needs_residual(solver);
	talus_solve_report solved = nsgs_solve(&problem, solver, world->state.def.step, world->state.def.seed, world->state.step,
	                                       world->scratch.solver_workspace);
	talus_step_report *report = &world->report;
	report->iterations = solved.iterations;
	report->iterations_all += (uint64_t)solved.iterations;
	report->updates_all += (uint64_t)solved.iterations*problem.contacts;
	report->residual = solved.residual;
	world->residual_due = world->scratch.solver_workspace->brief;
	world->scratch.solver_workspace->brief = false;
	report->error_overlap = solved.error.overlap;
	report->error_local = solved.error.local;
	report->error_global = solved.error.global;
	report->error_forces = solved.force_error;
	report->paradox_all += solved.paradoxes;
	report->seconds_solver += clock_now() - start;
	return solved;
}

// In a cell that follows a stress all collisions hang together through its rates. What a rule leaves undone there may look like energy
// that bounces have made, so they are not judged before it is done.
static talus_solver_def patient(const talus_solver_def *solver)
{
	talus_solver_def more = *solver;
	if (more.stop == TALUS_STOP_ITERATIONS)
		more.iterations = 10*more.iterations;
	else
		more.tolerance = 1e-6*more.tolerance;
	return more;
}

// The same; where bounces have made energy, again with lower ones.
static talus_solve_report solve_softly(talus_world *world, size_t *softened)
{
	talus_solver_def solver = world->state.def.solver;
	talus_solve_report solved = solve(world, &solver);
	*softened = 0;
	if (!world->state.any_bounce)
		return solved;
	if (world->state.flows && impact_soften(world, 0)) {
		solver = patient(&solver);
		contact_dynamics_restart(world);
		solved = solve(world, &solver);
	}
	*softened = impact_soften(world, 1);
	for (size_t more = *softened, round = 2; more > 0; round++) {
		contact_dynamics_restart(world);
		solved = solve(world, &solver);
		more = impact_soften(world, (int)round);
	}
	return solved;
}

// A single impact must not count for more than it was: the mean at most doubles in a step.
static void remember_solve(talus_world *world, const talus_solve_report *solved)
{
	talus_solve_memory *m = &world->memory;
	double load = fmin(solved->load, TALUS_WINDOW*m->load);
	m->load = m->load > 0 ? m->load + (load - m->load)/TALUS_WINDOW : solved->load;
	m->sweeps = solved->at_once ? 0.5*solved->iterations : solved->iterations;
	m->softness = solved->softness;
	m->unsure = solved->unsure;
	m->believed = solved->believed;
}

static double error_left(const talus_world *world, const talus_solve_report *solved)
{
	switch (world->state.def.solver.stop) {
	case TALUS_STOP_ERROR: return error_of(&solved->error);
	case TALUS_STOP_FORCES: return solved->force_error;
	default: return solved->residual;
	}
}

static void note_worst(double error, uint64_t step, double *worst, uint64_t *worst_step)
{
	if (error <= *worst)
		return;
	*worst = error;
	*worst_step = step;
}

// How the sweeps of a step have ended, once a step.
static void note_end(talus_world *world, const talus_solve_report *solved)
{
	talus_step_report *r = &world->report;
	double left = error_left(world, solved);
	if (solved->floor) {
		r->floor_all++;
		note_worst(left, world->state.step + 1, &r->floor_worst, &r->floor_step);
	} else if (!solved->converged) {
		r->capped_all++;
		note_worst(left, world->state.step + 1, &r->capped_worst, &r->capped_step);
	}
}

// Find the contacts and their impulses. A second round is for what the first one did not foresee: a body that was
// kicked so hard within the step that it meets another one, listed or not.
void world_find_and_solve(talus_world *world)
{
	enum { ROUNDS = 16 };
	size_t seen = 0;
	world->report.late = 0;
	for (int round = 1;; round++) {
		narrow_find(&world->state, &world->approach, &world->list, &world->contacts, contact_dynamics_plain_laws, world);
		seen = round == 1 ? world->contacts.count : seen;
		contact_dynamics_laws(world);
		size_t softened;
		talus_solve_report solved = solve_softly(world, &softened);
		bool overrun = grid_overrun(&world->state, &world->approach);
		size_t late = overrun ? 0 : narrow_late(&world->state, &world->approach, &world->list);
		bool settled = !overrun && late == 0;
		if (settled || round == ROUNDS) {
			note_end(world, &solved);
			world->report.softened_all += softened;
			world->report.unfinished_all += !settled;
			world->report.late = world->contacts.count > seen ? world->contacts.count - seen : 0;
			remember_solve(world, &solved);
			return;
		}
		narrow_kick(&world->state, &world->approach);
		if (overrun) {
			grid_build(&world->state, &world->approach, &world->list); // the skin now fits the velocities just found
			narrow_begin(&world->state, &world->list);
		}
		contact_dynamics_predict(world);
	}
}
