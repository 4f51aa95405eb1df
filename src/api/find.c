// SPDX-License-Identifier: MIT
// What a world is made of, by name and number.
#include "world.h"

#include <string.h>

int talus_world_find_material(const talus_world *world, const char *name)
{
	for (int i = 0; name && i < world->state.materials; i++)
		if (!strcmp(world->state.material[i].name, name))
			return i;
	return -1;
}

int talus_world_materials(const talus_world *world)
{
	return world->state.materials;
}

talus_material talus_world_material(const talus_world *world, int material)
{
	bool there = material >= 0 && material < world->state.materials;
	return there ? world->state.material[material] : (talus_material){0};
}

talus_pair talus_world_pair(const talus_world *world, int a, int b)
{
	int n = world->state.materials;
	bool there = a >= 0 && a < n && b >= 0 && b < n;
	return there ? world->state.pair[a*n + b] : (talus_pair){0};
}

int talus_world_find_wall(const talus_world *world, const char *name)
{
	for (int i = 0; name && i < world->state.walls.count; i++)
		if (!strcmp(world->state.walls.at[i].def.name, name))
			return i;
	return -1;
}
