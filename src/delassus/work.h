// SPDX-License-Identifier: MIT
// What the solvers of contact problems share: the problem in even units, its laws as equations, factors, the
// best answer so far.
#ifndef TALUS_CONE_WORK_H
#define TALUS_CONE_WORK_H

#include "delassus/delassus.h"

// ---------------------------------------------------------------- range.c

// The same problem, in units in which squares are numbers. False if its own are good enough: then there is nothing to free.
typedef struct cone_range {
	cone_problem problem; // W and q of its own, all else belongs to the problem
	int of_r;             // r times 2^of_r belongs to it
} cone_range;

bool cone_range_init(cone_range *range, const cone_problem *problem);
void cone_range_free(cone_range *range);

typedef cone_report cone_solver(const cone_problem *problem, const cone_wish *wish, double *r);
cone_report cone_in_range(cone_solver *solve, const cone_problem *problem, const cone_wish *wish, double *r);

// ---------------------------------------------------------------- scale.c

// The same problem for x = r/unit: W near 1 on its diagonal, and every block there together with its mirror
// image.
typedef struct cone_scaled {
	cone_problem problem;
	double *unit;     // contacts*size
	size_t *diagonal; // place of the block (i, i) of each contact
	size_t *mirror;   // place of the block (j, i) for each block (i, j)
} cone_scaled;

void cone_units(const cone_problem *problem, double *unit);
void cone_scaled_init(cone_scaled *scaled, const cone_problem *problem);
void cone_scaled_free(cone_scaled *scaled);

// ---------------------------------------------------------------- law.c

// The laws of contact i as equations f = x - P(x - rho u) = 0. slope: the derivative of P, size*size, if
// asked for (NULL: no). True if it is closed: x - rho u pushes.
bool cone_law(const cone_problem *problem, size_t i, double rho, const double *x, const double *u, double *f,
              double *slope);

// ---------------------------------------------------------------- order.c, factor.c

void cone_order(const block_matrix *w, uint32_t *order); // order[k]: the contact to eliminate k-th

// A + B (W + shift) for those contacts that are `in`; A and B have a block per contact.
typedef struct cone_jacobian {
	const cone_scaled *scaled; // W
	const bool *in;
	const double *a, *b;
	double shift;
} cone_jacobian;

// L U of that.
typedef struct cone_factor {
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
} cone_factor;

void cone_factor_init(cone_factor *factor, const block_matrix *w);
void cone_factor_free(cone_factor *factor);
void cone_factor_make(cone_factor *factor, const cone_jacobian *jacobian);
void cone_factor_solve(const cone_factor *factor, double *x); // contacts that are not in are left alone

// ---------------------------------------------------------------- watch.c

// The time, and the best answer so far: no solver hands back a worse one than it has seen.
typedef struct cone_watch {
	const cone_problem *problem;
	const cone_wish *wish;
	double start;
	double *best, *room, *u, *unit; // contacts*size
	double least;    // of the best: error, or what stands for it where impulses run away
	double even_weight, own_weight; // of the errors over |q| against that, in even units and the problem's own
	bool tried;      // to prove that there is no solution
	cone_report report;
} cone_watch;

void cone_watch_init(cone_watch *watch, const cone_problem *problem, const cone_wish *wish, const double *r,
                     const char *solver);
double cone_watch_look(cone_watch *watch, const double *x, const double *unit); // `least` of unit*x (NULL: 1)
bool cone_watch_over(const cone_watch *watch); // good enough, or hopeless, or no time or iterations left
cone_report cone_watch_end(cone_watch *watch, double *r);

// ---------------------------------------------------------------- accelerated.c

// cone_accelerated, but only for as long as it gets on well.
cone_report cone_accelerated_start(const cone_problem *problem, const cone_wish *wish, double *r);

// ---------------------------------------------------------------- zeros.c

void *cone_zeros(size_t count, size_t size); // for memory_free

#endif
