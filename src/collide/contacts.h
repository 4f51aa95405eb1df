// SPDX-License-Identifier: MIT
// The table of contacts, and what they keep from step to step.
#ifndef TALUS_COLLIDE_CONTACTS_H
#define TALUS_COLLIDE_CONTACTS_H

#include "base/vec.h"
#include <talus/extend.h>

typedef struct contact_info { // what sweeps do not touch
	uint64_t key;  // ids of the two bodies
	double gap;
	uint32_t wall; // index or NO_WALL
	uint32_t marks; // CONTACT_*
} contact_info;

enum { // of contacts whose materials do more than rub; kept from step to step
	CONTACT_SLID = 1,    // at the end of the last step
	CONTACT_BONDED = 2,
	CONTACT_FORMED = 4,  // its bond, in this step
	CONTACT_BOUNCES = 8, // in this step, with restitution
};

typedef struct contact_past { // what such a contact keeps beside its impulse
	vec3 q;
	uint32_t marks;
} contact_past;

typedef struct contacts {
	size_t count, plain, round, capacity; // three kinds one after the other, as in talus_problem
	talus_contact *contact;
	contact_info *info;
	size_t rich_capacity;
	talus_rich *rich; // of contacts from `plain` on
	size_t general_capacity;
	talus_general *general; // of contacts from `round` on
	size_t first_capacity;
	uint32_t *first; // where the list is cut: first contact of each block, kind by kind; and one row more
	size_t wall_lines; // motion lines of spinning walls, one a contact, behind the walls' lines
	// the last step's solution, to start from; in the pool, while new contacts are found
	size_t old_count, old_plain;
	vec3 *old_p;
	contact_past *old_past; // of contacts from old_plain on
	uint64_t *old_key;
	uint32_t *slot; // hash table key -> index
} contacts;

#endif
