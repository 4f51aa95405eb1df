// SPDX-License-Identifier: MIT
// Writes contact problems as FCLIB does: every number as a column of length 1, texts as scalars, W by columns: FCLIB
// reads it by rows too, but its merit functions then take it for zero.
#include "io/fclib.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/files.h"
#include "io/hdf5_tools.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

// Plain columns: the library that reads them expects no chunks, and they may be empty.
static bool column_write(hid_t place, const char *name, hid_t stored, hid_t type, size_t count, const void *data)
{
	hsize_t rows = count;
	hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &rows, NULL);
	H5Pset_create_intermediate_group(links, 1);
	hid_t set = H5Dcreate2(place, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
	bool ok = set >= 0 && (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Pclose(links);
	H5Sclose(space);
	return set >= 0 && H5Dclose(set) >= 0 && ok;
}

static bool reals_write(hid_t place, const char *name, size_t count, const double *x)
{
	return column_write(place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, x);
}

static bool integers_write(hid_t place, const char *name, size_t count, const int *x)
{
	return column_write(place, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, x);
}

static bool text_write(hid_t place, const char *name, const char *text)
{
	hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
	H5Pset_create_intermediate_group(links, 1);
	H5Tset_size(type, strlen(text) + 1);
	hid_t set = H5Dcreate2(place, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
	bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
	H5Pclose(links);
	H5Sclose(space);
	H5Tclose(type);
	return set >= 0 && H5Dclose(set) >= 0 && ok;
}

// ---------------------------------------------------------------- W

typedef struct columns { // entries p[k] to p[k + 1] are those of column k, by rising rows
	int *p, *i;
	double *x;
	size_t lines, count;
} columns;

// Calls for every entry that is not zero, row by row: counts it, or puts it in its place.
static void columns_visit(const block_matrix *w, columns *out, bool put)
{
	size_t size = (size_t)w->size, area = size*size;
	for (size_t line = 0; line < w->rows*size; line++)
		for (size_t at = w->first[line/size]; at < w->first[line/size + 1]; at++)
			for (size_t k = 0; k < size; k++) {
				double value = w->value[at*area + line%size*size + k];
				int *next = &out->p[w->column[at]*size + k + 1];
				if (value == 0)
					continue;
				if (put) {
					out->i[*next] = (int)line;
					out->x[*next] = value;
				}
				++*next;
			}
}

static columns columns_of(const block_matrix *w)
{
	columns out = {.lines = w->rows*(size_t)w->size};
	int sum = 0;
	out.p = memory_grow(NULL, 0, (out.lines + 1)*sizeof *out.p);
	memset(out.p, 0, (out.lines + 1)*sizeof *out.p);
	columns_visit(w, &out, false);
	for (size_t k = 1; k <= out.lines; k++) { // where a column starts, for the moment
		int count = out.p[k];
		out.p[k] = sum;
		sum += count;
	}
	out.count = (size_t)sum;
	out.i = memory_grow(NULL, 0, out.count*sizeof *out.i + 1);
	out.x = memory_grow(NULL, 0, out.count*sizeof *out.x + 1);
	columns_visit(w, &out, true);
	return out;
}

static bool matrix_write(hid_t place, const block_matrix *w)
{
	columns m = columns_of(w);
	int lines = (int)m.lines, count = (int)m.count, kind = -1;
	bool ok = integers_write(place, "W/nzmax", 1, &count) && integers_write(place, "W/m", 1, &lines) &&
	          integers_write(place, "W/n", 1, &lines) && integers_write(place, "W/nz", 1, &kind) &&
	          integers_write(place, "W/p", m.lines + 1, m.p) && integers_write(place, "W/i", m.count, m.i) &&
	          reals_write(place, "W/x", m.count, m.x);
	memory_free(m.p);
	memory_free(m.i);
	memory_free(m.x);
	return ok;
}

// ---------------------------------------------------------------- the file

static bool problem_write(hid_t file, const delassus_problem *problem)
{
	bool rolling = problem->size == 5;
	const char *name = rolling ? "fclib_rolling_local" : "fclib_local";
	hid_t place = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	size_t count = problem->contacts*(size_t)problem->size;
	bool ok = place >= 0 && integers_write(place, "spacedim", 1, &problem->size) && matrix_write(place, &problem->w) &&
	          reals_write(place, "vectors/q", count, problem->q) &&
	          reals_write(place, "vectors/mu", problem->contacts, problem->mu) &&
	          (!rolling || reals_write(place, "vectors/mu_r", problem->contacts, problem->mu_roll)) &&
	          text_write(place, "info/title", problem->title) &&
	          text_write(place, "info/description", "written by talus") &&
	          text_write(place, "info/math_info", "u = W r + q; a contact's components are N, T1, T2");
	return place >= 0 && H5Gclose(place) >= 0 && ok;
}

static bool solution_write(hid_t file, const delassus_problem *problem, const delassus_solution *solution)
{
	size_t count = problem->contacts*(size_t)problem->size;
	return reals_write(file, "solution/r", count, solution->r) && reals_write(file, "solution/u", count, solution->u);
}

// HDF5's oldest layout, which every reader knows.
static bool all_write(const char *path, const delassus_problem *problem, const delassus_solution *solution)
{
	hid_t file = hdf_file_create_old(path);
	if (file < 0)
		return false;
	bool ok = problem_write(file, problem) && (!solution || solution_write(file, problem, solution));
	return hdf_file_close_written(file, ok);
}

bool fclib_write(const char *path, const delassus_problem *problem, const delassus_solution *solution, talus_error *error)
{
	char place[TALUS_PATH_MAX], part[TALUS_PATH_MAX];
	size_t area = (size_t)(problem->size*problem->size);
	if (problem->w.first[problem->contacts]*area > INT_MAX)
		return error_at(error, path, 0, 0, "cannot write the problem: it is too large for this kind of file");
	if (!file_place(place, path, error))
		return false;
	if ((size_t)snprintf(part, sizeof part, "%s.part", place) >= sizeof part)
		return error_at(error, path, 0, 0, "cannot write the problem: the path is too long");
	hdf_quiet quiet;
	hdf_quiet_begin(&quiet);
	bool ok = all_write(part, problem, solution) || hdf_error(error, path, "write the problem");
	hdf_quiet_end(&quiet);
	if (ok && rename(part, place) != 0)
		ok = error_at(error, path, 0, 0, "cannot write the problem: %s", strerror(errno));
	if (!ok)
		remove(part);
	return ok;
}
