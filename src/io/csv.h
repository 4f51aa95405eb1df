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

#endif
