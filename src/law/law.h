// SPDX-License-Identifier: MIT
// The one-contact laws. A law fills in what a contact needs before the sweeps; in the sweeps the velocity at the contact is
// turned into the contact's new impulse (coulomb.h, extended.h, full_mass.c).
#ifndef TALUS_LAW_H
#define TALUS_LAW_H

#include "law/extended.h"
#include "collide/contacts.h"

// `curvature_gap`: what the gap would gain beyond u_n dt because the surfaces are curved; counts where it is negative.
void coulomb_prepare(talus_row *row, const talus_solver_body *a, const talus_solver_body *b, double gap, double curvature_gap, double dt, talus_gap rule,
                     double mu);

// full_mass.c: any 3 by 3 inverse mass, found direction of sliding.
void full_mass_prepare(talus_full_mass *full_mass, talus_row *row, vec3 n, vec3 inv_m_a, vec3 inv_m_b, double k, int dimension);
impulse full_mass_impulse(vec3 n, const talus_row *row, const talus_extended *extended, talus_full_mass *full_mass, impulse was, vec3 u, vec3 spin);

// ---------------------------------------------------------------- beyond volume exclusion and friction

typedef struct law_case { // what such a law may look at, when a step begins
	const talus_pair *pair;
	vec3 n;                    // from a to b
	double gap, dt;
	double curvature_gap;               // what the gap would gain beyond u_n dt because the two go round each other
	double radius_a, radius_b; // radius_a 0: a wall
	double reduced;            // ra rb/(ra + rb); at a wall rb
	const talus_solver_body *a, *b; // without contact impulses
	vec3 before;               // velocity of b relative to a at the contact, at the end of the last step
	double centre_distance;               // from centre to centre; 0 at a wall
	vec3 drift;                // of b relative to a with a cell that deforms, as before the step
	vec3 wall_spin;
	double still;              // a speed that counts as rest
} law_case;

// ---------------------------------------------------------------- what a law is

// Something that a contact remembers from step to step for a law, as long as its two bodies stay near each other: a flag, or some numbers.
typedef struct law_field {
	const char *name, *meaning;
	const char *unit;   // of numbers, as in talus_field
	uint32_t flag;      // a bit of talus_contact.flags that no other law has (CONTACT_*), or 0:
	int count;          // so many numbers
	double fresh;       // what they are at a new contact, and after a checkpoint that does not have them
	bool passing;       // a flag that is over with the step
} law_field;

// Bits that are taken. Files know them: none may change.
enum {
	CONTACT_SLID = 1,    // at the end of the last step
	CONTACT_BONDED = 2,
	CONTACT_FORMED = 4,  // its bond, in this step
	CONTACT_BOUNCES = 8, // in this step, with restitution
};

typedef struct contact_memory { // of one contact, as a law sees it
	uint32_t *flags;
	double *number; // the law's own, in the order in which it has declared them; NULL if it has declared none
} contact_memory;

typedef struct law_outcome { // what a law may look at when the step is solved
	const talus_pair *pair;
	vec3 n, p, q;   // normal, impulse and torque times the step on b
	vec3 after;     // velocity of b relative to a at the contact, at the end of the step: what `before` is to the next one
	double gap, dt;
	double mu;      // with which it has counted
	const talus_extended *extended;
} law_outcome;

// Fills in its part of `extended`, and of `row`, which holds masses and the gap term already. A pair of materials without the law leaves
// everything as it is. Both functions are called for every contact that is not plain, whether its pair has the law or not; only a law that
// has declared numbers is left out altogether where no pair has it.
typedef void law_prepare(talus_extended *extended, talus_row *row, contact_memory *memory, const law_case *c);
typedef void law_remember(contact_memory *memory, const law_outcome *outcome);

typedef struct contact_law {
	const char *name, *meaning;
	bool (*applies)(const talus_pair *pair); // does this pair of materials have it?
	law_prepare *prepare;
	law_remember *remember;  // NULL: nothing
	const law_field *memory; // ends with one without a name; NULL: nothing
} contact_law;

extern const contact_law law_friction, law_restitution, law_yield, law_rolling, law_cohesion;

#endif
