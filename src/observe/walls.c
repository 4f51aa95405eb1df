// SPDX-License-Identifier: MIT
// What every wall has: where it is, and what the grains do to it.
#include "observe/walls.h"

#include <stdio.h>
#include <string.h>

const wall_observable wall_observables[WALL_OBSERVABLES] = {
	{"position", "position of its point, not wrapped in a periodic cell", "L", {"x", "y", "z"}, offsetof(talus_wall_state, position), 3},
	{"force", "force of the grains on the wall and its images, in the last step", "M L/T^2", {"fx", "fy", "fz"}, offsetof(talus_wall_state, force), 1},
	{"torque", "torque of the grains about its point (segment: its middle)", "M L^2/T^2", {"tx", "ty", "tz"}, offsetof(talus_wall_state, torque), 2},
};

talus_vec3 wall_observable_value(const wall_observable *o, const talus_world *world, int wall)
{
	talus_wall_state state = talus_world_wall(world, wall);
	talus_vec3 value;
	memcpy(&value, (const char *)&state + o->offset, sizeof value);
	return value;
}

const wall_observable *wall_observable_of_summary(int place)
{
	for (int i = 0; i < WALL_OBSERVABLES; i++)
		if (wall_observables[i].summary == place)
			return &wall_observables[i];
	return NULL;
}

// What stands behind "wall.NAME."; NULL if this wall has another name.
static const char *part_of(const char *name, const char *wall)
{
	size_t length = strlen(wall);
	if (strncmp(name, "wall.", 5) != 0 || strncmp(name + 5, wall, length) != 0 || name[5 + length] != '.')
		return NULL;
	return name + 5 + length + 1;
}

size_t wall_observable_find(const talus_world *world, const char *name, double values[3])
{
	for (int w = 0; w < talus_world_walls(world); w++) {
		const char *part = part_of(name, talus_world_wall(world, w).name);
		for (int i = 0; part && i < WALL_OBSERVABLES; i++) {
			const wall_observable *o = &wall_observables[i];
			talus_vec3 v = wall_observable_value(o, world, w);
			const double component[3] = {v.x, v.y, v.z};
			if (strcmp(part, o->name) == 0) {
				memcpy(values, component, sizeof component);
				return 3;
			}
			for (int k = 0; k < 3; k++)
				if (strcmp(part, o->columns[k]) == 0) {
					values[0] = component[k];
					return 1;
				}
		}
	}
	return 0;
}

void wall_observable_column(const wall_observable *o, const talus_world *world, int wall, int k, char name[WALL_COLUMN_MAX])
{
	snprintf(name, WALL_COLUMN_MAX, "wall.%s.%s", talus_world_wall(world, wall).name, o->columns[k]);
}
