// SPDX-License-Identifier: MIT
// A long pair list cut into blocks for the solver (a domain decomposition, coloured): pairs of a block lie in one cell of a lattice and come in the order of their
// keys; blocks of one colour share no grain that can be moved. The lattice lies elsewhere for every list, so that nothing gets used to
// the cuts. A grain with pairs in two cells of one colour is too large for them: all its pairs are taken apart, as blocks of those
// that hang together. Those of pistons come last, a block for each.
#include "collide/collide.h"

#include "base/clusters.h"
#include "base/parallel.h"
#include "base/random.h"
#include "collide/lattice.h"
#include "state/wall.h"

#include <string.h>

enum { WIDE_TRIES = 3 };
static const uint32_t apart = UINT32_MAX, nowhere = UINT32_MAX - 1, pistons = UINT32_MAX - 2;
static const double wider = 2, few_apart = 0.05;

typedef uint32_t triple[3]; // a pair, or a wall pair

typedef struct item { // of a block that is sorted
	uint32_t high, low; // its key; in halves, so that nothing is left empty behind `what`
	triple what;
} item;

typedef struct dividing {
	const world_state *st;
	pair_list *list;
	const vec3 *x;
	vec3 low, size; // where they are
	lattice lattice;
	size_t pairs, all;      // pairs of grains, and with those of walls
	uint32_t *cell;         // of each, or `apart`; in the end its block
	uint32_t (*home)[LATTICE_COLOURS]; // per grain: its cell of each colour
	uint8_t *large;         // per grain
	uint32_t *part;         // clusters of those that are apart: per grain
	uint32_t *number;       // their blocks: the same
	uint32_t *block;        // per cell: is there anything in it; then the number of its block
	item *item;
} dividing;

// ---------------------------------------------------------------- where pairs are

static bool moves(const dividing *d, uint32_t grain)
{
	return d->st->bodies.free[grain] != 0;
}

static bool of_piston(const dividing *d, size_t i)
{
	return i >= d->pairs && wall_is_piston(&d->st->walls.at[d->list->wall[i - d->pairs].wall]);
}

static bool goes_apart(const dividing *d, size_t i)
{
	const world_state *st = d->st;
	const pair_list *list = d->list;
	if (!st->cell_deforms || !st->any_full_mass)
		return false;
	if (i < d->pairs)
		return state_contact_kind(st, list->pair[i].a, list->pair[i].b, NO_WALL) == FULL_MASS;
	wall_pair w = list->wall[i - d->pairs];
	return state_contact_kind(st, (uint32_t)st->bodies.count + w.wall, w.grain, w.wall) == FULL_MASS;
}

// Where two grains would touch; at a wall, the grain.
static vec3 place_of(const dividing *d, size_t i)
{
	const world_state *st = d->st;
	const pair_list *list = d->list;
	const double *radius = st->bodies.radius;
	if (i >= d->pairs)
		return error_cells_place(st, d->x[list->wall[i - d->pairs].grain]);
	const pair *p = &list->pair[i];
	bool turn = st->bodies.id[p->a] > st->bodies.id[p->b]; // the same whichever comes first
	vec3 a = d->x[p->a], b = add(d->x[p->b], st->cell.shift[p->image]);
	double share = radius[p->a]/(radius[p->a] + radius[p->b]), back = radius[p->b]/(radius[p->a] + radius[p->b]);
	return error_cells_place(st, turn ? mul_add(b, back, sub(a, b)) : mul_add(a, share, sub(b, a)));
}

