// SPDX-License-Identifier: MIT
// A world from a scene. What can only be judged with all grains in place is judged here: overlaps, the size of the cell.
#include "io/scene.h"

#include "base/error.h"
#include "base/memory.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "prepare/dense.h"
#include "prepare/fill.h"
#include "method/contact_dynamics.h"
#include "io/csv.h"
#include "arrive/sizes.h"
#include "state/wall.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct owner { // which entry of the scene a grain comes from
	uint32_t first, end; // ids
	const scene_grains *entry;
} owner;

static bool is_dense(const scene_grains *entry)
{
	return entry->kind == SCENE_FILL && entry->fill->arrangement == TALUS_ARRANGE_DENSE;
}

static bool at_entry(const scene *s, const scene_grains *entry, talus_error *error)
{
	talus_error inner = *error;
	return error_at(error, s->file, entry->line, entry->column, "%s", inner.text);
}

static bool fill_entry(talus_world *world, const scene *s, const scene_grains *entry, bool only_check, talus_error *error)
{
	bool skip = only_check && is_dense(entry);
	bool good = skip ? fill_check(world, entry->fill, error) : world_fill(world, entry->fill, error);
	return good || at_entry(s, entry, error);
}

static bool file_entry(talus_world *world, const scene *s, const scene_grains *entry, talus_error *error)
{
	char path[2*TALUS_PATH_MAX];
	const talus_file_def *file = entry->file;
	talus_grain_def *grain = NULL;
	size_t count = 0;
	char *own = NULL;
	size_t size = file->size;
	if (!scene_file_path(s, file->path, path, sizeof path) || (!file->bytes && !csv_read_bytes(path, &own, &size)))
		return error_at(error, file->source, file->line, file->column, "the file `%.300s` cannot be opened: %s",
		                file->path, csv_reason(errno));
	bool good = csv_parse_grains(path, own ? own : file->bytes, size, s->world.dimension, &grain, &count, error);
	free(own);
	if (!good)
		return false;
	if (world->state.bodies.count + count > INT32_MAX) {
		memory_free(grain);
		return error_at(error, file->source, file->line, file->column, "with this file the scene has %zu grains, more than the %d "
		                "that can be told apart", world->state.bodies.count + count, INT32_MAX);
	}
	bodies_reserve(&world->state.bodies, world->state.bodies.count + count);
	for (size_t i = 0; i < count; i++) {
		grain[i].material = file->material;
		world_add_grain(world, &grain[i]);
	}
	memory_free(grain);
	return true;
}

static bool add_grains(talus_world *world, const scene *s, owner *owners, bool only_check, talus_error *error)
{
	for (int i = 0; i < s->grain_entries; i++) {
		const scene_grains *entry = &s->grains[i];
		owners[i] = (owner){world->state.bodies.next_id, 0, entry};
		switch (entry->kind) {
		case SCENE_FILL:
			if (!fill_entry(world, s, entry, only_check, error))
				return false;
			break;
		case SCENE_FILE:
			if (!file_entry(world, s, entry, error))
				return false;
			break;
		case SCENE_GRAIN:
			world_add_grain(world, &entry->grain);
			break;
		case SCENE_POUR:
			if (!fill_check_pour(world, entry->pour, error))
				return at_entry(s, entry, error);
			break;
		}
		owners[i].end = world->state.bodies.next_id;
	}
	return true;
}

static const scene_grains *entry_of(const scene *s, const owner *owners, uint32_t id)
{
	int low = 0, high = s->grain_entries; // who has no grains comes before who has the next ones
	while (high - low > 1) {
		int middle = low + (high - low)/2;
		*(owners[middle].first <= id ? &low : &high) = middle;
	}
	return id < owners[low].end ? owners[low].entry : NULL;
}

static bool allowed(const scene_grains *entry)
{
	return entry && entry->kind == SCENE_FILE && entry->file->overlaps_allowed;
}

static const double touching = 1e-9; // overlaps below this share of the radii are rounding

static bool pair_apart(const talus_world *world, const scene *s, const owner *owners, pair p, talus_error *error)
{
	const bodies *b = &world->state.bodies;
	double sum = b->radius[p.a] + b->radius[p.b];
	double gap = norm(sub(add(b->x[p.b], world->state.cell.shift[p.image]), b->x[p.a])) - sum;
	if (gap >= -touching*sum)
		return true;
	uint32_t first = b->id[p.a] < b->id[p.b] ? p.a : p.b, last = first == p.a ? p.b : p.a;
	const scene_grains *entry = entry_of(s, owners, b->id[last]);
	const scene_grains *other = entry_of(s, owners, b->id[first]);
	bool pressed = entry == other && entry && is_dense(entry); // what pushes in a packing may overlap by a little
	if (allowed(entry) || allowed(other) || pressed)
		return true;
	bool late = entry != other && other && other->kind == SCENE_FILL && !is_dense(other) && entry->kind != SCENE_FILL;
	return error_at(error, s->file, entry->line, entry->column,
	                "the grains at (%g, %g, %g) and (%g, %g, %g) overlap by %g at the start%s", b->x[first].x,
	                b->x[first].y, b->x[first].z, b->x[last].x, b->x[last].y, b->x[last].z, -gap,
	                late ? "; entries are placed in their order, and a `fill` avoids what is listed before it" : "");
}

