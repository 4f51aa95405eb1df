// SPDX-License-Identifier: MIT
// A pair list cut into blocks: the same pairs as before, each in one block; blocks of one colour share nobody who can be moved; and
// the cut is the same for any number of threads, wherever grains lie in memory, and after a checkpoint.
#include "unit.h"

#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "collide/lattice.h"
#include "method/contact_dynamics.h"
#include "io/files.h"
#include "state/wall.h"

#include <stdlib.h>

// ---------------------------------------------------------------- worlds

typedef enum extra { NONE, PISTONS, SPINNING, LOCKED, FIXED, FAR_FLUNG, ALL_OF_IT } extra;

typedef struct config {
	int dimension;
	unsigned periodic; // bit k: direction k
	bool deforms;
	double ratio;      // of the largest radius to the smallest
	extra extra;
	int count;
	double block_size;
} config;

static const config configs[] = {
	{2, 0, false, 1, NONE, 900, 20}, {3, 0, false, 1, NONE, 1200, 30},
	{2, 1, false, 5, ALL_OF_IT, 900, 25}, {3, 2, false, 5, ALL_OF_IT, 1200, 40},
	{2, 3, false, 50, FIXED, 900, 20}, {3, 7, false, 50, FIXED, 1200, 30},
	{2, 0, false, 50, PISTONS, 900, 10}, {3, 0, false, 50, PISTONS, 1200, 20},
	{3, 1, false, 1, SPINNING, 1200, 30}, {2, 0, false, 5, FAR_FLUNG, 900, 20}, {3, 0, false, 5, FAR_FLUNG, 1200, 20},
	{2, 3, true, 1, LOCKED, 900, 20}, {3, 7, true, 5, LOCKED, 1200, 30}, {3, 7, true, 50, NONE, 1200, 30},
	{3, 3, false, 5, ALL_OF_IT, 1200, 3}, {3, 7, false, 1, NONE, 1200, 1e9}, {2, 0, false, 1, PISTONS, 3, 1},
};
enum { CONFIGS = sizeof configs/sizeof *configs };

static bool has(const config *c, extra what)
{
	return c->extra == what || c->extra == ALL_OF_IT;
}

static double side_of(const config *c)
{
	return c->dimension == 2 ? 2.2*sqrt(c->count) : 2.1*cbrt(c->count);
}

static void add_walls(talus_world *world, const config *c)
{
	int up = c->dimension - 1;
	double side = side_of(c);
	vec3 axis = vec(0, 0, 0);
	set_component(&axis, up, 1);
	if (c->periodic >> up & 1)
		return;
	unit_plane(world, "floor", vec(0, 0, 0), axis);
	if (has(c, PISTONS)) {
		talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
		snprintf(lid.name, sizeof lid.name, "lid");
		lid.point = mul(0.9*side, axis);
		lid.axis = mul(-1, axis);
		lid.mass = 5;
		lid.free = c->dimension == 2 ? TALUS_FREE_Y : TALUS_FREE_Z;
		lid.velocity = vec(0, 0, 0);
		talus_world_add_wall(world, &lid);
		snprintf(lid.name, sizeof lid.name, "belt");
		lid.point = mul(0.1*side, axis);
		lid.axis = axis;
		talus_world_add_wall(world, &lid);
	}
	if (has(c, SPINNING)) {
		talus_wall_def plate = talus_wall_def_default(TALUS_WALL_PLANE);
		snprintf(plate.name, sizeof plate.name, "plate");
		plate.point = mul(0.05*side, axis);
		plate.axis = axis;
		plate.velocity = mul(-0.4, axis);
		plate.spin = c->dimension == 3;
		talus_world_add_wall(world, &plate);
	}
}

static talus_world *without_grains(const config *c)
{
	talus_world_def def = unit_def(c->dimension);
	double side = side_of(c);
	def.cell.size = vec(side, 1.1*side, c->dimension == 2 ? 0 : 0.9*side);
	for (int k = 0; k < 3; k++)
		def.cell.periodic[k] = c->periodic >> k & 1;
	if (c->deforms) {
		def.cell.drive[0][1] = TALUS_DRIVE_RATE;
		def.cell.wanted[0][1] = 0.3;
		def.cell.inertia = 20;
	}
	def.step = 0.01;
	def.seed = 7;
	def.solver.iterations = 5;
	talus_world *world = unit_world(&def, 0);
	world->list.blocks_from = 0;
	world->list.block_size = c->block_size;
	add_walls(world, c);
	return world;
}

