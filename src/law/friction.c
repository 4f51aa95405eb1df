// SPDX-License-Identifier: MIT
// Static and dynamic friction. A contact sticks up to mu_s and slides with mu_d <= mu_s. Both tests in one sweep could make the
// sweeps go round in circles, so a contact counts with one coefficient at a time: it starts with mu_d if it slid at the end
// of the last step, else with mu_s, changes over when it is seen to slide or to stick, and keeps what it has in the second
// half of the sweeps (solve/nsgs.c).
#include "law/law.h"

void friction_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	rich->mu_slide = c->pair->friction;
	rich->mu_stick = fmax(c->pair->friction, c->pair->static_friction);
	contact->mu = *marks & CONTACT_SLID ? rich->mu_slide : rich->mu_stick;
}

// It slid if its friction is at the limit.
void friction_remember(const talus_contact *contact, const talus_rich *rich, uint32_t *marks)
{
	double pn = dot(contact->p, contact->n), load = pn + rich->pull;
	double t = norm(mul_add(contact->p, -pn, contact->n));
	bool slid = load > 0 && t >= (1 - 1e-9)*contact->mu*load;
	*marks = (*marks & ~(uint32_t)CONTACT_SLID) | (slid ? CONTACT_SLID : 0);
}
