// SPDX-License-Identifier: MIT
// Who goes when. The random sweep is a fresh permutation (Fisher & Yates, built from the front) from counter-based
// numbers, so that sweep s of step t is the same whenever and wherever it is drawn.
#include "solve/solve.h"

#include "base/random.h"

void order_fill(uint32_t *order, size_t count, talus_order kind, uint64_t seed, uint64_t step, uint64_t sweep)
{
	uint64_t stream = random_stream(seed, RANDOM_ORDER, step, sweep);
	switch (kind) {
	case TALUS_ORDER_RANDOM:
		for (uint32_t i = 0; i < count; i++) {
			uint32_t j = random_below(stream, i, i + 1);
			order[i] = order[j];
			order[j] = i;
		}
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
