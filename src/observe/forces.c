// SPDX-License-Identifier: MIT
// How forces are spread over contacts: their mean, the share of weak ones (below the mean) and what of the pressure these
// carry, those that pull, and how much of friction is in use: |f_t|/(mu N), with N = f_n, and f_n + F_C where a bond
// holds.
#include "observe/observe.h"

#include "collide/collide.h"

static const double at_limit = 0.999; // of the largest friction: it slides

static double normal_force(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	return dot(c->p, c->n)/world->def.step;
}

// ---------------------------------------------------------------- all

enum { PUSHING, PULLING, BEARING, PUSHES, LARGEST, ALL };

static void add_all(void *job, size_t first, size_t last, double *value)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		double f = normal_force(world, i);
		value[BEARING] += contacts_active(&world->contacts, i);
		value[PULLING] += f < 0;
		if (!(f > 0))
			continue;
		value[PUSHING] += 1;
		value[PUSHES] += f;
		value[LARGEST] = fmax(value[LARGEST], f);
	}
}

static void join_all(double *total, const double *value)
{
	double largest = fmax(total[LARGEST], value[LARGEST]);
	for (int k = 0; k < ALL; k++)
		total[k] += value[k];
	total[LARGEST] = largest;
}

// ---------------------------------------------------------------- weak ones, friction

typedef struct weighing {
	const talus_world *world;
	double mean;
} weighing;

enum { WEAK, WEAK_TRACE, TRACE, RUBBING, USED, SLIDING, PARTS };

static void add_friction(const talus_world *world, size_t i, double *sum)
{
	const talus_contact *c = &world->contacts.contact[i];
	const contact_info *info = &world->contacts.info[i];
	double along = dot(c->p, c->n), limit = along;
	if (info->marks & CONTACT_BONDED)
		limit += world_pair(world, c->a, c->b, info->wall)->cohesion*world->def.step;
	if (!(c->mu > 0 && limit > 0) || is_zero(c->p))
		return;
	double used = norm(mul_add(c->p, -along, c->n))/(c->mu*limit);
	sum[RUBBING] += 1;
	sum[USED] += used;
	sum[SLIDING] += used >= at_limit;
}

static void add_parts(void *job, size_t first, size_t last, double *sum)
{
	const weighing *w = job;
	for (size_t i = first; i < last; i++) {
		double f = normal_force(w->world, i);
		add_friction(w->world, i, sum);
		if (!(f > 0))
			continue;
		double trace = f*observe_span(w->world, i);
		sum[TRACE] += trace;
		sum[WEAK] += f < w->mean;
		sum[WEAK_TRACE] += f < w->mean ? trace : 0;
	}
}

static double share(double part, double all)
{
	return all > 0 ? part/all : 0;
}

forces_state observe_forces(const talus_world *world)
{
	double all[ALL] = {0}, sum[PARTS] = {0};
	size_t count = world->contacts.count;
	parallel_reduce(world->team, count, ALL, add_all, join_all, (void *)world, all);
	weighing w = {world, share(all[PUSHES], all[PUSHING])};
	parallel_reduce(world->team, count, PARTS, add_parts, NULL, &w, sum);
	return (forces_state){.pushing = (size_t)all[PUSHING],
	                      .pulling = (size_t)all[PULLING],
	                      .mean = w.mean,
	                      .largest = all[LARGEST],
	                      .weak_share = share(sum[WEAK], all[PUSHING]),
	                      .weak_pressure_share = share(sum[WEAK_TRACE], sum[TRACE]),
	                      .pull_share = share(all[PULLING], all[BEARING]),
	                      .mobilisation = share(sum[USED], sum[RUBBING]),
	                      .sliding_share = share(sum[SLIDING], sum[RUBBING])};
}

// ---------------------------------------------------------------- P(f)

force_histogram observe_force_histogram(const talus_world *world)
{
	force_histogram h = {.mean = observe_forces(world).mean};
	for (size_t i = 0; i < world->contacts.count; i++) {
		double f = normal_force(world, i);
		if (!(f > 0))
			continue;
		double place = f/h.mean*(FORCE_BINS/(double)FORCE_RANGE);
		h.count[place < FORCE_BINS ? (int)place : FORCE_BINS]++;
	}
	return h;
}
