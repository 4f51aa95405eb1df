// SPDX-License-Identifier: MIT
// Numbers about all rows of a table: sums, counts and largest ones. They do not depend on the order of the rows, nor on how many threads
// look at them.
#ifndef TALUS_BASE_TOTALS_H
#define TALUS_BASE_TOTALS_H

#include "base/parallel.h"

#include <stdint.h>

enum { TOTALS_ROWS = 128, TOTALS_SUMS = 14, TOTALS_COUNTS = 4, TOTALS_MOST = 6 };

typedef struct totals {
	double sum[TOTALS_SUMS];
	uint64_t count[TOTALS_COUNTS];
	double most[TOTALS_MOST]; // of no rows: minus infinity
} totals;

// What is to be filled in about rows first..last, at most TOTALS_ROWS and from a multiple of it on: terms of the sums, 0 unless they are set, row by row from `first` on; counts
// and largest ones go on from what they were.
typedef struct totals_part {
	double term[TOTALS_SUMS][TOTALS_ROWS];
	uint64_t count[TOTALS_COUNTS];
	double most[TOTALS_MOST];
} totals_part;

typedef void totals_look(void *job, size_t first, size_t last, totals_part *part);

// Of 0..rows; `sums`: how many of the sums are asked for.
totals totals_of(parallel *team, size_t rows, int sums, totals_look *look, void *job);

#endif
