// SPDX-License-Identifier: MIT
// The bodies' lines as the sweeps see them: a copy, with lines of their own for contacts with what cannot be moved.
#include "solve/schedule.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "solve/piston.h"

#include <assert.h>
#include <string.h>

typedef struct copy {
	const talus_solver_body *from;
	talus_solver_body *to;
} copy;

static void copy_some(void *job, size_t first, size_t last)
{
	const copy *c = job;
	memcpy(c->to + first, c->from + first, (last - first)*sizeof *c->to);
}

static bool immovable(const talus_solver_body *line)
{
	return line->inv_m == 0 && line->r2_over_I == 0;
}

static void reserve(solver_bodies *l, size_t needed)
{
	if (needed <= l->capacity)
		return;
	l->capacity = memory_capacity(l->capacity, needed);
	l->motion = memory_grow(l->motion, l->count*sizeof *l->motion, l->capacity*sizeof *l->motion);
}

typedef struct owning {
	solver_bodies *solver_bodies;
	const talus_problem *problem;
} owning;

static size_t block_end(const owning *o, size_t block)
{
	size_t end = (block + 1)*PARALLEL_BLOCK;
	return end < o->problem->contacts ? end : o->problem->contacts;
}

// How many lines of their own the contacts of a block need.
static void count_own(void *job, size_t first, size_t last)
{
	const owning *o = job;
	const talus_solver_body *motion = o->problem->motion;
	for (size_t block = first; block < last; block++) {
		uint32_t count = 0;
		for (size_t i = block*PARALLEL_BLOCK; i < block_end(o, block); i++) {
			const talus_contact *c = &o->problem->contact[i];
			count += (uint32_t)immovable(&motion[c->a]) + (uint32_t)immovable(&motion[c->b]);
		}
		o->solver_bodies->own[block] = count;
	}
}

static uint32_t line_for(const owning *o, uint32_t body, uint32_t *next)
{
	const talus_solver_body *line = &o->problem->motion[body];
	if (!immovable(line))
		return body*LINE;
	o->solver_bodies->motion[*next] = *line;
	return (*next)++*LINE;
}

static void give_own(void *job, size_t first, size_t last)
{
	const owning *o = job;
	for (size_t block = first; block < last; block++) {
		uint32_t next = o->solver_bodies->own[block];
		for (size_t i = block*PARALLEL_BLOCK; i < block_end(o, block); i++) {
			const talus_contact *c = &o->problem->contact[i];
			o->solver_bodies->at[i].a = line_for(o, c->a, &next);
			o->solver_bodies->at[i].b = line_for(o, c->b, &next);
		}
	}
}

void solver_bodies_take(solver_bodies *l, const talus_problem *problem, parallel *team)
{
	size_t n = problem->contacts, blocks = (n + PARALLEL_BLOCK - 1)/PARALLEL_BLOCK, nobodies = (size_t)parallel_threads(team);
	owning o = {l, problem};
	l->count = 0;
	l->own = memory_room(l->own, &l->own_capacity, blocks, sizeof *l->own);
	l->at = memory_room(l->at, &l->contact_capacity, n, sizeof *l->at);
	parallel_for(team, blocks, 1, count_own, &o);
	size_t count = problem->bodies;
	for (size_t block = 0; block < blocks; block++) {
		uint32_t own = l->own[block];
		l->own[block] = (uint32_t)count;
		count += own;
	}
	reserve(l, count + nobodies);
	parallel_for(team, problem->bodies, PARALLEL_BLOCK, copy_some, &(copy){problem->motion, l->motion});
	parallel_for(team, blocks, 1, give_own, &o);
	l->count = count;
	reserve(l, l->count + pistons_count(l, problem));
	pistons_take(l, problem);
	reserve(l, l->count + nobodies);
	memset(&l->motion[l->count], 0, nobodies*sizeof *l->motion);
	assert(l->capacity < UINT32_MAX/LINE);
	l->dummy_body = (uint32_t)l->count*LINE;
	l->count += nobodies;
}

void solver_bodies_return(const solver_bodies *l, talus_problem *problem, parallel *team)
{
	parallel_for(team, problem->bodies, PARALLEL_BLOCK, copy_some, &(copy){l->motion, problem->motion});
}

void solver_bodies_free(solver_bodies *l)
{
	memory_free(l->motion);
	memory_free(l->at);
	memory_free(l->own);
	pistons_free(l->pistons);
}
