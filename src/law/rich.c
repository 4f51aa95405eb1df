// SPDX-License-Identifier: MIT
// What a rich contact needs before the sweeps, law by law.
#include "law/law.h"

static law_prepare *const laws[] = {friction_prepare, restitution_prepare, yield_prepare, rolling_prepare, cohesion_prepare};
enum { LAWS = sizeof laws/sizeof laws[0] };

// From what it aims at follows the approach that is allowed before it pushes. Bonded bodies that go round each other must come
// closer with the speed `turn`, or each step along the tangent would open the bond a little.
static void aim(talus_rich *rich, const talus_contact *contact, double turn)
{
	double wanted = dot(rich->target, contact->n);
	if (wanted >= 0 && wanted < turn)
		rich->target = mul_add(rich->target, turn - wanted, contact->n);
	rich->slack = contact->mass_n*fmax(wanted - turn, 0);
}

void law_prepare_rich(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	vec3 q = rich->q;
	*rich = rich_none(contact);
	rich->q = q;
	rich->span = c->span;
	for (int i = 0; i < LAWS; i++)
		laws[i](rich, contact, marks, c);
	aim(rich, contact, rich->pull > 0 ? fmax(c->bend, 0)/c->dt : 0);
}
