// SPDX-License-Identifier: MIT
// Filling: radii are drawn, then grains are placed at random or on a lattice (place.c), or a dense packing is made of them (dense.c).
#include "prepare/fill.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "state/cell.h"
#include "prepare/dense.h"
#include "prepare/place.h"
#include "arrive/region.h"
#include "arrive/room.h"
#include "state/shape.h"
#include "arrive/sizes.h"

#include <stdlib.h>
#include <unistd.h>

static const double slack = ROOM_SLACK;

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
	for (int k = 0; k < world->state.def.dimension; k++) {
		double width = region_width(&def->in, &world->state.cell, k);
		if (width < widest*(1 - slack))
			return error_set(error, "the region is %g wide along %c, less than the largest diameter, %g", width,
			                 "xyz"[k], widest);
	}
	talus_box box = region_bounds(&def->in);
	double room = 1, least = def->count*shape_volume(world->state.def.dimension, sizes_least(&def->radius));
	for (int k = 0; k < world->state.def.dimension; k++)
		room *= component(box.high, k) - component(box.low, k);
	if (least > room)
		return error_set(error, "%d grains are more than the region can hold: together they are larger than it",
		                 def->count);
	return true;
}

static double *draw_radii(const talus_world *world, const talus_fill_def *def)
{
	uint64_t counter = 0, stream = random_stream(world->state.def.seed, RANDOM_FILL, world->state.bodies.next_id, 0);
	double *radius = memory_grow(NULL, 0, (size_t)def->count*sizeof *radius);
	for (int i = 0; i < def->count; i++)
		radius[i] = sizes_draw(&def->radius, world->state.def.dimension, stream, &counter);
	if (def->arrangement != TALUS_ARRANGE_LATTICE)
		qsort(radius, (size_t)def->count, sizeof *radius, larger_first);
	return radius;
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

bool world_fill(talus_world *world, const talus_fill_def *def, talus_error *error)
{
	if (!fill_check(world, def, error))
		return false;
	uint32_t first = world->state.bodies.next_id;
	size_t before = world->state.bodies.count;
	double *radius = draw_radii(world, def);
	bool done = def->arrangement == TALUS_ARRANGE_DENSE ? dense_fill(world, def, radius, error)
	                                                    : place_all(world, def, radius, error);
	memory_free(radius);
	if (!done) { // nothing of it stays
		world->state.bodies.count = before;
		world->state.bodies.next_id = first;
	}
	return done;
}
