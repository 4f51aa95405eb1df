// SPDX-License-Identifier: MIT
// Rolling and torsion friction (Brendel, Unger & Wolf, section 1.7): a torque against the spin of the two bodies relative to
// each other, limited like friction: |T_t| <= mu_t N across the normal (rolling), |T_n| <= mu_n N along it (torsion). The
// coefficients are lengths: a share of the reduced radius, plus a length.
#include "law/law.h"

static bool applies(const talus_pair *pair)
{
	return pair->rolling + pair->rolling_length > 0 || pair->torsion + pair->torsion_length > 0;
}

// Curves and inertia always: whoever adds up the work of spins wants them.
static void prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	(void)row, (void)memory;
	const talus_pair *law = c->pair;
	extended->roll = law->rolling*c->reduced + law->rolling_length;
	extended->twist = law->torsion*c->reduced + law->torsion_length;
	extended->curve_a = c->radius_a > 0 ? 1/c->radius_a : 0;
	extended->curve_b = 1/c->radius_b;
	double inverse = c->a->r2_over_I*extended->curve_a*extended->curve_a + c->b->r2_over_I*extended->curve_b*extended->curve_b;
	extended->inertia = inverse > 0 ? 1/inverse : 0;
	extended->torque_coupling = extended->curve_b*c->b->r2_over_I - extended->curve_a*c->a->r2_over_I;
	extended->wall_spin = neg(c->wall_spin);
}

const contact_law law_rolling = {"rolling", "friction of rolling and torsion", applies, prepare, NULL, NULL};
