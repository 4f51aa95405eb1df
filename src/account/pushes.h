// SPDX-License-Identifier: MIT
// Forces that a function from outside adds to the grains, step by step. Within a step they are part of `force`, so every stage
// sees them as it sees a constant force; after it `force` is what it was.
#ifndef TALUS_ACCOUNT_PUSHES_H
#define TALUS_ACCOUNT_PUSHES_H

#include "account/account.h"

typedef struct push_function {
	talus_force_function function; // NULL: none
	void *context;
	size_t capacity;
	talus_vec3 *added;  // what it has added, row by row, before grains are put into another order
} push_function;

void pushes_set(push_function *pushes, world_state *state, talus_force_function function, void *context);
// Asks the function about the world that this state is of; before the velocities without contacts are found.
void pushes_begin(push_function *pushes, world_state *state, const talus_world *world);
void pushes_count(const account_view *view, energy_account *energy); // before grains move: the work of these forces
void pushes_end(world_state *state);                                 // when grains have moved
void pushes_free(push_function *pushes);

#endif
