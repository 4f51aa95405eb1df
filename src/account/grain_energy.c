// SPDX-License-Identifier: MIT
// Kinetic energy (translation and spin) and potential energy in gravity and under the constant forces on grains.
#include "account/account.h"

#include "base/totals.h"

enum { KINETIC, POTENTIAL, ENERGIES };

static void add_energies(void *job, size_t first, size_t last, totals_part *part)
{
	const world_state *st = job;
	const bodies *b = &st->bodies;
	for (size_t i = first; i < last; i++) {
		part->term[KINETIC][i - first] = 0.5*(b->mass[i]*dot(b->v[i], b->v[i]) + b->inertia[i]*dot(b->spin[i], b->spin[i]));
		vec3 x = cell_unwrap(&st->cell, b->x[i], b->image[i]); // going round does not lift it
		part->term[POTENTIAL][i - first] = -(b->mass[i]*dot(st->def.gravity, x) + dot(b->force[i], x));
	}
}

energies account_grains(const world_state *st)
{
	totals all = totals_of(st->team, st->bodies.count, ENERGIES, add_energies, (void *)st);
	return (energies){all.sum[KINETIC], all.sum[POTENTIAL]};
}
