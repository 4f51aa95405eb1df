// SPDX-License-Identifier: MIT
// A problem while it is being solved: its residual, and when it is time for a look at how wrong it still is.
#include "solve/solving.h"

enum { LOOK_EVERY = 10, LOOK_SOON = 3 };

double solving_residual(solving *s)
{
	if (s->def->order == TALUS_ORDER_SHUFFLED)
		return sweep_residual(s->ws, s->ws->plan, &s->problem);
	return problem_residual(&s->problem, s->ws->team);
}

// A look costs as much as some sweeps. The first one comes when the step before was nearly done. With momentum each sweep says
// how much it changed; by that and the last look, one guesses when the error will be small enough. As guesses fail, there are
// looks without them, too.
bool solving_due(const solving *s, int sweeps)
{
	if (sweeps >= s->next_look || !s->accelerated)
		return sweeps >= s->next_look;
	int soon = s->last_look + LOOK_SOON + s->last_look/16;
	return sweeps >= soon && s->per_change*s->ws->momentum->change <= s->def->tolerance;
}

void solving_looked(solving *s, int sweeps, double error)
{
	int wait = sweeps/(s->accelerated ? 2 : 5);
	s->last_look = sweeps;
	s->looks++;
	s->next_look = sweeps + (wait > LOOK_EVERY ? wait : LOOK_EVERY);
	if (s->accelerated)
		s->per_change = error/s->ws->momentum->change;
}
