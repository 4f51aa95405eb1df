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

static bool applies(const talus_pair *pair)
{
	return pair->yield > 0;
}

static void prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	(void)row;
	if (!applies(c->pair) || !(*memory->flags & CONTACT_BOUNCES))
		return;
	double vn = dot(c->before, c->n), ratio = -c->pair->yield/vn;
	if (!(ratio < 1))
		return;
	double share = sqrt(sqrt(ratio)); // has the same bits everywhere, which pow has not
	extended->target = mul_add(extended->target, (share - 1)*c->pair->restitution*vn, c->n);
}

const contact_law law_yield = {"yield", "grains that dent in fast impacts", applies, prepare, NULL, NULL};
