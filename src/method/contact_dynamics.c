// SPDX-License-Identifier: MIT
// Implicit Euler (method of contact dynamics):  v' = v + dt F'/m,  x' = x + dt v',  w' = w + dt T'/I, where F' and T'
// contain the contact forces that the solve finds. The orientation is turned by w' through the half-angle tangent,
// third order in dt.
#include "method/contact_dynamics.h"

#include "state/cell_drive.h"
#include "state/cell.h"

#include "base/memory.h"
#include "collide/collide.h"
#include "law/coulomb.h"
#include "law/law.h"
#include "observe/observe.h"
#include "state/wall.h"

enum { BLOCK = 1024 }; // grains or contacts that a thread takes at least

static vec3 masked(vec3 a, unsigned free)
{
	return vec(free & TALUS_FREE_X ? a.x : 0, free & TALUS_FREE_Y ? a.y : 0, free & TALUS_FREE_Z ? a.z : 0);
}

static unsigned translations(const talus_world *world, unsigned free)
{
	return free & (world->state.def.dimension == 2 ? TALUS_FREE_X | TALUS_FREE_Y : TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z);
}

static vec3 free_velocity(const talus_world *world, size_t i)
{
	const bodies *b = &world->state.bodies;
	vec3 a = mul_add(world->state.def.gravity, 1/b->mass[i], b->force[i]);
	return mul_add(b->v[i], world->state.def.step, masked(a, translations(world, b->free[i])));
}

static vec3 piston_free_velocity(const talus_world *world, const wall *w)
{
	vec3 a = mul(1/w->def.mass, w->def.force);
	if (!w->def.weightless)
		a = add(a, world->state.def.gravity);
	return mul_add(w->v, world->state.def.step, masked(a, translations(world, w->def.free)));
}

static void free_grains(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	talus_motion *line = world->approach.motion;
	for (size_t i = first; i < last; i++) {
		double r = b->radius[i];
		line[i].v = free_velocity(world, i);
		line[i].s = mul(r, b->spin[i]);
		line[i].inv_m = translations(world, b->free[i]) ? 1/b->mass[i] : 0;
		line[i].k = b->free[i] & TALUS_FREE_SPIN ? r*r/b->inertia[i] : 0;
	}
}

static void drag_grains(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	talus_motion *line = world->approach.motion;
	double gradient[3][3];
	cell_drive_gradient(&world->state, gradient);
	for (size_t i = first; i < last; i++)
		line[i].v = add(line[i].v, cell_drive_drag(&world->state, gradient, i));
}

static void largest_radius(void *job, size_t first, size_t last, totals_part *part)
{
	const double *radius = ((const talus_world *)job)->state.bodies.radius;
	for (size_t i = first; i < last; i++)
		part->most[0] = radius[i] > part->most[0] ? radius[i] : part->most[0];
}

// Twice what the rate of the last step would do: it may grow.
static double flow_reach(const talus_world *world)
{
	double sum = 0;
	for (int k = 0; k < 9; k++)
		sum += world->state.cell.rate[k/3][k%3]*world->state.cell.rate[k/3][k%3];
	double largest = fmax(0, totals_of(world->state.team, world->state.bodies.count, 0, largest_radius, (void *)world).most[0]);
	return 2*world->state.def.step*sqrt(sum)*largest;
}

static void list_pistons(talus_world *world)
{
	scratch *s = &world->scratch;
	s->piston = memory_room(s->piston, &s->piston_capacity, (size_t)world->state.walls.count, sizeof *s->piston);
	s->pistons = 0;
	for (int w = 0; w < world->state.walls.count; w++) {
		uint32_t line = (uint32_t)world->state.bodies.count + (uint32_t)w;
		if (wall_is_piston(&world->state.walls.at[w]))
			s->piston[s->pistons++] = (talus_piston){line, state_inverse_mass(&world->state, line)};
	}
}

void contact_dynamics_predict(talus_world *world)
{
	size_t count = world->state.bodies.count;
	world->approach.drift = world->state.flows ? flow_reach(world) : 0;
	approach_reserve(&world->approach, count + (size_t)world->state.walls.count);
	parallel_for(world->state.team, count, BLOCK, free_grains, world);
	if (cell_drive_drags(&world->state))
		parallel_for(world->state.team, count, BLOCK, drag_grains, world);
	talus_motion *line = world->approach.motion + count;
	for (int w = 0; w < world->state.walls.count; w++) {
		const wall *at = &world->state.walls.at[w];
		bool piston = wall_is_piston(at);
		line[w] = (talus_motion){.v = piston ? piston_free_velocity(world, at) : at->v,
		                         .inv_m = piston ? 1/at->def.mass : 0};
	}
	list_pistons(world);
}

// ---------------------------------------------------------------- laws

static const talus_pair *pair_at(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	return state_pair(&world->state, c->a, c->b, world->contacts.info[i].wall);
}

