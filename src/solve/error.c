// SPDX-License-Identifier: MIT
// How wrong an answer is, in terms of the grains: three numbers that mean the same for a hundred grains and for a million.
//
// Contacts that are each a little wrong in the same way add up: in a column of n grains a velocity that is off by dv at every
// contact is a force that is off by n^2 times that of one contact. So errors are also looked at from afar. A visit would change
// the impulse of a contact by e, that is its velocity by e/m. Averaged over the contacts of a box,
//     G = D <e/m n>/d
// is a gradient of velocities that should not be there; ends of the box part with G l, and it takes half its mass times that to
// make them stop. That impulse over what the cross-section of the box carries is the error of the box; boxes are put together by
// twos to larger ones, up to all of the system.
#include "solve/solve.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { CHUNKS = 16, CHUNK_LEAST = 1024 };

// So many, whoever does them: sums are the same on any number of threads.
static size_t chunks_of(const talus_problem *problem)
{
	size_t some = 1 + problem->contacts/CHUNK_LEAST;
	return some < CHUNKS ? some : CHUNKS;
}

enum { MASS, COUNT, TENSOR, CELL = TENSOR + 9 }; // of a box

typedef struct chunk {
	double overlap;     // largest
	double wrong, size; // sums of squares of e and p
	double push, pushes;
} chunk;

typedef struct judging {
	const workshop *shop;
	const schedule *plan; // whose batches have the plain contacts; NULL: they are where they came from
	const talus_problem *problem;
} judging;

static size_t boxes_of(const talus_coarse *c)
{
	return c->box ? (size_t)c->side[0]*(size_t)c->side[1]*(size_t)c->side[2] : 0;
}

// ---------------------------------------------------------------- contacts

// A contact lies where one of its bodies is; those that cannot be moved have lines behind all others.
static double *cell_at(const talus_coarse *coarse, double *cells, ends at)
{
	uint32_t a = at.a/LINE, b = at.b/LINE, body = b < coarse->bodies ? b : a;
	return !cells ? NULL : cells + CELL*(body < coarse->bodies ? coarse->box[body] : 0);
}

typedef struct mistake { // of a contact
	vec3 e, p, n;
	double mass_n, approach;
} mistake;

static void add_mistake(const mistake *m, chunk *sum, double *cell)
{
	double wrong = dot(m->e, m->e), push = norm(m->p), by = m->mass_n > 0 ? 1/m->mass_n : 0;
	sum->overlap = fmax(sum->overlap, m->approach);
	sum->wrong += wrong;
	sum->size += push*push;
	if (push > 0) {
		sum->push += push;
		sum->pushes += 1;
	}
	if (!cell || (push == 0 && wrong == 0))
		return;
	cell[COUNT] += 1;
	for (int k = 0; k < 9; k++)
		cell[TENSOR + k] += by*component(m->e, k/3)*component(m->n, k%3);
}

static void add_contact(const judging *j, size_t i, chunk *sum, double *cells)
{
	const talus_contact *c = &j->problem->contact[i];
	mistake m = {.p = c->p, .n = c->n, .mass_n = c->mass_n};
	m.e = problem_wrong(j->problem, i, &m.approach);
	add_mistake(&m, sum, cell_at(&j->problem->coarse, cells, j->shop->lines.at[i]));
}

static void add_batch(const judging *j, const batch *b, chunk *sum, double *cells)
{
	double wrong[WRONGS][LANES];
	j->shop->loops->wrong(b, j->shop->lines.motion, wrong);
	for (uint32_t l = 0; l < LANES; l++) {
		mistake m = {.e = {wrong[0][l], wrong[1][l], wrong[2][l]}, .p = batch_impulse(b, l),
		             .n = {b->n[0][l], b->n[1][l], b->n[2][l]}, .mass_n = b->mass_n[l], .approach = wrong[WRONG_APPROACH][l]};
		add_mistake(&m, sum, cell_at(&j->problem->coarse, cells, b->at[l]));
	}
}

static void judge_chunks(void *job, size_t first, size_t last)
{
	const judging *j = job;
	const talus_problem *problem = j->problem;
	const struct judge *to = j->shop->judge;
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	size_t batches = j->plan ? j->plan->batches : 0, from = j->plan ? problem->plain : 0, rest = problem->contacts - from;
	for (size_t n = first; n < last; n++) {
		chunk *sum = &to->chunk[n];
		double *cells = boxes ? to->cells + n*boxes*CELL : NULL;
		memset(sum, 0, sizeof *sum);
		if (boxes)
			memset(cells, 0, boxes*CELL*sizeof *cells);
		for (size_t i = batches*n/chunks; i < batches*(n + 1)/chunks; i++)
			add_batch(j, &j->plan->batch[i], sum, cells);
		for (size_t i = from + rest*n/chunks; i < from + rest*(n + 1)/chunks; i++)
			add_contact(j, i, sum, cells);
	}
}

