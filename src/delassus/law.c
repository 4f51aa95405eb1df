// SPDX-License-Identifier: MIT
// The laws of a contact as equations (Alart & Curnier 1991): with y = x - rho u,
//
//     f_N = x_N - n,  n = max(0, y_N),        f_T = x_T - y_T, y_T shortened to mu n where it is longer,
//
// and the same for rolling. They are zero if and only if the laws hold, for any rho > 0.
#include "delassus/work.h"

#include <math.h>
#include <string.h>

typedef struct limit { // components that a round limit mu*n holds
	int first, last;
	double mu;
} limit;

static void held(int size, limit part, const double *x, const double *y, double *f, double *slope)
{
	double length = 0, most = part.mu*y[0];
	for (int k = part.first; k < part.last; k++)
		length += y[k]*y[k];
	length = sqrt(length);
	bool sticks = length < most, slides = !sticks && length > 0;
	double share = sticks ? 1 : slides ? most/length : 0;
	for (int k = part.first; k < part.last; k++)
		f[k] = x[k] - share*y[k];
	for (int k = part.first; k < part.last && slope; k++) {
		double along = slides ? y[k]/length : 0;
		slope[k*size] = part.mu*along;
		for (int l = part.first; l < part.last; l++)
			slope[k*size + l] = share*((k == l) - (slides ? along*y[l]/length : 0));
	}
}

bool delassus_law(const delassus_problem *problem, size_t i, double rho, const double *x, const double *u, double *f,
	double *slope)
{
	int size = problem->size;
	double y[5] = {0};
	for (int k = 0; k < size; k++)
		y[k] = x[k] - rho*u[k];
	if (slope)
		memset(slope, 0, (size_t)(size*size)*sizeof *slope);
	if (!(y[0] > 0)) {
		memcpy(f, x, (size_t)size*sizeof *f);
		return false;
	}
	f[0] = x[0] - y[0];
	if (slope)
		slope[0] = 1;
	held(size, (limit){1, size == 2 ? 2 : 3, problem->mu[i]}, x, y, f, slope);
	if (size == 5)
		held(size, (limit){3, 5, problem->mu_roll[i]}, x, y, f, slope);
	return true;
}
