// SPDX-License-Identifier: MIT
// What goes wrong is told when it happens, each kind once; the end of a run tells how often, and how bad it was.
#ifndef TALUS_RUN_ALARM_H
#define TALUS_RUN_ALARM_H

#include <talus/talus.h>

enum { ALARM_CAPPED, ALARM_FLOOR, ALARM_OVERLAP, ALARM_KICKS, ALARM_PARADOX, ALARM_CRUSH, ALARM_AUDIT, ALARMS };

typedef struct alarms {
	bool told[ALARMS];
} alarms;

void alarms_ring(talus_run *run); // after a step

// What is worth a word at the end, and on the way.
extern const double alarm_overlap; // mean diameters
bool alarm_is_serious(const talus_world *world, double error); // far above what was asked for
bool alarm_broken(const talus_world *world, const double error[], int *what, double *promised); // an audit, by what the rule promises

#endif
