// SPDX-License-Identifier: MIT
// Could a world be in this state? Asked of every checkpoint before anything is made of it.
#ifndef TALUS_IO_CHECKPOINT_JUDGE_H
#define TALUS_IO_CHECKPOINT_JUDGE_H

#include <talus/talus.h>

bool checkpoint_judge(const talus_world *world, talus_error *why); // false with the first thing that cannot be

#endif