static double wall_bend_at(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const contact_info *info = &world->contacts.info[i];
	const wall *w = &world->state.walls.at[info->wall];
	vec3 x = world->state.bodies.x[c->b], way = mul(world->state.def.step, sub(world->state.bodies.v[c->b], w->v));
	vec3 image = state_wall_image(&world->state, w, c->b, contacts_wall_image(info->key));
	return wall_bend(w, image, world->state.def.dimension, x, c->n, way); // spinning does not change its shape
}

// Within a step the two go straight on, not along the surfaces. With the velocities before it: what rests does not bend.
static double bend_at(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const bodies *b = &world->state.bodies;
	uint32_t w = world->contacts.info[i].wall;
	double dt = world->state.def.step;
	if (w != NO_WALL)
		return wall_bend_at(world, i);
	vec3 way = mul(dt, sub(b->v[c->b], b->v[c->a])), aside = mul_add(way, -dot(way, c->n), c->n);
	double length = b->radius[c->a] + b->radius[c->b] + world->contacts.info[i].gap;
	return sqrt(length*length + dot(aside, aside)) - length;
}

// Contacts of a piston have the grain's masses alone: it is moved by all of them at once.
static void hold_piston(const talus_world *world, size_t i)
{
	talus_contact *c = &world->contacts.contact[i];
	const talus_motion *grain = &world->approach.motion[c->b];
	c->mass_n = 1/grain->inv_m;
	c->mass_t = 1/(grain->inv_m + grain->k);
}

static bool with_piston(const talus_world *world, size_t i)
{
	uint32_t w = world->contacts.info[i].wall;
	return w != NO_WALL && i < world->contacts.round && wall_is_piston(&world->state.walls.at[w]);
}

void contact_dynamics_plain_laws(void *job, size_t first, size_t last)
{
	talus_world *world = job;
	const contacts *c = &world->contacts;
	for (size_t i = first; i < last; i++) {
		coulomb_prepare(&c->contact[i], world->approach.motion, c->info[i].gap,
		                c->info[i].wall == NO_WALL ? 0 : bend_at(world, i), world->state.def.step, world->state.def.solver.gap,
		                pair_at(world, i)->friction);
		if (with_piston(world, i))
			hold_piston(world, i);
	}
}

static void basic_laws(void *job, size_t first, size_t last)
{
	talus_world *world = job;
	contact_dynamics_plain_laws(world, world->contacts.plain + first, world->contacts.plain + last);
}

static void general_laws(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	const talus_motion *motion = world->approach.motion;
	for (size_t i = first; i < last; i++) {
		talus_contact *contact = &c->contact[c->round + i];
		vec3 inv_a = state_inverse_mass(&world->state, contact->a), inv_b = state_inverse_mass(&world->state, contact->b);
		double k = motion[contact->a].k + motion[contact->b].k;
		general_prepare(&c->general[i], contact, inv_a, inv_b, k, world->state.def.dimension);
	}
}

// What outer forces may give to a body within a step, without the contacts that hold it.
static double kick(const talus_world *world, uint32_t line)
{
	const bodies *b = &world->state.bodies;
	size_t w = line - b->count;
	if (line < b->count)
		return norm(b->force[line])/b->mass[line]*world->state.def.step;
	bool piston = w < (size_t)world->state.walls.count && wall_is_piston(&world->state.walls.at[w]);
	return piston ? norm(world->state.walls.at[w].def.force)/world->state.walls.at[w].def.mass*world->state.def.step : 0;
}

enum { STILL = 3 }; // a speed below so many kicks by outer forces within a step counts as rest

static law_case case_of(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const contact_info *info = &world->contacts.info[i];
	const bodies *b = &world->state.bodies;
	const wall *w = info->wall == NO_WALL ? NULL : &world->state.walls.at[info->wall];
	talus_motion before_a = approach_before(&world->approach, &world->state, c->a), before_b = approach_before(&world->approach, &world->state, c->b);
	double rb = b->radius[c->b], ra = w ? 0 : b->radius[c->a];
	double span = w ? 0 : ra + rb + info->gap;
	vec3 drift = cell_apply(world->state.cell.rate, mul(span, c->n)); // 0 unless the cell deforms
	double still = norm(world->state.def.gravity)*world->state.def.step + kick(world, c->a) + kick(world, c->b);
	double rounding = 1e-12*(norm(before_a.v) + norm(before_b.v));
	return (law_case){.pair = pair_at(world, i), .gap = info->gap, .dt = world->state.def.step, .bend = bend_at(world, i),
	                  .radius_a = ra, .radius_b = rb,
	                  .reduced = w ? rb : ra*rb/(ra + rb), .a = &world->approach.motion[c->a],
	                  .b = &world->approach.motion[c->b], .before = add(coulomb_velocity(c, &before_a, &before_b), drift), .span = span, .drift = drift,
	                  .wall_spin = w && wall_spins(w) ? mul(w->w, w->axis) : vec(0, 0, 0), .still = STILL*still + rounding};
}

