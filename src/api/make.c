// SPDX-License-Identifier: MIT
// Making a world from outside: what is given is judged first.
#include "api/api.h"
#include "api/check.h"
#include "api/grains.h"
#include "base/error.h"
#include "base/parallel.h"
#include "collide/follow.h"
#include "method/contact_dynamics.h"
#include "prepare/fill.h"
#include "state/cell_drive.h"

#include <string.h>

talus_world *talus_world_create(const talus_world_def *def)
{
	return talus_world_def_check(def, NULL) ? world_create(def) : NULL;
}

void talus_world_destroy(talus_world *world)
{
	if (!world)
		return;
	api_free(world->api);
	world_destroy(world);
}

bool talus_world_set_threads(talus_world *world, int threads)
{
	if (!api_may_change(world))
		return false;
	if (threads < 1 || threads > PARALLEL_MOST)
		return error_set(api_error(world), "there must be from 1 to %d threads, but %d are asked for", PARALLEL_MOST, threads);
	world_set_threads(world, threads);
	return true;
}

bool talus_world_set_simd(talus_world *world, talus_simd simd)
{
	if (!api_may_change(world))
		return false;
	return contact_dynamics_set_simd(world, simd) || error_set(api_error(world), "this processor does not have the loops of talus_simd %d", (int)simd);
}

// ---------------------------------------------------------------- materials and laws

int talus_world_add_material(talus_world *world, const char *name, double density)
{
	talus_material material = {.density = density};
	if (!api_may_change(world) || !check_there(name, "the name of a material", api_error(world)))
		return -1;
	memcpy(material.name, name, strnlen(name, TALUS_NAME_MAX)); // one that is too long has no end, and is refused
	if (!talus_material_check(&material, api_error(world)))
		return -1;
	if (talus_world_find_material(world, name) >= 0)
		return error_set(api_error(world), "there is a material `%s` already", name), -1;
	if (world->state.materials == SCENE_MATERIALS_MAX)
		return error_set(api_error(world), "there are %d materials, and no more can be", SCENE_MATERIALS_MAX), -1;
	api_changed(world);
	return world_add_material(world, name, density);
}

bool talus_world_set_pair(talus_world *world, const talus_pair *law)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world) || !talus_pair_check(law, error) || !check_material_number(world, law->a, "a", error) ||
	    !check_material_number(world, law->b, "b", error))
		return false;
	world_set_pair(world, law);
	api_changed(world);
	return true;
}

// ---------------------------------------------------------------- walls

int talus_world_add_wall(talus_world *world, const talus_wall_def *def)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world) || !talus_wall_def_check(def, &world->state.def, error) || !check_material_number(world, def->material, "material", error) ||
	    !check_wall_fits(world, def, error))
		return -1;
	if (world->grains_most > 0) { // it is one of a run
		error_set(error, "the files of a run have the walls of its scene: no wall can be added to its world");
		return -1;
	}
	world_report(world);
	size_t grains = world->state.bodies.count, before = (size_t)world->state.walls.count;
	int number = world_add_wall(world, def);
	wall *w = &world->state.walls.at[number];
	if (world->state.step > 0) // its way begins now
		wall_set_motion(w, w->def.velocity, w->def.spin, w->def.force, world->state.time);
	contacts_follow(&world->contacts, &(contacts_move){grains, grains, before, before + 1, NULL});
	api_changed(world);
	return number;
}

// ---------------------------------------------------------------- many grains

static bool may_fill(talus_world *world, const talus_fill_def *def, talus_error *error)
{
	if (!talus_fill_def_check(def, &world->state.def, error) || !check_material_number(world, def->material, "material", error) ||
	    !check_ids_left(world, def->count, error))
		return false;
	bool late = def->arrangement == TALUS_ARRANGE_DENSE && world->state.step > 0;
	return !late || error_set(error, "a dense packing is made before the first step, not after it");
}

static bool fill(talus_world *world, const talus_fill_def *def, talus_error *error)
{
	size_t before = world->state.bodies.count;
	grains_about_to_change(world);
	bool good = world_fill(world, def, error);
	if (def->arrangement != TALUS_ARRANGE_DENSE) {
		grains_have_come(world, before);
	} else { // comes with contacts
		world->given.grains_added += world->state.bodies.count - before;
		api_grains_changed(world);
	}
	return good;
}

bool talus_world_fill(talus_world *world, const talus_fill_def *def, talus_error *error)
{
	talus_error why;
	*why.text = 0;
	bool may = api_may_change(world);
	bool good = may && ((def && def->count == 0) || (may_fill(world, def, &why) && fill(world, def, &why)));
	if (may && !good)
		*api_error(world) = why;
	if (!good && error)
		*error = *talus_world_error(world);
	return good;
}

bool talus_world_pour(talus_world *world, const talus_pour_def *def)
{
	talus_error *error = api_error(world);
	if (!api_may_change(world) || !talus_pour_def_check(def, &world->state.def, error) || !check_material_number(world, def->material, "material", error) ||
	    !check_ids_left(world, def->count, error) || !fill_check_pour(world, def, error))
		return false;
	world_pour(world, def);
	api_changed(world);
	return true;
}
