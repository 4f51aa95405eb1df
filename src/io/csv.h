// SPDX-License-Identifier: MIT
// Grains from a table of numbers.
#ifndef TALUS_IO_CSV_H
#define TALUS_IO_CSV_H

#include <talus/talus.h>

// Columns x,y,z,radius[,vx,vy,vz,wx,wy,wz] in any order, named in the first row. In 2D z, vz, wx and wy may be
// left out and must be 0. The material of all grains is 0. The caller frees `grains`. On failure `error` says
// what and where.
bool csv_read_grains(
	const char *path, int dimension, talus_grain_def **grains, size_t *count, talus_error *error);

// The same in two steps, for those who want to keep the bytes. Only files are read: pipes and devices may never end.
// False with errno, ENOTSUP if it is none. Reading ends early where there is no CSV any more, which csv_parse_grains tells.
bool csv_read_bytes(const char *path, char **bytes, size_t *size);
const char *csv_reason(int number); // why it could not be read, by errno
bool csv_parse_grains(const char *path, const char *bytes, size_t size, int dimension, talus_grain_def **grains, size_t *count,
	talus_error *error);

#endif
