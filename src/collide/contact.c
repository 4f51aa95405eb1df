// SPDX-License-Identifier: MIT
// The contact table, and how a contact finds its impulse of the last step: by the ids of its bodies, through a hash
// table. That is for a new pair list; as long as the list stays the same narrow.c knows a shorter way.
#include "collide/collide.h"

#include "collide/table.h"

#include <string.h>

// Grain ids leave the top bit free. In the upper half of a key it says wall (then: image of the wall, wall, place of
// touch), in the lower half that the two grains meet the long way round a periodic cell.
static const uint32_t top_bit = 0x80000000u;
enum { IMAGE_BITS = 28, IMAGES = 7, FEATURE_BITS = 2 };

uint64_t contacts_key(uint32_t id_a, uint32_t id_b, bool around)
{
	return (uint64_t)id_a << 32 | id_b | (around ? top_bit : 0);
}

uint64_t contacts_wall_key(uint32_t id, uint32_t wall_index, uint32_t image, int feature)
{
	return contacts_key(top_bit | image << IMAGE_BITS | wall_index << FEATURE_BITS | (uint32_t)feature, id, false);
}

uint32_t contacts_wall_image(uint64_t key)
{
	return (uint32_t)(key >> 32) >> IMAGE_BITS & IMAGES;
}

int64_t contacts_body_a(uint64_t key)
{
	uint32_t a = (uint32_t)(key >> 32);
	return a & top_bit ? -1 - (int64_t)((a & ((1u << IMAGE_BITS) - 1)) >> FEATURE_BITS) : (int64_t)a;
}

int64_t contacts_body_b(uint64_t key)
{
	return (int64_t)(key & UINT32_MAX & ~top_bit);
}

void contacts_reserve(contacts *c, size_t capacity)
{
	if (capacity <= c->capacity)
		return;
	capacity = memory_capacity(c->capacity, capacity);
	c->contact = memory_grow(c->contact, c->count*sizeof *c->contact, capacity*sizeof *c->contact);
	c->info = memory_grow(c->info, c->count*sizeof *c->info, capacity*sizeof *c->info);
	c->capacity = capacity;
}

void contacts_reserve_rich(contacts *c, size_t capacity)
{
	if (capacity <= c->rich_capacity)
		return;
	c->rich_capacity = memory_capacity(c->rich_capacity, capacity);
	c->rich = memory_grow(c->rich, 0, c->rich_capacity*sizeof *c->rich);
}

// ---------------------------------------------------------------- the last solution

enum { BLOCK = 1024 };

size_t contacts_memory_impulses(const contacts *c)
{
	return c->count*sizeof *c->old_p + (c->count - c->plain)*sizeof *c->old_past;
}

size_t contacts_memory(const contacts *c)
{
	return contacts_memory_impulses(c) + c->count*sizeof *c->old_key + table_slots(c->count)*sizeof *c->slot;
}

static void copy_keys(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	for (size_t i = first; i < last; i++)
		c->old_key[i] = c->info[i].key;
}

static void copy_impulses(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	for (size_t i = first; i < last; i++)
		c->old_p[i] = c->contact[i].p;
}

static void copy_pasts(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	for (size_t i = first; i < last; i++)
		c->old_past[i] = (contact_past){c->rich[i].q, c->info[c->plain + i].marks};
}

void contacts_remember_impulses(contacts *c, void *room, parallel *team)
{
	c->old_p = room;
	c->old_past = (contact_past *)(void *)(c->old_p + c->count);
	c->old_count = c->count;
	c->old_plain = c->plain;
	parallel_for(team, c->count, BLOCK, copy_impulses, c);
	parallel_for(team, c->count - c->plain, BLOCK, copy_pasts, c);
}

void contacts_remember(contacts *c, void *room, parallel *team)
{
	contacts_remember_impulses(c, room, team);
	c->old_key = (uint64_t *)(void *)(c->old_past + (c->count - c->plain));
	c->slot = (uint32_t *)(void *)(c->old_key + c->count);
	parallel_for(team, c->count, BLOCK, copy_keys, c);
}

typedef struct matching {
	contacts *contacts;
	table table;
} matching;

static void match(void *job, size_t first, size_t last)
{
	const matching *m = job;
	contacts *c = m->contacts;
	for (size_t i = first; i < last; i++) {
		// a pair that is near through several images has one key for all but the nearest
		int64_t old = table_find_first(&m->table, c->info[i].key);
		c->contact[i].p = old < 0 ? vec(0, 0, 0) : contacts_old_impulse(c, (size_t)old);
		if (i >= c->plain)
			contacts_set_past(c, i, old);
	}
}

void contacts_match(contacts *c, parallel *team)
{
	matching m = {c, table_make(c->old_key, c->old_count, c->slot, team)};
	parallel_for(team, c->count, BLOCK, match, &m);
}

void contacts_free(contacts *c)
{
	memory_free(c->contact);
	memory_free(c->info);
	memory_free(c->rich);
	memory_free(c->general);
	memory_free(c->first);
	memset(c, 0, sizeof *c);
}
