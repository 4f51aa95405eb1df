// SPDX-License-Identifier: MIT
// The work of a force F that acts within one step is F.(x' - x), the way of the grain in it. The budget counts what a constant
// force does as potential energy, -F.x, and the rest of the step accordingly; so this is all that is left to count.
#include "account/pushes.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/totals.h"
#include "state/cell.h"

#include <string.h>

void pushes_set(push_function *p, world_state *st, talus_force_function function, void *context)
{
	p->function = function;
	p->context = context;
	bodies_keep_steady(&st->bodies, function != NULL);
}

typedef struct addition {
	const bodies *bodies;
	vec3 *added;
	bool flat;
} addition;

static void add_some(void *job, size_t first, size_t last)
{
	const addition *a = job;
	const bodies *b = a->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 push = a->added[i];
		push.z = a->flat ? 0 : push.z;
		b->steady[i] = b->force[i];
		if (finite3(push) && (push.x != 0 || push.y != 0 || push.z != 0)) // what nobody pushes keeps every bit
			b->force[i] = add(b->force[i], push);
	}
}

void pushes_begin(push_function *p, world_state *st, const talus_world *world)
{
	size_t grains = st->bodies.count;
	if (grains == 0)
		return;
	p->added = memory_room(p->added, &p->capacity, grains, sizeof *p->added);
	memset(p->added, 0, grains*sizeof *p->added);
	p->function(world, p->added, p->context);
	parallel_for(st->team, grains, PARALLEL_BLOCK, add_some, &(addition){&st->bodies, p->added, st->def.dimension == 2});
}

// A cell that deforms takes grains along; those that went round it are as far away as they have come.
static void add_work(void *job, size_t first, size_t last, totals_part *part)
{
	const account_view *view = job;
	const world_state *st = view->state;
	const bodies *b = &st->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 push = sub(b->force[i], b->steady[i]), v = view->approach->motion[i].v;
		if (st->cell_deforms)
			v = add(v, cell_apply(view->approach->rate, sub(cell_unwrap(&st->cell, b->x[i], b->image[i]), st->cell.origin)));
		part->term[0][i - first] = st->def.step*dot(push, v);
	}
}

void pushes_count(const account_view *view, energy_account *energy)
{
	energy->added += totals_of(view->state->team, view->state->bodies.count, 1, add_work, (void *)view).sum[0];
}

static void forget_some(void *job, size_t first, size_t last)
{
	const bodies *b = job;
	memcpy(b->force + first, b->steady + first, (last - first)*sizeof *b->force);
}

void pushes_end(world_state *st)
{
	parallel_for(st->team, st->bodies.count, PARALLEL_BLOCK, forget_some, &st->bodies);
}

void pushes_free(push_function *p)
{
	memory_free(p->added);
}
