// SPDX-License-Identifier: MIT
// Sweeps of one-contact solves with momentum (Nesterov 1983, with the restarts of O'Donoghue & Candes 2015):
// every sweep starts from the impulses carried on along their last change. Plain sweeps spread forces by
// diffusion; with momentum they travel. All sweeps go the same way: going forth and back in turns makes
// momentum diverge.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 100, START_LEAST = 50, START_STRIDE = 25, START_OUTLOOK = 12 };

typedef struct sweeper {
	const delassus_problem *problem;
	delassus_contact *contact;
	double *weight; // mean of the diagonal of a contact's own block: makes squares of impulses energies
	double *now, *before, *start;
	double theta, carry, best;
	// half sweeps where momentum leads nowhere: how many are left, how many there will be next time
	double least;
	uint64_t since, halves, next_halves;
} sweeper;

static void sweeper_init(sweeper *s, const delassus_problem *problem, const double *r)
{
	size_t n = (size_t)problem->size, contacts = problem->contacts;
	*s = (sweeper){.problem = problem, .theta = 1, .best = INFINITY};
	s->least = INFINITY;
	s->next_halves = PATIENCE;
	s->contact = delassus_zeros(contacts, sizeof *s->contact);
	s->weight = delassus_zeros(contacts, sizeof *s->weight);
	s->now = delassus_zeros(contacts*n, sizeof *s->now);
	s->before = delassus_zeros(contacts*n, sizeof *s->before);
	s->start = delassus_zeros(contacts*n, sizeof *s->start);
	for (size_t i = 0; i < contacts; i++) {
		const double *w = problem->w.value + block_matrix_find(&problem->w, i, (uint32_t)i)*n*n;
		double mu_roll = problem->mu_roll ? problem->mu_roll[i] : 0;
		delassus_contact_init(&s->contact[i], problem->size, problem->mu[i], mu_roll, w);
		for (size_t k = 0; k < n; k++)
			s->weight[i] += w[k*(n + 1)]/(double)n;
	}
	memcpy(s->now, r, contacts*n*sizeof *r);
	memcpy(s->before, r, contacts*n*sizeof *r);
}

static void sweeper_free(sweeper *s)
{
	memory_free(s->contact);
	memory_free(s->weight);
	memory_free(s->now);
	memory_free(s->before);
	memory_free(s->start);
}

static inline void sweep_rows(const sweeper *s, size_t n, double *r)
{
	const block_matrix *w = &s->problem->w;
	for (size_t i = 0; i < s->problem->contacts; i++) {
		double b[5];
		memcpy(b, s->problem->q + i*n, n*sizeof *b);
		for (size_t e = w->first[i]; e < w->first[i + 1]; e++) {
			const double *block = w->value + e*n*n, *x = r + w->column[e]*n;
			if (w->column[e] == i)
				continue;
			for (size_t k = 0; k < n; k++)
				for (size_t l = 0; l < n; l++)
					b[k] += block[k*n + l]*x[l];
		}
		delassus_contact_solve(&s->contact[i], b, r + i*n);
	}
}

static void sweep(const sweeper *s, double *r)
{
	if (s->problem->size == 3)
		sweep_rows(s, 3, r);
	else if (s->problem->size == 2)
		sweep_rows(s, 2, r);
	else
		sweep_rows(s, 5, r);
}

// Where momentum gets nowhere for long, contacts go half their way for a while, each time for longer. Whole
// steps, with momentum or without, may go in circles for ever.
static void mind_progress(sweeper *s, double change)
{
	if (s->halves > 0) {
		s->halves--;
		s->theta = 1;
		s->carry = 0;
		return;
	}
	s->since = change < s->least ? 0 : s->since + 1;
	s->least = fmin(s->least, change);
	if (s->since <= PATIENCE)
		return;
	s->since = 0;
	s->least = INFINITY;
	s->halves = s->next_halves;
	s->next_halves *= 2;
}

static void advance(sweeper *s)
{
	size_t n = (size_t)s->problem->size, count = s->problem->contacts*n;
	double change = 0, uphill = 0;
	for (size_t k = 0; k < count; k++) {
		s->start[k] = s->now[k] + s->carry*(s->now[k] - s->before[k]);
		s->before[k] = s->now[k];
		s->now[k] = s->start[k];
	}
	sweep(s, s->now);
	for (size_t k = 0; k < count; k++) {
		double e = s->start[k] - s->now[k];
		change += s->weight[k/n]*e*e;
		uphill += s->weight[k/n]*e*(s->now[k] - s->before[k]);
	}
	for (size_t k = 0; k < count && s->halves > 0; k++)
		s->now[k] = 0.5*(s->now[k] + s->start[k]);
	double theta = (1 + sqrt(1 + 4*s->theta*s->theta))/2;
	s->carry = (s->theta - 1)/theta;
	s->theta = theta;
	if (uphill > 0 || change > 1.5*s->best) {
		s->theta = 1;
		s->carry = 0;
		s->best = change;
	}
	s->best = fmin(s->best, change);
	mind_progress(s, change);
}

static delassus_report sweep_on(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_watch watch;
	sweeper s;
	delassus_watch_init(&watch, problem, wish, r, "accelerated");
	sweeper_init(&s, problem, r);
	double error = watch.least;
	for (uint64_t next = 1; isfinite(error) && !delassus_watch_over(&watch);) {
		advance(&s);
		watch.report.iterations++;
		if (watch.report.iterations < next && watch.report.iterations != wish->iterations)
			continue;
		error = delassus_watch_look(&watch, s.now, NULL);
		next = watch.report.iterations + 1 + watch.report.iterations/16;
	}
	sweeper_free(&s);
	return delassus_watch_end(&watch, r);
}

delassus_report delassus_accelerated(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	return delassus_in_range(sweep_on, problem, wish, r);
}

delassus_report delassus_accelerated_start(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_watch watch;
	sweeper s;
	delassus_watch_init(&watch, problem, wish, r, "accelerated");
	sweeper_init(&s, problem, r);
	while (!delassus_watch_over(&watch)) {
		double before = watch.least;
		for (uint64_t k = 0; k < START_STRIDE && !delassus_watch_over(&watch); k++) {
			advance(&s);
			watch.report.iterations++;
			if (k%8 == 0)
				delassus_watch_look(&watch, s.now, NULL);
		}
		double now = delassus_watch_look(&watch, s.now, NULL);
		double strides = now < before ? log(wish->tolerance/now)/log(now/before) : INFINITY;
		if (watch.report.iterations >= START_LEAST && !(strides < START_OUTLOOK))
			break;
	}
	sweeper_free(&s);
	return delassus_watch_end(&watch, r);
}
