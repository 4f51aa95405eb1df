// SPDX-License-Identifier: MIT
// The energy account. Within a step the work of an impulse p on the two bodies of a contact is p.(V- + V)/2, V- and V the
// velocities at the contact before and after, because the bodies' kinetic energies are quadratic; that of a torque q is
// q.(Omega- + Omega)/2. What walls and held grains do is counted apart, and implicit Euler's own loss where the grains
// are moved. Together that is all, so it closes to round-off.
#include "account/account.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "state/cell_drive.h"
#include "world.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "law/coulomb.h"
#include "state/wall.h"

// Before and after together: twice the mean.
static inline talus_solver_body twice_line(const account_view *v, uint32_t line)
{
	const talus_solver_body *now = &v->approach->motion[line];
	const bodies *b = &v->state->bodies;
	if (line < b->count)
		return (talus_solver_body){.v = add(b->v[line], now->v), .r_omega = mul_add(now->r_omega, b->radius[line], b->spin[line])};
	return (talus_solver_body){.v = add(approach_motion_at_start(v->approach, v->state, line).v, now->v)};
}

// How the spins of the two count at a contact that is not a plain one.
typedef struct turning {
	double curve_a, curve_b; // 1/ra and 1/rb, 0 for a wall
	vec3 wall; // minus the spin of the wall
} turning;

static turning turning_at(const account_view *v, const talus_contact *c)
{
	const double *radius = v->state->bodies.radius;
	if (c->wall == NO_WALL)
		return (turning){.curve_a = 1/radius[c->a], .curve_b = 1/radius[c->b]};
	const wall *w = &v->state->walls.at[c->wall];
	return (turning){.curve_b = 1/radius[c->b], .wall = neg(wall_spins(w) ? mul(w->w, w->axis) : vec(0, 0, 0))};
}

// Spin of b relative to a, before and after together.
static vec3 twice_spin(const turning *t, const talus_solver_body *a, const talus_solver_body *b)
{
	vec3 w = t->wall;
	return add(vec(t->curve_b*b->r_omega.x - t->curve_a*a->r_omega.x + w.x, t->curve_b*b->r_omega.y - t->curve_a*a->r_omega.y + w.y,
	               t->curve_b*b->r_omega.z - t->curve_a*a->r_omega.z + w.z), w);
}

// Twice the work along the normal, and in all, of the impulse; u is twice the mean velocity.
static inline double twice_work(vec3 n, vec3 p, vec3 u, double *along)
{
	*along = dot(p, n)*dot(u, n);
	return dot(p, u);
}

// By a cell that deforms, before and after.
static vec3 twice_drift(const account_view *v, const talus_contact *c)
{
	if (!v->state->cell_deforms)
		return vec(0, 0, 0);
	vec3 l = mul(contacts_span(v->state, c), c->n);
	return add(cell_apply(v->state->cell.rate, l), cell_apply(v->approach->rate, l));
}

contact_work energy_account_contact(const account_view *v, size_t i)
{
	const talus_contact *c = &v->contacts->contact[i];
	vec3 p = v->contacts->p[i];
	bool plain = i < v->contacts->class_end[TALUS_COULOMB];
	talus_solver_body a = twice_line(v, c->a), b = twice_line(v, c->b);
	vec3 drift = plain ? vec(0, 0, 0) : twice_drift(v, c);
	double along, work = twice_work(c->n, p, add(coulomb_velocity(c->n, &a, &b), drift), &along);
	contact_work w = {.friction = 0.5*(work - along)};
	*(dot(p, c->n) < 0 ? &w.bonds : &w.normal) = 0.5*along;
	if (!plain) {
		turning t = turning_at(v, c);
		vec3 spin = twice_spin(&t, &a, &b), q = v->contacts->q[i - v->contacts->class_end[TALUS_COULOMB]];
		w.torsion = 0.5*dot(q, c->n)*dot(spin, c->n);
		w.rolling = 0.5*dot(q, spin) - w.torsion;
	}
	return w;
}

