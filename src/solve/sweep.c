// SPDX-License-Identifier: MIT
// Going through a schedule, alone or with a team. Where a colour pass has many bundles every thread has some of its own; a single
// bundle is done sweep level by sweep level, each sweep level shared by all, with a barrier behind it. Whoever does what, the bits are the same.
#include "solve/piston.h"
#include "solve/solve.h"

#include <string.h>

enum { SHARED = 32 }; // a sweep level with fewer groups than that for each thread is done by one alone

typedef struct sweep_context {
	const solver_workspace *ws;
	const schedule *s;
	talus_problem *problem; // with the lines of the solver_workspace for bodies
	const change_limit *rule;
	bool giving;
	const momentum *acceleration; // NULL: without
	class_sweep of[CLASSES_IN_BATCHES];
	const struct sweep_context *still; // the same without momentum, for another look at what was just seen
	double (*sum)[LANES]; // with it: what this thread did
} sweep_context;

// ---------------------------------------------------------------- some groups of a sweep level

enum { PACKED = 16 }; // groups of a row that are packed at a time

static uint32_t groups_of(const sweep_context *g, uint32_t count)
{
	return g->s->batched ? count : (count + LANES - 1)/LANES;
}

// Where the groups of a sweep level write what they did to the cell: those of a class behind those of the classes before.
static double (*moved_by(const sweep_context *g, const sweep_level *at, int k))[MOVED]
{
	size_t before = g->s->batched ? at->of[k].first : 0;
	for (int other = 0; other < k; other++)
		before += g->s->batched ? g->s->of[other].batches : groups_of(g, at->of[other].count);
	return g->ws->moved + before;
}

// What is the same in all of a sweep.
static void prepare(sweep_context *g)
{
	const schedule *s = g->s;
	size_t batches = 0;
	for (int k = 0; k < CLASSES_IN_BATCHES; k++) {
		g->of[k] = (class_sweep){.loops = g->ws->loops, .motion = g->ws->solver_bodies.motion, .batch = s->of[k].batch, .rule = g->rule,
		                         .flow = g->problem->flow, .moved = g->ws->moved ? g->ws->moved + batches : NULL,
		                         .far = s->of[k].batches*contact_classes[k]->batch_size > g->ws->loops->near};
		batches += s->of[k].batches;
		if (!g->acceleration)
			continue;
		g->of[k].past = g->acceleration->past[k];
		g->of[k].beta = g->acceleration->beta;
		g->of[k].coarse = g->acceleration->coarse;
		g->of[k].sum = g->sum;
	}
}

// Some groups of a row, packed for the occasion.
static bool visit_some(const sweep_context *g, int k, const sweep_level *at, uint32_t first, uint32_t groups)
{
	const contact_class *class = contact_classes[k];
	const solver_bodies *l = &g->ws->solver_bodies;
	_Alignas(64) char b[(PACKED + KERNEL_AHEAD)*CLASS_BATCH_MOST];
	const uint32_t *row = g->s->row + at->of[k].first + first*LANES;
	uint32_t left = at->of[k].count - first*LANES, count = left < groups*LANES ? left : groups*LANES;
	for (uint32_t i = count/LANES; i < groups + KERNEL_AHEAD; i++)
		class->clear(class_batch(class, b, i), l->dummy_body);
	class->put_row(b, row, count, l->at, g->problem);
	class_sweep w = g->of[k];
	w.batch = b;
	w.far = true;
	w.moved = w.flow ? moved_by(g, at, k) + first : NULL;
	bool quiet = class->sweep(&w, &(batch_span){.count = groups}, 1);
	class->take_row(b, row, count, g->problem);
	return quiet;
}

static bool do_row(const sweep_context *g, int k, const sweep_level *at, uint32_t first, uint32_t last)
{
	bool quiet = true;
	for (uint32_t i = first; i < last; i += PACKED)
		quiet &= visit_some(g, k, at, i, last - i < PACKED ? last - i : PACKED);
	return quiet;
}

