// SPDX-License-Identifier: MIT
// Newton's restitution with friction can make energy where several collisions happen at once. So after the solve the work of
// the contacts is added up for every cluster of bodies that push each other; where it is positive, the bounces of that
// cluster aim lower, and the step is solved again. Without any bounce no cluster makes energy.
#include "method/contact_dynamics.h"

#include "base/clusters.h"
#include "base/memory.h"
#include "base/tally.h"
#include "collide/collide.h"
#include "observe/observe.h"

enum { ROUNDS = 8 };

static const double rounding = 1e-9; // of the energy that comes back

typedef struct cluster {
	uint32_t parent;
	bool counted;
	double gained[2]; // energy: in large units, and the rest in small ones
	double bounce[2]; // sum of p times what its bounces aim at
} cluster;

static uint32_t root_of(cluster *all, uint32_t i)
{
	return clusters_root(all, sizeof *all, i);
}

static bool movable(const talus_world *world, uint32_t line)
{
	const talus_motion *m = &world->approach.motion[line];
	return m->inv_m > 0 || m->k > 0;
}

static void join(const talus_world *world, cluster *all)
{
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		if (!contacts_active(&world->contacts, i) || !movable(world, c->a) || !movable(world, c->b))
			continue;
		clusters_join(all, sizeof *all, c->a, c->b);
	}
}

static cluster *cluster_of(const talus_world *world, cluster *all, const talus_contact *c)
{
	return &all[root_of(all, movable(world, c->b) ? c->b : c->a)];
}

static double gained_at(const talus_world *world, size_t i)
{
	contact_work w = contacts_active(&world->contacts, i) ? energy_account_contact(world, i) : (contact_work){0};
	return w.normal + w.friction + w.rolling + w.torsion + w.bonds;
}

static double bounce_at(const contacts *table, size_t i)
{
	bool bounces = contacts_active(table, i) && table->info[i].marks & CONTACT_BOUNCES;
	return bounces ? fabs(dot(table->contact[i].p, table->rich[i - table->plain].target)) : 0;
}

static void find_largest(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		part->most[0] = fmax(part->most[0], fabs(gained_at(world, i)));
		part->most[1] = fmax(part->most[1], bounce_at(&world->contacts, i));
	}
}

// Sums must not depend on the order of contacts, and those of a small cluster have to be as good as those of a large one.
static void find_units(double largest, size_t count, double unit[2])
{
	unit[0] = tally_unit(largest, count);
	unit[1] = tally_unit(0x1p-53*unit[0], count);
}

static void add_in(double sum[2], double x, const double unit[2])
{
	double rounded = tally_round(x, unit[0]);
	sum[0] += rounded;
	sum[1] += tally_round(x - rounded, unit[1]);
}

static void add_up(const talus_world *world, cluster *all)
{
	const contacts *table = &world->contacts;
	totals largest = totals_of(world->state.team, table->count, 0, find_largest, (void *)world);
	double gained_unit[2], bounce_unit[2];
	find_units(largest.most[0], table->count, gained_unit);
	find_units(largest.most[1], table->count, bounce_unit);
	for (size_t i = 0; i < table->count; i++) {
		if (!contacts_active(table, i))
			continue;
		cluster *k = cluster_of(world, all, &table->contact[i]);
		add_in(k->gained, gained_at(world, i), gained_unit);
		add_in(k->bounce, bounce_at(table, i), bounce_unit);
	}
}

static bool grew(const cluster *k)
{
	double bounce = k->bounce[0] + k->bounce[1];
	return bounce > 0 && k->gained[0] + k->gained[1] > rounding*bounce;
}

// Towards the velocity that closes the gap, as far as it takes by a first guess.
static void aim_lower(talus_contact *c, contact_info *info, talus_rich *r, const cluster *k, int round)
{
	vec3 gap = mul(c->bias, c->n);
	double less = fmin(fmax(2.4*(k->gained[0] + k->gained[1])/(k->bounce[0] + k->bounce[1]), 0.02), 1);
	if (round >= ROUNDS) {
		less = 1;
		info->marks &= ~(uint32_t)CONTACT_BOUNCES;
	}
	r->target = mul_add(r->target, less, sub(gap, r->target));
	r->slack = c->mass_n*fmax(dot(r->target, c->n), 0);
}

size_t impact_soften(talus_world *world, int round)
{
	contacts *table = &world->contacts;
	size_t lines = world->state.bodies.count + (size_t)world->state.walls.count + table->wall_lines;
	bool bounces = false;
	size_t clusters = 0;
	for (size_t i = table->plain; i < table->count && !bounces; i++)
		bounces = table->info[i].marks & CONTACT_BOUNCES;
	if (!bounces)
		return 0;
	cluster *all = memory_borrow(world->state.pool, lines*sizeof *all);
	for (size_t i = 0; i < lines; i++)
		all[i] = (cluster){.parent = (uint32_t)i};
	join(world, all);
	add_up(world, all);
	for (size_t i = table->plain; i < table->count; i++) {
		talus_contact *c = &table->contact[i];
		cluster *k = cluster_of(world, all, c);
		if (!(table->info[i].marks & CONTACT_BOUNCES) || !grew(k))
			continue;
		if (round > 0)
			aim_lower(c, &table->info[i], &table->rich[i - table->plain], k, round);
		clusters += !k->counted;
		k->counted = true;
	}
	return clusters;
}
