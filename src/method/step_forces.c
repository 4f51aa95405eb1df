// SPDX-License-Identifier: MIT
// The middle of a step: its contacts and their impulses.
#include "method/contact_dynamics.h"

#include "base/clock.h"
#include "state/cell_drive.h"
#include "collide/collide.h"
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
	if (!(sum[MASS] > 0) || contact_dynamics_of(world)->memory.load == 0) // nothing was there before, nothing is known
		return TALUS_WINDOW;
	vec3 drift = mul(1/sum[MASS], vec(sum[MOMENTUM], sum[MOMENTUM + 1], sum[MOMENTUM + 2]));
	double motion = sqrt(fmax(0, sum[MOTION]/sum[MASS] - dot(drift, drift))), kick = sqrt(sum[KICKS]/sum[MASS]);
	double mean_mass = sum[MASS]/(double)world->state.bodies.count;
	if (kick > 0)
		return fmax(least_window, fmin(TALUS_WINDOW, (motion + by_driven*driven_speed(world, &all, drift))/kick));
	kick = contact_dynamics_of(world)->memory.load/mean_mass;
	return kick > 0 ? fmin(TALUS_WINDOW, 1 + motion/kick) : TALUS_WINDOW;
}

static talus_problem contacts_and_motion(talus_world *world)
{
	contacts *c = &world->contacts;
	return (talus_problem){.flat = world->state.def.dimension == 2,
	                       .contacts = c->count, .class_end = {c->class_end[TALUS_COULOMB], c->class_end[TALUS_EXTENDED]},
	                       .contact = c->contact, .row = contact_dynamics_of(world)->rows.row, .p = c->p, .extended = contact_dynamics_of(world)->rows.extended, .q = c->q,
	                       .full_mass = contact_dynamics_of(world)->rows.full_mass,
	                       .flow = world->state.cell_deforms ? &contact_dynamics_of(world)->flow : NULL,
	                       .bodies = world->state.bodies.count + (size_t)world->state.walls.count + c->wall_lines,
	                       .motion = world->approach.motion, .pistons = contact_dynamics_of(world)->pistons, .piston = contact_dynamics_of(world)->piston,
	                       .dt = world->state.def.step, .memory = contact_dynamics_of(world)->memory};
}

static talus_error_cells coarse(talus_world *world)
{
	contact_dynamics *s = contact_dynamics_of(world);
	s->coarse = memory_room(s->coarse, &s->coarse_capacity, world->state.bodies.count, sizeof *s->coarse);
	return error_cells_make(&world->state, world->contacts.count, s->coarse);
}

static void list_pistons(const world_state *state, contact_dynamics *s)
{
	s->piston = memory_room(s->piston, &s->piston_capacity, (size_t)state->walls.count, sizeof *s->piston);
	s->pistons = 0;
	for (int w = 0; w < state->walls.count; w++) {
		uint32_t line = (uint32_t)state->bodies.count + (uint32_t)w;
		if (wall_is_piston(&state->walls.at[w]))
			s->piston[s->pistons++] = (talus_piston){line, state_inverse_mass(state, line)};
	}
}

talus_problem contact_dynamics_problem(talus_world *world)
{
	list_pistons(&world->state, contact_dynamics_of(world));
	talus_problem problem = contacts_and_motion(world);
	const list_blocks *cut = &world->list.blocks;
	if (cut->count && world->list.followed) {
		problem.blocks = (talus_blocks){.count = cut->count, .first = world->contacts.first, .name = cut->name};
		memcpy(problem.blocks.colour, cut->colour, sizeof cut->colour);
	}
	if (world->state.def.solver.stop == TALUS_STOP_ERROR)
		problem.window = window(world);
	if (world->state.def.solver.stop == TALUS_STOP_ERROR || world->state.def.solver.kind != TALUS_SOLVER_NSGS)
		problem.error_cells = coarse(world);
	else
		problem.error_cells.diameter = 2*world->state.mean_radius;
	return problem;
}

void contact_dynamics_find_residual(talus_world *world)
{
	if (!contact_dynamics_of(world)->residual_due)
		return;
	talus_problem problem = contacts_and_motion(world);
	world->report.residual = problem_residual(&problem, world->state.team);
	contact_dynamics_of(world)->residual_due = false;
}

void contact_dynamics_ask(talus_world *world)
{
	contact_dynamics_of(world)->wanted = true;
}

// Of the last solve of a step, where there are several.
static void keep_problem(talus_world *world, const talus_problem *problem)
{
	contact_dynamics *own = contact_dynamics_of(world);
	own->kept = own->wanted && problem->contacts > 0;
	if (!own->kept)
		return;
	own->free = memory_room(own->free, &own->free_capacity, problem->bodies, sizeof *own->free);
	memcpy(own->free, problem->motion, problem->bodies*sizeof *own->free);
}

