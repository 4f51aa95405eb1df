// SPDX-License-Identifier: MIT
// The energy account. Within a step the work of an impulse p on the two bodies of a contact is p.(V- + V)/2, V- and V the
// velocities at the contact before and after, because the bodies' kinetic energies are quadratic; that of a torque q is
// q.(Omega- + Omega)/2. What walls and held grains do is counted apart, and implicit Euler's own loss where the grains
// are moved. Together that is all, so it closes to round-off.
#include "account/account.h"

#include "base/memory.h"
#include "state/cell_drive.h"
#include "world.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "law/coulomb.h"
#include "law/rich.h"

enum { BLOCK = 1024 };

// Before and after together: twice the mean.
static inline talus_motion twice_line(const talus_world *world, uint32_t line)
{
	const talus_motion *now = &world->approach.motion[line];
	const bodies *b = &world->state.bodies;
	if (line < b->count)
		return (talus_motion){.v = add(b->v[line], now->v), .s = mul_add(now->s, b->radius[line], b->spin[line])};
	return (talus_motion){.v = add(approach_before(&world->approach, &world->state, line).v, now->v)};
}

static const talus_rich *rich_at(const talus_world *world, size_t i)
{
	return i < world->contacts.plain ? NULL : &world->contacts.rich[i - world->contacts.plain];
}

// Also what a spinning wall adds to the spin on either side of the step.
static vec3 twice_spin(const talus_rich *r, const talus_motion *a, const talus_motion *b)
{
	return add(rich_spin(r, a, b), r->turning);
}

// Twice the work along the normal, and in all, of the impulse; u is twice the mean velocity.
static inline double twice_work(const talus_contact *c, vec3 u, double *along)
{
	*along = dot(c->p, c->n)*dot(u, c->n);
	return dot(c->p, u);
}

// By a cell that deforms, before and after.
static vec3 twice_drift(const talus_world *world, const talus_contact *c, const talus_rich *r)
{
	if (!world->state.flows)
		return vec(0, 0, 0);
	vec3 l = mul(r->span, c->n);
	return add(cell_apply(world->state.cell.rate, l), cell_apply(world->flow.rate, l));
}

contact_work energy_account_contact(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const talus_rich *r = rich_at(world, i);
	talus_motion a = twice_line(world, c->a), b = twice_line(world, c->b);
	vec3 drift = r ? twice_drift(world, c, r) : vec(0, 0, 0);
	double along, work = twice_work(c, add(coulomb_velocity(c, &a, &b), drift), &along);
	contact_work w = {.friction = 0.5*(work - along)};
	*(dot(c->p, c->n) < 0 ? &w.bonds : &w.normal) = 0.5*along;
	if (r) {
		vec3 spin = twice_spin(r, &a, &b);
		w.torsion = 0.5*dot(r->q, c->n)*dot(spin, c->n);
		w.rolling = 0.5*dot(r->q, spin) - w.torsion;
	}
	return w;
}

// ---------------------------------------------------------------- walls, and grains that are held

double energy_account_wall_contact(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const talus_rich *r = rich_at(world, i);
	return 0.5*dot(c->p, twice_line(world, c->a).v) - (r ? dot(r->q, r->turning) : 0);
}

static vec3 held_part(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? 0 : a.x, free & TALUS_FREE_Y ? 0 : a.y, free & TALUS_FREE_Z ? 0 : a.z);
}

// The impulse p and the torque do no work on a grain in directions in which it is held: what holds it takes them.
static double held_work(const talus_world *world, uint32_t grain, vec3 p, vec3 torque)
{
	const bodies *b = &world->state.bodies;
	unsigned free = b->free[grain];
	double turned = free & TALUS_FREE_SPIN ? 0 : b->radius[grain]*dot(torque, b->spin[grain]);
	return turned - dot(held_part(p, free), b->v[grain]);
}

static bool is_held(const talus_world *world, uint32_t grain)
{
	return grain < world->state.bodies.count && world->state.bodies.free[grain] != TALUS_FREE_ALL;
}

static double driven_work(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	if (!is_held(world, c->a) && !is_held(world, c->b))
		return 0;
	const talus_rich *r = rich_at(world, i);
	vec3 torque = cross(c->n, c->p), on_a = torque, on_b = torque;
	if (r) {
		on_a = mul_add(torque, r->curve_a, r->q);
		on_b = mul_add(torque, -r->curve_b, r->q);
	}
	double work = held_work(world, c->b, c->p, on_b);
	if (world->contacts.info[i].wall == NO_WALL)
		work += held_work(world, c->a, neg(c->p), on_a);
	return work;
}

// Outer forces do no work either on grains along what is held.
static void work_on_held(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	for (size_t i = first; i < last; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], world->state.def.gravity);
		part->term[0][i - first] = -world->state.def.step*dot(held_part(force, b->free[i]), b->v[i]);
	}
}

// Of a cell on the grains' own motion: m (what -L v gives to v) times the mean velocity, which is what the kinetic part of the
// stress does.
static void work_on_motion(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	double gradient[3][3];
	cell_drive_gradient(&world->state, gradient);
	for (size_t i = first; i < last; i++)
		part->term[0][i - first] = 0.5*b->mass[i]*dot(cell_drive_drag(&world->state, gradient, i), add(b->v[i], world->approach.motion[i].v));
}

