// SPDX-License-Identifier: MIT
// The bodies' lines as the sweeps see them: a copy, with lines of their own for contacts with what cannot be moved.
#include "solve/schedule.h"

#include "base/memory.h"
#include "solve/piston.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 1024 };

typedef struct copy {
	const talus_motion *from;
	talus_motion *to;
} copy;

static void copy_some(void *job, size_t first, size_t last)
{
	const copy *c = job;
	memcpy(c->to + first, c->from + first, (last - first)*sizeof *c->to);
}

static bool immovable(const talus_motion *line)
{
	return line->inv_m == 0 && line->k == 0;
}

void lines_reserve(lines *l, size_t needed)
{
	if (needed <= l->capacity)
		return;
	l->capacity = memory_capacity(l->capacity, needed);
	l->motion = memory_grow(l->motion, l->count*sizeof *l->motion, l->capacity*sizeof *l->motion);
}

static uint32_t own_line(lines *l, uint32_t body)
{
	if (immovable(&l->motion[body])) {
		lines_reserve(l, l->count + 1);
		l->motion[l->count] = l->motion[body];
		return (uint32_t)l->count++*LINE;
	}
	return body*LINE;
}

static size_t boxes_of(const talus_problem *problem)
{
	const talus_boxes *boxes = &problem->boxes;
	return boxes->box ? (size_t)boxes->count[0]*(size_t)boxes->count[1]*(size_t)boxes->count[2] : 0;
}

void lines_take(lines *l, const talus_problem *problem, parallel *team)
{
	size_t n = problem->contacts;
	l->count = 0;
	lines_reserve(l, problem->bodies);
	if (n > l->contact_capacity) {
		l->contact_capacity = memory_capacity(l->contact_capacity, n);
		l->at = memory_grow(l->at, 0, l->contact_capacity*sizeof *l->at);
	}
	parallel_for(team, problem->bodies, BLOCK, copy_some, &(copy){problem->motion, l->motion});
	l->count = problem->bodies;
	for (size_t i = 0; i < n; i++) {
		const talus_contact *c = &problem->contact[i];
		l->at[i].a = own_line(l, c->a);
		l->at[i].b = own_line(l, c->b);
	}
	pistons_take(l, problem);
	size_t nobodies = boxes_of(problem) + 2; // a course each, what fits into no box, pistons
	lines_reserve(l, l->count + nobodies);
	assert(l->capacity < UINT32_MAX/LINE);
	memset(&l->motion[l->count], 0, nobodies*sizeof *l->motion);
	l->nobody = (uint32_t)l->count*LINE;
	l->count += nobodies;
}

void lines_return(const lines *l, talus_problem *problem, parallel *team)
{
	parallel_for(team, problem->bodies, BLOCK, copy_some, &(copy){l->motion, problem->motion});
}

void lines_free(lines *l)
{
	memory_free(l->motion);
	memory_free(l->at);
	pistons_free(l->pistons);
}
