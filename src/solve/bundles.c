// SPDX-License-Identifier: MIT
// The blocks of a colour put together to bundles: some ten thousand contacts each, so that lanes are full and sweep levels long, and as
// many for every thread. A cell that deforms must follow level by level, however light it is: there a colour pass is one bundle.
#include "solve/schedule.h"

#include "base/memory.h"
#include "solve/piston.h"
#include "solve/solve.h"

enum { COURSE = 1 << 15, COURSE_LEAST = 256 };

uint32_t bundles_visit(const talus_blocks *cut, uint32_t block)
{
	uint32_t sum = 0;
	for (int k = 0; k < TALUS_CLASSES; k++)
		sum += cut->first[TALUS_CLASSES*block + (uint32_t)k] - cut->first[k];
	return sum;
}

void bundles_reserve(schedule *s, size_t bundles)
{
	if (bundles <= s->bundle_capacity)
		return;
	size_t had = s->bundle_capacity;
	s->bundle_capacity = memory_capacity(had, bundles);
	s->bundle = memory_grow(s->bundle, had*sizeof *s->bundle, s->bundle_capacity*sizeof *s->bundle);
}

void bundles_reserve_passes(schedule *s, size_t colour_passes)
{
	if (colour_passes <= s->pass_capacity)
		return;
	size_t had = s->pass_capacity;
	s->pass_capacity = memory_capacity(had, colour_passes);
	s->colour_pass = memory_grow(s->colour_pass, had*sizeof *s->colour_pass, s->pass_capacity*sizeof *s->colour_pass);
	s->pass_order = memory_grow(s->pass_order, had*sizeof *s->pass_order, s->pass_capacity*sizeof *s->pass_order);
}

// All in one block, if it is not cut.
static void take_cut(schedule *s, const talus_problem *problem)
{
	s->cut = problem->blocks;
	if (s->cut.count)
		return;
	for (int k = 0; k < TALUS_CLASSES; k++) {
		s->whole[k] = (uint32_t)class_first(problem, k);
		s->whole[TALUS_CLASSES + k] = (uint32_t)class_end(problem, k);
	}
	s->whole_name = 0;
	s->cut = (talus_blocks){.count = 1, .first = s->whole, .name = &s->whole_name};
	for (int c = 1; c <= TALUS_COLOURS; c++)
		s->cut.colour[c] = 1;
}

// How many bundles for so many contacts.
static uint32_t courses_for(uint32_t contacts, uint32_t threads)
{
	uint32_t each = (contacts + COURSE*threads/2)/(COURSE*threads), most = (contacts + COURSE_LEAST - 1)/COURSE_LEAST;
	uint32_t bundles = (each ? each : 1)*threads;
	return bundles < most ? bundles : most;
}

// Blocks that lie side by side, about as many contacts for each bundle.
static void fill_pass(schedule *s, colour_pass *p, uint32_t first, uint32_t last, uint32_t threads, bool together)
{
	uint32_t start = bundles_visit(&s->cut, first), contacts = bundles_visit(&s->cut, last) - start;
	uint32_t wanted = together ? 1 : courses_for(contacts, threads), before = UINT32_MAX;
	*p = (colour_pass){.first = s->bundles};
	for (uint32_t b = first; b < last; b++) {
		uint32_t visit = bundles_visit(&s->cut, b), visits = bundles_visit(&s->cut, b + 1) - visit;
		if (visits == 0)
			continue;
		uint32_t number = (uint32_t)((uint64_t)(visit - start + visits/2)*wanted/contacts);
		if (number != before) {
			bundles_reserve(s, s->bundles + 1);
			s->bundle[s->bundles++] = (bundle){.block = b, .visit = visit};
			p->bundles++;
		}
		bundle *u = &s->bundle[s->bundles - 1];
		u->blocks = b + 1 - u->block;
		u->visits += visits;
		before = number;
	}
}

// The piston whose contacts a block has.
static int piston_in(const schedule *s, const talus_problem *problem, uint32_t block)
{
	const uint32_t *first = s->cut.first + TALUS_CLASSES*block;
	for (int k = 0; k < TALUS_CLASSES; k++)
		if (first[k] < first[TALUS_CLASSES + k]) {
			const talus_contact *c = &problem->contact[first[k]];
			const talus_piston *a = piston_of(problem, c->a), *b = piston_of(problem, c->b);
			return a ? (int)(a - problem->piston) : b ? (int)(b - problem->piston) : -1;
		}
	return -1;
}

// Threads have bundles that lie side by side, about as many contacts for each.
static void share_pass(schedule *s, const colour_pass *p, uint32_t threads)
{
	const bundle *last = &s->bundle[p->first + p->bundles - 1];
	uint32_t start = s->bundle[p->first].visit, contacts = last->visit + last->visits - start;
	for (bundle *u = &s->bundle[p->first]; u <= last; u++)
		u->thread = (uint32_t)((uint64_t)(u->visit - start + u->visits/2)*threads/contacts);
}

static void add_phase(schedule *s, const talus_problem *problem, uint32_t first, uint32_t last, int threads, bool of_piston)
{
	colour_pass *p = &s->colour_pass[s->colour_passes];
	fill_pass(s, p, first, last, (uint32_t)threads, problem->flow != NULL);
	if (p->bundles == 0)
		return;
	p->piston = of_piston ? piston_in(s, problem, s->bundle[p->first].block) : -1;
	share_pass(s, p, (uint32_t)threads);
	s->colour_passes++;
}

// Colour by colour. Pistons may have grains in common, and what each feels depends on nothing but its own velocity only while the others are at rest: so
// they come one after the other.
void bundles_make(schedule *s, const talus_problem *problem, int threads)
{
	take_cut(s, problem);
	s->bundles = 0;
	s->colour_passes = 0;
	const uint32_t *colour = s->cut.colour;
	bundles_reserve_passes(s, TALUS_OF_PISTONS + colour[TALUS_COLOURS] - colour[TALUS_OF_PISTONS]);
	for (int c = 0; c < TALUS_OF_PISTONS; c++)
		add_phase(s, problem, colour[c], colour[c + 1], threads, false);
	for (uint32_t b = colour[TALUS_OF_PISTONS]; b < colour[TALUS_COLOURS]; b++)
		add_phase(s, problem, b, b + 1, threads, problem->pistons > 0);
}
