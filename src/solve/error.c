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
	const talus_problem *problem;
	const judge *judge;
} judging;

static size_t boxes_of(const talus_coarse *c)
{
	return c->box ? (size_t)c->side[0]*(size_t)c->side[1]*(size_t)c->side[2] : 0;
}

// ---------------------------------------------------------------- contacts

static size_t box_at(const talus_problem *problem, const talus_contact *c)
{
	const talus_coarse *coarse = &problem->coarse;
	uint32_t body = c->b < coarse->bodies ? c->b : c->a;
	return body < coarse->bodies ? coarse->box[body] : 0;
}

static void add_contact(const talus_problem *problem, size_t i, chunk *sum, double *cells)
{
	const talus_contact *c = &problem->contact[i];
	double approach;
	vec3 e = problem_wrong(problem, i, &approach);
	double wrong = dot(e, e), push = norm(c->p);
	sum->overlap = fmax(sum->overlap, approach);
	sum->wrong += wrong;
	sum->size += push*push;
	if (push > 0) {
		sum->push += push;
		sum->pushes += 1;
	}
	if (!cells || (push == 0 && wrong == 0))
		return;
	double *cell = cells + CELL*box_at(problem, c), by = c->mass_n > 0 ? 1/c->mass_n : 0;
	cell[COUNT] += 1;
	for (int k = 0; k < 9; k++)
		cell[TENSOR + k] += by*component(e, k/3)*component(c->n, k%3);
}

static void judge_chunks(void *job, size_t first, size_t last)
{
	const judging *j = job;
	const talus_problem *problem = j->problem;
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	for (size_t n = first; n < last; n++) {
		chunk *sum = &j->judge->chunk[n];
		double *cells = boxes ? j->judge->cells + n*boxes*CELL : NULL;
		memset(sum, 0, sizeof *sum);
		if (boxes)
			memset(cells, 0, boxes*CELL*sizeof *cells);
		for (size_t i = problem->contacts*n/chunks; i < problem->contacts*(n + 1)/chunks; i++)
			add_contact(problem, i, sum, cells);
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

static void reserve(judge *j, size_t boxes, size_t chunks)
{
	if (!j->chunk)
		j->chunk = memory_grow(NULL, 0, CHUNKS*sizeof *j->chunk);
	j->cells = memory_room(j->cells, &j->capacity, chunks*boxes*CELL, sizeof *j->cells);
}

talus_solve_error error_judge(judge *j, const talus_problem *problem, parallel *team)
{
	size_t boxes = boxes_of(&problem->coarse), chunks = chunks_of(problem);
	judging job = {problem, j};
	chunk all = {0};
	reserve(j, boxes, chunks);
	parallel_for(team, chunks, 1, judge_chunks, &job);
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
