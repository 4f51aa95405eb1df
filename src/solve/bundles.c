// SPDX-License-Identifier: MIT
// The blocks of a colour put together to courses: some ten thousand contacts each, so that lanes are full and stages long, and as
// many for every thread. A cell that deforms must follow level by level, however light it is: there a phase is one course.
#include "solve/schedule.h"

#include "base/memory.h"
#include "solve/piston.h"
#include "solve/solve.h"

enum { COURSE = 1 << 15, COURSE_LEAST = 256 };

uint32_t bundles_visit(const talus_blocks *cut, uint32_t block)
{
	uint32_t sum = 0;
	for (int k = 0; k < TALUS_KINDS; k++)
		sum += cut->first[TALUS_KINDS*block + (uint32_t)k] - cut->first[k];
	return sum;
}

void bundles_reserve(schedule *s, size_t courses)
{
	if (courses <= s->course_capacity)
		return;
	size_t had = s->course_capacity;
	s->course_capacity = memory_capacity(had, courses);
	s->course = memory_grow(s->course, had*sizeof *s->course, s->course_capacity*sizeof *s->course);
}

void bundles_reserve_phases(schedule *s, size_t phases)
{
	if (phases <= s->phase_capacity)
		return;
	size_t had = s->phase_capacity;
	s->phase_capacity = memory_capacity(had, phases);
	s->phase = memory_grow(s->phase, had*sizeof *s->phase, s->phase_capacity*sizeof *s->phase);
	s->phase_turn = memory_grow(s->phase_turn, had*sizeof *s->phase_turn, s->phase_capacity*sizeof *s->phase_turn);
}

// All in one block, if it is not cut.
static void take_cut(schedule *s, const talus_problem *problem)
{
	const uint32_t limit[TALUS_KINDS + 1] = {0, (uint32_t)problem->plain, (uint32_t)problem->round, (uint32_t)problem->contacts};
	s->cut = problem->blocks;
	if (s->cut.count)
		return;
	for (int k = 0; k < TALUS_KINDS; k++) {
		s->whole[k] = limit[k];
		s->whole[TALUS_KINDS + k] = limit[k + 1];
	}
	s->whole_name = 0;
	s->cut = (talus_blocks){.count = 1, .first = s->whole, .name = &s->whole_name};
	for (int c = 1; c <= TALUS_COLOURS; c++)
		s->cut.colour[c] = 1;
}

// How many courses for so many contacts.
static uint32_t courses_for(uint32_t contacts, uint32_t threads)
{
	uint32_t each = (contacts + COURSE*threads/2)/(COURSE*threads), most = (contacts + COURSE_LEAST - 1)/COURSE_LEAST;
	uint32_t courses = (each ? each : 1)*threads;
	return courses < most ? courses : most;
}

// Blocks that lie side by side, about as many contacts for each course.
static void fill_phase(schedule *s, phase *p, uint32_t first, uint32_t last, uint32_t threads, bool together)
{
	uint32_t start = bundles_visit(&s->cut, first), contacts = bundles_visit(&s->cut, last) - start;
	uint32_t wanted = together ? 1 : courses_for(contacts, threads), before = UINT32_MAX;
	*p = (phase){.first = s->courses};
	for (uint32_t b = first; b < last; b++) {
		uint32_t visit = bundles_visit(&s->cut, b), visits = bundles_visit(&s->cut, b + 1) - visit;
		if (visits == 0)
			continue;
		uint32_t number = (uint32_t)((uint64_t)(visit - start + visits/2)*wanted/contacts);
		if (number != before) {
			bundles_reserve(s, s->courses + 1);
			s->course[s->courses++] = (course){.block = b, .visit = visit};
			p->courses++;
		}
		course *u = &s->course[s->courses - 1];
		u->blocks = b + 1 - u->block;
		u->visits += visits;
		before = number;
	}
}

// The piston whose contacts a block has.
static int piston_in(const schedule *s, const talus_problem *problem, uint32_t block)
{
	const uint32_t *first = s->cut.first + TALUS_KINDS*block;
	for (int k = 0; k < TALUS_KINDS; k++)
		if (first[k] < first[TALUS_KINDS + k]) {
			const talus_contact *c = &problem->contact[first[k]];
			const talus_piston *a = piston_of(problem, c->a), *b = piston_of(problem, c->b);
			return a ? (int)(a - problem->piston) : b ? (int)(b - problem->piston) : -1;
		}
	return -1;
}

// Threads have courses that lie side by side, about as many contacts for each.
static void share_phase(schedule *s, const phase *p, uint32_t threads)
{
	const course *last = &s->course[p->first + p->courses - 1];
	uint32_t start = s->course[p->first].visit, contacts = last->visit + last->visits - start;
	for (course *u = &s->course[p->first]; u <= last; u++)
		u->thread = (uint32_t)((uint64_t)(u->visit - start + u->visits/2)*threads/contacts);
}

static void add_phase(schedule *s, const talus_problem *problem, uint32_t first, uint32_t last, int threads, bool of_piston)
{
	phase *p = &s->phase[s->phases];
	fill_phase(s, p, first, last, (uint32_t)threads, problem->flow != NULL);
	if (p->courses == 0)
		return;
	p->piston = of_piston ? piston_in(s, problem, s->course[p->first].block) : -1;
	share_phase(s, p, (uint32_t)threads);
	s->phases++;
}

// Colour by colour. Pistons may have grains in common, and what each feels depends on nothing but its own velocity only while the others are at rest: so
// they come one after the other.
void bundles_make(schedule *s, const talus_problem *problem, int threads)
{
	take_cut(s, problem);
	s->courses = 0;
	s->phases = 0;
	const uint32_t *colour = s->cut.colour;
	bundles_reserve_phases(s, TALUS_OF_PISTONS + colour[TALUS_COLOURS] - colour[TALUS_OF_PISTONS]);
	for (int c = 0; c < TALUS_OF_PISTONS; c++)
		add_phase(s, problem, colour[c], colour[c + 1], threads, false);
	for (uint32_t b = colour[TALUS_OF_PISTONS]; b < colour[TALUS_COLOURS]; b++)
		add_phase(s, problem, b, b + 1, threads, problem->pistons > 0);
}
