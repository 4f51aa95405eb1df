// SPDX-License-Identifier: MIT
// Going through a schedule, alone or with a team. Where a phase has many courses every thread has some of its own; a single
// course is done stage by stage, each stage shared by all, with a barrier behind it. Whoever does what, the bits are the same.
#include "solve/piston.h"
#include "solve/solve.h"

#include <string.h>

enum { SHARED = 32 }; // a stage with fewer groups than that for each thread is done by one alone

typedef struct going {
	const solver_workspace *ws;
	const schedule *s;
	talus_problem *problem; // with the lines of the solver_workspace for bodies
	const calm *rule;
	bool giving;
	const momentum *on; // NULL: without
	double (*sum)[LANES]; // with it: what this thread did
} going;

// ---------------------------------------------------------------- some groups of a stage

// What is left of a row after its groups of eight goes through the same loop, as a batch of its own.
static bool visit_rest(const going *g, const uint32_t *row, uint32_t count)
{
	const lines *l = &g->ws->lines;
	batch b;
	batch_clear(&b, l->nobody);
	for (uint32_t i = 0; i < count; i++)
		batch_put(&b, i, l->at[row[i]], &g->problem->contact[row[i]]);
	bool quiet = true;
	if (g->rule)
		quiet = g->ws->loops->sweep_watched(&b, 1, l->motion, *g->rule);
	else
		g->ws->loops->sweep(&b, &(batch_span){.count = 1}, 1, l->motion, false);
	for (uint32_t i = 0; i < count; i++)
		g->problem->contact[row[i]].p = batch_impulse(&b, i);
	return quiet;
}

static bool visit_row(const going *g, const uint32_t *row, uint32_t count)
{
	const lines *l = &g->ws->lines;
	uint32_t groups = count/LANES;
	bool quiet = true;
	if (groups && g->rule)
		quiet = g->ws->loops->visit_watched(g->problem->contact, l->at, row, groups, l->motion, *g->rule);
	else if (groups)
		g->ws->loops->visit(g->problem->contact, l->at, row, groups, l->motion);
	if (count%LANES)
		quiet &= visit_rest(g, row + groups*LANES, count%LANES);
	return quiet;
}

static uint32_t groups_of(const going *g, uint32_t count)
{
	return g->s->batched ? count : (count + LANES - 1)/LANES;
}

static bool is_far(const going *g)
{
	return g->s->batches*sizeof *g->s->batch > g->ws->loops->near;
}

static void do_spans(const going *g, const batch_span *at, size_t spans)
{
	const schedule *s = g->s;
	talus_motion *motion = g->ws->lines.motion;
	if (g->on)
		g->ws->loops->sweep_on(s->batch, at, spans, motion, is_far(g), g->on->past, g->on->beta, g->on->coarse, g->sum);
	else
		g->ws->loops->sweep(s->batch, at, spans, motion, is_far(g));
}

static bool do_groups(const going *g, const stage *at, uint32_t first, uint32_t last)
{
	talus_motion *motion = g->ws->lines.motion;
	if (first == last)
		return true;
	if (!g->s->batched) {
		uint32_t end = last*LANES < at->count ? last*LANES : at->count;
		return visit_row(g, g->s->row + at->first + first*LANES, end - first*LANES);
	}
	batch *b = g->s->batch + at->first + first;
	if (g->giving)
		g->ws->loops->give(b, last - first, motion);
	else if (g->rule)
		return g->ws->loops->sweep_watched(b, last - first, motion, *g->rule);
	else
		do_spans(g, &(batch_span){at->first + first, last - first, false}, 1);
	return true;
}

