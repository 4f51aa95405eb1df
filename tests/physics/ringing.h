// SPDX-License-Identifier: MIT
// What rings and fades: a position step by step, and the damped sine that fits it best. Packings that get too few iterations do that
// (Unger, Brendel, Wolf & Kertesz 2002).
#ifndef TALUS_TESTS_RINGING_H
#define TALUS_TESTS_RINGING_H

#include "physics.h"

enum { STEPS_MOST = 2000 };

// q of the random sweep, and of all theory here: (4 sqrt(e) - 5)/2.
static const double q_random = 0.79744254140026;

typedef struct record {
	int count;
	double x[STEPS_MOST];
} record;

typedef struct fit {
	double omega, tau, r2; // per step, steps
} fit;

// Least squares for x0 + exp(-t/tau) (a sin(omega t) + b cos(omega t)); returns the sum of squares that is
// left. `shift` is near x0 and saves digits.
static inline double left_over(const record *r, int first, int last, double shift, double omega, double tau)
{
	double A[3][4] = {{0}};
	double squares = 0;
	for (int k = first; k < last; k++) {
		double fade = exp(-(k - first)/tau);
		double f[4] = {1, fade*sin(omega*k), fade*cos(omega*k), r->x[k] - shift};
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 4; j++)
				A[i][j] += f[i]*f[j];
		squares += f[3]*f[3];
	}
	double rhs[3] = {A[0][3], A[1][3], A[2][3]}, c[3];
	for (int i = 0; i < 3; i++)
		for (int j = i + 1; j < 3; j++)
			for (int k = 3; k >= i; k--)
				A[j][k] -= A[j][i]/A[i][i]*A[i][k];
	for (int i = 2; i >= 0; i--) {
		c[i] = A[i][3];
		for (int j = i + 1; j < 3; j++)
			c[i] -= A[i][j]*c[j];
		c[i] /= A[i][i];
	}
	return squares - c[0]*rhs[0] - c[1]*rhs[1] - c[2]*rhs[2];
}

// Best omega and tau by a net that is drawn tighter and tighter, from half to twice of the first guess.
static inline fit fit_damped_sine(const record *r, int first, int last, double omega, double tau)
{
	enum { NET = 10 };
	double mean = 0, spread = 0, best = INFINITY, centre_omega = omega, centre_tau = tau;
	for (int k = first; k < last; k++)
		mean += r->x[k]/(last - first);
	for (int k = first; k < last; k++)
		spread += (r->x[k] - mean)*(r->x[k] - mean);
	for (double width = 2; width > 1.00001; width = pow(width, 0.4)) {
		for (int i = -NET; i <= NET; i++)
			for (int j = -NET; j <= NET; j++) {
				double w = centre_omega*pow(width, (double)i/NET), t = centre_tau*pow(width, (double)j/NET);
				double left = left_over(r, first, last, mean, w, t);
				if (left < best)
					best = left, omega = w, tau = t;
			}
		centre_omega = omega, centre_tau = tau;
	}
	return (fit){omega, tau, 1 - best/spread};
}

#endif
