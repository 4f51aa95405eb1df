// SPDX-License-Identifier: MIT
// Static and dynamic friction. A contact sticks up to mu_s and slides with mu_d <= mu_s. Both tests in one sweep could make the
// sweeps go round in circles, so a contact counts with one coefficient at a time: it starts with mu_d if it slid at the end
// of the last step, else with mu_s, changes over when it is seen to slide or to stick, and keeps what it has in the second
// half of the sweeps (solve/nsgs.c).
#include "law/law.h"

static void prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	extended->mu_slide = c->pair->friction;
	extended->mu_stick = fmax(c->pair->friction, c->pair->static_friction);
	row->mu = *memory->flags & CONTACT_SLID ? extended->mu_slide : extended->mu_stick;
}

static bool applies(const talus_pair *pair)
{
	return pair->static_friction > pair->friction;
}

// It slid if its friction is at the limit.
static void remember(contact_memory *memory, const law_outcome *o)
{
	if (!applies(o->pair))
		return;
	double pn = dot(o->p, o->n), load = pn + o->extended->cohesion_impulse;
	double t = norm(mul_add(o->p, -pn, o->n));
	bool slid = load > 0 && t >= (1 - 1e-9)*o->mu*load;
	*memory->flags = (*memory->flags & ~(uint32_t)CONTACT_SLID) | (slid ? CONTACT_SLID : 0);
}

static const law_field memory_fields[] = {
	{.name = "slid", .meaning = "its friction was at the limit at the end of the last step", .flag = CONTACT_SLID},
	{.name = NULL},
};

const contact_law law_friction = {"friction", "static friction above that of sliding", applies, prepare, remember, memory_fields};
