// SPDX-License-Identifier: MIT
// Helpers around HDF5.
#include "io/hdf5_tools.h"

#include "base/error.h"
#include "io/files.h"
#include "io/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- what went wrong

// HDF5 hides the system's error number inside its own sentence: "..., errno = 28, error message = '...'".
static herr_t reason_look(unsigned depth, const H5E_error2_t *entry, void *data)
{
	hdf_quiet *quiet = data;
	const char *place = entry->desc ? strstr(entry->desc, "errno = ") : NULL;
	if (place && !quiet->number)
		quiet->number = atoi(place + 8);
	if (depth == 0 && entry->desc && !quiet->text[0])
		snprintf(quiet->text, sizeof quiet->text, "%s", entry->desc);
	return 0;
}

// Called by HDF5 when one of its functions fails: the only moment at which its reasons are at hand.
static herr_t reason_keep(hid_t stack, void *data)
{
	return H5Ewalk2(stack, H5E_WALK_UPWARD, reason_look, data);
}

void hdf_quiet_begin(hdf_quiet *quiet)
{
	memset(quiet, 0, sizeof *quiet);
	H5Eget_auto2(H5E_DEFAULT, &quiet->report, &quiet->data);
	H5Eset_auto2(H5E_DEFAULT, reason_keep, quiet);
}

void hdf_quiet_end(const hdf_quiet *quiet)
{
	H5Eset_auto2(H5E_DEFAULT, quiet->report, quiet->data);
}

bool hdf_error(talus_error *error, const char *path, const char *doing)
{
	H5E_auto2_t report = NULL;
	void *data = NULL;
	H5Eget_auto2(H5E_DEFAULT, &report, &data);
	const hdf_quiet *quiet = report == reason_keep ? data : NULL;
	if (quiet && quiet->number)
		return error_at(error, path, 0, 0, "cannot %s: %s", doing, file_reason(quiet->number));
	const char *text = quiet && quiet->text[0] ? quiet->text : "unexpected content";
	if (strstr(text, "memory allocation failed") || strstr(text, "unable to allocate"))
		return error_at(error, path, 0, 0, "cannot %s: out of memory", doing);
	return error_at(error, path, 0, 0, "cannot %s: damaged, or not a file of Talus (%s)", doing, text);
}

// ---------------------------------------------------------------- files

// The newest format carries checksums. HDF5's own locks are left alone: they would stop a run as soon as somebody looks at
// its frames.
static hid_t file_access(bool newest)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	if (newest)
		H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
	H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
	H5Pset_file_locking(access, 0, 1);
	return access;
}

static hid_t create(const char *path, bool newest, hid_t creation)
{
	hid_t access = file_access(newest);
	hid_t file = disk_set(access, DISK_AS_IS) ? H5Fcreate(path, H5F_ACC_TRUNC, creation, access) : -1;
	H5Pclose(access);
	return file;
}

hid_t hdf_file_create(const char *path)
{
	return create(path, true, H5P_DEFAULT);
}

hid_t hdf_file_create_old(const char *path)
{
	return create(path, false, H5P_DEFAULT);
}

hid_t hdf_file_create_growing(const char *path)
{
	hid_t creation = H5Pcreate(H5P_FILE_CREATE);
	H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
	H5Pset_file_space_page_size(creation, JOURNAL_PAGE);
	hid_t file = create(path, true, creation);
	H5Pclose(creation);
	return file;
}

static hid_t own_open(const char *path, unsigned flags, disk_view view)
{
	hid_t access = file_access(true);
	hid_t file = disk_set(access, view) ? H5Fopen(path, flags, access) : -1;
	H5Pclose(access);
	return file;
}

hid_t hdf_file_change(const char *path)
{
	return own_open(path, H5F_ACC_RDWR, DISK_AS_IS);
}

hid_t hdf_file_view(const char *path, disk_view view)
{
	return own_open(path, H5F_ACC_RDONLY, view);
}

hid_t hdf_file_open(const char *path, unsigned flags)
{
	hid_t access = file_access(true);
	hid_t file = H5Fopen(path, flags, access);
	H5Pclose(access);
	return file;
}

hid_t hdf_file_open_read(const char *path, talus_error *error)
{
	if (!hdf_file_is_whole(path, error))
		return -1;
	hid_t file = hdf_file_view(path, DISK_AS_IS);
	if (file < 0)
		hdf_error(error, path, "read");
	return file;
}

bool hdf_file_close_written(hid_t file, bool ok)
{
	ok = ok && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
	if (!ok)
		disk_discard(file);
	return H5Fclose(file) >= 0 && ok;
}

// ---------------------------------------------------------------- datasets

bool hdf_group_create(hid_t place, const char *path)
{
	hid_t links = H5Pcreate(H5P_LINK_CREATE);
	H5Pset_create_intermediate_group(links, 1);
	hid_t group = H5Gcreate2(place, path, links, H5P_DEFAULT, H5P_DEFAULT);
	H5Pclose(links);
	return group >= 0 && H5Gclose(group) >= 0;
}

