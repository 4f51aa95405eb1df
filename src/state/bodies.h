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
	vec3 *steady;        // `force` without what a function adds within a step; NULL unless there is one
} bodies;

// A column of grains, described once: who grows, sorts, saves, shows or hashes them all goes through this table.
typedef enum body_type { BODY_REAL, BODY_U32, BODY_I32, BODY_U16, BODY_U8 } body_type;

typedef struct body_column {
	const char *name; // of its table in the checkpoint
	const char *meaning, *unit;
	size_t offset; // of the pointer, in struct bodies
	body_type type;
	int width;         // numbers a row
	double start[4];   // of a grain that nobody gave another value, and of files from before the column was there
	const char *frame; // its name in frames; NULL: it is not there
	double no_grain;   // in frames: where there is no grain
	bool hashed;       // part of talus_world_hash, in the order of the table; numbers of 8 bytes only
	bool later;        // files without it are older ones
} body_column;

enum { BODY_COLUMNS = 14 };
extern const body_column body_columns[BODY_COLUMNS];
size_t body_column_bytes(const body_column *column); // of a row
void *body_column_rows(const bodies *bodies, const body_column *column);
void body_column_start(const bodies *bodies, const body_column *column, size_t first, size_t last); // these rows get what it starts with

#define BODIES_IDS 0x80000000u // how many there are: keys of contacts have 31 bits for one (contact.c)
uint32_t bodies_add(bodies *bodies, const talus_grain_def *def, int dimension, double density); // returns the id
void bodies_reserve(bodies *bodies, size_t capacity);
size_t bodies_remove_outside(bodies *bodies, const talus_box *box, const cell *cell, int dimension,
                             parallel *team); // returns how many

size_t bodies_remove_marked(bodies *bodies, const uint8_t *marked); // a byte per row; returns how many
void bodies_keep_steady(bodies *bodies, bool keep); // has the column `steady` or not

// Row i becomes what row order[i] was. Goes column by column, through room for one.
enum { BODIES_WIDEST = 32 }; // bytes a row of the widest column
void bodies_reorder(bodies *bodies, const uint32_t *order, void *room, parallel *team);
void bodies_reorder_column(void *rows, size_t size, size_t count, const uint32_t *order, void *room, parallel *team);

void bodies_free(bodies *bodies);

double bodies_mean_radius(const bodies *bodies, parallel *team);
bool bodies_partly_locked(const bodies *bodies, size_t i, int dimension); // some, not all, translations are free

#endif
