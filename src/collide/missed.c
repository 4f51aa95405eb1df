// SPDX-License-Identifier: MIT
// After the solve: pairs that were no contacts and overlap all the same, since a body was kicked within the step.
#include "collide/narrow.h"
#include "base/parallel.h"

#include "base/totals.h"
#include "state/cell.h"
#include "state/wall.h"

#include <string.h>

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
	const world_state *st;
	const approach *ahead;
	pair_list *list;
	zone *zone; // where grains are at the end
	wall *wall; // walls then
} lateness;

static void find_zones(void *job, size_t first, size_t last)
{
	const lateness *l = job;
	const world_state *st = l->st;
	const bodies *b = &st->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 way = mul(st->def.step, l->ahead->motion[i].v);
		bool slow = dot(way, way) < 0.25*b->radius[i]*b->radius[i] && !st->cell_deforms;
		l->zone[i] = (zone){add(b->x[i], way), slow ? b->radius[i] : INFINITY};
	}
}

static bool is_late(const lateness *l, const pair *p)
{
	const world_state *st = l->st;
	const bodies *all = &st->bodies;
	const talus_solver_body *motion = l->ahead->motion;
	vec3 d = sub(add(all->x[p->b], st->cell.shift[p->image]), all->x[p->a]), from = d;
	if (st->cell_deforms)
		d = mul_add(d, st->def.step, cell_apply(l->ahead->rate, d));
	d = mul_add(d, st->def.step, sub(motion[p->b].v, motion[p->a].v));
	double sum = all->radius[p->a] + all->radius[p->b];
	return dot(d, d) < sum*sum || passes_through(from, d, sum);
}

// Few are so near that one has to look closely, or so fast that they might have passed through; in a cell that deforms, all.
static void missed_pairs(void *job, size_t first, size_t last, totals_part *part)
{
	const lateness *l = job;
	const zone *zones = l->zone;
	const pair *list = l->list->pair;
	const vec3 *shift = l->st->cell.shift;
	uint8_t *marks = l->list->state;
	for (size_t i = first; i < last; i++) {
		const zone *a = &zones[list[i].a], *b = &zones[list[i].b];
		vec3 d = sub(add(b->x, shift[list[i].image]), a->x);
		double near = (a->near + b->near)*(1 + 1e-9); // rounding: who is in doubt is looked at
		unsigned known = marks[i] & (PAIR_CONTACT | PAIR_MISSED), far = dot(d, d) > near*near;
		if ((known | far) == 0 && is_late(l, &list[i])) {
			marks[i] |= PAIR_MISSED;
			part->count[0]++;
		}
	}
}

// The same at a wall: does the grain touch it at the end, or, on a long way, where one that is thin might be passed?
static bool comes_to(const lateness *l, const wall *later, wall_pair p)
{
	const world_state *st = l->st;
	enum { LOOKS = 32 };
	const bodies *all = &st->bodies;
	double r = all->radius[p.grain];
	vec3 way = mul(st->def.step, l->ahead->motion[p.grain].v);
	double looks = later->thin ? fmin(LOOKS, floor(norm(way)/r)) : 0;
	for (double k = 0; k <= looks; k += 1) {
		vec3 x = mul_add(all->x[p.grain], 1 - k/(looks + 1), way);
		vec3 image = wall_image(later, &st->cell, x, all->image[p.grain], p.image);
		touch touches[WALL_TOUCHES];
		if (wall_touch(later, image, st->def.dimension, x, r, 0, touches))
			return true;
	}
	return false;
}

static void missed_wall_pairs(void *job, size_t first, size_t last, totals_part *part)
{
	const lateness *l = job;
	pair_list *list = l->list;
	for (size_t i = first; i < last; i++) {
		wall_pair p = list->wall[i];
		if (list->wall_state[i] & (PAIR_CONTACT | PAIR_MISSED))
			continue;
		if (comes_to(l, &l->wall[p.wall], p)) {
			list->wall_state[i] |= PAIR_MISSED;
			part->count[0]++;
		}
	}
}

// Contacts are looked for in all directions as far as a kick has taken a grain, not only where it went: the next solve will send it
// somewhere else. What goes farther than that is found as it comes.
static void note_kicks(void *job, size_t first, size_t last)
{
	static const double farthest = 4; // radii
	const lateness *l = job;
	double *kick = l->ahead->kick;
	for (size_t i = first; i < last; i++) {
		double way = fmin(l->st->def.step*norm(l->ahead->motion[i].v), farthest*l->st->bodies.radius[i]);
		kick[i] = fmax(kick[i], way);
	}
}

void narrow_kick(const world_state *st, approach *ahead)
{
	lateness l = {.st = st, .ahead = ahead};
	size_t count = st->bodies.count;
	if (!ahead->kicked) {
		ahead->kick = memory_room(ahead->kick, &ahead->kick_capacity, count, sizeof *ahead->kick);
		memset(ahead->kick, 0, count*sizeof *ahead->kick);
		ahead->kicked = true;
	}
	parallel_for(st->team, count, PARALLEL_BLOCK, note_kicks, &l);
}

size_t narrow_late(const world_state *st, const approach *ahead, pair_list *list)
{
	size_t grains = st->bodies.count, walls_count = (size_t)st->walls.count;
	lateness l = {.st = st, .ahead = ahead, .list = list};
	l.zone = memory_borrow(st->pool, grains*sizeof *l.zone + walls_count*sizeof *l.wall);
	l.wall = (wall *)(void *)(l.zone + grains);
	for (size_t w = 0; w < walls_count; w++) {
		l.wall[w] = st->walls.at[w];
		l.wall[w].v = ahead->motion[grains + w].v;
		wall_end_step(&l.wall[w], st->time, st->def.step);
	}
	parallel_for(st->team, grains, PARALLEL_BLOCK, find_zones, &l);
	return totals_of(st->team, list->count, 0, missed_pairs, &l).count[0] +
	       totals_of(st->team, list->wall_count, 0, missed_wall_pairs, &l).count[0];
}
