// SPDX-License-Identifier: MIT
#include "base/payoff.h"

#include <math.h>

enum { PIECES = 4, SLOW = 2 };      // of a stretch, at least; stretches before one doubts
static const double stretch = 5e-3; // seconds, at least
static const double better = 0.97;  // or else one stays with what one has
static const double hopelessly = 2; // slower than usual
static const double first_wait = 0.2, longest_wait = 10;

// The more often one way is found better, the longer it is kept.
static void end_try(payoff *p, double found)
{
	bool changes = found < better*p->usual;
	double longer = found > hopelessly*p->usual ? 8 : 2;
	p->other = changes ? p->usual : found;
	p->usual = changes ? found : p->usual;
	p->alone ^= !changes;
	p->tries = false;
	p->wait = changes || !p->known ? first_wait : fmin(longer*p->wait, longest_wait);
	p->since = 0;
	p->slow = 0;
	p->known = true;
}

static bool wants_to_know(const payoff *p)
{
	return !p->known || (p->alone ? p->since >= p->wait : p->slow >= SLOW && p->since >= p->wait/16);
}

static void end_stretch(payoff *p, double found)
{
	if (p->tries) {
		end_try(p, found);
		return;
	}
	p->usual = found;
	p->slow = found > better*p->other ? p->slow + 1 : 0;
	if (wants_to_know(p)) {
		p->tries = true;
		p->alone = !p->alone;
	}
}

void payoff_settle(payoff *p)
{
	*p = (payoff){.known = true, .other = INFINITY};
}

void payoff_note(payoff *p, double seconds, double size)
{
	p->pieces++;
	p->seconds += seconds;
	p->since += seconds;
	p->size += size;
	bool hopeless = p->tries && p->seconds > hopelessly*p->usual*p->size;
	if (!(p->size > 0) || (!hopeless && (p->pieces < PIECES || p->seconds < stretch)))
		return;
	end_stretch(p, p->seconds/p->size);
	p->pieces = 0;
	p->seconds = p->size = 0;
}
