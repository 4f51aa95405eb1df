// SPDX-License-Identifier: MIT
// Threads that wait for work. A sweep has a barrier after each of its levels, every few microseconds, so the threads spin
// for a while before they sleep, and give way to others at once where there are more of them than processors.
#define _GNU_SOURCE // sched_getaffinity
#include "base/parallel.h"

#include "base/memory.h"

#include <assert.h>
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

	size_t value_capacity;
	double *value; // of blocks

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
	memory_free(team->value);
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

// ---------------------------------------------------------------- numbers

typedef struct reduction {
	size_t count;
	int width;
	parallel_part *part;
	parallel_join *join;
	void *job;
	double *value; // of all blocks
} reduction;

static void block_value(const reduction *r, size_t block, double *value)
{
	size_t first = block*SUM_BLOCK, last = first + SUM_BLOCK;
	for (int k = 0; k < r->width; k++)
		value[k] = 0;
	r->part(r->job, first, last < r->count ? last : r->count, value);
}

static void block_join(const reduction *r, double *total, const double *value)
{
	if (r->join) {
		r->join(total, value);
		return;
	}
	for (int k = 0; k < r->width; k++)
		total[k] += value[k];
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
	reduction r = {count, width, part, join, job, NULL};
	size_t blocks = (count + SUM_BLOCK - 1)/SUM_BLOCK, all = blocks*(size_t)width;
	if (parallel_threads(team) == 1 || blocks == 1) {
		double value[PARALLEL_WIDTH];
		for (size_t b = 0; b < blocks; b++) {
			block_value(&r, b, value);
			block_join(&r, total, value);
		}
		return;
	}
	if (all > team->value_capacity) {
		team->value_capacity = memory_capacity(team->value_capacity, all);
		team->value = memory_grow(team->value, 0, team->value_capacity*sizeof *team->value);
	}
	r.value = team->value;
	parallel_for(team, blocks, 1, reduce_blocks, &r);
	for (size_t b = 0; b < blocks; b++)
		block_join(&r, total, &r.value[b*(size_t)width]);
}

typedef struct summation {
	double (*part)(void *job, size_t first, size_t last);
	void *job;
} summation;

static void sum_part(void *argument, size_t first, size_t last, double *value)
{
	const summation *s = argument;
	value[0] = s->part(s->job, first, last);
}

double parallel_sum(parallel *team, size_t count, double (*part)(void *job, size_t first, size_t last), void *job)
{
	double total = 0;
	parallel_reduce(team, count, 1, sum_part, NULL, &(summation){part, job}, &total);
	return total;
}
