// SPDX-License-Identifier: MIT
// The broad phase: candidate pairs (a Verlet list with a skin for each grain) by a hierarchy of cell lists (hash_grid.h). Two grains of one level are found among neighbouring cells of that
// level; a small and a large one by looking from the small one into the large one's level.
#include "collide/collide.h"
#include "base/parallel.h"

#include "base/totals.h"
#include "state/bodies.h"
#include "collide/hash_grid.h"
#include "state/wall.h"

// ---------------------------------------------------------------- pairs

typedef struct search {
	const world_state *st;
	const grid *grid;
	pair_part *out;
} search;

static void add_pair(pair_part *out, uint32_t a, uint32_t b, uint32_t image)
{
	if (out->count == out->capacity) {
		out->capacity = memory_capacity(out->capacity, out->count + 1);
		out->pair = memory_grow(out->pair, out->count*sizeof *out->pair, out->capacity*sizeof *out->pair);
	}
	out->pair[out->count++] = a < b ? (pair){a, b, image} : (pair){b, a, 26 - image};
}

// Entry i against the entries from first to last.
static inline void try_range(const search *s, uint32_t i, uint32_t first, uint32_t last, uint32_t image)
{
	const grid *g = s->grid;
	vec3 from = g->ball[i].x, shift = s->st->cell.shift[image];
	double size = g->ball[i].size;
	s->out->tried += last - first;
	for (uint32_t j = first; j < last; j++) {
		vec3 d = sub(add(g->ball[j].x, shift), from);
		double near = size + g->ball[j].size;
		if (!(dot(d, d) < near*near))
			continue;
		uint32_t a = g->entry[i].index, b = g->entry[j].index;
		if (a != b && (s->st->bodies.free[a] || s->st->bodies.free[b]))
			add_pair(s->out, a, b, image);
	}
}

// Moves a coordinate by one of -1, 0, 1. Adds to the image when it goes round a periodic cell.
static void neighbour(const level *l, const bool periodic[3], const int32_t c[3], int offset, int32_t to[3], uint32_t *image)
{
	static const uint32_t weight[3] = {1, 3, 9};
	int step[3] = {offset%3 - 1, offset/3%3 - 1, offset/9 - 1};
	*image = CELL_NO_IMAGE;
	for (int k = 0; k < 3; k++) {
		to[k] = c[k] + step[k];
		if (to[k] < 0) {
			to[k] += l->cells[k];
			*image -= periodic[k] ? weight[k] : 0;
		} else if (to[k] >= l->cells[k]) {
			to[k] -= l->cells[k];
			*image += periodic[k] ? weight[k] : 0;
		}
	}
}

static void pairs_of_level(const search *s, size_t c, int32_t depth, const int32_t at[3])
{
	const grid *g = s->grid;
	uint32_t first = g->cell_start[c], last = g->cell_start[c + 1];
	for (uint32_t i = first; i < last; i++)
		try_range(s, i, i + 1, last, CELL_NO_IMAGE);
	for (int offset = 14; offset < (g->dimension == 2 ? 18 : 27); offset++) { // half of the neighbours
		int32_t to[3];
		uint32_t image;
		neighbour(&g->level[depth], s->st->cell.periodic, at, offset, to, &image);
		int64_t other = table_find(&g->table, key_of(depth, to));
		for (uint32_t i = first; other >= 0 && i < last; i++)
			try_range(s, i, g->cell_start[other], g->cell_start[other + 1], image);
	}
}

static void pairs_with_larger(const search *s, size_t c, int32_t depth)
{
	const grid *g = s->grid;
	int first = g->dimension == 2 ? 9 : 0, last = g->dimension == 2 ? 18 : 27;
	for (int32_t d = 0; d < depth; d++) {
		if (!g->level[d].used)
			continue;
		for (uint32_t i = g->cell_start[c]; i < g->cell_start[c + 1]; i++) {
			int32_t at[3], to[3];
			uint32_t image;
			hash_grid_coordinates(&g->level[d], &s->st->cell, g->ball[i].x, at);
			for (int offset = first; offset < last; offset++) {
				neighbour(&g->level[d], s->st->cell.periodic, at, offset, to, &image);
				int64_t other = table_find(&g->table, key_of(d, to));
				if (other >= 0)
					try_range(s, i, g->cell_start[other], g->cell_start[other + 1], image);
			}
		}
	}
}

