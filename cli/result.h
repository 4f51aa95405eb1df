// SPDX-License-Identifier: MIT
// What is said at the end of a run: its numbers.
#ifndef TALUS_CLI_RESULT_H
#define TALUS_CLI_RESULT_H

#include <talus/talus.h>

void result_print(const talus_world *world, const char *title, const char *folder, double seconds);

#endif
