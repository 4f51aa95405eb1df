// SPDX-License-Identifier: MIT
// From keys to rows, by hashing. The table holds rows + 1 in the order in which they came; where a row lies depends on
// who came first, what is found does not, so that any number of threads may fill it.
#ifndef TALUS_COLLIDE_TABLE_H
#define TALUS_COLLIDE_TABLE_H

#include "base/parallel.h"
#include "base/random.h"

#include <stdint.h>
#include <string.h>

typedef struct table {
	const uint64_t *key; // of the rows
	uint32_t *slot;      // row + 1, 0: empty
	size_t slots;
} table;

static inline size_t table_slots(size_t rows)
{
	return 2*rows + 1;
}

static inline size_t table_place(const table *t, uint64_t key)
{
	return (size_t)(((random_mix(key) >> 32)*t->slots) >> 32);
}

static inline size_t table_next(const table *t, size_t place)
{
	return place + 1 < t->slots ? place + 1 : 0;
}

static inline void table_clear(void *job, size_t first, size_t last)
{
	const table *t = job;
	memset(&t->slot[first], 0, (last - first)*sizeof *t->slot);
}

static inline void table_add(void *job, size_t first, size_t last)
{
	const table *t = job;
	for (size_t i = first; i < last; i++) {
		size_t place = table_place(t, t->key[i]);
		uint32_t empty = 0;
		while (!__atomic_compare_exchange_n(&t->slot[place], &empty, (uint32_t)i + 1, false, __ATOMIC_RELAXED,
		                                    __ATOMIC_RELAXED)) {
			place = table_next(t, place);
			empty = 0;
		}
	}
}

// `slot` has room for table_slots(rows).
static inline table table_make(const uint64_t *key, size_t rows, uint32_t *slot, parallel *team)
{
	table t = {key, slot, table_slots(rows)};
	parallel_for(team, t.slots, 1 << 14, table_clear, &t);
	parallel_for(team, rows, 1 << 12, table_add, &t);
	return t;
}

// The first row of several that may have this key, or -1.
static inline int64_t table_find_first(const table *t, uint64_t key)
{
	uint32_t first = 0;
	for (size_t place = table_place(t, key); t->slot[place]; place = table_next(t, place)) {
		uint32_t row = t->slot[place];
		if (t->key[row - 1] == key && (first == 0 || row < first))
			first = row;
	}
	return (int64_t)first - 1;
}

// The row, or -1, where no two have the same key.
static inline int64_t table_find(const table *t, uint64_t key)
{
	size_t place = table_place(t, key);
	while (t->slot[place] && t->key[t->slot[place] - 1] != key)
		place = table_next(t, place);
	return (int64_t)t->slot[place] - 1;
}

#endif
