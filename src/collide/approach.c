// SPDX-License-Identifier: MIT
#include "collide/approach.h"

#include "base/memory.h"

#include <math.h>

void approach_reserve(approach *a, size_t needed)
{
	if (needed < a->motion_capacity)
		return;
	size_t capacity = memory_capacity(a->motion_capacity, needed + 1);
	a->motion = memory_grow(a->motion, a->motion_capacity*sizeof *a->motion, capacity*sizeof *a->motion);
	a->motion_capacity = capacity;
}

void approach_refresh(approach *a, const world_state *st)
{
	a->margin = fmax(0.01*st->mean_radius, 2.02*state_longest_range(st)); // bonds need not be looked for
}

void approach_free(approach *a)
{
	memory_free(a->motion);
	memory_free(a->kick);
}

// What is prescribed has had this velocity all along.
talus_solver_body approach_motion_at_start(const approach *a, const world_state *st, uint32_t line)
{
	const bodies *b = &st->bodies;
	talus_solver_body before = a->motion[line];
	if (line < b->count) {
		before.v = b->v[line];
		before.r_omega = mul(b->radius[line], b->spin[line]);
	} else if (line - b->count < (size_t)st->walls.count && wall_is_piston(&st->walls.at[line - b->count])) {
		before.v = st->walls.at[line - b->count].v;
	}
	return before;
}

double approach_reach(const approach *a, const world_state *st, const talus_solver_body *line)
{
	return st->def.step*norm(line->v) + 0.5*a->margin + a->drift;
}

// A piston's velocity is found in the step, so it is in its solver body; other walls have theirs from the start.
double approach_wall_reach(const approach *a, const world_state *st, int w)
{
	const wall *at = &st->walls.at[w];
	size_t line = st->bodies.count + (size_t)w;
	return st->def.step*(wall_is_piston(at) ? norm(a->motion[line].v) : wall_top_speed(at));
}
