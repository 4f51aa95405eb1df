// SPDX-License-Identifier: MIT
// A large problem cut into blocks. Space has been cut into boxes and every body knows its own; a contact between bodies
// of one or of neighbouring boxes belongs to the lower (or, by chance, along a direction to the upper) of the two, so a
// block touches bodies of its own box and of those one further on. Two blocks whose numbers differ by two or more in some
// direction share no body: eight colours, by the parity of the three numbers, are enough. What does not fit (contacts of
// very large bodies) is a course of its own, and so is what touches a piston (piston.c).
#include "solve/schedule.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/piston.h"
#include "solve/solve.h"

#include <string.h>

enum { COLOURS = 8 };

static const uint32_t nowhere = UINT32_MAX;

// Along one direction: the lower of two neighbours, or the upper; around a periodic direction the last comes before the first.
// -1: they are none.
static int32_t corner_of(int32_t a, int32_t b, int32_t count, bool around, bool upper)
{
	int32_t step = b - a;
	if (step == 0 || step == 1 || (around && step == 1 - count))
		return upper ? b : a;
	if (step == -1 || (around && step == count - 1))
		return upper ? a : b;
	return -1;
}

static bool placed(const talus_problem *problem, uint32_t body)
{
	const talus_motion *line = &problem->motion[body];
	return line->inv_m != 0 || line->k != 0;
}

// The block of a contact, or nowhere.
static uint32_t block_of(const talus_problem *problem, size_t contact, unsigned upper)
{
	const talus_boxes *boxes = &problem->boxes;
	const talus_contact *c = &problem->contact[contact];
	uint32_t a = placed(problem, c->a) ? c->a : c->b, b = placed(problem, c->b) ? c->b : c->a;
	if (!boxes->box || contact >= problem->round || a >= boxes->bodies || b >= boxes->bodies)
		return nowhere;
	uint32_t index = 0, scale = 1;
	for (int k = 0; k < 3; k++) {
		int32_t box_a = (int32_t)(boxes->box[a] >> 10*k & 1023), box_b = (int32_t)(boxes->box[b] >> 10*k & 1023);
		int32_t corner = corner_of(box_a, box_b, boxes->count[k], boxes->around[k], upper >> k & 1);
		if (corner < 0)
			return nowhere;
		index += scale*(uint32_t)corner;
		scale *= (uint32_t)boxes->count[k];
	}
	return index;
}

static int colour_of(const talus_boxes *boxes, uint32_t block)
{
	uint32_t x = block%(uint32_t)boxes->count[0], rest = block/(uint32_t)boxes->count[0];
	uint32_t y = rest%(uint32_t)boxes->count[1], z = rest/(uint32_t)boxes->count[1];
	return (int)((x & 1) | (y & 1) << 1 | (z & 1) << 2);
}

static void one_course(schedule *s, size_t contacts)
{
	schedule_reserve_courses(s, 1);
	s->blocks = false;
	s->courses = 1;
	s->course[0] = (course){.visits = (uint32_t)contacts};
	s->phases = 1;
	s->phase[0] = (phase){.courses = 1};
}

// Courses in the order of their colours, the colours in a random one. Writes which course a block is.
static void number_courses(schedule *s, const talus_boxes *boxes, uint32_t blocks, uint32_t *course_of, uint64_t stream)
{
	uint32_t colour[COLOURS] = {0, 1, 2, 3, 4, 5, 6, 7};
	order_shuffle(colour, COLOURS, stream);
	bool rest_first = random_bits(stream, 100) & 1;
	s->courses = 0;
	s->phases = 0;
	for (int p = 0; p <= COLOURS; p++) {
		bool rest = p == (rest_first ? 0 : COLOURS);
		phase *here = &s->phase[s->phases];
		*here = (phase){.first = s->courses};
		for (uint32_t b = 0; b < blocks && !rest; b++)
			if (colour_of(boxes, b) == (int)colour[rest_first ? p - 1 : p])
				course_of[b] = here->first + here->courses++;
		if (rest)
			course_of[blocks] = here->first + here->courses++;
		s->courses += here->courses;
		s->phases += here->courses > 0;
	}
}

// The last course; their phase comes anywhere among the others.
static void add_pistons(schedule *s, uint64_t stream)
{
	uint32_t at = random_below(stream, 102, (uint32_t)s->phases + 1);
	memmove(&s->phase[at + 1], &s->phase[at], ((size_t)s->phases - at)*sizeof *s->phase);
	s->phase[at] = (phase){.first = s->courses++, .courses = 1, .pistons = true};
	s->phases++;
}

// Which course every contact is in, and how many each has.
static void choose_courses(schedule *s, const talus_problem *problem, const uint32_t *course_of, uint32_t blocks, uint64_t stream)
{
	unsigned upper = (unsigned)random_bits(stream, 101); // one bit a direction
	for (uint32_t u = 0; u < s->courses; u++)
		s->course[u] = (course){0};
	for (size_t i = 0; i < problem->contacts; i++) {
		bool by_piston = problem->pistons > 0 && touches_piston(problem, i);
		uint32_t block = by_piston ? nowhere : block_of(problem, i, upper);
		s->place[i] = by_piston ? s->courses - 1 : course_of[block == nowhere ? blocks : block];
		s->course[s->place[i]].visits++;
	}
}

void blocks_divide(schedule *s, const talus_problem *problem, uint64_t stream)
{
	const talus_boxes *boxes = &problem->boxes;
	one_course(s, problem->contacts);
	if (!boxes->box && problem->pistons == 0)
		return;
	uint32_t blocks = boxes->box ? (uint32_t)(boxes->count[0]*boxes->count[1]*boxes->count[2]) : 0;
	schedule_reserve_courses(s, blocks + 2);
	schedule_reserve_members(s, problem->contacts + blocks + 1);
	s->blocks = boxes->box != NULL;
	uint32_t *course_of = s->member + problem->contacts;
	course_of[blocks] = 0;
	if (boxes->box)
		number_courses(s, boxes, blocks, course_of, stream);
	if (problem->pistons > 0)
		add_pistons(s, stream);
	choose_courses(s, problem, course_of, blocks, stream);
	uint32_t next = 0;
	for (uint32_t u = 0; u < s->courses; u++) {
		s->course[u].visit = next;
		next += s->course[u].visits;
		s->course[u].visits = 0;
	}
	for (uint32_t i = 0; i < problem->contacts; i++) {
		course *u = &s->course[s->place[i]];
		s->member[u->visit + u->visits++] = i;
	}
}
