// SPDX-License-Identifier: MIT
// A team of threads: the only file that knows threads. Whoever works with it splits his work in a way that does not depend
// on how many there are: blocks of a fixed size, sums block by block. Then any team gives the same bits.
// NULL is a team of one.
#ifndef TALUS_BASE_PARALLEL_H
#define TALUS_BASE_PARALLEL_H

#include <stddef.h>

typedef struct parallel parallel;

enum { PARALLEL_MOST = 1024 }; // threads that anybody may ask for
parallel *parallel_create(int threads);
void parallel_destroy(parallel *team);
int parallel_threads(const parallel *team);

// Calls work(job, thread) once on every thread, and returns when all are done.
void parallel_run(parallel *team, void (*work)(void *job, int thread), void *job);

// Within parallel_run, by every thread: nobody goes on before all are here.
void parallel_barrier(parallel *team);

enum { PARALLEL_BLOCK = 1024 }; // grains, pairs or contacts that a thread takes at least: below, threads cost more than they save

// Calls work(job, first, last) for 0..count in pieces that end at multiples of `block`. A thread gets blocks that lie
// side by side.
void parallel_for(parallel *team, size_t count, size_t block, void (*work)(void *job, size_t first, size_t last),
                  void *job);

// Room for what threads find, until the next one asks for it; it only grows. Not for a team of one.
void *parallel_room(parallel *team, size_t size);

// Numbers about all of 0..count. part(job, first, last, value) gives `width` of them for a block of a fixed size, starting
// from zeros; `join` puts them together with `total`, in the order of the blocks. (For sums, counts and largest ones: base/totals.h)
enum { PARALLEL_WIDTH = 16 };
typedef void parallel_part(void *job, size_t first, size_t last, double *value);
typedef void parallel_join(double *total, const double *value);
void parallel_reduce(parallel *team, size_t count, int width, parallel_part *part, parallel_join *join, void *job,
                     double *total);

#endif
