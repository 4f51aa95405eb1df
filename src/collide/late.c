// SPDX-License-Identifier: MIT
// After the solve: pairs that were no contacts and overlap all the same, since a body was kicked within the step.
#include "collide/narrow.h"

#include "base/totals.h"
#include "cell.h"
#include "wall.h"

#include <string.h>

enum { BLOCK = 1024 }; // grains that a thread takes at least

// Both ends of a long way may be clear of the other grain though its middle is not. On a way shorter than half the sum of the radii
// that can be a scratch of 3 per cent at most, and is not looked for.
static inline bool passes_through(vec3 from, vec3 to, double sum)
{
	vec3 way = sub(to, from);
	double length = dot(way, way);
	if (length < 0.25*sum*sum)
		return false;
	double s = -dot(from, way)/length;
	vec3 nearest = mul_add(from, s, way);
	return s > 0 && s < 1 && dot(nearest, nearest) < 0.81*sum*sum;
}

typedef struct lateness {
	talus_world *world;
	zone *zone; // where grains are at the end
	wall *wall; // walls then
} lateness;

static void find_zones(void *job, size_t first, size_t last)
{
	const lateness *l = job;
	const talus_world *world = l->world;
	const bodies *b = &world->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 way = mul(world->def.step, world->scratch.motion[i].v);
		bool slow = dot(way, way) < 0.25*b->radius[i]*b->radius[i] && !world->flows;
		l->zone[i] = (zone){add(b->x[i], way), slow ? b->radius[i] : INFINITY};
	}
}

static bool is_late(const talus_world *world, const pair *p)
{
	const bodies *all = &world->bodies;
	const talus_motion *motion = world->scratch.motion;
	vec3 d = sub(add(all->x[p->b], world->cell.shift[p->image]), all->x[p->a]), from = d;
	if (world->flows)
		d = mul_add(d, world->def.step, cell_apply(world->flow.rate, d));
	d = mul_add(d, world->def.step, sub(motion[p->b].v, motion[p->a].v));
	double sum = all->radius[p->a] + all->radius[p->b];
	return dot(d, d) < sum*sum || passes_through(from, d, sum);
}

// Few are so near that one has to look closely, or so fast that they might have passed through; in a cell that deforms, all.
static void late_pairs(void *job, size_t first, size_t last, totals_part *part)
{
	const lateness *l = job;
	const zone *zones = l->zone;
	const pair *list = l->world->list.pair;
	const vec3 *shift = l->world->cell.shift;
	uint8_t *state = l->world->list.state;
	for (size_t i = first; i < last; i++) {
		const zone *a = &zones[list[i].a], *b = &zones[list[i].b];
		vec3 d = sub(add(b->x, shift[list[i].image]), a->x);
		double near = (a->near + b->near)*(1 + 1e-9); // rounding: who is in doubt is looked at
		unsigned known = state[i] & (PAIR_CONTACT | PAIR_LATE), far = dot(d, d) > near*near;
		if ((known | far) == 0 && is_late(l->world, &list[i])) {
			state[i] |= PAIR_LATE;
			part->count[0]++;
		}
	}
}

static bool is_thin(const wall *w)
{
	return w->def.has_hole || w->def.kind == TALUS_WALL_CONE || w->def.kind == TALUS_WALL_SEGMENT;
}

// The same at a wall: does the grain touch it at the end, or, on a long way, where one that is thin might be passed?
static bool comes_to(const talus_world *world, const wall *later, wall_pair p)
{
	enum { LOOKS = 32 };
	const bodies *all = &world->bodies;
	double r = all->radius[p.grain];
	vec3 way = mul(world->def.step, world->scratch.motion[p.grain].v);
	double looks = is_thin(later) ? fmin(LOOKS, floor(norm(way)/r)) : 0;
	for (double k = 0; k <= looks; k += 1) {
		vec3 x = mul_add(all->x[p.grain], 1 - k/(looks + 1), way);
		vec3 image = wall_image(later, &world->cell, x, all->image[p.grain], p.image);
		touch touches[WALL_TOUCHES];
		if (wall_touch(later, image, world->def.dimension, x, r, 0, touches))
			return true;
	}
	return false;
}

static void late_wall_pairs(void *job, size_t first, size_t last, totals_part *part)
{
	const lateness *l = job;
	talus_world *world = l->world;
	for (size_t i = first; i < last; i++) {
		wall_pair p = world->list.wall[i];
		if (world->list.wall_state[i] & (PAIR_CONTACT | PAIR_LATE))
			continue;
		if (comes_to(world, &l->wall[p.wall], p)) {
			world->list.wall_state[i] |= PAIR_LATE;
			part->count[0]++;
		}
	}
}

// Contacts are looked for in all directions as far as a kick has taken a grain, not only where it went: the next solve will send it
// somewhere else. What goes farther than that is found as it comes.
static void note_kicks(void *job, size_t first, size_t last)
{
	static const double farthest = 4; // radii
	talus_world *world = job;
	double *kick = world->scratch.kick;
	for (size_t i = first; i < last; i++) {
		double way = fmin(world->def.step*norm(world->scratch.motion[i].v), farthest*world->bodies.radius[i]);
		kick[i] = fmax(kick[i], way);
	}
}

void narrow_kick(talus_world *world)
{
	scratch *s = &world->scratch;
	size_t count = world->bodies.count;
	if (!s->kicked) {
		s->kick = memory_room(s->kick, &s->kick_capacity, count, sizeof *s->kick);
		memset(s->kick, 0, count*sizeof *s->kick);
		s->kicked = true;
	}
	parallel_for(world->team, count, BLOCK, note_kicks, world);
}

size_t narrow_late(talus_world *world)
{
	size_t grains = world->bodies.count, walls_count = (size_t)world->walls.count;
	lateness l = {.world = world};
	l.zone = memory_borrow(&world->scratch.pool, grains*sizeof *l.zone + walls_count*sizeof *l.wall);
	l.wall = (wall *)(void *)(l.zone + grains);
	for (size_t w = 0; w < walls_count; w++) {
		l.wall[w] = world->walls.at[w];
		l.wall[w].v = world->scratch.motion[grains + w].v;
		wall_end_step(&l.wall[w], world->time, world->def.step);
	}
	parallel_for(world->team, grains, BLOCK, find_zones, &l);
	return totals_of(world->team, world->list.count, 0, late_pairs, &l).count[0] +
	       totals_of(world->team, world->list.wall_count, 0, late_wall_pairs, &l).count[0];
}
