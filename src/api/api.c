// SPDX-License-Identifier: MIT
#include "api/api.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct world_api *api_of(const talus_world *world)
{
	if (!world->api) { // what it holds is about the world, not of it: looking may make it
		struct world_api *api = memory_grow(NULL, 0, sizeof *api);
		memset(api, 0, sizeof *api);
		api->generation = 1;
		api->step = world->state.step;
		((talus_world *)world)->api = api;
	}
	return world->api;
}

talus_error *api_error(const talus_world *world)
{
	struct world_api *api = api_of(world);
	api->error.text[0] = 0;
	return &api->error;
}

const talus_error *talus_world_error(const talus_world *world)
{
	return world->api && *world->api->error.text ? &world->api->error : NULL;
}

bool api_may_change(talus_world *world)
{
	talus_error *error = api_error(world);
	if (!world->api->asking)
		return true;
	return error_set(error, "a force function is called in the middle of a step, which must not change its world");
}

bool api_may_step(talus_world *world)
{
	return api_may_change(world) && (!world->api->told_by || error_set(&world->api->error, "the run to which this world belongs makes its steps, and is calling"));
}

const char *talus_version(void)
{
	return TALUS_VERSION;
}

// ---------------------------------------------------------------- generations

void api_changed(talus_world *world)
{
	api_of(world)->changed = true;
}

void api_grains_changed(talus_world *world)
{
	api_changed(world);
	world->api->rows_known = false;
}

uint64_t talus_world_generation(const talus_world *world)
{
	struct world_api *api = api_of(world);
	if (api->changed || api->step != world->state.step) {
		api->generation++;
		api->step = world->state.step;
		api->changed = false;
	}
	return api->generation;
}

// ---------------------------------------------------------------- grains by id

static int by_id(const void *a, const void *b)
{
	const api_row *one = a, *other = b;
	return one->id < other->id ? -1 : one->id > other->id;
}

const api_row *api_rows(const talus_world *world)
{
	struct world_api *api = api_of(world);
	const bodies *b = &world->state.bodies;
	if (api->rows_known && api->rows_step == world->state.step && api->rows_count == b->count)
		return api->rows;
	api->rows = memory_room(api->rows, &api->rows_capacity, b->count, sizeof *api->rows);
	for (size_t i = 0; i < b->count; i++)
		api->rows[i] = (api_row){b->id[i], (uint32_t)i};
	if (b->count > 1)
		qsort(api->rows, b->count, sizeof *api->rows, by_id);
	api->rows_known = true;
	api->rows_step = world->state.step;
	api->rows_count = b->count;
	return api->rows;
}

int64_t api_row_of(const talus_world *world, uint32_t id)
{
	const bodies *b = &world->state.bodies;
	if (b->count && b->id[b->count - 1] == id) // that came last: no order is needed for it
		return (int64_t)b->count - 1;
	if (!b->count || id >= b->next_id)
		return -1;
	const api_row *row = bsearch(&(api_row){.id = id}, api_rows(world), b->count, sizeof *row, by_id);
	return row ? (int64_t)row->row : -1;
}

void api_free(struct world_api *api)
{
	if (!api)
		return;
	memory_free(api->contacts.at);
	memory_free(api->walls.at);
	memory_free(api->rows);
	memory_free(api);
}
