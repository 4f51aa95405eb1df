// SPDX-License-Identifier: MIT
// Do threads pay? Where every piece of work gives the same whoever does it, one may find out by doing some alone and some together. At first
// both ways are tried. When together one gets on no better than alone, since somebody else wants the processors, one tries alone again;
// whoever goes alone tries from time to time whether that is over.
#ifndef TALUS_BASE_PAYOFF_H
#define TALUS_BASE_PAYOFF_H

#include <stdbool.h>

typedef struct payoff {
	bool alone;           // the next piece of work
	bool tries;           // to see whether that is better than the way that was taken so far
	bool known;           // both ways were tried before
	int pieces;           // of the stretch at hand, with their seconds and their size
	double seconds, size;
	double usual, other;  // seconds a size: of the way that is taken, and of the other one, as they were last found
	int slow;             // stretches in a row in which the other way seemed better
	double since, wait;   // seconds since the last try, and until the next
} payoff;

// A piece has been done as `alone` says.
void payoff_note(payoff *p, double seconds, double size);

void payoff_settle(payoff *p); // together, whatever is found

#endif
