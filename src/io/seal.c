// SPDX-License-Identifier: MIT
// The seal of a file. HDF5's own checksum of data (Fletcher-32) takes 0x0000 for 0xffff, and the library does not survive
// every file that is damaged elsewhere; so whether a file is whole is known before HDF5 is asked to open it.
#include "io/seal.h"

#include "base/random.h"
#include "io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[8] = "talusEOF";
enum { BLOCK = 1 << 16 };

typedef struct seal {
	char mark[sizeof mark];
	uint64_t hash;
} seal;

void hash_add_piece(uint64_t *hash, const void *data, size_t size, size_t whole)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word = 0;
		memcpy(&word, (const char *)data + i, size - i < sizeof word ? size - i : sizeof word);
		*hash = random_mix(*hash ^ word) + whole;
	}
}

void hash_add(uint64_t *hash, const void *data, size_t size)
{
	hash_add_piece(hash, data, size, size);
}

// Of the first `size` bytes, block by block.
static bool content_hash(int file, off_t size, uint64_t *hash)
{
	char block[BLOCK];
	*hash = (uint64_t)size;
	for (off_t at = 0; at < size; at += BLOCK) {
		size_t part = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
		if (!file_get(file, block, part, at))
			return false;
		hash_add(hash, block, part);
	}
	return true;
}

bool seal_write(const char *path)
{
	struct stat status;
	seal fresh = {.hash = 0};
	memcpy(fresh.mark, mark, sizeof mark);
	int file = file_own_open(path, O_RDWR);
	if (file < 0)
		return false;
	bool ok = fstat(file, &status) == 0 && content_hash(file, status.st_size, &fresh.hash) &&
	          file_put(file, &fresh, sizeof fresh, status.st_size);
	int reason = errno;
	ok = close(file) == 0 && ok;
	if (!ok && reason)
		errno = reason;
	return ok;
}

static seal_state look(int file)
{
	struct stat status;
	seal found;
	uint64_t hash;
	off_t size = fstat(file, &status) == 0 ? status.st_size - (off_t)sizeof found : -1;
	if (size < 0 || !file_get(file, &found, sizeof found, size) || memcmp(found.mark, mark, sizeof mark) != 0)
		return SEAL_MISSING;
	return content_hash(file, size, &hash) && hash == found.hash ? SEAL_HOLDS : SEAL_BROKEN;
}

seal_state seal_look(const char *path)
{
	int file = file_read_open(path);
	if (file < 0)
		return SEAL_MISSING;
	seal_state state = look(file);
	close(file);
	return state;
}
