// SPDX-License-Identifier: MIT
// The tables of checkpoint.h5. The single numbers are read before them: `contacts.class_end[TALUS_COULOMB]` and `round` tell the kinds apart.
#ifndef TALUS_IO_CHECKPOINT_TABLES_H
#define TALUS_IO_CHECKPOINT_TABLES_H

#include "io/hdf5_tools.h"

bool checkpoint_tables_write(hid_t file, const talus_world *world);
bool checkpoint_tables_read(hid_t file, talus_world *world);
bool checkpoint_grain_count(hid_t file, hsize_t *grains);

#endif
