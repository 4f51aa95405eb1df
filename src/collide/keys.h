// SPDX-License-Identifier: MIT
// Keys of cells: the depth of the level, then the bits of the three coordinates by turns (a Morton curve), so that
// cells that are near in space are near in the order of their keys.
#ifndef TALUS_COLLIDE_KEYS_H
#define TALUS_COLLIDE_KEYS_H

#include <stdint.h>

enum { KEY_BITS = 20, KEY_DEPTHS = 16 }; // bits of a coordinate, levels

static inline uint64_t key_spread(uint64_t v) // 20 bits to every third bit
{
	v = (v | v << 32) & 0x001f00000000ffffu;
	v = (v | v << 16) & 0x001f0000ff0000ffu;
	v = (v | v << 8) & 0x100f00f00f00f00fu;
	v = (v | v << 4) & 0x10c30c30c30c30c3u;
	return (v | v << 2) & 0x1249249249249249u;
}

static inline uint64_t key_compact(uint64_t v)
{
	v &= 0x1249249249249249u;
	v = (v | v >> 2) & 0x10c30c30c30c30c3u;
	v = (v | v >> 4) & 0x100f00f00f00f00fu;
	v = (v | v >> 8) & 0x001f0000ff0000ffu;
	v = (v | v >> 16) & 0x001f00000000ffffu;
	return (v | v >> 32) & 0xfffffu;
}

static inline uint64_t key_of(int32_t depth, const int32_t c[3])
{
	return (uint64_t)depth << 60 | key_spread((uint32_t)c[0]) | key_spread((uint32_t)c[1]) << 1 |
	       key_spread((uint32_t)c[2]) << 2;
}

static inline int32_t key_depth(uint64_t key)
{
	return (int32_t)(key >> 60);
}

static inline void key_coordinates(uint64_t key, int32_t c[3])
{
	for (int k = 0; k < 3; k++)
		c[k] = (int32_t)key_compact(key >> k);
}

#endif
