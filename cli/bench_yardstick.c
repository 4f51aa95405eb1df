// SPDX-License-Identifier: MIT
// What the machine could do: the price of the data alone. A bare loop goes over the same contacts and bodies as
// a sweep, in the order in which they lie, and only reads and writes what an update reads and writes. The triad
// is that of STREAM (McCalpin 1995), a[i] = b[i] + s c[i] on arrays far larger than the cache, 24 bytes counted
// for each i.
#include "bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "method/contact_dynamics.h"
#include "world.h"

#include <string.h>

static size_t share(size_t count, int part, int parts)
{
	return count*(size_t)part/(size_t)parts;
}

// ---------------------------------------------------------------- the bare loop

enum { BARE_UPDATES = 4000000 }; // of one measurement, some 30 ms

typedef struct bare_contact { // the numbers that a sweep needs, side by side
	uint32_t a, b;
	vec3 n;
	talus_row row;
	vec3 p;
} bare_contact;

// Threads take pieces of the contacts. Each has bodies of its own, so that none waits for another one's lines;
// it touches only those of its piece, hence the amount of data is that of one thread.
struct bench_bare {
	size_t contacts, bodies;
	bare_contact *contact;
	int most;
	talus_solver_body **motion; // one array a thread
	double *sum;           // of what a thread has read; keeps the compiler honest
};

typedef struct bare_job {
	bench_bare *bare;
	int threads, sweeps;
} bare_job;

bench_bare *bare_create(const talus_world *world, int most)
{
	bench_bare *bare = memory_grow(NULL, 0, sizeof *bare);
	size_t count = world->contacts.count, size = count*sizeof *bare->contact;
	*bare = (bench_bare){.contacts = count, .most = most, .contact = memory_grow(NULL, 0, size)};
	for (size_t i = 0; i < count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		bare->contact[i] = (bare_contact){c->a, c->b, c->n, contact_dynamics_of(world)->rows.row[i], world->contacts.p[i]};
		size_t a = bare->contact[i].a, b = bare->contact[i].b;
		bare->bodies = (a > b ? a : b) >= bare->bodies ? (a > b ? a : b) + 1 : bare->bodies;
	}
	bare->motion = memory_grow(NULL, 0, (size_t)most*sizeof *bare->motion);
	memset(bare->motion, 0, (size_t)most*sizeof *bare->motion);
	bare->sum = memory_grow(NULL, 0, (size_t)most*sizeof *bare->sum);
	return bare;
}

void bare_destroy(bench_bare *bare)
{
	if (!bare)
		return;
	for (int i = 0; i < bare->most; i++)
		memory_free(bare->motion[i]);
	memory_free(bare->motion);
	memory_free(bare->sum);
	memory_free(bare->contact);
	memory_free(bare);
}

static double bare_sweep(bare_contact *contact, size_t first, size_t last, talus_solver_body *motion)
{
	double sum = 0;
	for (size_t i = first; i < last; i++) {
		bare_contact *c = &contact[i];
		talus_solver_body *a = &motion[c->a], *b = &motion[c->b];
		double all = c->n.x + c->n.y + c->n.z + c->row.bias + c->row.mass_n + c->row.mass_t + c->row.mu;
		all += a->inv_m + a->r2_over_I + b->inv_m + b->r2_over_I;
		sum += all;
		double tiny = all*1e-300;
		c->p = add(c->p, vec(tiny, tiny, tiny));
		a->v = add(a->v, vec(tiny, tiny, tiny));
		a->r_omega = add(a->r_omega, vec(tiny, tiny, tiny));
		b->v = sub(b->v, vec(tiny, tiny, tiny));
		b->r_omega = sub(b->r_omega, vec(tiny, tiny, tiny));
	}
	return sum;
}

// Each thread is the first to touch the lines that it will use.
static void bare_prepare(void *argument, int thread)
{
	const bare_job *job = argument;
	bench_bare *bare = job->bare;
	talus_solver_body **motion = &bare->motion[thread];
	if (!*motion)
		*motion = memory_grow(NULL, 0, bare->bodies*sizeof **motion);
	size_t last = share(bare->contacts, thread + 1, job->threads);
	for (size_t i = share(bare->contacts, thread, job->threads); i < last; i++) {
		(*motion)[bare->contact[i].a] = (talus_solver_body){.inv_m = 1, .r2_over_I = 1};
		(*motion)[bare->contact[i].b] = (talus_solver_body){.inv_m = 1, .r2_over_I = 1};
	}
}

static void bare_run(void *argument, int thread)
{
	const bare_job *job = argument;
	bench_bare *bare = job->bare;
	size_t first = share(bare->contacts, thread, job->threads);
	size_t last = share(bare->contacts, thread + 1, job->threads);
	double sum = 0;
	for (int i = 0; i < job->sweeps; i++)
		sum += bare_sweep(bare->contact, first, last, bare->motion[thread]);
	bare->sum[thread] = sum;
}

double bare_measure(bench_bare *bare, int threads)
{
	if (bare->contacts == 0)
		return INFINITY;
	parallel *team = parallel_create(threads);
	bare_job job = {.bare = bare, .threads = parallel_threads(team), .sweeps = 1};
	parallel_run(team, bare_prepare, &job);
	parallel_run(team, bare_run, &job); // into the caches, as far as it fits
	job.sweeps = (int)(BARE_UPDATES/bare->contacts) + 1;
	double start = clock_now();
	parallel_run(team, bare_run, &job);
	double seconds = clock_now() - start;
	parallel_destroy(team);
	return seconds/((double)bare->contacts*job.sweeps);
}

// ---------------------------------------------------------------- the triad

enum { TRIAD_BLOCK = 4096 };

typedef struct triad {
	size_t count;
	double *a, *b, *c;
} triad;

static void triad_fill(void *argument, size_t first, size_t last)
{
	const triad *t = argument;
	for (size_t i = first; i < last; i++) {
		t->a[i] = 0;
		t->b[i] = 1;
		t->c[i] = 2;
	}
}

static void triad_run(void *argument, size_t first, size_t last)
{
	const triad *t = argument;
	for (size_t i = first; i < last; i++)
		t->a[i] = t->b[i] + 3*t->c[i];
}

void triad_measure(const bench_machine *machine, const int *threads, int count, int rounds, double *rate)
{
	const double MiB = 1048576;
	double bytes = fmin(fmax(2*machine->cache[2], 32*MiB), 256*MiB); // of one array, of three
	triad t = {.count = (size_t)bytes/sizeof(double)};
	double **array[] = {&t.a, &t.b, &t.c};
	for (int i = 0; i < 3; i++)
		*array[i] = memory_grow(NULL, 0, t.count*sizeof(double));
	for (int k = 0; k < count; k++)
		rate[k] = 0;
	for (int round = 0; round < rounds; round++)
		for (int k = 0; k < count; k++) {
			parallel *team = parallel_create(threads[k]);
			if (round == 0 && k == 0)
				parallel_for(team, t.count, TRIAD_BLOCK, triad_fill, &t);
			double start = clock_now();
			parallel_for(team, t.count, TRIAD_BLOCK, triad_run, &t);
			rate[k] = fmax(rate[k], 24*(double)t.count/(clock_now() - start));
			parallel_destroy(team);
		}
	for (int i = 0; i < 3; i++)
		memory_free(*array[i]);
}