static double radius_of(const config *c, dice *d, int i)
{
	if (c->ratio < 20)
		return roll(d, 1, c->ratio)*(c->ratio > 1 ? 0.4 : 1);
	return i < 5 ? 5 : roll(d, 0.1, 1.2);
}

// They overlap as they like: nothing is asked but who is near whom.
static talus_world *make(const config *c, uint64_t seed)
{
	talus_world *world = without_grains(c);
	dice d = dice_make(seed);
	double side = side_of(c);
	for (int i = 0; i < c->count; i++) {
		talus_grain_def g = talus_grain_def_default();
		g.at = roll_in(&d, vec(0, 0, 0), vec(side, 1.1*side, c->dimension == 2 ? 0 : 0.9*side));
		g.radius = radius_of(c, &d, i);
		g.velocity = mul(0.1, roll_direction(&d, c->dimension));
		if (has(c, FIXED) && i%9 == 1)
			g.free = 0;
		if (has(c, LOCKED) && i%9 == 2)
			g.free = TALUS_FREE_X;
		if (has(c, FAR_FLUNG) && i%10 == 3 && c->periodic == 0)
			g.at = mul(1e6, g.at);
		talus_world_add_grain(world, &g);
	}
	return world;
}

static void build(talus_world *world)
{
	contact_dynamics_predict(&world->state, &world->approach);
	grid_build(&world->state, &world->approach, &world->list);
}

// ---------------------------------------------------------------- pairs by the ids of those who meet

typedef struct named {
	uint64_t key;
	uint32_t image;
	bool of_wall;
} named;

static named name_of(const talus_world *world, size_t i)
{
	const pair_list *list = &world->list;
	const uint32_t *id = world->state.bodies.id;
	if (i >= list->count) {
		const wall_pair *w = &list->wall[i - list->count];
		return (named){contacts_wall_key(id[w->grain], w->wall, w->image, 0), w->image, true};
	}
	const pair *p = &list->pair[i];
	bool turn = id[p->a] > id[p->b];
	return (named){contacts_key(turn ? id[p->b] : id[p->a], turn ? id[p->a] : id[p->b], false), turn ? 26 - p->image : p->image, false};
}

static int by_name(const void *a, const void *b)
{
	const named *p = a, *q = b;
	if (p->of_wall != q->of_wall)
		return p->of_wall ? 1 : -1;
	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	return p->image < q->image ? -1 : p->image > q->image;
}

static size_t all_of(const talus_world *world)
{
	return world->list.count + world->list.wall_count;
}

static named *sorted_names(const talus_world *world)
{
	size_t count = all_of(world);
	named *list = calloc(count + 1, sizeof *list);
	for (size_t i = 0; i < count; i++)
		list[i] = name_of(world, i);
	qsort(list, count, sizeof *list, by_name);
	return list;
}

// ---------------------------------------------------------------- what a cut must be

// The same as in a world whose list was left whole.
static void check_same_pairs(const talus_world *world, const config *c, uint64_t seed)
{
	talus_world *whole = make(c, seed);
	whole->list.blocks_from = SIZE_MAX;
	build(whole);
	assert_false(whole->list.long_enough);
	assert_int_equal(all_of(world), all_of(whole));
	named *a = sorted_names(world), *b = sorted_names(whole);
	for (size_t i = 0; i < all_of(world); i++)
		assert_int_equal(by_name(&a[i], &b[i]), 0);
	free(a);
	free(b);
	talus_world_destroy(whole);
}

