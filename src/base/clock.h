// SPDX-License-Identifier: MIT
#ifndef TALUS_BASE_CLOCK_H
#define TALUS_BASE_CLOCK_H

#include <time.h>

// Seconds, from some moment on.
static inline double clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

#endif
