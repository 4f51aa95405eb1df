// SPDX-License-Identifier: MIT
// Distributions of radii.
#ifndef TALUS_SIZES_H
#define TALUS_SIZES_H

#include <talus/talus.h>

// Draws a radius from numbers *counter, *counter + 1, ... of the stream, and moves the counter on.
double sizes_draw(const talus_sizes *sizes, int dimension, uint64_t stream, uint64_t *counter);
double sizes_most(const talus_sizes *sizes); // no radius is larger
double sizes_least(const talus_sizes *sizes); // none is smaller

#endif
