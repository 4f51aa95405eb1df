// SPDX-License-Identifier: MIT
// Force and torque of the grains on every wall, and the work that prescribed walls have done.
#include "observe/observe.h"

#include "wall.h"

void observe_walls(talus_world *world)
{
	const bodies *b = &world->bodies;
	double per_time = 1/world->def.step;
	for (int w = 0; w < world->walls.count; w++)
		world->walls.at[w].force = world->walls.at[w].torque = vec(0, 0, 0);
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		uint32_t index = world->contacts.info[i].wall;
		if (index == NO_WALL)
			continue;
		wall *w = &world->walls.at[index];
		vec3 point = mul_add(b->x[c->b], -b->radius[c->b], c->n), force = mul(-per_time, c->p);
		w->force = add(w->force, force);
		w->torque = add(w->torque, cross(sub(point, wall_pivot(w)), force));
		if (!wall_is_piston(w))
			world->books.work_walls += dot(c->p, world->scratch.motion[c->a].v);
	}
}
