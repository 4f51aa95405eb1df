// SPDX-License-Identifier: MIT
#include "base/totals.h"

#include "base/tally.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FEW = 1024 }; // rows that are not worth a second thread

typedef struct share { // of a thread
	_Alignas(64) tally sum[TOTALS_SUMS];
	uint64_t count[TOTALS_COUNTS];
	double most[TOTALS_MOST];
} share;

typedef struct looking {
	size_t rows, threads;
	int sums;
	totals_look *look;
	void *job;
	share *share;
} looking;

static void look_at(const looking *l, size_t first, size_t last, share *s)
{
	totals_part part;
	memset(part.count, 0, sizeof part.count);
	for (int k = 0; k < TOTALS_MOST; k++)
		part.most[k] = -INFINITY;
	memset(s->sum, 0, sizeof s->sum);
	for (size_t from = first; from < last; from += TOTALS_ROWS) {
		size_t to = last - from < TOTALS_ROWS ? last : from + TOTALS_ROWS;
		for (int k = 0; k < l->sums; k++)
			memset(part.term[k], 0, (to - from)*sizeof part.term[k][0]);
		l->look(l->job, from, to, &part);
		for (int k = 0; k < l->sums; k++)
			tally_add(&s->sum[k], part.term[k], to - from);
	}
	memcpy(s->count, part.count, sizeof s->count);
	memcpy(s->most, part.most, sizeof s->most);
}

static void look_at_share(void *job, int thread)
{
	const looking *l = job;
	size_t t = (size_t)thread, parts = (l->rows + TOTALS_ROWS - 1)/TOTALS_ROWS;
	size_t first = parts*t/l->threads*TOTALS_ROWS, last = parts*(t + 1)/l->threads*TOTALS_ROWS;
	look_at(l, first, last < l->rows ? last : l->rows, &l->share[t]);
}

static void put_together(const looking *l, share *all, const share *s)
{
	for (int k = 0; k < l->sums; k++)
		tally_join(&all->sum[k], &s->sum[k]);
	for (int k = 0; k < TOTALS_COUNTS; k++)
		all->count[k] += s->count[k];
	for (int k = 0; k < TOTALS_MOST; k++)
		all->most[k] = fmax(all->most[k], s->most[k]);
}

static totals values(const looking *l, const share *s)
{
	totals t;
	for (int k = 0; k < TOTALS_SUMS; k++)
		t.sum[k] = k < l->sums ? tally_sum(&s->sum[k]) : 0;
	memcpy(t.count, s->count, sizeof t.count);
	memcpy(t.most, s->most, sizeof t.most);
	return t;
}

totals totals_of(parallel *team, size_t rows, int sums, totals_look *look, void *job)
{
	assert(sums <= TOTALS_SUMS);
	looking l = {rows, (size_t)parallel_threads(team), sums, look, job, NULL};
	share all;
	if (l.threads == 1 || rows <= FEW) {
		look_at(&l, 0, rows, &all);
		return values(&l, &all);
	}
	l.share = parallel_room(team, l.threads*sizeof *l.share);
	parallel_run(team, look_at_share, &l);
	for (size_t t = 1; t < l.threads; t++)
		put_together(&l, &l.share[0], &l.share[t]);
	return values(&l, &l.share[0]);
}
