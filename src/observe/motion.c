// SPDX-License-Identifier: MIT
// Is it at rest? Judged by the grains that are part of the force network (rattlers may drift for ever), along periodic directions
// relative to their common velocity.
#include "observe/observe.h"

// Grains that have come since the last step bear nothing yet.
static uint8_t bearing(const talus_world *world, size_t i)
{
	return i < world->scratch.bearing_count ? world->scratch.bearing[i] : 0;
}

motion_state observe_motion(const talus_world *world)
{
	const bodies *b = &world->bodies;
	uint8_t least = world->def.dimension == 2 ? 2 : 3;
	motion_state m = {0, world->mean_acceleration, false};
	size_t members = 0, mobile = 0;
	vec3 common = {0, 0, 0};
	for (size_t i = 0; i < b->count; i++)
		if (b->free[i] && bearing(world, i) >= least) {
			common = add(common, b->v[i]);
			members++;
		}
	m.network = members > 0;
	for (int k = 0; k < 3; k++)
		set_component(&common, k, members && world->cell.periodic[k] ? component(common, k)/(double)members : 0);
	for (size_t i = 0; i < b->count; i++)
		if (b->free[i] && (!members || bearing(world, i) >= least)) {
			m.mean_speed += norm(sub(b->v[i], common));
			mobile++;
		}
	m.mean_speed = mobile ? m.mean_speed/(double)mobile : 0;
	return m;
}
