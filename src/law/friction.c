// SPDX-License-Identifier: MIT
// Static and dynamic friction. A contact sticks up to mu_s and slides with mu_d <= mu_s. Both tests in one sweep could make the
// sweeps go round in circles, so a contact counts with one coefficient at a time: it starts with mu_d if it slid at the end
// of the last step, else with mu_s, changes over when it is seen to slide or to stick, and keeps what it has in the second
// half of the sweeps (solve/nsgs.c).
#include "law/law.h"

// Both coefficients, also again after sweeps have settled on one.
void friction_thaw(talus_rich *rich, const talus_pair *law)
{
	rich->mu_slide = law->friction;
	rich->mu_stick = fmax(law->friction, law->static_friction);
}

void friction_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	friction_thaw(rich, c->pair);
	contact->mu = *marks & CONTACT_SLID ? rich->mu_slide : rich->mu_stick;
}

// It slid if its friction is at the limit.
void friction_remember(const talus_pair *law, const talus_contact *contact, const talus_rich *rich, uint32_t *marks)
{
	if (!(law->static_friction > law->friction))
		return;
	double pn = dot(contact->p, contact->n), load = pn + rich->pull;
	double t = norm(mul_add(contact->p, -pn, contact->n));
	bool slid = load > 0 && t >= (1 - 1e-9)*contact->mu*load;
	*marks = (*marks & ~(uint32_t)CONTACT_SLID) | (slid ? CONTACT_SLID : 0);
}
