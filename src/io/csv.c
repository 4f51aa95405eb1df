// SPDX-License-Identifier: MIT
// Grains from a CSV file. Every cell must be one finite number: what is doubtful is refused with its place.
#include "io/csv.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 16 }; // bytes
enum { X, Y, Z, RADIUS, VX, VY, VZ, WX, WY, WZ, QUANTITIES };
static const char *const quantities[] = {"x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz", NULL};

typedef struct table {
	const char *path;
	int dimension;
	talus_error *error;
	int line;
	int columns, quantity[QUANTITIES]; // what stands in each column
	talus_grain_def *grains;
	size_t count, capacity;
} table;

// Cuts the next cell off the row, without the blanks around it. Its column counts from 1.
static char *next_cell(char **rest, const char *row, int *column)
{
	char *cell = *rest, *comma = strchr(cell, ',');
	*rest = comma ? comma + 1 : NULL;
	if (comma)
		*comma = 0;
	cell += strspn(cell, " \t");
	*column = (int)(cell - row) + 1;
	size_t length = strlen(cell);
	while (length && strchr(" \t", cell[length - 1]))
		cell[--length] = 0;
	return cell;
}

// ---------------------------------------------------------------- the first row

static bool read_name(table *t, const char *name, int column)
{
	int quantity = 0;
	while (quantities[quantity] && strcmp(quantities[quantity], name))
		quantity++;
	if (quantity == QUANTITIES) {
		const char *near = *name ? nearest_name(name, quantities) : NULL;
		if (near)
			return error_at(t->error, t->path, t->line, column,
				"unknown column `%.80s`; did you mean `%s`?", name, near);
		return error_at(t->error, t->path, t->line, column,
			"unknown column `%.80s`; the first row must name columns among "
			"x,y,z,radius,vx,vy,vz,wx,wy,wz",
			name);
	}
	for (int i = 0; i < t->columns; i++) {
		if (t->quantity[i] == quantity)
			return error_at(t->error, t->path, t->line, column, "the column `%s` stands twice",
				name);
	}
	t->quantity[t->columns++] = quantity;
	return true;
}

static bool read_header(table *t, char *row)
{
	bool there[QUANTITIES] = {0};
	for (char *rest = row; rest;) {
		int column;
		const char *name = next_cell(&rest, row, &column);
		if (!read_name(t, name, column))
			return false;
		there[t->quantity[t->columns - 1]] = true;
	}
	const int needed[] = {X, Y, RADIUS, Z};
	for (int i = 0; i < (t->dimension == 2 ? 3 : 4); i++) {
		if (!there[needed[i]])
			return error_at(t->error, t->path, t->line, 1, "the column `%s` is missing",
				quantities[needed[i]]);
	}
	return true;
}

// ---------------------------------------------------------------- the other rows

static bool check_number(table *t, int quantity, const char *cell, double number, int column)
{
	bool flat = quantity == Z || quantity == VZ || quantity == WX || quantity == WY;
	const char *name = quantities[quantity];
	if (!isfinite(number))
		return error_at(t->error, t->path, t->line, column,
			"`%s` must be a finite number, but is %.80s", name, cell);
	if (quantity == RADIUS && number <= 0)
		return error_at(t->error, t->path, t->line, column,
			"`radius` must be greater than 0, but is %.80s", cell);
	if (fabs(number) > 1e20 || (quantity == RADIUS && number < 1e-20)) // as in a scene
		return error_at(t->error, t->path, t->line, column, "`%s` must be %s, or numbers computed from it get lost; "
			"choose other units: it is %.80s", name, fabs(number) > 1e20 ? "at most 1e+20" : "at least 1e-20", cell);
	if (t->dimension == 2 && flat && number != 0)
		return error_at(t->error, t->path, t->line, column, "`%s` must be 0 in 2D, but is %.80s",
			name, cell);
	return true;
}

static bool read_row(table *t, char *row)
{
	double value[QUANTITIES] = {0};
	int cells = 0, column = 1;
	for (char *rest = row; rest; cells++) {
		char *cell = next_cell(&rest, row, &column), *end;
		if (cells == t->columns)
			return error_at(t->error, t->path, t->line, column,
				"the row has more cells than the %d of the first row", t->columns);
		int quantity = t->quantity[cells];
		double number = strtod(cell, &end);
		if (!*cell || *end || strpbrk(cell, "xX"))
			return error_at(t->error, t->path, t->line, column,
				"`%s` must be a number, but is `%.80s`", quantities[quantity], cell);
		if (!check_number(t, quantity, cell, number, column))
			return false;
		value[quantity] = number;
	}
	if (cells < t->columns)
		return error_at(t->error, t->path, t->line, column,
			"the row has %d cells, but the first row has %d", cells, t->columns);
	if (t->count == t->capacity) {
		size_t capacity = memory_capacity(t->capacity, t->count + 1);
		t->grains = memory_grow(t->grains, t->count*sizeof *t->grains, capacity*sizeof *t->grains);
		t->capacity = capacity;
	}
	t->grains[t->count++] = (talus_grain_def){
		.at = {value[X], value[Y], value[Z]},
		.radius = value[RADIUS],
		.velocity = {value[VX], value[VY], value[VZ]},
		.spin = {value[WX], value[WY], value[WZ]},
		.free = TALUS_FREE_ALL,
	};
	return true;
}