static void check_cover(const talus_world *world)
{
	const list_blocks *b = &world->list.blocks;
	assert_true(b->pair[0] == 0 && b->wall[0] == 0 && b->colour[0] == 0);
	assert_true(b->pair[b->count] == world->list.count && b->wall[b->count] == world->list.wall_count);
	assert_int_equal(b->colour[TALUS_COLOURS], b->count);
	for (int c = 0; c < TALUS_COLOURS; c++)
		assert_true(b->colour[c] <= b->colour[c + 1]);
	for (uint32_t k = 0; k < b->count; k++) {
		assert_true(b->pair[k] <= b->pair[k + 1] && b->wall[k] <= b->wall[k + 1]);
		assert_true(b->pair[k] < b->pair[k + 1] || b->wall[k] < b->wall[k + 1]); // none is empty
		for (uint32_t i = 0; i < k; i++)
			assert_true(b->name[i] != b->name[k]);
	}
}

static void check_sorted(const talus_world *world)
{
	const list_blocks *b = &world->list.blocks;
	for (uint32_t k = 0; k < b->count; k++) {
		for (size_t i = b->pair[k] + 1; i < b->pair[k + 1]; i++)
			assert_true(name_of(world, i - 1).key <= name_of(world, i).key);
		for (size_t i = world->list.count + b->wall[k] + 1; i < world->list.count + b->wall[k + 1]; i++)
			assert_true(name_of(world, i - 1).key < name_of(world, i).key);
	}
}

typedef struct owning {
	const talus_world *world;
	uint32_t *block; // per grain and wall: one more than the block of this colour that has it, or 0
} owning;

static void own(const owning *o, uint32_t line, uint32_t block)
{
	const talus_world *world = o->world;
	uint32_t grains = (uint32_t)world->state.bodies.count;
	bool moves = line < grains ? world->state.bodies.free[line] != 0 : wall_is_piston(&world->state.walls.at[line - grains]);
	if (moves && o->block[line] != 0 && o->block[line] != block + 1)
		fail_msg("blocks %u and %u share %u", o->block[line] - 1, block, line);
	o->block[line] = block + 1;
}

// No two blocks of a colour share somebody who can be moved. Also, in a cell that deforms, bodies that are not free in all directions are apart.
static void check_disjoint(const talus_world *world)
{
	const list_blocks *b = &world->list.blocks;
	const pair_list *list = &world->list;
	size_t lines = world->state.bodies.count + (size_t)world->state.walls.count;
	owning o = {world, calloc(lines, sizeof *o.block)};
	for (int c = 0; c < TALUS_COLOURS; c++) {
		memset(o.block, 0, lines*sizeof *o.block);
		for (uint32_t k = b->colour[c]; k < b->colour[c + 1]; k++) {
			for (uint32_t i = b->pair[k]; i < b->pair[k + 1]; i++) {
				const pair *p = &list->pair[i];
				own(&o, p->a, k);
				own(&o, p->b, k);
				assert_true(c == LATTICE_COLOURS || !world->state.cell_deforms || state_contact_kind(&world->state, p->a, p->b, NO_WALL) != FULL_MASS);
			}
			for (uint32_t i = b->wall[k]; i < b->wall[k + 1]; i++) {
				own(&o, list->wall[i].grain, k);
				own(&o, (uint32_t)world->state.bodies.count + list->wall[i].wall, k);
			}
		}
	}
	free(o.block);
}

