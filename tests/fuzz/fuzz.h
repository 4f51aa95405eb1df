// SPDX-License-Identifier: MIT
// What fuzz targets share. A target is one LLVMFuzzerTestOneInput, and a mutator if bytes alone would not get far; with libFuzzer it
// is a fuzzer, with replay.c a program that runs kept cases.
#ifndef TALUS_FUZZ_H
#define TALUS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); // libFuzzer's own, or that of replay.c

// common.c: how many cases there were, and how many of them got all the way; printed at the end.
void fuzz_count(bool accepted);
void fuzz_counts(unsigned long *cases, unsigned long *accepted);

// The case as a file; its path.
const char *fuzz_file(const uint8_t *data, size_t size);
// A folder of its own, gone at the end; and a file in it.
const char *fuzz_folder(void);
void fuzz_folder_put(const char *name, const uint8_t *data, size_t size);
uint8_t *fuzz_folder_get(const char *name, size_t *size); // the caller frees it

// Numbers from a seed, for mutators.
typedef struct fuzz_dice {
	uint64_t state;
} fuzz_dice;
unsigned fuzz_roll(fuzz_dice *dice, unsigned sides); // 0 .. sides - 1
double fuzz_number(fuzz_dice *dice); // of any size, mostly tame

// hdf5.c: changes a file through HDF5 itself, so that checksums are right: values, lengths, whole datasets. Bytes alone would mostly be
// refused for their checksums. Starts from the case, or from `seed` if that cannot be opened.
size_t fuzz_hdf5_mutate(uint8_t *data, size_t size, size_t most, unsigned random, const uint8_t *seed, size_t seed_size);

#endif
