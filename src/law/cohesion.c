// SPDX-License-Identifier: MIT
// Cohesion (Brendel, Unger & Wolf, section 1.8). Two bodies that touch are bonded: they are held together with a force of up
// to F_C, and every friction limit counts with the push plus F_C. The bond gives way when it is pulled harder than that,
// does not pull back what has come apart, and breaks at a gap d_C, so that it takes the energy F_C d_C to part them,
// whatever the time step. With d_C = 0 a shock breaks it all the easier the shorter the step is.
#include "law/law.h"

static const double touch = 1e-6; // gaps below this share of the reduced radius are none

void cohesion_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	(void)contact;
	if (!(c->pair->cohesion > 0)) {
		*marks &= ~(uint32_t)(CONTACT_BONDED | CONTACT_FORMED);
		return;
	}
	double near = touch*c->reduced;
	bool bonded = *marks & CONTACT_BONDED;
	if (!bonded && c->gap <= near)
		*marks |= CONTACT_BONDED | CONTACT_FORMED;
	else if (bonded && c->gap >= fmax(c->pair->range, near))
		*marks &= ~(uint32_t)(CONTACT_BONDED | CONTACT_FORMED);
	rich->pull = *marks & CONTACT_BONDED ? c->pair->cohesion*c->dt : 0;
}

void cohesion_touch(const talus_pair *law, const talus_contact *contact, uint32_t *marks)
{
	if (law->cohesion > 0 && !(*marks & CONTACT_BONDED) && dot(contact->p, contact->n) > 0)
		*marks |= CONTACT_BONDED | CONTACT_FORMED;
}
