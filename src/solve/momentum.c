// SPDX-License-Identifier: MIT
// Momentum around a sweep. Plain sweeps spread forces by diffusion; if each starts not from where the last one ended but
// from beyond it (Nesterov 1983), errors run like waves, and a system of L grains across needs about L sweeps instead of L^2.
// The sweep must be the same each time, so contacts keep their order within a step. Momentum that leads uphill is
// dropped (O'Donoghue & Candes 2015): when the way of the last sweep points against what it had to correct, or when corrections
// have grown. What is left then is a plain sweep.
#include "solve/solve.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Of the corrections, over the smallest so far. Without friction sweeps go down a convex energy, and momentum comes back by itself;
// in large beds corrections also grow by a fifth where it does good. With friction it may not come back.
static const double growth = 1.22, smooth_growth = 3;
static const double kept = 0.5;   // of theta, when momentum is dropped: it comes back sooner than it came at first
// After so many sweeps without progress momentum is no friend: from then on it starts from nothing and is dropped at once.
enum { DOUBT = 50 };
static const double still = 0.5; // of what corrections were: that is no progress
static const double doubtful_growth = 1.025;

static void reserve(momentum *m, size_t bodies)
{
	size_t had = m->bodies, also = had;
	m->before = memory_room(m->before, &m->bodies, bodies, LINE*sizeof *m->before);
	m->pushed = memory_room(m->pushed, &had, bodies, sizeof *m->pushed);
	m->touched = memory_room(m->touched, &also, bodies, sizeof *m->touched);
}

static void clear(void *block, size_t size)
{
	if (size > 0)
		memset(block, 0, size);
}

// Boxes that have some of those bodies. Returns how many boxes there are.
static int mark_boxes(momentum *m, const talus_error_cells *c)
{
	if (!c->box)
		return 0;
	int boxes = c->side[0]*c->side[1]*c->side[2];
	m->full = memory_room(m->full, &m->boxes, (size_t)boxes, sizeof *m->full);
	clear(m->full, (size_t)boxes*sizeof *m->full);
	for (size_t k = 0; k < m->pushes; k++)
		if (m->pushed[k] < c->bodies)
			m->full[c->box[m->pushed[k]]] = true;
	return boxes;
}

// How many sweeps a wave takes through those bodies and back.
static int crossing_of(momentum *m, const talus_error_cells *c)
{
	double longest = 0;
	int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {0, 0, 0}, boxes = mark_boxes(m, c);
	for (int box = 0; box < boxes; box++) {
		if (!m->full[box])
			continue;
		int at[3] = {box%c->side[0], box/c->side[0]%c->side[1], box/c->side[0]/c->side[1]};
		for (int i = 0; i < 3; i++) {
			low[i] = at[i] < low[i] ? at[i] : low[i];
			high[i] = at[i] > high[i] ? at[i] : high[i];
		}
	}
	for (int i = 0; i < 3; i++)
		longest = fmax(longest, high[i] >= low[i] ? (high[i] - low[i] + 1)*c->edge[i]/c->diameter : 0);
	return (int)(2*fmin(longest, (double)m->pushes)/momentum_reach);
}

typedef struct beginning {
	momentum *m;
	const schedule *s;
	const talus_problem *problem;
	int k; // the class at hand
} beginning;

// Two threads may do so to the same body.
static void touch(bool *touched)
{
	if (!__atomic_load_n(touched, __ATOMIC_RELAXED))
		__atomic_store_n(touched, true, __ATOMIC_RELAXED);
}

static void touch_bodies(void *job, size_t first, size_t last)
{
	const beginning *b = job;
	for (size_t i = first; i < last; i++) {
		touch(&b->m->touched[b->problem->contact[i].a]);
		touch(&b->m->touched[b->problem->contact[i].b]);
	}
}

static void clear_before(void *job, size_t first, size_t last)
{
	momentum *m = ((const beginning *)job)->m;
	memset(m->before + LINE*first, 0, LINE*(last - first)*sizeof *m->before);
}

// Bodies that some contact can push: others have no momentum of this kind.
static void find_pushed(beginning *b, parallel *team)
{
	momentum *m = b->m;
	clear(m->touched, b->problem->bodies);
	parallel_for(team, b->problem->contacts, PARALLEL_BLOCK, touch_bodies, b);
	size_t pushes = 0;
	for (size_t i = 0; i < b->problem->bodies; i++) {
		m->pushed[pushes] = (uint32_t)i;
		pushes += m->touched[i];
	}
	m->pushes = pushes;
	parallel_for(team, pushes, PARALLEL_BLOCK, clear_before, b);
}

// What was before does not count while beta is 0, but it must be a number.
static void begin_some(void *job, size_t first, size_t last)
{
	const beginning *b = job;
	const contact_class *class = contact_classes[b->k];
	for (size_t i = first; i < last; i++)
		class->begin((char *)b->m->past[b->k] + i*class->past_size, class_batch(class, b->s->of[b->k].batch, i));
}

static void begin_class(beginning *b, int k, parallel *team)
{
	momentum *m = b->m;
	const contact_class *class = contact_classes[k];
	size_t count = class->batch_size ? b->s->of[k].batches : class_count(b->problem, k);
	m->past[k] = memory_room(m->past[k], &m->pasts[k], count, class->past_size);
	b->k = k;
	if (class->batch_size)
		parallel_for(team, count, PARALLEL_BLOCK/LANES, begin_some, b);
	else
		clear(m->past[k], count*class->past_size);
}

