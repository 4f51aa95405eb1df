// SPDX-License-Identifier: MIT
// What the two files about one contact share.
#ifndef TALUS_CONE_LOCAL_H
#define TALUS_CONE_LOCAL_H

#include "delassus/delassus.h"

// iterate.c: the laws of a contact by Newton's method on all of them, then by projections. For rolling, and
// where nothing else works.
void cone_contact_iterate(const cone_contact *contact, const double *b, double *r);

#endif
