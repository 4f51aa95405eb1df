// SPDX-License-Identifier: MIT
// Where the energy is and where it went.
#include "observe/observe.h"

typedef struct energy_state {
	talus_energy now;
	double dissipated; // in all ways
	double balance;    // what stays the same, to round-off
} energy_state;

static void energy_measure(observations *seen, void *result)
{
	talus_energy e = talus_world_energy(seen->world);
	double dissipated = e.normal + e.friction + e.rolling + e.torsion + e.bonds + e.numerical;
	double balance = e.kinetic + e.potential + dissipated - e.wall_work - e.driven_work - e.cell_work - e.added;
	*(energy_state *)result = (energy_state){e, dissipated, balance};
}

static const measurement energy_measurement = {sizeof(energy_state), energy_measure};
#define ENERGY(member) UNIT_ENERGY, OBSERVABLE_AT(energy_measurement, energy_state, member)

const observable energy_observables[] = {
	{"kinetic_energy", "kinetic energy of the grains, spin included", ENERGY(now.kinetic), .log = 8, .summary = 11,
	 .frames = 20},
	{"potential_energy", "potential energy of the grains, in gravity and under their own constant forces",
	 ENERGY(now.potential), .log = 21, .summary = 12},
	{"dissipated_energy", "dissipated since the start, in all ways", ENERGY(dissipated), .log = 22, .summary = 13},
	{"wall_work", "work done by walls on the grains since the start, pistons too", ENERGY(now.wall_work), .log = 23, .summary = 20},
	{"driven_work", "work done since the start on grains that are fixed, driven or locked in some direction, by what holds them", ENERGY(now.driven_work),
	 .log = 27, .summary = 21},
	{"cell_work", "work done on the grains since the start by a cell that deforms", ENERGY(now.cell_work), .log = 28, .summary = 22},
	{"added_energy", "energy of grains that were poured, less that of grains that left the domain, since the start; set or added from C, too", ENERGY(now.added), .log = 29,
	 .summary = 23},
	{"dissipated_normal", "dissipated in normal impacts and by incomplete convergence since the start; small negative values are possible", ENERGY(now.normal), .log = 30, .summary = 14,
	 .key = "dissipated.normal"},
	{"dissipated_friction", "dissipated by sliding since the start", ENERGY(now.friction), .log = 31, .summary = 15, .key = "dissipated.friction"},
	{"dissipated_rolling", "dissipated by rolling since the start", ENERGY(now.rolling), .log = 32, .summary = 16, .key = "dissipated.rolling"},
	{"dissipated_torsion", "dissipated by twisting since the start", ENERGY(now.torsion), .log = 33, .summary = 17, .key = "dissipated.torsion"},
	{"dissipated_bonds", "spent since the start on stretching and breaking bonds", ENERGY(now.bonds), .log = 34, .summary = 18,
	 .key = "dissipated.bonds"},
	{"dissipated_numerical", "dissipated by the remainder of the implicit step since the start; it vanishes with the step", ENERGY(now.numerical), .log = 35,
	 .summary = 19, .key = "dissipated.numerical"},
	{"energy_balance", "kinetic + potential + dissipated - wall_work - driven_work - cell_work - added_energy: constant to round-off",
	 ENERGY(balance), .log = 36, .summary = 24},
	{0},
};
