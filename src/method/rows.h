// SPDX-License-Identifier: MIT
// What contact dynamics makes of the contacts of a step: a row for each, and more for those that are not plain.
#ifndef TALUS_METHOD_ROWS_H
#define TALUS_METHOD_ROWS_H

#include "collide/contacts.h"

typedef struct friction_limits { // mu_stick and mu_slide of a talus_extended
	double stick, slide;
} friction_limits;

typedef struct contact_rows {
	size_t capacity, extended_capacity, friction_capacity, full_mass_capacity;
	talus_row *row;
	talus_extended *extended;       // of contacts from `plain` on
	friction_limits *friction;  // of the same, as laws have set it: sweeps settle on one of the two
	talus_full_mass *full_mass; // of contacts from `round` on
} contact_rows;

void rows_reserve(contact_rows *rows, const contacts *contacts); // what was there is lost
void rows_free(contact_rows *rows);

#endif
