// SPDX-License-Identifier: MIT
// Making schedules: an order, levels, and the contacts level by level. Within a level contacts keep their own order,
// which is one in space.
#include "solve/schedule.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/piston.h"
#include "solve/solve.h"

#include <string.h>

enum { FILL_BLOCK = 512, ROW_MORE = KERNEL_AHEAD*LANES };

// ---------------------------------------------------------------- room

static void reserve_visits(schedule *s, size_t visits, size_t solver_bodies_needed)
{
	if (visits > s->capacity) {
		s->capacity = memory_capacity(s->capacity, visits);
		s->order = memory_grow(s->order, 0, s->capacity*sizeof *s->order);
		s->place = memory_grow(s->place, 0, s->capacity*sizeof *s->place);
		s->row = memory_grow(s->row, 0, (s->capacity + ROW_MORE)*sizeof *s->row);
	}
	s->visits = visits;
	size_t bodies = solver_bodies_needed/LINE;
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
static uint32_t find_levels(schedule *s, uint32_t visit, uint32_t visits, const contact_bodies *at, bool draws)
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

// Stages and colour passes one after the other, as they are numbered; each bundle counts its own.
static void keep_order(schedule *s)
{
	s->level_order = memory_room(s->level_order, &s->order_capacity, s->sweep_levels, sizeof *s->level_order);
	for (uint32_t u = 0; u < s->bundles; u++)
		for (uint32_t i = 0; i < s->bundle[u].sweep_levels; i++)
			s->level_order[s->bundle[u].first + i] = i;
	for (uint32_t p = 0; p < (uint32_t)s->colour_passes; p++)
		s->pass_order[p] = p;
}

// ---------------------------------------------------------------- rows

// Behind the others, piston by piston; each has a bundle.
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
			s->colour_pass[s->bundles].piston = (int)k;
			s->bundle[s->bundles++] = (bundle){.visit = first, .visits = next - first};
		}
	}
}

// One bundle; with pistons one more for each, all of them before or behind the others.
static void row_courses(schedule *s, const talus_problem *problem, bool pistons_first)
{
	uint32_t n = (uint32_t)problem->contacts, others = 0, last = 0;
	bundles_reserve(s, 1 + problem->pistons);
	bundles_reserve_passes(s, 1 + problem->pistons);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = s->order[i];
		if (problem->pistons > 0 && touches_piston(problem, c))
			s->row[last++] = c;
		else
			s->order[others++] = c;
	}
	s->bundle[0] = (bundle){.visits = others};
	s->colour_pass[0].piston = -1;
	s->bundles = 1;
	piston_courses(s, problem, others, last);
	s->colour_passes = (int)s->bundles;
	for (uint32_t u = 0; u < s->bundles; u++)
		s->colour_pass[u] = (colour_pass){.first = u, .bundles = 1, .piston = s->colour_pass[u].piston};
	for (uint32_t u = 0; pistons_first && 2*u + 1 < s->bundles; u++) {
		colour_pass swap = s->colour_pass[u];
		s->colour_pass[u] = s->colour_pass[s->bundles - 1 - u];
		s->colour_pass[s->bundles - 1 - u] = swap;
	}
}

// Stages of the bundles one after the other.
static void row_levels(schedule *s, const solver_bodies *l, bool draws)
{
	s->sweep_levels = 0;
	for (bundle *u = s->bundle; u < s->bundle + s->bundles; u++) {
		u->sweep_levels = find_levels(s, u->visit, u->visits, l->at, draws);
		raise_ground(s, u->sweep_levels);
		for (uint32_t i = u->visit; s->sweep_levels > 0 && i < u->visit + u->visits; i++)
			s->place[draws ? i : s->order[i]] += s->sweep_levels;
		u->first = s->sweep_levels;
		s->sweep_levels += u->sweep_levels;
	}
	s->sweep_level = memory_room(s->sweep_level, &s->level_capacity, s->sweep_levels, sizeof *s->sweep_level);
	keep_order(s);
}

