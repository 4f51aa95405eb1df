// SPDX-License-Identifier: MIT
// Distributions of radii. A sieve curve tells the share of mass below a diameter s; the number of grains goes with mass over
// s^D, so within a segment of the curve the diameters are drawn with density s^-D and the segments with its integral.
#include "arrive/sizes.h"

#include "base/random.h"

#include <assert.h>
#include <math.h>

static double share_below(double z) // of a normal distribution
{
	return 0.5*erfc(-z/sqrt(2));
}

// A normal number, given to lie between two values: by halving, so that one random number is enough however narrow or
// far out they are.
static double normal_between(double low, double high, double share)
{
	double wanted = share_below(low) + share*(share_below(high) - share_below(low));
	for (int i = 0; i < 60; i++) {
		double middle = 0.5*(low + high);
		*(share_below(middle) < wanted ? &low : &high) = middle;
	}
	return 0.5*(low + high);
}

static double within(double r, const talus_sizes *s)
{
	return fmin(fmax(r, s->least), s->most);
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

static double sieve(const talus_sizes *s, int dimension, double share, double part)
{
	double total = 0;
	int i;
	for (i = 0; i + 1 < s->points; i++)
		total += segment(s, i, dimension);
	double left = share*total;
	for (i = 0; i + 2 < s->points && left >= segment(s, i, dimension); i++)
		left -= segment(s, i, dimension);
	double low = s->opening[i], high = s->opening[i + 1];
	return 0.5*fmin(high, diameter_at(dimension, low, part*weight(dimension, low, high)));
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
		r = normal_between((s->least - s->a)/s->b, (s->most - s->a)/s->b, random_unit(stream, (*counter)++));
		return within(s->a + s->b*r, s);
	case TALUS_SIZE_LOGNORMAL:
		r = normal_between(log(s->least/s->a)/s->b, log(s->most/s->a)/s->b, random_unit(stream, (*counter)++));
		return within(s->a*exp(s->b*r), s);
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

double sizes_least(const talus_sizes *s)
{
	switch (s->kind) {
	case TALUS_SIZE_NORMAL:
	case TALUS_SIZE_LOGNORMAL:
		return s->least;
	case TALUS_SIZE_SIEVE:
		return 0.5*s->opening[0];
	default:
		return s->a;
	}
}
