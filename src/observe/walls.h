// SPDX-License-Identifier: MIT
// Observables that every wall has, for the log, the summary and programs.
#ifndef TALUS_OBSERVE_WALLS_H
#define TALUS_OBSERVE_WALLS_H

#include <talus/talus.h>

typedef struct wall_observable { // a vector
	const char *name;       // in the summary
	const char *meaning, *unit;
	const char *columns[3]; // in the log, behind "wall.NAME."
	size_t offset;          // in talus_wall_state
	int summary;            // place in the summary, from 1
} wall_observable;

enum { WALL_OBSERVABLES = 3, WALL_COLUMN_MAX = TALUS_NAME_MAX + 16 };
extern const wall_observable wall_observables[WALL_OBSERVABLES]; // in the order of the log
const wall_observable *wall_observable_of_summary(int place);

talus_vec3 wall_observable_value(const wall_observable *o, const talus_world *world, int wall);
void wall_observable_column(const wall_observable *o, const talus_world *world, int wall, int k, char name[WALL_COLUMN_MAX]);
// "wall.NAME.fx" or "wall.NAME.force": its numbers; returns how many, 0 if there is no such thing.
size_t wall_observable_find(const talus_world *world, const char *name, double values[3]);

#endif
