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

enum { TOUCHED, FALLING, MEMBERS, COMMON, SURVEY = COMMON + 3 };

static void survey(void *job, size_t first, size_t last, double *sum)
{
	const judgement *j = job;
	const bodies *b = &j->world->bodies;
	for (size_t i = first; i < last; i++) {
		uint8_t bearing = observe_bearing_of(j->world, i);
		sum[TOUCHED] += bearing > 0;
		sum[FALLING] += b->free[i] && bearing == 0;
		if (!b->free[i] || bearing < j->least)
			continue;
		sum[MEMBERS] += 1;
		for (int k = 0; k < 3; k++)
			sum[COMMON + k] += component(b->v[i], k);
	}
}

enum { SPEED, MOBILE, SPEEDS };

static void add_speeds(void *job, size_t first, size_t last, double *sum)
{
	const judgement *j = job;
	const bodies *b = &j->world->bodies;
	for (size_t i = first; i < last; i++)
		if (b->free[i] && (!j->members || observe_bearing_of(j->world, i) >= j->least)) {
			sum[SPEED] += norm(sub(b->v[i], j->common));
			sum[MOBILE] += 1;
		}
}

motion_state observe_motion(const talus_world *world)
{
	judgement j = {.world = world, .least = world->def.dimension == 2 ? 2 : 3};
	double sum[SURVEY] = {0}, speed[SPEEDS] = {0};
	parallel_reduce(world->team, world->bodies.count, SURVEY, survey, NULL, &j, sum);
	j.members = (size_t)sum[MEMBERS];
	for (int k = 0; k < 3; k++)
		set_component(&j.common, k, j.members && world->cell.periodic[k] ? sum[COMMON + k]/sum[MEMBERS] : 0);
	parallel_reduce(world->team, world->bodies.count, SPEEDS, add_speeds, NULL, &j, speed);
	return (motion_state){.mean_speed = speed[MOBILE] > 0 ? speed[SPEED]/speed[MOBILE] : 0,
	                      .mean_acceleration = world->mean_acceleration,
	                      .network = world->flows ? j.members > 0 : sum[TOUCHED] > 0,
	                      .falling = norm(world->def.gravity) > 0 && sum[FALLING] > 0};
}
