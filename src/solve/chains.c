// SPDX-License-Identifier: MIT
// A loop over the batches of a sweep level has three of them on their way at a time, and to begin and to end takes it as long as some batches. If the first
// batches of every sweep level have their bodies in one half of all, and the last ones in the other, any sweep level may begin before any other
// has ended. Contacts of a sweep level come in an order in space, so it needs nothing but a look: in a problem that is cut, at the blocks, which share
// no body; in another one, at the lines of the bodies themselves, which lie as these do.
#include "solve/schedule.h"

enum { ENDS = KERNEL_JOINED*LANES };

// The first contact of its last batches.
static uint32_t last_ones(const sweep_level *at)
{
	uint32_t batches = (at->all + LANES - 1)/LANES;
	return batches > KERNEL_JOINED ? (batches - KERNEL_JOINED)*LANES : 0;
}

void chains_note(sweep_level *first, uint32_t sweep_levels, uint32_t block)
{
	for (sweep_level *at = first; at < first + sweep_levels; at++) {
		uint32_t from = last_ones(at);
		at->head = at->put < ENDS ? block : at->head;
		at->tail = at->put <= from && at->of[TALUS_COULOMB].count > from ? block : at->tail;
		at->put = at->of[TALUS_COULOMB].count;
	}
}

static bool is_long(const sweep_level *at)
{
	return at->of[TALUS_COULOMB].count >= KERNEL_JOINED;
}

// Of the batches `first` to `last`: do bodies lie on one side of `middle`? What has a line for one contact alone lies behind all of them.
static bool on_one_side(const schedule *s, uint32_t first, uint32_t last, size_t middle, bool below, size_t movable)
{
	bool all = true;
	const batch *all_batches = s->of[TALUS_COULOMB].batch;
	for (const batch *b = all_batches + first; b < all_batches + last; b++)
		for (int l = 0; l < LANES; l++) {
			size_t x = b->at[l].a/LINE, y = b->at[l].b/LINE;
			all &= x >= movable || (x < middle) == below;
			all &= y >= movable || (y < middle) == below;
		}
	return all;
}

static void look_at_lines(const schedule *s, sweep_level *at, size_t movable)
{
	uint32_t first = at->of[TALUS_COULOMB].first, end = first + at->of[TALUS_COULOMB].count;
	at->opens = on_one_side(s, first, first + KERNEL_JOINED, movable/2, true, movable);
	at->closes = on_one_side(s, end - KERNEL_JOINED, end, movable/2, false, movable);
}

// The block at which half of the contacts are over.
static uint32_t middle_block(const schedule *s, const bundle *u)
{
	uint32_t b = u->block;
	while (b < u->block + u->blocks && 2*(bundles_visit(&s->cut, b) - u->visit) < u->visits)
		b++;
	return b;
}

void chains_find(const schedule *s, bundle *u, size_t movable)
{
	uint32_t middle = middle_block(s, u);
	u->chained = true;
	for (sweep_level *at = s->sweep_level + u->first; at < s->sweep_level + u->first + u->sweep_levels; at++) {
		for (int k = TALUS_COULOMB + 1; k < TALUS_CLASSES; k++)
			u->chained &= at->of[k].count == 0;
		at->opens = is_long(at) && at->head < middle;
		at->closes = is_long(at) && at->tail >= middle;
		if (is_long(at) && s->cut.count == 1)
			look_at_lines(s, at, movable);
	}
}
