// SPDX-License-Identifier: MIT
// Grains sorted into cells, for grid.c. A grain lives on the level whose cells are just large enough for it: the top
// level has cells of the largest diameter plus skin, each further level half of that. Cells are kept in the order of
// their keys and found through a hash table, so that neither a wide size distribution nor a grain that flew far away
// costs more than its own work.
#include "collide/hash_grid.h"

#include "base/totals.h"

#include "base/memory.h"

#include <string.h>

enum { ENOUGH = 4096 }; // grains that are worth another thread

grid *hash_grid_make(pair_list *list)
{
	if (!list->grid) {
		list->grid = memory_grow(NULL, 0, sizeof *list->grid);
		memset(list->grid, 0, sizeof *list->grid);
	}
	return list->grid;
}

parallel *hash_grid_team(const world_state *st)
{
	return st->bodies.count >= ENOUGH ? st->team : NULL;
}

// The first of the `count` things that belong to a thread.
size_t hash_grid_share(size_t count, const parallel *team, int thread)
{
	return count*(size_t)thread/(size_t)parallel_threads(team);
}

// ---------------------------------------------------------------- levels

// Along an open direction the grid repeats itself after a million cells: who shares a cell with somebody far away is
// told apart by distance, and nobody's place is special.
void hash_grid_coordinates(const level *l, const cell *box, vec3 x, int32_t c[3])
{
	vec3 f = cell_any(box) ? cell_fraction(box, x) : x;
	for (int k = 0; k < 3; k++) {
		double value = floor((box->periodic[k] ? component(f, k) : component(x, k))*l->per_length[k]);
		if (!(value >= 0 && value < l->cells[k]))
			value -= l->cells[k]*floor(value/l->cells[k]);
		c[k] = value > 0 && value < l->cells[k] ? (int32_t)value : 0;
	}
}

// A fast grain has a wide skin and counts as a large one.
static double size_of(const bodies *b, size_t i)
{
	return 2*(b->radius[i] + b->skin[i]);
}

static void find_largest(void *job, size_t first, size_t last, totals_part *part)
{
	const bodies *b = job;
	for (size_t i = first; i < last; i++)
		part->most[0] = size_of(b, i) > part->most[0] ? size_of(b, i) : part->most[0];
}

static int32_t depth_of(double top, double size)
{
	int32_t depth = 0;
	while (depth < KEY_DEPTHS - 1 && 0.5*top >= size) {
		top *= 0.5;
		depth++;
	}
	return depth;
}

static void make_levels(grid *g, const world_state *st)
{
	double size = g->top;
	for (int d = 0; d < KEY_DEPTHS; d++, size *= 0.5) {
		level *l = &g->level[d];
		l->used = false;
		for (int k = 0; k < 3; k++) {
			bool periodic = st->cell.periodic[k];
			double height = periodic ? cell_height(&st->cell, k) : INFINITY;
			l->cells[k] = (int32_t)fmax(1, fmin(floor(height/size), 1 << KEY_BITS));
			l->per_length[k] = periodic ? l->cells[k] : 1/size;
		}
	}
}

// ---------------------------------------------------------------- sorting

typedef struct sorting {
	const world_state *st;
	pair_list *list;
	const vec3 *x;
	parallel *team;
	uint32_t (*count)[256]; // per thread: keys by a byte of theirs
	uint64_t *varied;       // per thread: bits in which keys differ from the first one; then a bit for each depth
	size_t *cells;          // per thread: how many begin in its share
} sorting;

static void make_keys(const sorting *s, int thread)
{
	const bodies *b = &s->st->bodies;
	grid *g = s->list->grid;
	size_t last = hash_grid_share(b->count, s->team, thread + 1);
	for (size_t i = hash_grid_share(b->count, s->team, thread); i < last; i++) {
		int32_t c[3], depth = depth_of(g->top, size_of(b, i));
		hash_grid_coordinates(&g->level[depth], &s->st->cell, s->x[i], c);
		g->entry[i] = (entry){key_of(depth, c), (uint32_t)i};
	}
}

static uint64_t bits_that_vary(const sorting *s, int thread)
{
	const grid *g = s->list->grid;
	size_t n = s->st->bodies.count, last = hash_grid_share(n, s->team, thread + 1);
	uint64_t varied = 0;
	for (size_t i = hash_grid_share(n, s->team, thread); i < last; i++)
		varied |= g->entry[i].key ^ g->entry[0].key;
	s->varied[thread] = varied;
	parallel_barrier(s->team);
	for (int t = 0; t < parallel_threads(s->team); t++)
		varied |= s->varied[t];
	return varied;
}

