// SPDX-License-Identifier: MIT
#include "run/sound.h"

#include "base/error.h"
#include "state/bodies.h"
#include "state/cell.h"
#include "observe/observe.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <math.h>
#include <stdio.h>

// 0 of numbers, and else none.
static double nothing_of(vec3 a)
{
	return 0*a.x + 0*a.y + 0*a.z;
}

static void count_lost(void *job, size_t first, size_t last, totals_part *part)
{
	const bodies *b = &((const talus_world *)job)->state.bodies;
	for (size_t i = first; i < last; i++)
		part->count[0] += nothing_of(b->x[i]) + nothing_of(b->v[i]) + nothing_of(b->spin[i]) != 0;
}

// The first grain whose place or motion is no number, or -1.
static int64_t lost_grain(const talus_world *world)
{
	if (totals_of(world->state.team, world->state.bodies.count, 0, count_lost, (void *)world).count[0] == 0)
		return -1;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		if (!finite3(world->state.bodies.x[i]) || !finite3(world->state.bodies.v[i]) || !finite3(world->state.bodies.spin[i]))
			return world->state.bodies.id[i];
	return -1;
}

// The first grain that has gone round a periodic cell more often than can be counted, or -1.
static int64_t uncounted_grain(const talus_world *world)
{
	for (size_t i = 0; cell_any(&world->state.cell) && i < world->state.bodies.count; i++)
		if (cell_lost(&world->state.cell, world->state.bodies.x[i], world->state.bodies.image[i]))
			return world->state.bodies.id[i];
	return -1;
}

static const char *lost_wall(const talus_world *world)
{
	for (int i = 0; i < world->state.walls.count; i++)
		if (!finite3(world->state.walls.at[i].point))
			return world->state.walls.at[i].def.name;
	return NULL;
}

static bool is_finite(const talus_world *world, talus_error *error)
{
	int64_t grain = lost_grain(world);
	const char *name = lost_wall(world);
	if (grain < 0 && !name && isfinite(world->energy.normal + world->energy.friction)) { // contact forces are part of the books
		grain = uncounted_grain(world);
		return grain < 0 || error_set(error, "after step %llu, time %.6g, grain %lld has gone round the cell too often to tell where it "
		                              "is; nothing of this step was written", (unsigned long long)world->state.step, world->state.time,
		                              (long long)grain);
	}
	char who[TALUS_NAME_MAX + 16];
	if (grain >= 0)
		snprintf(who, sizeof who, "grain %lld", (long long)grain);
	else
		snprintf(who, sizeof who, "%s%s", name ? "wall " : "a contact force", name ? name : "");
	return error_set(error, "the state is no longer finite after step %llu, time %.6g: %s is beyond all numbers; nothing "
	                 "of this step was written", (unsigned long long)world->state.step, world->state.time, who);
}

// A cell that deforms may become too narrow for its grains.
static bool cell_is_wide(const talus_world *world, talus_error *error)
{
	int k = world->state.cell_deforms ? state_too_narrow_axis(&world->state) : -1;
	if (k < 0)
		return true;
	const talus_cell_def *def = &world->state.def.cell;
	const char *less = def->bath ? "less pressure" : def->drive[k][k] == TALUS_DRIVE_STRESS ? "less stress" : "a smaller strain";
	return error_set(error, "at time %.6g the cell is %.6g wide along %c, less than the %.6g that its grains need; it needs more "
	                 "grains, or %s", world->state.time, cell_height(&world->state.cell, k), "xyz"[k], state_least_width(&world->state), less);
}

enum { LOOSEST = 1000000 }; // times as large as its grains: nothing holds such a cell together

static bool cell_holds(const talus_world *world, talus_error *error)
{
	if (!world->state.cell_deforms || world->state.bodies.count == 0)
		return true;
	extent_state extent = observe_extent(world);
	if (extent.volume <= LOOSEST*extent.solid)
		return true;
	return error_set(error, "at time %.6g the cell is more than a million times as large as its grains: it has flown apart; stresses are "
	                 "positive where they compress, and only cohesion can bear others", world->state.time);
}

bool sound_is(const talus_world *world, talus_error *error)
{
	return is_finite(world, error) && cell_is_wide(world, error) && cell_holds(world, error);
}

static bool fits(const talus_world *world, double overlap, double max_overlap, talus_error *error)
{
	char why[TALUS_NAME_MAX + 128];
	double diameter = 2*bodies_mean_radius(&world->state.bodies, world->state.team);
	if (max_overlap == 0 || !(overlap*diameter > max_overlap*diameter + world->start_overlap))
		return true;
	if (contact_dynamics_of(world)->crush.step > 0)
		sound_crush(world, why, sizeof why);
	else
		snprintf(why, sizeof why, "look at the step, the solver, and at what drives the grains");
	return error_set(error, "at time %.6g grains overlap by %.3g mean diameters, more than `run.max_overlap`, %g, allows: %s", world->state.time,
	                 overlap, max_overlap, why);
}

bool sound_fits(const talus_world *world, double max_overlap, talus_error *error)
{
	return fits(world, world->report.max_overlap, max_overlap, error);
}

bool sound_ends(const talus_world *world, double max_overlap, talus_error *error)
{
	return fits(world, observe_overlap_after(world), max_overlap, error);
}

void sound_crush(const talus_world *world, char *text, size_t size)
{
	const crush *c = &contact_dynamics_of(world)->crush;
	if (c->wall == CRUSH_GRAIN)
		snprintf(text, size, "grain %lld, which nothing stops, leaves rigid grains no room", (long long)c->grain);
	else if (c->wall == CRUSH_CELL)
		snprintf(text, size, "the cell leaves rigid grains no room");
	else
		snprintf(text, size, "wall %s, which nothing stops, leaves rigid grains no room", world->state.walls.at[c->wall].def.name);
}
