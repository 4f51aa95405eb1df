// SPDX-License-Identifier: MIT
// Nonlinear Gauss-Seidel: visit the contacts one by one, give each the impulse that its law asks for with all others
// held, and let the next one see the result. Errors spread by diffusion, so a system of L grains across needs about
// L^2 sweeps (Unger & Kertesz 2003).
//
// Rules to stop: a fixed number; local, |dp| <= tolerance |p| + cutoff dt at every contact, where a cutoff that nobody gave is a
// share of the mean |p| of those that push, before the sweep; global, the mean |p| changes by less than the tolerance for
// several sweeps in a row (once could be cancellation); residual, the natural map, looked at every few sweeps; error (error.c); forces, the
// residual over how soft the problem is (doubling.c).
#include "solve/piston.h"
#include "solve/solving.h"

#include "base/memory.h"
#include "base/random.h"

#include <string.h>

// A shuffled order is drawn again after so many sweeps: making it costs about as much as three of them.
enum { GLOBAL_PATIENCE = 3, RESIDUAL_EVERY = 10, SHUFFLE_EVERY = 50, ALONE = 1024, FREEZE_AFTER = 50,
       GIVE_AGAIN = 100, TURN_EVERY = 20, SCALE_FIRST = 64, SCALE_LEAST = 8 };
static const double remnant = 1e-30;    // of the largest impulse
static const double look_first = 0.8;   // of the sweeps that the step before has taken
static const double small_force = 1e-9; // over the mean one: changes that do not matter, unless a cutoff says which do not

// ---------------------------------------------------------------- sums over impulses

static void contact_sizes(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		double size = norm(problem->p[i]);
		part->term[0][i - first] = size;
		part->count[0] += size > 0;
	}
}

static totals all_sizes(solving *s)
{
	if (s->def->order == TALUS_ORDER_SHUFFLED)
		schedule_unload(s->ws->plan, &s->problem, s->ws->team);
	return totals_of(s->ws->team, s->problem.contacts, 1, contact_sizes, &s->problem);
}

// Of the contacts that push or pull.
static double mean_size(solving *s)
{
	totals all = all_sizes(s);
	return all.count[0] ? all.sum[0]/(double)all.count[0] : 0;
}

// ---------------------------------------------------------------- sweeps

// With a share of each change only, an impulse that is to vanish is halved for ever. It is gone when nobody feels it, long before
// numbers that small have lost their bits.
static void drop_remnant(talus_problem *problem, size_t i, double most, impulse *delta)
{
	vec3 p = problem->p[i], next = add(p, delta->p);
	if (dot(p, p) > remnant*remnant*most || dot(next, next) >= dot(p, p))
		return;
	delta->p = mul(-1, p);
	if (contact_classes[class_of(problem, i)]->has_torque)
		delta->q = mul(-1, *class_torque(problem, i));
}

// Jacobi: all new impulses from the same velocities, then a share of each change.
static bool sweep_parallel(solving *s)
{
	talus_problem *problem = &s->problem;
	impulse *delta = s->ws->delta;
	bool quiet = true;
	double most = 0;
	for (size_t i = 0; i < problem->contacts; i++) {
		most = fmax(most, dot(problem->p[i], problem->p[i]));
		delta[i] = problem_change(problem, i);
		delta[i].p = mul(s->def->relaxation, delta[i].p);
		delta[i].q = mul(s->def->relaxation, delta[i].q);
	}
	pistons_foresee(&s->ws->solver_bodies, problem, s->def->relaxation, delta);
	for (size_t i = 0; i < problem->contacts; i++) {
		drop_remnant(problem, i, most, &delta[i]);
		quiet &= problem_take(problem, i, delta[i], &s->rule);
	}
	if (problem->flow)
		flow_start(problem, s->ws->team); // the sums again
	return quiet;
}

