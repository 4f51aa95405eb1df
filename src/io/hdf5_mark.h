// SPDX-License-Identifier: MIT
// The first bytes of Talus' HDF5 files: is a file whole, and has a killed writer of an earlier version left its mark?
#ifndef TALUS_IO_HDF5_MARK_H
#define TALUS_IO_HDF5_MARK_H

#include <talus/talus.h>

bool hdf_file_is_whole(const char *path, talus_error *error); // or false, with a sentence
bool hdf_file_is_marked(const char *path);
// Takes the mark off in memory. Returns the length that the file should then have, 0 if there is no mark.
uint64_t hdf_superblock_unmark(unsigned char *block, uint64_t size);

#endif
