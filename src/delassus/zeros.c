// SPDX-License-Identifier: MIT
// Memory that begins as zeros.
#include "delassus/work.h"

#include "base/memory.h"

#include <string.h>

void *delassus_zeros(size_t count, size_t size)
{
	void *block = memory_grow(NULL, 0, count*size + 1);
	memset(block, 0, count*size);
	return block;
}
