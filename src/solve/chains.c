// SPDX-License-Identifier: MIT
// A loop over the batches of a stage has three of them on their way at a time, and to begin and to end takes it as long as some batches. If the first
// batches of every stage have their bodies in one half of all, and the last ones in the other, any stage may begin before any other
// has ended. Contacts of a stage come in an order in space, so it needs nothing but a look: in a problem that is cut, at the blocks, which share
// no body; in another one, at the lines of the bodies themselves, which lie as these do.
#include "solve/schedule.h"

enum { ENDS = KERNEL_JOINED*LANES };

// The first contact of its last batches.
static uint32_t last_ones(const stage *at)
{
	uint32_t batches = (at->all + LANES - 1)/LANES;
	return batches > KERNEL_JOINED ? (batches - KERNEL_JOINED)*LANES : 0;
}

void chains_note(stage *first, uint32_t stages, uint32_t block)
{
	for (stage *at = first; at < first + stages; at++) {
		uint32_t from = last_ones(at);
		at->head = at->put < ENDS ? block : at->head;
		at->tail = at->put <= from && at->count > from ? block : at->tail;
		at->put = at->count;
	}
}

static bool is_long(const stage *at)
{
	return at->count >= KERNEL_JOINED;
}

// Of the batches `first` to `last`: do bodies lie on one side of `middle`? What has a line for one contact alone lies behind all of them.
static bool on_one_side(const schedule *s, uint32_t first, uint32_t last, size_t middle, bool below, size_t movable)
{
	bool all = true;
	for (const batch *b = s->batch + first; b < s->batch + last; b++)
		for (int l = 0; l < LANES; l++) {
			size_t x = b->at[l].a/LINE, y = b->at[l].b/LINE;
			all &= x >= movable || (x < middle) == below;
			all &= y >= movable || (y < middle) == below;
		}
	return all;
}

static void look_at_lines(const schedule *s, stage *at, size_t movable)
{
	uint32_t end = at->first + at->count;
	at->opens = on_one_side(s, at->first, at->first + KERNEL_JOINED, movable/2, true, movable);
	at->closes = on_one_side(s, end - KERNEL_JOINED, end, movable/2, false, movable);
}

// The block at which half of the contacts are over.
static uint32_t middle_block(const schedule *s, const course *u)
{
	uint32_t b = u->block;
	while (b < u->block + u->blocks && 2*(bundles_visit(&s->cut, b) - u->visit) < u->visits)
		b++;
	return b;
}

void chains_find(const schedule *s, course *u, size_t movable)
{
	uint32_t middle = middle_block(s, u);
	u->plain = true;
	for (stage *at = s->stage + u->first; at < s->stage + u->first + u->stages; at++) {
		u->plain &= at->riches == 0 && at->generals == 0;
		at->opens = is_long(at) && at->head < middle;
		at->closes = is_long(at) && at->tail >= middle;
		if (is_long(at) && s->cut.count == 1)
			look_at_lines(s, at, movable);
	}
}