static void make_plan(void *job, int thread)
{
	const solving *s = job;
	uint64_t sweep = s->ws->plan_first + (uint64_t)thread;
	schedule_rows(&s->ws->plan[thread], &s->problem, &s->ws->solver_bodies, s->def->order, s->seed, s->step, sweep);
}

// Where every sweep has an order of its own, as many orders as there are threads are made at a time.
static const schedule *plan_for(solving *s, int sweep)
{
	solver_workspace *ws = s->ws;
	int threads = parallel_threads(ws->team);
	switch (s->def->order) {
	case TALUS_ORDER_SHUFFLED:
		if (sweep > 0 && sweep%SHUFFLE_EVERY == 0) {
			schedule_unload(ws->plan, &s->problem, ws->team);
			schedule_batches(ws->plan, &s->problem, &ws->solver_bodies,
			                 random_stream(s->seed, RANDOM_ORDER, s->step, (uint64_t)sweep), ws->team);
		}
		schedule_shuffle_levels(ws->plan, random_stream(s->seed, RANDOM_TURN, s->step, (uint64_t)sweep));
		return ws->plan;
	case TALUS_ORDER_SEQUENTIAL:
		if (sweep == 0)
			schedule_rows(ws->plan, &s->problem, &ws->solver_bodies, s->def->order, s->seed, s->step, 0);
		return ws->plan;
	default:
		ws->plan_first = (uint64_t)(sweep - sweep%threads);
		if (sweep%threads == 0)
			parallel_run(ws->team, make_plan, s);
		return &ws->plan[sweep%threads];
	}
}

// Where hardly a contact has a first guess, a packing finds out which of its many solutions it takes. One that is found in one and the same order
// of visits leans towards those that this order likes: so the levels change places now and then. With a guess there is little left to choose.
static void count_guesses(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++)
		part->count[0] += dot(problem->p[i], problem->p[i]) > 0;
}

static bool is_cold(talus_problem *problem, parallel *team)
{
	return 2*totals_of(team, problem->contacts, 0, count_guesses, problem).count[0] < problem->contacts;
}

static void sweep_accelerated(solving *s, int number)
{
	double work[WORKS];
	if (s->cold && number > 0 && number%TURN_EVERY == 0)
		schedule_shuffle_levels(s->ws->plan, random_stream(s->seed, RANDOM_TURN, s->step, (uint64_t)number));
	momentum_carry(s->ws, &s->problem);
	pistons_spread(&s->ws->solver_bodies);
	accelerated_sweep(s->ws, s->ws->plan, &s->problem, work);
	momentum_judge(s->ws->momentum, work);
}

static bool sweep(solving *s, int number)
{
	if (s->accelerated) {
		sweep_accelerated(s, number);
		return false;
	}
	if (s->def->stop == TALUS_STOP_LOCAL && s->def->cutoff < 0)
		s->rule.absolute = small_force*mean_size(s);
	if (s->def->order == TALUS_ORDER_PARALLEL)
		return sweep_parallel(s);
	const change_limit *rule = s->def->stop == TALUS_STOP_LOCAL ? &s->rule : NULL;
	return sweep_once(s->ws, plan_for(s, number), &s->problem, rule);
}

// Which friction a contact counts with is settled half-way (law/friction.c).
static void freeze_friction(solving *s)
{
	talus_problem *problem = &s->problem;
	if (s->def->order == TALUS_ORDER_SHUFFLED) {
		schedule_unload(s->ws->plan, problem, s->ws->team);
		schedule_freeze(s->ws->plan);
	}
	for (size_t i = class_first(problem, TALUS_EXTENDED); i < problem->contacts; i++) {
		talus_extended *r = class_extended_contact(problem, i);
		r->mu_stick = r->mu_slide = problem->row[i].mu;
	}
}

