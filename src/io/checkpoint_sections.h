// SPDX-License-Identifier: MIT
// What a checkpoint knows of its scene.
#ifndef TALUS_IO_CHECKPOINT_SECTIONS_H
#define TALUS_IO_CHECKPOINT_SECTIONS_H

#include <talus/talus.h>

// `run`, `output` and the title are not among them, nor are grains that were there at the start: these are in the tables.
enum { OF_GRAVITY, OF_SOLVER, OF_CELL, OF_DOMAIN, OF_MATERIALS, OF_CONTACTS, OF_WALLS, OF_POURS, SECTIONS };
extern const char *const checkpoint_section_names[SECTIONS];

void checkpoint_sections(const talus_world *world, uint64_t section[SECTIONS]); // as its scene has given it

// Of them, the laws between materials: `pairs` structs of this size that begin like talus_pair, and go on with doubles.
void checkpoint_hash_pairs(uint64_t *hash, const void *first, size_t pairs, size_t size);

#endif
