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
	*p = contact_dynamics_problem(world);
	size_t extended_count = c->count - c->class_end[TALUS_COULOMB], row = c->count*sizeof *p->row, impulses = c->count*sizeof *p->p, extended = extended_count*sizeof *p->extended,
	       torques = extended_count*sizeof *p->q, full_mass = (c->count - c->class_end[TALUS_EXTENDED])*sizeof *p->full_mass, motion = p->bodies*sizeof *p->motion;
	char *room = memory_borrow(world->state.pool, aligned(row) + aligned(impulses) + aligned(extended) + aligned(torques) + aligned(full_mass) +
	                                              3*aligned(motion));
	p->row = copied(&room, p->row, row);
	p->p = copied(&room, p->p, impulses);
	p->extended = copied(&room, p->extended, extended);
	p->q = copied(&room, p->q, torques);
	p->full_mass = copied(&room, p->full_mass, full_mass);
	to->found = copied(&room, world->approach.motion, motion);
	contact_dynamics_predict(&world->state, &world->approach);
	to->free = copied(&room, world->approach.motion, motion);
	p->motion = copied(&room, to->free, motion);
	memcpy(world->approach.motion, to->found, motion);
	to->flow = contact_dynamics_of(world)->flow;
	p->flow = world->state.cell_deforms ? &to->flow : NULL;
}

void step_solve_on(talus_world *world, int least, int most, solved_on *to)
{
	take_copy(world, to);
	contact_dynamics_of(world)->solver_workspace->team = world->state.team;
	to->report = nsgs_solve_on(&to->problem, least, most, world->contacts.p, world->state.def.seed, world->state.step,
	                           contact_dynamics_of(world)->solver_workspace);
}
