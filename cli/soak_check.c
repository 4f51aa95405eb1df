// SPDX-License-Identifier: MIT
// A step seen from outside: what its contacts, forces and books say against what positions and velocities before and after it tell.
// Overlaps as such are no mistake, a solver may stop early; ones that nobody has seen coming, or that are not reported, are.
#include "soak.h"
#include "base/memory.h"

#include "base/random.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "observe/observe.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- before the step

// For grains that have come since, too.
static void make_room(soak_watch *w, size_t ids)
{
	if (ids <= w->ids)
		return;
	w->there = soak_room(w->there, ids, sizeof *w->there);
	w->x = soak_room(w->x, ids, sizeof *w->x);
	w->v = soak_room(w->v, ids, sizeof *w->v);
	w->spin = soak_room(w->spin, ids, sizeof *w->spin);
	w->push = soak_room(w->push, ids, sizeof *w->push);
	w->twist = soak_room(w->twist, ids, sizeof *w->twist);
	w->pushed = soak_room(w->pushed, ids, sizeof *w->pushed);
	memset(w->there + w->ids, 0, (ids - w->ids)*sizeof *w->there);
	w->ids = ids;
}

static double balance_of(const talus_energy *e)
{
	return e->kinetic + e->potential + e->normal + e->friction + e->rolling + e->torsion + e->bonds + e->numerical -
	       e->wall_work - e->driven_work - e->cell_work - e->added;
}

static double fastest_of(const talus_world *world)
{
	double fastest = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		fastest = fmax(fastest, norm(world->state.bodies.v[i]) + world->state.bodies.radius[i]*norm(world->state.bodies.spin[i]));
	return fastest;
}

void soak_watch_before(soak_watch *w, const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	make_room(w, b->next_id);
	memset(w->there, 0, w->ids*sizeof *w->there);
	for (size_t i = 0; i < b->count; i++) {
		uint32_t id = b->id[i];
		w->there[id] = true;
		w->x[id] = b->x[i];
		w->v[id] = b->v[i];
		w->spin[id] = b->spin[i];
	}
	w->walls = world->state.walls.count;
	w->wall = soak_room(w->wall, (size_t)w->walls, sizeof *w->wall);
	if (w->walls > 0)
		memcpy(w->wall, world->state.walls.at, (size_t)w->walls*sizeof *w->wall);
	talus_energy e = talus_world_energy(world);
	w->balance = balance_of(&e);
	w->fastest = fastest_of(world);
	w->capped = world->report.capped_all;
	w->floored = world->report.stagnated_steps;
	w->unfinished = world->report.unfinished_all;
	w->paradoxes = world->report.paradox_all;
}

void soak_watch_free(soak_watch *w)
{
	void *all[] = {w->there, w->x, w->v, w->spin, w->wall, w->overlap, w->push, w->twist, w->pushed, w->slot};
	for (size_t i = 0; i < sizeof all/sizeof all[0]; i++)
		free(all[i]);
	memset(w, 0, sizeof *w);
}

// ---------------------------------------------------------------- numbers

static void check_finite(soak_watch *w, const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	unsigned long long step = world->state.step;
	for (size_t i = 0; i < b->count; i++)
		if (!finite3(b->x[i]) || !finite3(b->v[i]) || !finite3(b->spin[i]) || !isfinite(b->q[i][0] + b->q[i][1] + b->q[i][2] + b->q[i][3]))
			soak_found(w->report, SOAK_FINITE, "step %llu: grain %u", step, b->id[i]);
	for (int k = 0; k < world->state.walls.count; k++) {
		const wall *at = &world->state.walls.at[k];
		if (!finite3(at->point) || !finite3(at->v) || !finite3(at->force) || !finite3(at->torque))
			soak_found(w->report, SOAK_FINITE, "step %llu: wall %s", step, at->def.name);
	}
	for (size_t i = 0; i < talus_world_contacts(world); i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (!finite3(c.n) || !finite3(c.force) || !finite3(c.torque) || !finite3(c.at) || !isfinite(c.gap) ||
		    fabs(norm(c.n) - 1) > 1e-9)
			soak_found(w->report, SOAK_FINITE, "step %llu: contact of %lld and %lld", step, (long long)c.a, (long long)c.b);
	}
	const talus_step_report *r = &world->report;
	if (!isfinite(r->residual + r->mean_overlap + r->max_overlap + r->error_overlap + r->error_local + r->error_global))
		soak_found(w->report, SOAK_FINITE, "step %llu: its report", step);
}

// ---------------------------------------------------------------- energy

