// SPDX-License-Identifier: MIT
// Sweeps of one-contact solves, each seeing the newest impulses of the others (nonsmooth Gauss-Seidel, Jourdan, Alart
// & Jean 1998), in the order of the problem. The error is looked at after ever more sweeps, so that it costs a small
// share of the time.
#include "cone/cone.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct nsgs_work {
	cone_contact *contact;
	size_t *diagonal; // place of each contact's own block
	double *u, *best;
} nsgs_work;

static nsgs_work work_make(const cone_problem *problem)
{
	size_t n = problem->contacts, size = (size_t)problem->size, bytes = n*size*sizeof(double) + 1;
	nsgs_work work = {memory_grow(NULL, 0, n*sizeof(cone_contact) + 1), memory_grow(NULL, 0, n*sizeof(size_t) + 1),
		memory_grow(NULL, 0, bytes), memory_grow(NULL, 0, bytes)};
	for (size_t i = 0; i < n; i++) {
		double mu_roll = problem->mu_roll ? problem->mu_roll[i] : 0;
		work.diagonal[i] = block_matrix_find(&problem->w, i, (uint32_t)i);
		cone_contact_init(&work.contact[i], problem->size, problem->mu[i], mu_roll,
			problem->w.value + work.diagonal[i]*size*size);
	}
	return work;
}

static void work_free(nsgs_work *work)
{
	memory_free(work->contact);
	memory_free(work->diagonal);
	memory_free(work->u);
	memory_free(work->best);
}

// ---------------------------------------------------------------- a sweep

// b += blocks from `first` to `last`, times r. A block's part is summed up by itself: one long chain of additions
// would have to wait for each of them.
static inline void add_blocks(const block_matrix *w, size_t size, size_t first, size_t last, const double *r, double *b)
{
	for (size_t at = first; at < last; at++) {
		const double *block = w->value + at*size*size, *x = r + w->column[at]*size;
		for (size_t k = 0; k < size; k++) {
			double part = block[k*size]*x[0];
			for (size_t l = 1; l < size; l++)
				part += block[k*size + l]*x[l];
			b[k] += part;
		}
	}
}

static inline void sweep_rows(const cone_problem *problem, const nsgs_work *work, size_t size, double *r)
{
	const block_matrix *w = &problem->w;
	for (size_t i = 0; i < problem->contacts; i++) {
		double b[5];
		for (size_t k = 0; k < size; k++)
			b[k] = problem->q[i*size + k];
		add_blocks(w, size, w->first[i], work->diagonal[i], r, b);
		add_blocks(w, size, work->diagonal[i] + 1, w->first[i + 1], r, b);
		cone_contact_solve(&work->contact[i], b, r + i*size);
	}
}

static void sweep(const cone_problem *problem, const nsgs_work *work, double *r)
{
	if (problem->size == 3)
		sweep_rows(problem, work, 3, r);
	else if (problem->size == 2)
		sweep_rows(problem, work, 2, r);
	else
		sweep_rows(problem, work, 5, r);
}

// ---------------------------------------------------------------- all of them

// Looks at r: keeps it if it is the best so far. True if that is good enough, or there is no way on.
static bool look(const cone_problem *problem, const cone_wish *wish, nsgs_work *work, double start, const double *r,
	cone_report *report)
{
	cone_error error = cone_error_of(problem, r, work->u);
	if (error.natural < report->error.natural) {
		report->error = error;
		memcpy(work->best, r, problem->contacts*(size_t)problem->size*sizeof(double));
	}
	report->converged = report->error.natural <= wish->tolerance;
	report->seconds = cone_seconds() - start;
	return report->converged || !isfinite(error.natural) || (wish->stop_asked && wish->stop_asked()) ||
	       (wish->seconds > 0 && report->seconds >= wish->seconds) ||
	       (wish->iterations > 0 && report->iterations >= wish->iterations);
}

cone_report cone_nsgs(const cone_problem *problem, const cone_wish *wish, double *r)
{
	double start = cone_seconds();
	nsgs_work work = work_make(problem);
	cone_report report = {.solver = "nsgs", .error = {INFINITY, INFINITY}};
	uint64_t next = 1, longest = 1 + 200000/(problem->contacts + 1);
	memcpy(work.best, r, problem->contacts*(size_t)problem->size*sizeof(double));
	bool done = look(problem, wish, &work, start, r, &report);
	while (!done) {
		sweep(problem, &work, r);
		report.iterations++;
		if (report.iterations < next && report.iterations != wish->iterations)
			continue;
		done = look(problem, wish, &work, start, r, &report);
		uint64_t pause = 1 + report.iterations/16;
		next = report.iterations + (pause < longest ? pause : longest);
	}
	memcpy(r, work.best, problem->contacts*(size_t)problem->size*sizeof(double));
	work_free(&work);
	return report;
}
