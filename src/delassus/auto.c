// SPDX-License-Identifier: MIT
// The solvers in a chain. Sweeps with momentum are cheap and find which contacts push, as far as they get on
// quickly; Newton's method does the rest. If it gives up, more sweeps bring it to another place to start
// from.
#include "delassus/work.h"

#include <math.h>

enum { ROUNDS = 8, SWEEPS = 500 };

// What is left of the wish after a part of the work, false if nothing is. The sum goes to `done`.
static bool remains(const delassus_options *wish, const delassus_report *part, delassus_report *done, delassus_options *rest)
{
	uint64_t iterations = done->iterations + part->iterations;
	double seconds = done->seconds + part->seconds;
	bool ran_away = done->ran_away || part->ran_away;
	*done = *part;
	done->ran_away = ran_away;
	done->iterations = iterations;
	done->seconds = seconds;
	*rest = *wish;
	rest->seconds = wish->seconds > 0 ? wish->seconds - seconds : 0;
	rest->iterations = wish->iterations > iterations ? wish->iterations - iterations : 0;
	bool time = wish->seconds <= 0 || rest->seconds > 0;
	bool more = wish->iterations == 0 || rest->iterations > 0;
	bool stopped = wish->stop_asked && wish->stop_asked();
	return !done->converged && done->proof.contacts == 0 && isfinite(done->error.natural) && time && more && !stopped;
}

static delassus_report chain(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_report done = {0}, part = delassus_accelerated_start(problem, wish, r);
	delassus_options rest;
	for (int i = 0; i < ROUNDS && remains(wish, &part, &done, &rest); i++) {
		part = delassus_newton(problem, &rest, r);
		if (!remains(wish, &part, &done, &rest))
			return done;
		delassus_options more = rest;
		more.iterations = rest.iterations > 0 && rest.iterations < SWEEPS ? rest.iterations : SWEEPS;
		part = delassus_accelerated(problem, &more, r);
		if (i == ROUNDS - 1)
			remains(wish, &part, &done, &rest);
	}
	return done;
}

delassus_report delassus_auto(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	return delassus_in_range(chain, problem, wish, r);
}
