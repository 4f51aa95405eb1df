// SPDX-License-Identifier: MIT
// A copy of what can be seen of a world, from which frames are written. The public part comes first; what tables add to it stands
// behind, so that a new column of grains or a new observable needs nothing here.
#ifndef TALUS_OBSERVE_SNAPSHOT_H
#define TALUS_OBSERVE_SNAPSHOT_H

#include "observe/observable.h"
#include "state/bodies.h"

typedef struct snapshot {
	talus_snapshot shown;
	void *grain[BODY_COLUMNS];     // rows in the order of the ids; NULL: neither shown nor in frames
	observable_list list;          // that frames have in this dimension
	void *found[OBSERVABLES_MOST]; // of these, as in their measurements
} snapshot;

// What was measured already is not measured again. `what`: TALUS_SNAPSHOT_...
snapshot *snapshot_take(observations *seen, unsigned what);
void snapshot_free(snapshot *snapshot);
const void *snapshot_found(const snapshot *snapshot, const observable *observable); // NULL: it is not there

#endif
