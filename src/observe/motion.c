// SPDX-License-Identifier: MIT
// Is it at rest? Judged by the grains that are part of the force network (rattlers may drift or roll for ever) or,
// where nobody has so many contacts, by all that can move; along periodic directions relative to their common
// velocity. As long as something falls freely there is no rest.
#include "observe/observe.h"

typedef struct judgement {
	const talus_world *world;
	uint8_t least; // contacts that make a member of the network
	size_t members;
	vec3 common; // their velocity
} judgement;

enum { TOUCHED, FALLING, MEMBERS }; // counts

static void survey(void *job, size_t first, size_t last, totals_part *part)
{
	const judgement *j = job;
	const bodies *b = &j->world->state.bodies;
	for (size_t i = first; i < last; i++) {
		uint8_t held_by = bearing_of(&j->world->bearing, i);
		part->count[TOUCHED] += held_by > 0;
		part->count[FALLING] += b->free[i] && held_by == 0;
		if (!b->free[i] || held_by < j->least)
			continue;
		part->count[MEMBERS]++;
		for (int k = 0; k < 3; k++)
			part->term[k][i - first] = component(b->v[i], k);
	}
}

static void add_speeds(void *job, size_t first, size_t last, totals_part *part)
{
	const judgement *j = job;
	const bodies *b = &j->world->state.bodies;
	for (size_t i = first; i < last; i++)
		if (b->free[i] && (!j->members || bearing_of(&j->world->bearing, i) >= j->least)) {
			part->term[0][i - first] = norm(sub(b->v[i], j->common));
			part->count[0]++;
		}
}

motion_state observe_motion(const talus_world *world)
{
	judgement j = {.world = world, .least = world->state.def.dimension == 2 ? 2 : 3};
	totals all = totals_of(world->state.team, world->state.bodies.count, 3, survey, &j);
	j.members = all.count[MEMBERS];
	for (int k = 0; k < 3; k++)
		set_component(&j.common, k, j.members && world->state.cell.periodic[k] ? all.sum[k]/(double)j.members : 0);
	totals speed = totals_of(world->state.team, world->state.bodies.count, 1, add_speeds, &j);
	return (motion_state){.mean_speed = speed.count[0] ? speed.sum[0]/(double)speed.count[0] : 0,
	                      .mean_acceleration = world->mean_acceleration,
	                      .network = world->state.cell_deforms ? j.members > 0 : all.count[TOUCHED] > 0,
	                      .falling = norm(world->state.def.gravity) > 0 && all.count[FALLING] > 0};
}

static void motion_measure(observations *seen, void *result)
{
	*(motion_state *)result = observe_motion(seen->world);
}

static const measurement motion_measurement = {sizeof(motion_state), motion_measure};
#define MOTION(member) OBSERVABLE_AT(motion_measurement, motion_state, member)

const observable motion_observables[] = {
	{"mean_speed",
	 "mean speed of the grains held by at least 3 contacts (2D: 2), of all movable ones if there are none; along periodic directions " "relative to their mean",
	 "L/T", MOTION(mean_speed), .log = 9, .summary = 9},
	{"mean_acceleration", "mean acceleration of the grains of mean_speed, in the last step", "L/T^2",
	 MOTION(mean_acceleration), .log = 24, .summary = 10},
	{0},
};
