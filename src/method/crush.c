// SPDX-License-Identifier: MIT
// Where nothing is driven, rest is a solution. Where something is, there may be none: then impulses grow as long as one sweeps while grains go on
// closing (solve/doubling.c). To see it takes hundreds of sweeps, so one asks only when overlaps grow with the way of what is driven.
#include "method/crush.h"

#include "base/tally.h"
#include "collide/collide.h"
#include "method/contact_dynamics.h"
#include "method/solved_on.h"
#include "state/wall.h"

#include <math.h>

enum { LEAST_SWEEPS = 512, SWEEPS = 2048, WAIT = 20, LONGEST_WAIT = 160, SIGNS = 2 };
static const double suspicious_overlap = 0.003; // in diameters
static const double suspicious = 0.01; // its growth, of the way of what is driven
static const double hopeless = 10;     // impulse on what is driven, over all that the others have
static const double outgrown = 1e12;   // the same: sweeps add nothing to it any more, as it has no digits for what they would add

static unsigned held(const talus_world *world, size_t grain)
{
	unsigned all = TALUS_FREE_X | TALUS_FREE_Y | (world->state.def.dimension == 3 ? TALUS_FREE_Z : 0u);
	return all & ~(unsigned)world->state.bodies.free[grain];
}

// The part of a grain's velocity that nothing can change.
static vec3 held_velocity(const talus_world *world, size_t grain, vec3 frame)
{
	unsigned fixed = held(world, grain);
	vec3 v = sub(world->state.bodies.v[grain], frame);
	return vec(fixed & TALUS_FREE_X ? v.x : 0, fixed & TALUS_FREE_Y ? v.y : 0, fixed & TALUS_FREE_Z ? v.z : 0);
}

// All is seen from the wall that goes most as the others do, the slowest of such: who is driven, and who only goes along, must not depend on
// the motion of the whole.
static vec3 frame_of(const talus_world *world)
{
	vec3 frame = vec(0, 0, 0);
	double least = INFINITY;
	for (int w = 0; w < world->state.walls.count; w++) {
		vec3 v = world->state.walls.at[w].v;
		double apart = 0;
		for (int k = 0; k < world->state.walls.count; k++)
			if (!wall_is_piston(&world->state.walls.at[k]))
				apart += norm(sub(world->state.walls.at[k].v, v));
		bool slower = apart == least && dot(v, v) < dot(frame, frame);
		if (!wall_is_piston(&world->state.walls.at[w]) && (apart < least || slower)) {
			least = apart;
			frame = v;
		}
	}
	return frame;
}

static bool is_driven_wall(const talus_world *world, uint32_t w)
{
	return w != NO_WALL && !wall_is_piston(&world->state.walls.at[w]);
}

// How fast something comes along a normal; what slides along comes nearer by rounding only.
static double along(vec3 n, vec3 v)
{
	double speed = fabs(dot(n, v));
	return speed > 1e-9*norm(v) ? speed : 0;
}

// The fastest wall, grain or strain that nothing can stop, along the contacts that it has.
static double fastest(const talus_world *world)
{
	const contacts *all = &world->contacts;
	vec3 frame = frame_of(world);
	double most = 0;
	for (size_t i = 0; i < all->count; i++) {
		const talus_contact *c = &all->contact[i];
		if (is_driven_wall(world, c->wall))
			most = fmax(most, along(c->n, sub(world->approach.motion[c->a].v, frame)));
		const uint32_t line[2] = {c->a, c->b};
		for (int e = 0; e < 2 && world->state.any_held; e++)
			if (line[e] < world->state.bodies.count && held(world, line[e]))
				most = fmax(most, along(c->n, held_velocity(world, line[e], frame)));
	}
	for (int k = 0; k < 9 && world->state.cell_deforms; k++)
		if (world->state.def.cell.drive[k/3][k%3] == TALUS_DRIVE_RATE)
			most = fmax(most, 2*world->state.mean_radius*fabs(world->state.cell.rate[k/3][k%3]));
	return most;
}

// A cell that follows a stress can give way.
static bool gives_way(const talus_world *world)
{
	bool any = false;
	for (int k = 0; k < 9 && world->state.cell_deforms; k++)
		any |= contact_dynamics_of(world)->flow.virial_gain[k/3][k%3] > 0;
	return any;
}

static bool is_suspicious(const talus_world *world, double overlap_before)
{
	const crush *c = &contact_dynamics_of(world)->crush;
	double now = world->report.max_overlap, grown = (now - overlap_before)*2*world->state.mean_radius;
	if (c->step > 0 || now < suspicious_overlap || !(grown > 0) || world->state.step < c->next || gives_way(world))
		return false;
	double speed = fastest(world);
	return speed > 0 && grown > suspicious*speed*world->state.def.step;
}

// ---------------------------------------------------------------- who it is

typedef struct culprit {
	double work;    // of its motion on the growing impulses
	double impulse; // that it gives in the end
	int wall;       // or CRUSH_GRAIN, CRUSH_CELL
	uint32_t grain;
} culprit;