// Of a cell that carries grains along, against the outer forces on them; those that went round it are as far away as they have come.
static void work_of_carrying(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	for (size_t i = first; i < last; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], world->state.def.gravity);
		vec3 x = sub(cell_unwrap(&world->state.cell, b->x[i], b->image[i]), world->state.cell.origin);
		part->term[0][i - first] = -world->state.def.step*dot(force, cell_apply(world->flow.rate, x));
	}
}

// ---------------------------------------------------------------- the stage

enum { NORMAL, FRICTION, OVERLAP, PLAIN_ENTRIES, DRIVEN = PLAIN_ENTRIES, HELD_ENTRIES, ROLLING = HELD_ENTRIES, TORSION, BONDS, CELL, ENTRIES };

static inline void add_overlap(double gap, bool active, size_t row, totals_part *part)
{
	double overlap = gap < 0 ? -gap : 0;
	part->term[OVERLAP][row] = overlap;
	part->count[0] += active || overlap > 0;
	part->most[0] = overlap > part->most[0] ? overlap : part->most[0];
}

typedef struct plain_ledger {
	const talus_world *world;
	talus_motion *twice; // of every line: each has several contacts
} plain_ledger;

static void fill_twice(void *job, size_t first, size_t last)
{
	const plain_ledger *l = job;
	for (size_t i = first; i < last; i++)
		l->twice[i] = twice_line(l->world, (uint32_t)i);
}

// Most contacts are plain, so this is worth a loop of its own.
static void add_plain(void *job, size_t first, size_t last, totals_part *part)
{
	const plain_ledger *l = job;
	const talus_world *world = l->world;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		bool active = !is_zero(c->p);
		add_overlap(world->contacts.info[i].gap, active, i - first, part);
		if (!active)
			continue;
		double along, work = twice_work(c, coulomb_velocity(c, &l->twice[c->a], &l->twice[c->b]), &along);
		part->term[NORMAL][i - first] = -0.5*along;
		part->term[FRICTION][i - first] = -0.5*(work - along);
		if (world->state.any_held)
			part->term[DRIVEN][i - first] = driven_work(world, i);
	}
}

static void add_rich(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t row = 0; row < last - first; row++) {
		size_t i = world->contacts.plain + first + row;
		contact_work w = energy_account_contact(world, i);
		part->term[NORMAL][row] = -w.normal;
		part->term[FRICTION][row] = -w.friction;
		part->term[ROLLING][row] = -w.rolling;
		part->term[TORSION][row] = -w.torsion;
		part->term[BONDS][row] = -w.bonds;
		if (world->state.any_held)
			part->term[DRIVEN][row] = driven_work(world, i);
		add_overlap(world->contacts.info[i].gap, contacts_active(&world->contacts, i), row, part);
		const talus_contact *c = &world->contacts.contact[i];
		part->term[CELL][row] = -0.5*dot(c->p, twice_drift(world, c, rich_at(world, i)));
	}
}

static void note_overlaps(talus_world *world, const totals *some, const totals *others)
{
	double touching = (double)(some->count[0] + others->count[0]), diameter = 2*world->state.mean_radius;
	double sum = some->sum[OVERLAP] + others->sum[OVERLAP], most = fmax(some->most[0], others->most[0]);
	world->report.mean_overlap = touching > 0 ? sum/(touching*diameter) : 0;
	world->report.max_overlap = touching > 0 ? most/diameter : 0;
}

void energy_account_contacts(talus_world *world)
{
	size_t plain = world->contacts.plain, grains = world->state.bodies.count;
	size_t lines = grains + (size_t)world->state.walls.count + world->contacts.wall_lines;
	plain_ledger l = {world, memory_borrow(world->state.pool, lines*sizeof(talus_motion))};
	if (plain > 0)
		parallel_for(world->state.team, lines, BLOCK, fill_twice, &l);
	totals some = totals_of(world->state.team, plain, world->state.any_held ? HELD_ENTRIES : PLAIN_ENTRIES, add_plain, &l);
	totals others = totals_of(world->state.team, world->contacts.count - plain, ENTRIES, add_rich, world);
	note_overlaps(world, &some, &others);
	energy_account *b = &world->energy;
	b->normal += some.sum[NORMAL] + others.sum[NORMAL];
	b->friction += some.sum[FRICTION] + others.sum[FRICTION];
	b->rolling += others.sum[ROLLING];
	b->torsion += others.sum[TORSION];
	b->bonds += others.sum[BONDS];
	b->driven_work += some.sum[DRIVEN] + others.sum[DRIVEN];
	b->cell_work += others.sum[CELL];
	if (world->state.flows)
		b->cell_work += totals_of(world->state.team, grains, 1, work_of_carrying, world).sum[0];
	if (cell_drive_drags(&world->state))
		b->cell_work += totals_of(world->state.team, grains, 1, work_on_motion, world).sum[0];
	if (world->state.any_held)
		b->driven_work += totals_of(world->state.team, grains, 1, work_on_held, world).sum[0];
}

talus_energy talus_world_energy(const talus_world *world)
{
	energies e = account_grains(&world->state);
	const energy_account *b = &world->energy;
	return (talus_energy){.kinetic = e.kinetic, .potential = e.potential, .wall_work = b->wall_work,
	                      .driven_work = b->driven_work, .cell_work = b->cell_work, .added = b->added, .normal = b->normal,
	                      .friction = b->friction, .rolling = b->rolling, .torsion = b->torsion, .bonds = b->bonds,
	                      .numerical = b->numerical};
}
