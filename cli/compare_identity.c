// SPDX-License-Identifier: MIT
// Are two runs the same, bit for bit? Their ends by the hash of the state, their ways by the rows of the log.
#include "compare.h"

#include "info_summary.h"

#include <math.h>
#include <string.h>

static bool same_names(const csv_table *a, const csv_table *b)
{
	bool same = a->columns == b->columns;
	for (size_t k = 0; same && k < a->columns; k++)
		same = strcmp(a->name[k], b->name[k]) == 0;
	return same;
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_row(const csv_table *a, const csv_table *b, size_t row)
{
	bool same = true;
	for (size_t k = 0; same && k < a->columns; k++)
		same = same_number(csv_at(a, row, (int)k), csv_at(b, row, (int)k));
	return same;
}

// A log that goes on where the other one ends does not part from it.
static void logs_look(const csv_table *a, const csv_table *b, identity *found)
{
	if (!a || !b || !same_names(a, b))
		return;
	size_t rows = a->rows < b->rows ? a->rows : b->rows, row = 0;
	while (row < rows && same_row(a, b, row))
		row++;
	found->same_log = row == rows && a->rows == b->rows;
	if (row == rows && row > 0 && !found->same_log)
		found->same_until = csv_at(a, row - 1, column_time(a));
	if (row < rows)
		found->parting = fmin(csv_at(a, row, column_time(a)), csv_at(b, row, column_time(b)));
}

identity identity_find(const compared_run run[RUNS])
{
	identity found = {.end = SAME_UNKNOWN, .same_until = NAN, .parting = NAN};
	for (int r = A; r < RUNS; r++)
		info_text(run[r].summary, "state_hash", found.hash[r], sizeof found.hash[r]);
	if (*found.hash[A] && *found.hash[B])
		found.end = strcmp(found.hash[A], found.hash[B]) == 0 ? SAME_BITS : OTHER_BITS;
	logs_look(run[A].log, run[B].log, &found);
	return found;
}
