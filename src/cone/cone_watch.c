// SPDX-License-Identifier: MIT
// What every solver of contact problems keeps an eye on.
//
// The error is over the largest of |q|, |r| and |u|. Where there is no solution, impulses that grow without bound make
// that as small as you like, while the error over |q| stays where it is (Farkas: there are pushes in the cone with W d =
// 0 and q.d < 0). So an answer must do more: its error over |q|, in even units, must be below 1000 times the tolerance, but
// 1e-6 is always enough (rounding, where the impulses of a true solution are large) and 0.1 never too much to ask.
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

// Impulses larger than this many |q| make a search for a proof worth its price; so do as many iterations.
static const double suspicious = 30;
enum { LONG = 1000 };

static double weight_of_q(double tolerance)
{
	return tolerance > 0 ? tolerance/fmax(tolerance, fmin(0.1, fmax(1e-6, 1e3*tolerance))) : 0;
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
	watch->unit = cone_zeros(count, sizeof(double));
	cone_units(problem, watch->unit);
	watch->by_q_weight = weight_of_q(wish->tolerance);
	watch->least = INFINITY;
	watch->report.error = (cone_error){INFINITY, INFINITY};
	memcpy(watch->best, r, count*sizeof *r);
	cone_watch_look(watch, r, NULL);
}

static void suspect(cone_watch *watch)
{
	if (watch->tried || watch->wish->no_proof)
		return;
	watch->tried = true;
	watch->report.proof = cone_proof_find(watch->problem);
}

double cone_watch_look(cone_watch *watch, const double *x, const double *unit)
{
	size_t count = watch->problem->contacts*(size_t)watch->problem->size;
	double tolerance = watch->wish->tolerance;
	for (size_t k = 0; k < count; k++)
		watch->room[k] = unit ? unit[k]*x[k] : x[k];
	cone_error error = cone_error_of(watch->problem, watch->room, watch->u);
	double by_q = cone_error_even(watch->problem, watch->unit, watch->room, watch->u);
	double least = by_q*watch->by_q_weight > error.natural ? by_q*watch->by_q_weight : error.natural;
	if (error.natural <= tolerance && by_q > suspicious*tolerance)
		suspect(watch);
	watch->report.ran_away = watch->report.ran_away || (error.natural <= tolerance && least > tolerance);
	if (least < watch->least) {
		watch->least = least;
		watch->report.error = error;
		double *old = watch->best;
		watch->best = watch->room;
		watch->room = old;
	}
	if (watch->report.iterations >= LONG && watch->least > tolerance)
		suspect(watch);
	return least;
}

bool cone_watch_over(const cone_watch *watch)
{
	const cone_wish *wish = watch->wish;
	return watch->least <= wish->tolerance || watch->report.proof.contacts > 0 || (wish->stop_asked && wish->stop_asked()) ||
	       (wish->iterations > 0 && watch->report.iterations >= wish->iterations) ||
	       (wish->seconds > 0 && cone_seconds() - watch->start >= wish->seconds);
}

cone_report cone_watch_end(cone_watch *watch, double *r)
{
	memcpy(r, watch->best, watch->problem->contacts*(size_t)watch->problem->size*sizeof *r);
	watch->report.converged = watch->least <= watch->wish->tolerance && watch->report.proof.contacts == 0;
	watch->report.seconds = cone_seconds() - watch->start;
	memory_free(watch->best);
	memory_free(watch->room);
	memory_free(watch->u);
	memory_free(watch->unit);
	return watch->report;
}