// Rounding is a share of what goes in and out, and of the heights that are differences of large numbers.
static double energy_size(const talus_world *world, const talus_energy *e)
{
	const bodies *b = &world->state.bodies;
	double size = e->kinetic + fabs(e->wall_work) + fabs(e->driven_work) + fabs(e->cell_work) + fabs(e->added) + fabs(e->normal) +
	              fabs(e->friction) + fabs(e->rolling) + fabs(e->torsion) + fabs(e->bonds) + fabs(e->numerical);
	for (size_t i = 0; i < b->count; i++) {
		vec3 force = mul_add(b->force[i], b->mass[i], world->state.def.gravity);
		size += norm(force)*(norm(cell_unwrap(&world->state.cell, b->x[i], b->image[i])) + b->radius[i]);
	}
	return size;
}

// What one contact's impulse does in a step may be larger than all that comes of it.
static double work_size(const talus_world *world)
{
	double size = 0, fastest = fastest_of(world);
	for (size_t i = 0; i < world->contacts.count; i++)
		size += norm(world->contacts.p[i])*fastest;
	return size;
}

static void check_energy(soak_watch *w, const talus_world *world)
{
	talus_energy e = talus_world_energy(world);
	double off = balance_of(&e) - w->balance, size = energy_size(world, &e) + work_size(world);
	if (!(fabs(off) <= 1e-12*size))
		soak_found(w->report, SOAK_ENERGY, "step %llu: the energy budget is off by %.3g of %.3g", (unsigned long long)world->state.step, off,
		           size);
}

// ---------------------------------------------------------------- forces

static void give(soak_watch *w, uint32_t id, vec3 p, vec3 torque)
{
	w->push[id] = add(w->push[id], p);
	w->twist[id] = add(w->twist[id], torque);
	w->pushed[id] += norm(p) + norm(torque);
}

// All impulses, each with its counterpart; returns what the walls get.
static void gather(soak_watch *w, const talus_world *world, vec3 *on_wall, double *on_wall_size)
{
	const bodies *b = &world->state.bodies;
	double dt = world->state.def.step;
	make_room(w, b->next_id);
	for (size_t i = 0; i < w->ids; i++) {
		w->push[i] = w->twist[i] = vec(0, 0, 0);
		w->pushed[i] = 0;
	}
	for (size_t i = 0; i < world->contacts.count; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		uint32_t rows[2] = {world->contacts.contact[i].a, world->contacts.contact[i].b};
		vec3 p = mul(dt, c.force), q = mul(dt, c.torque), turn_b = cross(mul(-b->radius[rows[1]], c.n), p);
		give(w, b->id[rows[1]], p, add(turn_b, q));
		if (c.a >= 0) {
			give(w, b->id[rows[0]], neg(p), sub(cross(mul(b->radius[rows[0]], c.n), neg(p)), q));
		} else {
			on_wall[-1 - c.a] = sub(on_wall[-1 - c.a], p);
			on_wall_size[-1 - c.a] += norm(p);
		}
	}
}

static bool close_enough(vec3 a, vec3 b, double size)
{
	return norm(sub(a, b)) <= 1e-9*size;
}

static void check_grain_momentum(soak_watch *w, const talus_world *world, size_t i, double fastest)
{
	const bodies *b = &world->state.bodies;
	uint32_t id = b->id[i];
	vec3 v0 = w->v[id], spin0 = w->spin[id];
	unsigned free = b->free[i] & (world->state.def.dimension == 2 ? ~(unsigned)TALUS_FREE_Z : ~0u);
	double dt = world->state.def.step, m = b->mass[i], r = b->radius[i];
	vec3 outside = mul(dt, mul_add(b->force[i], m, world->state.def.gravity));
	double rounding = 1e-5*m*fastest; // sweeps push to and fro
	vec3 given = soak_masked(add(outside, w->push[id]), free), taken = mul(m, sub(b->v[i], v0));
	double size = m*(norm(v0) + norm(b->v[i])) + norm(outside) + w->pushed[id] + rounding;
	if (!close_enough(given, taken, size))
		soak_found(w->report, SOAK_MOMENTUM, "step %llu: grain %u gets %.3g more momentum than its forces give, of %.3g",
		           (unsigned long long)world->state.step, id, norm(sub(given, taken)), size);
	vec3 turned = mul(b->inertia[i], sub(b->spin[i], spin0));
	vec3 torque = free & TALUS_FREE_SPIN ? w->twist[id] : vec(0, 0, 0);
	size = b->inertia[i]*(norm(spin0) + norm(b->spin[i])) + r*(w->pushed[id] + rounding);
	if (!close_enough(torque, turned, size))
		soak_found(w->report, SOAK_MOMENTUM, "step %llu: grain %u gets %.3g more angular momentum than its torques give, of %.3g",
		           (unsigned long long)world->state.step, id, norm(sub(torque, turned)), size);
}

