// SPDX-License-Identifier: MIT
// Candidate pairs by a hierarchy of cell lists. A grain lives on the level whose cells are just large enough for it:
// the top level has cells of the largest diameter plus skin, each further level half of that. Two grains of one level
// are found among neighbouring cells of that level; a small and a large one by looking from the small one into the
// large one's level. Cells are kept sorted along a Morton curve and found through a hash table, so that neither a
// wide size distribution nor a grain that flew far away costs more than its own work.
#include "collide/collide.h"

#include "base/memory.h"
#include "base/random.h"
#include "body.h"
#include "cell.h"
#include "wall.h"

#include <string.h>

enum { LEVELS = 16, COORDINATE_BITS = 20 };

typedef struct level {
	bool used;
	double per_length[3]; // coordinate = (fraction or position) * per_length
	int32_t cells[3];     // number along a direction: what is beyond comes in again on the other side
} level;

typedef struct entry {
	uint64_t key;
	uint32_t index;
} entry;

struct grid {
	size_t capacity;
	entry *entry, *spare;     // grains in the order of their cells
	size_t cells, cell_capacity;
	uint64_t *cell_key;
	uint32_t *cell_start;     // cells + 1
	size_t slots;
	uint32_t *slot;           // hash table key -> cell + 1
	level level[LEVELS];
	int32_t deepest;
	int dimension;
};

// ---------------------------------------------------------------- keys

static uint64_t spread(uint64_t v) // 20 bits to every third bit
{
	v = (v | v << 32) & 0x001f00000000ffffu;
	v = (v | v << 16) & 0x001f0000ff0000ffu;
	v = (v | v << 8) & 0x100f00f00f00f00fu;
	v = (v | v << 4) & 0x10c30c30c30c30c3u;
	return (v | v << 2) & 0x1249249249249249u;
}

static uint64_t compact(uint64_t v)
{
	v &= 0x1249249249249249u;
	v = (v | v >> 2) & 0x10c30c30c30c30c3u;
	v = (v | v >> 4) & 0x100f00f00f00f00fu;
	v = (v | v >> 8) & 0x001f0000ff0000ffu;
	v = (v | v >> 16) & 0x001f00000000ffffu;
	return (v | v >> 32) & 0xfffffu;
}

static uint64_t key_of(int32_t depth, const int32_t c[3])
{
	return (uint64_t)depth << 60 | spread((uint32_t)c[0]) | spread((uint32_t)c[1]) << 1 | spread((uint32_t)c[2]) << 2;
}

// Along an open direction the grid repeats itself after a million cells: who shares a cell with somebody far away is
// told apart by distance, and nobody's place is special.
static void coordinates(const level *l, const cell *box, vec3 x, int32_t c[3])
{
	vec3 f = cell_any(box) ? cell_fraction(box, x) : x;
	for (int k = 0; k < 3; k++) {
		double value = floor((box->periodic[k] ? component(f, k) : component(x, k))*l->per_length[k]);
		value -= l->cells[k]*floor(value/l->cells[k]);
		c[k] = value > 0 && value < l->cells[k] ? (int32_t)value : 0;
	}
}

// ---------------------------------------------------------------- levels

// A fast grain has a wide skin and counts as a large one.
static double size_of(const bodies *b, size_t i)
{
	return 2*(b->radius[i] + b->skin[i]);
}

static double largest_size(const bodies *b)
{
	double most = 0;
	for (size_t i = 0; i < b->count; i++)
		most = fmax(most, size_of(b, i));
	return most;
}

static int32_t depth_of(double top, double size)
{
	int32_t depth = 0;
	while (depth < LEVELS - 1 && 0.5*top >= size) {
		top *= 0.5;
		depth++;
	}
	return depth;
}

static void make_levels(grid *g, const talus_world *world, double top)
{
	double size = top;
	for (int d = 0; d < LEVELS; d++, size *= 0.5) {
		level *l = &g->level[d];
		l->used = false;
		for (int k = 0; k < 3; k++) {
			bool periodic = world->cell.periodic[k];
			double height = periodic ? cell_height(&world->cell, k) : INFINITY;
			l->cells[k] = (int32_t)fmax(1, fmin(floor(height/size), 1 << COORDINATE_BITS));
			l->per_length[k] = periodic ? l->cells[k] : 1/size;
		}
	}
}

