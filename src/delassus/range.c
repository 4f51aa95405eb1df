// SPDX-License-Identifier: MIT
// Contact problems in units that are far off. Squares of numbers beyond 1e154 overflow, those below 1e-162 are 0, and then a norm
// says that all is well. So where W or q are beyond 2^±200, the problem is solved in other units,
//
//     W' = 2^a W, q' = 2^b q, r' = 2^(b - a) r, u' = 2^b u,
//
// with the largest entries near 1. Powers of two round nothing; other problems are left as they are. With a = 0 errors are the same.
#include "delassus/work.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { ORDINARY = 200 };

// The power of two that brings the largest of x near 1; 0 if that is not worth it.
static int power_for(const double *x, size_t count)
{
	double most = 0;
	for (size_t k = 0; k < count; k++)
		most = fmax(most, fabs(x[k]));
	int power = most > 0 && isfinite(most) ? ilogb(most) : 0;
	return power > ORDINARY || power < -ORDINARY ? -power : 0;
}

static double *shifted(const double *x, size_t count, int power)
{
	double *out = delassus_zeros(count, sizeof *out);
	for (size_t k = 0; k < count; k++)
		out[k] = scalbn(x[k], power);
	return out;
}

bool delassus_range_init(delassus_range *range, const delassus_problem *problem)
{
	size_t n = (size_t)problem->size, blocks = problem->w.first[problem->contacts]*n*n, count = problem->contacts*n;
	int of_w = power_for(problem->w.value, blocks), of_q = power_for(problem->q, count);
	*range = (delassus_range){.problem = *problem, .of_r = of_q - of_w};
	if (of_w == 0 && of_q == 0)
		return false;
	range->problem.w.value = shifted(problem->w.value, blocks, of_w);
	range->problem.q = shifted(problem->q, count, of_q);
	return true;
}

void delassus_range_free(delassus_range *range)
{
	memory_free(range->problem.w.value);
	memory_free(range->problem.q);
}

// Hands back what the problem's own units can hold of r' and of u'; what that costs counts as error.
static void hand_back(const delassus_range *range, const delassus_problem *own, double tolerance, double *x, double *r,
	delassus_report *report)
{
	size_t count = own->contacts*(size_t)own->size;
	double *u = delassus_zeros(count, sizeof *u);
	bool lost = false;
	for (size_t k = 0; k < count; k++) {
		r[k] = scalbn(x[k], -range->of_r);
		double again = scalbn(r[k], range->of_r);
		lost = lost || again != x[k];
		x[k] = again;
	}
	if (lost)
		report->error = delassus_error_of(&range->problem, x, u);
	block_matrix_times(&own->w, r, own->q, u);
	for (size_t k = 0; k < count; k++)
		if (!isfinite(r[k]) || !isfinite(u[k]))
			report->error = (delassus_error){NAN, NAN};
	report->converged = report->converged && report->error.natural <= tolerance;
	memory_free(u);
}

delassus_report delassus_in_range(delassus_solver *solve, const delassus_problem *problem, const delassus_options *wish, double *r)
{
	delassus_range range;
	if (!delassus_range_init(&range, problem))
		return solve(problem, wish, r);
	size_t count = problem->contacts*(size_t)problem->size;
	double *x = shifted(r, count, range.of_r);
	delassus_report report = solve(&range.problem, wish, x);
	hand_back(&range, problem, wish->tolerance, x, r, &report);
	memory_free(x);
	delassus_range_free(&range);
	return report;
}
