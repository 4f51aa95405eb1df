// SPDX-License-Identifier: MIT
// Whether something still goes on in a world.
#ifndef TALUS_RUN_REST_H
#define TALUS_RUN_REST_H

#include <talus/talus.h>

bool rest_deserted(const talus_world *world); // no grain that could move is left, and none is to come
bool rest_reached(const talus_world *world, double limit); // all are there, and slower than that

#endif
