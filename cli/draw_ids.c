// SPDX-License-Identifier: MIT
// A sorted table of ids: they may have holes, where grains have been removed.
#include "draw_ids.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct entry {
	uint32_t id;
	size_t row;
} entry;

struct id_table {
	size_t count;
	entry *entry;
};

static int by_id(const void *a, const void *b)
{
	uint32_t x = ((const entry *)a)->id, y = ((const entry *)b)->id;
	return (x > y) - (x < y);
}

id_table *ids_make(const frame *f)
{
	id_table *ids = memory_grow(NULL, 0, sizeof *ids);
	ids->count = f->grains;
	ids->entry = memory_grow(NULL, 0, (f->grains + 1)*sizeof *ids->entry);
	for (size_t i = 0; i < f->grains; i++)
		ids->entry[i] = (entry){f->id[i], i};
	qsort(ids->entry, ids->count, sizeof *ids->entry, by_id);
	return ids;
}

void ids_free(id_table *ids)
{
	memory_free(ids->entry);
	memory_free(ids);
}

size_t ids_row(const id_table *ids, int64_t body)
{
	if (body < 0 || body > UINT32_MAX)
		return NO_ROW;
	entry key = {(uint32_t)body, 0};
	const entry *found = bsearch(&key, ids->entry, ids->count, sizeof key, by_id);
	return found ? found->row : NO_ROW;
}
