// SPDX-License-Identifier: MIT
// Counter-based random numbers: number i of a stream is a function of (seed, stream, i) and of nothing else, so that it does
// not matter who draws it and when. The mixing function is that of SplitMix64 (Steele, Lea & Flood 2014).
#ifndef TALUS_BASE_RANDOM_H
#define TALUS_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_mix(uint64_t z)
{
	z = (z ^ (z >> 30))*0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27))*0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

// Who asks. A stream of its own for each, so that one user does not shift another one's numbers.
typedef enum random_user { RANDOM_ORDER = 1, RANDOM_FILL, RANDOM_POUR, RANDOM_BOXES, RANDOM_TURN, RANDOM_SOAK } random_user;

// A stream, to be made once per user and per two numbers of his choice (step and sweep, entry and try, ...).
static inline uint64_t random_stream(uint64_t seed, random_user user, uint64_t a, uint64_t b)
{
	uint64_t key = random_mix(seed + 0x9e3779b97f4a7c15u);
	key = random_mix(key ^ random_mix((uint64_t)user*0xd1342543de82ef95u + a));
	return random_mix(key ^ random_mix(b + 0x632be59bd9b4e019u));
}

static inline uint64_t random_bits(uint64_t stream, uint64_t i)
{
	return random_mix(stream + (i + 1)*0x9e3779b97f4a7c15u);
}

// Uniform in [0, 1).
static inline double random_unit(uint64_t stream, uint64_t i)
{
	return (double)(random_bits(stream, i) >> 11)*0x1p-53;
}

// Uniform in 0 .. n-1, by multiplication; no number is favoured by more than a share n/2^32.
static inline uint32_t random_below(uint64_t stream, uint64_t i, uint32_t n)
{
	return (uint32_t)(((random_bits(stream, i) >> 32)*n) >> 32);
}

#endif
