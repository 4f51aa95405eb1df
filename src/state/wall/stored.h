// SPDX-License-Identifier: MIT
// What of a wall's definition is stored and compared: the members that all walls have, then those that shapes have added.
#ifndef TALUS_WALL_STORED_H
#define TALUS_WALL_STORED_H

#include "state/wall/shape.h"

enum { WALL_STORED_MOST = 64 };

// Fields by the names of their sets in run.h5, with their place in talus_wall_def; each member once. A field that is `required` is
// in every file that has such a wall; others came later, and where they are missing their default counts. Returns how many.
int wall_stored(const talus_field *list[WALL_STORED_MOST]);

// Does a wall of this kind have it?
bool wall_has(int kind, const talus_field *field);

void wall_default(talus_wall_def *def, const talus_field *field); // gives it the default that its shape has for it; without one 0

#endif
