// SPDX-License-Identifier: MIT
// Numbers that describe a state. One file each.
#ifndef TALUS_OBSERVE_H
#define TALUS_OBSERVE_H

#include "world.h"

typedef struct energies {
	double kinetic, potential;
} energies;

typedef struct stress_state {
	double stress[3][3]; // compression is positive
	double pressure;     // trace over the dimension
	double volume;       // 2D: area
	double volume_fraction;
} stress_state;

typedef struct structure_state {
	size_t bearing;      // contacts that carry a force
	size_t rattlers;     // grains with too few of them: below 2 in 2D, below 3 in 3D
	double coordination; // bearing contacts per grain that can move, a contact of two grains counts for both
} structure_state;

typedef struct motion_state {
	double mean_speed, mean_acceleration;
	bool network; // forces are carried somewhere
	bool falling; // there is gravity, and a grain that nothing holds
} motion_state;

energies observe_energy(const talus_world *world);
stress_state observe_stress(const talus_world *world);
structure_state observe_structure(const talus_world *world);
motion_state observe_motion(const talus_world *world);

// Work of a contact's impulses on its two bodies, over the last step; what is negative is dissipated.
typedef struct contact_work {
	double normal, friction, rolling, torsion, bonds;
} contact_work;

// ledger.c, within a step, after the solve
contact_work ledger_contact(const talus_world *world, size_t contact);
void ledger_contacts(talus_world *world);         // all of them, into the books
double ledger_grains(const talus_world *world);   // kinetic and potential energy

static inline double ledger_dissipated(const talus_world *world)
{
	const books *b = &world->books;
	return b->normal + b->friction + b->rolling + b->torsion + b->bonds + b->numerical;
}

// Within a step, after the solve.
void observe_bearing(talus_world *world); // how many contacts push each grain
void observe_walls(talus_world *world);   // force and torque on every wall
void observe_overlap(const talus_world *world, double *mean, double *most); // of touching contacts, over the mean diameter

// Contacts that push this grain, by the last step. Grains that have come since then bear nothing yet.
static inline uint8_t observe_bearing_of(const talus_world *world, size_t i)
{
	return i < world->scratch.bearing_count ? world->scratch.bearing[i] : 0;
}

#endif
