// SPDX-License-Identifier: MIT
// Sweeps of one-contact solves, each seeing the newest impulses of the others (nonsmooth Gauss-Seidel, Jourdan, Alart
// & Jean 1998), in the order of the problem. The error is looked at after ever more sweeps, so that it costs a small
// share of the time.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct nsgs_work {
	delassus_contact *contact;
	size_t *diagonal; // place of each contact's own block
} nsgs_work;

static nsgs_work work_make(const delassus_problem *problem)
{
	size_t n = problem->contacts, size = (size_t)problem->size;
	nsgs_work work = {memory_grow(NULL, 0, n*sizeof(delassus_contact) + 1), memory_grow(NULL, 0, n*sizeof(size_t) + 1)};
	for (size_t i = 0; i < n; i++) {
		double mu_roll = problem->mu_roll ? problem->mu_roll[i] : 0;
		work.diagonal[i] = block_matrix_find(&problem->w, i, (uint32_t)i);
		delassus_contact_init(&work.contact[i], problem->size, problem->mu[i], mu_roll,
			problem->w.value + work.diagonal[i]*size*size);
	}
	return work;
}

static void work_free(nsgs_work *work)
{
	memory_free(work->contact);
	memory_free(work->diagonal);
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

static inline void sweep_rows(const delassus_problem *problem, const nsgs_work *work, size_t size, double *r)
{
	const block_matrix *w = &problem->w;
	for (size_t i = 0; i < problem->contacts; i++) {
		double b[5];
		for (size_t k = 0; k < size; k++)
			b[k] = problem->q[i*size + k];
		add_blocks(w, size, w->first[i], work->diagonal[i], r, b);
		add_blocks(w, size, work->diagonal[i] + 1, w->first[i + 1], r, b);
		delassus_contact_solve(&work->contact[i], b, r + i*size);
	}
}

static void sweep(const delassus_problem *problem, const nsgs_work *work, double *r)
{
	if (problem->size == 3)
		sweep_rows(problem, work, 3, r);
	else if (problem->size == 2)
		sweep_rows(problem, work, 2, r);
	else
		sweep_rows(problem, work, 5, r);
}

// ---------------------------------------------------------------- all of them

static delassus_report sweep_on(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_watch watch;
	delassus_watch_init(&watch, problem, wish, r, "nsgs");
	nsgs_work work = work_make(problem);
	uint64_t next = 1, longest = 1 + 200000/(problem->contacts + 1);
	double error = watch.least;
	while (isfinite(error) && !delassus_watch_over(&watch)) {
		sweep(problem, &work, r);
		if (++watch.report.iterations < next && watch.report.iterations != wish->iterations)
			continue;
		error = delassus_watch_look(&watch, r, NULL);
		uint64_t pause = 1 + watch.report.iterations/16;
		next = watch.report.iterations + (pause < longest ? pause : longest);
	}
	work_free(&work);
	return delassus_watch_end(&watch, r);
}

delassus_report delassus_nsgs(const delassus_problem *problem, const delassus_options *wish, double *r)
{
	return delassus_in_range(sweep_on, problem, wish, r);
}