// ---------------------------------------------------------------- sorting

static void grid_reserve(grid *g, size_t count)
{
	if (count <= g->capacity && g->capacity > 0)
		return;
	size_t capacity = memory_capacity(g->capacity, count);
	g->entry = memory_grow(g->entry, 0, capacity*sizeof *g->entry);
	g->spare = memory_grow(g->spare, 0, capacity*sizeof *g->spare);
	g->cell_key = memory_grow(g->cell_key, 0, capacity*sizeof *g->cell_key);
	g->cell_start = memory_grow(g->cell_start, 0, (capacity + 1)*sizeof *g->cell_start);
	g->capacity = capacity;
}

// Stable, by bytes; a byte that all keys share is skipped.
static void sort_entries(grid *g, size_t n)
{
	for (int shift = 0; shift < 64; shift += 8) {
		size_t count[257] = {0};
		for (size_t i = 0; i < n; i++)
			count[(g->entry[i].key >> shift & 255) + 1]++;
		if (n == 0 || count[(g->entry[0].key >> shift & 255) + 1] == n)
			continue;
		for (int k = 0; k < 256; k++)
			count[k + 1] += count[k];
		for (size_t i = 0; i < n; i++)
			g->spare[count[g->entry[i].key >> shift & 255]++] = g->entry[i];
		entry *swap = g->entry;
		g->entry = g->spare;
		g->spare = swap;
	}
}

static void make_cells(grid *g, size_t n)
{
	g->cells = 0;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || g->entry[i].key != g->entry[i - 1].key) {
			g->cell_key[g->cells] = g->entry[i].key;
			g->cell_start[g->cells++] = (uint32_t)i;
		}
	g->cell_start[g->cells] = (uint32_t)n;

	size_t wanted = 16;
	while (wanted < 2*g->cells)
		wanted *= 2;
	if (wanted > g->slots) {
		g->slot = memory_grow(g->slot, 0, wanted*sizeof *g->slot);
		g->slots = wanted;
	}
	memset(g->slot, 0, g->slots*sizeof *g->slot);
	for (size_t i = 0; i < g->cells; i++) {
		size_t place = random_mix(g->cell_key[i]) & (g->slots - 1);
		while (g->slot[place])
			place = (place + 1) & (g->slots - 1);
		g->slot[place] = (uint32_t)i + 1;
	}
}

// Index of the cell, or -1 if nobody is there.
static int64_t find_cell(const grid *g, uint64_t key)
{
	size_t place = random_mix(key) & (g->slots - 1);
	while (g->slot[place] && g->cell_key[g->slot[place] - 1] != key)
		place = (place + 1) & (g->slots - 1);
	return (int64_t)g->slot[place] - 1;
}

static void sort_into_cells(talus_world *world, const vec3 *x)
{
	bodies *b = &world->bodies;
	grid *g = world->list.grid;
	double top = largest_size(b);
	g->dimension = world->def.dimension;
	g->deepest = 0;
	grid_reserve(g, b->count);
	make_levels(g, world, top);
	for (size_t i = 0; i < b->count; i++) {
		int32_t c[3], depth = depth_of(top, size_of(b, i));
		g->level[depth].used = true;
		g->deepest = depth > g->deepest ? depth : g->deepest;
		coordinates(&g->level[depth], &world->cell, x[i], c);
		g->entry[i] = (entry){key_of(depth, c), (uint32_t)i};
	}
	sort_entries(g, b->count);
	make_cells(g, b->count);
}

// ---------------------------------------------------------------- pairs

typedef struct search {
	talus_world *world;
	const vec3 *x;
} search;

static void add_pair(pair_list *list, uint32_t a, uint32_t b, uint32_t image)
{
	if (list->count == list->capacity) {
		size_t capacity = memory_capacity(list->capacity, list->count + 1);
		list->pair = memory_grow(list->pair, list->count*sizeof *list->pair, capacity*sizeof *list->pair);
		list->state = memory_grow(list->state, list->count, capacity);
		list->capacity = capacity;
	}
	list->pair[list->count++] = a < b ? (pair){a, b, image} : (pair){b, a, 26 - image};
}

