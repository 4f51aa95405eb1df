// SPDX-License-Identifier: MIT
// Columns of grains. Everything that treats all columns alike goes through one table of them.
#include "state/bodies.h"

#include "base/memory.h"
#include "base/totals.h"

#include "state/cell.h"
#include "state/shape.h"

#include <string.h>

typedef struct column {
	size_t offset, size;
} column;

#define COLUMN(name) {offsetof(bodies, name), sizeof *((bodies *)0)->name}
static const column columns[] = {
	COLUMN(x),      COLUMN(v),       COLUMN(spin), COLUMN(force), COLUMN(q),        COLUMN(radius), COLUMN(mass),
	COLUMN(inertia), COLUMN(id),     COLUMN(image), COLUMN(material), COLUMN(free), COLUMN(x_listed), COLUMN(skin),
};
enum { COLUMNS = sizeof columns/sizeof columns[0], BLOCK = 1024 };
_Static_assert(sizeof *((bodies *)0)->q == BODIES_WIDEST, "the widest column");

static char *column_get(const bodies *b, int c)
{
	char *block;
	memcpy(&block, (const char *)b + columns[c].offset, sizeof block);
	return block;
}

static void column_set(bodies *b, int c, char *block)
{
	memcpy((char *)b + columns[c].offset, &block, sizeof block);
}

void bodies_reserve(bodies *b, size_t capacity)
{
	if (capacity <= b->capacity)
		return;
	for (int c = 0; c < COLUMNS; c++)
		column_set(b, c, memory_grow(column_get(b, c), b->count*columns[c].size, capacity*columns[c].size));
	b->capacity = capacity;
}

uint32_t bodies_add(bodies *b, const talus_grain_def *def, int dimension, double density)
{
	if (b->count == b->capacity)
		bodies_reserve(b, memory_capacity(b->capacity, b->count + 1));
	size_t i = b->count++;
	b->x[i] = b->x_listed[i] = def->at;
	b->v[i] = def->velocity;
	b->spin[i] = def->spin;
	b->force[i] = def->force;
	b->q[i][0] = 1;
	b->q[i][1] = b->q[i][2] = b->q[i][3] = 0;
	b->radius[i] = def->radius;
	b->mass[i] = density*shape_volume(dimension, def->radius);
	b->inertia[i] = shape_inertia(dimension, b->mass[i], def->radius);
	b->id[i] = b->next_id++;
	b->image[i][0] = b->image[i][1] = b->image[i][2] = 0;
	b->material[i] = (uint16_t)def->material;
	b->free[i] = (uint8_t)def->free;
	b->skin[i] = 0;
	return b->id[i];
}

// ---------------------------------------------------------------- another order

typedef struct move {
	char *to;
	const char *from;
	size_t size;
	const uint32_t *order;
} move;

static void gather(void *job, size_t first, size_t last)
{
	const move *m = job;
	for (size_t i = first; i < last; i++)
		memcpy(m->to + i*m->size, m->from + m->order[i]*m->size, m->size);
}

static void copy(void *job, size_t first, size_t last)
{
	const move *m = job;
	memcpy(m->to + first*m->size, m->from + first*m->size, (last - first)*m->size);
}

void bodies_reorder_column(void *rows, size_t size, size_t count, const uint32_t *order, void *room, parallel *team)
{
	parallel_for(team, count, BLOCK, gather, &(move){room, rows, size, order});
	parallel_for(team, count, BLOCK, copy, &(move){rows, room, size, order});
}

void bodies_reorder(bodies *b, const uint32_t *order, void *room, parallel *team)
{
	for (int c = 0; c < COLUMNS; c++)
		bodies_reorder_column(column_get(b, c), columns[c].size, b->count, order, room, team);
}

// ---------------------------------------------------------------- leaving

typedef struct border {
	const bodies *bodies;
	const talus_box *box;
	const cell *around;
	bool wraps;
	int dimension;
} border;

static bool is_outside(const border *o, size_t i)
{
	int32_t image[3] = {0, 0, 0};
	vec3 x = o->wraps ? cell_wrap(o->around, o->bodies->x[i], image) : o->bodies->x[i];
	const talus_box *box = o->box;
	return !(x.x >= box->low.x && x.x <= box->high.x && x.y >= box->low.y && x.y <= box->high.y &&
	         (o->dimension == 2 || (x.z >= box->low.z && x.z <= box->high.z)));
}

static void count_outside(void *job, size_t first, size_t last, totals_part *part)
{
	for (size_t i = first; i < last; i++)
		part->count[0] += is_outside(job, i);
}

size_t bodies_remove_outside(bodies *b, const talus_box *box, const cell *around, int dimension, parallel *team)
{
	border o = {b, box, around, cell_any(around), dimension};
	if (totals_of(team, b->count, 0, count_outside, &o).count[0] == 0) // almost always
		return 0;
	size_t kept = 0;
	for (size_t i = 0; i < b->count; i++) {
		if (is_outside(&o, i))
			continue;
		for (int c = 0; c < COLUMNS && kept < i; c++) {
			char *block = column_get(b, c);
			memcpy(block + kept*columns[c].size, block + i*columns[c].size, columns[c].size);
		}
		kept++;
	}
	size_t removed = b->count - kept;
	b->count = kept;
	return removed;
}

void bodies_free(bodies *b)
{
	for (int c = 0; c < COLUMNS; c++)
		memory_free(column_get(b, c));
	memset(b, 0, sizeof *b);
}

static void add_radii(void *job, size_t first, size_t last, totals_part *part)
{
	const bodies *b = job;
	memcpy(part->term[0], b->radius + first, (last - first)*sizeof *b->radius);
}

double bodies_mean_radius(const bodies *b, parallel *team)
{
	return b->count ? totals_of(team, b->count, 1, add_radii, (void *)b).sum[0]/(double)b->count : 0;
}

bool bodies_partly_locked(const bodies *b, size_t i, int dimension)
{
	unsigned all = TALUS_FREE_X | TALUS_FREE_Y | (dimension == 3 ? TALUS_FREE_Z : 0);
	unsigned free = b->free[i] & all;
	return free != 0 && free != all;
}
