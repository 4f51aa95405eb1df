// SPDX-License-Identifier: MIT
// How HDF5 reads and writes Talus' files: through a driver that keeps changes in memory until they are complete.
#ifndef TALUS_IO_HDF5_DISK_H
#define TALUS_IO_HDF5_DISK_H

#include <hdf5.h>
#include <stdbool.h>

typedef enum disk_view {
	DISK_AS_IS,
	DISK_ROLLED_BACK, // reading: as it was at the checkpoint that its journal is of
} disk_view;

// Sets the driver in a list of access properties.
bool disk_set(hid_t access, disk_view view);
// Of a file that was opened with it: what is still to be written is dropped, and so is what was added.
void disk_discard(hid_t file);

#endif
