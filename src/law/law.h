// SPDX-License-Identifier: MIT
// The one-contact laws. A law turns the velocity at a contact into the contact's new impulse.
#ifndef TALUS_LAW_H
#define TALUS_LAW_H

#include "world.h"

// coulomb.h has the update itself, for the inside of sweeps.
void coulomb_prepare(talus_contact *contact, const talus_motion *motion, double gap, double dt, talus_gap rule, double mu);

// general.c: any 3 by 3 inverse mass, found direction of sliding.
void general_prepare(talus_general *general, talus_contact *contact, vec3 inv_m_a, vec3 inv_m_b, double k, int dimension);
vec3 general_impulse(const talus_contact *contact, talus_general *general, vec3 u);

#endif
