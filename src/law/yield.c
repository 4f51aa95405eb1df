// SPDX-License-Identifier: MIT
// Yield: grains that dent in fast impacts. Of a collision with the approach speed V there comes back
//
//     e(V) = e                       V <= V_y
//     e(V) = e (V/V_y)^(-1/4)        V >  V_y
//
// The power is that of a sphere that is deformed plastically (K. L. Johnson, Contact Mechanics, 1985, chapter 11). There it
// is the limit of speeds far above the one at which yield begins; here it begins at V_y, which is given, not worked out
// from hardness, stiffness and mass. Only the normal part of what a bounce aims at is lowered.
#include "law/law.h"

void yield_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	if (!(c->pair->yield > 0) || !(*marks & CONTACT_BOUNCES))
		return;
	double vn = dot(c->before, contact->n), ratio = -c->pair->yield/vn;
	if (!(ratio < 1))
		return;
	double share = sqrt(sqrt(ratio)); // has the same bits everywhere, which pow has not
	rich->target = mul_add(rich->target, (share - 1)*c->pair->restitution*vn, contact->n);
}