static bool read_rows(table *t, FILE *file)
{
	char *memory = NULL;
	size_t room = 0;
	bool ok = true;
	for (ssize_t length; ok && (length = getline(&memory, &room, file)) >= 0;) {
		char *row = memory;
		t->line++;
		if (strlen(row) != (size_t)length) {
			ok = error_at(t->error, t->path, t->line, (int)strlen(row) + 1,
				"the character NUL has no place in a CSV file");
			break;
		}
		if (length > LINE_MOST) {
			ok = error_at(t->error, t->path, t->line, LINE_MOST, "the line is too long; the most are %d characters",
				LINE_MOST);
			break;
		}
		row[strcspn(row, "\r\n")] = 0;
		if (t->line == 1 && !strncmp(row, "\xef\xbb\xbf", 3)) // a byte order mark
			row += 3;
		if (row[strspn(row, " \t")])
			ok = t->columns ? read_row(t, row) : read_header(t, row);
	}
	free(memory);
	if (ok && !t->count)
		return error_at(t->error, t->path, t->line ? t->line : 1, 1,
			t->columns ? "there are no grains below the first row" : "the file is empty");
	return ok;
}

bool csv_parse_grains(const char *path, const char *bytes, size_t size, int dimension, talus_grain_def **grains, size_t *count,
	talus_error *error)
{
	table t = {.path = path, .dimension = dimension, .error = error};
	FILE *file = fmemopen((void *)bytes, size, "rb");
	// numbers are written with a point whatever the language of the program around us
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!file || !plain)
		memory_lost();
	locale_t old = uselocale(plain);
	bool ok = read_rows(&t, file);
	uselocale(old);
	freelocale(plain);
	fclose(file);
	if (!ok) {
		memory_free(t.grains);
		t.grains = NULL;
		t.count = 0;
	}
	*grains = t.grains;
	*count = t.count;
	return ok;
}

// ---------------------------------------------------------------- the file

// Holes of a file read as NUL, and may be larger than the memory.
static bool is_csv(const char *bytes, size_t size, size_t fresh, size_t *line)
{
	size_t tail = 0; // of the last line
	while (tail < fresh && bytes[size - 1 - tail] != '\n')
		tail++;
	*line = tail < fresh ? tail : *line + fresh;
	return !memchr(bytes + size - fresh, 0, fresh) && *line <= LINE_MOST;
}

static bool bytes_read(int file, char **bytes, size_t *size)
{
	size_t room = 1 << 16, line = 0;
	*size = 0;
	*bytes = malloc(room);
	for (;;) {
		if (!*bytes)
			memory_lost();
		ssize_t got = read(file, *bytes + *size, room - *size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		*size += (size_t)got;
		if (got == 0 || !is_csv(*bytes, *size, (size_t)got, &line))
			return true;
		if (*size == room)
			*bytes = realloc(*bytes, room *= 2);
	}
}

bool csv_read_bytes(const char *path, char **bytes, size_t *size)
{
	struct stat status;
	*bytes = NULL;
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe must not make us wait
	if (file < 0)
		return false;
	bool plain = fstat(file, &status) == 0 && S_ISREG(status.st_mode), ok = plain && bytes_read(file, bytes, size);
	int reason = plain ? errno : ENOTSUP;
	close(file);
	if (!ok) {
		free(*bytes);
		*bytes = NULL;
	}
	errno = reason;
	return ok;
}

const char *csv_reason(int number)
{
	return number == ENOTSUP ? "it is not a file" : strerror(number);
}

bool csv_read_grains(const char *path, int dimension, talus_grain_def **grains, size_t *count,
	talus_error *error)
{
	char *bytes;
	size_t size;
	if (!csv_read_bytes(path, &bytes, &size))
		return error_at(error, path, 0, 0, "the file cannot be opened: %s", csv_reason(errno));
	bool ok = csv_parse_grains(path, bytes, size, dimension, grains, count, error);
	free(bytes);
	return ok;
}
