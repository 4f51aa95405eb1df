// SPDX-License-Identifier: MIT
// The energy budget: what contacts, walls and the cell have done since the start.
#ifndef TALUS_ACCOUNT_ENERGY_H
#define TALUS_ACCOUNT_ENERGY_H

#include <talus/talus.h>

// Energies, all since the start; what they are stands in talus.h, with talus_energy.
typedef struct energy_account {
	double wall_work, driven_work, cell_work, added;
	double normal, friction, rolling, torsion, bonds, numerical; // dissipated
} energy_account;

#endif