static bool is_smooth(const talus_problem *problem)
{
	for (size_t i = 0; i < problem->contacts; i++) {
		const talus_extended *r = contact_classes[class_of(problem, i)]->has_torque ? class_extended_contact(problem, i) : NULL;
		if (problem->row[i].mu > 0 || (r && (r->roll > 0 || r->twist > 0 || r->mu_stick > 0 || r->mu_slide > 0)))
			return false;
	}
	return true;
}

void momentum_drop(momentum *m)
{
	m->theta = 1;
	m->beta = 0;
	m->best = m->least = INFINITY;
	m->stale = m->stuck = 0;
	m->doubt = m->floor = false;
}

void momentum_begin(solver_workspace *ws, const schedule *s, const talus_problem *problem)
{
	if (!ws->momentum) {
		ws->momentum = memory_grow(NULL, 0, sizeof *ws->momentum);
		*ws->momentum = (momentum){0};
	}
	momentum *m = ws->momentum;
	reserve(m, problem->bodies);
	beginning b = {m, s, problem, 0};
	for (int k = 0; k < TALUS_CLASSES; k++)
		begin_class(&b, k, ws->team);
	find_pushed(&b, ws->team);
	m->crossing = crossing_of(m, &problem->error_cells);
	m->smooth = is_smooth(problem);
	m->growth = m->smooth && class_count(problem, TALUS_COULOMB) == problem->contacts ? smooth_growth : growth;
	work_begin(m, parallel_threads(ws->team));
	m->sweeps = m->restarts = 0;
	momentum_drop(m);
	if (problem->flow) {
		memcpy(m->rate, problem->flow->rate, sizeof m->rate);
		memcpy(m->moved, problem->flow->virial_sum, sizeof m->moved);
	}
}

// ---------------------------------------------------------------- before a sweep

static void carry_lines(void *job, size_t first, size_t last)
{
	const solver_workspace *ws = job;
	const momentum *m = ws->momentum;
	ws->loops->carry(ws->solver_bodies.motion, m->pushed, m->before, first, last, m->beta);
}

static void carry_matrix(double now[3][3], double before[3][3], double beta)
{
	for (int k = 0; k < 9; k++) {
		double x = now[k/3][k%3];
		now[k/3][k%3] = x + beta*(x - before[k/3][k%3]);
		before[k/3][k%3] = x;
	}
}

void momentum_carry(solver_workspace *ws, talus_problem *problem)
{
	momentum *m = ws->momentum;
	parallel_for(ws->team, m->pushes, PARALLEL_BLOCK, carry_lines, ws);
	if (problem->flow) {
		carry_matrix(problem->flow->rate, m->rate, m->beta);
		carry_matrix(problem->flow->virial_sum, m->moved, m->beta);
	}
}

// ---------------------------------------------------------------- after it

// Until waves have run across a large system, corrections need not become smaller.
static int patience(const momentum *m)
{
	return DOUBT + m->crossing + m->sweeps/4;
}

// With friction the law is not the gradient of anything, and there is an error below which sweeps do not come. Where momentum is no hope any more: twice as many sweeps, and corrections are more than half of what they were; without friction, once more, as there it is but rounding. (Where it is,
// waves that run through a large system change as much for as long as they run.)
static void look_for_floor(momentum *m)
{
	if (!m->doubt || m->sweeps < m->milestone)
		return;
	m->stuck = m->least >= still*m->least_then ? m->stuck + 1 : 0;
	m->floor = m->stuck >= (m->smooth ? 2 : 1);
	m->least_then = m->least;
	m->milestone = 2*m->sweeps;
}

static void begin_to_doubt(momentum *m)
{
	m->doubt = true;
	m->least = m->change;
	m->least_then = INFINITY;
	m->milestone = 2*m->sweeps;
}

void momentum_judge(momentum *m, const double work[WORKS])
{
	double change = sqrt(work[WORK_SIZE]), next = 0.5*(1 + sqrt(1 + 4*m->theta*m->theta));
	m->beta = (m->theta - 1)/next;
	m->theta = next;
	m->sweeps++;
	m->stale = change < m->least ? 0 : m->stale + 1;
	m->least = fmin(m->least, change);
	m->change = change;
	bool lost = !m->doubt && m->stale > patience(m);
	if (lost)
		begin_to_doubt(m);
	if (work[WORK_ALONG] > 0 || lost || change > (m->doubt ? doubtful_growth : m->growth)*m->best) {
		m->theta = m->doubt ? 1 : fmax(1, kept*m->theta);
		m->beta = 0;
		m->best = change;
		m->restarts++;
	}
	m->best = fmin(m->best, change);
	look_for_floor(m);
}

void momentum_free(momentum *m)
{
	if (!m)
		return;
	for (int k = 0; k < TALUS_CLASSES; k++)
		memory_free(m->past[k]);
	memory_free(m->sum);
	memory_free(m->before);
	memory_free(m->pushed);
	memory_free(m->touched);
	memory_free(m->full);
	memory_free(m);
}
