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

static void add_totals(void *job, size_t first, size_t last, totals_part *part)
{
	const bodies *b = &((const talus_world *)job)->state.bodies;
	for (size_t i = first; i < last; i++) {
		if (!b->free[i])
			continue;
		part->term[MASS][i - first] = b->mass[i];
		part->term[INERTIA][i - first] = b->inertia[i];
		for (int k = 0; k < 3; k++) {
			part->term[MOMENTUM + k][i - first] = b->mass[i]*component(b->v[i], k);
			part->term[TURNING + k][i - first] = b->inertia[i]*component(b->spin[i], k);
		}
	}
}

static void add_squares(void *job, size_t first, size_t last, totals_part *part)
{
	const common_motion *m = job;
	const bodies *b = &m->world->state.bodies;
	for (size_t i = first; i < last; i++) {
		if (!b->free[i])
			continue;
		vec3 v = sub(b->v[i], m->v), w = sub(b->spin[i], m->spin);
		part->term[OF_MOTION][i - first] = b->mass[i]*dot(v, v);
		part->term[OF_SPIN][i - first] = b->inertia[i]*dot(w, w);
	}
}

temperature_state observe_temperature(const talus_world *world)
{
	size_t grains = world->state.bodies.count;
	totals all = totals_of(world->state.team, grains, TOTALS, add_totals, (void *)world);
	const double *total = all.sum;
	if (!(total[MASS] > 0))
		return (temperature_state){0};
	common_motion m = {.world = world};
	m.v = mul(1/total[MASS], vec(total[MOMENTUM], total[MOMENTUM + 1], total[MOMENTUM + 2]));
	m.spin = mul(1/total[INERTIA], vec(total[TURNING], total[TURNING + 1], total[TURNING + 2]));
	totals square = totals_of(world->state.team, grains, SQUARES, add_squares, &m);
	int dimension = world->state.def.dimension;
	return (temperature_state){.motion = square.sum[OF_MOTION]/(dimension*total[MASS]),
	                           .spin = square.sum[OF_SPIN]/((dimension == 3 ? 3 : 1)*total[MASS])};
}

static void temperature_measure(observations *seen, void *result)
{
	*(temperature_state *)result = observe_temperature(seen->world);
}

static const measurement temperature_measurement = {sizeof(temperature_state), temperature_measure};
#define TEMPERATURE(member) OBSERVABLE_AT(temperature_measurement, temperature_state, member)

const observable temperature_observables[] = {
	{"temperature", "mean square of velocities of movable grains beside their common one, by mass, per direction",
	 "L^2/T^2", TEMPERATURE(motion), .log = 50, .summary = 46, .frames = 18},
	{"spin_temperature", "as temperature, of spins; equal to it where energy is spread evenly", "L^2/T^2",
	 TEMPERATURE(spin), .log = 51, .summary = 47, .frames = 19},
	{0},
};
