// SPDX-License-Identifier: MIT
// Who is held: how many contacts carry a force on each grain.
#include "account/bearing.h"

#include "base/memory.h"
#include "collide/collide.h"

#include <string.h>

enum { ENOUGH = 4096 }; // contacts that are worth another thread

// Each thread counts for a share of the contacts, in a row of its own; then the rows are added up.
typedef struct tally {
	const contacts *contacts;
	parallel *team;
	size_t grains;
	uint8_t *own;  // of the first thread, and the result
	uint8_t *rows; // of the others
} tally;

static void bump(uint8_t *count)
{
	*count = (uint8_t)(*count + (*count < UINT8_MAX));
}

static void count_contacts(const tally *t, uint8_t *count, size_t first, size_t last)
{
	const contacts *all = t->contacts;
	memset(count, 0, t->grains);
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &all->contact[i];
		if (!contacts_active(all, i))
			continue;
		bump(&count[c->b]);
		if (c->wall == NO_WALL)
			bump(&count[c->a]);
	}
}

static void add_row(uint8_t *sum, const uint8_t *row, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned both = (unsigned)sum[i] + row[i];
		sum[i] = (uint8_t)(both < UINT8_MAX ? both : UINT8_MAX);
	}
}

static void tally_share(void *job, int thread)
{
	const tally *t = job;
	size_t me = (size_t)thread, threads = (size_t)parallel_threads(t->team), all = t->contacts->count;
	uint8_t *count = me ? t->rows + (me - 1)*t->grains : t->own;
	count_contacts(t, count, all*me/threads, all*(me + 1)/threads);
	parallel_barrier(t->team);
	size_t first = t->grains*me/threads, last = t->grains*(me + 1)/threads;
	for (size_t k = 0; k + 1 < threads; k++)
		add_row(t->own + first, t->rows + k*t->grains + first, last - first);
}

void bearing_count(bearing *b, const world_state *st, const contacts *c)
{
	size_t n = st->bodies.count;
	if (n > b->capacity) {
		b->capacity = memory_capacity(b->capacity, n);
		b->at = memory_grow(b->at, 0, b->capacity);
	}
	b->count = n;
	if (n == 0)
		return;
	tally t = {.contacts = c, .grains = n, .own = b->at};
	t.team = c->count >= ENOUGH ? st->team : NULL;
	t.rows = memory_borrow(st->pool, n*(size_t)(parallel_threads(t.team) - 1));
	parallel_run(t.team, tally_share, &t);
}
