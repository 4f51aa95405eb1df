// SPDX-License-Identifier: MIT
// The table of contacts, and what they keep from step to step.
#ifndef TALUS_COLLIDE_CONTACTS_H
#define TALUS_COLLIDE_CONTACTS_H

#include "base/vec.h"
#include <talus/extend.h>

typedef struct contact_past { // what a contact that is not plain keeps beside its impulse and the numbers of its laws
	vec3 q;
	uint32_t flags;
} contact_past;

typedef struct contacts {
	size_t count, class_end[TALUS_CLASSES - 1], capacity; // class after class, as in talus_problem
	talus_contact *contact;
	vec3 *p; // impulses that the method has found, or their first guess
	size_t torque_capacity;
	vec3 *q; // torques times the step, of contacts that are not TALUS_COULOMB
	size_t stride;         // numbers that laws remember of each of these, law/laws.h
	const double *fresh;   // what they are at a new contact
	size_t memory_capacity;
	double *memory;
	bool featured; // some pair may have several, told apart by their features
	size_t first_capacity;
	uint32_t *first; // where the list is cut: first contact of each block, class by class; and one row more
	size_t wall_lines; // solver bodies of spinning walls, one a contact, behind the walls' lines
	// the last step's solution, to start from; in the pool, while new contacts are found
	size_t old_count, old_plain;
	vec3 *old_p;
	contact_past *old_past; // of contacts from old_plain on
	double *old_memory;
	uint64_t *old_name;
	uint32_t *old_feature;  // NULL: all are 0
	uint32_t *slot; // hash table name -> index
} contacts;

#endif
