// SPDX-License-Identifier: MIT
// Places for grains. Random: the largest first, each tried at random places until it overlaps nobody (random sequential addition).
// Lattice: a square or cubic one, wide enough for the largest, from the low corner upwards.
#include "prepare/place.h"

#include "arrive/region.h"
#include "arrive/room.h"
#include "arrive/sizes.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "prepare/fill.h"
#include "world.h"

#include <string.h>

enum { TRIES = 20000, BARREN = 1 << 20 }; // BARREN: sites of a lattice in a row that take no grain
static const double slack = ROOM_SLACK;

// ---------------------------------------------------------------- who is where, while grains are placed

// A hash of cells; a grain is noted in every cell that it reaches into, so that two that overlap share one, whatever
// their sizes.
typedef struct note {
	uint32_t grain, next; // next note of this cell + 1
} note;

typedef struct placer {
	const talus_world *world;
	double size; // of a cell
	size_t slots;
	uint32_t *head; // first note + 1
	size_t notes, note_capacity;
	note *note;
} placer;

static size_t place_of(const placer *p, const int64_t c[3])
{
	uint64_t hash = random_mix((uint64_t)c[0]*0x9e3779b97f4a7c15u);
	hash = random_mix(hash ^ (uint64_t)c[1]*0xc2b2ae3d27d4eb4fu);
	return random_mix(hash ^ (uint64_t)c[2]*0x165667b19e3779f9u) & (p->slots - 1);
}

// The cells from c to the last one that a ball reaches into, one after the other.
typedef struct cell_walk {
	int64_t low[3], high[3], c[3];
} cell_walk;

// Cells so far away that their number would not fit become one.
static int64_t cell_at(const placer *p, double x)
{
	return (int64_t)fmax(-1e18, fmin(1e18, floor(x/p->size)));
}

static cell_walk hash_grid_of(const placer *p, vec3 x, double r)
{
	cell_walk w;
	for (int k = 0; k < 3; k++) {
		double span = p->world->state.def.dimension == 2 && k == 2 ? 0 : r;
		w.c[k] = w.low[k] = cell_at(p, component(x, k) - span);
		w.high[k] = cell_at(p, component(x, k) + span);
	}
	return w;
}

static bool next_cell(cell_walk *w)
{
	for (int k = 0; k < 3; k++) {
		if (++w->c[k] <= w->high[k])
			return true;
		w->c[k] = w->low[k];
	}
	return false;
}

static void placer_add(placer *p, uint32_t grain)
{
	int32_t image[3] = {0, 0, 0};
	vec3 x = cell_wrap(&p->world->state.cell, p->world->state.bodies.x[grain], image);
	cell_walk w = hash_grid_of(p, x, p->world->state.bodies.radius[grain]);
	do {
		if (p->notes == p->note_capacity) {
			size_t capacity = memory_capacity(p->note_capacity, p->notes + 1);
			p->note = memory_grow(p->note, p->notes*sizeof *p->note, capacity*sizeof *p->note);
			p->note_capacity = capacity;
		}
		size_t place = place_of(p, w.c);
		p->note[p->notes++] = (note){grain, p->head[place]};
		p->head[place] = (uint32_t)p->notes;
	} while (next_cell(&w));
}

static placer placer_create(const talus_world *world, double typical, size_t more)
{
	placer p = {.world = world, .size = 2*typical, .slots = 16};
	for (size_t i = 0; i < world->state.bodies.count; i++)
		p.size = fmax(p.size, 0.25*world->state.bodies.radius[i]); // nobody gets more than a thousand notes
	while (p.slots < 4*(world->state.bodies.count + more))
		p.slots *= 2;
	p.head = memory_grow(NULL, 0, p.slots*sizeof *p.head);
	memset(p.head, 0, p.slots*sizeof *p.head);
	for (uint32_t i = 0; i < world->state.bodies.count; i++)
		placer_add(&p, i);
	return p;
}

static void placer_free(placer *p)
{
	memory_free(p->head);
	memory_free(p->note);
}

static bool any_around(const placer *p, vec3 at, vec3 x, double r)
{
	cell_walk w = hash_grid_of(p, at, r);
	do
		for (uint32_t j = p->head[place_of(p, w.c)]; j; j = p->note[j - 1].next)
			if (room_taken_by(&p->world->state, p->note[j - 1].grain, x, r))
				return true;
	while (next_cell(&w));
	return false;
}

// Looks at the cells around x and, in a periodic cell, at those around its images.
static bool placer_has_room(const placer *p, vec3 x, double r)
{
	const cell *box = &p->world->state.cell;
	int32_t turns[3] = {0, 0, 0};
	vec3 inside = cell_wrap(box, x, turns);
	for (int image = 0; image < 27; image++) {
		int n[3] = {image%3 - 1, image/3%3 - 1, image/9 - 1};
		if ((n[0] && !box->periodic[0]) || (n[1] && !box->periodic[1]) || (n[2] && !box->periodic[2]))
			continue;
		if (any_around(p, add(inside, box->shift[image]), x, r))
			return false;
	}
	return !room_behind_wall(&p->world->state, x, r);
}

// ---------------------------------------------------------------- at the start

