// SPDX-License-Identifier: MIT
// When something is due, and when a run is at its end. Counted in steps from the start, so that a resumed run agrees with an unbroken one.
#ifndef TALUS_RUN_DUE_H
#define TALUS_RUN_DUE_H

#include "io/scene.h"

// Is output due after this step? `every` 0: only before the first one.
bool due_at(uint64_t step, double step_length, double every);
// The last row and the last frame of a run that had ended between two moments of output do not belong into a longer one.
uint64_t due_last(uint64_t step, double step_length, double every);
bool due_end(const scene *scene, const talus_world *world);

#endif
