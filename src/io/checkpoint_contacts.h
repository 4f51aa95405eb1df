// SPDX-License-Identifier: MIT
// The contacts of a checkpoint. Their numbers by kind (contacts.class_end[TALUS_COULOMB], contacts.class_end[TALUS_EXTENDED]) are read before them.
#ifndef TALUS_IO_CHECKPOINT_CONTACTS_H
#define TALUS_IO_CHECKPOINT_CONTACTS_H

#include "io/hdf5_tools.h"

bool checkpoint_contacts_write(hid_t file, const talus_world *world);
bool checkpoint_contacts_read(hid_t file, talus_world *world);

// Rows of any table, none of which can be elsewhere than in the file.
bool checkpoint_rows(hid_t file, const char *path, size_t row_bytes, hsize_t *rows);

#endif
