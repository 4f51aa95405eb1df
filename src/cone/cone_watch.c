// SPDX-License-Identifier: MIT
// What every solver of contact problems keeps an eye on.
#include "cone/cone_work.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

void *cone_zeros(size_t count, size_t size)
{
	void *block = memory_grow(NULL, 0, count*size + 1);
	memset(block, 0, count*size);
	return block;
}

void cone_watch_init(cone_watch *watch, const cone_problem *problem, const cone_wish *wish, const double *r,
	const char *solver)
{
	size_t count = problem->contacts*(size_t)problem->size;
	*watch = (cone_watch){.problem = problem, .wish = wish, .report.solver = solver};
	watch->start = cone_seconds();
	watch->best = cone_zeros(count, sizeof(double));
	watch->room = cone_zeros(count, sizeof(double));
	watch->u = cone_zeros(count, sizeof(double));
	watch->report.error = (cone_error){INFINITY, INFINITY};
	memcpy(watch->best, r, count*sizeof *r);
	cone_watch_look(watch, r, NULL);
}

double cone_watch_look(cone_watch *watch, const double *x, const double *unit)
{
	size_t count = watch->problem->contacts*(size_t)watch->problem->size;
	for (size_t k = 0; k < count; k++)
		watch->room[k] = unit ? unit[k]*x[k] : x[k];
	cone_error error = cone_error_of(watch->problem, watch->room, watch->u);
	if (error.natural < watch->report.error.natural) {
		watch->report.error = error;
		double *old = watch->best;
		watch->best = watch->room;
		watch->room = old;
	}
	return error.natural;
}

bool cone_watch_over(const cone_watch *watch)
{
	const cone_wish *wish = watch->wish;
	return watch->report.error.natural <= wish->tolerance || (wish->stop_asked && wish->stop_asked()) ||
	       (wish->iterations > 0 && watch->report.iterations >= wish->iterations) ||
	       (wish->seconds > 0 && cone_seconds() - watch->start >= wish->seconds);
}

cone_report cone_watch_end(cone_watch *watch, double *r)
{
	memcpy(r, watch->best, watch->problem->contacts*(size_t)watch->problem->size*sizeof *r);
	watch->report.converged = watch->report.error.natural <= watch->wish->tolerance;
	watch->report.seconds = cone_seconds() - watch->start;
	memory_free(watch->best);
	memory_free(watch->room);
	memory_free(watch->u);
	return watch->report;
}
