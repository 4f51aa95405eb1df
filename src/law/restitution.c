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

static bool applies(const talus_pair *pair)
{
	return pair->restitution > 0 || pair->tangential_restitution > 0;
}

static void prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	double e = c->pair->restitution, et = c->pair->tangential_restitution;
	*memory->flags &= ~(uint32_t)CONTACT_BOUNCES;
	if (!applies(c->pair))
		return;
	vec3 n = c->n;
	double vn = dot(c->before, n), un = dot(add(coulomb_velocity(c->n, c->a, c->b), c->drift), n);
	if (vn < -c->still && c->gap + un*c->dt <= 0) {
		extended->target = mul_add(mul(et, c->before), (e - et)*vn, n);
		*memory->flags |= CONTACT_BOUNCES;
	} else if (vn > c->still) {
		extended->target = mul(fmax(row->bias, vn), n);
	}
}

static const law_field memory_fields[] = {
	{.name = "bounces", .meaning = "it collides in this step", .flag = CONTACT_BOUNCES, .passing = true},
	{.name = NULL},
};

const contact_law law_restitution = {"restitution", "collisions that bounce", applies, prepare, NULL, memory_fields};
