// SPDX-License-Identifier: MIT
// Cohesion (Brendel, Unger & Wolf, section 1.8). Two bodies that touch are bonded: they are held together with a force of up
// to F_C, and every friction limit counts with the push plus F_C. The bond gives way when it is pulled harder than that,
// does not pull back what has come apart, and breaks at a gap d_C, so that it takes the energy F_C d_C to part them,
// whatever the time step. With d_C = 0 a shock breaks it all the easier the shorter the step is.
#include "law/law.h"

static const double touch = 1e-6; // gaps below this share of the reduced radius are none

static bool applies(const talus_pair *pair)
{
	return pair->cohesion > 0;
}

static void prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c)
{
	(void)row;
	if (!applies(c->pair)) {
		*memory->flags &= ~(uint32_t)(CONTACT_BONDED | CONTACT_FORMED);
		return;
	}
	double near = touch*c->reduced;
	bool bonded = *memory->flags & CONTACT_BONDED;
	if (!bonded && c->gap <= near)
		*memory->flags |= CONTACT_BONDED | CONTACT_FORMED;
	else if (bonded && c->gap >= fmax(c->pair->range, near))
		*memory->flags &= ~(uint32_t)(CONTACT_BONDED | CONTACT_FORMED);
	extended->cohesion_impulse = *memory->flags & CONTACT_BONDED ? c->pair->cohesion*c->dt : 0;
}

// A contact that pushes has touched.
static void remember(contact_memory *memory, const law_outcome *o)
{
	if (applies(o->pair) && !(*memory->flags & CONTACT_BONDED) && dot(o->p, o->n) > 0)
		*memory->flags |= CONTACT_BONDED | CONTACT_FORMED;
}

static const law_field memory_fields[] = {
	{.name = "bonded", .meaning = "a bond holds the two together", .flag = CONTACT_BONDED},
	{.name = "formed", .meaning = "its bond is of this step", .flag = CONTACT_FORMED, .passing = true},
	{.name = NULL},
};

const contact_law law_cohesion = {"cohesion", "bonds that form on touch and break", applies, prepare, remember, memory_fields};
