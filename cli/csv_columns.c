// SPDX-License-Identifier: MIT
// Reads a whole CSV file. A last line without its end, as a killed run may leave it, is left out.
#include "csv_columns.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 1 << 30 }; // bytes that are kept in memory

static char *read_all(const char *path, size_t *length, talus_error *error)
{
	FILE *file = file_read_stream(path, TABLE_MOST);
	if (!file) {
		error_set(error, "cannot read \"%s\": %s", path, file_reason(errno));
		return NULL;
	}
	size_t capacity = 1 << 16, used = 0, got;
	char *text = memory_grow(NULL, 0, capacity);
	while ((got = fread(text + used, 1, capacity - 1 - used, file)) > 0) {
		used += got;
		if (used + 1 < capacity)
			continue;
		text = memory_grow(text, used, 2*capacity);
		capacity *= 2;
	}
	bool failed = ferror(file);
	fclose(file);
	text[used] = '\0';
	*length = used;
	if (!failed)
		return text;
	error_set(error, "cannot read \"%s\": %s", path, strerror(errno));
	memory_free(text);
	return NULL;
}

// Ends the field at `at` and returns where the next one of the line starts, or NULL.
static char *end_field(char *at)
{
	char *comma = strchr(at, ',');
	if (comma)
		*comma = '\0';
	return comma ? comma + 1 : NULL;
}

static void read_names(csv_table *t, char *line)
{
	size_t count = 1;
	for (const char *c = line; *c; c++)
		count += *c == ',';
	t->columns = count;
	t->name = memory_grow(NULL, 0, (count + 1)*sizeof *t->name);
	for (size_t k = 0; k < count; k++) {
		t->name[k] = line;
		line = end_field(line);
	}
	t->name[count] = NULL;
}

static void read_row(csv_table *t, char *line, double *value)
{
	for (size_t k = 0; k < t->columns; k++) {
		value[k] = NAN;
		if (!line)
			continue;
		char *next = end_field(line), *end;
		double number = strtod(line, &end);
		if (end > line && (*end == '\0' || *end == ' ') && isfinite(number))
			value[k] = number;
		line = next;
	}
}

// Cuts the line at `at` out of the text and returns where the next one starts; NULL if it has no end.
static char *end_line(char *at)
{
	char *end = strchr(at, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	if (end > at && end[-1] == '\r')
		end[-1] = '\0';
	return end + 1;
}

csv_table *csv_read(const char *path, talus_error *error)
{
	size_t length;
	char *text = read_all(path, &length, error);
	if (!text)
		return NULL;
	char *next = end_line(text);
	if (!next || !*text) {
		memory_free(text);
		error_set(error, "\"%s\" does not start with the names of its columns", path);
		return NULL;
	}
	csv_table *t = memory_grow(NULL, 0, sizeof *t);
	*t = (csv_table){.text = text};
	read_names(t, text);
	size_t capacity = 0;
	for (char *line = next; (next = end_line(line)) != NULL; line = next) {
		if (!*line)
			continue;
		if (t->rows == capacity) {
			size_t wanted = memory_capacity(capacity, t->rows + 1), row = t->columns*sizeof *t->value;
			t->value = memory_grow(t->value, t->rows*row, wanted*row);
			capacity = wanted;
		}
		read_row(t, line, t->value + t->rows*t->columns);
		t->rows++;
	}
	return t;
}

void csv_free(csv_table *t)
{
	if (!t)
		return;
	memory_free(t->name);
	memory_free(t->value);
	memory_free(t->text);
	memory_free(t);
}

int csv_find(const csv_table *t, const char *name)
{
	for (size_t k = 0; k < t->columns; k++)
		if (strcmp(t->name[k], name) == 0)
			return (int)k;
	return -1;
}