typedef struct hunt {
	const world_state *st;
	pair_list *list;
	const vec3 *x;
	parallel *team;
} hunt;

// The first cell of a thread: each gets about as many grains.
static size_t first_cell(const grid *g, size_t grains, const parallel *team, int thread)
{
	size_t target = hash_grid_share(grains, team, thread), low = 0, high = g->cells;
	while (low < high) {
		size_t middle = (low + high)/2;
		if (g->cell_start[middle] < target)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void make_balls(void *job, size_t first, size_t last)
{
	const hunt *h = job;
	const grid *g = h->list->grid;
	const bodies *b = &h->st->bodies;
	for (size_t i = first; i < last; i++) {
		uint32_t row = g->entry[i].index;
		g->ball[i] = (ball){h->x[row], b->radius[row] + b->skin[row]};
	}
}

static void find_share(void *job, int thread)
{
	const hunt *h = job;
	grid *g = h->list->grid;
	pair_part out = g->part[thread];
	search s = {h->st, g, &out};
	out.count = out.tried = 0;
	size_t last = first_cell(g, h->st->bodies.count, h->team, thread + 1);
	for (size_t c = first_cell(g, h->st->bodies.count, h->team, thread); c < last; c++) {
		int32_t at[3], depth = key_depth(g->cell_key[c]);
		key_coordinates(g->cell_key[c], at);
		pairs_of_level(&s, c, depth, at);
		pairs_with_larger(&s, c, depth);
	}
	g->part[thread] = out;
}

// To its place in the list. The first thread's are there already.
static void join_share(void *job, int thread)
{
	const hunt *h = job;
	const grid *g = h->list->grid;
	size_t at = 0;
	for (int t = 0; t < thread; t++)
		at += g->part[t].count;
	if (thread > 0 && g->part[thread].count)
		memcpy(&h->list->pair[at], g->part[thread].pair, g->part[thread].count*sizeof(pair));
}

static void reserve_parts(grid *g, int threads)
{
	if (threads <= g->parts)
		return;
	size_t old = (size_t)g->parts*sizeof *g->part, size = (size_t)threads*sizeof *g->part;
	g->part = memory_grow(g->part, old, size);
	memset((char *)g->part + old, 0, size - old);
	g->parts = threads;
}

// Each thread looks from cells of its own, that lie side by side, so that the list is the same for any number of them.
static void find_pairs(const world_state *st, pair_list *list, const vec3 *x)
{
	grid *g = list->grid;
	hunt h = {st, list, x, hash_grid_team(st)};
	int threads = parallel_threads(h.team);
	reserve_parts(g, threads);
	parallel_for(h.team, st->bodies.count, PARALLEL_BLOCK, make_balls, &h);
	g->part[0] = (pair_part){.capacity = list->capacity, .pair = list->pair};
	parallel_run(h.team, find_share, &h);
	size_t count = 0, capacity = g->part[0].capacity;
	list->tried = 0;
	for (int t = 0; t < threads; t++) {
		count += g->part[t].count;
		list->tried += g->part[t].tried;
	}
	list->pair = g->part[0].pair;
	if (count > capacity) {
		capacity = memory_capacity(capacity, count);
		list->pair = memory_grow(list->pair, g->part[0].count*sizeof *list->pair, capacity*sizeof *list->pair);
	}
	g->part[0].pair = NULL; // the list's own
	parallel_run(h.team, join_share, &h);
	if (capacity > list->capacity || !list->state)
		list->state = memory_grow(list->state, 0, capacity);
	list->capacity = capacity;
	list->count = count;
}

// ---------------------------------------------------------------- pairs with walls

typedef struct wall_hunt {
	const world_state *st;
	pair_list *list;
	const vec3 *x;
	size_t blocks;
	uint32_t *at; // per wall and block of grains: how many pairs, then where they begin
} wall_hunt;

static bool is_near(const wall_hunt *h, size_t i, const wall *w, unsigned image)
{
	const bodies *b = &h->st->bodies;
	touch touches[WALL_TOUCHES];
	if (!b->free[i] && !wall_is_piston(w))
		return false;
	vec3 to = wall_image(w, &h->st->cell, h->x[i], b->image[i], image);
	return wall_touch(w, to, h->st->def.dimension, h->x[i], b->radius[i], b->skin[i] + w->skin, touches);
}

static size_t block_end(const wall_hunt *h, size_t block)
{
	return (block + 1)*PARALLEL_BLOCK < h->st->bodies.count ? (block + 1)*PARALLEL_BLOCK : h->st->bodies.count;
}

static void count_wall_pairs(void *job, size_t first, size_t last)
{
	const wall_hunt *h = job;
	for (size_t block = first; block < last; block++)
		for (int w = 0; w < h->st->walls.count; w++) {
			uint32_t count = 0;
			unsigned image = 0;
			for (size_t i = block*PARALLEL_BLOCK; i < block_end(h, block); i++)
				do
					count += is_near(h, i, &h->st->walls.at[w], image);
				while (wall_next_image(&h->st->walls.at[w], &image));
			h->at[(size_t)w*h->blocks + block] = count;
		}
}

static void write_wall_pairs(void *job, size_t first, size_t last)
{
	const wall_hunt *h = job;
	const pair_list *list = h->list;
	for (size_t block = first; block < last; block++)
		for (int w = 0; w < h->st->walls.count; w++) {
			const uint32_t *at = &h->at[(size_t)w*h->blocks + block];
			uint32_t to = at[0];
			unsigned image = 0;
			for (size_t i = block*PARALLEL_BLOCK; to < at[1]; i++) // most blocks have none
				do
					if (is_near(h, i, &h->st->walls.at[w], image))
						list->wall[to++] = (wall_pair){(uint32_t)i, (uint32_t)w, image};
				while (wall_next_image(&h->st->walls.at[w], &image));
		}
}

// Wall by wall, in the order of the grains; for each the images of the wall.
static void find_wall_pairs(const world_state *st, pair_list *list, const vec3 *x)
{
	wall_hunt h = {.st = st, .list = list, .x = x, .blocks = (st->bodies.count + PARALLEL_BLOCK - 1)/PARALLEL_BLOCK};
	size_t cells = h.blocks*(size_t)st->walls.count;
	uint32_t sum = 0;
	h.at = memory_borrow(st->pool, (cells + 1)*sizeof *h.at);
	parallel_for(st->team, h.blocks, 1, count_wall_pairs, &h);
	for (size_t k = 0; k < cells; k++) {
		uint32_t count = h.at[k];
		h.at[k] = sum;
		sum += count;
	}
	h.at[cells] = sum;
	if (sum > list->wall_capacity || !list->wall) {
		list->wall_capacity = memory_capacity(list->wall_capacity, sum);
		list->wall = memory_grow(list->wall, 0, list->wall_capacity*sizeof *list->wall);
		list->wall_state = memory_grow(list->wall_state, 0, list->wall_capacity*sizeof *list->wall_state);
	}
	list->wall_count = sum;
	parallel_for(st->team, h.blocks, 1, write_wall_pairs, &h);
}

// ---------------------------------------------------------------- the list

// In a cell that deforms: beside the deformation; and as much as two that were just too far apart have come closer by it.
static double moved_in_flow(const world_state *st, size_t i)
{
	const bodies *b = &st->bodies;
	vec3 origin = st->cell.origin, was = sub(b->x_listed[i], origin), is = sub(b->x[i], origin);
	double strain = 0;
	for (int k = 0; k < 9; k++) {
		double change = st->cell.carry[k/3][k%3] - (k%4 == 0);
		strain += change*change;
	}
	return norm(sub(is, cell_apply(st->cell.carry, was))) + sqrt(strain)*(b->radius[i] + b->skin[i]);
}

typedef struct progress { // how far bodies have come since the list was made, and may come
	const world_state *st;
	const approach *ahead;
} progress;

// By how much more than its skin a grain could have come by the end of the step.
static double excess(const progress *p, size_t i)
{
	const bodies *b = &p->st->bodies;
	double moved = norm(sub(b->x[i], b->x_listed[i]));
	if (p->st->cell_deforms)
		moved = moved_in_flow(p->st, i);
	return moved + approach_reach(p->ahead, p->st, &p->ahead->motion[i]) - b->skin[i];
}

static double wall_excess(const progress *p, int w)
{
	const wall *at = &p->st->walls.at[w];
	return at->moved + approach_wall_reach(p->ahead, p->st, w) - at->skin;
}

// The two that have run farthest beyond.
static void find_farthest(void *job, size_t first, size_t last, double *value)
{
	const progress *p = job;
	value[0] = value[1] = -INFINITY;
	for (size_t i = first; i < last; i++) {
		double more = excess(p, i) - 0.5*p->ahead->margin;
		if (more > value[0])
			value[1] = value[0], value[0] = more;
		else if (more > value[1])
			value[1] = more;
	}
}

static void join_farthest(double *total, const double *value)
{
	double low = total[0] < value[0] ? total[0] : value[0];
	total[0] = total[0] > value[0] ? total[0] : value[0];
	total[1] = fmax(low, fmax(total[1], value[1]));
}

// Could two grains that are not on the list have met, with the velocities that the solve has found?
bool grid_overrun(const world_state *st, const approach *ahead)
{
	progress p = {st, ahead};
	double farthest[2] = {-INFINITY, -INFINITY};
	parallel_reduce(st->team, st->bodies.count, 2, find_farthest, join_farthest, &p, farthest);
	for (int w = 0; w < st->walls.count; w++)
		farthest[1] = fmax(farthest[1], wall_excess(&p, w));
	return farthest[0] + farthest[1] > 0;
}

static void count_used_up(void *job, size_t first, size_t last, totals_part *part)
{
	for (size_t i = first; i < last; i++)
		part->count[0] += !(excess(job, i) <= 0);
}

// The cuts between blocks must not stay where they are for long.
static bool cuts_are_old(const world_state *st, const pair_list *list)
{
	enum { STEPS_PER_CUT = 16 };
	return list->long_enough && st->step - list->made_at >= STEPS_PER_CUT;
}

bool grid_used_up(const world_state *st, const approach *ahead, const pair_list *list)
{
	progress p = {st, ahead};
	if (list->stale || (st->cell_deforms && cuts_are_old(st, list)))
		return true;
	for (int w = 0; w < st->walls.count; w++)
		if (!(wall_excess(&p, w) <= 0))
			return true;
	return totals_of(st->team, st->bodies.count, 0, count_used_up, &p).count[0] > 0;
}

typedef struct choosing {
	const world_state *st;
	const approach *ahead;
	double *skin, half; // per grain; of one at rest
} choosing;

// Room to move a fraction of a radius; for those who are faster, to run for ten steps, unless that is a long way, and for three in any case.
static void choose_grain_skins(void *job, size_t first, size_t last)
{
	const choosing *c = job;
	double half = c->half, long_way = 4*half;
	for (size_t i = first; i < last; i++) {
		double reach = approach_reach(c->ahead, c->st, &c->ahead->motion[i]);
		double way = 10*reach < long_way ? 10*reach : 3*reach > long_way ? 3*reach : long_way;
		c->skin[i] = way > half ? way : half;
	}
}

static void choose_skins(world_state *st, const approach *ahead, pair_list *list)
{
	double half = 0.15*bodies_mean_radius(&st->bodies, st->team);
	list->skin = 2*half;
	choosing c = {st, ahead, st->bodies.skin, half};
	parallel_for(st->team, st->bodies.count, PARALLEL_BLOCK, choose_grain_skins, &c);
	for (int w = 0; w < st->walls.count; w++)
		st->walls.at[w].skin = fmax(half, 3*approach_wall_reach(ahead, st, w));
}

// Every so many lists the grains themselves are put in the order of their cells, together with their solver bodies.
static void sort_bodies(world_state *st, approach *ahead, pair_list *list)
{
	grid *g = list->grid;
	size_t n = st->bodies.count;
	entry *lowest = g->entry < g->spare ? g->entry : g->spare; // both go: the cells remain
	uint32_t *order = (uint32_t *)(void *)((char *)lowest + n*sizeof(talus_solver_body));
	parallel *team = hash_grid_team(st);
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		order[i] = g->entry[i].index;
	bodies_reorder(&st->bodies, order, lowest, team);
	bodies_reorder_column(ahead->motion, sizeof(talus_solver_body), n, order, lowest, team);
	if (ahead->kicked)
		bodies_reorder_column(ahead->kick, sizeof *ahead->kick, n, order, lowest, team);
	g->entry = lowest;
	for (size_t i = 0; i < n; i++)
		g->entry[i].index = (uint32_t)i;
	list->sorted_at = list->builds;
}

static void wrap(void *job, size_t first, size_t last)
{
	world_state *st = job;
	bodies *b = &st->bodies;
	for (size_t i = first; i < last; i++)
		b->x[i] = cell_wrap(&st->cell, b->x[i], b->image[i]);
}

static void note_places(void *job, size_t first, size_t last)
{
	bodies *b = job;
	memcpy(&b->x_listed[first], &b->x[first], (last - first)*sizeof *b->x);
}

// The list no longer goes with the contacts of the last step.
static void cut_list(const world_state *st, pair_list *list, const vec3 *x)
{
	divide_list(st, list, x);
	memset(list->state, 0, list->count);
	memset(list->wall_state, 0, list->wall_count*sizeof *list->wall_state);
	list->followed = false;
}

static void make_list(const world_state *st, pair_list *list, const vec3 *x)
{
	find_pairs(st, list, x);
	find_wall_pairs(st, list, x);
	list->longest = 4*list->grid->top; // both may have come as far again as they were looked for
	cut_list(st, list, x);
}

// The pairs are the same, and so are the places by which they are cut; in a cell that deforms nobody knows where these were.
void grid_cut(const world_state *st, pair_list *list)
{
	if (!cuts_are_old(st, list) || st->cell_deforms)
		return;
	list->made_at = st->step;
	cut_list(st, list, st->bodies.x_listed);
}

void grid_build(world_state *st, approach *ahead, pair_list *list)
{
	enum { BUILDS_PER_SORT = 16 };
	bodies *b = &st->bodies;
	hash_grid_make(list);
	if (cell_any(&st->cell))
		parallel_for(st->team, b->count, PARALLEL_BLOCK, wrap, st);
	st->mean_radius = bodies_mean_radius(b, st->team);
	state_refresh(st);
	approach_refresh(ahead, st);
	choose_skins(st, ahead, list);
	hash_grid_sort(st, list, b->x);
	if (list->builds == 0 || list->builds - list->sorted_at >= BUILDS_PER_SORT)
		sort_bodies(st, ahead, list);
	list->made_at = st->step;
	make_list(st, list, b->x);
	memcpy(st->cell.listed, st->cell.h, sizeof st->cell.h);
	cell_carry(&st->cell, st->cell.carry);
	parallel_for(st->team, b->count, PARALLEL_BLOCK, note_places, b);
	for (int i = 0; i < st->walls.count; i++) {
		wall *w = &st->walls.at[i];
		w->moved = 0;
		w->shift_listed = w->shift;
		w->angle_listed = w->angle;
	}
	list->stale = false;
	list->builds++;
}

// Walls change places with themselves when the list was made.
static void turn_back_walls(world_state *st)
{
	for (int i = 0; i < st->walls.count; i++) {
		wall *w = &st->walls.at[i];
		vec3 shift = w->shift;
		double angle = w->angle;
		w->shift = w->shift_listed;
		w->angle = w->angle_listed;
		w->shift_listed = shift;
		w->angle_listed = angle;
		wall_place(w);
	}
}

void grid_restore(world_state *st, approach *ahead, pair_list *list)
{
	cell now = st->cell;
	memcpy(st->cell.h, now.listed, sizeof now.h);
	cell_update(&st->cell);
	hash_grid_make(list);
	if (st->mean_radius == 0) // older files do not have it; it was summed up before the last sort
		st->mean_radius = bodies_mean_radius(&st->bodies, st->team);
	state_refresh(st);
	approach_refresh(ahead, st);
	hash_grid_sort(st, list, st->bodies.x_listed);
	turn_back_walls(st);
	make_list(st, list, st->bodies.x_listed);
	turn_back_walls(st);
	st->cell = now;
	cell_carry(&st->cell, st->cell.carry);
}

static void grid_free(grid *g)
{
	if (!g)
		return;
	for (int t = 0; t < g->parts; t++)
		memory_free(g->part[t].pair);
	memory_free(g->part);
	memory_free(g);
}

void pairs_free(pair_list *list)
{
	grid_free(list->grid);
	memory_free(list->pair);
	memory_free(list->state);
	memory_free(list->wall);
	memory_free(list->wall_state);
	memory_free(list->blocks.pair);
	memory_free(list->blocks.wall);
	memory_free(list->blocks.name);
	memory_free(list->cells);
}
