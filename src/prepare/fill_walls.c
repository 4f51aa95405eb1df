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

static bool say_which_wall(const wall *w, talus_error *error)
{
	wall_beyond beyond = wall_beyond_of(w);
	if (beyond.where)
		return error_set(error, "wall `%s` leaves no room in the region: all of it is %s; %s", w->def.name, beyond.where, beyond.hint);
	return error_set(error, "wall `%s` leaves no room in the region", w->def.name);
}

bool fill_walled_off(const talus_world *world, const talus_fill_def *def, int placed, talus_error *error)
{
	for (int w = 0; w < world->state.walls.count && placed == 0; w++)
		if (wall_share(world, &world->state.walls.at[w], &def->in, sizes_least(&def->radius)) == 1) {
			say_which_wall(&world->state.walls.at[w], error);
			return true;
		}
	return false;
}

const char *fill_blame(const talus_world *world, const talus_fill_def *def, char *text, size_t size)
{
	double most = 0.5; // less is no surprise
	*text = 0;
	for (int i = 0; i < world->state.walls.count; i++) {
		const wall *w = &world->state.walls.at[i];
		double share = wall_share(world, w, &def->in, sizes_least(&def->radius));
		if (share <= most)
			continue;
		most = share;
		wall_beyond beyond = wall_beyond_of(w); // that may have been meant otherwise
		int used = snprintf(text, size, ": wall `%s` takes about %.0f %% of the region", w->def.name, 100*share);
		if (beyond.where)
			snprintf(text + used, size - (size_t)used, ", all that is %s (%s)", beyond.where, beyond.hint);
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
	return w->shape->flat && wall_beyond_of(w).where && stays && dot(sub(far, w->point), n) < r*(1 - slack);
}

bool fill_check_pour(const talus_world *world, const talus_pour_def *def, talus_error *error)
{
	for (int w = 0; w < world->state.walls.count; w++)
		if (behind(&world->state.walls.at[w], &def->in, sizes_least(&def->radius)))
			return say_which_wall(&world->state.walls.at[w], error);
	return true;
}
