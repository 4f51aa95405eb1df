// SPDX-License-Identifier: MIT
// Force and torque of the grains on every wall, and what walls do.
#include "account/account.h"

#include "world.h"

#include "base/memory.h"
#include "base/tally.h"
#include "collide/collide.h"
#include "state/wall.h"

#include <string.h>

enum { FORCE, TORQUE = FORCE + 3, WORK = TORQUE + 3, SUMS, ROWS = 128 };

typedef struct wall_terms { // of one wall, until they are added
	tally *to;
	size_t count;
	double term[SUMS][ROWS];
} wall_terms;

static void add_terms(wall_terms *t)
{
	for (int k = 0; k < SUMS && t->count > 0; k++)
		tally_add(&t->to[k], t->term[k], t->count);
	t->count = 0;
}

static void add_contact(const account_view *v, size_t i, tally (*all)[SUMS], wall_terms *t)
{
	const bodies *b = &v->state->bodies;
	const talus_contact *c = &v->contacts->contact[i];
	uint32_t number = c->wall;
	const wall *w = &v->state->walls.at[number];
	vec3 point = mul_add(b->x[c->b], -b->radius[c->b], c->n), force = mul(-1/v->state->def.step, v->contacts->p[i]);
	vec3 image = state_wall_image(v->state, w, c->b, contacts_wall_image(c->key));
	vec3 torque = cross(wall_arm(w, &v->state->cell, image, point), force);
	if (i >= v->contacts->class_end[TALUS_COULOMB])
		torque = mul_add(torque, -1/v->state->def.step, v->contacts->q[i - v->contacts->class_end[TALUS_COULOMB]]);
	if (t->to != all[number] || t->count == ROWS) {
		add_terms(t);
		t->to = all[number];
	}
	for (int k = 0; k < 3; k++) {
		t->term[FORCE + k][t->count] = component(force, k);
		t->term[TORQUE + k][t->count] = component(torque, k);
	}
	t->term[WORK][t->count++] = energy_account_wall_contact(v, i);
}

// Those with walls are the last ones of each kind of contacts, where the table is cut, in each block: there are few of them, on the surface.
static void add_range(const account_view *v, size_t begin, size_t end, tally (*all)[SUMS], wall_terms *t)
{
	const talus_contact *contact = v->contacts->contact;
	size_t first = end;
	while (first > begin && contact[first - 1].wall != NO_WALL)
		first--;
	for (size_t i = first; i < end; i++)
		add_contact(v, i, all, t);
}

static void add_kinds(const account_view *v, const pair_list *list, tally (*all)[SUMS], wall_terms *t)
{
	const contacts *c = v->contacts;
	const size_t ends[KINDS + 1] = {0, c->class_end[TALUS_COULOMB], c->class_end[TALUS_EXTENDED], c->count};
	size_t blocks = list->followed ? list->blocks.count : 0;
	for (size_t kind = 0; kind < KINDS; kind++) {
		if (!blocks)
			add_range(v, ends[kind], ends[kind + 1], all, t);
		for (size_t b = 0; b < blocks; b++)
			add_range(v, c->first[KINDS*b + kind], c->first[KINDS*(b + 1) + kind], all, t);
	}
}

static vec3 sum_of(const tally *three)
{
	return vec(tally_sum(&three[0]), tally_sum(&three[1]), tally_sum(&three[2]));
}

void account_walls(const account_view *v, const pair_list *list, walls *to, energy_account *energy)
{
	size_t count = (size_t)to->count;
	if (count == 0)
		return;
	tally(*all)[SUMS] = memory_borrow(v->state->pool, count*sizeof *all);
	memset(all, 0, count*sizeof *all);
	wall_terms t;
	t.to = NULL;
	t.count = 0;
	add_kinds(v, list, all, &t);
	add_terms(&t);
	for (size_t w = 0; w < count; w++) {
		to->at[w].force = sum_of(all[w] + FORCE);
		to->at[w].torque = sum_of(all[w] + TORQUE);
		energy->wall_work += tally_sum(&all[w][WORK]);
	}
}