// A grain has one cell of each colour; with two it is large.
static void note_cell(const dividing *d, uint32_t grain, int colour, uint32_t in)
{
	uint32_t *home = &d->home[grain][colour], was = __atomic_load_n(home, __ATOMIC_RELAXED);
	if (was == in || !moves(d, grain))
		return;
	bool first = was == nowhere && __atomic_compare_exchange_n(home, &was, in, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	if (!first && was != in)
		__atomic_store_n(&d->large[grain], 1, __ATOMIC_RELAXED);
}

static void find_cells(void *job, size_t first, size_t last)
{
	const dividing *d = job;
	const pair_list *list = d->list;
	for (size_t i = first; i < last; i++) {
		if (of_piston(d, i) || goes_apart(d, i)) {
			d->cell[i] = of_piston(d, i) ? pistons : apart;
			continue;
		}
		int colour;
		uint32_t in = d->cell[i] = lattice_cell(&d->lattice, place_of(d, i), &colour);
		if (i < d->pairs)
			note_cell(d, list->pair[i].a, colour, in);
		note_cell(d, i < d->pairs ? list->pair[i].b : list->wall[i - d->pairs].grain, colour, in);
	}
}

static bool is_large(const dividing *d, size_t i)
{
	const pair_list *list = d->list;
	if (i >= d->pairs)
		return d->large[list->wall[i - d->pairs].grain];
	return d->large[list->pair[i].a] || d->large[list->pair[i].b];
}

static double count_apart(const dividing *d)
{
	size_t count = 0;
	for (size_t i = 0; i < d->all; i++) {
		if (d->cell[i] != pistons && is_large(d, i))
			d->cell[i] = apart;
		count += d->cell[i] == apart;
	}
	return (double)count;
}

// ---------------------------------------------------------------- a lattice that fits

static void clear_homes(void *job, size_t first, size_t last)
{
	const dividing *d = job;
	for (size_t i = first; i < last; i++) {
		for (int k = 0; k < LATTICE_COLOURS; k++)
			d->home[i][k] = nowhere;
		d->large[i] = 0;
	}
}

// Returns which share of all is apart.
static double try_lattice(dividing *d, double volume)
{
	const world_state *st = d->st;
	pair_list *list = d->list;
	uint64_t stream = random_stream(st->def.seed, RANDOM_BOXES, list->made_at, 0);
	vec3 shift = vec(random_unit(stream, 0), random_unit(stream, 1), random_unit(stream, 2));
	d->lattice = lattice_make(st, d->low, d->size, volume, shift);
	list->cells = memory_room(list->cells, &list->cell_capacity, d->lattice.cells, sizeof *list->cells);
	d->block = list->cells;
	parallel_for(st->team, st->bodies.count, PARALLEL_BLOCK, clear_homes, d);
	parallel_for(st->team, d->all, PARALLEL_BLOCK, find_cells, d);
	return count_apart(d)/(double)d->all;
}

// Of a block, in mean radii: what its grains would need if they were packed; larger, where that would make many empty cells.
static double block_volume(const world_state *st, const pair_list *list, size_t pairs, vec3 size)
{
	// of a grain, by dimension: disks fill 0.8 of a dense packing, spheres 0.6; rounded, and so are the bits of runs
	static const double packed[] = {[2] = 3.14/0.8, [3] = 4.19/0.6};
	enum { EMPTY = 4 };
	double blocks = (double)pairs/list->block_size, extent = 1;
	for (int k = 0; k < st->def.dimension; k++)
		extent *= fmax(component(size, k)/st->mean_radius, 1);
	return fmax((double)st->bodies.count*packed[st->def.dimension], extent/EMPTY)/blocks;
}

// Wider cells, where that makes fewer grains too large for them.
static void fit_lattice(dividing *d)
{
	double volume = block_volume(d->st, d->list, d->all, d->size), best = volume, least = try_lattice(d, volume);
	for (int n = 0; n < WIDE_TRIES && least > few_apart; n++) {
		volume *= wider;
		double share = try_lattice(d, volume);
		if (share < least) {
			least = share;
			best = volume;
		}
	}
	if (volume != best)
		try_lattice(d, best);
}

// ---------------------------------------------------------------- blocks

// Those that are apart hang together where they share what can be moved.
static void join_apart(const dividing *d)
{
	const pair_list *list = d->list;
	for (uint32_t i = 0; i < (uint32_t)d->st->bodies.count; i++)
		d->part[i] = i;
	for (size_t i = 0; i < d->pairs; i++)
		if (d->cell[i] == apart && moves(d, list->pair[i].a) && moves(d, list->pair[i].b))
			clusters_join(d->part, sizeof *d->part, list->pair[i].a, list->pair[i].b);
}

// A grain that can be moved, if there is one.
static uint32_t grain_of(const dividing *d, size_t i)
{
	const pair_list *list = d->list;
	if (i >= d->pairs)
		return list->wall[i - d->pairs].grain;
	return moves(d, list->pair[i].a) ? list->pair[i].a : list->pair[i].b;
}

// Of those that can be moved: they are in no other block that is apart.
static uint32_t lowest_id(const dividing *d, size_t i)
{
	const uint32_t *id = d->st->bodies.id;
	if (i >= d->pairs)
		return id[grain_of(d, i)];
	pair p = d->list->pair[i];
	if (!moves(d, p.a) || !moves(d, p.b))
		return id[grain_of(d, i)];
	return id[p.a] < id[p.b] ? id[p.a] : id[p.b];
}

static uint32_t add_block(list_blocks *b, uint64_t name)
{
	if (b->count + 1 >= b->capacity) { // there is one number more than blocks
		size_t had = b->capacity;
		b->capacity = memory_capacity(had, b->count + 2);
		b->name = memory_grow(b->name, had*sizeof *b->name, b->capacity*sizeof *b->name);
		b->pair = memory_grow(b->pair, 0, b->capacity*sizeof *b->pair);
		b->wall = memory_grow(b->wall, 0, b->capacity*sizeof *b->wall);
	}
	b->name[b->count] = name;
	return b->count++;
}

static void number_cells(const dividing *d, list_blocks *b)
{
	uint32_t cells = d->lattice.cells, next[LATTICE_COLOURS + 1] = {0};
	memset(d->block, 0, cells*sizeof *d->block);
	for (size_t i = 0; i < d->all; i++)
		if (d->cell[i] < pistons)
			d->block[d->cell[i]] = 1;
	for (uint32_t c = 0; c < cells; c++)
		if (d->block[c]) {
			add_block(b, 0);
			next[lattice_colour(&d->lattice, c) + 1]++;
		}
	for (int colour = 0; colour < LATTICE_COLOURS; colour++)
		next[colour + 1] += next[colour];
	memcpy(b->colour, next, sizeof next);
	for (uint32_t c = 0; c < cells; c++)
		if (d->block[c]) {
			d->block[c] = next[lattice_colour(&d->lattice, c)]++;
			b->name[d->block[c]] = c;
		}
	for (size_t i = 0; i < d->all; i++)
		if (d->cell[i] < pistons)
			d->cell[i] = d->block[d->cell[i]];
}

static void number_apart(const dividing *d, list_blocks *b)
{
	static const uint64_t beyond = UINT64_C(1) << 32; // the names of cells
	b->colour[LATTICE_COLOURS] = b->count;
	join_apart(d);
	memset(d->number, 0xff, d->st->bodies.count*sizeof *d->number);
	for (size_t i = 0; i < d->all; i++) {
		if (d->cell[i] != apart)
			continue;
		uint32_t grain = grain_of(d, i), part = clusters_root(d->part, sizeof *d->part, grain);
		uint64_t name = beyond + lowest_id(d, i);
		if (d->number[part] == apart)
			d->number[part] = add_block(b, name);
		uint32_t block = d->cell[i] = d->number[part];
		b->name[block] = b->name[block] < name ? b->name[block] : name; // whatever the order of the pairs
	}
}

static void number_pistons(const dividing *d, list_blocks *b)
{
	const world_state *st = d->st;
	const pair_list *list = d->list;
	uint64_t name = UINT64_MAX;
	b->colour[TALUS_OF_PISTONS] = b->count;
	for (int w = 0; w < st->walls.count; w++) {
		uint32_t block = UINT32_MAX;
		if (!wall_is_piston(&st->walls.at[w]))
			continue;
		for (size_t i = d->pairs; i < d->all; i++)
			if (d->cell[i] == pistons && list->wall[i - d->pairs].wall == (uint32_t)w) {
				block = block == UINT32_MAX ? add_block(b, name) : block;
				d->cell[i] = block;
			}
		name--;
	}
	b->colour[TALUS_COLOURS] = b->count;
}

// ---------------------------------------------------------------- in their order

static bool before(const item *a, const item *b)
{
	uint64_t key_a = (uint64_t)a->high << 32 | a->low, key_b = (uint64_t)b->high << 32 | b->low;
	return key_a != key_b ? key_a < key_b : a->what[2] < b->what[2];
}

// By insertion with shrinking steps (Shell; these are Ciura's and then by 9/4): blocks are short.
static void sort_items(item *list, size_t count)
{
	static const size_t steps[] = {1, 4, 10, 23, 57, 132, 301, 701};
	enum { KNOWN = sizeof steps/sizeof *steps };
	size_t large = steps[KNOWN - 1];
	int k = KNOWN - 1;
	while (large < count/3)
		large = large*9/4, k++;
	for (size_t step; k >= 0; k--) {
		step = k < KNOWN ? steps[k] : large;
		large = k >= KNOWN ? large*4/9 : large;
		for (size_t i = step; i < count; i++) {
			item x = list[i];
			size_t j = i;
			for (; j >= step && before(&x, &list[j - step]); j -= step)
				list[j] = list[j - step];
			list[j] = x;
		}
	}
}

static item item_of(const dividing *d, size_t i)
{
	const uint32_t *id = d->st->bodies.id;
	uint64_t key;
	if (i < d->pairs) {
		const pair *p = &d->list->pair[i];
		key = contacts_key(id[p->a] < id[p->b] ? id[p->a] : id[p->b], id[p->a] < id[p->b] ? id[p->b] : id[p->a], false);
		return (item){(uint32_t)(key >> 32), (uint32_t)key, {p->a, p->b, p->image}};
	}
	const wall_pair *w = &d->list->wall[i - d->pairs];
	key = contacts_wall_key(id[w->grain], w->wall, w->image, 0);
	return (item){(uint32_t)(key >> 32), (uint32_t)key, {w->grain, w->wall, w->image}};
}

// Numbers in each block become where it begins.
static void add_up(uint32_t *first, uint32_t blocks)
{
	uint32_t sum = 0;
	for (uint32_t b = 0; b <= blocks; b++) {
		uint32_t count = first[b];
		first[b] = sum;
		sum += count;
	}
}

// To their blocks, in any order. Leaves in `first` where each block ends, that is, where the next begins.
static void deal(const dividing *d, size_t from, size_t to, uint32_t *first)
{
	uint32_t blocks = d->list->blocks.count;
	memset(first, 0, (blocks + 1)*sizeof *first);
	for (size_t i = from; i < to; i++)
		first[d->cell[i]]++;
	add_up(first, blocks);
	for (size_t i = from; i < to; i++)
		d->item[from + first[d->cell[i]]++] = item_of(d, i);
	memmove(first + 1, first, blocks*sizeof *first);
	first[0] = 0;
}

static void write_back(const dividing *d, size_t first, size_t last)
{
	pair_list *list = d->list;
	for (size_t i = first; i < last; i++) {
		const uint32_t *w = d->item[i].what;
		if (i < d->pairs)
			list->pair[i] = (pair){w[0], w[1], w[2]};
		else
			list->wall[i - d->pairs] = (wall_pair){w[0], w[1], w[2]};
	}
}

static void sort_blocks(void *job, size_t first, size_t last)
{
	const dividing *d = job;
	const list_blocks *b = &d->list->blocks;
	for (size_t k = first; k < last; k++) {
		size_t walls_from = d->pairs + b->wall[k], walls_to = d->pairs + b->wall[k + 1];
		sort_items(d->item + b->pair[k], b->pair[k + 1] - b->pair[k]);
		sort_items(d->item + walls_from, walls_to - walls_from);
		write_back(d, b->pair[k], b->pair[k + 1]);
		write_back(d, walls_from, walls_to);
	}
}

// ---------------------------------------------------------------- all of it

static void *carve(char **at, size_t size)
{
	void *piece = *at;
	*at += (size + 63)/64*64;
	return piece;
}

// Items come when the blocks have their numbers: what was known of the grains makes room for them.
static void borrow(dividing *d)
{
	size_t n = d->st->bodies.count, grains = n*(sizeof *d->part + sizeof *d->number + sizeof *d->home + sizeof *d->large) + 4*64;
	size_t items = d->all*sizeof *d->item;
	char *at = memory_borrow(d->st->pool, d->all*sizeof *d->cell + 64 + (items > grains ? items : grains));
	d->cell = carve(&at, d->all*sizeof *d->cell);
	d->item = (item *)(void *)at;
	d->part = carve(&at, n*sizeof *d->part);
	d->number = carve(&at, n*sizeof *d->number);
	d->home = carve(&at, n*sizeof *d->home);
	d->large = carve(&at, n*sizeof *d->large);
}

// A short list has one block, and another one for each piston. What is in a block keeps its order.
static void divide_short(const dividing *d, list_blocks *b)
{
	size_t of_pistons = 0;
	for (size_t i = d->pairs; i < d->all; i++)
		of_pistons += of_piston(d, i);
	if (of_pistons == 0)
		return;
	for (size_t i = 0; i < d->all; i++)
		d->cell[i] = of_piston(d, i) ? pistons : 0;
	add_block(b, 0);
	for (int colour = 0; colour < TALUS_OF_PISTONS; colour++)
		b->colour[colour] = colour > 0;
	number_pistons(d, b);
	deal(d, 0, d->pairs, b->pair);
	deal(d, d->pairs, d->all, b->wall);
	write_back(d, 0, d->all);
}

static void divide_long(dividing *d, list_blocks *b)
{
	fit_lattice(d);
	number_cells(d, b);
	number_apart(d, b);
	number_pistons(d, b);
	deal(d, 0, d->pairs, b->pair);
	deal(d, d->pairs, d->all, b->wall);
	parallel_for(d->st->team, b->count, 1, sort_blocks, d);
}

void divide_list(const world_state *st, pair_list *list, const vec3 *x)
{
	dividing d = {.st = st, .list = list, .x = x, .pairs = list->count, .all = list->count + list->wall_count};
	list->blocks.count = 0;
	list->long_enough = d.all > 0 && d.all >= list->blocks_from;
	if (list->long_enough)
		error_cells_extent(st, x, &d.low, &d.size);
	borrow(&d);
	if (list->long_enough)
		divide_long(&d, &list->blocks);
	else
		divide_short(&d, &list->blocks);
}
