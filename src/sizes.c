// SPDX-License-Identifier: MIT
// Distributions of radii. A sieve curve tells the share of mass below a diameter s; the number of grains goes with mass over
// s^D, so within a segment of the curve the diameters are drawn with density s^-D and the segments with its integral.
#include "sizes.h"

#include "base/random.h"

#include <assert.h>
#include <math.h>

static const double two_pi = 6.28318530717958647693;

static double normal(uint64_t stream, uint64_t *counter) // Box & Muller
{
	double u = 1 - random_unit(stream, (*counter)++), phase = random_unit(stream, (*counter)++);
	return sqrt(-2*log(u))*cos(two_pi*phase);
}

// Integral of s^-D from `low` to `high`.
static double weight(int dimension, double low, double high)
{
	return dimension == 2 ? 1/low - 1/high : 0.5*(1/(low*low) - 1/(high*high));
}

// The diameter at which that integral, from `low` on, has come to `part`.
static double diameter_at(int dimension, double low, double part)
{
	return dimension == 2 ? 1/(1/low - part) : 1/sqrt(1/(low*low) - 2*part);
}

static double segment(const talus_sizes *s, int i, int dimension)
{
	double mass = s->passing[i + 1] - s->passing[i];
	return mass/(s->opening[i + 1] - s->opening[i])*weight(dimension, s->opening[i], s->opening[i + 1]);
}

static double sieve(const talus_sizes *s, int dimension, double share, double within)
{
	double total = 0;
	int i;
	for (i = 0; i + 1 < s->points; i++)
		total += segment(s, i, dimension);
	double left = share*total;
	for (i = 0; i + 2 < s->points && left >= segment(s, i, dimension); i++)
		left -= segment(s, i, dimension);
	double low = s->opening[i], high = s->opening[i + 1];
	return 0.5*fmin(high, diameter_at(dimension, low, within*weight(dimension, low, high)));
}

double sizes_draw(const talus_sizes *s, int dimension, uint64_t stream, uint64_t *counter)
{
	double r;
	assert(s->most > s->least || (s->kind != TALUS_SIZE_NORMAL && s->kind != TALUS_SIZE_LOGNORMAL));
	switch (s->kind) {
	case TALUS_SIZE_CONSTANT:
		return s->a;
	case TALUS_SIZE_UNIFORM:
		return s->a + (s->b - s->a)*random_unit(stream, (*counter)++);
	case TALUS_SIZE_NORMAL:
		do
			r = s->a + s->b*normal(stream, counter);
		while (r < s->least || r > s->most);
		return r;
	case TALUS_SIZE_LOGNORMAL:
		do
			r = s->a*exp(s->b*normal(stream, counter));
		while (r < s->least || r > s->most);
		return r;
	case TALUS_SIZE_SIEVE:
		r = random_unit(stream, (*counter)++);
		return sieve(s, dimension, r, random_unit(stream, (*counter)++));
	}
	return s->a;
}

double sizes_most(const talus_sizes *s)
{
	switch (s->kind) {
	case TALUS_SIZE_UNIFORM:
		return s->b;
	case TALUS_SIZE_NORMAL:
	case TALUS_SIZE_LOGNORMAL:
		return s->most;
	case TALUS_SIZE_SIEVE:
		return 0.5*s->opening[s->points - 1];
	default:
		return s->a;
	}
}
