// SPDX-License-Identifier: MIT
// Threads that wait for work. A sweep has a barrier after each of its levels, every few microseconds, so a thread that
// waits spins for a while. Then it sleeps, so that its processor is free for a thread of the team that somebody else has
// pushed aside; where there are more threads than processors it sleeps at once.
#define _GNU_SOURCE // syscall
#include "base/parallel.h"

#include "base/memory.h"
#include "base/processors.h"

#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS = 1000, LINE = 64 };
enum { STACK = 512*1024 }; // of a thread: the usual eight megabytes would leave nothing to a program whose memory is limited

typedef struct member {
	parallel *team;
	int thread;
	pthread_t handle;
} member;

typedef struct signal_line { // a count that can be waited for, on a line of its own
	_Alignas(LINE) atomic_uint count;
	atomic_int sleepers;
} signal_line;

struct parallel {
	int threads;
	int patience; // spins before a waiting thread gives way
	member *member;

	// the work at hand; written before `round` is raised
	void (*work)(void *job, int thread);
	void *job;
	bool over;

	size_t room_size;
	void *room; // parallel_room

	signal_line round;  // raised for every piece of work
	signal_line done;   // raised when all members have finished it
	signal_line opened; // raised when all are at the barrier
	_Alignas(LINE) atomic_int running; // members that have not finished
	_Alignas(LINE) atomic_int arrived; // at the barrier
};

// ---------------------------------------------------------------- waiting

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

// Waits until the count is no longer the one that was seen.
static unsigned signal_wait(signal_line *s, unsigned seen, int patience)
{
	for (int spins = 0; spins < patience; spins++) {
		unsigned now = atomic_load_explicit(&s->count, memory_order_acquire);
		if (now != seen)
			return now;
		relax();
	}
	atomic_fetch_add(&s->sleepers, 1);
	while (atomic_load(&s->count) == seen) // the kernel looks again before it lets us sleep
		syscall(SYS_futex, &s->count, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	atomic_fetch_sub(&s->sleepers, 1);
	return atomic_load(&s->count);
}

static void signal_raise(signal_line *s)
{
	atomic_fetch_add(&s->count, 1);
	if (atomic_load(&s->sleepers) > 0)
		syscall(SYS_futex, &s->count, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// ---------------------------------------------------------------- members

static void *member_run(void *argument)
{
	member *me = argument;
	parallel *team = me->team;
	unsigned seen = 0;
	for (;;) {
		seen = signal_wait(&team->round, seen, team->patience);
		if (team->over)
			return NULL;
		team->work(team->job, me->thread);
		if (atomic_fetch_sub(&team->running, 1) == 1)
			signal_raise(&team->done);
	}
}

// ---------------------------------------------------------------- the team

parallel *parallel_create(int threads)
{
	if (threads <= 1)
		return NULL;
	parallel *team = memory_grow(NULL, 0, sizeof *team);
	memset(team, 0, sizeof *team);
	team->threads = 1;
	team->patience = threads <= processors_usable() ? SPINS : 0;
	team->member = memory_grow(NULL, 0, (size_t)threads*sizeof *team->member);
	pthread_attr_t modest;
	bool known = pthread_attr_init(&modest) == 0 && pthread_attr_setstacksize(&modest, STACK) == 0;
	for (int t = 1; known && t < threads; t++) {
		team->member[t] = (member){.team = team, .thread = t};
		if (pthread_create(&team->member[t].handle, &modest, member_run, &team->member[t]))
			break; // no more to be had: fewer give the same result
		team->threads++;
	}
	pthread_attr_destroy(&modest);
	return team;
}

void parallel_destroy(parallel *team)
{
	if (!team)
		return;
	team->over = true;
	signal_raise(&team->round);
	for (int t = 1; t < team->threads; t++)
		pthread_join(team->member[t].handle, NULL);
	memory_free(team->member);
	memory_free(team->room);
	memory_free(team);
}

int parallel_threads(const parallel *team)
{
	return team ? team->threads : 1;
}

void parallel_run(parallel *team, void (*work)(void *job, int thread), void *job)
{
	if (parallel_threads(team) == 1) {
		work(job, 0);
		return;
	}
	team->work = work;
	team->job = job;
	atomic_store(&team->running, team->threads - 1);
	unsigned done = atomic_load(&team->done.count);
	signal_raise(&team->round);
	work(job, 0);
	signal_wait(&team->done, done, team->patience);
}

void parallel_barrier(parallel *team)
{
	if (parallel_threads(team) == 1)
		return;
	unsigned opened = atomic_load(&team->opened.count);
	if (atomic_fetch_add(&team->arrived, 1) < team->threads - 1) {
		signal_wait(&team->opened, opened, team->patience);
		return;
	}
	atomic_store(&team->arrived, 0);
	signal_raise(&team->opened);
}

void *parallel_room(parallel *team, size_t size)
{
	return team->room = memory_room(team->room, &team->room_size, size, 1);
}

// ---------------------------------------------------------------- loops

typedef struct loop {
	const parallel *team;
	size_t count, block;
	void (*work)(void *job, size_t first, size_t last);
	void *job;
} loop;

static void run_share(void *argument, int thread)
{
	const loop *l = argument;
	size_t threads = (size_t)parallel_threads(l->team), blocks = (l->count + l->block - 1)/l->block;
	size_t first = blocks*(size_t)thread/threads*l->block, last = blocks*((size_t)thread + 1)/threads*l->block;
	last = last < l->count ? last : l->count;
	if (first < last)
		l->work(l->job, first, last);
}

void parallel_for(parallel *team, size_t count, size_t block, void (*work)(void *job, size_t first, size_t last),
                  void *job)
{
	if (parallel_threads(team) == 1 || count <= block) {
		if (count)
			work(job, 0, count);
		return;
	}
	parallel_run(team, run_share, &(loop){team, count, block, work, job});
}

// ---------------------------------------------------------------- numbers

typedef struct reduction {
	size_t count;
	int width;
	parallel_part *part;
	void *job;
	double *value; // of all blocks
} reduction;

static void block_value(const reduction *r, size_t block, double *value)
{
	size_t first = block*PARALLEL_BLOCK, last = first + PARALLEL_BLOCK;
	for (int k = 0; k < r->width; k++)
		value[k] = 0;
	r->part(r->job, first, last < r->count ? last : r->count, value);
}

static void reduce_blocks(void *argument, size_t first, size_t last)
{
	const reduction *r = argument;
	for (size_t b = first; b < last; b++) {
		double value[PARALLEL_WIDTH]; // near, so that two threads do not write into one line all the time
		block_value(r, b, value);
		memcpy(&r->value[b*(size_t)r->width], value, (size_t)r->width*sizeof *value);
	}
}

void parallel_reduce(parallel *team, size_t count, int width, parallel_part *part, parallel_join *join, void *job,
                     double *total)
{
	assert(width <= PARALLEL_WIDTH);
	reduction r = {count, width, part, job, NULL};
	size_t blocks = (count + PARALLEL_BLOCK - 1)/PARALLEL_BLOCK, all = blocks*(size_t)width;
	if (parallel_threads(team) == 1 || blocks == 1) {
		double value[PARALLEL_WIDTH];
		for (size_t b = 0; b < blocks; b++) {
			block_value(&r, b, value);
			join(total, value);
		}
		return;
	}
	r.value = parallel_room(team, all*sizeof *r.value);
	parallel_for(team, blocks, 1, reduce_blocks, &r);
	for (size_t b = 0; b < blocks; b++)
		join(total, &r.value[b*(size_t)width]);
}
