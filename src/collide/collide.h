// SPDX-License-Identifier: MIT
// From positions to contacts: candidate pairs, contacts, and the last step's impulses as a first guess.
#ifndef TALUS_COLLIDE_H
#define TALUS_COLLIDE_H

#include "collide/approach.h"
#include "collide/contacts.h"
#include "collide/pairs.h"

// grid.c. The pair list holds every two grains, and every grain and wall, that are closer than the skin. It stays
// good until a grain has used up its own skin.
bool grid_used_up(const world_state *state, const approach *approach, const pair_list *list); // how far may a grain go in this step?
bool grid_overrun(const world_state *state, const approach *approach); // after the solve: did the list reach far enough?
void grid_build(world_state *state, approach *approach, pair_list *list); // wraps positions, sorts the grains in space from time to time
void grid_cut(const world_state *state, pair_list *list); // into other blocks, when the cuts have been where they are for long
void grid_restore(world_state *state, approach *approach, pair_list *list); // the same list again, from x_listed and the skin of a checkpoint
void pairs_free(pair_list *list);

// narrow.c. Contacts are the pairs that touch or are able to touch within the step.
void narrow_begin(const world_state *state, pair_list *list); // forget what was late in the last step
// Who makes something of the contacts as they are found: hears how many there are before the first is written, and of plain ones first..last
// while they are at hand.
typedef struct narrow_listener {
	void *job;
	void (*counted)(void *job);
	void (*found)(void *job, size_t first, size_t last);
} narrow_listener;
// Marks of pairs, contacts with their first guess, solver bodies of spinning walls.
void narrow_find(const world_state *state, approach *approach, pair_list *list, contacts *contacts, const narrow_listener *listener); // NULL: nobody
void narrow_kick(const world_state *state, approach *approach); // remember how far grains came, before what was found is given up
size_t narrow_late(const world_state *state, const approach *approach, pair_list *list); // pairs that would overlap after this step and are no contacts yet: marks them

// divide.c: the list in blocks, if it is long
void divide_list(const world_state *state, pair_list *list, const vec3 *x);

// error_cells.c
vec3 error_cells_place(const world_state *state, vec3 x); // along open directions the place itself, along periodic ones the fraction of the cell
void error_cells_extent(const world_state *state, const vec3 *x, vec3 *low, vec3 *size); // where most grains are; low is a place
// A few grains a box, for judging answers of so many contacts. `box` has room for all grains.
talus_error_cells error_cells_make(const world_state *state, size_t contacts, uint32_t *box);

// contact.c
void contacts_reserve(contacts *contacts, size_t capacity);
void contacts_reserve_torques(contacts *contacts, size_t capacity); // and the memory of laws; what was there is lost
void contacts_free(contacts *contacts);
// What is there becomes the last solution, in a room of contacts_memory bytes; new ones get their first guess from it.
size_t contacts_memory(const contacts *contacts);
size_t contacts_memory_impulses(const contacts *contacts); // without the keys
void contacts_remember(contacts *contacts, void *room, parallel *team);
void contacts_remember_impulses(contacts *contacts, void *room, parallel *team); // not the keys: cannot be matched
void contacts_match(contacts *contacts, parallel *team);
uint64_t contacts_key(uint32_t id_a, uint32_t id_b, bool around); // two grains; around: not through the nearest image
uint64_t contacts_wall_key(uint32_t id, uint32_t wall, uint32_t image, int feature);
uint32_t contacts_wall_image(uint64_t key);
int64_t contacts_body_a(uint64_t key); // grain id, or -1 - wall
int64_t contacts_body_b(uint64_t key);

static inline bool is_zero(vec3 a)
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

// Does it do anything? A bond may hold with a torque alone.
static inline bool contacts_active(const contacts *c, size_t i)
{
	return !is_zero(c->p[i]) || (i >= c->class_end[TALUS_COULOMB] && !is_zero(c->q[i - c->class_end[TALUS_COULOMB]]));
}

static inline vec3 contacts_torque(const contacts *c, size_t i)
{
	return i < c->class_end[TALUS_COULOMB] ? vec(0, 0, 0) : c->q[i - c->class_end[TALUS_COULOMB]];
}

// From centre to centre of two grains; 0 at a wall.
static inline double contacts_span(const world_state *st, const talus_contact *c)
{
	const double *radius = st->bodies.radius;
	return c->wall == NO_WALL ? radius[c->a] + radius[c->b] + c->gap : 0;
}

// No zero has a sign, whichever way it is found.
static inline vec3 contacts_old_impulse(const contacts *c, size_t old)
{
	return add(c->old_p[old], vec(0, 0, 0));
}

// What contact i, which is not a plain one, was before: row `old` of the last solution, or nothing if that is negative.
static inline void contacts_set_past(contacts *c, size_t i, int64_t old)
{
	bool known = old >= (int64_t)c->old_plain;
	contact_past before = known ? c->old_past[(size_t)old - c->old_plain] : (contact_past){.flags = 0};
	c->q[i - c->class_end[TALUS_COULOMB]] = before.q;
	c->contact[i].flags = before.flags;
	const double *number = known ? c->old_memory + ((size_t)old - c->old_plain)*c->stride : c->fresh;
	for (size_t k = 0; k < c->stride; k++)
		c->memory[(i - c->class_end[TALUS_COULOMB])*c->stride + k] = number[k];
}

#endif