static void rich_laws(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	for (size_t i = first; i < last; i++) {
		law_case at = case_of(world, c->plain + i);
		law_prepare_rich(&c->rich[i], &c->contact[c->plain + i], &c->info[c->plain + i].marks, &at);
	}
}

void contact_dynamics_laws(talus_world *world)
{
	contacts *c = &world->contacts;
	size_t general = c->count - c->round;
	if (general > c->general_capacity) {
		c->general_capacity = memory_capacity(c->general_capacity, general);
		c->general = memory_grow(c->general, 0, c->general_capacity*sizeof *c->general);
	}
	parallel_for(world->state.team, c->count - c->plain, BLOCK, basic_laws, world);
	parallel_for(world->state.team, general, BLOCK, general_laws, world);
	parallel_for(world->state.team, c->count - c->plain, BLOCK, rich_laws, world);
}

static void thaw_some(void *job, size_t first, size_t last)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	for (size_t i = first; i < last; i++)
		friction_thaw(&c->rich[i], pair_at(world, c->plain + i));
}

void contact_dynamics_restart(talus_world *world)
{
	contact_dynamics_predict(world);
	parallel_for(world->state.team, world->contacts.count - world->contacts.plain, BLOCK, thaw_some, world);
}

// Also counts bonds: there are, formed in this step.
static void remember_some(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const contacts *c = &world->contacts;
	for (size_t i = first; i < last; i++) {
		uint32_t *marks = &c->info[c->plain + i].marks;
		const talus_pair *law = pair_at(world, c->plain + i);
		friction_remember(law, &c->contact[c->plain + i], &c->rich[i], marks);
		cohesion_touch(law, &c->contact[c->plain + i], marks);
		part->count[0] += (*marks & CONTACT_BONDED) != 0;
		part->count[1] += (*marks & CONTACT_FORMED) != 0;
		*marks &= ~(uint32_t)(CONTACT_FORMED | CONTACT_BOUNCES);
	}
}

void contact_dynamics_remember(talus_world *world)
{
	totals all = totals_of(world->state.team, world->contacts.count - world->contacts.plain, 0, remember_some, world);
	world->report.bonds = all.count[0];
	world->report.bonds_formed_all += all.count[1];
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

// Returns what implicit Euler loses on the way, half of F dt times the change of velocity: m (g dt)^2/2 a step in free fall.
static double advance_grain(talus_world *world, size_t i)
{
	bodies *b = &world->state.bodies;
	const talus_motion *line = &world->approach.motion[i];
	double dt = world->state.def.step;
	vec3 gained = sub(line->v, b->v[i]), force = mul_add(b->force[i], b->mass[i], world->state.def.gravity);
	b->v[i] = line->v;
	if (b->free[i] & TALUS_FREE_SPIN)
		b->spin[i] = mul(1/b->radius[i], line->s);
	vec3 drift = world->state.flows ? cell_apply(world->flow.rate, sub(b->x[i], world->state.cell.origin)) : vec(0, 0, 0);
	b->x[i] = mul_add(b->x[i], dt, add(b->v[i], drift));
	turn_orientation(b->q[i], b->spin[i], dt);
	return 0.5*dt*dot(force, gained);
}

static void advance_walls(talus_world *world)
{
	const talus_motion *line = world->approach.motion + world->state.bodies.count;
	for (int w = 0; w < world->state.walls.count; w++) {
		wall *at = &world->state.walls.at[w];
		if (wall_is_piston(at))
			at->v = line[w].v;
		wall_end_step(at, world->state.time, world->state.def.step);
	}
}

enum { ENERGY, OF_ALL, OF_NETWORK, TOTALS };
enum { ALL, NETWORK };

// What the grains gain, and the accelerations by which rest is judged.
static void advance_grains(void *job, size_t first, size_t last, totals_part *part)
{
	talus_world *world = job;
	const bodies *b = &world->state.bodies;
	uint8_t least = world->state.def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		vec3 before = b->v[i];
		part->term[ENERGY][i - first] = advance_grain(world, i);
		if (!b->free[i])
			continue;
		double gained = norm(sub(b->v[i], before));
		part->term[OF_ALL][i - first] = gained;
		part->count[ALL]++;
		if (world->bearing.at[i] >= least) {
			part->term[OF_NETWORK][i - first] = gained;
			part->count[NETWORK]++;
		}
	}
}

void contact_dynamics_advance(talus_world *world)
{
	totals all = totals_of(world->state.team, world->state.bodies.count, TOTALS, advance_grains, world);
	double gained = all.count[NETWORK] ? all.sum[OF_NETWORK]/(double)all.count[NETWORK]
	                : all.count[ALL]   ? all.sum[OF_ALL]/(double)all.count[ALL]
	                                   : 0;
	world->mean_acceleration = gained/world->state.def.step;
	world->energy.numerical += all.sum[ENERGY];
	advance_walls(world);
	if (world->state.flows)
		world->list.stale |= cell_drive_advance(&world->state, &world->flow);
}
