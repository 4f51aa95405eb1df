// SPDX-License-Identifier: MIT
// Kinetic energy (translation and spin) and potential energy in gravity and under the constant forces on grains.
#include "observe/observe.h"

#include "cell.h"

enum { KINETIC, POTENTIAL, ENERGIES };

static void add_energies(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->bodies;
	for (size_t i = first; i < last; i++) {
		part->term[KINETIC][i - first] = 0.5*(b->mass[i]*dot(b->v[i], b->v[i]) + b->inertia[i]*dot(b->spin[i], b->spin[i]));
		vec3 x = cell_unwrap(&world->cell, b->x[i], b->image[i]); // going round does not lift it
		part->term[POTENTIAL][i - first] = -(b->mass[i]*dot(world->def.gravity, x) + dot(b->force[i], x));
	}
}

energies observe_energy(const talus_world *world)
{
	totals all = totals_of(world->team, world->bodies.count, ENERGIES, add_energies, (void *)world);
	return (energies){all.sum[KINETIC], all.sum[POTENTIAL]};
}