static bool set_create(hid_t place, const char *path, hid_t type, const hdf_shape *shape, bool grows, bool checksum,
                       const void *fill, const void *data)
{
	hsize_t now[HDF_RANK_MAX], most[HDF_RANK_MAX];
	memcpy(now, shape->size, sizeof now);
	memcpy(most, shape->size, sizeof most);
	if (grows) {
		now[0] = 0;
		most[0] = H5S_UNLIMITED;
		for (int k = 1; k < shape->rank; k++) // chunks have at least one row, even of an array that never has any
			most[k] = now[k] ? now[k] : H5S_UNLIMITED;
	}
	hid_t links = H5Pcreate(H5P_LINK_CREATE), creation = H5Pcreate(H5P_DATASET_CREATE);
	hid_t space = H5Screate_simple(shape->rank, now, most);
	H5Pset_create_intermediate_group(links, 1);
	if (shape->chunk[0])
		H5Pset_chunk(creation, shape->rank, shape->chunk);
	if (shape->compressed) {
		H5Pset_shuffle(creation); // first bytes with first bytes: exponents are alike
		H5Pset_deflate(creation, 4);
	}
	if (checksum)
		H5Pset_fletcher32(creation);
	if (fill)
		H5Pset_fill_value(creation, type, fill);
	hid_t set = H5Dcreate2(place, path, type, space, links, creation, H5P_DEFAULT);
	bool ok = set >= 0 && (!data || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Sclose(space);
	H5Pclose(creation);
	H5Pclose(links);
	return ok && H5Dclose(set) >= 0;
}

bool hdf_set_create(hid_t place, const char *path, hid_t type, const hdf_shape *shape, const void *fill)
{
	return set_create(place, path, type, shape, true, false, fill, NULL);
}

bool hdf_set_shape(hid_t set, hdf_shape *shape)
{
	hid_t space = H5Dget_space(set);
	if (space < 0)
		return false;
	memset(shape, 0, sizeof *shape);
	shape->rank = H5Sget_simple_extent_ndims(space);
	bool ok = shape->rank > 0 && shape->rank <= HDF_RANK_MAX;
	ok = ok && H5Sget_simple_extent_dims(space, shape->size, NULL) == shape->rank;
	H5Sclose(space);
	return ok;
}

bool hdf_set_grow(hid_t set, hsize_t rows)
{
	hdf_shape shape;
	if (!hdf_set_shape(set, &shape))
		return false;
	shape.size[0] = rows;
	return H5Dset_extent(set, shape.size) >= 0;
}

// Opens the two spaces of a transfer: where in the file, and how much in memory.
static bool transfer(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, void *into, const void *from)
{
	hid_t space = H5Dget_space(set);
	if (space < 0)
		return false;
	int rank = H5Sget_simple_extent_ndims(space);
	hid_t memory = H5Screate_simple(rank, count, NULL);
	bool ok = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
	if (ok && from)
		ok = H5Dwrite(set, type, memory, space, H5P_DEFAULT, from) >= 0;
	else if (ok)
		ok = H5Dread(set, type, memory, space, H5P_DEFAULT, into) >= 0;
	H5Sclose(space);
	if (memory >= 0)
		H5Sclose(memory);
	return ok;
}

bool hdf_set_put(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, const void *data)
{
	return transfer(set, type, start, count, NULL, data);
}

bool hdf_set_get(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, void *data)
{
	return transfer(set, type, start, count, data, NULL);
}

// ---------------------------------------------------------------- tables

bool hdf_table_write(hid_t place, const char *path, hid_t type, hsize_t rows, hsize_t width, const void *data)
{
	hsize_t block = rows < 16384 ? rows : 16384;
	hdf_shape shape = {width > 1 ? 2 : 1, {rows, width}, {block, width}, false};
	return set_create(place, path, type, &shape, false, rows > 0, NULL, rows ? data : NULL);
}

bool hdf_table_read(hid_t place, const char *path, hid_t type, hsize_t rows, hsize_t width, void *data)
{
	hid_t set = H5Dopen2(place, path, H5P_DEFAULT);
	if (set < 0)
		return false;
	hdf_shape shape;
	bool ok = hdf_set_shape(set, &shape) && shape.rank == (width > 1 ? 2 : 1) && shape.size[0] == rows;
	ok = ok && (width == 1 || shape.size[1] == width);
	ok = ok && (!rows || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	return H5Dclose(set) >= 0 && ok;
}

bool hdf_table_rows(hid_t place, const char *path, hsize_t *rows)
{
	hid_t set = H5Dopen2(place, path, H5P_DEFAULT);
	if (set < 0)
		return false;
	hdf_shape shape;
	bool ok = hdf_set_shape(set, &shape);
	*rows = ok ? shape.size[0] : 0;
	return H5Dclose(set) >= 0 && ok;
}

// ---------------------------------------------------------------- attributes

bool hdf_note_write(hid_t place, const char *name, hid_t type, hsize_t count, const void *data)
{
	hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
	hid_t note = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	H5Sclose(space);
	bool ok = note >= 0 && H5Awrite(note, type, data) >= 0;
	return note >= 0 && H5Aclose(note) >= 0 && ok;
}

bool hdf_note_read(hid_t place, const char *name, hid_t type, hsize_t count, void *data)
{
	hid_t note = H5Aopen(place, name, H5P_DEFAULT);
	if (note < 0)
		return false;
	hid_t space = H5Aget_space(note);
	bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count && H5Aread(note, type, data) >= 0;
	if (space >= 0)
		H5Sclose(space);
	return H5Aclose(note) >= 0 && ok;
}

hid_t hdf_text_type(size_t size)
{
	hid_t type = H5Tcopy(H5T_C_S1);
	H5Tset_size(type, size);
	H5Tset_cset(type, H5T_CSET_UTF8);
	return type;
}

bool hdf_text_write(hid_t place, const char *name, const char *text)
{
	hid_t type = hdf_text_type(strlen(text) + 1);
	bool ok = hdf_note_write(place, name, type, 1, text);
	H5Tclose(type);
	return ok;
}

bool hdf_text_read(hid_t place, const char *name, char *text, size_t size)
{
	hid_t type = hdf_text_type(size);
	memset(text, 0, size);
	bool ok = hdf_note_read(place, name, type, 1, text);
	text[size - 1] = 0;
	H5Tclose(type);
	return ok;
}
