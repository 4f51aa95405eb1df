// SPDX-License-Identifier: MIT
// The rule `forces`: how wrong the impulses themselves are, as a root mean square over theirs. What the residual sees of an error depends on how soft
// the problem is (doubling.c); residual over softness is the estimate. And the end of solving on: as much of it as the way that was made needs.
#include "solve/solving.h"

#include <float.h>

enum { BELIEVED = 16, QUIET = 2, QUIET_FROM = 64, LONGEST_SEARCH = 4000 };
static const double time_to_find = 6;   // the softest mode, in sweeps with momentum that its wave would take
static const double smaller = 0.7;      // softness, of what it was
static const double forget = 0.02;      // of the softness of the steps before, in a step
static const double solved_on = 1e-9, share_of_way = 0.03, change_of_way = 0.05; // when a problem has been solved on: what is left of the
                                        // forces and of their way; or, with friction, by how much a doubling of the sweeps still makes it longer

static void add_distance(void *job, size_t first, size_t last, totals_part *part)
{
	const solving *s = job;
	for (size_t i = first; i < last; i++) {
		vec3 p = s->problem.p[i], d = sub(p, s->was[i]);
		part->term[0][i - first] = dot(d, d);
		part->term[1][i - first] = dot(p, p);
	}
}

// How far who solves on has come, over the impulses.
static double way_of(solving *s)
{
	totals all = totals_of(s->ws->team, s->problem.contacts, 2, add_distance, s);
	return sqrt(all.sum[0]/fmax(all.sum[1], DBL_MIN));
}

static void look_back(solving *s, int sweeps)
{
	bool doubled = sweeps >= doubling_next(s->ws->doubling);
	if (s->def->order == TALUS_ORDER_SHUFFLED)
		schedule_unload(s->ws->plan, &s->problem, s->ws->team);
	doubling_look(s->ws, &s->problem, sweeps);
	if (!s->was || !doubled)
		return;
	double way = way_of(s);
	s->quiet = sweeps > QUIET_FROM && fabs(way - s->way) <= change_of_way*way ? s->quiet + 1 : 0;
	s->way = way;
}

// Sweeps must have had the time to find the softest mode: plain ones take 1/softness, with momentum the root of that.
static bool have_found(const solving *s, double softest, int sweeps)
{
	if (s->ws->doubling->still)
		return true; // there is nothing left
	if (isinf(softest))
		return false; // nothing is known
	return sweeps >= LONGEST_SEARCH || (s->accelerated ? sweeps*sqrt(softest) : sweeps*softest) >= time_to_find;
}

// Steps before know it too, and are believed for a while. As packings change, they are believed a little less from step to step. Who solves on wants
// to see for himself.
static void find_softness(solving *s, int sweeps)
{
	double softest = s->ws->doubling->softest, known = s->was ? 0 : s->problem.memory.softness;
	s->found = have_found(s, softest, sweeps);
	s->sure = s->found || (known > 0 && s->problem.memory.unsure < s->problem.memory.believed);
	double forgotten = s->found ? 1 + forget*(s->problem.memory.unsure + 1) : 1;
	s->softness = known > 0 ? fmin(softest, forgotten*known) : isinf(softest) ? 1 : softest;
}

// For how many steps: twice as many each time that it was found again, one when it turned out to be smaller.
double forces_believed(const solving *s)
{
	double before = s->problem.memory.believed, known = s->problem.memory.softness;
	if (!s->found)
		return before;
	return known > 0 && s->ws->doubling->softest > smaller*known ? fmin(2*before, BELIEVED) : 1;
}

double forces_look(solving *s, int sweeps)
{
	look_back(s, sweeps);
	find_softness(s, sweeps);
	s->force_error = solving_residual(s)/s->softness;
	if (s->force_error > s->def->tolerance && problem_is_idle(&s->problem, s->ws->team))
		s->force_error = 0;
	double error = s->sure || s->force_error == 0 ? s->force_error : INFINITY;
	solving_looked(s, sweeps, error);
	return error;
}

// How wrong impulses may be in the end: as asked for, or for who solves on a share of how far they have come.
static double force_aim(solving *s)
{
	return s->was ? fmax(solved_on, share_of_way*way_of(s)) : s->def->tolerance;
}

static void largest_approach(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		double approach;
		problem_wrong(problem, i, &approach);
		part->most[0] = fmax(part->most[0], approach);
	}
}

// A few contacts that still close fast are no part of a root mean square.
static bool overlaps_stay_small(solving *s)
{
	double d = s->problem.error_cells.diameter;
	if (s->was || !(d > 0))
		return true;
	totals all = totals_of(s->ws->team, s->problem.contacts, 0, largest_approach, &s->problem);
	s->error.overlap = fmax(0, all.most[0])*s->problem.dt/d;
	return s->error.overlap <= TALUS_OVERLAP*s->def->tolerance;
}

bool forces_enough(solving *s, int sweeps)
{
	if (sweeps < s->least || !solving_due(s, sweeps)) {
		if (sweeps >= doubling_next(s->ws->doubling))
			look_back(s, sweeps);
		return sweeps >= s->least && s->quiet >= QUIET;
	}
	return (forces_look(s, sweeps) <= force_aim(s) && overlaps_stay_small(s)) || s->quiet >= QUIET;
}
