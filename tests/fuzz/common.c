// SPDX-License-Identifier: MIT
// Counting, files, random numbers.
#define _GNU_SOURCE // mkdtemp
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long cases, good;

static void print_counts(void)
{
	fprintf(stderr, "%lu cases, %lu accepted (%.1f %%)\n", cases, good, cases ? 100.0*(double)good/(double)cases : 0.0);
}

void fuzz_count(bool accepted)
{
	if (cases++ == 0)
		atexit(print_counts);
	good += accepted;
}

void fuzz_counts(unsigned long *all, unsigned long *accepted)
{
	*all = cases;
	*accepted = good;
}

// ---------------------------------------------------------------- files

static char folder[64];
static pid_t owner;

static void folder_remove(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (getpid() == owner && system(command) != 0) // not a child's business
		fprintf(stderr, "%s remains\n", folder);
}

const char *fuzz_folder(void)
{
	if (folder[0])
		return folder;
	snprintf(folder, sizeof folder, "%s/talus-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(folder))
		abort();
	owner = getpid();
	atexit(folder_remove);
	return folder;
}

void fuzz_folder_put(const char *name, const uint8_t *data, size_t size)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
		abort();
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[128];
	fuzz_folder_put("case", data, size);
	snprintf(path, sizeof path, "%s/case", fuzz_folder());
	return path;
}

uint8_t *fuzz_folder_get(const char *name, size_t *size)
{
	char path[128];
	snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0)
		abort();
	*size = (size_t)ftell(file);
	rewind(file);
	uint8_t *data = malloc(*size + 1);
	if (!data || fread(data, 1, *size, file) != *size)
		abort();
	fclose(file);
	return data;
}

// ---------------------------------------------------------------- random numbers

unsigned fuzz_roll(fuzz_dice *dice, unsigned sides)
{
	dice->state += 0x9e3779b97f4a7c15u;
	uint64_t z = dice->state;
	z = (z ^ z >> 30)*0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27)*0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31)%sides);
}

double fuzz_number(fuzz_dice *dice)
{
	static const double tame[] = {0, 1, 0.5, 2, 0.1, 0.3, -1, 3, 10, 0.01}, wild[] = {1e-300, 1e300, -1e300, 1e15, 1e-15, 1e48,
		4294967296, 2147483647, -2147483648, 1e6, NAN, INFINITY};
	if (fuzz_roll(dice, 12) == 0)
		return wild[fuzz_roll(dice, sizeof wild/sizeof wild[0])];
	if (fuzz_roll(dice, 3) == 0)
		return (double)fuzz_roll(dice, 2001)*1e-3 - 1;
	return tame[fuzz_roll(dice, sizeof tame/sizeof tame[0])];
}