static void fill_rows(schedule *s, const talus_problem *problem, bool draws)
{
	uint32_t n = (uint32_t)problem->contacts, next = 0;
	memset(s->sweep_level, 0, s->sweep_levels*sizeof *s->sweep_level);
	for (uint32_t i = 0; i < n; i++)
		s->sweep_level[s->place[i]].of[class_of(problem, draws ? s->order[i] : i)].count++;
	for (sweep_level *at = s->sweep_level; at < s->sweep_level + s->sweep_levels; at++)
		for (int k = 0; k < TALUS_CLASSES; k++) {
			uint32_t count = at->of[k].count;
			at->of[k] = (class_part){.first = next};
			next += count;
		}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t c = draws ? s->order[i] : i;
		class_part *at = &s->sweep_level[s->place[i]].of[class_of(problem, c)];
		s->row[at->first + at->count++] = c;
	}
	memset(s->row + n, 0, ROW_MORE*sizeof *s->row);
}

void schedule_rows(schedule *s, const talus_problem *problem, const solver_bodies *l, talus_order order, uint64_t seed,
                   uint64_t step, uint64_t sweep)
{
	bool draws = order == TALUS_ORDER_RANDOM_SEQUENTIAL;
	uint32_t n = (uint32_t)problem->contacts;
	reserve_visits(s, n, l->dummy_body);
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
	const solver_bodies *solver_bodies;
	uint64_t stream;
	uint32_t first; // bundle of the colour pass at hand
} making;

typedef struct range {
	uint32_t first, last;
} range;

// Contacts of a class in a block.
static inline range members(const schedule *s, uint32_t block, int k)
{
	const uint32_t *first = s->cut.first + TALUS_CLASSES*block + k;
	return (range){first[0], first[TALUS_CLASSES]};
}

static uint32_t shuffle_block(const making *m, uint32_t block)
{
	schedule *s = m->s;
	uint32_t visit = bundles_visit(&s->cut, block), *order = s->order + visit, visits = 0;
	for (int k = 0; k < TALUS_CLASSES; k++) {
		range r = members(s, block, k);
		for (uint32_t c = r.first; c < r.last; c++)
			order[visits++] = c;
	}
	order_shuffle(order, visits, random_mix(m->stream ^ random_mix(s->cut.name[block] + 1)));
	return find_levels(s, visit, visits, m->solver_bodies->at, false);
}

static void shuffle_course(const making *m, uint32_t index)
{
	bundle *u = &m->s->bundle[index];
	u->sweep_levels = 0;
	for (uint32_t b = u->block; b < u->block + u->blocks; b++)
		u->sweep_levels = larger(u->sweep_levels, shuffle_block(m, b));
}

static uint32_t groups_for(uint32_t contacts)
{
	return (contacts + LANES - 1)/LANES;
}

static void count_class(const schedule *s, const bundle *u, int k, sweep_level *first)
{
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(s, b, k);
		for (uint32_t c = r.first; c < r.last; c++)
			first[s->place[c]].of[k].count++;
	}
}

// How many contacts in each sweep level, and how many batches in all.
static void count_course(const making *m, uint32_t index)
{
	schedule *s = m->s;
	bundle *u = &s->bundle[index];
	sweep_level *first = s->sweep_level + u->first;
	memset(first, 0, u->sweep_levels*sizeof *first);
	for (int k = 0; k < TALUS_CLASSES; k++) {
		count_class(s, u, k, first);
		u->of[k].count = 0;
		for (sweep_level *at = first; at < first + u->sweep_levels && contact_classes[k]->batch_size; at++)
			u->of[k].count += groups_for(at->of[k].count);
	}
}

// Batches for the contacts of a sweep level; lanes of the last one that stay empty are nobody's.
static void place_stage(const making *m, sweep_level *at, uint32_t dummy_body, uint32_t next[TALUS_CLASSES])
{
	at->all = at->of[TALUS_COULOMB].count;
	for (int k = 0; k < TALUS_CLASSES; k++) {
		const contact_class *class = contact_classes[k];
		uint32_t count = at->of[k].count, groups = class->batch_size ? groups_for(count) : count;
		at->of[k] = (class_part){.first = next[k]};
		next[k] += groups;
		if (class->batch_size && count%LANES)
			class->clear(class_batch(class, m->s->of[k].batch, next[k] - 1), dummy_body);
	}
}

