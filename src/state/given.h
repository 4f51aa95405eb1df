// SPDX-License-Identifier: MIT
// What the scene, or who made the world, had said where something else was set afterwards: by it a state is told to belong to a scene.
#ifndef TALUS_STATE_GIVEN_H
#define TALUS_STATE_GIVEN_H

#include <talus/talus.h>

typedef struct given_values {
	bool gravity_set, cell_set;
	bool forces_set; // of grains: they are what they are in the columns, and count in the hash from then on
	uint64_t grains_added; // that came by themselves, not from a scene
	talus_vec3 gravity;
	talus_cell_def cell;
} given_values;

// The def, without what was set.
static inline talus_world_def given_def(const given_values *g, const talus_world_def *def)
{
	talus_world_def as_given = *def;
	if (g->gravity_set)
		as_given.gravity = g->gravity;
	if (g->cell_set)
		as_given.cell = g->cell;
	return as_given;
}

#endif