bool contact_dynamics_asked(const talus_world *world, talus_problem *problem)
{
	const contact_dynamics *own = contact_dynamics_of(world);
	*problem = contacts_and_motion((talus_world *)(uintptr_t)world);
	problem->motion = own->free;
	return own->kept;
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
	if (world->state.cell_deforms)
		cell_drive_prepare(&world->state, &contact_dynamics_of(world)->flow);
	talus_problem problem = contact_dynamics_problem(world);
	bool alone = !world->list.long_enough && solver->order == TALUS_ORDER_SHUFFLED; // threads would meet too often
	contact_dynamics_of(world)->solver_workspace->team = alone ? NULL : world->state.team;
	contact_dynamics_of(world)->solver_workspace->brief = !needs_residual(solver);
	keep_problem(world, &problem);
	talus_solve_report solved = nsgs_solve(&problem, solver, world->state.def.step, world->state.def.seed, world->state.step,
	                                       contact_dynamics_of(world)->solver_workspace);
	talus_step_report *report = &world->report;
	report->iterations = solved.iterations;
	report->iterations_all += (uint64_t)solved.iterations;
	report->updates_all += (uint64_t)solved.iterations*problem.contacts;
	report->residual = solved.residual;
	contact_dynamics_of(world)->residual_due = contact_dynamics_of(world)->solver_workspace->brief;
	contact_dynamics_of(world)->solver_workspace->brief = false;
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

// As before the solve, but with the impulses found as a first guess.
static void restart(talus_world *world, const law_stage *stage)
{
	contact_dynamics_predict(&world->state, &world->approach);
	contact_dynamics_thaw(stage);
}

// The same; where bounces have made energy, again with lower ones.
static talus_solve_report solve_softly(talus_world *world, const law_stage *stage, size_t *softened)
{
	talus_solver_def solver = world->state.def.solver;
	talus_solve_report solved = solve(world, &solver);
	*softened = 0;
	if (!world->state.any_bounce)
		return solved;
	if (world->state.cell_deforms && impact_soften(stage, 0)) {
		solver = patient(&solver);
		restart(world, stage);
		solved = solve(world, &solver);
	}
	*softened = impact_soften(stage, 1);
	for (size_t more = *softened, round = 2; more > 0; round++) {
		restart(world, stage);
		solved = solve(world, &solver);
		more = impact_soften(stage, (int)round);
	}
	return solved;
}

// A single impact must not count for more than it was: the mean at most doubles in a step.
static void remember_solve(talus_world *world, const talus_solve_report *solved)
{
	talus_solve_memory *m = &contact_dynamics_of(world)->memory;
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
	if (solved->stagnated) {
		r->stagnated_steps++;
		note_worst(left, world->state.step + 1, &r->stagnated_worst, &r->stagnated_step);
	} else if (!solved->converged) {
		r->capped_all++;
		note_worst(left, world->state.step + 1, &r->capped_worst, &r->capped_step);
	}
}

// Find the contacts and their impulses. A second round is for what the first one did not foresee: a body that was
// kicked so hard within the step that it meets another one, listed or not.
void contact_dynamics_find_and_solve(talus_world *world)
{
	enum { ROUNDS = 16 };
	law_stage stage = contact_dynamics_law_stage(world);
	const narrow_listener rows = {&stage, contact_dynamics_counted, contact_dynamics_plain_laws};
	size_t seen = 0;
	world->report.missed_contacts = 0;
	for (int round = 1;; round++) {
		narrow_find(&world->state, &world->approach, &world->list, &world->contacts, &rows);
		seen = round == 1 ? world->contacts.count : seen;
		contact_dynamics_laws(&stage);
		size_t softened;
		talus_solve_report solved = solve_softly(world, &stage, &softened);
		bool overrun = grid_overrun(&world->state, &world->approach);
		size_t late = overrun ? 0 : narrow_late(&world->state, &world->approach, &world->list);
		bool settled = !overrun && late == 0;
		if (settled || round == ROUNDS) {
			note_end(world, &solved);
			world->report.bounces_reduced += softened;
			world->report.unfinished_all += !settled;
			world->report.missed_contacts = world->contacts.count > seen ? world->contacts.count - seen : 0;
			remember_solve(world, &solved);
			return;
		}
		narrow_kick(&world->state, &world->approach);
		if (overrun) {
			grid_build(&world->state, &world->approach, &world->list); // the skin now fits the velocities just found
			narrow_begin(&world->state, &world->list);
		}
		contact_dynamics_predict(&world->state, &world->approach);
	}
}
