// SPDX-License-Identifier: MIT
// The books of energy. Within a step the work of an impulse p on the two bodies of a contact is p.(V- + V)/2, V- and V the
// velocities at the contact before and after, because the bodies' kinetic energies are quadratic; that of a torque q is
// q.(Omega- + Omega)/2. What walls and held grains do is counted apart, and implicit Euler's own loss where the grains
// are moved. Together that is all, so the books close to round-off.
#include "observe/observe.h"

#include "law/coulomb.h"
#include "law/rich.h"

static vec3 middle(vec3 a, vec3 b)
{
	return mul(0.5, add(a, b));
}

typedef struct mean_motion { // of a contact, over the step
	talus_motion a, b;
} mean_motion;

static talus_motion mean_line(const talus_world *world, uint32_t line)
{
	const talus_motion *now = &world->scratch.motion[line];
	talus_motion before = world_before(world, line);
	return (talus_motion){.v = middle(before.v, now->v), .s = middle(before.s, now->s)};
}

static mean_motion mean_of(const talus_world *world, const talus_contact *c)
{
	return (mean_motion){mean_line(world, c->a), mean_line(world, c->b)};
}

static const talus_rich *rich_at(const talus_world *world, size_t i)
{
	return i < world->contacts.plain ? NULL : &world->contacts.rich[i - world->contacts.plain];
}

static contact_work work_of(const talus_world *world, size_t i, const mean_motion *m)
{
	const talus_contact *c = &world->contacts.contact[i];
	const talus_rich *r = rich_at(world, i);
	vec3 u = coulomb_velocity(c, &m->a, &m->b), n = c->n;
	double pn = dot(c->p, n), along = pn*dot(u, n);
	contact_work w = {.friction = dot(c->p, u) - along};
	*(pn < 0 ? &w.bonds : &w.normal) = along;
	if (r) {
		vec3 spin = rich_spin(r, &m->a, &m->b);
		w.torsion = dot(r->q, n)*dot(spin, n);
		w.rolling = dot(r->q, spin) - w.torsion;
	}
	return w;
}

contact_work ledger_contact(const talus_world *world, size_t i)
{
	mean_motion m = mean_of(world, &world->contacts.contact[i]);
	return work_of(world, i, &m);
}

// ---------------------------------------------------------------- walls, and grains that are held

static double wall_work(const talus_world *world, size_t i, const mean_motion *m)
{
	const talus_contact *c = &world->contacts.contact[i];
	const talus_rich *r = rich_at(world, i);
	if (world->contacts.info[i].wall == NO_WALL)
		return 0;
	return dot(c->p, m->a.v) - (r ? dot(r->q, r->turning) : 0);
}

static vec3 held_part(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? 0 : a.x, free & TALUS_FREE_Y ? 0 : a.y, free & TALUS_FREE_Z ? 0 : a.z);
}

// The impulse p and the torque do no work on a grain in directions in which it is held: what holds it takes them.
static double held_work(const talus_world *world, uint32_t grain, const talus_motion *m, vec3 p, vec3 torque)
{
	unsigned free = world->bodies.free[grain];
	double turned = free & TALUS_FREE_SPIN ? 0 : dot(torque, m->s);
	return turned - dot(held_part(p, free), m->v);
}

static double driven_work(const talus_world *world, size_t i, const mean_motion *m)
{
	const talus_contact *c = &world->contacts.contact[i];
	const talus_rich *r = rich_at(world, i);
	vec3 torque = cross(c->n, c->p), on_a = torque, on_b = torque;
	if (r) {
		on_a = mul_add(torque, r->curve_a, r->q);
		on_b = mul_add(torque, -r->curve_b, r->q);
	}
	double work = held_work(world, c->b, &m->b, c->p, on_b);
	if (world->contacts.info[i].wall == NO_WALL)
		work += held_work(world, c->a, &m->a, neg(c->p), on_a);
	return work;
}

// Outer forces do no work either on grains along what is held.
static double work_on_held(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const bodies *b = &world->bodies;
	double work = 0;
	for (size_t i = first; i < last; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], world->def.gravity);
		work -= world->def.step*dot(held_part(force, b->free[i]), b->v[i]);
	}
	return work;
}

// ---------------------------------------------------------------- the stage

enum { NORMAL, FRICTION, ROLLING, TORSION, BONDS, WALLS, DRIVEN, ENTRIES };

static void add_entries(void *job, size_t first, size_t last, double *sum)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		mean_motion m = mean_of(world, &world->contacts.contact[i]);
		contact_work w = work_of(world, i, &m);
		sum[NORMAL] -= w.normal;
		sum[FRICTION] -= w.friction;
		sum[ROLLING] -= w.rolling;
		sum[TORSION] -= w.torsion;
		sum[BONDS] -= w.bonds;
		sum[WALLS] += wall_work(world, i, &m);
		if (world->any_held)
			sum[DRIVEN] += driven_work(world, i, &m);
	}
}

void ledger_contacts(talus_world *world)
{
	double sum[ENTRIES] = {0};
	parallel_reduce(world->team, world->contacts.count, ENTRIES, add_entries, NULL, world, sum);
	books *b = &world->books;
	b->normal += sum[NORMAL];
	b->friction += sum[FRICTION];
	b->rolling += sum[ROLLING];
	b->torsion += sum[TORSION];
	b->bonds += sum[BONDS];
	b->wall_work += sum[WALLS];
	b->driven_work += sum[DRIVEN];
	if (world->any_held)
		b->driven_work += parallel_sum(world->team, world->bodies.count, work_on_held, world);
}

double ledger_grains(const talus_world *world)
{
	energies e = observe_energy(world);
	return e.kinetic + e.potential;
}

talus_energy talus_world_energy(const talus_world *world)
{
	energies e = observe_energy(world);
	const books *b = &world->books;
	return (talus_energy){.kinetic = e.kinetic, .potential = e.potential, .wall_work = b->wall_work,
	                      .driven_work = b->driven_work, .added = b->added, .normal = b->normal,
	                      .friction = b->friction, .rolling = b->rolling, .torsion = b->torsion, .bonds = b->bonds,
	                      .numerical = b->numerical};
}
