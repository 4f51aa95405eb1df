// SPDX-License-Identifier: MIT
// Small blocks come from malloc. Large ones are mappings of their own: they go back to the system when freed, grow without a
// copy (the pages move, so that old and new are never there together), and get huge pages, which a step over
// millions of grains needs to find its way through memory quickly.
#define _GNU_SOURCE // mremap
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(MREMAP_FIXED) && defined(MADV_HUGEPAGE) && !defined(__SANITIZE_ADDRESS__)
#define MAPPINGS 1 // the address sanitizer watches malloc only
#else
#define MAPPINGS 0
#endif

enum { HEAD = 64, PAGE = 4096, LARGE = 1 << 20, HUGE_PAGE = 2 << 20, HUGE_FROM = 4 << 20 };

// In the line before a block.
typedef struct head {
	size_t mapped; // bytes of the mapping that begins here, 0: from malloc
} head;

static head *head_of(void *block)
{
	return (head *)((char *)block - HEAD);
}

static size_t round_up(size_t size, size_t unit)
{
	return (size + unit - 1)/unit*unit;
}

__attribute__((weak)) _Noreturn void memory_exhausted(size_t size)
{
	if (size)
		fprintf(stderr, "talus: out of memory: %zu bytes cannot be had\n", size);
	else
		fputs("talus: out of memory\n", stderr);
	abort();
}

_Noreturn void memory_lost(void)
{
	memory_exhausted(0);
}

static void *got(void *block, size_t size)
{
	if (!block)
		memory_exhausted(size);
	return block;
}

// ---------------------------------------------------------------- mappings

#if MAPPINGS
// At a multiple of a huge page: asks for more, and gives back what sticks out.
static char *map(size_t length)
{
	size_t more = length + HUGE_PAGE;
	char *all = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return got(NULL, length);
	char *start = all + (round_up((uintptr_t)all, HUGE_PAGE) - (uintptr_t)all);
	if (start > all)
		munmap(all, (size_t)(start - all));
	if (start + length < all + more)
		munmap(start + length, (size_t)(all + more - (start + length)));
	return start;
}

// All of it, since what is advised differently counts as two mappings and cannot grow. The end that does not fill a
// huge page has small ones. A system without huge pages says no, and nothing is lost.
static void *mapped(char *start, size_t length)
{
	if (length >= HUGE_FROM)
		madvise(start, length, MADV_HUGEPAGE);
	((head *)(void *)start)->mapped = length;
	return start + HEAD;
}

static void *mapping_resize(head *old, size_t length)
{
	char *start = mremap(old, old->mapped, length, 0); // in place, if there is room behind it
	if (start == MAP_FAILED)
		start = mremap(old, old->mapped, length, MREMAP_MAYMOVE | MREMAP_FIXED, map(length));
	return mapped(start == MAP_FAILED ? got(NULL, length) : start, length);
}
#endif

static void *take(size_t size)
{
#if MAPPINGS
	if (size >= LARGE) {
		size_t length = round_up(size + HEAD, PAGE);
		return mapped(map(length), length);
	}
#endif
	size_t whole = round_up(size + HEAD, HEAD);
	head *h = got(aligned_alloc(HEAD, whole), whole);
	h->mapped = 0;
	return (char *)h + HEAD;
}

// ---------------------------------------------------------------- blocks

void *memory_grow(void *block, size_t old_size, size_t size)
{
#if MAPPINGS
	if (block && head_of(block)->mapped && size >= LARGE)
		return mapping_resize(head_of(block), round_up(size + HEAD, PAGE));
#endif
	void *fresh = take(size);
	if (block)
		memcpy(fresh, block, old_size < size ? old_size : size);
	memory_free(block);
	return fresh;
}

void memory_free(void *block)
{
	if (!block)
		return;
	head *h = head_of(block);
	if (h->mapped)
		munmap(h, h->mapped);
	else
		free(h);
}

size_t memory_capacity(size_t now, size_t needed)
{
	size_t more = now + now/2;
	return more < 16 ? (needed < 16 ? 16 : needed) : more < needed ? needed : more;
}

void *memory_room(void *block, size_t *capacity, size_t needed, size_t entry)
{
	if (needed <= *capacity)
		return block;
	*capacity = memory_capacity(*capacity, needed);
	return memory_grow(block, 0, *capacity*entry);
}

// ---------------------------------------------------------------- a block for all

void *memory_borrow(memory_pool *pool, size_t size)
{
	if (size > pool->size) {
		memory_free(pool->block);
		pool->size = memory_capacity(pool->size, size);
		pool->block = memory_grow(NULL, 0, pool->size);
	}
	return pool->block;
}