static bool pairs_apart(const talus_world *world, const scene *s, const owner *owners, talus_error *error)
{
	for (size_t i = 0; i < world->list.count; i++)
		if (!pair_apart(world, s, owners, world->list.pair[i], error))
			return false;
	return true;
}

// ---------------------------------------------------------------- crowds

// The list of pairs of grains that all lie in one place grows with the square of their number. So before it is made: a cell
// whose diagonal is shorter than the diameter of the smallest grain of its octave has room for the centre of one.
typedef struct seat {
	double cell[3];
	int octave; // of the radius
	uint32_t grain;
} seat;

static int by_seat(const void *a, const void *b)
{
	const seat *one = a, *other = b;
	if (one->octave != other->octave)
		return one->octave < other->octave ? -1 : 1;
	for (int k = 0; k < 3; k++)
		if (one->cell[k] != other->cell[k])
			return one->cell[k] < other->cell[k] ? -1 : 1;
	return one->grain < other->grain ? -1 : one->grain > other->grain;
}

static seat seat_of(const bodies *b, uint32_t grain)
{
	seat at = {.grain = grain};
	frexp(b->radius[grain], &at.octave);
	double side = (1 - 1e-6)/sqrt(3)*ldexp(1, at.octave); // radii begin at half of that power of two
	for (int k = 0; k < 3; k++)
		at.cell[k] = floor(component(b->x[grain], k)/side);
	return at;
}

static bool same_seat(const seat *a, const seat *b)
{
	return a->octave == b->octave && a->cell[0] == b->cell[0] && a->cell[1] == b->cell[1] && a->cell[2] == b->cell[2];
}

// Pairs among grains that share a seat, which all overlap. Where that is allowed, they still have to fit into memory.
static bool few_pairs(const seat *seats, size_t count, const talus_world *world, const scene *s, const owner *owners,
                      talus_error *error)
{
	double pairs = 0, most = 1e6 + 100*(double)world->state.bodies.count;
	for (size_t i = 0, first = 0; i < count; i++) {
		first = same_seat(&seats[first], &seats[i]) ? first : i;
		pairs += (double)(i - first);
		if (pairs <= most)
			continue;
		const scene_grains *entry = entry_of(s, owners, world->state.bodies.id[seats[i].grain]);
		vec3 x = world->state.bodies.x[seats[i].grain];
		return error_at(error, s->file, entry->line, entry->column, "too many grains lie in one place, near (%g, %g, %g): more than %.3g "
		                "pairs overlap, 100 for each grain; `overlaps: allowed` is for few", x.x, x.y, x.z, most);
	}
	return true;
}

// Where grains were put by hand; fills take care of themselves. What must not overlap comes first.
static bool no_crowds(talus_world *world, const scene *s, const owner *owners, bool may, talus_error *error)
{
	bodies *b = &world->state.bodies;
	seat *seats = memory_grow(NULL, 0, b->count*sizeof *seats + 1);
	size_t count = 0;
	bool good = true;
	for (uint32_t i = 0; i < b->count; i++) {
		const scene_grains *entry = entry_of(s, owners, b->id[i]);
		if (!entry || entry->kind == SCENE_FILL || (!b->free[i] && !may) || allowed(entry) != may)
			continue;
		if (cell_any(&world->state.cell))
			b->x[i] = cell_wrap(&world->state.cell, b->x[i], b->image[i]);
		seats[count++] = seat_of(b, i);
	}
	qsort(seats, count, sizeof *seats, by_seat);
	for (size_t i = 1; i < count && good && !may; i++)
		if (same_seat(&seats[i - 1], &seats[i]))
			good = pair_apart(world, s, owners, (pair){seats[i - 1].grain, seats[i].grain, CELL_NO_IMAGE}, error);
	good = good && (!may || few_pairs(seats, count, world, s, owners, error));
	memory_free(seats);
	return good;
}

// ---------------------------------------------------------------- all grains in place

