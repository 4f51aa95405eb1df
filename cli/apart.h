// SPDX-License-Identifier: MIT
// Work that may crash or swell, in a process of its own. HDF5 does not survive every damaged file: what reads a file of unknown
// origin is tried here first, and does it for good only afterwards.
#ifndef TALUS_CLI_APART_H
#define TALUS_CLI_APART_H

#include <talus/talus.h>

typedef bool apart_work(void *data, talus_error *error);

// Runs the work in a child and forgets what it did. False, with the work's own sentence, or one about `path` if it crashed,
// took more memory than `bytes` beyond what this process has, or more than `seconds` of the processor.
typedef struct apart_limits {
	uint64_t bytes;
	unsigned seconds;
} apart_limits;
bool apart_try(const char *path, const apart_limits *limits, apart_work *work, void *data, talus_error *error);

// The same for an HDF5 file that Talus may not have written (io/hdf5_foreign.h). `contents`: all numbers are read, too.
bool apart_try_hdf5(const char *path, bool contents, talus_error *error);

#endif
