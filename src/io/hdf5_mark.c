// SPDX-License-Identifier: MIT
// HDF5 marks a file that is open for writing in its first 48 bytes, the superblock (version 3 of the file format), and
// refuses to open a file so marked. Files of now never show the mark on the disk, but those of earlier versions may: killed,
// they are whole but for the mark and for the length noted beside it:
//   0 signature, 8 version, 9 bytes per offset, 10 bytes per length, 11 marks, 12 base, 20 extension, 28 length, 36 root,
//   44 checksum of the bytes 0..43 (Jenkins' lookup3, as all of HDF5's checksums of metadata).
#include "io/hdf5_mark.h"

#include "base/error.h"
#include "io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUPERBLOCK = 48, VERSION = 8, OFFSET_BYTES = 9, MARKS = 11, LENGTH = 28, CHECKSUM = 44 };

static uint64_t number_get(const unsigned char *bytes, int count)
{
	uint64_t number = 0;
	for (int i = 0; i < count; i++)
		number |= (uint64_t)bytes[i] << 8*i;
	return number;
}

static void number_set(unsigned char *bytes, int count, uint64_t number)
{
	for (int i = 0; i < count; i++)
		bytes[i] = (unsigned char)(number >> 8*i);
}

static uint32_t rotate(uint32_t x, int k)
{
	return (x << k) | (x >> (32 - k));
}

static uint32_t checksum(const unsigned char *bytes, int length)
{
	uint32_t a = 0xdeadbeefu + (uint32_t)length, b = a, c = a;
	for (; length > 12; length -= 12, bytes += 12) {
		a += (uint32_t)number_get(bytes, 4);
		b += (uint32_t)number_get(bytes + 4, 4);
		c += (uint32_t)number_get(bytes + 8, 4);
		a = (a - c) ^ rotate(c, 4), c += b;
		b = (b - a) ^ rotate(a, 6), a += c;
		c = (c - b) ^ rotate(b, 8), b += a;
		a = (a - c) ^ rotate(c, 16), c += b;
		b = (b - a) ^ rotate(a, 19), a += c;
		c = (c - b) ^ rotate(b, 4), b += a;
	}
	unsigned char rest[12] = {0};
	memcpy(rest, bytes, (size_t)length);
	a += (uint32_t)number_get(rest, 4);
	b += (uint32_t)number_get(rest + 4, 4);
	c += (uint32_t)number_get(rest + 8, 4);
	c = (c ^ b) - rotate(b, 14);
	a = (a ^ c) - rotate(c, 11);
	b = (b ^ a) - rotate(a, 25);
	c = (c ^ b) - rotate(b, 16);
	a = (a ^ c) - rotate(c, 4);
	b = (b ^ a) - rotate(a, 14);
	return (c ^ b) - rotate(b, 24);
}

// A superblock as Talus' files have it, undamaged.
static bool superblock_is_sound(const unsigned char *block)
{
	static const unsigned char start[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3, 8, 8};
	return memcmp(block, start, sizeof start) == 0 && checksum(block, CHECKSUM) == number_get(block + CHECKSUM, 4);
}

static bool superblock_read(int file, unsigned char block[SUPERBLOCK])
{
	return file_get(file, block, SUPERBLOCK, 0) && superblock_is_sound(block);
}

bool hdf_file_is_marked(const char *path)
{
	unsigned char block[SUPERBLOCK];
	int file = file_read_open(path);
	if (file < 0)
		return false;
	bool marked = superblock_read(file, block) && block[MARKS] != 0;
	close(file);
	return marked;
}

uint64_t hdf_superblock_unmark(unsigned char *block, uint64_t size)
{
	if (!superblock_is_sound(block) || !block[MARKS])
		return 0;
	uint64_t length = number_get(block + LENGTH, 8);
	length = length > size ? length : size; // nothing that was appended lately lies outside
	block[MARKS] = 0;
	number_set(block + LENGTH, 8, length);
	number_set(block + CHECKSUM, 4, checksum(block, CHECKSUM));
	return length;
}

// Looked at before HDF5 is asked, which says less about such files and does not give all its memory back.
static bool is_whole(int file, const char *path, talus_error *error)
{
	unsigned char block[SUPERBLOCK];
	struct stat status;
	if (fstat(file, &status) != 0)
		return error_at(error, path, 0, 0, "cannot read: %s", strerror(errno));
	if (!superblock_read(file, block))
		return error_at(error, path, 0, 0, "cannot read: the file is damaged, or not one of Talus");
	uint64_t length = number_get(block + LENGTH, 8), present = (uint64_t)status.st_size;
	return block[MARKS] || present >= length ||
	       error_at(error, path, 0, 0, "cannot read: the file is cut short, only %llu of its %llu bytes are there",
	                (unsigned long long)present, (unsigned long long)length);
}

bool hdf_file_is_whole(const char *path, talus_error *error)
{
	int file = file_read_open(path);
	if (file < 0)
		return error_at(error, path, 0, 0, "cannot open: %s", file_reason(errno));
	bool whole = is_whole(file, path, error);
	close(file);
	return whole;
}
