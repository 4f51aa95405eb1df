// SPDX-License-Identifier: MIT
// The audit: now and then the problem of a step is solved on until it no longer changes, and what the step had found is compared with that. How
// often is counted in contact updates, so it is the same everywhere and after a resume.
#ifndef TALUS_AUDIT_H
#define TALUS_AUDIT_H

#include <talus/talus.h>

enum { AUDIT_BINS = 16*16 };

typedef struct audit {
	uint64_t count, unfinished; // of audits; those that were not done with what may be spent are not counted
	uint64_t updates;  // spent on them
	uint64_t last;     // step
	double next;       // sweeps that must be there before the next one
	double error[TALUS_AUDITED], largest[TALUS_AUDITED];
	uint64_t largest_step[TALUS_AUDITED];
	uint64_t bin[TALUS_AUDITED][AUDIT_BINS]; // how many errors of about that size
} audit;

bool audit_due(const talus_world *world); // before a step: is it to be audited?
void audit_step(talus_world *world);      // after its solve

#endif
