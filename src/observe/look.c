// SPDX-License-Identifier: MIT
// Observables for programs: the list of them, and their numbers by name.
#include "observe/observable.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "observe/walls.h"
#include "world.h"

#include <string.h>

struct talus_look {
	observations seen;
};

// ---------------------------------------------------------------- the list

size_t talus_observables(void)
{
	return (size_t)observables_all().count;
}

bool talus_observable_at(size_t index, talus_observable *about)
{
	observable_list all = observables_all();
	if (index >= (size_t)all.count || !about)
		return false;
	const observable *o = all.at[index];
	*about = (talus_observable){.name = o->name, .meaning = o->meaning, .unit = o->unit, .shape = o->shape, .count = observable_count(o),
	                                 .whole = o->type != OBSERVABLE_REAL, .dimension = o->dimension, .in_log = o->log > 0,
	                                 .in_summary = o->summary > 0, .in_frames = o->frames > 0};
	return true;
}

// ---------------------------------------------------------------- by name

typedef struct found {
	const observable *what;
	bool component; // only number `k` of it
	size_t k;
} found;

static found find(const char *name)
{
	observable_list all = observables_all();
	char part[TALUS_NAME_MAX];
	for (int i = 0; i < all.count; i++)
		if (strcmp(all.at[i]->name, name) == 0)
			return (found){.what = all.at[i]};
	for (int i = 0; i < all.count; i++)
		for (size_t k = 0; all.at[i]->shape <= TALUS_SYMMETRIC && k < observable_count(all.at[i]); k++) {
			observable_component(all.at[i], k, part);
			if (strcmp(part, name) == 0)
				return (found){all.at[i], true, k};
		}
	return (found){0};
}

static bool unknown(const talus_world *world, const char *name, talus_error *error)
{
	observable_list all = observables_all();
	const char *names[OBSERVABLES_MOST + 1] = {0};
	if (strncmp(name, "wall.", 5) == 0)
		return error_set(error, "there is no observable `%s`; of its %d walls this world has position (x, y, z), force (fx, fy, fz) and torque (tx, "
		                 "ty, tz), as `wall.NAME.fx`", name, talus_world_walls(world));
	for (int i = 0; i < all.count; i++)
		names[i] = all.at[i]->name;
	const char *near = nearest_name(name, names);
	return near ? error_set(error, "there is no observable `%s`; did you mean `%s`?", name, near)
	            : error_set(error, "there is no observable `%s`; `talus doc observables` lists all of them", name);
}

static bool too_many(const char *name, size_t count, size_t room, talus_error *error)
{
	return error_set(error, "`%s` has %zu number%s, and there is room for %zu", name, count, count == 1 ? "" : "s", room);
}

static bool wall_look(const talus_world *world, const char *name, double *values, size_t room, size_t *count, talus_error *error)
{
	double three[3];
	*count = wall_observable_find(world, name, three);
	if (*count == 0)
		return unknown(world, name, error);
	if (room < *count || !values)
		return too_many(name, *count, values ? room : 0, error);
	memcpy(values, three, *count*sizeof *values);
	return true;
}

bool talus_look_observe(talus_look *look, const char *name, double *values, size_t room, size_t *count, talus_error *error)
{
	size_t of_no_use;
	talus_error nobody;
	count = count ? count : &of_no_use;
	error = error ? error : &nobody;
	*count = 0;
	if (!look || !look->seen.world || !name)
		return error_set(error, "an observable is that of a world, and has a name");
	const talus_world *world = look->seen.world;
	found f = find(name);
	if (!f.what)
		return wall_look(world, name, values, room, count, error);
	if (f.what->dimension && f.what->dimension != world->state.def.dimension)
		return error_set(error, "`%s` is there in %dD only", name, f.what->dimension);
	*count = f.component ? 1 : observable_count(f.what);
	if (room < *count || !values)
		return too_many(name, *count, values ? room : 0, error);
	if (f.component)
		values[0] = observable_value(f.what, &look->seen, f.k);
	else
		observable_values(f.what, &look->seen, values);
	return true;
}

talus_look *talus_look_create(const talus_world *world)
{
	talus_look *look = memory_grow(NULL, 0, sizeof *look);
	look->seen = observations_of(world);
	return look;
}

void talus_look_destroy(talus_look *look)
{
	if (!look)
		return;
	observations_free(&look->seen);
	memory_free(look);
}

bool talus_world_observe(const talus_world *world, const char *name, double *values, size_t room, size_t *count, talus_error *error)
{
	talus_look look = {.seen = observations_of(world)};
	bool ok = talus_look_observe(&look, name, values, room, count, error);
	observations_free(&look.seen);
	return ok;
}
