// SPDX-License-Identifier: MIT
// The one-contact laws. A law fills in what a contact needs before the sweeps; in the sweeps the velocity at the contact is
// turned into the contact's new impulse (coulomb.h, rich.h, general.c).
#ifndef TALUS_LAW_H
#define TALUS_LAW_H

#include "law/rich.h"
#include "collide/contacts.h"

// `bend`: what the gap would gain beyond u_n dt because the surfaces are curved; counts where it is negative.
void coulomb_prepare(talus_contact *contact, const talus_motion *motion, double gap, double bend, double dt, talus_gap rule,
                     double mu);

// general.c: any 3 by 3 inverse mass, found direction of sliding.
void general_prepare(talus_general *general, talus_contact *contact, vec3 inv_m_a, vec3 inv_m_b, double k, int dimension);
impulse general_impulse(const talus_contact *contact, const talus_rich *rich, talus_general *general, vec3 u, vec3 spin);

// ---------------------------------------------------------------- beyond volume exclusion and friction

typedef struct law_case { // what such a law may look at, when a step begins
	const talus_pair *pair;
	double gap, dt;
	double bend;               // what the gap would gain beyond u_n dt because the two go round each other
	double radius_a, radius_b; // radius_a 0: a wall
	double reduced;            // ra rb/(ra + rb); at a wall rb
	const talus_motion *a, *b; // without contact impulses
	vec3 before;               // velocity of b relative to a at the contact, at the end of the last step
	double span;               // from centre to centre; 0 at a wall
	vec3 drift;                // of b relative to a with a cell that deforms, as before the step
	vec3 wall_spin;
	double still;              // a speed that counts as rest
} law_case;

// Each fills in its part of `rich`, and of `contact`, which holds masses and the gap term already; `marks` are the contact's
// (CONTACT_*), kept from step to step. A pair of materials without the law leaves everything as it is.
typedef void law_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c);
law_prepare friction_prepare, restitution_prepare, yield_prepare, rolling_prepare, cohesion_prepare;

void law_prepare_rich(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c); // all of them

// cohesion.c: after the solve; a contact that pushes has touched.
void cohesion_touch(const talus_pair *law, const talus_contact *contact, uint32_t *marks);

// friction.c: after the solve, for the next step; and before another solve of the same step
void friction_remember(const talus_pair *law, const talus_contact *contact, const talus_rich *rich, uint32_t *marks);
void friction_thaw(talus_rich *rich, const talus_pair *law);

#endif
