// SPDX-License-Identifier: MIT
#include "arrive/room.h"

bool room_taken_by(const world_state *st, uint32_t grain, vec3 x, double r)
{
	vec3 d = cell_nearest(&st->cell, sub(st->bodies.x[grain], x));
	double sum = r + st->bodies.radius[grain];
	return dot(d, d) < sum*sum*(1 - ROOM_SLACK);
}

bool room_behind_wall(const world_state *st, vec3 x, double r)
{
	for (int w = 0; w < st->walls.count; w++)
		if (wall_overlaps(&st->walls.at[w], &st->cell, st->def.dimension, x, r, -ROOM_SLACK*r))
			return true;
	return false;
}
