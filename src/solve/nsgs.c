// SPDX-License-Identifier: MIT
// Nonlinear Gauss-Seidel: visit the contacts one by one, give each the impulse that its law asks for with all others
// held, and let the next one see the result. Errors spread by diffusion, so a system of L grains across needs about
// L^2 sweeps (Unger & Kertesz 2003).
//
// Rules to stop: a fixed number; local, |dp| <= tolerance |p| + cutoff dt at every contact; global, the mean |p|
// changes by less than the tolerance for several sweeps in a row (once could be cancellation); residual, the natural
// map, looked at every few sweeps.
#include "solve/solve.h"

#include "base/memory.h"
#include "law/coulomb.h"
#include "law/law.h"

#include <string.h>

enum { GLOBAL_PATIENCE = 3, RESIDUAL_EVERY = 10, AHEAD = 6 };

typedef struct tally { // what a stopping rule wants to know about a sweep
	double worst; // largest |dp| - tolerance |p|
	double sum;   // of |p|
} tally;

static inline void count(tally *t, vec3 p, vec3 dp, double tolerance)
{
	double size = norm(p);
	t->worst = fmax(t->worst, norm(dp) - tolerance*size);
	t->sum += size;
}

// The sweep that matters: plain contacts only. `counted` is a constant where this is inlined.
static inline void sweep_plain(talus_problem *problem, const uint32_t *order, size_t n, bool counted, tally *t,
                               double tolerance)
{
	talus_contact *contact = problem->contact;
	talus_motion *motion = problem->motion;
	for (size_t i = 0; i < n; i++) {
		talus_contact *c = &contact[order[i]];
		talus_motion *a = &motion[c->a], *b = &motion[c->b];
		__builtin_prefetch(&contact[order[i + 2*AHEAD]]);
		__builtin_prefetch(&motion[contact[order[i + AHEAD]].a]);
		__builtin_prefetch(&motion[contact[order[i + AHEAD]].b]);
		vec3 dp = coulomb_change(c, coulomb_velocity(c, a, b));
		coulomb_apply(c, a, b, dp);
		c->p = add(c->p, dp);
		if (counted)
			count(t, c->p, dp, tolerance);
	}
}

// The same with contacts of both kinds.
static void sweep_mixed(talus_problem *problem, const uint32_t *order, size_t n, tally *t, double tolerance)
{
	for (size_t i = 0; i < n; i++) {
		talus_contact *c = &problem->contact[order[i]];
		vec3 dp = problem_change(problem, order[i]);
		problem_give(problem, order[i], dp);
		c->p = add(c->p, dp);
		count(t, c->p, dp, tolerance);
	}
}

// Jacobi: all new impulses from the same velocities, then a share of each change.
static void sweep_parallel(talus_problem *problem, vec3 *delta, double share, tally *t, double tolerance)
{
	for (size_t i = 0; i < problem->contacts; i++)
		delta[i] = mul(share, problem_change(problem, i));
	for (size_t i = 0; i < problem->contacts; i++) {
		problem_give(problem, i, delta[i]);
		problem->contact[i].p = add(problem->contact[i].p, delta[i]);
		count(t, problem->contact[i].p, delta[i], tolerance);
	}
}

// Independent draws visit only some of the contacts, but the mean is that of all.
static double sum_of_all(const talus_problem *problem)
{
	double sum = 0;
	for (size_t i = 0; i < problem->contacts; i++)
		sum += norm(problem->contact[i].p);
	return sum;
}

static tally sweep(talus_problem *problem, const talus_solver_def *def, const scratch *s)
{
	tally t = {-INFINITY, 0};
	size_t n = problem->contacts;
	if (def->order == TALUS_ORDER_PARALLEL)
		sweep_parallel(problem, s->delta, def->relaxation, &t, def->tolerance);
	else if (problem->plain < n)
		sweep_mixed(problem, s->order, n, &t, def->tolerance);
	else if (def->stop == TALUS_STOP_LOCAL || def->stop == TALUS_STOP_GLOBAL)
		sweep_plain(problem, s->order, n, true, &t, def->tolerance);
	else
		sweep_plain(problem, s->order, n, false, &t, 0);
	if (def->order == TALUS_ORDER_RANDOM_SEQUENTIAL && def->stop == TALUS_STOP_GLOBAL)
		t.sum = sum_of_all(problem);
	return t;
}

static void reserve(scratch *s, size_t n, talus_order order)
{
	n += 2*AHEAD; // a sweep looks ahead, beyond the end too
	if (n > s->order_capacity) {
		s->order_capacity = memory_capacity(s->order_capacity, n);
		s->order = memory_grow(s->order, 0, s->order_capacity*sizeof *s->order);
	}
	if (order == TALUS_ORDER_PARALLEL && n > s->delta_capacity) {
		s->delta_capacity = memory_capacity(s->delta_capacity, n);
		s->delta = memory_grow(s->delta, 0, s->delta_capacity*sizeof *s->delta);
	}
}

typedef struct watch { // the state of a stopping rule between sweeps
	double last_sum;
	int calm;
} watch;

static bool enough(watch *w, const talus_problem *problem, const talus_solver_def *def, double dt, tally t, int sweeps)
{
	switch (def->stop) {
	case TALUS_STOP_ITERATIONS:
		return sweeps >= def->iterations;
	case TALUS_STOP_LOCAL:
		return isfinite(t.sum) && t.worst <= def->cutoff*dt;
	case TALUS_STOP_GLOBAL:
		w->calm = sweeps > 1 && fabs(t.sum - w->last_sum) <= def->tolerance*t.sum ? w->calm + 1 : 0;
		w->last_sum = t.sum;
		return w->calm >= GLOBAL_PATIENCE;
	case TALUS_STOP_RESIDUAL:
		return sweeps%RESIDUAL_EVERY == 0 && problem_residual(problem) <= def->tolerance;
	}
	return true;
}

talus_solve_report nsgs_solve(talus_problem *problem, const talus_solver_def *def, double dt, uint64_t seed, uint64_t step,
                              scratch *s)
{
	talus_solve_report report = {.converged = true};
	problem_start(problem);
	if (problem->contacts == 0)
		return report;
	reserve(s, problem->contacts, def->order);
	memset(s->order + problem->contacts, 0, 2*AHEAD*sizeof *s->order);
	int most = def->stop == TALUS_STOP_ITERATIONS ? def->iterations : def->max_iterations;
	watch w = {0, 0};
	report.converged = false;
	bool redraw = def->order == TALUS_ORDER_RANDOM || def->order == TALUS_ORDER_RANDOM_SEQUENTIAL;
	while (!report.converged && report.iterations < most) {
		if (redraw || report.iterations == 0)
			order_fill(s->order, problem->contacts, def->order, seed, step, (uint64_t)report.iterations);
		tally t = sweep(problem, def, s);
		report.iterations++;
		report.converged = enough(&w, problem, def, dt, t, report.iterations);
	}
	report.converged |= def->stop == TALUS_STOP_ITERATIONS;
	for (size_t i = 0; i < problem->contacts - problem->plain; i++)
		report.paradoxes += problem->general[i].paradox;
	report.residual = problem_residual(problem);
	return report;
}
