// SPDX-License-Identifier: MIT
// The seal of a file: 16 bytes at its end that say what all bytes before them are. HDF5 takes no notice of them.
#ifndef TALUS_IO_SEAL_H
#define TALUS_IO_SEAL_H

#include <talus/talus.h>

// Mixes bytes into a hash. Two inputs that differ in one word of 8 bytes never give the same one.
void hash_add(uint64_t *hash, const void *data, size_t size);
void hash_add_piece(uint64_t *hash, const void *data, size_t size, size_t whole); // whole words, of data with `whole` bytes in several places

typedef enum seal_state { SEAL_HOLDS, SEAL_BROKEN, SEAL_MISSING } seal_state;
bool seal_write(const char *path); // false: errno says why
seal_state seal_look(const char *path);

#endif