// Rich contacts of a row go through the loops in a batch that is packed for the occasion.
static bool visit_riches(const going *g, const uint32_t *row, uint32_t count, double (*moved)[MOVED])
{
	const lines *l = &g->ws->lines;
	talus_problem *problem = g->problem;
	rich_batch b;
	rich_batch_clear(&b, l->nobody);
	for (uint32_t i = 0; i < count; i++)
		rich_batch_put(&b, i, l->at[row[i]], &problem->contact[row[i]], &problem->rich[row[i] - problem->plain]);
	const rich_kernel *loops = g->ws->loops->rich;
	bool quiet = moved ? loops->sweep_flow(&b, 1, l->motion, g->rule, problem->flow, moved)
	                   : loops->sweep(&b, 1, l->motion, g->rule);
	for (uint32_t i = 0; i < count; i++)
		rich_batch_take(&b, i, &problem->contact[row[i]], &problem->rich[row[i] - problem->plain]);
	return quiet;
}

// Where the groups of a stage write what they did to the cell.
static double (*moved_by(const going *g, const stage *at))[MOVED]
{
	return g->ws->moved + (g->s->batched ? at->rich : 0);
}

static bool do_riches(const going *g, const stage *at, uint32_t first, uint32_t last)
{
	const lines *l = &g->ws->lines;
	const rich_kernel *loops = g->ws->loops->rich;
	bool quiet = true;
	if (first == last)
		return true;
	rich_batch *b = g->s->batched ? g->s->rich + at->rich + first : NULL;
	double(*moved)[MOVED] = g->problem->flow ? moved_by(g, at) + first : NULL;
	if (g->on)
		loops->sweep_on(b, last - first, l->motion, g->problem->flow, moved, g->on->rich_past + at->rich + first, g->on->beta,
		                g->on->coarse, g->sum);
	else if (g->s->batched && g->giving)
		loops->give(b, last - first, l->motion);
	else if (g->s->batched)
		return moved ? loops->sweep_flow(b, last - first, l->motion, g->rule, g->problem->flow, moved)
		             : loops->sweep(b, last - first, l->motion, g->rule);
	else
		for (uint32_t i = first; i < last; i++) {
			uint32_t count = at->riches - i*LANES < LANES ? at->riches - i*LANES : LANES;
			quiet &= visit_riches(g, g->s->row + at->rich + i*LANES, count, moved ? moved + (i - first) : NULL);
		}
	return quiet;
}

static void add_general(talus_problem *problem, uint32_t contact, vec3 before)
{
	const talus_contact *c = &problem->contact[contact];
	double sum[FLOWS];
	flow_of_contact(c, problem->rich[contact - problem->plain].span, sub(c->p, before), sum);
	flow_add(problem->flow, sum);
}

// Contacts with the general law, one by one.
static bool do_generals(const going *g, const stage *at)
{
	bool quiet = true;
	for (uint32_t i = 0; i < at->generals; i++) {
		uint32_t c = g->s->row[at->general + i];
		vec3 before = g->problem->contact[c].p;
		size_t k = c - g->problem->round;
		if (g->on) // the cell has gone on with it
			before = mul_add(before, g->on->beta, sub(before, g->on->general_past[k].p));
		if (g->giving)
			problem_give(g->problem, c, before, g->problem->rich[c - g->problem->plain].q);
		else if (g->on)
			problem_visit_on(g->problem, c, &g->on->general_past[k], g->on->beta, g->on->coarse, g->sum);
		else
			quiet &= problem_visit(g->problem, c, g->rule);
		if (g->problem->flow && !g->giving)
			add_general(g->problem, c, before);
	}
	return quiet;
}

// ---------------------------------------------------------------- a cell that deforms

// After some groups: what they did, and how the cell goes on. Returns whether it has moved so much that they should look again.
static bool settle(const going *g, double (*moved)[MOVED], uint32_t groups)
{
	double sum[MOVED] = {0};
	for (uint32_t i = 0; i < groups; i++)
		for (int k = 0; k < MOVED; k++)
			sum[k] += moved[i][k];
	flow_add(g->problem->flow, sum);
	return flow_settle(g->problem->flow, sum[STIFFNESS]);
}

// ---------------------------------------------------------------- courses and phases

// The stage whose turn it is.
static const stage *stage_at(const going *g, const course *u, uint32_t i)
{
	return &g->s->stage[u->first + g->s->turn[u->first + i]];
}

