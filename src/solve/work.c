// SPDX-License-Identifier: MIT
// What a sweep with momentum did, in sums that do not depend on the order of their terms: neither on which contacts share a
// batch, nor on who takes which.
//
// Every term is rounded to a multiple of a unit u = 2^(k-52) by adding M = 1.5 2^k and taking it away again. Sums of multiples
// of u are exact up to 2^53 u. M follows from the sums of the last sweep, so that they may grow a good deal. Half of 2^k is
// the most that is believed, which can be told from a sum that is no longer exact, too: sums of what is not negative
// never become smaller by going on, and never end below one of their terms, whatever is rounded. So if a term was too large for
// its M, or a sum for its unit, every order of adding ends above the limit, and otherwise all orders end at the same bits.
// What has a sign, WORK_ALONG, is believed if the sum of its sizes, WORK_SPAN, is.
#include "solve/solve.h"

#include "base/memory.h"
#include "base/totals.h"

#include <math.h>
#include <string.h>

static const double growth = 256;    // of a sum from one sweep to the next
static const double few = 0x1p-27;   // of the limit: with less than that a sum has too few digits
static const double last_place = 0x1p-51; // the unit, of the limit

void work_begin(momentum *m, int threads)
{
	m->sum = memory_room(m->sum, &m->threads, (size_t)threads, sizeof *m->sum);
	memset(m->coarse, 0, sizeof m->coarse); // nothing but 0 can be believed
}

void work_clear(momentum *m, int threads)
{
	memset(m->sum, 0, (size_t)threads*sizeof *m->sum);
}

// The largest sum that is believed, and the M for a sum that may become so large.
static double limit_of(double coarse)
{
	return coarse/3;
}

static double coarse_for(double most)
{
	int exponent;
	frexp(most, &exponent);
	return most > 0 && most < INFINITY ? ldexp(3, exponent) : 0;
}

// ---------------------------------------------------------------- without momentum

// With beta = 0 a contact was corrected by what it has changed, so all terms can be had again: for a first
// sweep, of which nothing is known, or when sums are suddenly much larger or smaller.
typedef struct terms {
	const momentum *m;
	const schedule *s;
	const talus_problem *problem;
	int k; // the class
} terms;

static void single_terms(const terms *t, size_t i, double term[LANES])
{
	const talus_problem *problem = t->problem;
	const impulse *old = (const impulse *)t->m->past[t->k] + i;
	size_t c = class_first(problem, t->k) + i;
	vec3 dp = sub(problem->p[c], old->p), dq = sub(*class_torque(problem, c), old->q);
	memset(term, 0, LANES*sizeof *term);
	term[0] = class_inverse(problem->row[c].mass_n)*dot(dp, dp) + class_inverse(class_extended_contact(problem, c)->inertia)*dot(dq, dq);
}

// Rows are lanes.
static void look_at_terms(void *job, size_t first, size_t last, totals_part *part)
{
	const terms *t = job;
	const contact_class *class = contact_classes[t->k];
	for (size_t i = first/LANES; i < last/LANES; i++) {
		double *term = part->term[0] + (i*LANES - first);
		if (class->batch_size)
			class->terms(class_batch(class, t->s->of[t->k].batch, i), (const char *)t->m->past[t->k] + i*class->past_size, term);
		else
			single_terms(t, i, term);
	}
}

// Of all classes.
static double size_again(const solver_workspace *ws, const schedule *s, const talus_problem *problem)
{
	double size = 0;
	for (int k = 0; k < TALUS_CLASSES; k++) {
		terms t = {.m = ws->momentum, .s = s, .problem = problem, .k = k};
		size_t count = contact_classes[k]->batch_size ? s->of[k].batches : class_count(problem, k);
		size += totals_of(ws->team, LANES*count, 1, look_at_terms, &t).sum[0];
	}
	return size;
}

// ---------------------------------------------------------------- after a sweep

static void join(const momentum *m, int threads, double work[WORKS])
{
	memset(work, 0, WORKS*sizeof *work);
	for (int t = 0; t < threads; t++)
		for (int k = 0; k < WORKS; k++)
			for (int l = 0; l < LANES; l++)
				work[k] += m->sum[t][k][l];
}

// A sum that is not believed is larger than its limit, and all that is known is that.
static bool believe(double *sum, double limit)
{
	bool sound = !(*sum > limit);
	if (!sound)
		*sum = limit > 0 ? 2*limit : INFINITY;
	return sound;
}

void work_end(const solver_workspace *ws, const schedule *s, const talus_problem *problem, double work[WORKS])
{
	momentum *m = ws->momentum;
	double size = limit_of(m->coarse[WORK_SIZE]), span = limit_of(m->coarse[WORK_SPAN]);
	join(m, parallel_threads(ws->team), work);
	if (m->beta == 0) { // e = old p - p
		if (work[WORK_SIZE] > size || work[WORK_SIZE] < few*size)
			work[WORK_SIZE] = size_again(ws, s, problem);
		work[WORK_SPAN] = work[WORK_SIZE];
		work[WORK_ALONG] = -work[WORK_SIZE];
	} else {
		bool sound = believe(&work[WORK_SIZE], size);
		sound &= believe(&work[WORK_SPAN], span);
		if (!sound)
			work[WORK_ALONG] = work[WORK_SPAN]; // uphill: momentum is dropped
	}
	double lost = last_place*(double)problem->contacts; // what rounding may have taken from a sum, of its limit
	m->coarse[WORK_SIZE] = coarse_for(growth*(work[WORK_SIZE] + lost*size));
	m->coarse[WORK_ALONG] = m->coarse[WORK_SPAN] = coarse_for(growth*(work[WORK_SPAN] + lost*span));
}
