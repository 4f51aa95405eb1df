// SPDX-License-Identifier: MIT
// The error of a mean of N numbers that follow each other is not s/sqrt(N) but
//   s sqrt(2 tau/N),  tau = 1/2 + sum over t = 1..W of rho(t),
// rho the autocorrelation. The sum must end before it is nothing but noise: at the first W >= 5 tau(W) (Sokal, Monte Carlo methods in
// statistical mechanics, 1989). That leaves out a little of it, and rho is taken about the mean of the series itself, which takes away
// more; the factor 1 + (2W + 1)/N gives the latter back (Wolff, Comput. Phys. Commun. 156, 143, 2004). Long series are first made
// shorter by means of neighbours, which changes neither the mean nor its error (Flyvbjerg & Petersen, J. Chem. Phys. 91, 461, 1989).
//
// Blocking alone, with its plateau found by a rule, was noisier for the few hundred rows that a log has.
#include "statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKED = 4096, WINDOW = 5 };

// ---------------------------------------------------------------- the mean of a series

static double mean_of(const double *value, size_t count)
{
	double sum = 0, rest = 0;
	for (size_t i = 0; i < count; i++)
		sum += value[i];
	double mean = sum/(double)count;
	for (size_t i = 0; i < count; i++) // what rounding has left
		rest += value[i] - mean;
	return mean + rest/(double)count;
}

// Of the deviations from the mean, at a distance.
static double covariance(const double *off, size_t count, size_t distance)
{
	double sum = 0;
	for (size_t i = distance; i < count; i++)
		sum += off[i]*off[i - distance];
	return sum/(double)(count - distance);
}

// Means of two neighbours each, from the end; an odd one at the start is left out.
static size_t halve(double *value, size_t count)
{
	size_t half = count/2, first = count%2;
	for (size_t i = 0; i < half; i++)
		value[i] = 0.5*(value[first + 2*i] + value[first + 2*i + 1]);
	return half;
}

// tau in numbers of the series; NAN if the sum does not end within a fifth of it.
static double correlation_time(const double *off, size_t count)
{
	double variance = covariance(off, count, 0), tau = 0.5;
	for (size_t w = 1; w <= count/5; w++) {
		tau += covariance(off, count, w)/variance;
		if ((double)w >= WINDOW*tau)
			return fmax(tau, 0.5)*(1 + (2.0*(double)w + 1)/(double)count);
	}
	return NAN;
}

// The halves of a steady series differ by two errors of its mean, give or take.
static bool drifts(const double *off, size_t count, double error)
{
	size_t half = count/2;
	return fabs(mean_of(off, half) - mean_of(off + half, count - half)) > 3*2*error;
}

static void error_find(series_mean *m, double *off, size_t count)
{
	while (count > BLOCKED)
		count = halve(off, count);
	double left = mean_of(off, count);
	for (size_t i = 0; i < count; i++)
		off[i] -= left;
	double error = sqrt(covariance(off, count, 0)*2*correlation_time(off, count)/(double)count);
	m->independent = m->deviation*m->deviation/(error*error);
	m->time = (double)m->count/(2*m->independent);
	if (!(m->independent >= INDEPENDENT_LEAST))
		return;
	m->state = drifts(off, count, error) ? MEAN_DRIFTING : MEAN_SOUND;
	if (m->state == MEAN_SOUND)
		m->error = error;
}

static size_t numbers_take(const double *value, size_t count, double *taken)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(value[i]))
			taken[n++] = value[i];
	return n;
}

series_mean series_mean_of(const double *value, size_t count)
{
	series_mean m = {.state = MEAN_NONE, .mean = NAN, .deviation = NAN, .error = NAN, .time = NAN, .independent = NAN};
	double *off = memory_grow(NULL, 0, (count + 1)*sizeof *off);
	m.count = numbers_take(value, count, off);
	if (m.count > 0) {
		m.state = MEAN_FEW;
		m.mean = mean_of(off, m.count);
		bool same = true;
		for (size_t i = 0; i < m.count; i++)
			same = same && off[i] == off[0];
		if (same)
			m.mean = off[0];
		for (size_t i = 0; i < m.count; i++)
			off[i] -= m.mean;
		m.deviation = sqrt(covariance(off, m.count, 0));
		if (same) {
			m.state = MEAN_GIVEN;
			m.error = 0;
		} else if (m.count >= SERIES_LEAST) {
			error_find(&m, off, m.count);
		}
	}
	memory_free(off);
	return m;
}

// ---------------------------------------------------------------- distributions

static int number_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void numbers_sort(double *value, size_t count)
{
	if (count > 0)
		qsort(value, count, sizeof *value, number_order);
}

double ks_distance(const double *a, size_t count_a, const double *b, size_t count_b)
{
	double most = 0;
	size_t i = 0, j = 0;
	if (count_a == 0 || count_b == 0)
		return NAN;
	while (i < count_a && j < count_b) {
		double x = fmin(a[i], b[j]);
		while (i < count_a && a[i] <= x)
			i++;
		while (j < count_b && b[j] <= x)
			j++;
		most = fmax(most, fabs((double)i/(double)count_a - (double)j/(double)count_b));
	}
	return most;
}

// 1.358 is where Kolmogorov's distribution has 5 % left.
double ks_limit(size_t count_a, size_t count_b)
{
	if (count_a == 0 || count_b == 0)
		return NAN;
	return 1.358*sqrt(1/(double)count_a + 1/(double)count_b);
}