// ---------------------------------------------------------------- walls, and grains that are held

double energy_account_wall_contact(const account_view *v, size_t i)
{
	const talus_contact *c = &v->contacts->contact[i];
	double pushed = 0.5*dot(v->contacts->p[i], twice_line(v, c->a).v);
	return i < v->contacts->class_end[TALUS_COULOMB] ? pushed : pushed - dot(contacts_torque(v->contacts, i), turning_at(v, c).wall);
}

static vec3 held_part(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? 0 : a.x, free & TALUS_FREE_Y ? 0 : a.y, free & TALUS_FREE_Z ? 0 : a.z);
}

// The impulse p and the torque do no work on a grain in directions in which it is held: what holds it takes them.
static double held_work(const account_view *v, uint32_t grain, vec3 p, vec3 torque)
{
	const bodies *b = &v->state->bodies;
	unsigned free = b->free[grain];
	double turned = free & TALUS_FREE_SPIN ? 0 : b->radius[grain]*dot(torque, b->spin[grain]);
	return turned - dot(held_part(p, free), b->v[grain]);
}

static bool is_held(const account_view *v, uint32_t grain)
{
	return grain < v->state->bodies.count && v->state->bodies.free[grain] != TALUS_FREE_ALL;
}

static double driven_work(const account_view *v, size_t i)
{
	const talus_contact *c = &v->contacts->contact[i];
	if (!is_held(v, c->a) && !is_held(v, c->b))
		return 0;
	vec3 p = v->contacts->p[i], torque = cross(c->n, p), on_a = torque, on_b = torque;
	if (i >= v->contacts->class_end[TALUS_COULOMB]) {
		turning t = turning_at(v, c);
		on_a = mul_add(torque, t.curve_a, contacts_torque(v->contacts, i));
		on_b = mul_add(torque, -t.curve_b, contacts_torque(v->contacts, i));
	}
	double work = held_work(v, c->b, p, on_b);
	if (c->wall == NO_WALL)
		work += held_work(v, c->a, neg(p), on_a);
	return work;
}

// Outer forces do no work either on grains along what is held.
static void work_on_held(void *job, size_t first, size_t last, totals_part *part)
{
	const account_view *v = job;
	const bodies *b = &v->state->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], v->state->def.gravity);
		part->term[0][i - first] = -v->state->def.step*dot(held_part(force, b->free[i]), b->v[i]);
	}
}

// Of a cell on the grains' own motion: m (what -L v gives to v) times the mean velocity, which is what the kinetic part of the
// stress does.
static void work_on_motion(void *job, size_t first, size_t last, totals_part *part)
{
	const account_view *v = job;
	const bodies *b = &v->state->bodies;
	double gradient[3][3];
	cell_drive_gradient(v->state, gradient);
	for (size_t i = first; i < last; i++)
		part->term[0][i - first] = 0.5*b->mass[i]*dot(cell_drive_drag(v->state, gradient, i), add(b->v[i], v->approach->motion[i].v));
}

// Of a cell that carries grains along, against the outer forces on them; those that went round it are as far away as they have come.
static void work_of_carrying(void *job, size_t first, size_t last, totals_part *part)
{
	const account_view *v = job;
	const bodies *b = &v->state->bodies;
	for (size_t i = first; i < last; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], v->state->def.gravity);
		vec3 x = sub(cell_unwrap(&v->state->cell, b->x[i], b->image[i]), v->state->cell.origin);
		part->term[0][i - first] = -v->state->def.step*dot(force, cell_apply(v->approach->rate, x));
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
	const account_view *view;
	talus_solver_body *twice; // of every line: each has several contacts
} plain_ledger;

static void fill_twice(void *job, size_t first, size_t last)
{
	const plain_ledger *l = job;
	for (size_t i = first; i < last; i++)
		l->twice[i] = twice_line(l->view, (uint32_t)i);
}

