// SPDX-License-Identifier: MIT
// Making schedules: an order, levels, and the contacts level by level. Within a level contacts keep their own order,
// which is one in space.
#include "solve/schedule.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/piston.h"
#include "solve/solve.h"

#include <stddef.h>
#include <string.h>

enum { FILL_BLOCK = 512, ROW_MORE = KERNEL_AHEAD*LANES };

// ---------------------------------------------------------------- room

static void reserve_visits(schedule *s, size_t visits, size_t lines_needed)
{
	if (visits > s->capacity) {
		s->capacity = memory_capacity(s->capacity, visits);
		s->order = memory_grow(s->order, 0, s->capacity*sizeof *s->order);
		s->place = memory_grow(s->place, 0, s->capacity*sizeof *s->place);
		s->row = memory_grow(s->row, 0, (s->capacity + ROW_MORE)*sizeof *s->row);
	}
	s->visits = visits;
	size_t bodies = lines_needed/LINE;
	if (bodies > s->reach_capacity) {
		s->reach_capacity = memory_capacity(s->reach_capacity, bodies);
		s->reach = memory_grow(s->reach, 0, s->reach_capacity*sizeof *s->reach);
		memset(s->reach, 0, s->reach_capacity*sizeof *s->reach);
		s->ground = 0;
	}
}

// ---------------------------------------------------------------- levels

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

// Bodies that stand lower are on the ground.
static void raise_ground(schedule *s, uint32_t depth)
{
	s->ground += depth;
	if (s->ground < UINT32_MAX/2)
		return;
	memset(s->reach, 0, s->reach_capacity*sizeof *s->reach);
	s->ground = 0;
}

// Levels of some visits; returns how many there are. Bodies are left where they got to.
static uint32_t find_levels(schedule *s, uint32_t visit, uint32_t visits, const ends *at, bool draws)
{
	const uint32_t *order = s->order + visit, ground = s->ground;
	uint32_t highest = ground;
	for (uint32_t i = 0; i < visits; i++) {
		uint32_t c = order[i], *a = &s->reach[at[c].a/LINE], *b = &s->reach[at[c].b/LINE];
		uint32_t level = larger(ground, larger(*a, *b));
		s->place[draws ? visit + i : c] = level - ground;
		*a = *b = level + 1;
		highest = larger(highest, level + 1);
	}
	return highest - ground;
}

// Stages and phases one after the other, as they are numbered; each course counts its own.
static void keep_order(schedule *s)
{
	s->turn = memory_room(s->turn, &s->turn_capacity, s->stages, sizeof *s->turn);
	for (uint32_t u = 0; u < s->courses; u++)
		for (uint32_t i = 0; i < s->course[u].stages; i++)
			s->turn[s->course[u].first + i] = i;
	for (uint32_t p = 0; p < (uint32_t)s->phases; p++)
		s->phase_turn[p] = p;
}

// How many of its kind a stage has.
static uint32_t *tally_of(const talus_problem *problem, stage *at, uint32_t contact)
{
	return contact < problem->plain ? &at->count : contact < problem->round ? &at->riches : &at->generals;
}

// ---------------------------------------------------------------- rows

// Behind the others, piston by piston; each has a course.
static void piston_courses(schedule *s, const talus_problem *problem, uint32_t others, uint32_t count)
{
	uint32_t next = others;
	for (size_t k = 0; k < problem->pistons && next < others + count; k++) {
		uint32_t first = next, line = problem->piston[k].line;
		for (uint32_t i = 0; i < count; i++) {
			const talus_contact *c = &problem->contact[s->row[i]];
			if (c->a == line || c->b == line)
				s->order[next++] = s->row[i];
		}
		if (next > first) {
			s->phase[s->courses].piston = (int)k;
			s->course[s->courses++] = (course){.visit = first, .visits = next - first};
		}
	}
}

// One course; with pistons one more for each, all of them before or behind the others.
static void row_courses(schedule *s, const talus_problem *problem, bool pistons_first)
{
	uint32_t n = (uint32_t)problem->contacts, others = 0, last = 0;
	bundles_reserve(s, 1 + problem->pistons);
	bundles_reserve_phases(s, 1 + problem->pistons);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = s->order[i];
		if (problem->pistons > 0 && touches_piston(problem, c))
			s->row[last++] = c;
		else
			s->order[others++] = c;
	}
	s->course[0] = (course){.visits = others};
	s->phase[0].piston = -1;
	s->courses = 1;
	piston_courses(s, problem, others, last);
	s->phases = (int)s->courses;
	for (uint32_t u = 0; u < s->courses; u++)
		s->phase[u] = (phase){.first = u, .courses = 1, .piston = s->phase[u].piston};
	for (uint32_t u = 0; pistons_first && 2*u + 1 < s->courses; u++) {
		phase swap = s->phase[u];
		s->phase[u] = s->phase[s->courses - 1 - u];
		s->phase[s->courses - 1 - u] = swap;
	}
}

