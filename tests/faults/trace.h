// SPDX-License-Identifier: MIT
// What the preloaded library writes down about the files of a run, one entry after the other, and what it can do to them.
//   TALUS_FAULT=KIND:N:ACTION   at the N-th call of a kind, counted from 1
//       KIND    write, pwrite, fsync, rename, ftruncate, open, unlink, with the variants of each; malloc, by the program
//               itself, or memory, by its libraries too
//       ACTION  kill (before the call), after (kill, after it), tear (part of a write, then kill), short (half of a write),
//               enospc, eio or eintr (the call fails with it; malloc just fails)
//   TALUS_FAULT_COUNT=FILE      at the end, how many calls of each kind there were: a line "KIND N" each
//   TALUS_FAULT_TRACE=FILE      writes the entries
//   TALUS_FAULT_NO_LOCKS=1      flock fails as it does on some network disks
#ifndef TALUS_TESTS_TRACE_H
#define TALUS_TESTS_TRACE_H

#include <stdint.h>

typedef enum trace_kind { TRACE_OPEN, TRACE_WRITE, TRACE_TRUNCATE, TRACE_SYNC, TRACE_RENAME, TRACE_UNLINK } trace_kind;

// Followed by `size` bytes: what was written, or a path (rename: two, each with its final 0).
typedef struct trace_entry {
	int32_t kind, file; // its descriptor
	int64_t place;      // TRACE_WRITE: where; TRACE_TRUNCATE: the new length; TRACE_OPEN: the flags
	int64_t size;
} trace_entry;

#endif