void place_put(talus_world *world, const talus_fill_def *def, vec3 x, double r)
{
	talus_grain_def grain = talus_grain_def_default();
	grain.at = x;
	grain.radius = r;
	grain.material = def->material;
	grain.velocity = def->velocity;
	grain.free = def->fixed ? 0 : TALUS_FREE_ALL;
	world_add_grain(world, &grain);
}

static void put(talus_world *world, placer *p, const talus_fill_def *def, vec3 x, double r)
{
	place_put(world, def, x, r);
	placer_add(p, (uint32_t)world->state.bodies.count - 1);
}

// ---------------------------------------------------------------- random places, lattices

static bool fill_random(talus_world *world, placer *p, const talus_fill_def *def, const double *radius, uint64_t stream,
                        talus_error *error)
{
	uint64_t counter = 0;
	char blame[FILL_BLAME];
	for (int i = 0; i < def->count; i++) {
		bool placed = false;
		for (int attempt = 0; attempt < TRIES && !placed; attempt++) {
			double f[3];
			for (int k = 0; k < 3; k++)
				f[k] = random_unit(stream, counter++);
			vec3 x = region_point(&def->in, &world->state.cell, world->state.def.dimension, radius[i], f);
			placed = region_holds(&def->in, &world->state.cell, world->state.def.dimension, x, radius[i]) &&
			         placer_has_room(p, x, radius[i]);
			if (placed)
				put(world, p, def, x, radius[i]);
		}
		if (!placed && fill_walled_off(world, def, i, error))
			return false;
		if (!placed)
			return error_set(error, "only %d of %d grains found a place at random without overlap%s; "
			                 "make the region larger, or use `arrangement: lattice`", i, def->count,
			                 fill_blame(world, def, blame, sizeof blame));
	}
	return true;
}

// Sites along each direction: spread evenly along all but the last, which is filled tightly from below. An exact
// lattice falls into columns that stand for ever, so grains may be moved inside their sites.
static bool fill_lattice(talus_world *world, placer *p, const talus_fill_def *def, const double *radius, uint64_t stream,
                         talus_error *error)
{
	uint64_t counter = 0;
	int dimension = world->state.def.dimension, placed = 0;
	int64_t barren = 0, most = BARREN + 10*(int64_t)def->count;
	talus_box box = region_bounds(&def->in);
	double wide = 2*sizes_most(&def->radius), pitch[3] = {0, 0, 0};
	int64_t sites[3] = {1, 1, 1}, all = 1;
	for (int k = 0; k < dimension; k++) {
		double length = component(box.high, k) - component(box.low, k);
		sites[k] = (int64_t)fmin(floor(length/wide + slack), 1e6);
		pitch[k] = k == dimension - 1 || sites[k] == 0 || length/wide > 1e6 ? wide : length/(double)sites[k];
		all *= sites[k];
	}
	for (int64_t site = 0; site < all && placed < def->count && barren < most; site++) {
		int64_t c[3] = {site%sites[0], site/sites[0]%sites[1], site/(sites[0]*sites[1])};
		vec3 x = {0, 0, 0};
		double r = radius[placed];
		for (int k = 0; k < dimension; k++) {
			double moved = def->jitter*(random_unit(stream, counter++) - 0.5)*(pitch[k] - 2*r);
			set_component(&x, k, component(box.low, k) + ((double)c[k] + 0.5)*pitch[k] + moved);
		}
		if (region_holds(&def->in, &world->state.cell, dimension, x, r) && placer_has_room(p, x, r)) {
			put(world, p, def, x, r);
			placed++;
			barren = 0;
		} else {
			barren++;
		}
	}
	char blame[FILL_BLAME];
	if (placed < def->count && fill_walled_off(world, def, placed, error))
		return false;
	if (barren == most)
		return error_set(error, "only %d of %d grains found a place before %lld sites of the lattice in a row had no room%s; the "
		                 "region reaches far beyond what walls and other grains leave: make it fit",
		                 placed, def->count, (long long)most, fill_blame(world, def, blame, sizeof blame));
	if (placed < def->count)
		return error_set(error, "the region has only %d sites of a lattice for its %d grains%s; make it larger",
		                 placed, def->count, fill_blame(world, def, blame, sizeof blame));
	return true;
}

static double mean(const double *value, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += value[i];
	return sum/count;
}

bool place_all(talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error)
{
	uint64_t places = random_stream(world->state.def.seed, RANDOM_FILL, world->state.bodies.next_id, 1);
	double typical = fmax(mean(radius, def->count), 0.125*sizes_most(&def->radius));
	placer p = placer_create(world, typical, (size_t)def->count);
	bool done = def->arrangement == TALUS_ARRANGE_LATTICE ? fill_lattice(world, &p, def, radius, places, error)
	                                                      : fill_random(world, &p, def, radius, places, error);
	placer_free(&p);
	return done;
}

bool place_at_random(talus_world *world, const double *radius, int count, talus_error *error)
{
	talus_fill_def def = {.count = count, .radius = {.kind = TALUS_SIZE_CONSTANT, .a = radius[0]},
	                      .in = {.box = {.high = world->state.def.cell.size}}};
	return place_all(world, &def, radius, error);
}

int place_blocked(const talus_world *world, const vec3 *x, const double *radius, int count)
{
	placer p = placer_create(world, mean(radius, count), 0);
	int blocked = 0;
	for (int i = 0; i < count; i++)
		blocked += !placer_has_room(&p, x[i], radius[i]);
	placer_free(&p);
	return blocked;
}