// Stages of the courses one after the other.
static void row_levels(schedule *s, const lines *l, bool draws)
{
	s->stages = 0;
	for (course *u = s->course; u < s->course + s->courses; u++) {
		u->stages = find_levels(s, u->visit, u->visits, l->at, draws);
		raise_ground(s, u->stages);
		for (uint32_t i = u->visit; s->stages > 0 && i < u->visit + u->visits; i++)
			s->place[draws ? i : s->order[i]] += s->stages;
		u->first = s->stages;
		s->stages += u->stages;
	}
	s->stage = memory_room(s->stage, &s->stage_capacity, s->stages, sizeof *s->stage);
	keep_order(s);
}

static void fill_rows(schedule *s, const talus_problem *problem, bool draws)
{
	uint32_t n = (uint32_t)problem->contacts, next = 0;
	memset(s->stage, 0, s->stages*sizeof *s->stage);
	for (uint32_t i = 0; i < n; i++)
		*tally_of(problem, &s->stage[s->place[i]], draws ? s->order[i] : i) += 1;
	for (stage *at = s->stage; at < s->stage + s->stages; at++) {
		at->first = next;
		at->rich = at->first + at->count;
		at->general = at->rich + at->riches;
		next = at->general + at->generals;
		at->count = at->riches = at->generals = 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = draws ? s->order[i] : i;
		stage *at = &s->stage[s->place[i]];
		uint32_t first = c < problem->plain ? at->first : c < problem->round ? at->rich : at->general;
		s->row[first + (*tally_of(problem, at, c))++] = c;
	}
	memset(s->row + n, 0, ROW_MORE*sizeof *s->row);
}

void schedule_rows(schedule *s, const talus_problem *problem, const lines *l, talus_order order, uint64_t seed,
                   uint64_t step, uint64_t sweep)
{
	bool draws = order == TALUS_ORDER_RANDOM_SEQUENTIAL;
	uint32_t n = (uint32_t)problem->contacts;
	reserve_visits(s, n, l->nobody);
	s->batched = false;
	order_fill(s->order, n, order, seed, step, sweep);
	bool pistons_first = order != TALUS_ORDER_SEQUENTIAL && random_bits(random_stream(seed, RANDOM_TURN, step, sweep), 0) & 1;
	row_courses(s, problem, pistons_first);
	row_levels(s, l, draws);
	fill_rows(s, problem, draws);
}

// ---------------------------------------------------------------- batches

typedef struct making {
	schedule *s;
	const talus_problem *problem;
	const lines *lines;
	uint64_t stream;
	uint32_t first; // course of the phase at hand
} making;

typedef struct range {
	uint32_t first, last;
} range;

// Contacts of a kind in a block.
static inline range members(const schedule *s, uint32_t block, int kind)
{
	const uint32_t *first = s->cut.first + TALUS_KINDS*block + kind;
	return (range){first[0], first[TALUS_KINDS]};
}

static uint32_t shuffle_block(const making *m, uint32_t block)
{
	schedule *s = m->s;
	uint32_t visit = bundles_visit(&s->cut, block), *order = s->order + visit, visits = 0;
	for (int kind = 0; kind < TALUS_KINDS; kind++) {
		range r = members(s, block, kind);
		for (uint32_t c = r.first; c < r.last; c++)
			order[visits++] = c;
	}
	order_shuffle(order, visits, random_mix(m->stream ^ random_mix(s->cut.name[block] + 1)));
	return find_levels(s, visit, visits, m->lines->at, false);
}

static void shuffle_course(const making *m, uint32_t index)
{
	course *u = &m->s->course[index];
	u->stages = 0;
	for (uint32_t b = u->block; b < u->block + u->blocks; b++)
		u->stages = larger(u->stages, shuffle_block(m, b));
}

static uint32_t groups_for(uint32_t contacts)
{
	return (contacts + LANES - 1)/LANES;
}

static void count_kind(const schedule *s, const course *u, int kind, stage *first, size_t tally)
{
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(s, b, kind);
		for (uint32_t c = r.first; c < r.last; c++)
			*(uint32_t *)(void *)((char *)(first + s->place[c]) + tally) += 1;
	}
}

