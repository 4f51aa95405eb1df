// SPDX-License-Identifier: MIT
// What the two files about one contact share.
#ifndef TALUS_DELASSUS_LOCAL_H
#define TALUS_DELASSUS_LOCAL_H

#include "delassus/delassus.h"

// iterate.c: the laws of a contact by Newton's method on all of them, then by projections. For rolling, and
// where nothing else works.
void delassus_contact_iterate(const delassus_contact *contact, const double *b, double *r);

#endif
