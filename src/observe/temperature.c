// SPDX-License-Identifier: MIT
// Granular temperature: how grains that can move move beside each other. With D directions of motion and R of spin (3 and
// 3, in 2D 2 and 1), means weighted by mass m and by moment of inertia I,
//     T = sum m |v - <v>|^2/(D sum m),   T_spin = sum I |w - <w>|^2/(R sum m):
// squares of a speed, and equal where energy is spread evenly over all motions.
#include "observe/observe.h"

enum { MASS, INERTIA, MOMENTUM, TURNING = MOMENTUM + 3, TOTALS = TURNING + 3 };
enum { OF_MOTION, OF_SPIN, SQUARES };

typedef struct common_motion {
	const talus_world *world;
	vec3 v, spin;
} common_motion;

static void add_totals(void *job, size_t first, size_t last, double *sum)
{
	const bodies *b = &((const talus_world *)job)->bodies;
	for (size_t i = first; i < last; i++) {
		if (!b->free[i])
			continue;
		sum[MASS] += b->mass[i];
		sum[INERTIA] += b->inertia[i];
		for (int k = 0; k < 3; k++) {
			sum[MOMENTUM + k] += b->mass[i]*component(b->v[i], k);
			sum[TURNING + k] += b->inertia[i]*component(b->spin[i], k);
		}
	}
}

static void add_squares(void *job, size_t first, size_t last, double *sum)
{
	const common_motion *m = job;
	const bodies *b = &m->world->bodies;
	for (size_t i = first; i < last; i++) {
		if (!b->free[i])
			continue;
		vec3 v = sub(b->v[i], m->v), w = sub(b->spin[i], m->spin);
		sum[OF_MOTION] += b->mass[i]*dot(v, v);
		sum[OF_SPIN] += b->inertia[i]*dot(w, w);
	}
}

temperature_state observe_temperature(const talus_world *world)
{
	double total[TOTALS] = {0}, square[SQUARES] = {0};
	size_t grains = world->bodies.count;
	parallel_reduce(world->team, grains, TOTALS, add_totals, NULL, (void *)world, total);
	if (!(total[MASS] > 0))
		return (temperature_state){0};
	common_motion m = {.world = world};
	m.v = mul(1/total[MASS], vec(total[MOMENTUM], total[MOMENTUM + 1], total[MOMENTUM + 2]));
	m.spin = mul(1/total[INERTIA], vec(total[TURNING], total[TURNING + 1], total[TURNING + 2]));
	parallel_reduce(world->team, grains, SQUARES, add_squares, NULL, &m, square);
	int dimension = world->def.dimension;
	return (temperature_state){.motion = square[OF_MOTION]/(dimension*total[MASS]),
	                           .spin = square[OF_SPIN]/((dimension == 3 ? 3 : 1)*total[MASS])};
}
