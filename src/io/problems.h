// SPDX-License-Identifier: MIT
// Contact problems of steps of a run, each a file of its own in the folder `problems` of the run, as FCLIB has them: with the
// impulses that the step has found, and with those that it started from as a first guess.
#ifndef TALUS_IO_PROBLEMS_H
#define TALUS_IO_PROBLEMS_H

#include <talus/talus.h>

typedef struct problems {
	size_t count, capacity; // contacts before the step
	struct problems_past *past;
	bool refused;    // the last problem could not be expressed,
	talus_error why; // and that is why
} problems;

// Before a step whose problem is to be written: where it starts from. After it: the file. A step without contacts has none.
void problems_before(problems *problems, talus_world *world);
bool problems_write(problems *problems, const char *folder, const talus_world *world, const char *title, talus_error *error);
void problems_truncate(const char *folder, uint64_t last_step); // removes those of later steps
void problems_free(problems *problems);

#endif