static bool walls_apart(const talus_world *world, const scene *s, const owner *owners, talus_error *error)
{
	const bodies *b = &world->state.bodies;
	for (size_t i = 0; i < world->list.wall_count; i++) {
		wall_pair p = world->list.wall[i];
		touch touches[WALL_TOUCHES];
		double r = b->radius[p.grain];
		const wall *at = &world->state.walls.at[p.wall];
		vec3 image = state_wall_image(&world->state, at, p.grain, p.image);
		int count = wall_touch(at, image, world->state.def.dimension, b->x[p.grain], r, -touching*r, touches);
		const scene_grains *entry = count ? entry_of(s, owners, b->id[p.grain]) : NULL;
		if (count == 0 || allowed(entry))
			continue;
		vec3 x = b->x[p.grain];
		wall_beyond beyond = wall_beyond_of(at);
		bool whole = beyond.where && -touches[0].gap >= 2*r*(1 - touching);
		return error_at(error, s->file, entry->line, entry->column,
		                "the grain at (%g, %g, %g) overlaps wall `%s` by %g at the start%s%s%s%s", x.x, x.y, x.z, at->def.name,
		                -touches[0].gap, whole ? ": it is " : "", whole ? beyond.where : "", whole ? "; " : "",
		                whole ? beyond.hint : "");
	}
	return true;
}

// Of the grains that are there and of those to come.
static double largest_diameter(const talus_world *world, const scene *s)
{
	double radius = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		radius = fmax(radius, world->state.bodies.radius[i]);
	for (int i = 0; i < s->grain_entries; i++) {
		const scene_grains *entry = &s->grains[i];
		double most = entry->kind == SCENE_FILL    ? sizes_most(&entry->fill->radius)
		              : entry->kind == SCENE_POUR  ? sizes_most(&entry->pour->radius)
		              : entry->kind == SCENE_GRAIN ? entry->grain.radius
		                                           : 0;
		radius = fmax(radius, most);
	}
	return 2*radius;
}

// Can each wall stand beside its own images?
static bool walls_fit(const talus_world *world, const scene *s, talus_error *error)
{
	double diameter = largest_diameter(world, s);
	for (int i = 0; i < world->state.walls.count; i++) {
		const wall *w = &world->state.walls.at[i];
		int k = wall_too_wide(w, &world->state.cell, diameter);
		if (k < 0)
			continue;
		char less[80] = "";
		if (!w->nearest)
			snprintf(less, sizeof less, ", less the largest diameter, %g", diameter);
		return error_at(error, s->file, s->wall[i].line, s->wall[i].column,
		                "%s `%s` is %g wide along %c, but must be narrower than the periodic cell, %g%s",
		                w->shape->part, w->def.name, wall_width(w, k), "xyz"[k], cell_height(&world->state.cell, k),
		                less);
	}
	return true;
}

static bool judge(talus_world *world, const scene *s, const owner *owners, talus_error *error)
{
	int k = state_too_narrow_axis(&world->state);
	if (k >= 0)
		return error_at(error, s->file, s->cell_line, s->cell_column,
		                "the cell is %g wide along %c, but must be at least %g times the largest diameter, and twice "
		                "that plus the range of bonds: %g", cell_height(&world->state.cell, k), "xyz"[k],
		                STATE_LEAST_WIDTH, state_least_width(&world->state));
	if (world->state.cell_deforms && s->walls > 0)
		return error_at(error, s->file, s->wall[0].line, s->wall[0].column,
		                "a cell with a `bath` or a `drive` has no walls, but here is `%s`", s->wall[0].def.name);
	if (!walls_fit(world, s, error)) // again: a file may have brought larger grains
		return false;
	if (!no_crowds(world, s, owners, false, error) || !no_crowds(world, s, owners, true, error))
		return false;
	contact_dynamics_predict(&world->state, &world->approach);
	grid_build(&world->state, &world->approach, &world->list);
	world->list.stale = true;
	return pairs_apart(world, s, owners, error) && walls_apart(world, s, owners, error);
}

static talus_world *bare_world(const scene *s)
{
	talus_world *world = world_create(&s->world);
	if (s->threads)
		world_set_threads(world, s->threads);
	state_add_materials(&world->state, s->material, s->materials);
	for (int i = 0; i < s->pairs; i++)
		world_set_pair(world, &s->pair[i]);
	for (int i = 0; i < s->walls; i++)
		world_add_wall(world, &s->wall[i].def);
	for (int i = 0; i < s->grain_entries; i++)
		if (s->grains[i].kind == SCENE_POUR)
			world_pour(world, s->grains[i].pour);
	return world;
}

static talus_world *full_world(const scene *s, bool only_check, talus_error *error)
{
	talus_world *world = bare_world(s);
	owner *owners = memory_grow(NULL, 0, (size_t)s->grain_entries*sizeof *owners);
	bool good = walls_fit(world, s, error) && add_grains(world, s, owners, only_check, error) &&
	            judge(world, s, owners, error);
	memory_free(owners);
	if (good) {
		dense_fill_sorted(world);
		return world;
	}
	world_destroy(world);
	return NULL;
}

talus_world *scene_build(const scene *s, bool empty, talus_error *error)
{
	return empty ? bare_world(s) : full_world(s, false, error);
}

bool scene_check(const scene *s, talus_error *error)
{
	talus_world *world = full_world(s, true, error);
	world_destroy(world);
	return world != NULL;
}