// One pass: stable, by one byte. A thread moves its share to behind what smaller bytes and earlier shares need.
static void sort_by_byte(const sorting *s, int thread, const entry *from, entry *to, int shift)
{
	size_t n = s->st->bodies.count, first = hash_grid_share(n, s->team, thread), last = hash_grid_share(n, s->team, thread + 1);
	uint32_t *count = s->count[thread], offset[256], sum = 0;
	memset(count, 0, sizeof s->count[thread]);
	for (size_t i = first; i < last; i++)
		count[from[i].key >> shift & 255]++;
	parallel_barrier(s->team);
	for (int k = 0; k < 256; k++)
		for (int t = 0; t < parallel_threads(s->team); t++) {
			if (t == thread)
				offset[k] = sum;
			sum += s->count[t][k];
		}
	for (size_t i = first; i < last; i++)
		to[offset[from[i].key >> shift & 255]++] = from[i];
	parallel_barrier(s->team);
}

static bool begins_cell(const entry *e, size_t i)
{
	return i == 0 || e[i].key != e[i - 1].key;
}

static void make_cells(const sorting *s, int thread, const entry *e)
{
	grid *g = s->list->grid;
	size_t n = s->st->bodies.count, first = hash_grid_share(n, s->team, thread), last = hash_grid_share(n, s->team, thread + 1);
	size_t cells = 0, at = 0;
	uint64_t depths = 0;
	for (size_t i = first; i < last; i++)
		cells += begins_cell(e, i);
	s->cells[thread] = cells;
	parallel_barrier(s->team);
	for (int t = 0; t < thread; t++)
		at += s->cells[t];
	for (size_t i = first; i < last; i++)
		if (begins_cell(e, i)) {
			depths |= UINT64_C(1) << key_depth(e[i].key);
			g->cell_key[at] = e[i].key;
			g->cell_start[at++] = (uint32_t)i;
		}
	s->varied[thread] = depths;
}

static void sort_share(void *job, int thread)
{
	const sorting *s = job;
	grid *g = s->list->grid;
	entry *from = g->entry, *to = g->spare;
	make_keys(s, thread);
	parallel_barrier(s->team);
	uint64_t varied = bits_that_vary(s, thread);
	for (int shift = 0; shift < 64; shift += 8) {
		if (!(varied >> shift & 255))
			continue;
		sort_by_byte(s, thread, from, to, shift);
		entry *swap = from;
		from = to;
		to = swap;
	}
	make_cells(s, thread, from);
	parallel_barrier(s->team);
	if (thread == 0) {
		g->entry = from;
		g->spare = to;
	}
}

static void *carve(char **at, size_t size)
{
	void *piece = *at;
	*at += (size + 63)/64*64;
	return piece;
}

// What sorting the grains moves through takes the place of the entries and of the balls, which are made afterwards.
static size_t room_for_rows(size_t n)
{
	return n*(sizeof(talus_solver_body) + sizeof(uint32_t));
}

static void borrow_arrays(const world_state *st, pair_list *list, sorting *s)
{
	grid *g = list->grid;
	size_t n = st->bodies.count, threads = (size_t)parallel_threads(s->team);
	size_t grains = n*(2*sizeof(entry) + sizeof(ball)) + 3*64, lists = n*sizeof *g->cell_key + (n + 1)*sizeof *g->cell_start;
	size_t tail = grains > room_for_rows(n) ? grains : room_for_rows(n);
	size_t each = sizeof *s->count + sizeof *s->varied + sizeof *s->cells;
	size_t table_size = table_slots(n)*sizeof *g->slot;
	char *at = memory_borrow(st->pool, lists + table_size + threads*each + tail + 6*64);
	s->count = carve(&at, threads*sizeof *s->count);
	s->varied = carve(&at, threads*sizeof *s->varied);
	s->cells = carve(&at, threads*sizeof *s->cells);
	g->cell_key = carve(&at, n*sizeof *g->cell_key);
	g->cell_start = carve(&at, (n + 1)*sizeof *g->cell_start);
	g->slot = carve(&at, table_size);
	g->entry = carve(&at, n*sizeof(entry));
	g->spare = carve(&at, n*sizeof(entry));
	g->ball = carve(&at, n*sizeof(ball));
}

void hash_grid_sort(const world_state *st, pair_list *list, const vec3 *x)
{
	grid *g = list->grid;
	size_t n = st->bodies.count;
	sorting s = {.st = st, .list = list, .x = x, .team = hash_grid_team(st)};
	borrow_arrays(st, list, &s);
	g->dimension = st->def.dimension;
	g->top = fmax(0, totals_of(s.team, n, 0, find_largest, (void *)&st->bodies).most[0]);
	make_levels(g, st);
	parallel_run(s.team, sort_share, &s);
	g->cells = 0;
	for (int t = 0; t < parallel_threads(s.team); t++) {
		g->cells += s.cells[t];
		for (int d = 0; d < KEY_DEPTHS; d++)
			g->level[d].used |= s.varied[t] >> d & 1;
	}
	g->cell_start[g->cells] = (uint32_t)n;
	g->table = table_make(g->cell_key, g->cells, g->slot, s.team);
}
