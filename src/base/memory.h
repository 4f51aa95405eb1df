// SPDX-License-Identifier: MIT
// Memory that only grows. Running out of it is the one thing that ends the process (with a sentence and an abort):
// the last checkpoint is on disk, and there is nothing to be saved that would not need more.
#ifndef TALUS_BASE_MEMORY_H
#define TALUS_BASE_MEMORY_H

#include <stddef.h>

// A block of at least `size` bytes at a multiple of 64, with the old content kept. Frees and moves as realloc does.
void *memory_grow(void *block, size_t old_size, size_t size);
void memory_free(void *block);

// The next capacity: at least `needed`, half as much again as now.
size_t memory_capacity(size_t now, size_t needed);

#endif