static void check_wall_momentum(soak_watch *w, const talus_world *world, int k, vec3 given, double size, double fastest)
{
	const wall *at = &world->state.walls.at[k];
	double dt = world->state.def.step, m = at->def.mass;
	vec3 shown = mul(dt, at->force);
	if (!close_enough(shown, given, size + norm(shown)))
		soak_found(w->report, SOAK_MOMENTUM, "step %llu: the force on wall %s is not that of its contacts",
		           (unsigned long long)world->state.step, at->def.name);
	if (m <= 0)
		return;
	unsigned free = at->def.free & (world->state.def.dimension == 2 ? ~(unsigned)TALUS_FREE_Z : ~0u);
	vec3 outside = mul(dt, mul_add(at->def.force, at->def.weightless ? 0 : m, world->state.def.gravity));
	vec3 all = soak_masked(add(outside, given), free), taken = mul(m, sub(at->v, w->wall[k].v));
	size += norm(outside) + m*(norm(at->v) + norm(w->wall[k].v)) + 1e-5*m*fastest; // sweeps push to and fro
	if (!close_enough(all, taken, size))
		soak_found(w->report, SOAK_MOMENTUM, "step %llu: piston %s gets %.3g more momentum than its forces give, of %.3g",
		           (unsigned long long)world->state.step, at->def.name, norm(sub(all, taken)), size);
}

// Newton's second and third law. In a cell that deforms there is more to a velocity than forces.
static void check_momentum(soak_watch *w, const talus_world *world)
{
	size_t count = (size_t)world->state.walls.count;
	vec3 *on_wall = calloc(count + 1, sizeof *on_wall);
	double *size = calloc(count + 1, sizeof *size);
	if (!on_wall || !size)
		memory_lost();
	double fastest = fmax(w->fastest, fastest_of(world));
	gather(w, world, on_wall, size);
	for (size_t i = 0; i < world->state.bodies.count && !world->state.cell_deforms; i++)
		if (soak_known(w, world->state.bodies.id[i]))
			check_grain_momentum(w, world, i, fastest);
	for (size_t k = 0; k < count; k++)
		check_wall_momentum(w, world, (int)k, on_wall[k], size[k], fastest);
	free(on_wall);
	free(size);
}

// ---------------------------------------------------------------- laws

static void check_law(soak_watch *w, const talus_world *world, size_t i, double largest)
{
	const talus_contact *raw = &world->contacts.contact[i];
	uint32_t wall_index = raw->wall;
	talus_contact_state c = talus_world_contact(world, i);
	const talus_pair *law = state_pair(&world->state, raw->a, raw->b, wall_index);
	const double *radius = world->state.bodies.radius;
	double rb = radius[raw->b], reduced = wall_index == NO_WALL ? radius[raw->a]*rb/(radius[raw->a] + rb) : rb;
	double fn = dot(c.force, c.n), ft = norm(mul_add(c.force, -fn, c.n)), tn = dot(c.torque, c.n);
	double limit = fn + law->cohesion, rest = 1e-10*(largest + law->cohesion), more = 1 + 1e-8;
	double mu = fmax(law->friction, law->static_friction), tt = norm(mul_add(c.torque, -tn, c.n));
	bool right = limit >= -rest && ft <= more*mu*fmax(limit, 0) + rest &&
	             tt <= more*(law->rolling*reduced + law->rolling_length)*fmax(limit, 0) + rest*rb &&
	             fabs(tn) <= more*(law->torsion*reduced + law->torsion_length)*fmax(limit, 0) + rest*rb;
	if (!right)
		soak_found(w->report, SOAK_LAW, "step %llu: contact of %lld and %lld: normal %.3g, tangential %.3g, torques %.3g and %.3g",
		           (unsigned long long)world->state.step, (long long)c.a, (long long)c.b, fn, ft, tt, tn);
}

static void check_laws(soak_watch *w, const talus_world *world)
{
	double largest = 0; // or that of a small push, between which sweeps went to and fro
	for (size_t i = 0; i < world->state.bodies.count; i++)
		largest = fmax(largest, 1e-3*world->state.bodies.mass[i]*w->fastest/world->state.def.step);
	for (size_t i = 0; i < world->contacts.count; i++)
		largest = fmax(largest, norm(world->contacts.p[i])/world->state.def.step);
	for (size_t i = 0; i < world->contacts.count; i++)
		check_law(w, world, i, largest);
}

// ---------------------------------------------------------------- all of it

void soak_watch_after(soak_watch *w, const talus_world *world)
{
	check_finite(w, world);
	check_energy(w, world);
	check_laws(w, world);
	soak_check_grains(w, world);
	soak_check_walls(w, world);
	check_momentum(w, world);
}
