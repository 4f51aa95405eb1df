// SPDX-License-Identifier: MIT
// How wrong an answer is: the natural map e = r - P_K(r - w), w = u + (mu |u_T| + mu_r |u_R|) N. It is zero if and
// only if r and u obey the laws of all contacts (De Saxce & Feng 1998).
#include "cone/cone.h"

#include <math.h>

static double squares(const double *x, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += x[i]*x[i];
	return sum;
}

static double wrong_at(const cone_problem *problem, size_t contact, const double *r, const double *u)
{
	int size = problem->size;
	double mu = problem->mu[contact], mu_roll = problem->mu_roll ? problem->mu_roll[contact] : 0, p[5], sum = 0;
	for (int k = 0; k < size; k++)
		p[k] = r[k] - u[k];
	p[0] -= mu*(size == 2 ? fabs(u[1]) : sqrt(u[1]*u[1] + u[2]*u[2]));
	if (size == 5)
		p[0] -= mu_roll*sqrt(u[3]*u[3] + u[4]*u[4]);
	cone_project(size, mu, mu_roll, p);
	for (int k = 0; k < size; k++)
		sum += (r[k] - p[k])*(r[k] - p[k]);
	return sum;
}

cone_error cone_error_of(const cone_problem *problem, const double *r, double *u)
{
	size_t all = problem->contacts*(size_t)problem->size;
	block_matrix_times(&problem->w, r, problem->q, u);
	double wrong = 0;
	for (size_t i = 0; i < problem->contacts; i++)
		wrong += wrong_at(problem, i, r + i*(size_t)problem->size, u + i*(size_t)problem->size);
	if (isnan(squares(u, all))) // the projection would make zeros of it
		return (cone_error){NAN, NAN};
	double q = squares(problem->q, all), largest = fmax(q, fmax(squares(r, all), squares(u, all)));
	// what is not a number stays so
	return (cone_error){wrong == 0 ? 0 : sqrt(wrong/largest), wrong == 0 ? 0 : sqrt(wrong/(q > 0 ? q : 1))};
}
