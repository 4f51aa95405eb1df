// SPDX-License-Identifier: MIT
// Reads contact problems. A matrix is a group: m rows, n columns, and nz, which tells how its entries are stored: by
// column (-1), by row (-2), or one by one (their number). Nothing in a file is believed: lengths, indices and values
// are looked at before they are used.
//
// Of entries one by one, p is the column and i the row, as programs write them; FCLIB's own header has it the other
// way round. A matrix that is not square tells which is meant, and the others of the file follow it.
#include "io/fclib.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/hdf5_foreign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
	const char *path;
	hid_t place;     // the group of the problem
	const char *name; // of that group
	bool swapped;    // of entries one by one, p is the row
	talus_error *error;
} reader;

// ---------------------------------------------------------------- pieces

static bool refuse(const reader *in, const char *what, const char *trouble)
{
	return error_at(in->error, in->path, 0, 0, "%s/%s %s", in->name, what, trouble);
}

static bool exists(hid_t place, const char *name)
{
	char part[256];
	snprintf(part, sizeof part, "%s", name);
	for (char *slash = strchr(part, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (H5Lexists(place, part, H5P_DEFAULT) <= 0)
			return false;
		*slash = '/';
	}
	return H5Lexists(place, part, H5P_DEFAULT) > 0;
}

// Bytes that a column really has; 0 where it was declared but never written.
static hsize_t stored(hid_t place, const char *name)
{
	hid_t set = H5Dopen2(place, name, H5P_DEFAULT);
	hsize_t bytes = set >= 0 ? H5Dget_storage_size(set) : 0;
	if (set >= 0)
		H5Dclose(set);
	return bytes;
}

// HDF5 would make 3 of 3.7.
static bool is_whole(hid_t place, const char *name)
{
	hid_t set = H5Dopen2(place, name, H5P_DEFAULT), type = set >= 0 ? H5Dget_type(set) : -1;
	bool whole = type >= 0 && H5Tget_class(type) == H5T_INTEGER;
	if (type >= 0)
		H5Tclose(type);
	if (set >= 0)
		H5Dclose(set);
	return whole;
}

// A column of numbers, so many of them, or any number; NULL with a sentence. To be freed.
enum { ANY = -1 };
static void *column_read(const reader *in, const char *name, hid_t type, size_t width, long long wanted, size_t *count)
{
	hsize_t rows;
	if (!exists(in->place, name) || !hdf_table_rows(in->place, name, &rows)) {
		refuse(in, name, "is missing");
		return NULL;
	}
	if (wanted != ANY && rows != (hsize_t)wanted) {
		char trouble[96];
		snprintf(trouble, sizeof trouble, "has length %llu, but %lld is wanted", (unsigned long long)rows, wanted);
		refuse(in, name, trouble);
		return NULL;
	}
	if (H5Tget_class(type) == H5T_INTEGER && !is_whole(in->place, name)) {
		refuse(in, name, "does not hold whole numbers");
		return NULL;
	}
	// a damaged file may claim more than any memory holds
	bool there = wanted != ANY || rows == 0 || stored(in->place, name) >= rows;
	void *data = there ? memory_grow(NULL, 0, rows*width + 1) : NULL;
	if (!there || !hdf_table_read(in->place, name, type, rows, 1, data)) {
		memory_free(data);
		refuse(in, name, "cannot be read");
		return NULL;
	}
	*count = rows;
	return data;
}

static bool all_finite(const double *x, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

static double *reals_read(const reader *in, const char *name, long long wanted, size_t *count)
{
	double *x = column_read(in, name, H5T_NATIVE_DOUBLE, sizeof *x, wanted, count);
	if (!x || all_finite(x, *count))
		return x;
	memory_free(x);
	refuse(in, name, "holds what is not a number");
	return NULL;
}

// So many numbers into a place that is there.
static bool reals_into(const reader *in, const char *name, size_t count, double *x)
{
	double *read = reals_read(in, name, (long long)count, &count);
	if (read)
		memcpy(x, read, count*sizeof *x);
	memory_free(read);
	return read != NULL;
}

static bool integer_read(const reader *in, const char *name, int *number)
{
	size_t count;
	int *read = column_read(in, name, H5T_NATIVE_INT, sizeof *read, 1, &count);
	if (read)
		*number = *read;
	memory_free(read);
	return read != NULL;
}

// ---------------------------------------------------------------- matrices

typedef struct matrix {
	int rows, columns, kind; // nz
	int *p, *i;
	double *x;
	size_t p_count, i_count, x_count;
} matrix;

static void matrix_free(matrix *m)
{
	memory_free(m->p);
	memory_free(m->i);
	memory_free(m->x);
}

static bool matrix_load(const reader *in, const char *name, matrix *m)
{
	char path[64];
	memset(m, 0, sizeof *m);
	struct {
		const char *name;
		int *number;
	} numbers[] = {{"m", &m->rows}, {"n", &m->columns}, {"nz", &m->kind}};
	for (int k = 0; k < 3; k++) {
		snprintf(path, sizeof path, "%s/%s", name, numbers[k].name);
		if (!integer_read(in, path, numbers[k].number))
			return false;
	}
	if (m->rows < 0 || m->columns < 0 || m->kind < -2)
		return refuse(in, name, "is no matrix: its numbers of rows and columns or its kind make no sense");
	snprintf(path, sizeof path, "%s/p", name);
	m->p = column_read(in, path, H5T_NATIVE_INT, sizeof *m->p, ANY, &m->p_count);
	snprintf(path, sizeof path, "%s/i", name);
	m->i = m->p ? column_read(in, path, H5T_NATIVE_INT, sizeof *m->i, ANY, &m->i_count) : NULL;
	snprintf(path, sizeof path, "%s/x", name);
	m->x = m->i ? reals_read(in, path, ANY, &m->x_count) : NULL;
	return m->x != NULL;
}

static bool below(const int *number, size_t count, int limit)
{
	for (size_t k = 0; k < count; k++)
		if (number[k] < 0 || number[k] >= limit)
			return false;
	return true;
}

static void entries_init(sparse_entries *entries, const matrix *m, size_t count)
{
	*entries = (sparse_entries){.rows = (size_t)m->rows, .columns = (size_t)m->columns, .count = count};
	entries->row = memory_grow(NULL, 0, count*sizeof *entries->row + 1);
	entries->column = memory_grow(NULL, 0, count*sizeof *entries->column + 1);
	entries->value = memory_grow(NULL, 0, count*sizeof *entries->value + 1);
	memcpy(entries->value, m->x, count*sizeof *entries->value);
}

static bool from_triplets(reader *in, const char *name, const matrix *m, sparse_entries *entries)
{
	size_t count = (size_t)m->kind;
	if (m->p_count < count || m->i_count < count || m->x_count < count)
		return refuse(in, name, "has fewer entries than it says");
	bool usual = below(m->p, count, m->columns) && below(m->i, count, m->rows);
	bool other = below(m->p, count, m->rows) && below(m->i, count, m->columns);
	if (!usual && !other)
		return refuse(in, name, "has entries outside of it");
	if (usual != other)
		in->swapped = other;
	entries_init(entries, m, count);
	for (size_t k = 0; k < count; k++) {
		entries->row[k] = (uint32_t)(in->swapped ? m->p : m->i)[k];
		entries->column[k] = (uint32_t)(in->swapped ? m->i : m->p)[k];
	}
	return true;
}

// By rows or by columns: entries p[k] to p[k + 1] belong to line k.
static bool from_lines(const reader *in, const char *name, const matrix *m, sparse_entries *entries)
{
	bool by_row = m->kind == -2;
	size_t lines = (size_t)(by_row ? m->rows : m->columns);
	bool right = m->p_count == lines + 1 && m->p[0] == 0;
	for (size_t k = 0; k < lines && right; k++)
		right = m->p[k] <= m->p[k + 1];
	size_t count = right ? (size_t)m->p[lines] : 0;
	if (!right || m->i_count < count || m->x_count < count)
		return refuse(in, name, "is damaged: its rows do not follow one another");
	if (!below(m->i, count, by_row ? m->columns : m->rows))
		return refuse(in, name, "has entries outside of it");
	entries_init(entries, m, count);
	for (size_t k = 0; k < lines; k++)
		for (size_t at = (size_t)m->p[k]; at < (size_t)m->p[k + 1]; at++) {
			entries->row[at] = by_row ? (uint32_t)k : (uint32_t)m->i[at];
			entries->column[at] = by_row ? (uint32_t)m->i[at] : (uint32_t)k;
		}
	return true;
}

// What the matrix says of its entries, where it does.
static bool room_check(const reader *in, const char *name, const matrix *m, size_t count)
{
	char path[64];
	int most = 0;
	snprintf(path, sizeof path, "%s/nzmax", name);
	if (!exists(in->place, path))
		return true;
	if (!integer_read(in, path, &most))
		return false;
	return (most >= 0 && (size_t)most >= count && (size_t)most <= m->x_count) ||
	       refuse(in, path, "is not the number of the matrix's entries");
}

static bool matrix_read(reader *in, const char *name, size_t rows, size_t columns, sparse_entries *entries)
{
	matrix m;
	memset(entries, 0, sizeof *entries);
	bool ok = matrix_load(in, name, &m);
	if (ok && ((size_t)m.rows != rows || (size_t)m.columns != columns)) {
		char trouble[128];
		snprintf(trouble, sizeof trouble, "is %d x %d, but %zu x %zu is wanted", m.rows, m.columns, rows, columns);
		ok = refuse(in, name, trouble);
	}
	ok = ok && (m.kind >= 0 ? from_triplets(in, name, &m, entries) : from_lines(in, name, &m, entries)) &&
	     room_check(in, name, &m, entries->count);
	if (!ok)
		sparse_entries_free(entries);
	matrix_free(&m);
	return ok;
}

// ---------------------------------------------------------------- problems

static void title_read(const reader *in, char *title, size_t size)
{
	if (!exists(in->place, "info/title"))
		return;
	hid_t set = H5Dopen2(in->place, "info/title", H5P_DEFAULT);
	hid_t kind = set >= 0 ? H5Dget_type(set) : -1;
	hid_t type = H5Tcopy(H5T_C_S1);
	H5Tset_size(type, size);
	bool text = kind >= 0 && H5Tget_class(kind) == H5T_STRING && H5Tis_variable_str(kind) == 0;
	if (!text || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, title) < 0)
		title[0] = 0;
	title[size - 1] = 0;
	H5Tclose(type);
	if (kind >= 0)
		H5Tclose(kind);
	if (set >= 0)
		H5Dclose(set);
}

static bool not_negative(const reader *in, const char *name, const double *x, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (x[i] < 0)
			return refuse(in, name, "holds a friction below 0");
	return true;
}

// How many contacts, of which size, and their friction.
static bool frictions_read(const reader *in, bool rolling, delassus_problem *problem)
{
	int size = 0;
	size_t contacts;
	if (!integer_read(in, "spacedim", &size))
		return false;
	if (rolling ? size != 5 && size != 3 : size != 2 && size != 3)
		return refuse(in, "spacedim", rolling ? "is not 5" : "is neither 2 nor 3");
	double *mu = reals_read(in, "vectors/mu", ANY, &contacts);
	if (!mu)
		return false;
	delassus_problem_init(problem, rolling ? 5 : size, contacts);
	memcpy(problem->mu, mu, contacts*sizeof *mu);
	memory_free(mu);
	title_read(in, problem->title, sizeof problem->title);
	return not_negative(in, "vectors/mu", problem->mu, contacts) &&
	       (!rolling || (reals_into(in, "vectors/mu_r", contacts, problem->mu_roll) &&
	                     not_negative(in, "vectors/mu_r", problem->mu_roll, contacts)));
}

static bool without(const reader *in, const char *name)
{
	return !exists(in->place, name) ||
	       refuse(in, name, "is there: constraints beside the contacts are not supported, eliminate them first");
}

static bool local_read(reader *in, bool rolling, delassus_problem *problem)
{
	sparse_entries w;
	if (!without(in, "V") || !without(in, "R") || !frictions_read(in, rolling, problem))
		return false;
	size_t count = problem->contacts*(size_t)problem->size;
	bool ok = reals_into(in, "vectors/q", count, problem->q) && matrix_read(in, "W", count, count, &w);
	if (!ok)
		return false;
	delassus_problem_set_w(problem, &w);
	sparse_entries_free(&w);
	return true;
}

static bool global_read(reader *in, bool rolling, delassus_problem *problem)
{
	sparse_entries m = {0}, h = {0};
	size_t bodies;
	if (!without(in, "G") || !frictions_read(in, rolling, problem))
		return false;
	double *f = reals_read(in, "vectors/f", ANY, &bodies);
	if (!f)
		return false;
	size_t count = problem->contacts*(size_t)problem->size;
	double *w = memory_grow(NULL, 0, count*sizeof *w + 1);
	// H first: it tells the meaning of p
	bool ok = reals_into(in, "vectors/w", count, w) && matrix_read(in, "H", bodies, count, &h) &&
	          matrix_read(in, "M", bodies, bodies, &m) && delassus_condense(problem, &m, &h, f, w, in->error);
	if (!ok && !in->error->file[0])
		snprintf(in->error->file, sizeof in->error->file, "%s", in->path);
	sparse_entries_free(&m);
	sparse_entries_free(&h);
	memory_free(f);
	memory_free(w);
	return ok;
}

// ---------------------------------------------------------------- answers in the file

static bool solution_read(reader *in, fclib_file *file)
{
	size_t count = file->problem.contacts*(size_t)file->problem.size;
	// there are files whose solution was declared but never written
	bool there = exists(in->place, "solution/r") && exists(in->place, "solution/u");
	if (!there || (count && !stored(in->place, "solution/r")))
		return true;
	file->solution.r = memory_grow(NULL, 0, count*sizeof(double) + 1);
	file->solution.u = memory_grow(NULL, 0, count*sizeof(double) + 1);
	return reals_into(in, "solution/r", count, file->solution.r) &&
	       reals_into(in, "solution/u", count, file->solution.u);
}

static bool guesses_read(reader *in, fclib_file *file)
{
	size_t count = file->problem.contacts*(size_t)file->problem.size;
	int guesses = 0;
	if (!exists(in->place, "guesses/number_of_guesses"))
		return true;
	if (!integer_read(in, "guesses/number_of_guesses", &guesses))
		return false;
	for (int i = 0; i < guesses; i++) {
		char path[64];
		snprintf(path, sizeof path, "guesses/%d/r", i + 1);
		size_t now = file->guesses*count*sizeof(double);
		file->guess = memory_grow(file->guess, now, now + count*sizeof(double) + 1);
		if (!reals_into(in, path, count, file->guess + file->guesses*count))
			return false;
		file->guesses++;
	}
	return true;
}

// ---------------------------------------------------------------- the file

typedef struct kind {
	const char *group;
	bool rolling;
	bool (*read)(reader *in, bool rolling, delassus_problem *problem);
} kind;

static const kind kinds[] = {
	{"/fclib_local", false, local_read},
	{"/fclib_global", false, global_read},
	{"/fclib_rolling_local", true, local_read},
	{"/fclib_global_rolling", true, global_read},
};
enum { KINDS = sizeof kinds/sizeof kinds[0] };

static bool file_read(hid_t opened, const char *path, fclib_file *file, talus_error *error)
{
	for (int i = 0; i < KINDS; i++) {
		if (H5Lexists(opened, kinds[i].group + 1, H5P_DEFAULT) <= 0)
			continue;
		reader in = {.path = path, .name = kinds[i].group, .error = error};
		in.place = H5Gopen2(opened, kinds[i].group, H5P_DEFAULT);
		if (in.place < 0)
			return error_at(error, path, 0, 0, "%s is not a group", kinds[i].group);
		bool ok = kinds[i].read(&in, kinds[i].rolling, &file->problem);
		H5Gclose(in.place);
		in.place = opened;
		in.name = "";
		return ok && solution_read(&in, file) && guesses_read(&in, file);
	}
	return error_at(error, path, 0, 0, "holds no contact problem: there is no group /fclib_local or /fclib_global");
}

bool fclib_read(const char *path, fclib_file *file, talus_error *error)
{
	hdf_quiet quiet;
	memset(file, 0, sizeof *file);
	memset(error, 0, sizeof *error);
	hdf_quiet_begin(&quiet);
	hid_t opened = hdf_file_open(path, H5F_ACC_RDONLY);
	bool ok = opened >= 0;
	if (!ok && quiet.number)
		error_at(error, path, 0, 0, "cannot read the problem: %s", strerror(quiet.number));
	else if (!ok)
		error_at(error, path, 0, 0, "cannot read the problem: damaged, or not an HDF5 file (%s)", quiet.text);
	else
		ok = hdf_foreign_check(opened, path, error) && file_read(opened, path, file, error);
	if (opened >= 0)
		H5Fclose(opened);
	hdf_quiet_end(&quiet);
	if (!ok)
		fclib_free(file);
	return ok;
}

void fclib_free(fclib_file *file)
{
	delassus_problem_free(&file->problem);
	memory_free(file->solution.r);
	memory_free(file->solution.u);
	memory_free(file->guess);
	memset(file, 0, sizeof *file);
}
