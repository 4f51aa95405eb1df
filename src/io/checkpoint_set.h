// SPDX-License-Identifier: MIT
// What was set after the start, in checkpoint.h5: nothing is written where nothing was.
#ifndef TALUS_IO_CHECKPOINT_SET_H
#define TALUS_IO_CHECKPOINT_SET_H

#include "io/hdf5_tools.h"

bool checkpoint_set_write(hid_t file, const talus_world *world);
bool checkpoint_set_read(hid_t file, talus_world *world); // into a world as it was given

#endif
