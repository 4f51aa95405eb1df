// SPDX-License-Identifier: MIT
// Columns of grains. Everything that treats all columns alike goes through one table of them.
#include "state/bodies.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/totals.h"

#include "state/cell.h"
#include "state/shape.h"

#include <math.h>
#include <string.h>

#define COLUMN(member, numbers, body_type) \
	.name = #member, .offset = offsetof(bodies, member), .type = body_type, .width = numbers
const body_column body_columns[BODY_COLUMNS] = {
	{COLUMN(x, 3, BODY_REAL), .meaning = "position of the centre", .unit = "L", .frame = "position", .no_grain = NAN,
	 .hashed = true},
	{COLUMN(v, 3, BODY_REAL), .meaning = "velocity; in a cell that deforms relative to the background", .unit = "L/T",
	 .frame = "velocity", .hashed = true},
	{COLUMN(spin, 3, BODY_REAL), .meaning = "angular velocity", .unit = "1/T", .frame = "spin", .hashed = true},
	{COLUMN(force, 3, BODY_REAL), .meaning = "constant force on it, at its centre", .unit = "M L/T^2"},
	{COLUMN(q, 4, BODY_REAL), .meaning = "orientation, a unit quaternion, scalar first", .unit = "", .start = {1},
	 .frame = "orientation", .hashed = true},
	{COLUMN(radius, 1, BODY_REAL), .meaning = "radius", .unit = "L", .frame = "radius", .hashed = true},
	{COLUMN(mass, 1, BODY_REAL), .meaning = "mass", .unit = "M"},
	{COLUMN(inertia, 1, BODY_REAL), .meaning = "moment of inertia", .unit = "M L^2"},
	{COLUMN(id, 1, BODY_U32), .meaning = "identity; never given twice", .unit = "", .frame = "id", .no_grain = -1},
	{COLUMN(image, 3, BODY_I32), .meaning = "how often it was wrapped, per direction", .unit = "", .frame = "image"},
	{COLUMN(material, 1, BODY_U16), .meaning = "its material, in the order of the scene", .unit = "",
	 .frame = "material", .no_grain = -1},
	{COLUMN(free, 1, BODY_U8), .meaning = "motions that it is allowed, TALUS_FREE_...", .unit = ""},
	{COLUMN(x_listed, 3, BODY_REAL), .meaning = "where it was when the pair list was made", .unit = "L"},
	{COLUMN(skin, 1, BODY_REAL), .meaning = "how far it may get from there before a new list is due", .unit = "L"},
};
_Static_assert(sizeof *((bodies *)0)->q == BODIES_WIDEST, "the widest column");
_Static_assert(offsetof(bodies, steady) == offsetof(bodies, x) + BODY_COLUMNS*sizeof(void *), "a column of bodies that the table does not have");
_Static_assert(sizeof(bodies) == offsetof(bodies, steady) + sizeof(void *), "`steady` alone has no row: it is not there between runs");

size_t body_column_bytes(const body_column *c)
{
	static const size_t bytes[] = {[BODY_REAL] = 8, [BODY_U32] = 4, [BODY_I32] = 4, [BODY_U16] = 2, [BODY_U8] = 1};
	return bytes[c->type]*(size_t)c->width;
}

void *body_column_rows(const bodies *b, const body_column *c)
{
	void *rows;
	memcpy(&rows, (const char *)b + c->offset, sizeof rows);
	return rows;
}

static void rows_set(bodies *b, const body_column *c, void *rows)
{
	memcpy((char *)b + c->offset, &rows, sizeof rows);
}

static void number_put(void *row, const body_column *c, int k, double number)
{
	switch (c->type) {
	case BODY_REAL: ((double *)row)[k] = number; break;
	case BODY_U32: ((uint32_t *)row)[k] = (uint32_t)number; break;
	case BODY_I32: ((int32_t *)row)[k] = (int32_t)number; break;
	case BODY_U16: ((uint16_t *)row)[k] = (uint16_t)number; break;
	case BODY_U8: ((uint8_t *)row)[k] = (uint8_t)number; break;
	}
}

