// SPDX-License-Identifier: MIT
// The state as a file, and a world with that state.
#include "api/api.h"
#include "api/check.h"
#include "base/error.h"
#include "io/files.h"
#include "state/wall.h"

#include <string.h>

bool talus_world_save(const talus_world *world, const char *path, talus_error *error)
{
	talus_error inner;
	return check_there(path, "the path of the file", error) && checkpoint_save(path, world, error ? error : &inner);
}

static void use_simd_of(talus_world *world, const talus_world *like)
{
	for (int simd = TALUS_SIMD_GENERIC; simd <= TALUS_SIMD_AVX512; simd++)
		if (talus_world_set_simd(world, (talus_simd)simd) && !strcmp(talus_world_simd(world), talus_world_simd(like)))
			return;
}

// What it was made of, as it was given: without grains, and without what was set afterwards.
static talus_world *made_like(const talus_world *like)
{
	const world_state *st = &like->state;
	talus_world_def def = given_def(&like->given, &st->def);
	talus_world *world = world_create(&def);
	world_set_threads(world, talus_world_threads(like));
	use_simd_of(world, like);
	if (st->materials)
		state_add_materials(&world->state, st->material, st->materials);
	if (st->materials)
		memcpy(world->state.pair, st->pair, (size_t)st->materials*(size_t)st->materials*sizeof *st->pair);
	for (int i = 0; i < st->walls.count; i++) {
		talus_wall_def said = wall_as_given(&st->walls.at[i]);
		int number = world_add_wall(world, &said);
		wall *w = &world->state.walls.at[number];
		w->def = said; // directions are of length 1 already: once more might cost a bit
		wall_place(w);
	}
	for (int i = 0; i < like->pours.count; i++)
		world_pour(world, &like->pours.at[i].def);
	return world;
}

talus_world *talus_world_restore(const talus_world *like, const char *path, talus_error *error)
{
	talus_error inner;
	if (!check_there(path, "the path of the file", error))
		return NULL;
	talus_world *world = made_like(like);
	if (!checkpoint_restore(path, world, error ? error : &inner)) {
		talus_world_destroy(world);
		return NULL;
	}
	if (like->api && like->api->function)
		talus_world_set_force_function(world, like->api->function, like->api->context);
	return world;
}
