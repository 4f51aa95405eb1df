// SPDX-License-Identifier: MIT
// What the public functions keep in a world between calls: why the last one refused, and copies and orders that they hand out.
#ifndef TALUS_API_API_H
#define TALUS_API_API_H

#include "world.h"

typedef struct api_copies { // made for a generation
	uint64_t generation;
	size_t count, capacity;
	void *at;
} api_copies;

typedef struct api_row {
	uint32_t id, row;
} api_row;

struct world_api {
	talus_error error; // no text: the last call was not refused
	// a generation ends with a step, and with whatever else changes the world
	uint64_t generation, step;
	bool changed;
	api_copies contacts, walls;
	talus_force_function function; // from outside
	bool asking; // it is being called: the step is under way
	bool told_by; // a run is calling
	void *context;
	// rows by id, good until grains come, go or change places
	uint64_t rows_step;
	size_t rows_count, rows_capacity;
	bool rows_known;
	api_row *rows;
};

struct world_api *api_of(const talus_world *world); // made when it is asked for the first time
talus_error *api_error(const talus_world *world);   // empty, to put a sentence into, which talus_world_error then shows
// Before a call that changes a world: forgets why the last one was refused. False, with a sentence: a step is under way.
bool api_may_change(talus_world *world);
bool api_may_step(talus_world *world); // nor from the callback of a run
void api_changed(talus_world *world);               // columns that were handed out are not good any more
void api_grains_changed(talus_world *world);        // nor are the rows by id
void api_free(struct world_api *api);

const api_row *api_rows(const talus_world *world);          // of all grains, by id
int64_t api_row_of(const talus_world *world, uint32_t id);  // -1: there is no such grain

#endif
