// SPDX-License-Identifier: MIT
// The audit: now and then the problem of a step is solved on until it no longer changes, and what the step had found is compared with that. How
// often is counted in contact updates, so it is the same everywhere and after a resume.
#ifndef TALUS_AUDIT_H
#define TALUS_AUDIT_H

#include "world.h"

bool audit_due(const talus_world *world); // before a step: is it to be audited?
void audit_step(talus_world *world);      // after its solve

#endif
