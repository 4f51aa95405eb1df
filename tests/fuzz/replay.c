// SPDX-License-Identifier: MIT
// Runs kept cases through a target without libFuzzer, any compiler: replay FOLDER-OR-FILE... And, with a mutator and a fixed seed, new
// ones made from them: replay --make COUNT SEED [--least SHARE] FOLDER... SHARE of them must be accepted.
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CASES_MOST = 4096, SIZE_MOST = 1 << 20 };

typedef struct kept {
	uint8_t *data;
	size_t size;
} kept;

static kept all[CASES_MOST];
static size_t count;
static fuzz_dice bytes_dice;

// A few bytes changed, put in, taken out.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	for (unsigned n = 1 + fuzz_roll(&bytes_dice, 3); n > 0; n--) {
		size_t at = size ? fuzz_roll(&bytes_dice, (unsigned)size) : 0;
		unsigned what = fuzz_roll(&bytes_dice, 4);
		if (what == 0 && size < most) {
			memmove(data + at + 1, data + at, size++ - at);
			data[at] = (uint8_t)fuzz_roll(&bytes_dice, 256);
		} else if (what == 1 && size > 1) {
			memmove(data + at, data + at + 1, --size - at);
		} else if (size > 0) {
			data[at] ^= (uint8_t)(1u << fuzz_roll(&bytes_dice, 8));
		}
	}
	return size;
}

static void load_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file || count == CASES_MOST) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	uint8_t *data = malloc(SIZE_MOST);
	if (!data)
		abort();
	size_t size = fread(data, 1, SIZE_MOST, file);
	fclose(file);
	data = realloc(data, size + 1);
	all[count++] = (kept){data, size};
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void load(const char *path)
{
	struct stat info;
	struct dirent **entry;
	if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
		load_file(path);
		return;
	}
	int entries = scandir(path, &entry, NULL, by_name);
	for (int i = 0; i < entries; i++) {
		char whole[4096];
		snprintf(whole, sizeof whole, "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			load_file(whole);
		free(entry[i]);
	}
	free(entry);
}

static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1); // so that a sanitizer sees its end
	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void make(unsigned long cases, unsigned seed)
{
	uint8_t *data = malloc(SIZE_MOST);
	fuzz_dice dice = {seed};
	bytes_dice.state = seed + 1u;
	for (unsigned long i = 0; data && i < cases; i++) {
		static const kept nothing;
		const kept *from = count ? &all[fuzz_roll(&dice, (unsigned)count)] : &nothing;
		if (from->size)
			memcpy(data, from->data, from->size);
		size_t most = from->size + (1 << 18) < SIZE_MOST ? from->size + (1 << 18) : SIZE_MOST;
		size_t size = LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(data, from->size, most, fuzz_roll(&dice, 1u << 31)) :
			LLVMFuzzerMutate(data, from->size, most);
		run(data, size);
	}
	free(data);
}

int main(int argc, char **argv)
{
	unsigned long cases = 0, done, accepted;
	unsigned seed = 0;
	double least = 0;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--make") && i + 2 < argc) {
			cases = strtoul(argv[i + 1], NULL, 10);
			seed = (unsigned)strtoul(argv[i + 2], NULL, 10);
			i += 2;
		} else if (!strcmp(argv[i], "--least") && i + 1 < argc) {
			least = strtod(argv[++i], NULL);
		} else {
			load(argv[i]);
		}
	}
	if (cases)
		make(cases, seed);
	for (size_t i = 0; i < count && !cases; i++)
		run(all[i].data, all[i].size);
	for (size_t i = 0; i < count; i++)
		free(all[i].data);
	fuzz_counts(&done, &accepted);
	if ((double)accepted >= least*(double)done && (done > 0 || count == 0))
		return 0;
	fprintf(stderr, "that is less than %g of them\n", least);
	return 1;
}
