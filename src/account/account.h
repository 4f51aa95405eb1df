// SPDX-License-Identifier: MIT
// What a step writes beside the motion: the energy budget, forces on walls, who carries load.
#ifndef TALUS_ACCOUNT_H
#define TALUS_ACCOUNT_H

#include "account/bearing.h"
#include "account/energy_account.h"
#include "collide/approach.h"
#include "collide/pairs.h"
#include "state/state.h"
#include <talus/talus.h>

typedef struct energies {
	double kinetic, potential;
} energies;

energies account_grains(const world_state *state); // grain_energy.c

// What accounts look at, between the solve of a step and the motion that follows: the state before it, solver bodies after it, contacts.
typedef struct account_view {
	const world_state *state;
	const approach *approach;
	const contacts *contacts;
} account_view;

// Work of a contact's impulses on its two bodies, over the last step; what is negative is dissipated.
typedef struct contact_work {
	double normal, friction, rolling, torsion, bonds;
} contact_work;

// energy_account.c, within a step, after the solve
contact_work energy_account_contact(const account_view *view, size_t contact);
void energy_account_contacts(const account_view *view, energy_account *energy, talus_step_report *report); // all of them; and overlaps
double energy_account_wall_contact(const account_view *view, size_t contact); // what the wall does there

static inline double energy_account_dissipated(const energy_account *b)
{
	return b->normal + b->friction + b->rolling + b->torsion + b->bonds + b->numerical;
}

// wall_forces.c: force and torque on every wall, and what it does, into the energy account
void account_walls(const account_view *view, const pair_list *list, walls *walls, energy_account *energy);

#endif
