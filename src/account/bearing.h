// SPDX-License-Identifier: MIT
// How many contacts carry a force on each grain, in the last step.
#ifndef TALUS_ACCOUNT_BEARING_H
#define TALUS_ACCOUNT_BEARING_H

#include "collide/contacts.h"
#include "state/state.h"

typedef struct bearing {
	size_t count, capacity;
	uint8_t *at; // per grain
} bearing;

void bearing_count(bearing *bearing, const world_state *state, const contacts *contacts); // after the solve

// Grains that have come since then bear nothing yet.
static inline uint8_t bearing_of(const bearing *b, size_t grain)
{
	return grain < b->count ? b->at[grain] : 0;
}

#endif