static bool do_groups(const sweep_context *g, int k, const sweep_level *at, uint32_t first, uint32_t last)
{
	if (first == last)
		return true;
	if (!g->s->batched)
		return do_row(g, k, at, first, last);
	batch_span some = {at->of[k].first + first, last - first, false};
	if (!g->giving)
		return contact_classes[k]->sweep(&g->of[k], &some, 1);
	contact_classes[k]->give(&g->of[k], &some);
	return true;
}

static void add_moved(talus_problem *problem, uint32_t contact, vec3 before)
{
	double sum[FLOWS];
	flow_of_contact(problem->contact[contact].n, class_extended_contact(problem, contact)->centre_distance, sub(problem->p[contact], before), sum);
	flow_add(problem->flow, sum);
}

// Contacts one by one.
static bool do_singles(const sweep_context *g, int k, const class_part *at)
{
	bool quiet = true;
	for (uint32_t i = 0; i < at->count; i++) {
		uint32_t c = g->s->row[at->first + i];
		vec3 before = g->problem->p[c];
		impulse *old = g->acceleration ? (impulse *)g->acceleration->past[k] + (c - class_first(g->problem, k)) : NULL;
		if (g->acceleration) // the cell has gone on with it
			before = mul_add(before, g->acceleration->beta, sub(before, old->p));
		if (g->giving)
			problem_give(g->problem, c, before, *class_torque(g->problem, c));
		else if (g->acceleration)
			problem_visit_accelerated(g->problem, c, old, g->acceleration->beta, g->acceleration->coarse, g->sum);
		else
			quiet &= problem_visit(g->problem, c, g->rule);
		if (g->problem->flow && !g->giving)
			add_moved(g->problem, c, before);
	}
	return quiet;
}

static bool do_all_singles(const sweep_context *g, const sweep_level *at)
{
	bool quiet = true;
	for (int k = CLASSES_IN_BATCHES; k < TALUS_CLASSES; k++)
		quiet &= do_singles(g, k, &at->of[k]);
	return quiet;
}

// ---------------------------------------------------------------- a cell that deforms

// After the groups of a sweep level: what they did, and how the cell goes on. Returns whether it has moved so much that they should look again.
static bool settle(const sweep_context *g, const sweep_level *at)
{
	double sum[MOVED] = {0};
	for (int k = 0; k < CLASSES_IN_BATCHES; k++) {
		uint32_t groups = groups_of(g, at->of[k].count);
		double(*moved)[MOVED] = moved_by(g, at, k);
		for (uint32_t i = 0; i < groups; i++)
			for (int n = 0; n < MOVED; n++)
				sum[n] += moved[i][n];
	}
	flow_add(g->problem->flow, sum);
	return flow_settle(g->problem->flow, sum[STIFFNESS]);
}

// ---------------------------------------------------------------- bundles and colour passes

// The sweep level whose turn it is.
static const sweep_level *level_at(const sweep_context *g, const bundle *u, uint32_t i)
{
	return &g->s->sweep_level[u->first + g->s->level_order[u->first + i]];
}

// The part of a sweep level that falls to one of so many.
static bool do_part(const sweep_context *g, const sweep_level *at, uint32_t part, uint32_t parts)
{
	bool quiet = true;
	for (int k = 0; k < CLASSES_IN_BATCHES; k++) {
		uint32_t groups = groups_of(g, at->of[k].count);
		quiet &= do_groups(g, k, at, groups*part/parts, groups*(part + 1)/parts);
	}
	return quiet;
}

enum { LOOKS = 3 }; // at most, of a sweep level at a light cell

static bool do_stage(const sweep_context *g, const sweep_level *at)
{
	bool quiet = true, again = false;
	int looks = 0;
	do {
		quiet = do_part(looks ? g->still : g, at, 0, 1);
		again = g->problem->flow && !g->giving && settle(g, at);
	} while (again && ++looks < LOOKS);
	return do_all_singles(g, at) && quiet;
}

