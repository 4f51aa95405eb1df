// SPDX-License-Identifier: MIT
// HDF5 files whose writer was killed. HDF5 marks a file that is open for writing in its first 48 bytes, the superblock
// (version 3 of the file format), and refuses to open a file so marked. Since the writers here append in single-writer
// order, children before parents, such a file is whole but for the mark and for the length noted beside it:
//   0 signature, 8 version, 9 bytes per offset, 10 bytes per length, 11 marks, 12 base, 20 extension, 28 length, 36 root,
//   44 checksum of the bytes 0..43 (Jenkins' lookup3, as all of HDF5's checksums of metadata).
#include "base/error.h"
#include "io/files.h"
#include "io/hdf5_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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
static bool superblock_read(int file, unsigned char block[SUPERBLOCK])
{
	static const unsigned char start[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3, 8, 8};
	if (pread(file, block, SUPERBLOCK, 0) != SUPERBLOCK || memcmp(block, start, sizeof start) != 0)
		return false;
	return checksum(block, CHECKSUM) == number_get(block + CHECKSUM, 4);
}

bool hdf_file_is_marked(const char *path)
{
	unsigned char block[SUPERBLOCK];
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	bool marked = superblock_read(file, block) && block[MARKS] != 0;
	close(file);
	return marked;
}

// Takes the mark off and sets the length to what is there, so that nothing appended lately lies outside. The 48 bytes are
// written at once: a kill leaves the old block or the new one.
static bool unmark(int file)
{
	unsigned char block[SUPERBLOCK];
	struct stat status;
	if (!superblock_read(file, block) || fstat(file, &status) != 0)
		return false;
	if (!block[MARKS])
		return true;
	uint64_t length = number_get(block + LENGTH, 8), present = (uint64_t)status.st_size;
	if (length > present && ftruncate(file, (off_t)length) != 0)
		return false;
	block[MARKS] = 0;
	number_set(block + LENGTH, 8, length > present ? length : present);
	number_set(block + CHECKSUM, 4, checksum(block, CHECKSUM));
	return pwrite(file, block, SUPERBLOCK, 0) == SUPERBLOCK;
}

bool hdf_file_unmark(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return false;
	bool ok = unmark(file);
	return close(file) == 0 && ok;
}

// Opens a file whose superblock is undamaged, and says how long it is; -1 if that fails.
static int superblock_open(const char *path, unsigned char block[SUPERBLOCK], uint64_t *size)
{
	struct stat status;
	int file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return -1;
	if (!superblock_read(file, block) || fstat(file, &status) != 0) {
		close(file);
		return -1;
	}
	*size = (uint64_t)status.st_size;
	return file;
}

// For as long as a writer appends: takes the mark off what is on disk, though not out of HDF5's memory, and notes a
// length with room for what comes. HDF5 writes both anew when it flushes and closes; a kill in between leaves a file
// that anybody can open.
bool hdf_file_cloak(const char *path, uint64_t room)
{
	unsigned char block[SUPERBLOCK];
	uint64_t size;
	int file = superblock_open(path, block, &size);
	if (file < 0)
		return false;
	block[MARKS] = 0;
	number_set(block + LENGTH, 8, size + room);
	number_set(block + CHECKSUM, 4, checksum(block, CHECKSUM));
	bool ok = ftruncate(file, (off_t)(size + room)) == 0 && pwrite(file, block, SUPERBLOCK, 0) == SUPERBLOCK;
	return close(file) == 0 && ok;
}

// Gives the room back.
bool hdf_file_trim(const char *path)
{
	unsigned char block[SUPERBLOCK];
	uint64_t size;
	int file = superblock_open(path, block, &size);
	if (file < 0)
		return false;
	uint64_t length = number_get(block + LENGTH, 8);
	bool ok = block[MARKS] || length >= size || ftruncate(file, (off_t)length) == 0;
	return close(file) == 0 && ok;
}

// A living writer holds the lock of the folder.
static bool writer_lives(const char *path)
{
	char folder[TALUS_PATH_MAX];
	const char *end = strrchr(path, '/');
	size_t length = end ? (size_t)(end - path) : 0;
	if (length >= sizeof folder)
		return false;
	memcpy(folder, path, length);
	folder[length] = 0;
	return folder_busy(end ? (length ? folder : "/") : ".");
}

// A living writer opens and closes the file for each frame; between two of its writes a few tries find a quiet moment.
static hid_t open_beside_writer(const char *path)
{
	hid_t file = -1;
	for (int i = 0; i < 50 && file < 0; i++) {
		if (i > 0)
			nanosleep(&(struct timespec){0, 20000000}, NULL);
		file = hdf_file_open(path, hdf_file_is_marked(path) ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY);
	}
	return file;
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

static bool path_is_whole(const char *path, talus_error *error)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return error_at(error, path, 0, 0, "cannot open: %s", strerror(errno));
	bool whole = is_whole(file, path, error);
	close(file);
	return whole;
}

hid_t hdf_file_open_read(const char *path, talus_error *error)
{
	hid_t file;
	if (writer_lives(path)) {
		file = open_beside_writer(path);
	} else {
		if (!path_is_whole(path, error))
			return -1;
		// a file that may not be changed can still be read as if it were being written
		bool as_written = hdf_file_is_marked(path) && !hdf_file_unmark(path);
		file = hdf_file_open(path, as_written ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY);
	}
	if (file < 0)
		hdf_error(error, path, "read");
	return file;
}