static inline void put_in_lane(const making *m, uint32_t c, int k, sweep_level *first)
{
	class_part *at = &first[m->s->place[c]].of[k];
	m->s->place[c] = at->first*LANES + at->count++;
}

// All of a problem that is not cut: those in the second half of the bodies last.
static void place_halves(const making *m, const bundle *u)
{
	sweep_level *first = m->s->sweep_level + u->first;
	range r = members(m->s, u->block, TALUS_COULOMB);
	for (int half = 0; half < 2; half++)
		for (uint32_t c = r.first; c < r.last; c++)
			if (chains_second(m->solver_bodies->at[c], m->problem->bodies) == half)
				put_in_lane(m, c, TALUS_COULOMB, first);
}

// Lanes for the contacts of a class.
static void place_class(const making *m, const bundle *u, int k)
{
	sweep_level *first = m->s->sweep_level + u->first;
	if (k == TALUS_COULOMB && m->s->cut.count == 1) {
		place_halves(m, u);
		return;
	}
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(m->s, b, k);
		for (uint32_t c = r.first; c < r.last; c++)
			put_in_lane(m, c, k, first);
		if (k == TALUS_COULOMB)
			chains_note(first, u->sweep_levels, b);
	}
}

static void put_class(const making *m, const bundle *u, int k)
{
	const schedule *s = m->s;
	place_class(m, u, k);
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(s, b, k);
		contact_classes[k]->put_some(s->of[k].batch, s->place, m->solver_bodies->at, m->problem, r.first, r.last);
	}
	for (sweep_level *at = s->sweep_level + u->first; at < s->sweep_level + u->first + u->sweep_levels; at++)
		at->of[k].count = groups_for(at->of[k].count);
}

// Those without batches, one by one.
static void put_in_row(const making *m, const bundle *u, int k)
{
	sweep_level *first = m->s->sweep_level + u->first;
	for (uint32_t b = u->block; b < u->block + u->blocks; b++) {
		range r = members(m->s, b, k);
		for (uint32_t c = r.first; c < r.last; c++) {
			class_part *at = &first[m->s->place[c]].of[k];
			m->s->row[at->first + at->count++] = c;
		}
	}
}

// The contacts of a bundle into its lanes.
static void fill_course(const making *m, uint32_t index)
{
	schedule *s = m->s;
	bundle *u = &s->bundle[index];
	uint32_t next[TALUS_CLASSES];
	for (int k = 0; k < TALUS_CLASSES; k++)
		next[k] = contact_classes[k]->batch_size ? u->of[k].first : members(s, u->block, k).first;
	for (sweep_level *at = s->sweep_level + u->first; at < s->sweep_level + u->first + u->sweep_levels; at++)
		place_stage(m, at, m->solver_bodies->dummy_body + u->thread*LINE, next);
	for (int k = 0; k < TALUS_CLASSES; k++)
		(contact_classes[k]->batch_size ? put_class : put_in_row)(m, u, k);
	chains_find(s, u, m->problem->bodies);
}

typedef struct unloading {
	const schedule *s;
	talus_problem *problem;
	int k;
} unloading;

static void unload_some(void *job, size_t first, size_t last)
{
	const unloading *u = job;
	size_t from = class_first(u->problem, u->k);
	contact_classes[u->k]->take_some(u->s->of[u->k].batch, u->s->place, u->problem, from + first, from + last);
}

// The bundles of a colour pass share no body, so they may be looked at by many at once.
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
	s->sweep_levels = 0;
	for (uint32_t u = 0; u < s->bundles; u++) {
		s->bundle[u].first = s->sweep_levels;
		s->sweep_levels += s->bundle[u].sweep_levels;
	}
	s->sweep_level = memory_room(s->sweep_level, &s->level_capacity, s->sweep_levels, sizeof *s->sweep_level);
	keep_order(s);
}

