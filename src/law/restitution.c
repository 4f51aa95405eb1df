// SPDX-License-Identifier: MIT
// Restitution (Moreau's form of Newton's law): a collision aims at -e times the velocity V- that the two had before, normal
// and tangential each with its own e. It is one if the pair comes closer faster than what counts as rest, and its gap would
// close within the step; all else is a contact that closes its gap and stays, so that piles come to rest.
//
// A pair that was moving apart faster than that may come back as fast as it went, instead of being stopped dead. With that no
// frictionless contact can make energy, whatever the others do: its work is p (V + V-)/2, and V = -V- at most. The price is that
// the two may run into each other, by what V- makes of a step at most, before they bounce in the next one.
#include "law/law.h"

#include "law/coulomb.h"

void restitution_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	double e = c->pair->restitution, et = c->pair->tangential_restitution;
	*marks &= ~(uint32_t)CONTACT_BOUNCES;
	if (!(e > 0 || et > 0))
		return;
	vec3 n = contact->n;
	double vn = dot(c->before, n), un = dot(add(coulomb_velocity(contact, c->a, c->b), c->drift), n);
	if (vn < -c->still && c->gap + un*c->dt <= 0) {
		rich->target = mul_add(mul(et, c->before), (e - et)*vn, n);
		*marks |= CONTACT_BOUNCES;
	} else if (vn > c->still) {
		rich->target = mul(fmax(contact->bias, vn), n);
	}
}
