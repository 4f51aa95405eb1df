// SPDX-License-Identifier: MIT
// Force and torque of the grains on every wall.
#include "observe/observe.h"

#include "collide/collide.h"
#include "wall.h"

static void add_contact(talus_world *world, size_t i)
{
	const bodies *b = &world->bodies;
	const talus_contact *c = &world->contacts.contact[i];
	wall *w = &world->walls.at[world->contacts.info[i].wall];
	vec3 point = mul_add(b->x[c->b], -b->radius[c->b], c->n), force = mul(-1/world->def.step, c->p);
	w->force = add(w->force, force);
	vec3 image = wall_image_met(world, w, c->b, contacts_wall_image(world->contacts.info[i].key));
	w->torque = add(w->torque, cross(wall_arm(w, &world->cell, image, point), force));
	if (i >= world->contacts.plain)
		w->torque = mul_add(w->torque, -1/world->def.step, world->contacts.rich[i - world->contacts.plain].q);
}

// Those with walls are the last ones of each kind of contacts: there are few of them, on the surface.
static void add_range(talus_world *world, size_t begin, size_t end)
{
	const contact_info *info = world->contacts.info;
	size_t first = end;
	while (first > begin && info[first - 1].wall != NO_WALL)
		first--;
	for (size_t i = first; i < end; i++)
		add_contact(world, i);
}

void observe_walls(talus_world *world)
{
	for (int w = 0; w < world->walls.count; w++)
		world->walls.at[w].force = world->walls.at[w].torque = vec(0, 0, 0);
	add_range(world, 0, world->contacts.plain);
	add_range(world, world->contacts.plain, world->contacts.round);
	add_range(world, world->contacts.round, world->contacts.count);
}
