// SPDX-License-Identifier: MIT
// How forces are spread over contacts: their mean, the share of weak ones (below the mean) and what of the pressure these
// carry, those that pull, and how much of friction is in use: |f_t|/(mu N), with N = f_n, and f_n + F_C where a bond
// holds.
#include "observe/observe.h"

#include "collide/collide.h"

static const double at_limit = 0.999; // of the largest friction: it slides

static double normal_force(const talus_world *world, size_t i)
{
	return dot(world->contacts.p[i], world->contacts.contact[i].n)/world->state.def.step;
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
	vec3 p = world->contacts.p[i];
	double along = dot(p, c->n), limit = along, mu = world->method->friction(world, i);
	if (c->flags & CONTACT_BONDED)
		limit += state_pair(&world->state, c->a, c->b, c->wall)->cohesion*world->state.def.step;
	if (!(mu > 0 && limit > 0) || is_zero(p))
		return;
	*used = norm(mul_add(p, -along, c->n))/(mu*limit);
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

static force_histogram histogram_of(const talus_world *world, double mean)
{
	force_histogram h = {.mean = mean};
	for (size_t i = 0; i < world->contacts.count; i++) {
		double f = normal_force(world, i);
		if (!(f > 0))
			continue;
		double place = f/h.mean*(FORCE_BINS/(double)FORCE_RANGE);
		h.count[place < FORCE_BINS ? (int)place : FORCE_BINS]++;
	}
	return h;
}

force_histogram observe_force_histogram(const talus_world *world)
{
	return histogram_of(world, observe_forces(world).mean);
}

// ---------------------------------------------------------------- observables

static void forces_measure(observations *seen, void *result)
{
	*(forces_state *)result = observe_forces(seen->world);
}

static const measurement forces_measurement = {sizeof(forces_state), forces_measure};
#define FORCES(member) OBSERVABLE_AT(forces_measurement, forces_state, member)

typedef struct histogram_found {
	force_histogram all;
	int bins;
	double range[2];
} histogram_found;

static void histogram_measure(observations *seen, void *result)
{
	const forces_state *forces = observations_get(seen, &forces_measurement);
	*(histogram_found *)result = (histogram_found){histogram_of(seen->world, forces->mean), FORCE_BINS, {0, FORCE_RANGE}};
}

static const measurement histogram_measurement = {sizeof(histogram_found), histogram_measure};
#define HISTOGRAM(member) OBSERVABLE_AT(histogram_measurement, histogram_found, member)

const observable forces_observables[] = {
	{"weak_share", "contacts with a normal force f below the mean over those that push", "", FORCES(weak_share), .log = 45, .summary = 41, .frames = 13},
	{"weak_pressure_share", "part of the sum of f l that contacts below the mean force carry, l the distance of the centres", "", FORCES(weak_pressure_share), .log = 46,
	 .summary = 42, .frames = 14},
	{"pull_share", "contacts that pull over all with a force", "", FORCES(pull_share), .log = 47, .summary = 43, .frames = 15},
	{"mobilisation", "mean fraction of the largest possible friction that contacts with friction use", "", FORCES(mobilisation), .log = 48, .summary = 44, .frames = 16},
	{"sliding_share", "fraction of the contacts with friction that use (almost) all of it: they slide", "", FORCES(sliding_share), .log = 49, .summary = 45, .frames = 17},
	{"mean_force", "mean of normal forces f > 0", UNIT_FORCE, FORCES(mean), .summary = 49, .frames = 11},
	{"max_force", "largest normal force", UNIT_FORCE, FORCES(largest), .summary = 50, .frames = 12},
	{"forces", "contacts by their normal force f > 0 over its mean; one more at the end for what is beyond", "",
	 HISTOGRAM(all.count), .shape = TALUS_LIST, .length = FORCE_BINS + 1, .high = FORCE_RANGE, .frames = 29},
	{"distributions.forces.bins", "bins of the histogram of forces", "", HISTOGRAM(bins), .summary = 54},
	{"distributions.forces.range", "where the bins of the histogram of forces begin and end, in mean forces", "",
	 HISTOGRAM(range), .shape = TALUS_LIST, .length = 2, .summary = 55},
	{"distributions.forces.mean", "mean of normal forces f > 0", UNIT_FORCE, HISTOGRAM(all.mean), .summary = 56},
	{"distributions.forces.counts", "contacts in the bins of the histogram of forces", "", HISTOGRAM(all.count),
	 .shape = TALUS_LIST, .length = FORCE_BINS, .high = FORCE_RANGE, .summary = 57},
	{"distributions.forces.beyond", "contacts with forces beyond the histogram", "", HISTOGRAM(all.count[FORCE_BINS]),
	 .summary = 58},
	{0},
};
