// SPDX-License-Identifier: MIT
// The contact table, and how a contact finds its impulse of the last step (warm start): by the ids of its bodies, through a hash
// table. That is for a new pair list; as long as the list stays the same narrow.c knows a shorter way.
#include "collide/collide.h"
#include "base/parallel.h"

#include "base/random.h"
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
	c->p = memory_grow(c->p, c->count*sizeof *c->p, capacity*sizeof *c->p);
	c->capacity = capacity;
}

void contacts_reserve_torques(contacts *c, size_t capacity)
{
	c->q = memory_room(c->q, &c->torque_capacity, capacity, sizeof *c->q);
	if (c->stride > 0)
		c->memory = memory_room(c->memory, &c->memory_capacity, capacity*c->stride, sizeof *c->memory);
}

// ---------------------------------------------------------------- the last solution

size_t contacts_memory_impulses(const contacts *c)
{
	return c->count*sizeof *c->old_p + (c->count - c->class_end[TALUS_COULOMB])*(sizeof *c->old_past + c->stride*sizeof *c->old_memory);
}

size_t contacts_memory(const contacts *c)
{
	size_t features = c->featured ? c->count*sizeof *c->old_feature : 0;
	return contacts_memory_impulses(c) + c->count*sizeof *c->old_name + table_slots(c->count)*sizeof *c->slot + features;
}

// What is looked up: the key, and where a pair has several contacts the feature, too. The mix can be undone, so no two keys
// have the same name with the same feature.
static inline uint64_t name_of(const talus_contact *c)
{
	return c->feature ? random_mix(c->key ^ random_mix(c->feature)) : c->key;
}

static void copy_names(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	for (size_t i = first; i < last; i++)
		c->old_name[i] = name_of(&c->contact[i]);
	for (size_t i = first; c->old_feature && i < last; i++)
		c->old_feature[i] = c->contact[i].feature;
}

static void copy_pasts(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	for (size_t i = first; i < last; i++)
		c->old_past[i] = (contact_past){c->q[i], c->contact[c->class_end[TALUS_COULOMB] + i].flags};
	if (c->stride > 0)
		memcpy(c->old_memory + first*c->stride, c->memory + first*c->stride, (last - first)*c->stride*sizeof *c->memory);
}

static void copy_impulses(void *job, size_t first, size_t last)
{
	const contacts *c = job;
	if (last > first)
		memcpy(c->old_p + first, c->p + first, (last - first)*sizeof *c->p);
}

void contacts_remember_impulses(contacts *c, void *room, parallel *team)
{
	c->old_p = room;
	c->old_past = (contact_past *)(void *)(c->old_p + c->count);
	c->old_memory = (double *)(void *)(c->old_past + (c->count - c->class_end[TALUS_COULOMB]));
	c->old_count = c->count;
	c->old_plain = c->class_end[TALUS_COULOMB];
	parallel_for(team, c->count, PARALLEL_BLOCK, copy_impulses, c);
	parallel_for(team, c->count - c->class_end[TALUS_COULOMB], PARALLEL_BLOCK, copy_pasts, c);
}

void contacts_remember(contacts *c, void *room, parallel *team)
{
	contacts_remember_impulses(c, room, team);
	c->old_name = (uint64_t *)(void *)(c->old_memory + (c->count - c->class_end[TALUS_COULOMB])*c->stride);
	c->slot = (uint32_t *)(void *)(c->old_name + c->count);
	c->old_feature = c->featured ? c->slot + table_slots(c->count) : NULL;
	parallel_for(team, c->count, PARALLEL_BLOCK, copy_names, c);
}

typedef struct matching {
	contacts *contacts;
	table table;
} matching;

// A pair that is near through several images has one key for all but the nearest: the first of them counts.
static inline int64_t find_old(const matching *m, const talus_contact *c)
{
	const uint32_t *feature = m->contacts->old_feature;
	const table *t = &m->table;
	uint64_t name = name_of(c);
	if (!feature)
		return c->feature ? -1 : table_find_first(t, name);
	uint32_t first = 0;
	for (size_t place = table_place(t, name); t->slot[place]; place = table_next(t, place)) {
		uint32_t row = t->slot[place];
		if (t->key[row - 1] == name && feature[row - 1] == c->feature && (first == 0 || row < first))
			first = row;
	}
	return (int64_t)first - 1;
}

static void match(void *job, size_t first, size_t last)
{
	const matching *m = job;
	contacts *c = m->contacts;
	for (size_t i = first; i < last; i++) {
		int64_t old = find_old(m, &c->contact[i]);
		c->p[i] = old < 0 ? vec(0, 0, 0) : contacts_old_impulse(c, (size_t)old);
		if (i >= c->class_end[TALUS_COULOMB])
			contacts_set_past(c, i, old);
	}
}

void contacts_match(contacts *c, parallel *team)
{
	matching m = {c, table_make(c->old_name, c->old_count, c->slot, team)};
	parallel_for(team, c->count, PARALLEL_BLOCK, match, &m);
}

void contacts_free(contacts *c)
{
	memory_free(c->contact);
	memory_free(c->p);
	memory_free(c->q);
	memory_free(c->memory);
	memory_free(c->first);
	memset(c, 0, sizeof *c);
}
