// SPDX-License-Identifier: MIT
// The rollback journal of run.h5: pages as they were at the last checkpoint, on the disk before the file has others.
#ifndef TALUS_IO_JOURNAL_H
#define TALUS_IO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JOURNAL_PAGE = 4096 };

typedef struct journal {
	int file;              // -1: none
	uint64_t step, length; // of the checkpoint: its step, and how long run.h5 was
	uint64_t number;       // of journals in this file so far: two may be of the same step
	size_t count;          // pages in it
	size_t synced;         // of these, known to be on the disk
	unsigned char *has;    // a bit for each page of run.h5
} journal;

// `path` is that of run.h5 in all of these. Failures leave their reason in errno.
bool journal_start(const char *path, uint64_t step, uint64_t length); // a new one, empty, in place of the old
bool journal_open(journal *j, const char *path, bool write);          // false, with file -1, if there is none of use
bool journal_has(const journal *j, uint64_t page);
bool journal_add(journal *j, uint64_t page, const unsigned char bytes[JOURNAL_PAGE]);
bool journal_sync(journal *j, const char *path); // what was added reaches the disk
bool journal_get(const journal *j, size_t index, uint64_t *page, unsigned char bytes[JOURNAL_PAGE]); // false: no such page
void journal_close(journal *j);

// Brings run.h5 back to what it was at the checkpoint of this step, if the journal is of that one, and removes the journal.
bool journal_roll_back(const char *path, uint64_t step);
bool journal_remove(const char *path);

#endif
