// SPDX-License-Identifier: MIT
// Means of series whose numbers depend on each other, and distances of distributions.
#ifndef TALUS_CLI_STATISTICS_H
#define TALUS_CLI_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mean_state {
	MEAN_SOUND,    // the error is one
	MEAN_GIVEN,    // one number all the time: known exactly, error 0
	MEAN_FEW,      // too few independent samples for an error
	MEAN_DRIFTING, // its two halves differ by more than chance allows: no mean of a steady state
	MEAN_NONE,     // there are no numbers
} mean_state;

typedef struct series_mean {
	mean_state state;
	size_t count; // numbers
	double mean, deviation;
	double error;       // of the mean: NAN unless it is sound or given
	double time;        // integrated autocorrelation time, in rows; NAN if it cannot be told
	double independent; // count/(2 time)
} series_mean;

// Numbers at equal distances in time; those that are NAN are left out.
enum { SERIES_LEAST = 20, INDEPENDENT_LEAST = 20 }; // below these there is no error
series_mean series_mean_of(const double *value, size_t count);

// Largest distance of two cumulative distributions (Kolmogorov and Smirnov); both must be sorted. NAN if one is empty.
double ks_distance(const double *a, size_t count_a, const double *b, size_t count_b);
double ks_limit(size_t count_a, size_t count_b); // exceeded in 5 % of the cases if both are drawn from one distribution
void numbers_sort(double *value, size_t count);

#endif
