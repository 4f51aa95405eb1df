// SPDX-License-Identifier: MIT
// Rolling and torsion friction (Brendel, Unger & Wolf, section 1.7): a torque against the spin of the two bodies relative to
// each other, limited like friction: |T_t| <= mu_t N across the normal (rolling), |T_n| <= mu_n N along it (torsion). The
// coefficients are lengths: a share of the reduced radius, plus a length.
#include "law/law.h"

void rolling_prepare(talus_rich *rich, talus_contact *contact, uint32_t *marks, const law_case *c)
{
	(void)contact, (void)marks;
	const talus_pair *law = c->pair;
	rich->roll = law->rolling*c->reduced + law->rolling_length;
	rich->twist = law->torsion*c->reduced + law->torsion_length;
	rich->curve_a = c->radius_a > 0 ? 1/c->radius_a : 0;
	rich->curve_b = 1/c->radius_b;
	double inverse = c->a->k*rich->curve_a*rich->curve_a + c->b->k*rich->curve_b*rich->curve_b;
	rich->inertia = inverse > 0 ? 1/inverse : 0;
	rich->couple = rich->curve_b*c->b->k - rich->curve_a*c->a->k;
	rich->turning = neg(c->wall_spin);
}
