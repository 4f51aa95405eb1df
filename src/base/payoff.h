// SPDX-License-Identifier: MIT
// Do threads pay? Where every piece of work gives the same whoever does it, one may find out by doing some alone and some together. All
// are at work first. When together they take clearly longer than they did, since somebody else wants the processors, one tries alone;
// whoever goes alone tries from time to time whether that is over.
#ifndef TALUS_BASE_PAYOFF_H
#define TALUS_BASE_PAYOFF_H

#include <stdbool.h>

typedef struct payoff {
	bool alone;           // the next piece of work
	bool tries;           // to see whether that is better than it was
	bool known;           // it was compared before
	int pieces;           // of the stretch at hand, with their seconds and their size
	double seconds, size;
	double usual;         // seconds a size, of the way that was found better
	double since, wait;   // seconds until the next try
} payoff;

// A piece has been done as `alone` says.
void payoff_note(payoff *p, double seconds, double size);

#endif