static double estimate_error(solving *s, int sweeps)
{
	bool batched = s->def->order == TALUS_ORDER_SHUFFLED;
	if (batched && class_count(&s->problem, TALUS_COULOMB) < s->problem.contacts)
		schedule_unload(s->ws->plan, &s->problem, s->ws->team);
	s->error = error_estimate(s->ws, batched ? s->ws->plan : NULL, &s->problem, &s->load);
	double error = error_of(&s->error);
	solving_looked(s, sweeps, error);
	return error;
}

static bool enough(solving *s, bool quiet, int sweeps)
{
	double sum;
	switch (s->def->stop) {
	case TALUS_STOP_ITERATIONS:
		return sweeps >= s->def->iterations;
	case TALUS_STOP_LOCAL:
		return quiet;
	case TALUS_STOP_GLOBAL:
		sum = all_sizes(s).sum[0];
		s->calm_sweeps = sweeps > 1 && fabs(sum - s->last_sum) <= s->def->tolerance*sum ? s->calm_sweeps + 1 : 0;
		s->last_sum = sum;
		return s->calm_sweeps >= GLOBAL_PATIENCE;
	case TALUS_STOP_RESIDUAL:
		return sweeps%RESIDUAL_EVERY == 0 && solving_residual(s) <= s->def->tolerance;
	case TALUS_STOP_ERROR:
		return solving_due(s, sweeps) && estimate_error(s, sweeps) <= s->def->tolerance;
	case TALUS_STOP_FORCES:
		return forces_enough(s, sweeps);
	}
	return true;
}

// ---------------------------------------------------------------- the solve

static void open_workspace(solver_workspace *ws, const talus_problem *problem, talus_order order)
{
	size_t contacts = problem->contacts;
	int threads = parallel_threads(ws->team);
	if (!ws->kernel)
		ws->kernel = kernel_best();
	ws->loops = problem->flat ? ws->kernel->flat : ws->kernel;
	if (threads > ws->plans) {
		size_t had = (size_t)ws->plans*sizeof *ws->plan, wanted = (size_t)threads*sizeof *ws->plan;
		ws->plan = memory_grow(ws->plan, had, wanted);
		memset(ws->plan + ws->plans, 0, wanted - had);
		ws->calm = memory_grow(ws->calm, 0, (size_t)threads*sizeof *ws->calm);
		ws->plans = threads;
	}
	if (problem->flow) // more than there can be batches
		ws->moved = memory_room(ws->moved, &ws->moved_capacity, contacts, sizeof *ws->moved);
	if (order == TALUS_ORDER_PARALLEL)
		ws->delta = memory_room(ws->delta, &ws->delta_capacity, contacts, sizeof *ws->delta);
}

// Bodies anew from the free ones and all impulses: sums of hundreds of sweeps have rounded.
static void give_again(solving *s, const talus_problem *free)
{
	solver_bodies_take(&s->ws->solver_bodies, free, s->ws->team);
	sweep_give(s->ws, s->ws->plan, &s->problem);
	pistons_exact(&s->ws->solver_bodies, s->ws->plan, &s->problem);
	if (s->problem.flow)
		flow_heat(&s->problem, s->ws->team);
}

static bool has_heavy(const solving *s)
{
	return s->def->stop == TALUS_STOP_ERROR && s->ws->judge->heavy;
}

// By which number all impulses would have to be multiplied (guess.c); in a cell that deforms they stay as they are.
static double best_factor(solving *s, const talus_problem *free, bool later)
{
	if (!s->accelerated || s->problem.flow || s->problem.dt == 0 || s->was)
		return 1;
	return guess_factor(&s->problem, free->motion, &s->ws->solver_bodies, has_heavy(s), later, s->ws->team);
}

static void scale(solving *s, const talus_problem *free, double a)
{
	guess_scale(s->ws->plan, &s->problem, a);
	give_again(s, free); // a small guess has few digits, a large factor would leave none
}

