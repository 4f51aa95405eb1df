// SPDX-License-Identifier: MIT
// A table of numbers from a CSV file whose first row names the columns.
#ifndef TALUS_CSV_COLUMNS_H
#define TALUS_CSV_COLUMNS_H

#include <talus/talus.h>

typedef struct csv_table {
	size_t columns, rows;
	char **name;   // ends with NULL
	double *value; // row by row; NAN where there is no number
	char *text;    // holds the names
} csv_table;

csv_table *csv_read(const char *path, talus_error *error);
void csv_free(csv_table *t);
int csv_find(const csv_table *t, const char *name); // -1: there is none

static inline double csv_at(const csv_table *t, size_t row, int column)
{
	return t->value[row*t->columns + (size_t)column];
}

#endif
