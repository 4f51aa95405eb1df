// SPDX-License-Identifier: MIT
// Columns of grains: add, remove, put into another order.
#ifndef TALUS_BODY_H
#define TALUS_BODY_H

#include "base/parallel.h"
#include "base/vec.h"
#include "state/cell.h"
#include <talus/talus.h>

typedef struct bodies {
	size_t count, capacity;
	uint32_t next_id;
	vec3 *x, *v, *spin, *force;
	double (*q)[4];
	double *radius, *mass, *inertia;
	uint32_t *id;
	int32_t (*image)[3]; // how often it was wrapped, per direction
	uint16_t *material;
	uint8_t *free;
	vec3 *x_listed;      // where it was when the pair list was made
	double *skin;        // how far it may get from there before a new list is due
} bodies;

#define BODIES_IDS 0x80000000u // how many there are: keys of contacts have 31 bits for one (contact.c)
uint32_t bodies_add(bodies *bodies, const talus_grain_def *def, int dimension, double density); // returns the id
void bodies_reserve(bodies *bodies, size_t capacity);
size_t bodies_remove_outside(bodies *bodies, const talus_box *box, const cell *cell, int dimension,
                             parallel *team); // returns how many

// Row i becomes what row order[i] was. Goes column by column, through room for one.
enum { BODIES_WIDEST = 32 }; // bytes a row of the widest column
void bodies_reorder(bodies *bodies, const uint32_t *order, void *room, parallel *team);
void bodies_reorder_column(void *rows, size_t size, size_t count, const uint32_t *order, void *room, parallel *team);

void bodies_free(bodies *bodies);

double bodies_mean_radius(const bodies *bodies, parallel *team);
bool bodies_partly_locked(const bodies *bodies, size_t i, int dimension); // some, not all, translations are free

#endif
