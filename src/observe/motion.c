// SPDX-License-Identifier: MIT
// Is it at rest? Judged by the grains that are part of the force network (rattlers may drift or roll for ever) or,
// where nobody has so many contacts, by all that can move; along periodic directions relative to their common
// velocity. As long as something falls freely there is no rest.
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
	motion_state m = {.mean_acceleration = world->mean_acceleration};
	size_t members = 0, mobile = 0;
	vec3 common = {0, 0, 0};
	bool pulled = norm(world->def.gravity) > 0;
	for (size_t i = 0; i < b->count; i++) {
		m.network |= bearing(world, i) > 0;
		m.falling |= pulled && b->free[i] && bearing(world, i) == 0;
	}
	for (size_t i = 0; i < b->count; i++)
		if (b->free[i] && bearing(world, i) >= least) {
			common = add(common, b->v[i]);
			members++;
		}
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
