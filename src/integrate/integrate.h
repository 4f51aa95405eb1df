// SPDX-License-Identifier: MIT
// The two ends of a step: velocities without contacts, and new positions.
#ifndef TALUS_INTEGRATE_H
#define TALUS_INTEGRATE_H

#include "world.h"

void contact_dynamics_free(talus_world *world);    // motion lines: what the bodies would do without contacts
void contact_dynamics_advance(talus_world *world); // x, v, spin, orientation, pistons, books
void contact_dynamics_laws(talus_world *world);    // effective masses, gap terms, friction of all contacts

#endif
