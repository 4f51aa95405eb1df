// SPDX-License-Identifier: MIT
// Pairs of materials.
#ifndef TALUS_STATE_MATERIALS_H
#define TALUS_STATE_MATERIALS_H

#include <talus/talus.h>

bool pair_is_extended(const talus_pair *pair); // does it take more than volume exclusion and friction?

#endif
