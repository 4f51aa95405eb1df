// SPDX-License-Identifier: MIT
// The contact table, and how a contact finds its impulse of the last step: by the ids of its bodies, through a hash table.
#include "collide/collide.h"

#include "base/memory.h"
#include "base/random.h"

#include <string.h>

// Grain ids leave the top bit free. In the upper half of a key it says wall (then: wall, place of touch), in the
// lower half that the two grains meet the long way round a periodic cell.
static const uint32_t top_bit = 0x80000000u;

uint64_t contacts_key(uint32_t id_a, uint32_t id_b, bool around)
{
	return (uint64_t)id_a << 32 | id_b | (around ? top_bit : 0);
}

uint64_t contacts_wall_key(uint32_t id, uint32_t wall_index, int feature)
{
	return contacts_key(top_bit | wall_index << 2 | (uint32_t)feature, id, false);
}

int64_t contacts_body_a(uint64_t key)
{
	uint32_t a = (uint32_t)(key >> 32);
	return a & top_bit ? -1 - (int64_t)((a & ~top_bit) >> 2) : (int64_t)a;
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

void contacts_remember(contacts *c)
{
	if (c->count > c->old_capacity) {
		size_t capacity = memory_capacity(c->old_capacity, c->count);
		c->old_key = memory_grow(c->old_key, 0, capacity*sizeof *c->old_key);
		c->old_p = memory_grow(c->old_p, 0, capacity*sizeof *c->old_p);
		c->old_capacity = capacity;
	}
	size_t kept = 0; // one without impulse has nothing to tell
	for (size_t i = 0; i < c->count; i++) {
		vec3 p = c->contact[i].p;
		c->old_key[kept] = c->info[i].key;
		c->old_p[kept] = p;
		kept += p.x != 0 || p.y != 0 || p.z != 0;
	}
	c->old_count = kept;
}

static void index_old(contacts *c)
{
	size_t wanted = 16;
	while (wanted < 2*c->old_count)
		wanted *= 2;
	if (wanted > c->slots) {
		c->slot = memory_grow(c->slot, 0, wanted*sizeof *c->slot);
		c->slots = wanted;
	}
	memset(c->slot, 0, c->slots*sizeof *c->slot);
	for (size_t i = 0; i < c->old_count; i++) {
		size_t place = random_mix(c->old_key[i]) & (c->slots - 1);
		while (c->slot[place])
			place = (place + 1) & (c->slots - 1);
		c->slot[place] = (uint32_t)i + 1;
	}
}

void contacts_match(contacts *c)
{
	index_old(c);
	for (size_t i = 0; i < c->count; i++) {
		size_t place = random_mix(c->info[i].key) & (c->slots - 1);
		while (c->slot[place] && c->old_key[c->slot[place] - 1] != c->info[i].key)
			place = (place + 1) & (c->slots - 1);
		c->contact[i].p = c->slot[place] ? c->old_p[c->slot[place] - 1] : vec(0, 0, 0);
	}
}

void contacts_free(contacts *c)
{
	memory_free(c->contact);
	memory_free(c->info);
	memory_free(c->general);
	memory_free(c->old_key);
	memory_free(c->old_p);
	memory_free(c->slot);
	memset(c, 0, sizeof *c);
}
