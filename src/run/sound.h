// SPDX-License-Identifier: MIT
// Is what a step has led to a state of rigid grains?
#ifndef TALUS_RUN_SOUND_H
#define TALUS_RUN_SOUND_H

#include <talus/talus.h>

bool sound_is(const talus_world *world, talus_error *error); // numbers, in a cell that holds them
bool sound_fits(const talus_world *world, double max_overlap, talus_error *error); // without overlaps that nobody would accept
bool sound_ends(const talus_world *world, double max_overlap, talus_error *error); // the same of where the last step has led to
void sound_crush(const talus_world *world, char *text, size_t size); // who leaves no room, where a step had no solution

#endif
