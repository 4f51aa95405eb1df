// SPDX-License-Identifier: MIT
// The laws of a world, and the block of numbers that a contact has for them.
#ifndef TALUS_LAW_LAWS_H
#define TALUS_LAW_LAWS_H

#include "law/law.h"

enum { LAWS_MAX = 16, LAW_NUMBERS_MAX = 64 };
enum { NO_NUMBERS = -1, ABSENT = -2 }; // it has declared none; it has, but no pair of materials has the law

typedef struct law_set {
	int count;
	const contact_law *at[LAWS_MAX]; // in the order in which they run
	int first[LAWS_MAX];     // place of a law's numbers in the block; or NO_NUMBERS, or ABSENT
	int stride;              // numbers in a block
	double fresh[LAW_NUMBERS_MAX]; // block of a contact that was not there before
	uint32_t flags, passing; // of all laws, and those that a step forgets
} law_set;

void laws_init(law_set *set);                  // those that come with Talus
void laws_add(law_set *set, const contact_law *more); // runs last; before the first step
// Where numbers are follows from the laws that pairs of materials have. What contacts remember is moved along.
void laws_refresh(law_set *set, const talus_pair *pair, int pairs, contacts *contacts);

// A contact that is not plain, before the sweeps: what it aims at and its limits.
void laws_prepare(const law_set *set, contacts *contacts, size_t contact, talus_extended *extended, talus_row *row, const law_case *c);
// And after them. Returns the flags with those that are over with this step.
uint32_t laws_remember(const law_set *set, contacts *contacts, size_t contact, const law_outcome *outcome);

#endif