// Most contacts are plain, so this is worth a loop of its own.
static void add_plain(void *job, size_t first, size_t last, totals_part *part)
{
	const plain_ledger *l = job;
	const account_view *v = l->view;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &v->contacts->contact[i];
		vec3 p = v->contacts->p[i];
		bool active = !is_zero(p);
		add_overlap(c->gap, active, i - first, part);
		if (!active)
			continue;
		double along, work = twice_work(c->n, p, coulomb_velocity(c->n, &l->twice[c->a], &l->twice[c->b]), &along);
		part->term[NORMAL][i - first] = -0.5*along;
		part->term[FRICTION][i - first] = -0.5*(work - along);
		if (v->state->any_held)
			part->term[DRIVEN][i - first] = driven_work(v, i);
	}
}

static void add_extended(void *job, size_t first, size_t last, totals_part *part)
{
	const account_view *v = job;
	for (size_t row = 0; row < last - first; row++) {
		size_t i = v->contacts->class_end[TALUS_COULOMB] + first + row;
		contact_work w = energy_account_contact(v, i);
		part->term[NORMAL][row] = -w.normal;
		part->term[FRICTION][row] = -w.friction;
		part->term[ROLLING][row] = -w.rolling;
		part->term[TORSION][row] = -w.torsion;
		part->term[BONDS][row] = -w.bonds;
		if (v->state->any_held)
			part->term[DRIVEN][row] = driven_work(v, i);
		const talus_contact *c = &v->contacts->contact[i];
		add_overlap(c->gap, contacts_active(v->contacts, i), row, part);
		part->term[CELL][row] = -0.5*dot(v->contacts->p[i], twice_drift(v, c));
	}
}

static void note_overlaps(const account_view *v, talus_step_report *report, const totals *some, const totals *others)
{
	double touching = (double)(some->count[0] + others->count[0]), diameter = 2*v->state->mean_radius;
	double sum = some->sum[OVERLAP] + others->sum[OVERLAP], most = fmax(some->most[0], others->most[0]);
	report->mean_overlap = touching > 0 ? sum/(touching*diameter) : 0;
	report->max_overlap = touching > 0 ? most/diameter : 0;
}

void energy_account_contacts(const account_view *v, energy_account *b, talus_step_report *report)
{
	void *job = (void *)(uintptr_t)v;
	size_t plain = v->contacts->class_end[TALUS_COULOMB], grains = v->state->bodies.count;
	size_t lines = grains + (size_t)v->state->walls.count + v->contacts->wall_lines;
	plain_ledger l = {v, memory_borrow(v->state->pool, lines*sizeof(talus_solver_body))};
	if (plain > 0)
		parallel_for(v->state->team, lines, PARALLEL_BLOCK, fill_twice, &l);
	totals some = totals_of(v->state->team, plain, v->state->any_held ? HELD_ENTRIES : PLAIN_ENTRIES, add_plain, &l);
	totals others = totals_of(v->state->team, v->contacts->count - plain, ENTRIES, add_extended, job);
	note_overlaps(v, report, &some, &others);
	b->normal += some.sum[NORMAL] + others.sum[NORMAL];
	b->friction += some.sum[FRICTION] + others.sum[FRICTION];
	b->rolling += others.sum[ROLLING];
	b->torsion += others.sum[TORSION];
	b->bonds += others.sum[BONDS];
	b->driven_work += some.sum[DRIVEN] + others.sum[DRIVEN];
	b->cell_work += others.sum[CELL];
	if (v->state->cell_deforms)
		b->cell_work += totals_of(v->state->team, grains, 1, work_of_carrying, job).sum[0];
	if (cell_drive_drags(v->state))
		b->cell_work += totals_of(v->state->team, grains, 1, work_on_motion, job).sum[0];
	if (v->state->any_held)
		b->driven_work += totals_of(v->state->team, grains, 1, work_on_held, job).sum[0];
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
