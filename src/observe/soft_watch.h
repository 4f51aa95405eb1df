// SPDX-License-Identifier: MIT
// What a run remembers of whether its grains are rigid.
#ifndef TALUS_OBSERVE_SOFT_WATCH_H
#define TALUS_OBSERVE_SOFT_WATCH_H

#include <stdint.h>

// What whoever runs a world knows about it so far: looks running that found it soft, the step at which that was enough (0: never),
// and what it was then. It is no part of the world: looking changes nothing.
typedef struct soft_watch {
	uint64_t looks, step, grains, sweeps;
	double size, reach, overlap; // in diameters
} soft_watch;

#endif