// To stop a heavy body forces may have to grow a thousandfold, all of them alike, and nothing else takes sweeps so long. So they are
// scaled again when they have found their ways, at some doublings; not more often, nor for less, as waves then begin anew.
static void scale_again(solving *s, const talus_problem *free, int sweeps)
{
	int times = sweeps/SCALE_FIRST;
	if (!s->accelerated || times == 0 || sweeps%SCALE_FIRST != 0 || (times & (times - 1)) != 0 || !has_heavy(s))
		return;
	schedule_unload(s->ws->plan, &s->problem, s->ws->team);
	pistons_exact(&s->ws->solver_bodies, NULL, &s->problem);
	double a = best_factor(s, free, true);
	if (a < SCALE_LEAST)
		return;
	scale(s, free, a);
	momentum_drop(s->ws->momentum);
}

static void start(solving *s, const talus_problem *free)
{
	solver_workspace *ws = s->ws;
	if (s->def->stop == TALUS_STOP_ERROR)
		error_begin(ws, &s->problem);
	problem_project(&s->problem, ws->team);
	s->cold = s->accelerated && is_cold(&s->problem, ws->team);
	if (s->def->order != TALUS_ORDER_SHUFFLED) {
		problem_start(&s->problem);
		pistons_exact(&ws->solver_bodies, NULL, &s->problem);
	} else {
		schedule_batches(ws->plan, &s->problem, &ws->solver_bodies, random_stream(s->seed, RANDOM_ORDER, s->step, 0),
		                 ws->team);
		sweep_give(ws, ws->plan, &s->problem);
		pistons_exact(&ws->solver_bodies, ws->plan, &s->problem);
		double a = best_factor(s, free, false);
		if (a != 1)
			scale(s, free, a);
	}
	if (s->problem.flow)
		flow_start(&s->problem, ws->team);
	if (s->accelerated)
		momentum_begin(ws, ws->plan, &s->problem);
	if (s->def->stop == TALUS_STOP_FORCES)
		doubling_begin(ws, &s->problem);
}

// With friction there is an error below which sweeps do not come; then more of them are in vain.
static bool has_stagnated(const solving *s)
{
	bool judged = s->accelerated && s->def->stop != TALUS_STOP_ITERATIONS;
	return judged && s->ws->momentum->floor && s->ws->momentum->sweeps >= s->least;
}

// What they have got to, to the last bit of momentum.
static void end_pistons(solving *s)
{
	const solver_bodies *l = &s->ws->solver_bodies;
	if (s->def->order == TALUS_ORDER_PARALLEL)
		pistons_finish(l, &s->problem);
	pistons_exact(l, s->def->order == TALUS_ORDER_SHUFFLED ? s->ws->plan : NULL, &s->problem);
}

// What else is known in the end.
static void tell(solving *s, const talus_problem *problem, talus_solve_report *report)
{
	for (size_t i = 0; i < class_count(problem, TALUS_FULL_MASS); i++)
		report->paradoxes += problem->full_mass[i].paradox;
	if (problem->flow)
		flow_exact(problem->flow, problem->flow->rate);
	report->residual = s->ws->brief ? NAN : solving_residual(s);
	report->error = s->error;
	report->load = s->load;
	report->force_error = s->force_error;
	report->softness = s->softness;
	report->unsure = s->found ? 0 : problem->memory.unsure + 1;
	report->believed = s->def->stop == TALUS_STOP_FORCES ? forces_believed(s) : 0;
	report->no_solution = s->was ? s->ws->doubling->signs : 0;
	report->at_once = report->converged && s->looks == 1;
}

