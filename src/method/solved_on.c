// SPDX-License-Identifier: MIT
#include "method/solved_on.h"

#include "method/contact_dynamics.h"
#include "solve/solve.h"

#include <string.h>

static size_t aligned(size_t size)
{
	return (size + 63)/64*64;
}

static void *part(char **room, size_t size)
{
	void *here = *room;
	*room += aligned(size);
	return here;
}

static void *copied(char **room, const void *from, size_t size)
{
	void *to = part(room, size);
	return size > 0 ? memcpy(to, from, size) : to;
}

// Everything that solving on would change. The world's bodies keep the motion that they were found to have.
static void take_copy(talus_world *world, solved_on *to)
{
	const contacts *c = &world->contacts;
	talus_problem *p = &to->problem;
	*p = world_problem(world);
	size_t contact = c->count*sizeof *c->contact, rich = (c->count - c->plain)*sizeof *c->rich,
	       general = (c->count - c->round)*sizeof *c->general, motion = p->bodies*sizeof *p->motion;
	char *room = memory_borrow(world->state.pool, aligned(contact) + aligned(rich) + aligned(general) + 3*aligned(motion));
	p->contact = copied(&room, c->contact, contact);
	p->rich = copied(&room, c->rich, rich);
	p->general = copied(&room, c->general, general);
	to->found = copied(&room, world->approach.motion, motion);
	contact_dynamics_predict(world);
	to->free = copied(&room, world->approach.motion, motion);
	p->motion = copied(&room, to->free, motion);
	memcpy(world->approach.motion, to->found, motion);
	to->flow = world->flow;
	p->flow = world->state.flows ? &to->flow : NULL;
}

void step_solve_on(talus_world *world, int least, int most, solved_on *to)
{
	take_copy(world, to);
	world->scratch.solver_workspace->team = world->state.team;
	to->report = nsgs_solve_on(&to->problem, least, most, world->contacts.contact, world->state.def.seed, world->state.step,
	                           world->scratch.solver_workspace);
}
