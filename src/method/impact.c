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
// The work of a contact is p times the mean of its velocities before and after: to take a gain away, p times what bounces aim at has to fall
// by twice the gain. A fifth more, as the other contacts of the cluster answer, and a step of at least so much, make it few rounds.
static const double lower_by = 2.4, lower_least = 0.02;

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

static bool movable(const law_stage *s, uint32_t line)
{
	const talus_solver_body *m = &s->approach->motion[line];
	return m->inv_m > 0 || m->r2_over_I > 0;
}

static void join(const law_stage *s, cluster *all)
{
	for (size_t i = 0; i < s->contacts->count; i++) {
		const talus_contact *c = &s->contacts->contact[i];
		if (!contacts_active(s->contacts, i) || !movable(s, c->a) || !movable(s, c->b))
			continue;
		clusters_join(all, sizeof *all, c->a, c->b);
	}
}

static cluster *cluster_of(const law_stage *s, cluster *all, const talus_contact *c)
{
	return &all[root_of(all, movable(s, c->b) ? c->b : c->a)];
}

static double gained_at(const law_stage *s, size_t i)
{
	contact_work w = contacts_active(s->contacts, i) ? energy_account_contact(&(account_view){s->state, s->approach, s->contacts}, i) : (contact_work){0};
	return w.normal + w.friction + w.rolling + w.torsion + w.bonds;
}

static double bounce_at(const law_stage *s, size_t i)
{
	const contacts *table = s->contacts;
	bool bounces = contacts_active(table, i) && table->contact[i].flags & CONTACT_BOUNCES;
	return bounces ? fabs(dot(table->p[i], s->rows->extended[i - table->class_end[TALUS_COULOMB]].target)) : 0;
}

static void find_largest(void *job, size_t first, size_t last, totals_part *part)
{
	const law_stage *s = job;
	for (size_t i = first; i < last; i++) {
		part->most[0] = fmax(part->most[0], fabs(gained_at(s, i)));
		part->most[1] = fmax(part->most[1], bounce_at(s, i));
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

static void add_up(const law_stage *s, cluster *all)
{
	const contacts *table = s->contacts;
	totals largest = totals_of(s->state->team, table->count, 0, find_largest, (void *)(uintptr_t)s);
	double gained_unit[2], bounce_unit[2];
	find_units(largest.most[0], table->count, gained_unit);
	find_units(largest.most[1], table->count, bounce_unit);
	for (size_t i = 0; i < table->count; i++) {
		if (!contacts_active(table, i))
			continue;
		cluster *k = cluster_of(s, all, &table->contact[i]);
		add_in(k->gained, gained_at(s, i), gained_unit);
		add_in(k->bounce, bounce_at(s, i), bounce_unit);
	}
}

static bool grew(const cluster *k)
{
	double bounce = k->bounce[0] + k->bounce[1];
	return bounce > 0 && k->gained[0] + k->gained[1] > rounding*bounce;
}

// Towards the velocity that closes the gap, as far as it takes by a first guess.
static void aim_lower(talus_contact *c, const talus_row *row, talus_extended *r, const cluster *k, int round)
{
	vec3 gap = mul(row->bias, c->n);
	double less = fmin(fmax(lower_by*(k->gained[0] + k->gained[1])/(k->bounce[0] + k->bounce[1]), lower_least), 1);
	if (round >= ROUNDS) {
		less = 1;
		c->flags &= ~(uint32_t)CONTACT_BOUNCES;
	}
	r->target = mul_add(r->target, less, sub(gap, r->target));
	r->gap_allowance = row->mass_n*fmax(dot(r->target, c->n), 0);
}

size_t impact_soften(const law_stage *s, int round)
{
	contacts *table = s->contacts;
	size_t lines = s->state->bodies.count + (size_t)s->state->walls.count + table->wall_lines;
	bool bounces = false;
	size_t clusters = 0;
	for (size_t i = table->class_end[TALUS_COULOMB]; i < table->count && !bounces; i++)
		bounces = table->contact[i].flags & CONTACT_BOUNCES;
	if (!bounces)
		return 0;
	cluster *all = memory_borrow(s->state->pool, lines*sizeof *all);
	for (size_t i = 0; i < lines; i++)
		all[i] = (cluster){.parent = (uint32_t)i};
	join(s, all);
	add_up(s, all);
	for (size_t i = table->class_end[TALUS_COULOMB]; i < table->count; i++) {
		talus_contact *c = &table->contact[i];
		cluster *k = cluster_of(s, all, c);
		if (!(table->contact[i].flags & CONTACT_BOUNCES) || !grew(k))
			continue;
		if (round > 0)
			aim_lower(c, &s->rows->row[i], &s->rows->extended[i - table->class_end[TALUS_COULOMB]], k, round);
		clusters += !k->counted;
		k->counted = true;
	}
	return clusters;
}
