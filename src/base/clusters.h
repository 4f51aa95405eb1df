// SPDX-License-Identifier: MIT
// Who belongs together: union and find. Members are records of `size` bytes that begin with the number of their parent, a
// uint32_t, which is their own at first; the root of a cluster is its lowest number.
#ifndef TALUS_BASE_CLUSTERS_H
#define TALUS_BASE_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t *clusters_parent(void *all, size_t size, uint32_t i)
{
	return (uint32_t *)((char *)all + i*size);
}

static inline uint32_t clusters_root(void *all, size_t size, uint32_t i)
{
	for (uint32_t *parent; *(parent = clusters_parent(all, size, i)) != i;) {
		*parent = *clusters_parent(all, size, *parent);
		i = *parent;
	}
	return i;
}

static inline void clusters_join(void *all, size_t size, uint32_t a, uint32_t b)
{
	a = clusters_root(all, size, a);
	b = clusters_root(all, size, b);
	*clusters_parent(all, size, a > b ? a : b) = a > b ? b : a;
}

#endif
