// SPDX-License-Identifier: MIT
// --sweep PATH=VALUES: values with commas between them; FROM:TO:COUNT, or FROM:TO:COUNT:log, stands for several
// numbers. Commas and colons in brackets and quotes belong to a value.
#include "sweep.h"
#include "base/memory.h"

#include "base/error.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep_range {
	char *word[4]; // from, to, count, how; the last may be NULL
	double from, to;
	int count;
	bool log;
} sweep_range;

// ---------------------------------------------------------------- a list of texts

static void value_add(sweep_axis *axis, const char *value)
{
	if ((axis->count & (axis->count - 1)) == 0) { // room for twice as many whenever a power of two is full
		size_t room = axis->count ? 2*(size_t)axis->count : 1;
		axis->set = realloc(axis->set, room*sizeof *axis->set);
		axis->value = realloc(axis->value, room*sizeof *axis->value);
	}
	size_t path = strlen(axis->path), size = path + strlen(value) + 2;
	char *set = malloc(size);
	if (!axis->set || !axis->value || !set)
		memory_lost();
	snprintf(set, size, "%s=%s", axis->path, value);
	axis->set[axis->count] = set;
	axis->value[axis->count++] = set + path + 1;
}

// The first such character outside of brackets and quotes, or the end of the text.
static char *outside(char *text, char wanted)
{
	int depth = 0;
	char quote = 0;
	for (; *text; text++) {
		if (quote) {
			quote = *text == quote ? 0 : quote;
		} else if (*text == '"' || *text == '\'') {
			quote = *text;
		} else if (*text == '{' || *text == '[') {
			depth++;
		} else if (*text == '}' || *text == ']') {
			depth--;
		} else if (*text == wanted && depth <= 0) {
			break;
		}
	}
	return text;
}

// Cuts off the part up to the next separator; *text is NULL after the last one.
static char *part_cut(char **text, char separator)
{
	char *part = *text, *end = outside(part, separator);
	*text = *end ? end + 1 : NULL;
	*end = 0;
	while (*part == ' ')
		part++;
	while (end > part && end[-1] == ' ')
		*--end = 0;
	return part;
}

// ---------------------------------------------------------------- ranges

static bool range_read(sweep_range *r, char *item, const char *label, talus_error *error)
{
	char *rest = item;
	int words = 0;
	char whole[256];
	snprintf(whole, sizeof whole, "%s", item);
	*r = (sweep_range){0};
	while (rest && words < 4)
		r->word[words++] = part_cut(&rest, ':');
	r->log = words == 4 && strcmp(r->word[3], "log") == 0;
	if (rest || words < 3 || (words == 4 && !r->log) || !text_to_double(r->word[0], &r->from) ||
	    !text_to_double(r->word[1], &r->to))
		return error_at(error, label, 0, 0, "`%s` is no range, which is FROM:TO:COUNT or "
		                "FROM:TO:COUNT:log with numbers, as in 1:10:5; a value with a colon in it needs brackets "
		                "or quotes", whole);
	if (!text_to_int(r->word[2], 2, SWEEP_MEMBERS_MOST, &r->count))
		return error_at(error, label, 0, 0, "the number of values in `%s` must be a whole number from 2 "
		                "to %d, not `%s`", whole, SWEEP_MEMBERS_MOST, r->word[2]);
	if (r->log && !(r->from > 0 && r->to > 0))
		return error_at(error, label, 0, 0, "the logarithmic range `%s` must have both ends above 0",
		                whole);
	return true;
}

// Both ends are as they were typed; twelve digits in between, so that a tenth of 1 is 0.1.
static void range_add(sweep_axis *axis, const sweep_range *r)
{
	for (int i = 0; i < r->count; i++) {
		double share = (double)i/(r->count - 1);
		double value = r->log ? r->from*pow(r->to/r->from, share) : r->from + (r->to - r->from)*share;
		char text[64];
		snprintf(text, sizeof text, "%.12g", value);
		double rounded = strtod(text, NULL);
		if (rounded == floor(rounded) && fabs(rounded) < 1e15)
			snprintf(text, sizeof text, "%.0f", rounded);
		value_add(axis, i == 0 ? r->word[0] : i == r->count - 1 ? r->word[1] : text);
	}
}

// ---------------------------------------------------------------- the option

static bool item_add(sweep_axis *axis, char *item, const char *label, talus_error *error)
{
	sweep_range range;
	if (!*item)
		return error_at(error, label, 0, 0, "a value is missing, at an end or between two commas");
	if (!*outside(item, ':')) {
		value_add(axis, item);
		return true;
	}
	if (!range_read(&range, item, label, error))
		return false;
	range_add(axis, &range);
	return true;
}

bool sweep_axis_read(sweep_axis *axis, const char *text, talus_error *error)
{
	char label[TALUS_PATH_MAX];
	snprintf(label, sizeof label, "--sweep %s", text);
	const char *equals = strchr(text, '=');
	*axis = (sweep_axis){0};
	if (!equals || equals == text)
		return error_at(error, label, 0, 0, "this must be PATH=VALUES, as in "
		                "solver.nsgs.stop.iterations=10,20,40");
	axis->path = strndup(text, (size_t)(equals - text));
	char *copy = strdup(equals + 1), *rest = copy;
	if (!axis->path || !copy)
		memory_lost();
	bool ok = true;
	while (ok && rest) {
		ok = item_add(axis, part_cut(&rest, ','), label, error);
		if (ok && axis->count > SWEEP_MEMBERS_MOST)
			ok = error_at(error, label, 0, 0, "more than %d values", SWEEP_MEMBERS_MOST);
	}
	free(copy);
	return ok;
}

void sweep_axis_free(sweep_axis *axis)
{
	for (int i = 0; i < axis->count; i++)
		free(axis->set[i]);
	free(axis->set);
	free(axis->value);
	free(axis->path);
}
