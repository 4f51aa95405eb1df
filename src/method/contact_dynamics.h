// SPDX-License-Identifier: MIT
// The two ends of a step: velocities without contacts, and new positions.
#ifndef TALUS_INTEGRATE_H
#define TALUS_INTEGRATE_H

#include "world.h"

void contact_dynamics_predict(talus_world *world);    // motion lines: what the bodies would do without contacts
void contact_dynamics_advance(talus_world *world); // x, v, spin, orientation, pistons, the energy account
void contact_dynamics_plain_laws(void *world, size_t first, size_t last); // effective masses, gap terms, limits of these contacts
void contact_dynamics_laws(talus_world *world);    // the same for all that are not plain, and what else they have
void contact_dynamics_remember(talus_world *world); // after the solve: what rich contacts must know in the next step

void contact_dynamics_restart(talus_world *world);    // as before the solve, but with the impulses found as a first guess

// impact.c: after the solve. How many clusters of contacts are there whose bounces have made energy? They are lowered, and
// the contacts are to be solved again. `round` counts from 1; in round 0 they are only counted.
size_t impact_soften(talus_world *world, int round);

#endif
