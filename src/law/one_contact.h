// SPDX-License-Identifier: MIT
// One contact alone, with a full block W: u = W r + b, volume exclusion and friction. Components are (N, T) in 2D and
// (N, T1, T2) in 3D.
#ifndef TALUS_LAW_ONE_CONTACT_H
#define TALUS_LAW_ONE_CONTACT_H

#include <talus/extend.h>

typedef enum one_contact_case {
	ONE_OPEN, ONE_STICKS, ONE_SLIDES,
	ONE_PARADOX, // it neither sticks nor slides (Painleve): r is the answer that is the least wrong
} one_contact_case;

void one_contact_init(talus_one_contact *contact, int size, const double *w); // w: size*size, row by row

// r: first guess in, whose friction says where it slides; answer out, exact but for rounding. Without a first guess (all 0), or where that
// leads nowhere, of several ways to slide the fastest.
one_contact_case one_contact_solve(const talus_one_contact *contact, double mu, const double *b, double *r);

// What stops it, inside the cone or not. False if nothing does.
bool one_contact_stick(const talus_one_contact *contact, const double *b, double *r);

// The inverse of a block, of up to five rows: false if it is singular.
bool block_invert(int size, const double *w, double *inverse);
// Digits that rounding takes from W^-1 b: more than about two? And what is left of W r + b then, pushed away in the same way.
bool block_is_rough(int size, const double *w, const double *inverse);
void block_refine(int size, const double *w, const double *inverse, const double *b, double *r);

#endif