// The part of a stage that falls to one of so many.
static bool do_part(const going *g, const stage *at, uint32_t part, uint32_t parts)
{
	uint32_t groups = groups_of(g, at->count), riches = groups_of(g, at->riches);
	bool quiet = do_groups(g, at, groups*part/parts, groups*(part + 1)/parts);
	return do_riches(g, at, riches*part/parts, riches*(part + 1)/parts) && quiet;
}

enum { LOOKS = 3 }; // at most, of a stage at a light cell

// The same without momentum, for another look at what was just seen.
static going standing(const going *g)
{
	going other = *g;
	other.on = NULL;
	return other;
}

static bool do_stage(const going *g, const stage *at)
{
	bool quiet = true, again = false;
	going still = standing(g);
	int looks = 0;
	do {
		quiet = do_part(looks ? &still : g, at, 0, 1);
		again = g->problem->flow && !g->giving && settle(g, moved_by(g, at), groups_of(g, at->riches));
	} while (again && ++looks < LOOKS);
	return do_generals(g, at) && quiet;
}

// Stages of plain contacts alone, one into the other.
static void do_chain(const going *g, const course *u)
{
	enum { SPANS = 64 };
	batch_span all[SPANS];
	size_t spans = 0;
	const stage *before = NULL;
	for (uint32_t i = 0; i < u->stages; i++) {
		const stage *at = stage_at(g, u, i);
		if (at->count == 0)
			continue;
		if (spans == SPANS) {
			do_spans(g, all, spans);
			spans = 0;
		}
		all[spans] = (batch_span){at->first, at->count, spans > 0 && at->opens && before->closes};
		spans++;
		before = at;
	}
	if (spans > 0)
		do_spans(g, all, spans);
}

static bool do_course(const going *g, const course *u)
{
	bool quiet = true;
	if (u->plain && !g->rule && !g->giving) {
		do_chain(g, u);
		return true;
	}
	for (uint32_t i = 0; i < u->stages; i++)
		quiet &= do_stage(g, stage_at(g, u, i));
	return quiet;
}

static bool large(const going *g, const stage *at, uint32_t threads)
{
	return groups_of(g, at->count) + groups_of(g, at->riches) >= SHARED*threads;
}

// The same by all; the first one moves the cell, and tells the others.
static bool share_stage(const going *g, const stage *at, uint32_t thread, uint32_t threads)
{
	bool quiet = true, again = false, flows = g->problem->flow && !g->giving;
	going still = standing(g);
	int looks = 0;
	do {
		quiet = do_part(looks ? &still : g, at, thread, threads);
		if (!flows)
			break;
		parallel_barrier(g->ws->team);
		if (thread == 0)
			g->problem->flow->again = settle(g, moved_by(g, at), groups_of(g, at->riches));
		parallel_barrier(g->ws->team);
		again = g->problem->flow->again; // it is written again only after all have come to the next barrier
	} while (again && ++looks < LOOKS);
	if (thread == 0)
		quiet &= do_generals(g, at);
	return quiet;
}

// Stages too small to be shared are done by the first thread, without a barrier between them.
static bool share_course(const going *g, const course *u, uint32_t thread, uint32_t threads)
{
	bool quiet = true;
	for (uint32_t i = 0; i < u->stages; i++) {
		const stage *at = stage_at(g, u, i);
		bool shared = large(g, at, threads);
		if (shared)
			quiet &= share_stage(g, at, thread, threads);
		else if (thread == 0)
			quiet &= do_stage(g, at);
		if (shared || i + 1 == u->stages || large(g, stage_at(g, u, i + 1), threads))
			parallel_barrier(g->ws->team);
	}
	return quiet;
}

static bool share_phase(const going *g, const phase *p, uint32_t thread)
{
	bool quiet = true;
	for (const course *u = g->s->course + p->first; u < g->s->course + p->first + p->courses; u++)
		if (u->thread == thread)
			quiet &= do_course(g, u);
	parallel_barrier(g->ws->team);
	return quiet;
}

