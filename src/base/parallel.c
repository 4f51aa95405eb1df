// SPDX-License-Identifier: MIT
// Threads that wait for work. A sweep has a barrier after each of its levels, every few microseconds, so the threads spin
// for a while before they sleep, and give way to others at once where there are more of them than processors.
#define _GNU_SOURCE // sched_getaffinity
#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { SUM_BLOCK = 1024, SPINS = 4000, LINE = 64 };

typedef struct member {
	parallel *team;
	int thread;
	pthread_t handle;
} member;

struct parallel {
	int threads;
	int patience; // spins before a waiting thread gives way
	member *member;

	// the work at hand; written before `round` is raised
	void (*work)(void *job, int thread);
	void *job;
	bool over;
	pthread_mutex_t mutex;
	pthread_cond_t wake;

	size_t sum_capacity;
	double *sum;

	// each on a line of its own
	_Alignas(LINE) atomic_uint round;   // raised for every piece of work
	_Alignas(LINE) atomic_int running;  // members that have not finished it
	_Alignas(LINE) atomic_int arrived;  // at the barrier
	_Alignas(LINE) atomic_uint opened;  // how often the barrier has opened
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static void wait_a_little(const parallel *team, int *spins)
{
	if (++*spins < team->patience)
		relax();
	else
		sched_yield();
}

// ---------------------------------------------------------------- members

static unsigned next_round(parallel *team, unsigned seen)
{
	for (int spins = 0; spins < team->patience; spins++) {
		unsigned round = atomic_load_explicit(&team->round, memory_order_acquire);
		if (round != seen)
			return round;
		relax();
	}
	pthread_mutex_lock(&team->mutex);
	while (atomic_load_explicit(&team->round, memory_order_acquire) == seen)
		pthread_cond_wait(&team->wake, &team->mutex);
	pthread_mutex_unlock(&team->mutex);
	return atomic_load_explicit(&team->round, memory_order_acquire);
}

static void *member_run(void *argument)
{
	member *me = argument;
	parallel *team = me->team;
	unsigned seen = 0;
	for (;;) {
		seen = next_round(team, seen);
		if (team->over)
			return NULL;
		team->work(team->job, me->thread);
		atomic_fetch_sub_explicit(&team->running, 1, memory_order_release);
	}
}

static void start_round(parallel *team)
{
	pthread_mutex_lock(&team->mutex);
	atomic_fetch_add_explicit(&team->round, 1, memory_order_release);
	pthread_cond_broadcast(&team->wake);
	pthread_mutex_unlock(&team->mutex);
}

// ---------------------------------------------------------------- the team

static int processors(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0)
		return CPU_COUNT(&set);
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

parallel *parallel_create(int threads)
{
	if (threads <= 1)
		return NULL;
	parallel *team = memory_grow(NULL, 0, sizeof *team);
	memset(team, 0, sizeof *team);
	team->threads = 1;
	team->patience = threads <= processors() ? SPINS : 0;
	team->member = memory_grow(NULL, 0, (size_t)threads*sizeof *team->member);
	pthread_mutex_init(&team->mutex, NULL);
	pthread_cond_init(&team->wake, NULL);
	for (int t = 1; t < threads; t++) {
		team->member[t] = (member){.team = team, .thread = t};
		if (pthread_create(&team->member[t].handle, NULL, member_run, &team->member[t]))
			break; // no more to be had: fewer give the same result
		team->threads++;
	}
	return team;
}

void parallel_destroy(parallel *team)
{
	if (!team)
		return;
	team->over = true;
	start_round(team);
	for (int t = 1; t < team->threads; t++)
		pthread_join(team->member[t].handle, NULL);
	pthread_cond_destroy(&team->wake);
	pthread_mutex_destroy(&team->mutex);
	memory_free(team->member);
	memory_free(team->sum);
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
	atomic_store_explicit(&team->running, team->threads - 1, memory_order_relaxed);
	start_round(team);
	work(job, 0);
	int spins = 0;
	while (atomic_load_explicit(&team->running, memory_order_acquire) > 0)
		wait_a_little(team, &spins);
}

void parallel_barrier(parallel *team)
{
	if (parallel_threads(team) == 1)
		return;
	unsigned opened = atomic_load_explicit(&team->opened, memory_order_relaxed);
	if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) == team->threads - 1) {
		atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
		atomic_store_explicit(&team->opened, opened + 1, memory_order_release);
		return;
	}
	int spins = 0;
	while (atomic_load_explicit(&team->opened, memory_order_acquire) == opened)
		wait_a_little(team, &spins);
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

typedef struct summation {
	double (*part)(void *job, size_t first, size_t last);
	void *job;
	size_t count;
	double *sum;
} summation;

static double block_sum(const summation *s, size_t block)
{
	size_t first = block*SUM_BLOCK, last = first + SUM_BLOCK;
	return s->part(s->job, first, last < s->count ? last : s->count);
}

static void sum_blocks(void *argument, size_t first, size_t last)
{
	const summation *s = argument;
	for (size_t b = first; b < last; b++)
		s->sum[b] = block_sum(s, b);
}

double parallel_sum(parallel *team, size_t count, double (*part)(void *job, size_t first, size_t last), void *job)
{
	summation s = {part, job, count, NULL};
	size_t blocks = (count + SUM_BLOCK - 1)/SUM_BLOCK;
	double total = 0;
	if (parallel_threads(team) == 1) {
		for (size_t b = 0; b < blocks; b++)
			total += block_sum(&s, b);
		return total;
	}
	if (blocks > team->sum_capacity) {
		team->sum_capacity = memory_capacity(team->sum_capacity, blocks);
		team->sum = memory_grow(team->sum, 0, team->sum_capacity*sizeof *team->sum);
	}
	s.sum = team->sum;
	parallel_for(team, blocks, 1, sum_blocks, &s);
	for (size_t b = 0; b < blocks; b++)
		total += s.sum[b];
	return total;
}
