// SPDX-License-Identifier: MIT
// The images of walls that show in a periodic cell.
#ifndef TALUS_DRAW_IMAGES_H
#define TALUS_DRAW_IMAGES_H

#include "io/files.h"

// The same frame with walls that are the frame's own and its images; only `wall` is new, to be given back with memory_free.
frame images_shown(const frame *frame);

#endif
