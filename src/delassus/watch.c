// SPDX-License-Identifier: MIT
// What every solver of contact problems keeps an eye on.
//
// The error is over the largest of |q|, |r| and |u|. Where there is no solution, impulses that grow without bound make
// that as small as you like, while the error over |q| stays where it is (Farkas: there are pushes in the cone with W d =
// 0 and q.d < 0). So an answer must do more: its error over |q| must be below 1000 times the tolerance (1e-6 is always
// enough), with at most 0.1 in even units and at most 0.01 in the problem's own. Neither does alone: even units hide what goes wrong
// at heavy bodies behind the fast light ones, the problem's own hide it behind its largest numbers. And what rounding hides counts as
// error: at impulses of 1e16 |q| anything does.
#include "delassus/work.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

// An error over |q| of so many tolerances makes a search for a proof worth its price, which is small for few contacts; so do
// as many iterations.
static const double suspicious = 30, suspicious_if_few = 2;
enum { LONG = 1000, FEW = 200 };
static const double most_even = 0.1, most_own = 0.01;
static const double hidden = 1e-3; // of |q|: an error that rounding may hide

// Of the error over |q| against the error itself, where the former must not be above `most`.
static double weight_of_q(double tolerance, double most)
{
	return tolerance > 0 ? tolerance/fmax(tolerance, fmin(most, fmax(1e-6, 1e3*tolerance))) : 0;
}

void delassus_watch_init(delassus_watch *watch, const delassus_problem *problem, const delassus_options *wish, const double *r,
	const char *solver)
{
	size_t count = problem->contacts*(size_t)problem->size;
	*watch = (delassus_watch){.problem = problem, .wish = wish, .report.solver = solver};
	watch->start = delassus_seconds();
	watch->best = delassus_zeros(count, sizeof(double));
	watch->room = delassus_zeros(count, sizeof(double));
	watch->u = delassus_zeros(count, sizeof(double));
	watch->unit = delassus_zeros(count, sizeof(double));
	delassus_units(problem, watch->unit);
	watch->even_weight = weight_of_q(wish->tolerance, most_even);
	watch->own_weight = weight_of_q(wish->tolerance, most_own);
	watch->least = INFINITY;
	watch->report.error = (delassus_error){INFINITY, INFINITY};
	memcpy(watch->best, r, count*sizeof *r);
	delassus_watch_look(watch, r, NULL);
}

static void suspect(delassus_watch *watch)
{
	if (watch->tried || !watch->wish->prove)
		return;
	watch->tried = true;
	watch->report.proof = watch->wish->prove(watch->problem);
}

// What is added and cancels in u = W r + q and in r - u, over |q|; times the last digit of a number, that is an error that nobody sees.
static double cancelling(const delassus_watch *watch, const double *r, bool even)
{
	const delassus_problem *problem = watch->problem;
	const block_matrix *w = &problem->w;
	size_t n = (size_t)problem->size, count = problem->contacts*n;
	double moved = 0, push = 0, q = 0;
	for (size_t k = 0; k < count; k++) {
		double sum = 0, unit = even ? watch->unit[k] : 1;
		for (size_t e = w->first[k/n]; e < w->first[k/n + 1]; e++)
			for (size_t l = 0; l < n; l++)
				sum += fabs(w->value[e*n*n + k%n*n + l]*r[w->column[e]*n + l]);
		moved += unit*unit*sum*sum;
		push += r[k]*r[k]/(unit*unit);
		q += unit*unit*problem->q[k]*problem->q[k];
	}
	return q > 0 ? sqrt(moved/q) + sqrt(push/q) : 0;
}

// The error over |q| that rounding makes. Only where W is below 1e-12, and impulses as large as that makes them, may it be larger than
// an error is allowed to be.
static double rounding_of(const delassus_watch *watch, const double *r)
{
	double unit = 0;
	for (size_t k = 0; k < watch->problem->contacts*(size_t)watch->problem->size; k++)
		unit = fmax(unit, watch->unit[k]);
	return fmin(fmax(most_own, 1e-14*unit*unit), 1e-15*cancelling(watch, r, false));
}

double delassus_watch_look(delassus_watch *watch, const double *x, const double *unit)
{
	size_t count = watch->problem->contacts*(size_t)watch->problem->size;
	double tolerance = watch->wish->tolerance;
	for (size_t k = 0; k < count; k++)
		watch->room[k] = unit ? unit[k]*x[k] : x[k];
	delassus_error error = delassus_error_of(watch->problem, watch->room, watch->u);
	double by_q = delassus_error_even(watch->problem, watch->unit, watch->room, watch->u);
	if (error.natural <= tolerance && DBL_EPSILON*cancelling(watch, watch->room, true) > hidden)
		by_q = fmax(by_q, 1);
	double least = by_q*watch->even_weight > error.natural ? by_q*watch->even_weight : error.natural;
	double own = error.by_q*watch->own_weight;
	bool rounded = error.natural <= tolerance && own > tolerance && error.by_q <= rounding_of(watch, watch->room);
	if (own > least && !rounded)
		least = own;
	double limit = tolerance*(watch->problem->contacts <= FEW ? suspicious_if_few : suspicious);
	if (error.natural <= tolerance && fmax(by_q, error.by_q) > limit)
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

bool delassus_watch_over(const delassus_watch *watch)
{
	const delassus_options *wish = watch->wish;
	return watch->least <= wish->tolerance || watch->report.proof.contacts > 0 || (wish->stop_asked && wish->stop_asked()) ||
	       (wish->iterations > 0 && watch->report.iterations >= wish->iterations) ||
	       (wish->seconds > 0 && delassus_seconds() - watch->start >= wish->seconds);
}

delassus_report delassus_watch_end(delassus_watch *watch, double *r)
{
	memcpy(r, watch->best, watch->problem->contacts*(size_t)watch->problem->size*sizeof *r);
	watch->report.converged = watch->least <= watch->wish->tolerance && watch->report.proof.contacts == 0;
	watch->report.seconds = delassus_seconds() - watch->start;
	memory_free(watch->best);
	memory_free(watch->room);
	memory_free(watch->u);
	memory_free(watch->unit);
	return watch->report;
}
