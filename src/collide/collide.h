// SPDX-License-Identifier: MIT
// From positions to contacts: candidate pairs, contacts, and the last step's impulses as a first guess.
#ifndef TALUS_COLLIDE_H
#define TALUS_COLLIDE_H

#include "world.h"

// grid.c. The pair list holds every two grains, and every grain and wall, that are closer than the skin. It stays
// good until a grain has used up its own skin.
bool grid_used_up(const talus_world *world); // reads motion lines: how far may a grain go in this step?
bool grid_overrun(const talus_world *world); // after the solve: did the list reach far enough?
void grid_build(talus_world *world);         // wraps positions, sorts the grains in space from time to time
void grid_cut(talus_world *world);           // into other blocks, when the cuts have been where they are for long
void grid_restore(talus_world *world);       // the same list again, from x_listed and the skin of a checkpoint
void grid_free(grid *grid);

// narrow.c. Contacts are the pairs that touch or are able to touch within the step.
void narrow_begin(talus_world *world); // forget what was late in the last step
typedef void narrow_ready(talus_world *world, size_t first, size_t last); // what is to be done with plain contacts while they are at hand
void narrow_find(talus_world *world, narrow_ready *ready);               // NULL: nothing
void narrow_kick(talus_world *world); // remember how far grains came, before what was found is given up
size_t narrow_late(talus_world *world); // pairs that would overlap after this step and are no contacts yet: marks them
double narrow_reach(const talus_world *world, const talus_motion *line); // how far it may get within the step
double narrow_wall_reach(const talus_world *world, int wall);

// divide.c: the list in blocks, if it is long
void divide_list(talus_world *world, const vec3 *x);

// boxes.c
vec3 boxes_place(const talus_world *world, vec3 x); // along open directions the place itself, along periodic ones the fraction of the cell
void boxes_extent(talus_world *world, const vec3 *x, vec3 *low, vec3 *size); // where most grains are; low is a place
talus_coarse boxes_coarse(talus_world *world); // a few grains a box, for judging answers

// contact.c
void contacts_reserve(contacts *contacts, size_t capacity);
void contacts_reserve_rich(contacts *contacts, size_t capacity); // what was there is lost
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
	return !is_zero(c->contact[i].p) || (i >= c->plain && !is_zero(c->rich[i - c->plain].q));
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
	contact_past past = known ? c->old_past[(size_t)old - c->old_plain] : (contact_past){.marks = 0};
	c->rich[i - c->plain].q = past.q;
	c->info[i].marks = past.marks;
}

#endif