static talus_solve_report solve(solving *s, talus_problem *problem)
{
	talus_solve_report report = {.converged = false};
	const talus_solver_def *def = s->def;
	start(s, problem);
	int most = def->stop == TALUS_STOP_ITERATIONS ? def->iterations : def->max_iterations;
	int half = def->stop == TALUS_STOP_ITERATIONS ? (most + 1)/2 : FREEZE_AFTER;
	while (!report.converged && report.iterations < most) {
		if (report.iterations == half && class_count(problem, TALUS_COULOMB) < problem->contacts)
			freeze_friction(s);
		bool quiet = sweep(s, report.iterations);
		if (problem->flow)
			flow_heat(&s->problem, s->ws->team);
		report.iterations++;
		report.converged = enough(s, quiet, report.iterations);
		if (!report.converged)
			scale_again(s, problem, report.iterations);
		report.stagnated = !report.converged && has_stagnated(s);
		if (report.stagnated)
			break;
	}
	report.converged |= def->stop == TALUS_STOP_ITERATIONS;
	end_pistons(s);
	if (s->accelerated && report.iterations > GIVE_AGAIN)
		give_again(s, problem);
	if (report.stagnated && def->stop == TALUS_STOP_ERROR)
		estimate_error(s, report.iterations);
	if (!report.converged && def->stop == TALUS_STOP_FORCES) {
		forces_look(s, report.iterations);
		report.converged = !s->was && s->force_error <= def->tolerance; // by all that so many sweeps could find out
		report.stagnated &= !report.converged;
	}
	tell(s, problem, &report);
	if (def->order == TALUS_ORDER_SHUFFLED)
		schedule_unload(s->ws->plan, &s->problem, s->ws->team);
	solver_bodies_return(&s->ws->solver_bodies, problem, s->ws->team);
	return report;
}

static talus_solve_report solve_in(solver_workspace *ws, talus_problem *problem, solving s)
{
	if (problem->contacts == 0) {
		if (problem->flow)
			flow_start(problem, ws->team); // nothing resists
		return (talus_solve_report){.converged = true};
	}
	parallel *team = ws->team;
	open_workspace(ws, problem, s.def->order);
	if (problem->contacts < ALONE)
		ws->team = NULL; // too little to share
	solver_bodies_take(&ws->solver_bodies, problem, ws->team);
	s.problem = *problem;
	s.problem.motion = ws->solver_bodies.motion;
	s.ws = ws;
	s.accelerated = s.def->kind != TALUS_SOLVER_NSGS;
	talus_solve_report report = solve(&s, problem);
	ws->team = team;
	return report;
}

talus_solve_report nsgs_solve(talus_problem *problem, const talus_solver_def *def, double dt, uint64_t seed, uint64_t step,
                              solver_workspace *ws)
{
	talus_solver_def mine = *def;
	if (mine.kind != TALUS_SOLVER_NSGS)
		mine.order = TALUS_ORDER_SHUFFLED; // the one that can be kept for a step, in batches
	return solve_in(ws, problem, (solving){.def = &mine, .seed = seed, .step = step,
	                                         .rule = {mine.tolerance, fmax(mine.cutoff, 0)*dt},
	                                         .next_look = (int)(look_first*problem->memory.sweeps)});
}

talus_solve_report nsgs_solve_on(talus_problem *problem, int least, int most, const vec3 *was, uint64_t seed,
                                 uint64_t step, solver_workspace *ws)
{
	talus_solver_def mine = {.kind = TALUS_SOLVER_ACCELERATED, .order = TALUS_ORDER_SHUFFLED, .stop = TALUS_STOP_FORCES,
	                         .max_iterations = most};
	return solve_in(ws, problem, (solving){.def = &mine, .seed = seed, .step = step, .was = was, .least = least});
}

void solver_workspace_free(solver_workspace *ws)
{
	for (int p = 0; p < ws->plans; p++)
		schedule_free(&ws->plan[p]);
	memory_free(ws->plan);
	memory_free(ws->calm);
	memory_free(ws->delta);
	memory_free(ws->moved);
	momentum_free(ws->momentum);
	if (ws->judge)
		judge_free(ws->judge);
	memory_free(ws->judge);
	doubling_free(ws->doubling);
	solver_bodies_free(&ws->solver_bodies);
}