typedef struct suspicion {
	const talus_world *world;
	const solved_on *with;
	bool whole; // impulses are judged whole: they cannot grow any more
	vec3 frame;
} suspicion;

static vec3 grown(const suspicion *s, size_t i)
{
	vec3 p = s->with->problem.p[i];
	return s->whole ? p : sub(p, s->world->contacts.p[i]);
}

static void blame(culprit *worst, culprit other)
{
	if (other.work > worst->work)
		*worst = other;
}

static culprit of_wall(const suspicion *s, int w)
{
	const talus_world *world = s->world;
	const solved_on *with = s->with;
	tally work = {0}, given = {0};
	for (size_t i = 0; i < world->contacts.count; i++)
		if (world->contacts.contact[i].wall == (uint32_t)w) {
			vec3 v = with->free[world->contacts.contact[i].a].v; // where it is touched: it may turn
			tally_put(&work, dot(grown(s, i), sub(v, s->frame)));
			tally_put(&given, norm(with->problem.p[i]));
		}
	return (culprit){tally_sum(&work), tally_sum(&given), .wall = w};
}

// A contact of a grain that is driven, all of them one by one: which grain it is matters less than that it is one.
static culprit of_grains(const suspicion *s)
{
	const talus_world *world = s->world;
	const bodies *b = &world->state.bodies;
	uint32_t worst = 0;
	double most = 0;
	tally all = {0}, given = {0};
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *k = &world->contacts.contact[i];
		const uint32_t line[2] = {k->a, k->b};
		for (int e = 0; e < 2; e++) {
			if (line[e] >= b->count || !held(world, line[e]))
				continue;
			double work = (e ? -1 : 1)*dot(grown(s, i), held_velocity(world, line[e], s->frame));
			uint32_t id = b->id[line[e]];
			tally_put(&all, work);
			tally_put(&given, work != 0 ? norm(s->with->problem.p[i]) : 0);
			if (work > most || (work == most && work > 0 && id < worst)) {
				most = work;
				worst = id;
			}
		}
	}
	return (culprit){tally_sum(&all), tally_sum(&given), CRUSH_GRAIN, worst};
}

static culprit of_cell(const suspicion *s)
{
	const talus_world *world = s->world;
	tally work = {0}, given = {0};
	const double(*rate)[3] = (const double(*)[3])contact_dynamics_of(world)->flow.rate;
	for (size_t i = 0; i < world->contacts.count && world->state.cell_deforms; i++) {
		if (i < world->contacts.class_end[TALUS_COULOMB])
			continue;
		vec3 l = mul(contacts_span(&world->state, &world->contacts.contact[i]), world->contacts.contact[i].n);
		vec3 apart = vec(rate[0][0]*l.x + rate[0][1]*l.y + rate[0][2]*l.z, rate[1][1]*l.y + rate[1][2]*l.z, rate[2][2]*l.z);
		tally_put(&work, -dot(grown(s, i), apart));
		tally_put(&given, norm(s->with->problem.p[i]));
	}
	return (culprit){tally_sum(&work), tally_sum(&given), .wall = CRUSH_CELL};
}

// Of all that is free, and what it would be at the speed of what is driven.
static double momentum_of_all(const solved_on *with, vec3 frame, double speed)
{
	tally all = {0};
	for (size_t i = 0; i < with->problem.bodies; i++)
		if (with->free[i].inv_m > 0)
			tally_put(&all, (norm(sub(with->free[i].v, frame)) + speed)/with->free[i].inv_m);
	return tally_sum(&all);
}

static culprit find_culprit(const suspicion *s)
{
	const talus_world *world = s->world;
	culprit worst = {.wall = CRUSH_CELL};
	for (int w = 0; w < world->state.walls.count; w++)
		if (!wall_is_piston(&world->state.walls.at[w]))
			blame(&worst, of_wall(s, w));
	if (world->state.any_held)
		blame(&worst, of_grains(s));
	blame(&worst, of_cell(s));
	return worst;
}

static bool is_crushed(const talus_world *world, const solved_on *with, culprit *worst)
{
	vec3 frame = frame_of(world);
	double all = momentum_of_all(with, frame, fastest(world));
	*worst = find_culprit(&(suspicion){.world = world, .with = with, .frame = frame});
	if (with->report.no_solution >= SIGNS && worst->work > 0 && worst->impulse > hopeless*all)
		return true;
	*worst = find_culprit(&(suspicion){.world = world, .with = with, .whole = true, .frame = frame});
	return worst->work > 0 && worst->impulse > outgrown*all;
}

void crush_watch(talus_world *world, double overlap_before)
{
	crush *c = &contact_dynamics_of(world)->crush;
	solved_on with;
	culprit worst;
	if (!is_suspicious(world, overlap_before))
		return;
	step_solve_on(world, LEAST_SWEEPS, SWEEPS, &with);
	c->wait = c->wait == 0 ? WAIT : c->wait < LONGEST_WAIT ? 2*c->wait : LONGEST_WAIT;
	c->next = world->state.step + c->wait;
	if (!is_crushed(world, &with, &worst))
		return;
	c->step = world->state.step + 1;
	c->wall = worst.wall;
	c->grain = worst.grain;
}