static void do_spans(const sweep_context *g, const batch_span *at, size_t spans)
{
	contact_classes[TALUS_COULOMB]->sweep(&g->of[TALUS_COULOMB], at, spans);
}

// Stages of contacts of the first class alone, one into the other. (In a cell that deforms there are none.)
static void do_chain(const sweep_context *g, const bundle *u)
{
	enum { SPANS = 64 };
	batch_span all[SPANS];
	size_t spans = 0;
	const sweep_level *before = NULL;
	for (uint32_t i = 0; i < u->sweep_levels; i++) {
		const sweep_level *at = level_at(g, u, i);
		const class_part *part = &at->of[TALUS_COULOMB];
		if (part->count == 0)
			continue;
		if (spans == SPANS) {
			do_spans(g, all, spans);
			spans = 0;
		}
		all[spans] = (batch_span){part->first, part->count, spans > 0 && at->opens && before->closes};
		spans++;
		before = at;
	}
	if (spans > 0)
		do_spans(g, all, spans);
}

static bool do_course(const sweep_context *g, const bundle *u)
{
	bool quiet = true;
	if (u->chained && !g->rule && !g->giving) {
		do_chain(g, u);
		return true;
	}
	for (uint32_t i = 0; i < u->sweep_levels; i++)
		quiet &= do_stage(g, level_at(g, u, i));
	return quiet;
}

static bool large(const sweep_context *g, const sweep_level *at, uint32_t threads)
{
	uint32_t groups = 0;
	for (int k = 0; k < CLASSES_IN_BATCHES; k++)
		groups += groups_of(g, at->of[k].count);
	return groups >= SHARED*threads;
}

// The same by all; the first one moves the cell, and tells the others.
static bool share_stage(const sweep_context *g, const sweep_level *at, uint32_t thread, uint32_t threads)
{
	bool quiet = true, again = false, flows = g->problem->flow && !g->giving;
	int looks = 0;
	do {
		quiet = do_part(looks ? g->still : g, at, thread, threads);
		if (!flows)
			break;
		parallel_barrier(g->ws->team);
		if (thread == 0)
			g->problem->flow->again = settle(g, at);
		parallel_barrier(g->ws->team);
		again = g->problem->flow->again; // it is written again only after all have come to the next barrier
	} while (again && ++looks < LOOKS);
	if (thread == 0)
		quiet &= do_all_singles(g, at);
	return quiet;
}

// Stages too small to be shared are done by the first thread, without a barrier between them.
static bool share_course(const sweep_context *g, const bundle *u, uint32_t thread, uint32_t threads)
{
	bool quiet = true;
	for (uint32_t i = 0; i < u->sweep_levels; i++) {
		const sweep_level *at = level_at(g, u, i);
		bool shared = large(g, at, threads);
		if (shared)
			quiet &= share_stage(g, at, thread, threads);
		else if (thread == 0)
			quiet &= do_stage(g, at);
		if (shared || i + 1 == u->sweep_levels || large(g, level_at(g, u, i + 1), threads))
			parallel_barrier(g->ws->team);
	}
	return quiet;
}

static bool share_pass(const sweep_context *g, const colour_pass *p, uint32_t thread)
{
	bool quiet = true;
	for (const bundle *u = g->s->bundle + p->first; u < g->s->bundle + p->first + p->bundles; u++)
		if (u->thread == thread)
			quiet &= do_course(g, u);
	parallel_barrier(g->ws->team);
	return quiet;
}

static bool do_phase(const sweep_context *g, const colour_pass *p)
{
	bool quiet = true;
	for (uint32_t u = 0; u < p->bundles; u++)
		quiet &= do_course(g, &g->s->bundle[p->first + u]);
	return quiet;
}

static bool go_through(const sweep_context *g, const colour_pass *at, int thread)
{
	uint32_t threads = (uint32_t)parallel_threads(g->ws->team);
	if (threads == 1)
		return do_phase(g, at);
	if (at->bundles == 1)
		return share_course(g, &g->s->bundle[at->first], (uint32_t)thread, threads);
	return share_pass(g, at, (uint32_t)thread);
}