static inline void try_pair(const search *s, uint32_t a, uint32_t b, uint32_t image)
{
	const bodies *all = &s->world->bodies;
	s->world->list.tried++;
	vec3 d = sub(add(s->x[b], s->world->cell.shift[image]), s->x[a]);
	double near = all->radius[a] + all->radius[b] + all->skin[a] + all->skin[b];
	if (dot(d, d) < near*near && a != b && (all->free[a] || all->free[b]))
		add_pair(&s->world->list, a, b, image);
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

// All grains of one cell against one grain.
static void try_cell(const search *s, uint32_t a, int64_t cell_index, uint32_t image)
{
	const grid *g = s->world->list.grid;
	for (uint32_t j = g->cell_start[cell_index]; j < g->cell_start[cell_index + 1]; j++)
		try_pair(s, a, g->entry[j].index, image);
}

static void pairs_of_level(const search *s, size_t c, int32_t depth, const int32_t at[3])
{
	const grid *g = s->world->list.grid;
	for (uint32_t i = g->cell_start[c]; i < g->cell_start[c + 1]; i++)
		for (uint32_t j = i + 1; j < g->cell_start[c + 1]; j++)
			try_pair(s, g->entry[i].index, g->entry[j].index, CELL_NO_IMAGE);
	for (int offset = 14; offset < (g->dimension == 2 ? 18 : 27); offset++) { // half of the neighbours
		int32_t to[3];
		uint32_t image;
		neighbour(&g->level[depth], s->world->cell.periodic, at, offset, to, &image);
		int64_t other = find_cell(g, key_of(depth, to));
		for (uint32_t i = g->cell_start[c]; other >= 0 && i < g->cell_start[c + 1]; i++)
			try_cell(s, g->entry[i].index, other, image);
	}
}

static void pairs_with_larger(const search *s, size_t c, int32_t depth)
{
	const grid *g = s->world->list.grid;
	int first = g->dimension == 2 ? 9 : 0, last = g->dimension == 2 ? 18 : 27;
	for (int32_t d = 0; d < depth; d++) {
		if (!g->level[d].used)
			continue;
		for (uint32_t i = g->cell_start[c]; i < g->cell_start[c + 1]; i++) {
			int32_t at[3], to[3];
			uint32_t a = g->entry[i].index, image;
			coordinates(&g->level[d], &s->world->cell, s->x[a], at);
			for (int offset = first; offset < last; offset++) {
				neighbour(&g->level[d], s->world->cell.periodic, at, offset, to, &image);
				int64_t other = find_cell(g, key_of(d, to));
				if (other >= 0)
					try_cell(s, a, other, image);
			}
		}
	}
}

static void find_pairs(talus_world *world, const vec3 *x)
{
	grid *g = world->list.grid;
	search s = {world, x};
	world->list.count = world->list.tried = 0;
	for (size_t c = 0; c < g->cells; c++) {
		uint64_t key = g->cell_key[c];
		int32_t depth = (int32_t)(key >> 60);
		int32_t at[3] = {(int32_t)compact(key), (int32_t)compact(key >> 1), (int32_t)compact(key >> 2)};
		pairs_of_level(&s, c, depth, at);
		pairs_with_larger(&s, c, depth);
	}
}

static void find_wall_pairs(talus_world *world, const vec3 *x)
{
	pair_list *list = &world->list;
	const bodies *b = &world->bodies;
	list->wall_count = 0;
	for (int w = 0; w < world->walls.count; w++)
		for (size_t i = 0; i < b->count; i++) {
			touch touches[WALL_TOUCHES];
			const wall *wall_w = &world->walls.at[w];
			double range = b->skin[i] + wall_w->skin;
			if ((!b->free[i] && !wall_is_piston(wall_w)) ||
			    !wall_touch(wall_w, world->def.dimension, x[i], b->radius[i], range, touches))
				continue;
			if (list->wall_count == list->wall_capacity) {
				size_t capacity = memory_capacity(list->wall_capacity, list->wall_count + 1);
				size_t now = list->wall_count;
				list->wall = memory_grow(list->wall, now*sizeof *list->wall, capacity*sizeof *list->wall);
				list->wall_state = memory_grow(list->wall_state, now, capacity);
				list->wall_capacity = capacity;
			}
			list->wall[list->wall_count++] = (wall_pair){(uint32_t)i, (uint32_t)w};
		}
}

// ---------------------------------------------------------------- the list

// By how much more than its skin a grain could have come by the end of the step.
static double excess(const talus_world *world, size_t i)
{
	const bodies *b = &world->bodies;
	return norm(sub(b->x[i], b->x_listed[i])) + narrow_reach(world, &world->scratch.motion[i]) - b->skin[i];
}

static double wall_excess(const talus_world *world, int w)
{
	return world->walls.at[w].moved + narrow_wall_reach(world, w) - world->walls.at[w].skin;
}

// Could two grains that are not on the list have met, with the velocities that the solve has found?
bool grid_overrun(const talus_world *world)
{
	double first = -INFINITY, second = -INFINITY;
	for (size_t i = 0; i < world->bodies.count; i++) {
		double more = excess(world, i) - 0.5*world->margin;
		if (more > first)
			second = first, first = more;
		else if (more > second)
			second = more;
	}
	for (int w = 0; w < world->walls.count; w++)
		second = fmax(second, wall_excess(world, w));
	return first + second > 0;
}

bool grid_used_up(const talus_world *world)
{
	if (world->list.stale)
		return true;
	for (size_t i = 0; i < world->bodies.count; i++)
		if (!(excess(world, i) <= 0))
			return true;
	for (int w = 0; w < world->walls.count; w++)
		if (!(wall_excess(world, w) <= 0))
			return true;
	return false;
}

// Room to move a fraction of a radius; for those who are faster, to run for some steps.
static void choose_skins(talus_world *world)
{
	bodies *b = &world->bodies;
	double half = 0.15*bodies_mean_radius(b);
	world->list.skin = 2*half;
	for (size_t i = 0; i < b->count; i++)
		b->skin[i] = fmax(half, 3*narrow_reach(world, &world->scratch.motion[i]));
	for (int w = 0; w < world->walls.count; w++)
		world->walls.at[w].skin = fmax(half, 3*narrow_wall_reach(world, w));
}

// Every so many lists the grains themselves are put in the order of their cells, together with their motion lines.
static void sort_bodies(talus_world *world)
{
	grid *g = world->list.grid;
	size_t n = world->bodies.count;
	uint32_t *order = memory_grow(NULL, 0, n*sizeof *order);
	talus_motion *motion = memory_grow(NULL, 0, n*sizeof *motion);
	if (n)
		memcpy(motion, world->scratch.motion, n*sizeof *motion);
	for (size_t i = 0; i < n; i++) {
		order[i] = g->entry[i].index;
		world->scratch.motion[i] = motion[order[i]];
		g->entry[i].index = (uint32_t)i;
	}
	bodies_reorder(&world->bodies, order);
	memory_free(order);
	memory_free(motion);
	world->sorted_at = world->list.builds;
}

static grid *grid_create(void)
{
	grid *g = memory_grow(NULL, 0, sizeof *g);
	memset(g, 0, sizeof *g);
	return g;
}

void grid_build(talus_world *world)
{
	enum { BUILDS_PER_SORT = 16 };
	pair_list *list = &world->list;
	bodies *b = &world->bodies;
	if (!list->grid)
		list->grid = grid_create();
	if (cell_any(&world->cell))
		for (size_t i = 0; i < b->count; i++)
			b->x[i] = cell_wrap(&world->cell, b->x[i], b->image[i]);
	world_refresh(world);
	choose_skins(world);
	sort_into_cells(world, b->x);
	if (list->builds == 0 || list->builds - world->sorted_at >= BUILDS_PER_SORT)
		sort_bodies(world);
	find_pairs(world, b->x);
	find_wall_pairs(world, b->x);
	if (b->count)
		memcpy(b->x_listed, b->x, b->count*sizeof *b->x);
	for (int w = 0; w < world->walls.count; w++)
		world->walls.at[w].moved = 0;
	list->stale = false;
	list->builds++;
}

void grid_restore(talus_world *world)
{
	if (!world->list.grid)
		world->list.grid = grid_create();
	world_refresh(world);
	sort_into_cells(world, world->bodies.x_listed);
	find_pairs(world, world->bodies.x_listed);
	find_wall_pairs(world, world->bodies.x_listed);
}

void grid_free(grid *g)
{
	if (!g)
		return;
	memory_free(g->entry);
	memory_free(g->spare);
	memory_free(g->cell_key);
	memory_free(g->cell_start);
	memory_free(g->slot);
	memory_free(g);
}