static void number_batches(schedule *s)
{
	for (int k = 0; k < TALUS_CLASSES; k++) {
		size_t batches = 0, size = contact_classes[k]->batch_size;
		for (uint32_t u = 0; u < s->bundles; u++) {
			s->bundle[u].of[k].first = (uint32_t)batches;
			batches += s->bundle[u].of[k].count;
		}
		s->of[k].batches = batches;
		if (batches > s->of[k].capacity) {
			s->of[k].capacity = memory_capacity(s->of[k].capacity, batches);
			s->of[k].batch = memory_grow(s->of[k].batch, 0, (s->of[k].capacity + KERNEL_AHEAD)*size);
		}
	}
}

// Loops may look ahead of the last batch.
static void end_batches(const schedule *s, uint32_t dummy_body)
{
	for (int k = 0; k < TALUS_CLASSES; k++)
		for (size_t b = s->of[k].batches; b < s->of[k].batches + KERNEL_AHEAD && s->of[k].batch; b++)
			contact_classes[k]->clear(class_batch(contact_classes[k], s->of[k].batch, b), dummy_body);
}

void schedule_batches(schedule *s, const talus_problem *problem, const solver_bodies *l, uint64_t stream, parallel *team)
{
	making m = {s, problem, l, random_mix(stream), 0};
	reserve_visits(s, problem->contacts, l->dummy_body);
	s->batched = true;
	bundles_make(s, problem, parallel_threads(team));
	for (colour_pass *p = s->colour_pass; p < s->colour_pass + s->colour_passes; p++) {
		m.first = p->first;
		parallel_for(team, p->bundles, 1, shuffle_courses, &m);
		p->depth = 0;
		for (uint32_t u = p->first; u < p->first + p->bundles; u++)
			p->depth = larger(p->depth, s->bundle[u].sweep_levels);
		raise_ground(s, p->depth);
	}
	number_stages(s);
	parallel_for(team, s->bundles, 1, count_courses, &m);
	number_batches(s);
	parallel_for(team, s->bundles, 1, fill_courses, &m);
	end_batches(s, l->dummy_body);
	order_shuffle(s->pass_order, (size_t)s->colour_passes, stream);
}

// The order in which the next sweep takes the colour passes, and the levels of each; a bundle that has fewer leaves out the others. Without it
// `shuffled` would converge sooner, but on forces that remember which contact came first (docs/orders.md).
void schedule_shuffle_levels(schedule *s, uint64_t stream)
{
	order_shuffle(s->pass_order, (size_t)s->colour_passes, stream);
	for (int k = 0; k < s->colour_passes; k++) {
		const colour_pass *p = &s->colour_pass[k];
		s->shuffle = memory_room(s->shuffle, &s->shuffle_capacity, p->depth, sizeof *s->shuffle);
		for (uint32_t i = 0; i < p->depth; i++)
			s->shuffle[i] = i;
		order_shuffle(s->shuffle, p->depth, random_mix(stream + 1 + (uint64_t)k));
		for (uint32_t u = p->first; u < p->first + p->bundles; u++) {
			uint32_t *turn = s->level_order + s->bundle[u].first;
			for (uint32_t i = 0; i < p->depth; i++)
				if (s->shuffle[i] < s->bundle[u].sweep_levels)
					*turn++ = s->shuffle[i];
		}
	}
}

void schedule_unload(const schedule *s, talus_problem *problem, parallel *team)
{
	for (int k = 0; k < TALUS_CLASSES; k++)
		if (contact_classes[k]->batch_size)
			parallel_for(team, class_count(problem, k), FILL_BLOCK, unload_some, &(unloading){s, problem, k});
}

void schedule_freeze(const schedule *s)
{
	for (int k = 0; k < TALUS_CLASSES; k++)
		for (size_t i = 0; i < s->of[k].batches && contact_classes[k]->freeze; i++)
			contact_classes[k]->freeze(class_batch(contact_classes[k], s->of[k].batch, i));
}

void schedule_free(schedule *s)
{
	memory_free(s->colour_pass);
	memory_free(s->pass_order);
	memory_free(s->bundle);
	memory_free(s->sweep_level);
	memory_free(s->level_order);
	memory_free(s->shuffle);
	memory_free(s->order);
	memory_free(s->place);
	memory_free(s->row);
	for (int k = 0; k < TALUS_CLASSES; k++)
		memory_free(s->of[k].batch);
	memory_free(s->reach);
}