// After the contacts of a piston: the first thread moves it, and tells the others. Should contacts look again?
static bool settle_pistons(const sweep_context *g, const colour_pass *at, int thread, int look)
{
	pistons *all = g->ws->solver_bodies.pistons;
	if (at->piston < 0 || g->giving || g->s->bundle[at->first].sweep_levels == 0)
		return false;
	if (thread == 0)
		all->again = pistons_settle(&g->ws->solver_bodies, g->s, g->problem, at->piston, look);
	parallel_barrier(g->ws->team);
	return all->again; // it is written again only after all have come to the next barrier
}

static void sweep_thread(void *job, int thread)
{
	sweep_context own = *(const sweep_context *)job, still, *g = &own;
	bool quiet = true;
	own.sum = own.acceleration ? own.acceleration->sum[thread] : NULL;
	own.still = &own;
	prepare(&own);
	if (own.acceleration) {
		still = own;
		still.acceleration = NULL;
		own.still = still.still = &still;
		prepare(&still);
	}
	for (int p = 0; p < g->s->colour_passes; p++) {
		const colour_pass *at = &g->s->colour_pass[g->s->pass_order[p]];
		int look = 0;
		do
			quiet &= go_through(look ? g->still : g, at, thread);
		while (settle_pistons(g, at, thread, look++));
	}
	g->ws->calm[thread] = quiet;
}

static bool sweep_run(const sweep_context *g)
{
	sweep_context copy = *g;
	parallel_run(g->ws->team, sweep_thread, &copy);
	bool quiet = true;
	for (int t = 0; t < parallel_threads(g->ws->team); t++)
		quiet &= g->ws->calm[t];
	return quiet;
}

void sweep_give(const solver_workspace *ws, const schedule *s, talus_problem *problem)
{
	sweep_run(&(sweep_context){.ws = ws, .s = s, .problem = problem, .giving = true});
}

bool sweep_once(const solver_workspace *ws, const schedule *s, talus_problem *problem, const change_limit *rule)
{
	return sweep_run(&(sweep_context){.ws = ws, .s = s, .problem = problem, .rule = rule});
}

// ---------------------------------------------------------------- with momentum

void accelerated_sweep(const solver_workspace *ws, const schedule *s, talus_problem *problem, double work[WORKS])
{
	work_clear(ws->momentum, parallel_threads(ws->team));
	sweep_run(&(sweep_context){.ws = ws, .s = s, .problem = problem, .acceleration = ws->momentum});
	work_end(ws, s, problem, work);
}

// ---------------------------------------------------------------- how wrong it is

typedef struct judged { // batches of a class
	const sweep_context *g;
	int k;
} judged;

// Rows are the lanes of the batches.
static void batch_residual(void *job, size_t first, size_t last, totals_part *part)
{
	const judged *j = job;
	for (size_t i = first; i < last; i += LANES)
		contact_classes[j->k]->residual(&j->g->of[j->k], i/LANES, part->term[0] + (i - first), part->term[1] + (i - first));
}

double sweep_residual(const solver_workspace *ws, const schedule *s, const talus_problem *problem)
{
	talus_problem copy = *problem;
	sweep_context g = {.ws = ws, .s = s, .problem = &copy};
	double sum[2] = {0};
	prepare(&g);
	for (int k = 0; k < TALUS_CLASSES; k++) {
		double part[2];
		if (k < CLASSES_IN_BATCHES) {
			totals of_class = totals_of(ws->team, s->of[k].batches*LANES, 2, batch_residual, &(judged){&g, k});
			part[0] = of_class.sum[0];
			part[1] = of_class.sum[1];
		} else
			problem_residual_parts(problem, k, part, ws->team);
		sum[0] += part[0];
		sum[1] += part[1];
	}
	return residual_of(sum[0], sum[1]);
}
