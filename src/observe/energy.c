// SPDX-License-Identifier: MIT
// Kinetic energy (translation and spin) and potential energy in gravity and under the constant forces on grains.
#include "observe/observe.h"

energies observe_energy(const talus_world *world)
{
	const bodies *b = &world->bodies;
	energies e = {0, 0};
	for (size_t i = 0; i < b->count; i++) {
		e.kinetic += 0.5*(b->mass[i]*dot(b->v[i], b->v[i]) + b->inertia[i]*dot(b->spin[i], b->spin[i]));
		e.potential -= b->mass[i]*dot(world->def.gravity, b->x[i]) + dot(b->force[i], b->x[i]);
	}
	return e;
}
