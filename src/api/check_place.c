// SPDX-License-Identifier: MIT
// Does a grain or a wall fit into this world? What a scene's grains are asked once all are in place, here one by one.
#include "api/check.h"

#include "base/error.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "state/limits.h"
#include "state/state.h"
#include "state/wall.h"
#include "world.h"

#include <math.h>

bool check_material_number(const talus_world *world, int material, const char *key, talus_error *error)
{
	if (material >= 0 && material < world->state.materials)
		return true;
	error_set(error, "`%s` must be the number of a material, but is %d, and there are %d", key, material, world->state.materials);
	return error_path(error, "%s", key);
}

// Bodies are known by numbers of 31 bits; those of grains to come count, too.
bool check_ids_left(const talus_world *world, double more, talus_error *error)
{
	double waiting = more;
	for (int i = 0; i < world->pours.count; i++)
		waiting += world->pours.at[i].def.count - world->pours.at[i].poured;
	if (world->grains_most > 0 && (double)world->state.bodies.count + waiting > (double)world->grains_most)
		return error_set(error, "frames of a run have room for the grains of its scene, %zu; remove some first, or let the scene pour more",
		                 world->grains_most);
	double all = (double)world->state.bodies.next_id + waiting;
	return all <= (double)INT32_MAX ||
	       error_set(error, "with this the world has had %.0f grains, more than the %d that can be told apart", all, INT32_MAX);
}

static bool wall_has_room(const talus_world *world, const wall *w, double diameter, talus_error *error)
{
	int k = wall_too_wide(w, &world->state.cell, diameter);
	return k < 0 || error_set(error, "wall `%s` is %g wide along %c, and with grains of diameter %g too wide for the periodic cell, %g",
	                          w->def.name, wall_width(w, k), "xyz"[k], diameter, cell_height(&world->state.cell, k));
}

bool check_grain_fits(const talus_world *world, const talus_grain_def *def, talus_error *error)
{
	const world_state *st = &world->state;
	double range = state_longest_range(st), least = STATE_LEAST_WIDTH*2*def->radius;
	least = range > 0 ? fmax(least, 2*(2*def->radius + range)) : least;
	for (int k = 0; k < 3; k++)
		if (st->cell.periodic[k] && cell_height(&st->cell, k) < least)
			return error_set(error, "the cell is %g wide along %c, but must be at least %g wide for a grain of radius %g",
			                 cell_height(&st->cell, k), "xyz"[k], least, def->radius);
	static const int32_t none[3];
	if (cell_any(&st->cell) && cell_lost(&st->cell, def->at, none))
		return error_set(error, "`at` is too far from the periodic cell: (%g, %g, %g)", def->at.x, def->at.y, def->at.z);
	for (int i = 0; i < st->walls.count; i++)
		if (!wall_has_room(world, &st->walls.at[i], 2*def->radius, error))
			return false;
	return true;
}

bool check_wall_fits(const talus_world *world, const talus_wall_def *def, talus_error *error)
{
	const world_state *st = &world->state;
	double radius = 0;
	wall w;
	if (st->cell_deforms)
		return error_set(error, "a cell with a `bath` or a `drive` has no walls, but here is `%s`", def->name);
	if (*def->name && talus_world_find_wall(world, def->name) >= 0)
		return error_set(error, "there is a wall `%s` already", def->name);
	for (size_t i = 0; i < st->bodies.count; i++)
		radius = fmax(radius, st->bodies.radius[i]);
	wall_init(&w, def);
	wall_find_images(&w, &st->cell);
	return wall_has_room(world, &w, 2*radius, error);
}
