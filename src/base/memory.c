// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_grow(void *block, size_t old_size, size_t size)
{
	size_t whole = (size + 63)/64*64;
	void *fresh = aligned_alloc(64, whole ? whole : 64);
	if (!fresh) {
		fprintf(stderr, "talus: out of memory: %zu bytes cannot be had\n", whole);
		abort();
	}
	if (block)
		memcpy(fresh, block, old_size < size ? old_size : size);
	free(block);
	return fresh;
}

void memory_free(void *block)
{
	free(block);
}

size_t memory_capacity(size_t now, size_t needed)
{
	size_t more = now + now/2;
	return more < 16 ? (needed < 16 ? 16 : needed) : more < needed ? needed : more;
}
