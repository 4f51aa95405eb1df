// SPDX-License-Identifier: MIT
// Walls that leave no room, or little, where grains are to be put: which one it is.
#include "prepare/fill.h"

#include "base/error.h"
#include "state/cell.h"
#include "arrive/region.h"
#include "arrive/sizes.h"
#include "arrive/room.h"
#include "state/wall.h"

#include <stdio.h>

static const double slack = ROOM_SLACK;
enum { LOOKS = 7 }; // along each direction

// The share of the places in the region at which a grain would overlap the wall.
static double wall_share(const talus_world *world, const wall *w, const talus_region *in, double r)
{
	int dimension = world->state.def.dimension, all = dimension == 2 ? LOOKS*LOOKS : LOOKS*LOOKS*LOOKS, held = 0, taken = 0;
	for (int i = 0; i < all; i++) {
		const double f[3] = {i%LOOKS/(LOOKS - 1.0), i/LOOKS%LOOKS/(LOOKS - 1.0), i/(LOOKS*LOOKS)/(LOOKS - 1.0)};
		vec3 x = region_point(in, &world->state.cell, dimension, r, f);
		if (!region_holds(in, &world->state.cell, dimension, x, r))
			continue;
		held++;
		taken += wall_overlaps(w, &world->state.cell, dimension, x, r, -slack*r);
	}
	return held ? (double)taken/held : 1;
}

static bool say_which_wall(const talus_wall_def *def, talus_error *error)
{
	if (def->kind == TALUS_WALL_PLANE && !def->has_hole)
		return error_set(error, "wall `%s` leaves no room in the region: all of it is behind the plane; the `normal` points to "
		                 "the side where grains can be", def->name);
	if (def->kind == TALUS_WALL_CYLINDER)
		return error_set(error, "wall `%s` leaves no room in the region: all of it is %s the cylinder, and grains can be %s only",
		                 def->name, def->inside ? "outside" : "inside", def->inside ? "inside" : "outside");
	return error_set(error, "wall `%s` leaves no room in the region", def->name);
}

bool fill_walled_off(const talus_world *world, const talus_fill_def *def, int placed, talus_error *error)
{
	for (int w = 0; w < world->state.walls.count && placed == 0; w++)
		if (wall_share(world, &world->state.walls.at[w], &def->in, sizes_least(&def->radius)) == 1) {
			say_which_wall(&world->state.walls.at[w].def, error);
			return true;
		}
	return false;
}

// What a wall that takes most of a region may have been meant to be.
static const char *other_side(const talus_wall_def *def)
{
	if (def->kind == TALUS_WALL_CYLINDER)
		return def->inside ? ", all that is outside the cylinder (grains around it: `side: outside`)" : ", all that is inside the cylinder";
	return def->kind == TALUS_WALL_PLANE && !def->has_hole ? ", all that is behind the plane" : "";
}

const char *fill_blame(const talus_world *world, const talus_fill_def *def, char *text, size_t size)
{
	double most = 0.5; // less is no surprise
	*text = 0;
	for (int w = 0; w < world->state.walls.count; w++) {
		const talus_wall_def *taker = &world->state.walls.at[w].def;
		double share = wall_share(world, &world->state.walls.at[w], &def->in, sizes_least(&def->radius));
		if (share <= most)
			continue;
		most = share;
		snprintf(text, size, ": wall `%s` takes about %.0f %% of the region%s", taker->name, 100*share, other_side(taker));
	}
	return text;
}

// Is all of the region behind a plane that stays where it is?
static bool behind(const wall *w, const talus_region *in, double r)
{
	const talus_wall_def *def = &w->def;
	talus_box box = region_bounds(in);
	vec3 n = w->axis, far = vec(n.x > 0 ? box.high.x : box.low.x, n.y > 0 ? box.high.y : box.low.y,
	                            n.z > 0 ? box.high.z : box.low.z);
	bool stays = !wall_is_piston(w) && norm(def->velocity) == 0 && def->spin == 0 && def->oscillate_amplitude == 0;
	return def->kind == TALUS_WALL_PLANE && !def->has_hole && stays && dot(sub(far, w->point), n) < r*(1 - slack);
}

bool fill_check_pour(const talus_world *world, const talus_pour_def *def, talus_error *error)
{
	for (int w = 0; w < world->state.walls.count; w++)
		if (behind(&world->state.walls.at[w], &def->in, sizes_least(&def->radius)))
			return say_which_wall(&world->state.walls.at[w].def, error);
	return true;
}
