// SPDX-License-Identifier: MIT
// From a grain's id to its row in a frame.
#ifndef TALUS_DRAW_IDS_H
#define TALUS_DRAW_IDS_H

#include "io/files.h"

#define NO_ROW SIZE_MAX

typedef struct id_table id_table;

id_table *ids_make(const frame *frame);
void ids_free(id_table *ids);
size_t ids_row(const id_table *ids, int64_t body); // NO_ROW for walls and for grains that are not there

#endif