void body_column_start(const bodies *b, const body_column *c, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		for (int k = 0; k < c->width; k++)
			number_put((char *)body_column_rows(b, c) + i*body_column_bytes(c), c, k, c->start[k]);
}

void bodies_reserve(bodies *b, size_t capacity)
{
	if (capacity <= b->capacity)
		return;
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++) {
		size_t row = body_column_bytes(c);
		rows_set(b, c, memory_grow(body_column_rows(b, c), b->count*row, capacity*row));
	}
	if (b->steady)
		b->steady = memory_grow(b->steady, b->count*sizeof *b->steady, capacity*sizeof *b->steady);
	b->capacity = capacity;
}

uint32_t bodies_add(bodies *b, const talus_grain_def *def, int dimension, double density)
{
	if (b->count == b->capacity)
		bodies_reserve(b, memory_capacity(b->capacity, b->count + 1));
	size_t i = b->count++;
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		body_column_start(b, c, i, i + 1);
	b->x[i] = b->x_listed[i] = def->at;
	b->v[i] = def->velocity;
	b->spin[i] = def->spin;
	b->force[i] = def->force;
	b->radius[i] = def->radius;
	b->mass[i] = density*shape_volume(dimension, def->radius);
	b->inertia[i] = shape_inertia(dimension, b->mass[i], def->radius);
	b->id[i] = b->next_id++;
	b->material[i] = (uint16_t)def->material;
	b->free[i] = (uint8_t)def->free;
	if (b->steady)
		b->steady[i] = def->force;
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
	parallel_for(team, count, PARALLEL_BLOCK, gather, &(move){room, rows, size, order});
	parallel_for(team, count, PARALLEL_BLOCK, copy, &(move){rows, room, size, order});
}

void bodies_reorder(bodies *b, const uint32_t *order, void *room, parallel *team)
{
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		bodies_reorder_column(body_column_rows(b, c), body_column_bytes(c), b->count, order, room, team);
	if (b->steady)
		bodies_reorder_column(b->steady, sizeof *b->steady, b->count, order, room, team);
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

static void copy_row(bodies *b, size_t to, size_t from)
{
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS && to < from; c++) {
		char *rows = body_column_rows(b, c);
		size_t row = body_column_bytes(c);
		memcpy(rows + to*row, rows + from*row, row);
	}
	if (b->steady)
		b->steady[to] = b->steady[from];
}

size_t bodies_remove_outside(bodies *b, const talus_box *box, const cell *around, int dimension, parallel *team)
{
	border o = {b, box, around, cell_any(around), dimension};
	if (totals_of(team, b->count, 0, count_outside, &o).count[0] == 0) // almost always
		return 0;
	size_t kept = 0;
	for (size_t i = 0; i < b->count; i++)
		if (!is_outside(&o, i))
			copy_row(b, kept++, i);
	size_t removed = b->count - kept;
	b->count = kept;
	return removed;
}

size_t bodies_remove_marked(bodies *b, const uint8_t *marked)
{
	size_t kept = 0;
	for (size_t i = 0; i < b->count; i++)
		if (!marked[i])
			copy_row(b, kept++, i);
	size_t removed = b->count - kept;
	b->count = kept;
	return removed;
}

void bodies_keep_steady(bodies *b, bool keep)
{
	if (keep == (b->steady != NULL))
		return;
	memory_free(b->steady);
	b->steady = keep ? memory_grow(NULL, 0, (b->capacity ? b->capacity : 1)*sizeof *b->steady) : NULL;
	if (keep && b->count)
		memcpy(b->steady, b->force, b->count*sizeof *b->force);
}

void bodies_free(bodies *b)
{
	for (const body_column *c = body_columns; c < body_columns + BODY_COLUMNS; c++)
		memory_free(body_column_rows(b, c));
	memory_free(b->steady);
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
