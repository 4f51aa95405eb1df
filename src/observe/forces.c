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
	return dot(c->p, c->n)/world->state.def.step;
}

// ---------------------------------------------------------------- all

enum { PUSHING, PULLING, BEARING }; // counts

static void add_all(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		double f = normal_force(world, i);
		part->count[BEARING] += contacts_active(&world->contacts, i);
		part->count[PULLING] += f < 0;
		if (!(f > 0))
			continue;
		part->count[PUSHING]++;
		part->term[0][i - first] = f;
		part->most[0] = fmax(part->most[0], f);
	}
}

// ---------------------------------------------------------------- weak ones, friction

typedef struct weighing {
	const talus_world *world;
	double mean;
} weighing;

enum { WEAK_TRACE, TRACE, USED, PARTS };
enum { WEAK, RUBBING, SLIDING }; // counts

static void add_friction(const talus_world *world, size_t i, double *used, uint64_t *count)
{
	const talus_contact *c = &world->contacts.contact[i];
	const contact_info *info = &world->contacts.info[i];
	double along = dot(c->p, c->n), limit = along;
	if (info->marks & CONTACT_BONDED)
		limit += state_pair(&world->state, c->a, c->b, info->wall)->cohesion*world->state.def.step;
	if (!(c->mu > 0 && limit > 0) || is_zero(c->p))
		return;
	*used = norm(mul_add(c->p, -along, c->n))/(c->mu*limit);
	count[RUBBING]++;
	count[SLIDING] += *used >= at_limit;
}

static void add_parts(void *job, size_t first, size_t last, totals_part *part)
{
	const weighing *w = job;
	for (size_t i = first; i < last; i++) {
		double f = normal_force(w->world, i);
		add_friction(w->world, i, &part->term[USED][i - first], part->count);
		if (!(f > 0))
			continue;
		double trace = f*observe_span(w->world, i);
		part->term[TRACE][i - first] = trace;
		part->count[WEAK] += f < w->mean;
		part->term[WEAK_TRACE][i - first] = f < w->mean ? trace : 0;
	}
}

static double share(double part, double all)
{
	return all > 0 ? part/all : 0;
}

forces_state observe_forces(const talus_world *world)
{
	size_t count = world->contacts.count;
	totals all = totals_of(world->state.team, count, 1, add_all, (void *)world);
	double pushing = (double)all.count[PUSHING], pulling = (double)all.count[PULLING];
	weighing w = {world, share(all.sum[0], pushing)};
	totals parts = totals_of(world->state.team, count, PARTS, add_parts, &w);
	double rubbing = (double)parts.count[RUBBING];
	return (forces_state){.pushing = all.count[PUSHING],
	                      .pulling = all.count[PULLING],
	                      .mean = w.mean,
	                      .largest = fmax(0, all.most[0]),
	                      .weak_share = share((double)parts.count[WEAK], pushing),
	                      .weak_pressure_share = share(parts.sum[WEAK_TRACE], parts.sum[TRACE]),
	                      .pull_share = share(pulling, (double)all.count[BEARING]),
	                      .mobilisation = share(parts.sum[USED], rubbing),
	                      .sliding_share = share((double)parts.count[SLIDING], rubbing)};
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
