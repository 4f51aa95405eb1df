// SPDX-License-Identifier: MIT
#include "api/grains.h"

#include "account/account.h"
#include "api/api.h"
#include "api/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "collide/follow.h"
#include "state/cell.h"

#include <string.h>

double grains_energy(const talus_world *world, size_t i)
{
	const bodies *b = &world->state.bodies;
	vec3 x = cell_unwrap(&world->state.cell, b->x[i], b->image[i]);
	double moving = 0.5*(b->mass[i]*dot(b->v[i], b->v[i]) + b->inertia[i]*dot(b->spin[i], b->spin[i]));
	return moving - b->mass[i]*dot(world->state.def.gravity, x) - dot(b->force[i], x);
}

// What is still to be said about the last step is said while its bodies are there.
void grains_about_to_change(talus_world *world)
{
	world_report(world);
}

// Before the first step they are what the world starts with.
static void count_energy(talus_world *world, size_t row, double sign)
{
	if (world->state.step > 0)
		world->energy.added += sign*grains_energy(world, row);
}

static void rows_have_changed(talus_world *world, size_t before, const uint32_t *row_now)
{
	size_t fixed = (size_t)world->state.walls.count;
	contacts_follow(&world->contacts, &(contacts_move){before, world->state.bodies.count, fixed, fixed, row_now});
	if (world->state.step > 0)
		bearing_count(&world->bearing, &world->state, &world->contacts);
	world->list.stale = true;
	api_grains_changed(world);
}

void grains_have_come(talus_world *world, size_t before)
{
	for (size_t i = before; i < world->state.bodies.count; i++)
		count_energy(world, i, 1);
	world->given.grains_added += world->state.bodies.count - before;
	rows_have_changed(world, before, NULL);
}

uint32_t talus_world_add_grain(talus_world *world, const talus_grain_def *def)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world) || !talus_grain_def_check(def, &world->state.def, error) || !check_material_number(world, def->material, "material", error) ||
	    !check_ids_left(world, 1, error) || !check_grain_fits(world, def, error))
		return TALUS_NO_GRAIN;
	size_t before = world->state.bodies.count;
	grains_about_to_change(world);
	uint32_t id = world_add_grain(world, def);
	grains_have_come(world, before);
	return id;
}

// ---------------------------------------------------------------- leaving

static bool mark_all(const talus_world *world, const uint32_t *ids, size_t count, uint8_t *marked)
{
	for (size_t k = 0; k < count; k++) {
		int64_t row = api_row_of(world, ids[k]);
		if (row < 0)
			return error_set(api_error(world), "there is no grain with the id %u", ids[k]);
		if (marked[row])
			return error_set(api_error(world), "the id %u is given twice", ids[k]);
		marked[row] = 1;
	}
	return true;
}

static void remove_marked(talus_world *world, const uint8_t *marked, uint32_t *row_now)
{
	size_t before = world->state.bodies.count;
	uint32_t now = 0;
	grains_about_to_change(world);
	for (size_t i = 0; i < before; i++) {
		row_now[i] = marked[i] ? CONTACTS_GONE : now++;
		if (marked[i])
			count_energy(world, i, -1);
	}
	world->removed += bodies_remove_marked(&world->state.bodies, marked);
	rows_have_changed(world, before, row_now);
}

bool talus_world_remove_grains(talus_world *world, const uint32_t *ids, size_t count)
{
	size_t grains = world->state.bodies.count;
	if (!api_may_change(world))
		return false;
	if (count == 0)
		return true;
	if (!check_there(ids, "a list of ids", api_error(world)))
		return false;
	uint8_t *marked = memory_grow(NULL, 0, grains + 1);
	uint32_t *row_now = memory_grow(NULL, 0, (grains + 1)*sizeof *row_now);
	memset(marked, 0, grains + 1);
	bool good = mark_all(world, ids, count, marked);
	if (good)
		remove_marked(world, marked, row_now);
	memory_free(marked);
	memory_free(row_now);
	return good;
}

bool talus_world_remove_grain(talus_world *world, uint32_t id)
{
	return talus_world_remove_grains(world, &id, 1);
}
