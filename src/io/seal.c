// SPDX-License-Identifier: MIT
// The seal of a file. HDF5's own checksum of data (Fletcher-32) takes 0x0000 for 0xffff, and the library does not survive
// every file that is damaged elsewhere; so whether a file is whole is known before HDF5 is asked to open it.
#include "io/seal.h"

#include "base/random.h"

#include <stdio.h>
#include <string.h>

static const char mark[8] = "talusEOF";
enum { SEAL_BYTES = sizeof mark + sizeof(uint64_t), BLOCK = 1 << 16 };

void hash_add(uint64_t *hash, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word = 0;
		memcpy(&word, (const char *)data + i, size - i < sizeof word ? size - i : sizeof word);
		*hash = random_mix(*hash ^ word) + size;
	}
}

// Of the first `size` bytes, block by block.
static bool content_hash(FILE *file, long size, uint64_t *hash)
{
	char block[BLOCK];
	rewind(file);
	*hash = (uint64_t)size;
	while (size > 0) {
		size_t part = size < BLOCK ? (size_t)size : BLOCK;
		if (fread(block, 1, part, file) != part)
			return false;
		hash_add(hash, block, part);
		size -= (long)part;
	}
	return true;
}

bool seal_write(const char *path)
{
	uint64_t hash;
	FILE *file = fopen(path, "r+be");
	if (!file)
		return false;
	bool ok = fseek(file, 0, SEEK_END) == 0 && content_hash(file, ftell(file), &hash) && fseek(file, 0, SEEK_END) == 0 &&
	          fwrite(mark, 1, sizeof mark, file) == sizeof mark && fwrite(&hash, sizeof hash, 1, file) == 1;
	return fclose(file) == 0 && ok;
}

static seal_state look(FILE *file)
{
	char found[sizeof mark];
	uint64_t noted, hash;
	if (fseek(file, -(long)SEAL_BYTES, SEEK_END) != 0)
		return SEAL_MISSING;
	long size = ftell(file);
	if (size < 0 || fread(found, 1, sizeof found, file) != sizeof found || memcmp(found, mark, sizeof mark) != 0)
		return SEAL_MISSING;
	bool same = fread(&noted, sizeof noted, 1, file) == 1 && content_hash(file, size, &hash) && hash == noted;
	return same ? SEAL_HOLDS : SEAL_BROKEN;
}

seal_state seal_look(const char *path)
{
	FILE *file = fopen(path, "rbe");
	if (!file)
		return SEAL_MISSING;
	seal_state state = look(file);
	fclose(file);
	return state;
}
