// SPDX-License-Identifier: MIT
// Nearest point of the set of impulses that friction allows, K = {|t| <= mu n, |s| <= mu_r n}.
//
// With a push n the nearest tangential part is t shortened to mu n, so what remains is the smallest value of (n -
// n0)^2 + max(0, |t| - mu n)^2 + max(0, |s| - mu_r n)^2 over n >= 0. Its slope is the least of four rising straight
// lines (which of the two limits count), so its zero is the largest of the four zeros.
#include "delassus/delassus.h"

#include <math.h>

static void shorten(double *part, int count, double length, double most)
{
	if (length <= most)
		return;
	for (int k = 0; k < count; k++)
		part[k] *= most/length;
}

static void project_flat(double mu, double *r)
{
	double slip = fabs(r[1]), n = fmax(0, fmax(r[0], (r[0] + mu*slip)/(1 + mu*mu)));
	shorten(r + 1, 1, slip, mu*n);
	r[0] = n;
}

static void project_round(double mu, double *r)
{
	double slip = sqrt(r[1]*r[1] + r[2]*r[2]), n = fmax(0, fmax(r[0], (r[0] + mu*slip)/(1 + mu*mu)));
	shorten(r + 1, 2, slip, mu*n);
	r[0] = n;
}

static void project_rolling(double mu, double mu_roll, double *r)
{
	double slip = sqrt(r[1]*r[1] + r[2]*r[2]), roll = sqrt(r[3]*r[3] + r[4]*r[4]);
	double n = fmax(0, fmax(r[0], (r[0] + mu*slip)/(1 + mu*mu)));
	n = fmax(n, (r[0] + mu_roll*roll)/(1 + mu_roll*mu_roll));
	n = fmax(n, (r[0] + mu*slip + mu_roll*roll)/(1 + mu*mu + mu_roll*mu_roll));
	shorten(r + 1, 2, slip, mu*n);
	shorten(r + 3, 2, roll, mu_roll*n);
	r[0] = n;
}

void delassus_project(int size, double mu, double mu_roll, double *r)
{
	if (size == 3)
		project_round(mu, r);
	else if (size == 2)
		project_flat(mu, r);
	else
		project_rolling(mu, mu_roll, r);
}
