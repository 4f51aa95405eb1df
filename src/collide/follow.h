// SPDX-License-Identifier: MIT
// The table of contacts follows grains and walls that come and go between steps.
#ifndef TALUS_COLLIDE_FOLLOW_H
#define TALUS_COLLIDE_FOLLOW_H

#include "collide/contacts.h"

#define CONTACTS_GONE UINT32_MAX

typedef struct contacts_move {
	size_t grains_before, grains;
	size_t walls_before, walls;
	const uint32_t *row_now; // of each grain that was there, or CONTACTS_GONE; NULL: all are where they were
} contacts_move;

void contacts_follow(contacts *contacts, const contacts_move *move);

#endif
