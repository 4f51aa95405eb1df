// SPDX-License-Identifier: MIT
// Kinetic energy (translation and spin) and potential energy in gravity and under the constant forces on grains.
#include "observe/observe.h"

#include "cell.h"

energies observe_energy(const talus_world *world)
{
	const bodies *b = &world->bodies;
	energies e = {0, 0};
	for (size_t i = 0; i < b->count; i++) {
		e.kinetic += 0.5*(b->mass[i]*dot(b->v[i], b->v[i]) + b->inertia[i]*dot(b->spin[i], b->spin[i]));
		vec3 x = cell_unwrap(&world->cell, b->x[i], b->image[i]); // going round does not lift it
		e.potential -= b->mass[i]*dot(world->def.gravity, x) + dot(b->force[i], x);
	}
	return e;
}
