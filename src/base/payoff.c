// SPDX-License-Identifier: MIT
#include "base/payoff.h"

#include <math.h>

enum { PIECES = 4 };                    // of a stretch, at least
static const double stretch = 5e-3;     // seconds, at least
static const double clearly = 1.25, hopelessly = 2; // slower than usual
static const double better = 0.97;      // or else one stays with what one has
static const double first_wait = 0.2, longest_wait = 10;

static void try_other(payoff *p)
{
	p->tries = true;
	p->alone = !p->alone;
}

// The more often one way is found better, the longer it is kept.
static void end_try(payoff *p, double found)
{
	bool changes = found < better*p->usual;
	double longer = found > hopelessly*p->usual ? 8 : 2;
	p->tries = false;
	p->wait = changes || !p->known ? first_wait : fmin(longer*p->wait, longest_wait);
	p->since = 0;
	p->known = true;
	if (changes)
		p->usual = found;
	else
		p->alone = !p->alone;
}

static bool wants_to_know(const payoff *p, double found)
{
	return !p->known || (p->alone ? p->since >= p->wait : found > clearly*p->usual && p->since >= p->wait/16);
}

static void end_stretch(payoff *p, double found)
{
	if (p->tries) {
		end_try(p, found);
	} else {
		bool asks = wants_to_know(p, found);
		p->usual = p->alone || asks || !(p->usual > 0) ? found : fmin(p->usual, found);
		if (asks)
			try_other(p);
	}
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
