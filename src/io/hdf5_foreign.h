// SPDX-License-Identifier: MIT
// HDF5 files that somebody else has made, perhaps with bad intent.
#ifndef TALUS_IO_HDF5_FOREIGN_H
#define TALUS_IO_HDF5_FOREIGN_H

#include "io/hdf5_tools.h"

// Looks at every link and every dataset of an open file before anything is read: nothing may lead out of the file (external
// links and storage, virtual datasets), need a plugin, have a number type other than plain integers and floats, or be larger
// than a file of this size can hold. Texts and compound types are left alone: whoever reads them looks at them.
// False with a sentence. Only between hdf_quiet_begin and end.
bool hdf_foreign_check(hid_t file, const char *path, talus_error *error);

// Opens a file for reading, checks it and, if `contents`, reads all of its numbers once and forgets them. For a child process
// (cli/apart.h): where HDF5 itself does not survive a damaged file, this is where it shows.
bool hdf_foreign_try(const char *path, bool contents, talus_error *error);

#endif
