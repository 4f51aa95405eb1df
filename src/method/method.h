// SPDX-License-Identifier: MIT
// A method: how contacts push, and how bodies move under that. The world knows methods by this record alone; what one keeps is its own.
#ifndef TALUS_METHOD_H
#define TALUS_METHOD_H

#include "base/scalars.h"
#include <talus/extend.h>

typedef struct method {
	const char *name, *meaning;
	const talus_field *fields;            // its keys in a scene, of talus_world_def
	size_t size;                          // of what it keeps in a world (world->own), zeros at first
	void (*create)(talus_world *world);
	void (*destroy)(talus_world *world);  // what its own holds
	// The step: from what pulls at bodies to impulses and torques of all contacts, and solver bodies with them ...
	void (*forces)(talus_world *world);
	void (*advance)(talus_world *world);  // ... and, after the accounts, new places, velocities and orientations
	void (*report)(talus_world *world);   // numbers of the last step that are found only when somebody asks
	uint64_t (*work)(const talus_world *world); // done since the start, in visits of contacts
	double (*friction)(const talus_world *world, size_t contact); // coefficient with which a contact has counted in the last step
	const scalar *numbers;                // of its own, in the checkpoint
	int number_count;
} method;

extern const method method_contact_dynamics;
extern const talus_field contact_dynamics_fields[];
const method *method_of(talus_method kind);

#endif
