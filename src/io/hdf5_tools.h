// SPDX-License-Identifier: MIT
// The few things that all HDF5 files here need: silence, sentences, datasets that grow, and files whose writer was killed.
#ifndef TALUS_IO_HDF5_TOOLS_H
#define TALUS_IO_HDF5_TOOLS_H

#include "io/hdf5_disk.h"
#include "io/hdf5_mark.h"
#include <hdf5.h>
#include <talus/talus.h>

// HDF5 prints its errors unless told not to. Between begin and end it keeps the first reason instead.
typedef struct hdf_quiet {
	H5E_auto2_t report; // what was set before
	void *data;
	int number; // errno of the first failure, 0 if the system did not complain
	char text[160];
} hdf_quiet;
void hdf_quiet_begin(hdf_quiet *quiet);
void hdf_quiet_end(const hdf_quiet *quiet);

// False, with "cannot DOING: REASON" about the file; the reason is the system's if HDF5 met one, else HDF5's own.
// Only between begin and end.
bool hdf_error(talus_error *error, const char *path, const char *doing);

// Opening and closing. Closing a file closes all that was opened in it.
hid_t hdf_file_create(const char *path);         // in place of what was there, links included
hid_t hdf_file_create_growing(const char *path); // the same, where no block of metadata crosses the border of a page
hid_t hdf_file_create_old(const char *path);     // the same in HDF5's oldest layout, which every reader knows
hid_t hdf_file_change(const char *path);         // one of these, to be written to; never through a link
hid_t hdf_file_view(const char *path, disk_view view); // for reading, as it is or was; nothing is ever written
hid_t hdf_file_open(const char *path, unsigned flags); // anybody's
// Ends writing: all that is in memory goes to the disk. After a failure, here or before (`ok`), a file that was there
// before is left as it was.
bool hdf_file_close_written(hid_t file, bool ok);
// For reading, also when the last writer was killed. Below 0, with a sentence, if that fails.
hid_t hdf_file_open_read(const char *path, talus_error *error);

enum { HDF_RANK_MAX = 3 };

// A dataset that grows along its first direction, `chunk` rows of it at a time; its other extents are fixed.
typedef struct hdf_shape {
	int rank;
	hsize_t size[HDF_RANK_MAX]; // size[0] is ignored on creation
	hsize_t chunk[HDF_RANK_MAX];
	bool compressed; // chunk by chunk
} hdf_shape;
bool hdf_set_create(hid_t place, const char *path, hid_t type, const hdf_shape *shape, const void *fill);
bool hdf_set_shape(hid_t set, hdf_shape *shape);
bool hdf_set_grow(hid_t set, hsize_t rows);
bool hdf_set_put(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, const void *data);
bool hdf_set_get(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, void *data);

// A dataset written once, rows x width (width 1: one direction only), with checksums, and read back if it has that size.
bool hdf_table_write(hid_t place, const char *path, hid_t type, hsize_t rows, hsize_t width, const void *data);
bool hdf_table_read(hid_t place, const char *path, hid_t type, hsize_t rows, hsize_t width, void *data);
bool hdf_table_rows(hid_t place, const char *path, hsize_t *rows);

// Attributes.
bool hdf_note_write(hid_t place, const char *name, hid_t type, hsize_t count, const void *data);
bool hdf_note_read(hid_t place, const char *name, hid_t type, hsize_t count, void *data);
bool hdf_text_write(hid_t place, const char *name, const char *text);
bool hdf_text_read(hid_t place, const char *name, char *text, size_t size);
hid_t hdf_text_type(size_t size); // a text of at most size - 1 bytes; to be closed

bool hdf_group_create(hid_t place, const char *path); // with the groups above it

#endif
