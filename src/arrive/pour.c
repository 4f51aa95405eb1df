// SPDX-License-Identifier: MIT
// Pouring. A grain is tried at random places of its region among the grains that are there at that moment; one that finds no room waits for
// the next step.
#include "arrive/pour.h"

#include "arrive/region.h"
#include "arrive/room.h"
#include "arrive/sizes.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { TRIES = 200 };

void pours_add(pours *all, const talus_pour_def *def)
{
	if (all->count == all->capacity) {
		all->capacity += 4;
		all->at = memory_grow(all->at, (size_t)all->count*sizeof *all->at, (size_t)all->capacity*sizeof *all->at);
	}
	all->at[all->count++] = (pour_state){.def = *def};
}

// The grains that may be in the way of the jet, in bins as wide as two that touch: periodic directions are cut into fractions of the cell, the
// others where the region is, and who is beyond counts with the last bin.
enum { BINS_MOST = 64 };

typedef struct neighbour {
	uint32_t grain, next; // next of its bin + 1
} neighbour;

typedef struct neighbourhood {
	const world_state *st;
	int bins[3];
	double low[3], per_length[3];
	size_t count, capacity;
	neighbour *at;
	uint32_t *head; // per bin: first + 1
} neighbourhood;

static int bin_along(const neighbourhood *near, int k, double place)
{
	double f = (place - near->low[k])*near->per_length[k];
	f = near->st->cell.periodic[k] ? (f - floor(f))*near->bins[k] : f;
	return f > 0 ? (f < near->bins[k] - 1 ? (int)f : near->bins[k] - 1) : 0; // what is no number is in the first
}

static void bins_of(const neighbourhood *near, vec3 x, int bin[3])
{
	vec3 f = cell_fraction(&near->st->cell, x);
	for (int k = 0; k < 3; k++)
		bin[k] = bin_along(near, k, near->st->cell.periodic[k] ? component(f, k) : component(x, k));
}

static uint32_t *head_of(const neighbourhood *near, int x, int y, int z)
{
	return &near->head[(z*near->bins[1] + y)*near->bins[0] + x];
}

static void neighbourhood_note(neighbourhood *near, uint32_t n)
{
	int bin[3];
	bins_of(near, near->st->bodies.x[near->at[n].grain], bin);
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
	const world_state *st = near->st;
	size_t all = 1;
	double most = fmin(BINS_MOST, 3 + cbrt(8*(double)near->count)); // not many more than grains
	for (int k = 0; k < 3; k++) {
		bool periodic = st->cell.periodic[k];
		double width = periodic ? cell_height(&st->cell, k) : component(box->high, k) - component(box->low, k) + 2*reach;
		int bins = (int)fmin(width/reach, most);
		near->bins[k] = bins < 3 ? 1 : bins;
		near->low[k] = periodic ? 0 : component(box->low, k) - reach;
		near->per_length[k] = periodic ? 1 : near->bins[k]/width;
		all *= (size_t)near->bins[k];
	}
	near->head = memory_grow(NULL, 0, all*sizeof *near->head);
	memset(near->head, 0, all*sizeof *near->head);
}

static neighbourhood neighbourhood_find(const world_state *st, const talus_pour_def *def)
{
	const bodies *b = &st->bodies;
	talus_box box = region_bounds(&def->in);
	vec3 middle = mul(0.5, add(box.low, box.high)), half = mul(0.5, sub(box.high, box.low));
	neighbourhood near = {.st = st};
	double largest = 0;
	for (uint32_t i = 0; i < b->count; i++) {
		vec3 d = cell_nearest(&st->cell, sub(b->x[i], middle));
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
		if (room_taken_by(near->st, near->at[n - 1].grain, x, r))
			return false;
	return true;
}

// The bin beside this one; round a periodic cell the first comes after the last. -1: there is none, or it is the same.
static int beside(const neighbourhood *near, int k, int bin, int step)
{
	int n = near->bins[k], to = bin + step;
	if (near->st->cell.periodic[k] && n > 1)
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
	return !room_behind_wall(near->st, x, r);
}

static bool pour_one(world_state *st, pour_state *p, neighbourhood *near, uint64_t stream)
{
	if (p->next_radius == 0)
		p->next_radius = sizes_draw(&p->def.radius, st->def.dimension, stream, &p->draws);
	double r = p->next_radius;
	for (int attempt = 0; attempt < TRIES; attempt++) {
		double f[3];
		for (int k = 0; k < 3; k++)
			f[k] = random_unit(stream, p->draws++);
		vec3 x = region_point(&p->def.in, &st->cell, st->def.dimension, r, f);
		if (!region_holds(&p->def.in, &st->cell, st->def.dimension, x, r) || !has_room(near, x, r))
			continue;
		state_add_grain(st, &(talus_grain_def){.at = x, .radius = r, .material = p->def.material, .velocity = p->def.velocity,
		                                      .free = TALUS_FREE_ALL});
		neighbourhood_add(near, (uint32_t)st->bodies.count - 1);
		neighbourhood_note(near, (uint32_t)near->count - 1);
		p->next_radius = 0;
		p->poured++;
		return true;
	}
	return false;
}

bool pours_arrive(pours *all, world_state *st, double *waiting)
{
	bool came = false;
	for (int k = 0; k < all->count; k++) {
		pour_state *p = &all->at[k];
		double due = fmin(p->def.count, floor(p->def.rate*(st->time - p->def.start)*(1 + 1e-12)) + 1);
		if (st->time < p->def.start || p->poured >= due)
			continue;
		uint64_t stream = random_stream(st->def.seed, RANDOM_POUR, (uint64_t)k, 0);
		neighbourhood near = neighbourhood_find(st, &p->def);
		while (p->poured < due && pour_one(st, p, &near, stream))
			came = true;
		neighbourhood_free(&near);
		*waiting = fmax(*waiting, due - p->poured);
	}
	return came;
}

void pours_free(pours *all)
{
	memory_free(all->at);
}