static bool do_phase(const going *g, const phase *p)
{
	bool quiet = true;
	for (uint32_t u = 0; u < p->courses; u++)
		quiet &= do_course(g, &g->s->course[p->first + u]);
	return quiet;
}

static bool go_through(const going *g, const phase *at, int thread)
{
	uint32_t threads = (uint32_t)parallel_threads(g->ws->team);
	if (threads == 1)
		return do_phase(g, at);
	if (at->courses == 1)
		return share_course(g, &g->s->course[at->first], (uint32_t)thread, threads);
	return share_phase(g, at, (uint32_t)thread);
}

// After the contacts of a piston: the first thread moves it, and tells the others. Should contacts look again?
static bool settle_pistons(const going *g, const phase *at, int thread, int look)
{
	pistons *all = g->ws->lines.pistons;
	if (at->piston < 0 || g->giving || g->s->course[at->first].stages == 0)
		return false;
	if (thread == 0)
		all->again = pistons_settle(&g->ws->lines, g->s, g->problem, at->piston, look);
	parallel_barrier(g->ws->team);
	return all->again; // it is written again only after all have come to the next barrier
}

static void go(void *job, int thread)
{
	going own = *(const going *)job, *g = &own, still = standing(g);
	bool quiet = true;
	own.sum = own.on ? own.on->sum[thread] : NULL;
	for (int p = 0; p < g->s->phases; p++) {
		const phase *at = &g->s->phase[g->s->phase_turn[p]];
		int look = 0;
		do
			quiet &= go_through(look ? &still : g, at, thread);
		while (settle_pistons(g, at, thread, look++));
	}
	g->ws->calm[thread] = quiet;
}

static bool go_all(const going *g)
{
	going copy = *g;
	parallel_run(g->ws->team, go, &copy);
	bool quiet = true;
	for (int t = 0; t < parallel_threads(g->ws->team); t++)
		quiet &= g->ws->calm[t];
	return quiet;
}

void sweep_give(const solver_workspace *ws, const schedule *s, talus_problem *problem)
{
	go_all(&(going){.ws = ws, .s = s, .problem = problem, .giving = true});
}

bool sweep_once(const solver_workspace *ws, const schedule *s, talus_problem *problem, const calm *rule)
{
	return go_all(&(going){.ws = ws, .s = s, .problem = problem, .rule = rule});
}

// ---------------------------------------------------------------- with momentum

void sweep_on(const solver_workspace *ws, const schedule *s, talus_problem *problem, double work[WORKS])
{
	work_clear(ws->momentum, parallel_threads(ws->team));
	go_all(&(going){.ws = ws, .s = s, .problem = problem, .on = ws->momentum});
	work_end(ws, s, problem, work);
}

// ---------------------------------------------------------------- how wrong it is

// Rows are the lanes of the batches.
static void batch_residual(void *job, size_t first, size_t last, totals_part *part)
{
	const going *g = job;
	for (size_t i = first; i < last; i += LANES)
		g->ws->loops->residual(g->s->batch + i/LANES, 1, g->ws->lines.motion, part->term[0] + (i - first),
		                         part->term[1] + (i - first));
}

static void batch_rich_residual(void *job, size_t first, size_t last, totals_part *part)
{
	const going *g = job;
	for (size_t i = first; i < last; i += LANES)
		g->ws->loops->rich->residual(g->s->rich + i/LANES, 1, g->ws->lines.motion, g->problem->flow,
		                               part->term[0] + (i - first), part->term[1] + (i - first));
}

double sweep_residual(const solver_workspace *ws, const schedule *s, const talus_problem *problem)
{
	talus_problem copy = *problem;
	going g = {.ws = ws, .s = s, .problem = &copy};
	double generals[2];
	totals plain = totals_of(ws->team, s->batches*LANES, 2, batch_residual, &g);
	totals rich = totals_of(ws->team, s->riches*LANES, 2, batch_rich_residual, &g);
	problem_residual_parts(problem, generals, ws->team);
	return residual_of(plain.sum[0] + rich.sum[0] + generals[0], plain.sum[1] + rich.sum[1] + generals[1]);
}