static void test_cuts(void **state)
{
	(void)state;
	for (int k = 0; k < CONFIGS; k++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			talus_world *world = make(&configs[k], 100*(uint64_t)k + seed);
			world->state.step = 3*seed; // each has its own cuts
			build(world);
			assert_true(world->list.blocks.count > 0);
			check_same_pairs(world, &configs[k], 100*(uint64_t)k + seed);
			check_cover(world);
			check_sorted(world);
			check_disjoint(world);
			assert_true(world->list.cell_capacity < 100*(all_of(world) + 100)); // room is not wasted on empty space
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- sizes of blocks

// In beds of equal grains blocks are about as large as was asked for, and next to nothing is apart; one large grain among many takes only its own pairs
// away.
static void test_sizes(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (unsigned periodic = 0; periodic < 1u << dimension; periodic++) {
			config c = {dimension, periodic, false, 1, NONE, 4000, dimension == 2 ? 60 : 200};
			talus_world *world = make(&c, periodic);
			build(world);
			const list_blocks *b = &world->list.blocks;
			uint32_t most = 0;
			for (uint32_t k = 0; k < b->colour[LATTICE_COLOURS]; k++) {
				uint32_t size = b->pair[k + 1] - b->pair[k] + b->wall[k + 1] - b->wall[k];
				most = size > most ? size : most;
			}
			double apart = b->pair[b->count] - b->pair[b->colour[LATTICE_COLOURS]], mean = (double)all_of(world)/b->count;
			assert_true(mean > 0.3*c.block_size && mean < 4*c.block_size); // around there is an even number of them
			assert_true(most < 6*c.block_size);
			assert_true(apart < 0.05*(double)all_of(world));
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- the same again

// To the last bit.
static void assert_same_list(const talus_world *a, const talus_world *b)
{
	const pair_list *p = &a->list, *q = &b->list;
	uint32_t blocks = p->blocks.count;
	assert_true(p->count == q->count && p->wall_count == q->wall_count && blocks == q->blocks.count);
	assert_memory_equal(p->blocks.colour, q->blocks.colour, sizeof p->blocks.colour);
	assert_memory_equal(p->blocks.pair, q->blocks.pair, (blocks + 1)*sizeof *p->blocks.pair);
	assert_memory_equal(p->blocks.wall, q->blocks.wall, (blocks + 1)*sizeof *p->blocks.wall);
	assert_memory_equal(p->blocks.name, q->blocks.name, blocks*sizeof *p->blocks.name);
	assert_memory_equal(p->pair, q->pair, p->count*sizeof *p->pair);
	if (p->wall_count)
		assert_memory_equal(p->wall, q->wall, p->wall_count*sizeof *p->wall);
}

static uint32_t block_named(const list_blocks *b, uint64_t name)
{
	uint32_t k = 0;
	while (k < b->count && b->name[k] != name)
		k++;
	assert_true(k < b->count);
	return k;
}

// Blocks of the same names, colours and contents, pair by pair; those that are apart may come in any order.
static void assert_same_blocks(const talus_world *a, const talus_world *b)
{
	const list_blocks *p = &a->list.blocks, *q = &b->list.blocks;
	assert_memory_equal(p->colour, q->colour, sizeof p->colour);
	for (uint32_t k = 0; k < p->count; k++) {
		uint32_t other = block_named(q, p->name[k]), pairs = p->pair[k + 1] - p->pair[k], more = p->wall[k + 1] - p->wall[k];
		assert_true(k == other || k >= p->colour[LATTICE_COLOURS]);
		assert_true(pairs == q->pair[other + 1] - q->pair[other] && more == q->wall[other + 1] - q->wall[other]);
		for (uint32_t i = 0; i < pairs + more; i++) {
			size_t in_a = i < pairs ? p->pair[k] + i : a->list.count + p->wall[k] + i - pairs;
			size_t in_b = i < pairs ? q->pair[other] + i : b->list.count + q->wall[other] + i - pairs;
			named x = name_of(a, in_a), y = name_of(b, in_b);
			assert_int_equal(by_name(&x, &y), 0);
		}
	}
}

static void test_threads(void **state)
{
	(void)state;
	for (int k = 0; k < CONFIGS; k++) {
		talus_world *one = make(&configs[k], (uint64_t)k);
		build(one);
		for (int threads = 2; threads <= 4; threads++) {
			talus_world *many = make(&configs[k], (uint64_t)k);
			talus_world_set_threads(many, threads);
			many->team_from = 0; // however little there is to do
			build(many);
			assert_same_list(one, many);
			talus_world_destroy(many);
		}
		talus_world_destroy(one);
	}
}

// Rows of the grains in any order.
static void mix_rows(talus_world *world, uint64_t seed)
{
	size_t n = world->state.bodies.count;
	uint32_t *order = calloc(n, sizeof *order);
	void *room = malloc(n*sizeof(talus_solver_body));
	dice d = dice_make(seed);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (uint32_t)roll(&d, 0, i + 1);
		order[i] = order[k];
		order[k] = i;
	}
	bodies_reorder(&world->state.bodies, order, room, NULL);
	free(order);
	free(room);
}

static void test_rows(void **state)
{
	(void)state;
	for (int k = 0; k < CONFIGS; k++) {
		talus_world *one = make(&configs[k], (uint64_t)k), *other = make(&configs[k], (uint64_t)k);
		one->list.builds = other->list.builds = 1; // not the first list, so that rows stay
		mix_rows(other, 9);
		build(one);
		build(other);
		assert_true(memcmp(one->state.bodies.id, other->state.bodies.id, one->state.bodies.count*sizeof *one->state.bodies.id) != 0);
		assert_same_blocks(one, other);
		talus_world_destroy(one);
		talus_world_destroy(other);
	}
}

// Every list has cuts of its own, also of grains that have not moved.
static void test_lists_differ(void **state)
{
	(void)state;
	talus_world *one = make(&configs[1], 1), *other = make(&configs[1], 1);
	other->state.step = 16;
	build(one);
	build(other);
	assert_int_equal(all_of(one), all_of(other));
	size_t moved = 0;
	for (size_t i = 0; i < all_of(one); i++) {
		named x = name_of(one, i), y = name_of(other, i);
		moved += by_name(&x, &y) != 0;
	}
	assert_true(2*moved > all_of(one));
	talus_world_destroy(one);
	talus_world_destroy(other);
}

// ---------------------------------------------------------------- over time

// At any step of a list, also with walls that move, with pistons and in a cell that deforms, a checkpoint brings the same list back; and the run goes on
// to the same state.
static void test_checkpoints(void **state)
{
	(void)state;
	talus_error error;
	double seconds;
	for (int k = 0; k < CONFIGS; k++) {
		talus_world *one = make(&configs[k], (uint64_t)k);
		for (int n = 0; n < 9; n++) {
			for (int step = 0; step < 3; step++)
				talus_world_step(one);
			talus_world *other = without_grains(&configs[k]);
			assert_true(checkpoint_write(".", one, 0, &error) && checkpoint_read(".", other, &seconds, &error));
			assert_int_equal(other->list.made_at, one->list.made_at);
			if (!one->list.stale)
				assert_same_list(one, other);
			talus_world_step(one);
			talus_world_step(other);
			assert_true(talus_world_hash(one) == talus_world_hash(other));
			talus_world_destroy(other);
		}
		talus_world_destroy(one);
	}
}

static talus_world *pile(bool blocks, int grains)
{
	talus_world_def def = unit_def(2);
	def.gravity = vec(0, -1, 0);
	def.step = 1e-3;
	talus_world *world = unit_world(&def, 0.3);
	world->list.blocks_from = blocks ? 0 : SIZE_MAX;
	world->list.block_size = 20;
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0));
	for (int i = 0; i < grains; i++)
		unit_grain(world, vec(2*(i%20) + (i/20)%2, 1 + sqrt(3)*(i/20), 0), 1, vec(0, 0, 0));
	return world;
}

// Where nothing moves a list lasts for ever, but every 16 steps it is cut in other places; and a checkpoint brings back the cuts.
static void test_old_cuts(void **state)
{
	(void)state;
	talus_error error;
	double seconds;
	for (int blocks = 0; blocks < 2; blocks++) {
		talus_world *world = pile(blocks, 400);
		uint64_t last = 0, cuts = 1;
		for (uint64_t step = 0; step < 40; step++) {
			talus_world_step(world);
			cuts += world->list.made_at != last;
			last = world->list.made_at;
			assert_true(!blocks || step - last < 16);
			assert_int_equal(world->list.builds, 1);
		}
		assert_int_equal(cuts, blocks ? 3 : 1);
		talus_world *other = pile(blocks, 0);
		assert_true(checkpoint_write(".", world, 0, &error) && checkpoint_read(".", other, &seconds, &error));
		if (blocks)
			assert_same_list(world, other);
		talus_world_step(world);
		talus_world_step(other);
		assert_true(talus_world_hash(world) == talus_world_hash(other));
		talus_world_destroy(world);
		talus_world_destroy(other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_lists_differ),
		cmocka_unit_test(test_checkpoints),
		cmocka_unit_test(test_old_cuts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
