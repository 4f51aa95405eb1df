// SPDX-License-Identifier: MIT
// How wrong an answer is: the natural map e = r - P_K(r - w), w = u + (mu |u_T| + mu_r |u_R|) N. It is zero if and
// only if r and u obey the laws of all contacts (De Saxce & Feng 1998).
#include "delassus/delassus.h"

#include <float.h>
#include <math.h>

static double squares(const double *x, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += x[i]*x[i];
	return sum;
}

static bool any(const double *x, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (x[i] != 0)
			return true;
	return false;
}

static double wrong_at(int size, double mu, double mu_roll, const double *r, const double *u)
{
	double p[5] = {0}, sum = 0;
	for (int k = 0; k < size; k++)
		p[k] = r[k] - u[k];
	p[0] -= mu*(size == 2 ? fabs(u[1]) : sqrt(u[1]*u[1] + u[2]*u[2]));
	if (size == 5)
		p[0] -= mu_roll*sqrt(u[3]*u[3] + u[4]*u[4]);
	delassus_project(size, mu, mu_roll, p);
	for (int k = 0; k < size; k++)
		sum += (r[k] - p[k])*(r[k] - p[k]);
	return sum;
}

delassus_error delassus_error_of(const delassus_problem *problem, const double *r, double *u)
{
	size_t all = problem->contacts*(size_t)problem->size;
	block_matrix_times(&problem->w, r, problem->q, u);
	double wrong = 0;
	for (size_t i = 0; i < problem->contacts; i++)
		wrong += wrong_at(problem->size, problem->mu[i], problem->mu_roll ? problem->mu_roll[i] : 0,
			r + i*(size_t)problem->size, u + i*(size_t)problem->size);
	if (isnan(squares(u, all))) // the projection would make zeros of it
		return (delassus_error){NAN, NAN};
	double q = squares(problem->q, all), largest = fmax(q, fmax(squares(r, all), squares(u, all)));
	if (!isfinite(largest) || (q < DBL_MIN && any(problem->q, all))) // squares beyond numbers tell nothing
		return (delassus_error){NAN, NAN};
	// what is not a number stays so
	return (delassus_error){wrong == 0 ? 0 : sqrt(wrong/largest), wrong == 0 ? 0 : sqrt(wrong/(q > 0 ? q : 1))};
}

double delassus_error_even(const delassus_problem *problem, const double *unit, const double *r, const double *u)
{
	size_t n = (size_t)problem->size;
	double wrong = 0, q = 0;
	for (size_t i = 0; i < problem->contacts; i++) {
		double x[5], v[5];
		for (size_t k = 0; k < n; k++) {
			double one = unit[i*n + k], part = one*problem->q[i*n + k];
			x[k] = r[i*n + k]/one;
			v[k] = one*u[i*n + k];
			q += part*part;
		}
		const double *of = unit + i*n;
		double mu_roll = n == 5 ? problem->mu_roll[i]*of[0]/of[3] : 0;
		wrong += wrong_at(problem->size, problem->mu[i]*of[0]/of[1], mu_roll, x, v);
	}
	if (!isfinite(q) || isnan(wrong) || (q < DBL_MIN && any(problem->q, problem->contacts*n)))
		return INFINITY;
	return q > 0 ? sqrt(wrong/q) : 0;
}
