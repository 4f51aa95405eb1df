// SPDX-License-Identifier: MIT
// The order of the visits in a sweep. A random order is a permutation (Fisher & Yates) from counter-based numbers, so that sweep s of step t is the
// same whenever and wherever it is drawn.
#include "solve/solve.h"

#include "base/random.h"

void order_shuffle(uint32_t *order, size_t count, uint64_t stream)
{
	for (size_t i = count; i > 1; i--) {
		uint32_t j = random_below(stream, i, (uint32_t)i), last = order[i - 1];
		order[i - 1] = order[j];
		order[j] = last;
	}
}

// Built from the front, so that what comes out does not have to be there before.
static void fill_shuffled(uint32_t *order, size_t count, uint64_t stream)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t j = random_below(stream, i, i + 1);
		order[i] = order[j];
		order[j] = i;
	}
}

void order_fill(uint32_t *order, size_t count, talus_order kind, uint64_t seed, uint64_t step, uint64_t sweep)
{
	uint64_t stream = random_stream(seed, RANDOM_ORDER, step, sweep);
	switch (kind) {
	case TALUS_ORDER_SHUFFLED:
	case TALUS_ORDER_RANDOM:
		fill_shuffled(order, count, stream);
		break;
	case TALUS_ORDER_RANDOM_SEQUENTIAL:
		for (uint32_t i = 0; i < count; i++)
			order[i] = random_below(stream, i, (uint32_t)count);
		break;
	case TALUS_ORDER_SEQUENTIAL:
	case TALUS_ORDER_PARALLEL:
		for (uint32_t i = 0; i < count; i++)
			order[i] = i;
		break;
	}
}