// ---------------------------------------------------------------- boxes

static void add_masses(const talus_problem *problem, double *cells)
{
	for (size_t i = 0; i < problem->coarse.bodies; i++)
		if (problem->motion[i].inv_m > 0)
			cells[CELL*problem->coarse.box[i] + MASS] += 1/problem->motion[i].inv_m;
}

// Impulse that is missing across the box, over what its cross-section carries, along the worst direction.
static double box_error(const double *cell, const double length[3], int dimension, double diameter, double push)
{
	double worst = 0, scale = cell[COUNT] > 0 ? dimension/(cell[COUNT]*diameter) : 0;
	for (int k = 0; k < dimension; k++) {
		double across = 1, square = 0;
		for (int j = 0; j < dimension; j++) {
			across *= j == k ? 1 : fmax(length[j]/diameter, 1);
			square += cell[TENSOR + 3*j + k]*cell[TENSOR + 3*j + k];
		}
		worst = fmax(worst, 0.5*cell[MASS]*scale*sqrt(square)*length[k]/(push*across));
	}
	return worst;
}

static double level_error(const double *cells, const int side[3], const double length[3], const talus_coarse *c, double push)
{
	double worst = 0;
	for (size_t i = 0; i < (size_t)side[0]*(size_t)side[1]*(size_t)side[2]; i++)
		worst = fmax(worst, box_error(cells + CELL*i, length, c->dimension, c->diameter, push));
	return worst;
}

// Two neighbours along the longest direction become one, in place.
static void put_together(double *cells, int side[3], double length[3])
{
	int k = side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2;
	int old[3] = {side[0], side[1], side[2]};
	size_t to = 0;
	side[k] /= 2;
	length[k] *= 2;
	for (int z = 0; z < side[2]; z++)
		for (int y = 0; y < side[1]; y++)
			for (int x = 0; x < side[0]; x++, to++) {
				int at[3] = {x, y, z};
				at[k] *= 2;
				size_t step = k == 0 ? 1 : k == 1 ? (size_t)old[0] : (size_t)old[0]*(size_t)old[1];
				size_t from = (size_t)at[0] + (size_t)old[0]*((size_t)at[1] + (size_t)old[1]*(size_t)at[2]);
				for (int n = 0; n < CELL; n++)
					cells[CELL*to + (size_t)n] = cells[CELL*from + (size_t)n] + cells[CELL*(from + step) + (size_t)n];
			}
}

static double global_error(const talus_problem *problem, double *cells, double push)
{
	const talus_coarse *c = &problem->coarse;
	int side[3] = {c->side[0], c->side[1], c->side[2]};
	double length[3] = {c->edge[0], c->edge[1], c->edge[2]}, worst = 0;
	for (;;) {
		worst = fmax(worst, level_error(cells, side, length, c, push));
		if (side[0] == 1 && side[1] == 1 && side[2] == 1)
			return worst;
		put_together(cells, side, length);
	}
}

// ---------------------------------------------------------------- all of it

static judge *prepare(workshop *shop, size_t boxes, size_t chunks)
{
	if (!shop->judge) {
		shop->judge = memory_grow(NULL, 0, sizeof *shop->judge);
		*shop->judge = (judge){.chunk = memory_grow(NULL, 0, CHUNKS*sizeof(chunk))};
	}
	judge *j = shop->judge;
	j->cells = memory_room(j->cells, &j->capacity, chunks*boxes*CELL, sizeof *j->cells);
	return j;
}

talus_solve_error error_judge(workshop *shop, const schedule *plan, const talus_problem *problem)
{
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	judge *j = prepare(shop, boxes, chunks);
	judging job = {shop, plan, problem};
	chunk all = {0};
	parallel_for(shop->team, chunks, 1, judge_chunks, &job);
	for (size_t n = 0; n < chunks; n++) {
		const chunk *c = &j->chunk[n];
		all.overlap = fmax(all.overlap, c->overlap);
		all.wrong += c->wrong;
		all.size += c->size;
		all.push += c->push;
		all.pushes += c->pushes;
		for (size_t i = 0; n > 0 && i < boxes*CELL; i++)
			j->cells[i] += j->cells[n*boxes*CELL + i];
	}
	talus_solve_error e = {.overlap = boxes ? all.overlap*problem->dt/problem->coarse.diameter : 0,
	                       .local = residual_of(all.wrong, all.size)};
	if (boxes && all.pushes > 0) {
		add_masses(problem, j->cells);
		e.global = global_error(problem, j->cells, all.push/all.pushes);
	}
	return e;
}

double error_of(const talus_solve_error *e)
{
	return fmax(e->overlap, fmax(e->local, e->global));
}

void judge_free(judge *j)
{
	memory_free(j->chunk);
	memory_free(j->cells);
}
