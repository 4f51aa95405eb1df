// SPDX-License-Identifier: MIT
// What there is, whatever moves it: grains, walls, the cell, materials and what their pairs do, time.
#ifndef TALUS_STATE_H
#define TALUS_STATE_H

#include "base/memory.h"
#include "base/parallel.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "state/limits.h"
#include "state/wall.h"
#include <talus/extend.h>

#define NO_WALL TALUS_NO_WALL

typedef struct world_state {
	talus_world_def def;
	parallel *team;    // threads that the step at hand uses; NULL: one
	memory_pool *pool; // what a stage needs for itself alone, and gives back when it is over
	int materials;
	talus_material *material;
	talus_pair *pair; // materials x materials
	bodies bodies;
	walls walls;
	cell cell;
	uint64_t step;
	double time;

	// known from the rest, made anew with every pair list
	double mean_radius;
	bool any_full_mass; // some body is not free in all directions, or a piston
	bool any_extended;    // some pair of materials does more than exclude volume and rub
	bool any_bounce;  // some pair has restitution
	bool any_held;    // some grain is not free to do all that it could
	bool cell_deforms;       // the cell deforms
} world_state;

void state_add_materials(world_state *state, const talus_material *list, int count); // all at once: a table of pairs is made anew
uint32_t state_add_grain(world_state *state, const talus_grain_def *def);            // returns its id
void state_refresh(world_state *state); // what there is any of
double state_longest_range(const world_state *state);  // of all bonds
double state_least_width(const world_state *state);    // that a periodic cell must have, so that no two meet twice
int state_too_narrow_axis(const world_state *state);        // a direction in which the cell is narrower, or -1
vec3 state_inverse_mass(const world_state *state, uint32_t line); // direction by direction; lines are grains, then walls
enum { PLAIN, EXTENDED, FULL_MASS, KINDS }; // contacts, as in talus_problem
int state_contact_kind(const world_state *state, uint32_t a, uint32_t b, uint32_t wall); // of two lines; a may be a wall's
vec3 state_wall_image(const world_state *state, const wall *wall, uint32_t grain, uint32_t image); // of a wall, as this grain meets it

// The law between two lines; if the first is a wall's, `index` is that wall, else NO_WALL.
static inline const talus_pair *state_pair(const world_state *st, uint32_t a, uint32_t b, uint32_t index)
{
	const uint16_t *material = st->bodies.material;
	int first = index == NO_WALL ? material[a] : st->walls.at[index].def.material;
	return &st->pair[first*st->materials + material[b]];
}

#endif
