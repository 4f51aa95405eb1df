// SPDX-License-Identifier: MIT
// HDF5 changes its metadata in place, here and there in the file. A machine that loses its power may have written some of
// these pages and not others, in any order, and then nothing in the file can be found any more. So before a page below
// the length of the last checkpoint changes for the first time, it is copied into run.h5.journal, and the journal reaches
// the disk. Put back, the pages give run.h5 as the checkpoint knew it, whatever else has reached the disk.
//   head:   16 bytes of signature, step, length, number, check
//   record: number of the page, generation, check, 4096 bytes
// A record counts if its generation is that of the head, so that a new journal is begun by writing another head over the
// old one: blocks on the disk are used again. What was torn is found by its check; its page had not been changed yet.
#include "io/journal.h"

#include "base/random.h"
#include "io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char signature[16] = "talus journal 1";

typedef struct journal_head {
	char signature[16];
	uint64_t step, length, number, check;
} journal_head;

typedef struct journal_record {
	uint64_t page, generation, check;
	unsigned char bytes[JOURNAL_PAGE];
} journal_record;
_Static_assert(sizeof(journal_record) == 24 + JOURNAL_PAGE, "there is something between its fields");

static uint64_t check_of(uint64_t seed, const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, (const char *)data + i, sizeof word);
		seed = random_mix(seed ^ word) + i;
	}
	return seed;
}

static uint64_t generation_of(const journal *j)
{
	return random_mix(random_mix(random_mix(j->number) ^ j->step) ^ j->length);
}

static uint64_t record_check(const journal_record *record)
{
	return check_of(random_mix(record->page) ^ record->generation, record->bytes, sizeof record->bytes);
}

static off_t record_place(size_t index)
{
	return (off_t)(sizeof(journal_head) + index*sizeof(journal_record));
}

static bool journal_path(char path[TALUS_PATH_MAX], const char *of)
{
	if (snprintf(path, TALUS_PATH_MAX, "%s.journal", of) < TALUS_PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return false;
}

// ---------------------------------------------------------------- beginning

static bool head_read(journal *j)
{
	journal_head head;
	if (!file_get(j->file, &head, sizeof head, 0) || memcmp(head.signature, signature, sizeof signature) != 0 ||
	    head.check != check_of(0, &head, offsetof(journal_head, check))) {
		errno = ENOENT;
		return false;
	}
	j->step = head.step;
	j->length = head.length;
	j->number = head.number;
	return true;
}

bool journal_start(const char *of, uint64_t step, uint64_t length)
{
	char path[TALUS_PATH_MAX];
	journal old = {.file = -1};
	journal_head head = {.step = step, .length = length};
	if (!journal_path(path, of))
		return false;
	old.file = file_own_open(path, O_RDWR);
	if (old.file < 0 && errno == ENOENT)
		old.file = file_make(path);
	if (old.file < 0)
		return false;
	head_read(&old);
	head.number = old.number + 1;
	memcpy(head.signature, signature, sizeof head.signature);
	head.check = check_of(0, &head, offsetof(journal_head, check));
	bool ok = file_put(old.file, &head, sizeof head, 0);
	return close(old.file) == 0 && ok;
}

static size_t pages_of(const journal *j)
{
	return (size_t)((j->length + JOURNAL_PAGE - 1)/JOURNAL_PAGE);
}

static bool page_note(journal *j, uint64_t page)
{
	if (page >= pages_of(j))
		return false;
	j->has[page/8] |= (unsigned char)(1u << page%8);
	j->count++;
	return true;
}

static bool records_list(journal *j)
{
	uint64_t mark[2], generation = generation_of(j);
	j->has = calloc(pages_of(j)/8 + 1, 1);
	if (!j->has)
		return false;
	while (file_get(j->file, mark, sizeof mark, record_place(j->count)) && mark[1] == generation && page_note(j, mark[0]))
		;
	j->synced = j->count;
	return true;
}

bool journal_open(journal *j, const char *of, bool write)
{
	char path[TALUS_PATH_MAX];
	*j = (journal){.file = -1};
	if (!journal_path(path, of))
		return false;
	j->file = file_own_open(path, write ? O_RDWR : O_RDONLY);
	if (j->file >= 0 && head_read(j) && records_list(j))
		return true;
	int reason = errno;
	journal_close(j);
	errno = reason;
	return false;
}

void journal_close(journal *j)
{
	if (j->file >= 0)
		close(j->file);
	free(j->has);
	*j = (journal){.file = -1};
}

// ---------------------------------------------------------------- pages

bool journal_has(const journal *j, uint64_t page)
{
	return page < pages_of(j) && (j->has[page/8] >> page%8 & 1);
}

bool journal_add(journal *j, uint64_t page, const unsigned char bytes[JOURNAL_PAGE])
{
	journal_record record = {.page = page, .generation = generation_of(j)};
	memcpy(record.bytes, bytes, sizeof record.bytes);
	record.check = record_check(&record);
	return file_put(j->file, &record, sizeof record, record_place(j->count)) && page_note(j, page);
}

bool journal_sync(journal *j, const char *of)
{
	if (j->synced == j->count)
		return true;
	if (!file_settle(j->file) || (j->synced == 0 && !file_name_settle(of)))
		return false;
	j->synced = j->count;
	return true;
}

bool journal_get(const journal *j, size_t index, uint64_t *page, unsigned char bytes[JOURNAL_PAGE])
{
	journal_record record;
	if (index >= j->count || !file_get(j->file, &record, sizeof record, record_place(index)) ||
	    record.check != record_check(&record))
		return false;
	*page = record.page;
	memcpy(bytes, record.bytes, sizeof record.bytes);
	return true;
}

// ---------------------------------------------------------------- going back

bool journal_remove(const char *of)
{
	char path[TALUS_PATH_MAX];
	if (!journal_path(path, of))
		return false;
	return unlink(path) == 0 ? file_name_settle(of) : errno == ENOENT;
}

static bool pages_put_back(const journal *j, int file)
{
	unsigned char was[JOURNAL_PAGE];
	struct stat status;
	uint64_t page;
	for (size_t i = 0; journal_get(j, i, &page, was); i++) {
		uint64_t start = page*JOURNAL_PAGE, size = j->length - start;
		if (!file_put(file, was, size < sizeof was ? (size_t)size : sizeof was, (off_t)start))
			return false;
	}
	if (fstat(file, &status) != 0)
		return false;
	if (status.st_size > (off_t)j->length && ftruncate(file, (off_t)j->length) != 0)
		return false;
	return file_settle(file);
}

bool journal_roll_back(const char *path, uint64_t step)
{
	journal j;
	if (!journal_open(&j, path, false))
		return errno == ENOENT ? journal_remove(path) : false;
	bool ok = true;
	if (j.step == step) {
		int file = file_own_open(path, O_RDWR);
		ok = file >= 0 ? pages_put_back(&j, file) : errno == ENOENT;
		if (file >= 0)
			ok = close(file) == 0 && ok;
	}
	journal_close(&j);
	return ok && journal_remove(path);
}