// How many contacts in each stage, and how many batches in all.
static void count_course(const making *m, uint32_t index)
{
	schedule *s = m->s;
	course *u = &s->course[index];
	stage *first = s->stage + u->first;
	memset(first, 0, u->stages*sizeof *first);
	count_kind(s, u, 0, first, offsetof(stage, count));
	count_kind(s, u, 1, first, offsetof(stage, riches));
	count_kind(s, u, 2, first, offsetof(stage, generals));
	u->batches = u->riches = 0;
	for (stage *at = first; at < first + u->stages; at++) {
		u->batches += groups_for(at->count);
		u->riches += groups_for(at->riches);
	}
}

// Batches for the contacts of a stage; lanes of the last one that stay empty are nobody's.
static void place_stage(const making *m, stage *at, uint32_t nobody, stage *next)
{
	schedule *s = m->s;
	uint32_t batches = groups_for(at->count), riches = groups_for(at->riches);
	if (at->count%LANES)
		batch_clear(&s->batch[next->first + batches - 1], nobody);
	if (at->riches%LANES)
		rich_batch_clear(&s->rich[next->rich + riches - 1], nobody);
	uint32_t generals = at->generals, all = at->count;
	*at = *next;
	at->all = all;
	next->first += batches;
	next->rich += riches;
	next->general += generals;
}

static void put_plain(const making *m, uint32_t c, stage *at)
{
	uint32_t place = m->s->place[c] = at->first*LANES + at->count++;
	batch_put(&m->s->batch[place/LANES], place%LANES, m->lines->at[c], &m->problem->contact[c]);
}

static void put_rich(const making *m, uint32_t c, stage *at)
{
	uint32_t place = m->s->place[c] = at->rich*LANES + at->riches++;
	rich_batch_put(&m->s->rich[place/LANES], place%LANES, m->lines->at[c], &m->problem->contact[c],
	               &m->problem->rich[c - m->problem->plain]);
}

static void put_general(const making *m, uint32_t c, stage *at)
{
	m->s->row[at->general + at->generals++] = c;
}

// All of a problem that is not cut: those in the second half of the bodies last.
static void put_halves(const making *m, const course *u)
{
	stage *first = m->s->stage + u->first;
	range r = members(m->s, u->block, 0);
	for (int half = 0; half < 2; half++)
		for (uint32_t c = r.first; c < r.last; c++)
			if (chains_second(m->lines->at[c], m->problem->bodies) == half)
				put_plain(m, c, first + m->s->place[c]);
}

static void put_plains(const making *m, const course *u)
{
	stage *first = m->s->stage + u->first;
	if (m->s->cut.count == 1) {
		put_halves(m, u);
		return;
	}
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(m->s, b, 0);
		for (uint32_t c = r.first; c < r.last; c++)
			put_plain(m, c, first + m->s->place[c]);
		chains_note(first, u->stages, b);
	}
}

static inline void put_kind(const making *m, const course *u, int kind, void (*put)(const making *m, uint32_t c, stage *at))
{
	stage *first = m->s->stage + u->first;
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(m->s, b, kind);
		for (uint32_t c = r.first; c < r.last; c++)
			put(m, c, first + m->s->place[c]);
	}
}

// The contacts of a course into its lanes.
static void fill_course(const making *m, uint32_t index)
{
	schedule *s = m->s;
	course *u = &s->course[index];
	stage next = {.first = u->batch, .rich = u->rich, .general = members(s, u->block, 2).first - (uint32_t)m->problem->round};
	stage *first = s->stage + u->first;
	for (stage *at = first; at < first + u->stages; at++)
		place_stage(m, at, m->lines->nobody + u->thread*LINE, &next);
	put_plains(m, u);
	put_kind(m, u, 1, put_rich);
	put_kind(m, u, 2, put_general);
	for (stage *at = first; at < first + u->stages; at++) {
		at->count = groups_for(at->count);
		at->riches = groups_for(at->riches);
	}
	chains_find(s, u, m->problem->bodies);
}

static void unload_some(void *job, size_t first, size_t last)
{
	const making *m = job;
	for (size_t i = first; i < last; i++) {
		uint32_t place = m->s->place[i];
		m->problem->contact[i].p = batch_impulse(&m->s->batch[place/LANES], place%LANES);
	}
}

static void unload_rich(void *job, size_t first, size_t last)
{
	const making *m = job;
	size_t plain = m->problem->plain;
	for (size_t i = plain + first; i < plain + last; i++) {
		uint32_t place = m->s->place[i];
		rich_batch_take(&m->s->rich[place/LANES], place%LANES, &m->problem->contact[i], &m->problem->rich[i - plain]);
	}
}

// The courses of a phase share no body, so they may be looked at by many at once.
static void shuffle_courses(void *job, size_t first, size_t last)
{
	const making *m = job;
	for (size_t u = first; u < last; u++)
		shuffle_course(m, m->first + (uint32_t)u);
}

