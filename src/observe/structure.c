// SPDX-License-Identifier: MIT
// Who touches whom: contacts that carry a force, grains that carry none, overlaps.
#include "observe/observe.h"

#include "body.h"
#include "collide/collide.h"

#include <string.h>

enum { ENOUGH = 4096 }; // contacts that are worth another thread

// ---------------------------------------------------------------- who is held

// Each thread counts for a share of the contacts, in a row of its own; then the rows are added up.
typedef struct tally {
	const talus_world *world;
	parallel *team;
	size_t grains;
	uint8_t *own;  // of the first thread, and the result
	uint8_t *rows; // of the others
} tally;

static void bump(uint8_t *count)
{
	*count = (uint8_t)(*count + (*count < UINT8_MAX));
}

static void count_contacts(const tally *t, uint8_t *count, size_t first, size_t last)
{
	const contacts *all = &t->world->contacts;
	memset(count, 0, t->grains);
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &all->contact[i];
		if (!contacts_active(all, i))
			continue;
		bump(&count[c->b]);
		if (all->info[i].wall == NO_WALL)
			bump(&count[c->a]);
	}
}

static void add_row(uint8_t *sum, const uint8_t *row, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned both = (unsigned)sum[i] + row[i];
		sum[i] = (uint8_t)(both < UINT8_MAX ? both : UINT8_MAX);
	}
}

static void tally_share(void *job, int thread)
{
	const tally *t = job;
	size_t me = (size_t)thread, threads = (size_t)parallel_threads(t->team), contacts_all = t->world->contacts.count;
	uint8_t *count = me ? t->rows + (me - 1)*t->grains : t->own;
	count_contacts(t, count, contacts_all*me/threads, contacts_all*(me + 1)/threads);
	parallel_barrier(t->team);
	size_t first = t->grains*me/threads, last = t->grains*(me + 1)/threads;
	for (size_t k = 0; k + 1 < threads; k++)
		add_row(t->own + first, t->rows + k*t->grains + first, last - first);
}

void observe_bearing(talus_world *world)
{
	scratch *s = &world->scratch;
	size_t n = world->bodies.count;
	if (n > s->bearing_capacity) {
		s->bearing_capacity = memory_capacity(s->bearing_capacity, n);
		s->bearing = memory_grow(s->bearing, 0, s->bearing_capacity);
	}
	s->bearing_count = n;
	if (n == 0)
		return;
	tally t = {.world = world, .grains = n, .own = s->bearing};
	t.team = world->contacts.count >= ENOUGH ? world->team : NULL;
	t.rows = memory_borrow(&s->pool, n*(size_t)(parallel_threads(t.team) - 1));
	parallel_run(t.team, tally_share, &t);
}

// ---------------------------------------------------------------- numbers

static double count_bearing(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	size_t count = 0;
	for (size_t i = first; i < last; i++)
		count += contacts_active(&world->contacts, i);
	return (double)count;
}

enum { MOBILE, ENDS, RATTLERS, COUNTS };

static void count_ends(void *job, size_t first, size_t last, double *sum)
{
	const talus_world *world = job;
	uint8_t least = world->def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		if (!world->bodies.free[i])
			continue;
		uint8_t ends = observe_bearing_of(world, i);
		sum[MOBILE] += 1;
		sum[ENDS] += ends;
		sum[RATTLERS] += ends < least;
	}
}

structure_state observe_structure(const talus_world *world)
{
	double sum[COUNTS] = {0};
	parallel_reduce(world->team, world->bodies.count, COUNTS, count_ends, NULL, (void *)world, sum);
	double bearing = parallel_sum(world->team, world->contacts.count, count_bearing, (void *)world);
	return (structure_state){.bearing = (size_t)bearing,
	                         .rattlers = (size_t)sum[RATTLERS],
	                         .coordination = sum[MOBILE] > 0 ? sum[ENDS]/sum[MOBILE] : 0};
}

// ---------------------------------------------------------------- overlaps

enum { TOUCHING, SUM, LARGEST, OVERLAPS };

static void find_overlaps(void *job, size_t first, size_t last, double *value)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		double gap = world->contacts.info[i].gap, overlap = gap < 0 ? -gap : 0;
		if (overlap == 0 && !contacts_active(&world->contacts, i))
			continue;
		value[TOUCHING] += 1;
		value[SUM] += overlap;
		value[LARGEST] = overlap > value[LARGEST] ? overlap : value[LARGEST];
	}
}

static void join_overlaps(double *total, const double *value)
{
	total[TOUCHING] += value[TOUCHING];
	total[SUM] += value[SUM];
	total[LARGEST] = value[LARGEST] > total[LARGEST] ? value[LARGEST] : total[LARGEST];
}

void observe_overlap(const talus_world *world, double *mean, double *most)
{
	double value[OVERLAPS] = {0}, diameter = 2*bodies_mean_radius(&world->bodies, world->team);
	parallel_reduce(world->team, world->contacts.count, OVERLAPS, find_overlaps, join_overlaps, (void *)world, value);
	*mean = value[TOUCHING] > 0 ? value[SUM]/(value[TOUCHING]*diameter) : 0;
	*most = value[TOUCHING] > 0 ? value[LARGEST]/diameter : 0;
}
