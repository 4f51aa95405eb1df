// SPDX-License-Identifier: MIT
// Filling. Random: the largest first, each tried at random places until it overlaps nobody (random sequential
// addition). Lattice: a square or cubic one, wide enough for the largest, from the low corner upwards. Pouring: as
// random, with the grains that are there at that moment; a grain that finds no room waits for the next step. Dense packings
// are made elsewhere (dense.c).
#include "fill.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "cell.h"
#include "dense.h"
#include "region.h"
#include "shape.h"
#include "sizes.h"
#include "wall.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 20000, POUR_TRIES = 200, BARREN = 1 << 20 }; // BARREN: sites of a lattice in a row that take no grain
static const double slack = FILL_SLACK;

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

static cell_walk cells_of(const placer *p, vec3 x, double r)
{
	cell_walk w;
	for (int k = 0; k < 3; k++) {
		double span = p->world->def.dimension == 2 && k == 2 ? 0 : r;
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
	vec3 x = cell_wrap(&p->world->cell, p->world->bodies.x[grain], image);
	cell_walk w = cells_of(p, x, p->world->bodies.radius[grain]);
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
	for (size_t i = 0; i < world->bodies.count; i++)
		p.size = fmax(p.size, 0.25*world->bodies.radius[i]); // nobody gets more than a thousand notes
	while (p.slots < 4*(world->bodies.count + more))
		p.slots *= 2;
	p.head = memory_grow(NULL, 0, p.slots*sizeof *p.head);
	memset(p.head, 0, p.slots*sizeof *p.head);
	for (uint32_t i = 0; i < world->bodies.count; i++)
		placer_add(&p, i);
	return p;
}

static void placer_free(placer *p)
{
	memory_free(p->head);
	memory_free(p->note);
}

static bool overlaps(const talus_world *world, uint32_t grain, vec3 x, double r)
{
	vec3 d = cell_nearest(&world->cell, sub(world->bodies.x[grain], x));
	double sum = r + world->bodies.radius[grain];
	return dot(d, d) < sum*sum*(1 - slack);
}

static bool overlaps_wall(const talus_world *world, vec3 x, double r)
{
	for (int w = 0; w < world->walls.count; w++)
		if (wall_overlaps(&world->walls.at[w], &world->cell, world->def.dimension, x, r, -slack*r))
			return true;
	return false;
}

static bool any_around(const placer *p, vec3 at, vec3 x, double r)
{
	cell_walk w = cells_of(p, at, r);
	do
		for (uint32_t j = p->head[place_of(p, w.c)]; j; j = p->note[j - 1].next)
			if (overlaps(p->world, p->note[j - 1].grain, x, r))
				return true;
	while (next_cell(&w));
	return false;
}

// Looks at the cells around x and, in a periodic cell, at those around its images.
static bool placer_has_room(const placer *p, vec3 x, double r)
{
	const cell *box = &p->world->cell;
	int32_t turns[3] = {0, 0, 0};
	vec3 inside = cell_wrap(box, x, turns);
	for (int image = 0; image < 27; image++) {
		int n[3] = {image%3 - 1, image/3%3 - 1, image/9 - 1};
		if ((n[0] && !box->periodic[0]) || (n[1] && !box->periodic[1]) || (n[2] && !box->periodic[2]))
			continue;
		if (any_around(p, add(inside, box->shift[image]), x, r))
			return false;
	}
	return !overlaps_wall(p->world, x, r);
}

// ---------------------------------------------------------------- at the start

void fill_put(talus_world *world, const talus_fill_def *def, vec3 x, double r)
{
	talus_grain_def grain = talus_grain_def_default();
	grain.at = x;
	grain.radius = r;
	grain.material = def->material;
	grain.velocity = def->velocity;
	grain.free = def->fixed ? 0 : TALUS_FREE_ALL;
	talus_world_add_grain(world, &grain);
}

static void put(talus_world *world, placer *p, const talus_fill_def *def, vec3 x, double r)
{
	fill_put(world, def, x, r);
	placer_add(p, (uint32_t)world->bodies.count - 1);
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
			vec3 x = region_point(&def->in, &world->cell, world->def.dimension, radius[i], f);
			placed = region_holds(&def->in, &world->cell, world->def.dimension, x, radius[i]) &&
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
	int dimension = world->def.dimension, placed = 0;
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
		if (region_holds(&def->in, &world->cell, dimension, x, r) && placer_has_room(p, x, r)) {
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

static int larger_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x < y) - (x > y);
}

// Bodies alone take more than that for each of them. Far too many would keep a machine busy with its disk before they are refused.
static bool memory_suffices(const talus_fill_def *def, talus_error *error)
{
	enum { LEAST_BYTES = 200 };
	double all = (double)sysconf(_SC_PHYS_PAGES)*(double)sysconf(_SC_PAGESIZE), least = (double)LEAST_BYTES*def->count;
	return all <= 0 || least <= all ||
	       error_set(error, "%d grains take at least %.3g GB of memory, more than this machine has", def->count, 1e-9*least);
}

static bool fits(const talus_world *world, const talus_fill_def *def, talus_error *error)
{
	double widest = 2*sizes_most(&def->radius);
	for (int k = 0; k < world->def.dimension; k++) {
		double width = region_width(&def->in, &world->cell, k);
		if (width < widest*(1 - slack))
			return error_set(error, "the region is %g wide along %c, less than the largest diameter, %g", width,
			                 "xyz"[k], widest);
	}
	talus_box box = region_bounds(&def->in);
	double room = 1, least = def->count*shape_volume(world->def.dimension, sizes_least(&def->radius));
	for (int k = 0; k < world->def.dimension; k++)
		room *= component(box.high, k) - component(box.low, k);
	if (least > room)
		return error_set(error, "%d grains are more than the region can hold: together they are larger than it",
		                 def->count);
	return true;
}

static double *draw_radii(const talus_world *world, const talus_fill_def *def)
{
	uint64_t counter = 0, stream = random_stream(world->def.seed, RANDOM_FILL, world->bodies.next_id, 0);
	double *radius = memory_grow(NULL, 0, (size_t)def->count*sizeof *radius);
	for (int i = 0; i < def->count; i++)
		radius[i] = sizes_draw(&def->radius, world->def.dimension, stream, &counter);
	if (def->arrangement != TALUS_ARRANGE_LATTICE)
		qsort(radius, (size_t)def->count, sizeof *radius, larger_first);
	return radius;
}

static bool fill_by_placer(talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error)
{
	uint64_t places = random_stream(world->def.seed, RANDOM_FILL, world->bodies.next_id, 1);
	double typical = fmax(mean(radius, def->count), 0.125*sizes_most(&def->radius));
	placer p = placer_create(world, typical, (size_t)def->count);
	bool done = def->arrangement == TALUS_ARRANGE_LATTICE ? fill_lattice(world, &p, def, radius, places, error)
	                                                      : fill_random(world, &p, def, radius, places, error);
	placer_free(&p);
	return done;
}

bool fill_check(const talus_world *world, const talus_fill_def *def, talus_error *error)
{
	if (def->arrangement != TALUS_ARRANGE_DENSE)
		return fits(world, def, error) && memory_suffices(def, error);
	if (!memory_suffices(def, error))
		return false;
	double *radius = draw_radii(world, def);
	bool good = dense_fill_check(world, def, radius, error);
	memory_free(radius);
	return good;
}

bool fill_at_random(talus_world *world, const double *radius, int count, talus_error *error)
{
	talus_fill_def def = {.count = count, .radius = {.kind = TALUS_SIZE_CONSTANT, .a = radius[0]},
	                      .in = {.box = {.high = world->def.cell.size}}};
	return fill_by_placer(world, &def, radius, error);
}

int fill_blocked(const talus_world *world, const vec3 *x, const double *radius, int count)
{
	placer p = placer_create(world, mean(radius, count), 0);
	int blocked = 0;
	for (int i = 0; i < count; i++)
		blocked += !placer_has_room(&p, x[i], radius[i]);
	placer_free(&p);
	return blocked;
}

bool talus_world_fill(talus_world *world, const talus_fill_def *def, talus_error *error)
{
	if (!fill_check(world, def, error))
		return false;
	uint32_t first = world->bodies.next_id;
	size_t before = world->bodies.count;
	double *radius = draw_radii(world, def);
	bool done = def->arrangement == TALUS_ARRANGE_DENSE ? dense_fill(world, def, radius, error)
	                                                    : fill_by_placer(world, def, radius, error);
	memory_free(radius);
	if (!done) { // nothing of it stays
		world->bodies.count = before;
		world->bodies.next_id = first;
	}
	return done;
}

// ---------------------------------------------------------------- while it runs

void talus_world_pour(talus_world *world, const talus_pour_def *def)
{
	if (world->pours == world->pour_capacity) {
		int capacity = world->pour_capacity + 4;
		world->pour = memory_grow(world->pour, (size_t)world->pours*sizeof *world->pour,
		                          (size_t)capacity*sizeof *world->pour);
		world->pour_capacity = capacity;
	}
	world->pour[world->pours++] = (pour_state){.def = *def};
}

// The grains that may be in the way of the jet, in bins as wide as two that touch: periodic directions are cut into fractions of the cell, the
// others where the region is, and who is beyond counts with the last bin.
enum { BINS_MOST = 64 };

typedef struct neighbour {
	uint32_t grain, next; // next of its bin + 1
} neighbour;

typedef struct neighbourhood {
	const talus_world *world;
	int bins[3];
	double low[3], per_length[3];
	size_t count, capacity;
	neighbour *at;
	uint32_t *head; // per bin: first + 1
} neighbourhood;

static int bin_along(const neighbourhood *near, int k, double place)
{
	double f = (place - near->low[k])*near->per_length[k];
	f = near->world->cell.periodic[k] ? (f - floor(f))*near->bins[k] : f;
	return f > 0 ? (f < near->bins[k] - 1 ? (int)f : near->bins[k] - 1) : 0; // what is no number is in the first
}

static void bins_of(const neighbourhood *near, vec3 x, int bin[3])
{
	vec3 f = cell_fraction(&near->world->cell, x);
	for (int k = 0; k < 3; k++)
		bin[k] = bin_along(near, k, near->world->cell.periodic[k] ? component(f, k) : component(x, k));
}

static uint32_t *head_of(const neighbourhood *near, int x, int y, int z)
{
	return &near->head[(z*near->bins[1] + y)*near->bins[0] + x];
}

static void neighbourhood_note(neighbourhood *near, uint32_t n)
{
	int bin[3];
	bins_of(near, near->world->bodies.x[near->at[n].grain], bin);
	uint32_t *head = head_of(near, bin[0], bin[1], bin[2]);
	near->at[n].next = *head;
	*head = n + 1;
}

static void neighbourhood_add(neighbourhood *near, uint32_t grain)
{
	if (near->count == near->capacity) {
		size_t capacity = memory_capacity(near->capacity, near->count + 1);
		near->at = memory_grow(near->at, near->count*sizeof *near->at, capacity*sizeof *near->at);
		near->capacity = capacity;
	}
	near->at[near->count++] = (neighbour){grain, 0};
}

// Less than three bins around a cell would be the same one twice.
static void choose_bins(neighbourhood *near, const talus_box *box, double reach)
{
	const talus_world *world = near->world;
	size_t all = 1;
	double most = fmin(BINS_MOST, 3 + cbrt(8*(double)near->count)); // not many more than grains
	for (int k = 0; k < 3; k++) {
		bool periodic = world->cell.periodic[k];
		double width = periodic ? cell_height(&world->cell, k) : component(box->high, k) - component(box->low, k) + 2*reach;
		int bins = (int)fmin(width/reach, most);
		near->bins[k] = bins < 3 ? 1 : bins;
		near->low[k] = periodic ? 0 : component(box->low, k) - reach;
		near->per_length[k] = periodic ? 1 : near->bins[k]/width;
		all *= (size_t)near->bins[k];
	}
	near->head = memory_grow(NULL, 0, all*sizeof *near->head);
	memset(near->head, 0, all*sizeof *near->head);
}

static neighbourhood neighbourhood_find(const talus_world *world, const talus_pour_def *def)
{
	const bodies *b = &world->bodies;
	talus_box box = region_bounds(&def->in);
	vec3 middle = mul(0.5, add(box.low, box.high)), half = mul(0.5, sub(box.high, box.low));
	neighbourhood near = {.world = world};
	double largest = 0;
	for (uint32_t i = 0; i < b->count; i++) {
		vec3 d = cell_nearest(&world->cell, sub(b->x[i], middle));
		double r = b->radius[i];
		if (fabs(d.x) <= half.x + r && fabs(d.y) <= half.y + r && fabs(d.z) <= half.z + r) {
			neighbourhood_add(&near, i);
			largest = fmax(largest, r);
		}
	}
	double own = sizes_most(&def->radius);
	choose_bins(&near, &box, (own + fmax(own, largest))*(1 + 1e-9));
	for (uint32_t n = 0; n < near.count; n++)
		neighbourhood_note(&near, n);
	return near;
}

static void neighbourhood_free(neighbourhood *near)
{
	memory_free(near->at);
	memory_free(near->head);
}

static bool bin_has_room(const neighbourhood *near, uint32_t first, vec3 x, double r)
{
	for (uint32_t n = first; n; n = near->at[n - 1].next)
		if (overlaps(near->world, near->at[n - 1].grain, x, r))
			return false;
	return true;
}

// The bin beside this one; round a periodic cell the first comes after the last. -1: there is none, or it is the same.
static int beside(const neighbourhood *near, int k, int bin, int step)
{
	int n = near->bins[k], to = bin + step;
	if (near->world->cell.periodic[k] && n > 1)
		return (to + n)%n;
	return to >= 0 && to < n ? to : -1;
}

static bool has_room(const neighbourhood *near, vec3 x, double r)
{
	int bin[3];
	bins_of(near, x, bin);
	for (int k = 0; k < 27; k++) {
		int c[3] = {beside(near, 0, bin[0], k%3 - 1), beside(near, 1, bin[1], k/3%3 - 1), beside(near, 2, bin[2], k/9 - 1)};
		if (c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && !bin_has_room(near, *head_of(near, c[0], c[1], c[2]), x, r))
			return false;
	}
	return !overlaps_wall(near->world, x, r);
}

static bool pour_one(talus_world *world, pour_state *p, neighbourhood *near, uint64_t stream)
{
	if (p->next_radius == 0)
		p->next_radius = sizes_draw(&p->def.radius, world->def.dimension, stream, &p->draws);
	double r = p->next_radius;
	for (int attempt = 0; attempt < POUR_TRIES; attempt++) {
		double f[3];
		for (int k = 0; k < 3; k++)
			f[k] = random_unit(stream, p->draws++);
		vec3 x = region_point(&p->def.in, &world->cell, world->def.dimension, r, f);
		if (!region_holds(&p->def.in, &world->cell, world->def.dimension, x, r) || !has_room(near, x, r))
			continue;
		talus_grain_def grain = talus_grain_def_default();
		grain.at = x;
		grain.radius = r;
		grain.material = p->def.material;
		grain.velocity = p->def.velocity;
		talus_world_add_grain(world, &grain);
		neighbourhood_add(near, (uint32_t)world->bodies.count - 1);
		neighbourhood_note(near, (uint32_t)near->count - 1);
		p->next_radius = 0;
		p->poured++;
		return true;
	}
	return false;
}

bool fill_pour(talus_world *world)
{
	bool came = false;
	for (int k = 0; k < world->pours; k++) {
		pour_state *p = &world->pour[k];
		double due = fmin(p->def.count, floor(p->def.rate*(world->time - p->def.start)*(1 + 1e-12)) + 1);
		if (world->time < p->def.start || p->poured >= due)
			continue;
		uint64_t stream = random_stream(world->def.seed, RANDOM_POUR, (uint64_t)k, 0);
		neighbourhood near = neighbourhood_find(world, &p->def);
		while (p->poured < due && pour_one(world, p, &near, stream))
			came = true;
		neighbourhood_free(&near);
		world->report.waiting_most = fmax(world->report.waiting_most, due - p->poured);
	}
	return came;
}
