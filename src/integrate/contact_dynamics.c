// SPDX-License-Identifier: MIT
// Implicit Euler (method of contact dynamics):  v' = v + dt F'/m,  x' = x + dt v',  w' = w + dt T'/I, where F' and T'
// contain the contact forces that the solve finds. The orientation is turned by w' through the half-angle tangent,
// third order in dt.
#include "integrate/integrate.h"

#include "base/memory.h"
#include "law/law.h"
#include "observe/observe.h"
#include "wall.h"

enum { BLOCK = 1024 }; // grains or contacts that a thread takes at least

static vec3 masked(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? a.x : 0, free & TALUS_FREE_Y ? a.y : 0, free & TALUS_FREE_Z ? a.z : 0);
}

static unsigned translations(const talus_world *world, unsigned free)
{
	return free & (world->def.dimension == 2 ? TALUS_FREE_X | TALUS_FREE_Y : TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z);
}

static vec3 free_velocity(const talus_world *world, size_t i)
{
	const bodies *b = &world->bodies;
	vec3 a = mul_add(world->def.gravity, 1/b->mass[i], b->force[i]);
	return mul_add(b->v[i], world->def.step, masked(a, translations(world, b->free[i])));
}

static vec3 piston_free_velocity(const talus_world *world, const wall *w)
{
	vec3 a = mul(1/w->def.mass, w->def.force);
	if (!w->def.weightless)
		a = add(a, world->def.gravity);
	return mul_add(w->v, world->def.step, masked(a, translations(world, w->def.free)));
}

static void free_grains(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const bodies *b = &world->bodies;
	talus_motion *line = world->scratch.motion;
	for (size_t i = first; i < last; i++) {
		double r = b->radius[i];
		line[i].v = free_velocity(world, i);
		line[i].s = mul(r, b->spin[i]);
		line[i].inv_m = translations(world, b->free[i]) ? 1/b->mass[i] : 0;
		line[i].k = b->free[i] & TALUS_FREE_SPIN ? r*r/b->inertia[i] : 0;
	}
}

void contact_dynamics_free(talus_world *world)
{
	size_t count = world->bodies.count;
	world_reserve_motion(world, count + (size_t)world->walls.count);
	parallel_for(world->team, count, BLOCK, free_grains, world);
	talus_motion *line = world->scratch.motion + count;
	for (int w = 0; w < world->walls.count; w++) {
		const wall *at = &world->walls.at[w];
		bool piston = wall_is_piston(at);
		line[w] = (talus_motion){.v = piston ? piston_free_velocity(world, at) : at->v,
		                         .inv_m = piston ? 1/at->def.mass : 0};
	}
}

// ---------------------------------------------------------------- laws

static double friction(const talus_world *world, const talus_contact *c, const contact_info *info)
{
	const bodies *b = &world->bodies;
	int first = info->wall == NO_WALL ? b->material[c->a] : world->walls.at[info->wall].def.material;
	return world->pair[first*world->materials + b->material[c->b]].friction;
}

static void plain_laws(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	for (size_t i = first; i < last; i++)
		coulomb_prepare(&c->contact[i], world->scratch.motion, c->info[i].gap, world->def.step,
		                world->def.solver.gap, friction(world, &c->contact[i], &c->info[i]));
}

static void general_laws(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	const talus_motion *motion = world->scratch.motion;
	for (size_t i = first; i < last; i++) {
		talus_contact *contact = &c->contact[c->plain + i];
		vec3 inv_a = world_inverse_mass(world, contact->a), inv_b = world_inverse_mass(world, contact->b);
		double k = motion[contact->a].k + motion[contact->b].k;
		general_prepare(&c->general[i], contact, inv_a, inv_b, k, world->def.dimension);
	}
}

void contact_dynamics_laws(talus_world *world)
{
	contacts *c = &world->contacts;
	size_t general = c->count - c->plain;
	if (general > c->general_capacity) {
		c->general_capacity = memory_capacity(c->general_capacity, general);
		c->general = memory_grow(c->general, 0, c->general_capacity*sizeof *c->general);
	}
	parallel_for(world->team, c->count, BLOCK, plain_laws, world);
	parallel_for(world->team, general, BLOCK, general_laws, world);
}

// ---------------------------------------------------------------- new positions

static void turn_orientation(double q[4], vec3 w, double dt)
{
	vec3 h = mul(0.5*dt, w);
	double a = q[0], b = q[1], c = q[2], d = q[3];
	double n[4] = {a - h.x*b - h.y*c - h.z*d, b + h.x*a + h.y*d - h.z*c, c - h.x*d + h.y*a + h.z*b,
	               d + h.x*c - h.y*b + h.z*a};
	double length = sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2] + n[3]*n[3]);
	for (int k = 0; k < 4; k++)
		q[k] = n[k]/length;
}

// Kinetic energy of the change of velocity. With the work p.u of the impulses on the final velocities it gives what
// is lost in a step, D = -sum p.u + 1/2 sum m |v' - v|^2,  so that kinetic plus potential energy plus D changes only
// by the work of walls. Implicit Euler's own loss, 1/2 m (g dt)^2 a step in free fall, is in it.
static double advance_grain(talus_world *world, size_t i)
{
	bodies *b = &world->bodies;
	const talus_motion *line = &world->scratch.motion[i];
	double dt = world->def.step;
	vec3 gained = sub(line->v, b->v[i]), turned = {0, 0, 0};
	b->v[i] = line->v;
	if (b->free[i] & TALUS_FREE_SPIN) {
		vec3 spin = mul(1/b->radius[i], line->s);
		turned = sub(spin, b->spin[i]);
		b->spin[i] = spin;
	}
	b->x[i] = mul_add(b->x[i], dt, b->v[i]);
	turn_orientation(b->q[i], b->spin[i], dt);
	return 0.5*(b->mass[i]*dot(gained, gained) + b->inertia[i]*dot(turned, turned));
}

static double advance_walls(talus_world *world)
{
	const talus_motion *line = world->scratch.motion + world->bodies.count;
	double energy = 0;
	for (int w = 0; w < world->walls.count; w++) {
		wall *at = &world->walls.at[w];
		if (wall_is_piston(at)) {
			vec3 gained = sub(line[w].v, at->v);
			energy += 0.5*at->def.mass*dot(gained, gained);
			at->v = line[w].v;
		}
		wall_end_step(at, world->time, world->def.step);
	}
	return energy;
}

enum { ENERGY, OF_ALL, ALL, OF_NETWORK, NETWORK, TOTALS };

// What the grains gain, and the accelerations by which rest is judged.
static void advance_grains(void *job, size_t first, size_t last, double *total)
{
	talus_world *world = job;
	const bodies *b = &world->bodies;
	uint8_t least = world->def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		vec3 before = b->v[i];
		total[ENERGY] += advance_grain(world, i);
		if (!b->free[i])
			continue;
		double acceleration = norm(sub(b->v[i], before))/world->def.step;
		total[OF_ALL] += acceleration;
		total[ALL] += 1;
		if (world->scratch.bearing[i] >= least) {
			total[OF_NETWORK] += acceleration;
			total[NETWORK] += 1;
		}
	}
}

void contact_dynamics_advance(talus_world *world)
{
	double total[TOTALS] = {0};
	parallel_reduce(world->team, world->bodies.count, TOTALS, advance_grains, NULL, world, total);
	world->mean_acceleration = total[NETWORK] > 0 ? total[OF_NETWORK]/total[NETWORK]
	                           : total[ALL] > 0   ? total[OF_ALL]/total[ALL]
	                                              : 0;
	world->books.dissipated += total[ENERGY] + advance_walls(world);
}
