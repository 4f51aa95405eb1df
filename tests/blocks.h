// SPDX-License-Identifier: MIT
// Problems made by hand, cut into blocks: contacts of each kind block by block, blocks colour by colour.
#ifndef TALUS_TESTS_BLOCKS_H
#define TALUS_TESTS_BLOCKS_H

#include <talus/extend.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The number of every block when colours come one after the other.
static inline void blocks_number(talus_blocks *cut, const int *colour, uint32_t blocks, uint32_t *number)
{
	uint32_t next = 0;
	for (int c = 0; c < TALUS_COLOURS; c++) {
		cut->colour[c] = next;
		for (uint32_t b = 0; b < blocks; b++)
			if (colour[b] == c)
				number[b] = next++;
	}
	cut->colour[TALUS_COLOURS] = cut->count = next;
}

// `count` rows of so many bytes, row i from row from[i].
static inline void blocks_move(void *rows, size_t size, const uint32_t *from, size_t count)
{
	char *old = malloc(count*size + 1);
	if (count)
		memcpy(old, rows, count*size);
	for (size_t i = 0; i < count; i++)
		memcpy((char *)rows + i*size, old + from[i]*size, size);
	free(old);
}

// Sorts the contacts, each with the block that is given for it, each block with a colour. The problem keeps what it gets until
// blocks_forget.
static inline void blocks_give(talus_problem *p, const uint32_t *block, const int *colour, uint32_t blocks)
{
	const size_t end[TALUS_CLASSES + 1] = {0, p->class_end[TALUS_COULOMB], p->class_end[TALUS_EXTENDED], p->contacts};
	uint32_t *number = calloc(blocks + 1, sizeof *number), *first = calloc((blocks + 1)*TALUS_CLASSES, sizeof *first);
	uint32_t *from = calloc(p->contacts + 1, sizeof *from), next = 0;
	uint64_t *name = calloc(blocks + 1, sizeof *name);
	p->blocks = (talus_blocks){.first = first, .name = name};
	blocks_number(&p->blocks, colour, blocks, number);
	for (uint32_t b = 0; b < blocks; b++)
		name[number[b]] = b;
	for (size_t k = 0; k < TALUS_CLASSES; k++) {
		for (uint32_t b = 0; b <= blocks; b++) {
			first[TALUS_CLASSES*b + k] = next;
			for (size_t i = end[k]; i < end[k + 1] && b < blocks; i++)
				if (number[block[i]] == b)
					from[next++] = (uint32_t)i;
		}
	}
	blocks_move((void *)(uintptr_t)p->contact, sizeof *p->contact, from, p->contacts); // its own, in a test
	blocks_move(p->row, sizeof *p->row, from, p->contacts);
	blocks_move(p->p, sizeof *p->p, from, p->contacts);
	for (size_t i = p->class_end[TALUS_COULOMB]; i < p->contacts; i++)
		from[i] -= (uint32_t)p->class_end[TALUS_COULOMB];
	if (p->extended) {
		blocks_move(p->extended, sizeof *p->extended, from + p->class_end[TALUS_COULOMB], p->contacts - p->class_end[TALUS_COULOMB]);
		blocks_move(p->q, sizeof *p->q, from + p->class_end[TALUS_COULOMB], p->contacts - p->class_end[TALUS_COULOMB]);
	}
	for (size_t i = p->class_end[TALUS_EXTENDED]; i < p->contacts; i++)
		from[i] -= (uint32_t)(p->class_end[TALUS_EXTENDED] - p->class_end[TALUS_COULOMB]);
	if (p->full_mass)
		blocks_move(p->full_mass, sizeof *p->full_mass, from + p->class_end[TALUS_EXTENDED], p->contacts - p->class_end[TALUS_EXTENDED]);
	free(number);
	free(from);
}

static inline void blocks_forget(talus_problem *p)
{
	free((void *)(uintptr_t)p->blocks.first);
	free((void *)(uintptr_t)p->blocks.name);
	p->blocks = (talus_blocks){0};
}

#endif