static void count_courses(void *job, size_t first, size_t last)
{
	for (size_t u = first; u < last; u++)
		count_course(job, (uint32_t)u);
}

static void fill_courses(void *job, size_t first, size_t last)
{
	for (size_t u = first; u < last; u++)
		fill_course(job, (uint32_t)u);
}

static void number_stages(schedule *s)
{
	s->stages = 0;
	for (uint32_t u = 0; u < s->courses; u++) {
		s->course[u].first = s->stages;
		s->stages += s->course[u].stages;
	}
	s->stage = memory_room(s->stage, &s->stage_capacity, s->stages, sizeof *s->stage);
	keep_order(s);
}

static void number_batches(schedule *s)
{
	s->batches = s->riches = 0;
	for (uint32_t u = 0; u < s->courses; u++) {
		s->course[u].batch = (uint32_t)s->batches;
		s->course[u].rich = (uint32_t)s->riches;
		s->batches += s->course[u].batches;
		s->riches += s->course[u].riches;
	}
	if (s->batches > s->batch_capacity) {
		s->batch_capacity = memory_capacity(s->batch_capacity, s->batches);
		s->batch = memory_grow(s->batch, 0, (s->batch_capacity + KERNEL_AHEAD)*sizeof *s->batch);
	}
	if (s->riches > s->rich_capacity) {
		s->rich_capacity = memory_capacity(s->rich_capacity, s->riches);
		s->rich = memory_grow(s->rich, 0, s->rich_capacity*sizeof *s->rich);
	}
}

void schedule_batches(schedule *s, const talus_problem *problem, const lines *l, uint64_t stream, parallel *team)
{
	making m = {s, problem, l, random_mix(stream), 0};
	reserve_visits(s, problem->contacts, l->nobody);
	s->batched = true;
	bundles_make(s, problem, parallel_threads(team));
	for (phase *p = s->phase; p < s->phase + s->phases; p++) {
		m.first = p->first;
		parallel_for(team, p->courses, 1, shuffle_courses, &m);
		p->depth = 0;
		for (uint32_t u = p->first; u < p->first + p->courses; u++)
			p->depth = larger(p->depth, s->course[u].stages);
		raise_ground(s, p->depth);
	}
	number_stages(s);
	parallel_for(team, s->courses, 1, count_courses, &m);
	number_batches(s);
	parallel_for(team, s->courses, 1, fill_courses, &m);
	for (size_t b = s->batches; b < s->batches + KERNEL_AHEAD && s->batch; b++)
		batch_clear(&s->batch[b], l->nobody);
	order_shuffle(s->phase_turn, (size_t)s->phases, stream);
}

// The order in which the next sweep takes the phases, and the levels of each; a course that has fewer leaves out the others. Without it
// `shuffled` would converge sooner, but on forces that remember which contact came first (docs/orders.md).
void schedule_turn(schedule *s, uint64_t stream)
{
	order_shuffle(s->phase_turn, (size_t)s->phases, stream);
	for (int k = 0; k < s->phases; k++) {
		const phase *p = &s->phase[k];
		s->shuffle = memory_room(s->shuffle, &s->shuffle_capacity, p->depth, sizeof *s->shuffle);
		for (uint32_t i = 0; i < p->depth; i++)
			s->shuffle[i] = i;
		order_shuffle(s->shuffle, p->depth, random_mix(stream + 1 + (uint64_t)k));
		for (uint32_t u = p->first; u < p->first + p->courses; u++) {
			uint32_t *turn = s->turn + s->course[u].first;
			for (uint32_t i = 0; i < p->depth; i++)
				if (s->shuffle[i] < s->course[u].stages)
					*turn++ = s->shuffle[i];
		}
	}
}

void schedule_unload(const schedule *s, talus_problem *problem, parallel *team)
{
	schedule whole = *s;
	making m = {.s = &whole, .problem = problem};
	parallel_for(team, problem->plain, FILL_BLOCK, unload_some, &m);
	parallel_for(team, problem->round - problem->plain, FILL_BLOCK, unload_rich, &m);
}

void schedule_freeze(const schedule *s)
{
	for (size_t i = 0; i < s->riches; i++)
		for (int l = 0; l < LANES; l++)
			s->rich[i].mu_stick[l] = s->rich[i].mu_slide[l] = s->rich[i].mu[l];
}

void schedule_free(schedule *s)
{
	memory_free(s->phase);
	memory_free(s->phase_turn);
	memory_free(s->course);
	memory_free(s->stage);
	memory_free(s->turn);
	memory_free(s->shuffle);
	memory_free(s->order);
	memory_free(s->place);
	memory_free(s->row);
	memory_free(s->batch);
	memory_free(s->rich);
	memory_free(s->reach);
}
