// SPDX-License-Identifier: MIT
// Pairs become contacts. A pair is a contact if it touches, or if its two bodies, each going straight on with the
// velocity it has without contacts, could close the gap within the step. After the solve the remaining pairs are
// looked at once more: a body that was kicked within the step may have come farther than expected. Such late pairs
// are marked, and the step is solved again.
#include "collide/collide.h"

#include "base/memory.h"
#include "body.h"
#include "cell.h"
#include "wall.h"

#include <string.h>

enum { PAIR_APART, PAIR_CONTACT, PAIR_LATE };

double narrow_reach(const talus_world *world, const talus_motion *line)
{
	return world->def.step*norm(line->v) + 0.5*world->margin;
}

// A piston's velocity is found in the step, so it is in its motion line; other walls have theirs from the start.
double narrow_wall_reach(const talus_world *world, int w)
{
	const wall *at = &world->walls.at[w];
	size_t line = world->bodies.count + (size_t)w;
	return world->def.step*(wall_is_piston(at) ? norm(world->scratch.motion[line].v) : wall_top_speed(at));
}

// ---------------------------------------------------------------- writing contacts

static void append(talus_world *world, uint32_t a, uint32_t b, vec3 n, contact_info info)
{
	contacts *c = &world->contacts;
	if (c->count == c->capacity)
		contacts_reserve(c, c->count + 1);
	c->info[c->count] = info;
	c->contact[c->count++] = (talus_contact){.a = a, .b = b, .n = n};
}

// Along n, can one of the two be pushed at all?
static double inverse_along(const talus_world *world, size_t i, vec3 n)
{
	vec3 inv = world_inverse_mass(world, (uint32_t)i);
	return inv.x*n.x*n.x + inv.y*n.y*n.y + inv.z*n.z*n.z;
}

static bool pushable(const talus_world *world, size_t a, size_t b, vec3 n)
{
	const talus_motion *m = world->scratch.motion;
	return inverse_along(world, a, n) + inverse_along(world, b, n) > 1e-12*(m[a].inv_m + m[b].inv_m);
}

static void pair_to_contact(talus_world *world, size_t index, bool general)
{
	const bodies *all = &world->bodies;
	const talus_motion *motion = world->scratch.motion;
	const pair *p = &world->list.pair[index];
	vec3 d = sub(add(all->x[p->b], world->cell.shift[p->image]), all->x[p->a]);
	double distance2 = dot(d, d), sum = all->radius[p->a] + all->radius[p->b];
	double reach = narrow_reach(world, &motion[p->a]) + narrow_reach(world, &motion[p->b]);
	bool late = world->list.state[index] == PAIR_LATE;
	if (!late && distance2 >= (sum + reach)*(sum + reach))
		return;
	world->list.state[index] = late ? PAIR_LATE : PAIR_CONTACT;

	double distance = sqrt(distance2);
	vec3 n = distance > 0 ? mul(1/distance, d) : vec(1, 0, 0);
	uint32_t a = p->a, b = p->b;
	if (all->id[a] > all->id[b]) { // by id, so that a contact keeps its direction when grains are sorted
		a = p->b, b = p->a;
		n = neg(n);
		d = neg(d);
	}
	bool around = cell_any(&world->cell) && norm(sub(cell_nearest(&world->cell, d), d)) > distance;
	contact_info info = {contacts_key(all->id[a], all->id[b], around), distance - sum, NO_WALL};
	if (world_is_general(world, a, b) == general && pushable(world, a, b, n))
		append(world, a, b, n, info);
}

// The line that stands for the wall at this contact: the wall's own, or a private one with the velocity of a spinning
// wall there.
static uint32_t wall_line(talus_world *world, uint32_t w, uint32_t grain, vec3 n)
{
	const wall *wall_w = &world->walls.at[w];
	size_t line = world->bodies.count + w;
	if (!wall_spins(wall_w))
		return (uint32_t)line;
	vec3 at = mul_add(world->bodies.x[grain], -world->bodies.radius[grain], n);
	line = world->bodies.count + (size_t)world->walls.count + world->contacts.ghosts++;
	world_reserve_motion(world, line + 1);
	world->scratch.motion[line] = (talus_motion){.v = wall_velocity_at(wall_w, at)};
	return (uint32_t)line;
}

