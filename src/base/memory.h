// SPDX-License-Identifier: MIT
// Memory that only grows. Running out of it is the one thing that ends the process (with a sentence and an abort):
// the last checkpoint is on disk, and there is nothing to be saved that would not need more.
#ifndef TALUS_BASE_MEMORY_H
#define TALUS_BASE_MEMORY_H

#include <stddef.h>

// A block of at least `size` bytes at a multiple of 64, with the old content kept. Frees and moves as realloc does.
void *memory_grow(void *block, size_t old_size, size_t size);
void memory_free(void *block);

// What happens when there is none left: weak, so that the program may end in its own way. 0: nobody knows how much was asked for.
_Noreturn void memory_exhausted(size_t size);
_Noreturn void memory_lost(void); // the same, of 0

// The next capacity: at least `needed`, half as much again as now.
size_t memory_capacity(size_t now, size_t needed);

// Room for `needed` entries, content not kept: the block itself if there is enough, else a larger one.
void *memory_room(void *block, size_t *capacity, size_t needed, size_t entry);

// One block that the stages of a step borrow in turn, so that their scratch is there once and not once each. What is
// in it is good until the next one borrows.
typedef struct memory_pool {
	size_t size;
	void *block;
} memory_pool;

void *memory_borrow(memory_pool *pool, size_t size);

#endif
