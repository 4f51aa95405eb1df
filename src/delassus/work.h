// SPDX-License-Identifier: MIT
// What the solvers of contact problems share: the problem in even units, its laws as equations, factors, the
// best answer so far.
#ifndef TALUS_DELASSUS_WORK_H
#define TALUS_DELASSUS_WORK_H

#include "delassus/delassus.h"

// ---------------------------------------------------------------- range.c

// The same problem, in units in which squares are numbers. False if its own are good enough: then there is nothing to free.
typedef struct delassus_range {
	delassus_problem problem; // W and q of its own, all else belongs to the problem
	int of_r;             // r times 2^of_r belongs to it
} delassus_range;

bool delassus_range_init(delassus_range *range, const delassus_problem *problem);
void delassus_range_free(delassus_range *range);

typedef delassus_report delassus_solver(const delassus_problem *problem, const delassus_options *wish, double *r);
delassus_report delassus_in_range(delassus_solver *solve, const delassus_problem *problem, const delassus_options *wish, double *r);

// ---------------------------------------------------------------- scale.c

// The same problem for x = r/unit: W near 1 on its diagonal, and every block there together with its mirror
// image.
typedef struct delassus_scaled {
	delassus_problem problem;
	double *unit;     // contacts*size
	size_t *diagonal; // place of the block (i, i) of each contact
	size_t *mirror;   // place of the block (j, i) for each block (i, j)
} delassus_scaled;

void delassus_units(const delassus_problem *problem, double *unit);
void delassus_scaled_init(delassus_scaled *scaled, const delassus_problem *problem);
void delassus_scaled_free(delassus_scaled *scaled);

// ---------------------------------------------------------------- law.c

// The laws of contact i as equations f = x - P(x - rho u) = 0. slope: the derivative of P, size*size, if
// asked for (NULL: no). True if it is closed: x - rho u pushes.
bool delassus_law(const delassus_problem *problem, size_t i, double rho, const double *x, const double *u, double *f,
              double *slope);

// ---------------------------------------------------------------- order.c, factor.c

void delassus_order(const block_matrix *w, uint32_t *order); // order[k]: the contact to eliminate k-th

// A + B (W + shift) for those contacts that are `in`; A and B have a block per contact.
typedef struct delassus_jacobian {
	const delassus_scaled *scaled; // W
	const bool *in;
	const double *a, *b;
	double shift;
} delassus_jacobian;

// L U of that.
typedef struct delassus_factor {
	int size;
	size_t contacts, pivots;
	uint32_t *order; // of all contacts
	uint32_t *pivot; // contact of each pivot
	uint32_t *place; // of each contact among the pivots; UINT32_MAX: not in
	size_t *first;   // pivots + 1: the blocks of each pivot, in L's column and U's row
	uint32_t *touched; // later pivot that each block belongs to
	double *lower, *upper, *inverse;
	size_t room; // blocks
	bool *in;    // what the blocks were laid out for
	uint32_t *head, *next; // pivots that wait for a later one, as lists
	size_t *at, *slot;     // where they are in their blocks; where the blocks of the present pivot go
} delassus_factor;

void delassus_factor_init(delassus_factor *factor, const block_matrix *w);
void delassus_factor_free(delassus_factor *factor);
void delassus_factor_make(delassus_factor *factor, const delassus_jacobian *jacobian);
void delassus_factor_solve(const delassus_factor *factor, double *x); // contacts that are not in are left alone

// ---------------------------------------------------------------- watch.c

// The time, and the best answer so far: no solver hands back a worse one than it has seen.
typedef struct delassus_watch {
	const delassus_problem *problem;
	const delassus_options *wish;
	double start;
	double *best, *room, *u, *unit; // contacts*size
	double least;    // of the best: error, or what stands for it where impulses run away
	double even_weight, own_weight; // of the errors over |q| against that, in even units and the problem's own
	bool tried;      // to prove that there is no solution
	delassus_report report;
} delassus_watch;

void delassus_watch_init(delassus_watch *watch, const delassus_problem *problem, const delassus_options *wish, const double *r,
                     const char *solver);
double delassus_watch_look(delassus_watch *watch, const double *x, const double *unit); // `least` of unit*x (NULL: 1)
bool delassus_watch_over(const delassus_watch *watch); // good enough, or hopeless, or no time or iterations left
delassus_report delassus_watch_end(delassus_watch *watch, double *r);

// ---------------------------------------------------------------- accelerated.c

// delassus_accelerated, but only for as long as it gets on well.
delassus_report delassus_accelerated_start(const delassus_problem *problem, const delassus_options *wish, double *r);

// ---------------------------------------------------------------- zeros.c

void *delassus_zeros(size_t count, size_t size); // for memory_free

#endif