static void wall_pair_to_contacts(talus_world *world, size_t index, bool general)
{
	const bodies *all = &world->bodies;
	wall_pair p = world->list.wall[index];
	if (world_is_general(world, (uint32_t)all->count + p.wall, p.grain) != general)
		return;
	bool late = world->list.wall_state[index] == PAIR_LATE;
	double reach = narrow_reach(world, &world->scratch.motion[p.grain]) + narrow_wall_reach(world, (int)p.wall);
	double all_near = all->skin[p.grain] + world->walls.at[p.wall].skin;
	touch touches[WALL_TOUCHES];
	int count = wall_touch(&world->walls.at[p.wall], world->def.dimension, all->x[p.grain], all->radius[p.grain],
	                       late ? all_near : reach, touches);
	for (int k = 0; k < count; k++) {
		if (!late)
			world->list.wall_state[index] = PAIR_CONTACT;
		if (!pushable(world, all->count + p.wall, p.grain, touches[k].n))
			continue;
		uint64_t key = contacts_wall_key(all->id[p.grain], p.wall, touches[k].feature);
		uint32_t line = wall_line(world, p.wall, p.grain, touches[k].n);
		append(world, line, p.grain, touches[k].n, (contact_info){key, touches[k].gap, p.wall});
	}
}

// ---------------------------------------------------------------- the stage

void narrow_begin(talus_world *world)
{
	if (world->list.count)
		memset(world->list.state, PAIR_APART, world->list.count);
	if (world->list.wall_count)
		memset(world->list.wall_state, PAIR_APART, world->list.wall_count);
}

static void forget_states(uint8_t *state, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (state[i] != PAIR_LATE)
			state[i] = PAIR_APART;
}

void narrow_find(talus_world *world)
{
	contacts *c = &world->contacts;
	const pair_list *list = &world->list;
	contacts_remember(c);
	c->count = c->ghosts = 0;
	forget_states(list->state, list->count);
	forget_states(list->wall_state, list->wall_count);
	for (int general = 0; general < (world->any_general ? 2 : 1); general++) {
		for (size_t i = 0; i < list->count; i++)
			pair_to_contact(world, i, general);
		for (size_t i = 0; i < list->wall_count; i++)
			wall_pair_to_contacts(world, i, general);
		if (!general)
			c->plain = c->count;
	}
	contacts_match(c);
}

// ---------------------------------------------------------------- after the solve

static size_t late_pairs(talus_world *world)
{
	const bodies *all = &world->bodies;
	const talus_motion *motion = world->scratch.motion;
	double dt = world->def.step;
	size_t late = 0;
	for (size_t i = 0; i < world->list.count; i++) {
		const pair *p = &world->list.pair[i];
		if (world->list.state[i] != PAIR_APART)
			continue;
		vec3 d = sub(add(all->x[p->b], world->cell.shift[p->image]), all->x[p->a]);
		d = mul_add(d, dt, sub(motion[p->b].v, motion[p->a].v));
		double sum = all->radius[p->a] + all->radius[p->b];
		if (dot(d, d) < sum*sum) {
			world->list.state[i] = PAIR_LATE;
			late++;
		}
	}
	return late;
}

static size_t late_wall_pairs(talus_world *world)
{
	const bodies *all = &world->bodies;
	double dt = world->def.step;
	size_t late = 0;
	wall later = {0};
	uint32_t of = NO_WALL; // the list goes wall by wall
	for (size_t i = 0; i < world->list.wall_count; i++) {
		wall_pair p = world->list.wall[i];
		if (world->list.wall_state[i] != PAIR_APART)
			continue;
		if (p.wall != of) {
			of = p.wall;
			later = world->walls.at[of];
			later.v = world->scratch.motion[all->count + of].v;
			wall_end_step(&later, world->time, dt);
		}
		vec3 x = mul_add(all->x[p.grain], dt, world->scratch.motion[p.grain].v);
		touch touches[WALL_TOUCHES];
		if (wall_touch(&later, world->def.dimension, x, all->radius[p.grain], 0, touches)) {
			world->list.wall_state[i] = PAIR_LATE;
			late++;
		}
	}
	return late;
}

size_t narrow_late(talus_world *world)
{
	return late_pairs(world) + late_wall_pairs(world);
}
