// SPDX-License-Identifier: MIT
// A frictional contact problem by itself, as matrices, the form in which such problems are collected (FCLIB):
//
//     u = W r + q,   K* contains u + (mu |u_T| + mu_r |u_R|) N, perpendicular to r in K,
//     K = {|r_T| <= mu r_N, |r_R| <= mu_r r_N}
//
// A contact has `size` components: (N, T) in 2D, (N, T1, T2) in 3D, (N, T1, T2, R1, R2) with rolling.
#ifndef TALUS_DELASSUS_H
#define TALUS_DELASSUS_H

#include "law/one_contact.h"
#include <talus/extend.h>

// Square, of size x size blocks that are stored row by row; those of a block row one after the other, by column.
typedef struct block_matrix {
	int size;
	size_t rows;      // block rows
	size_t *first;    // rows + 1 of them: its blocks
	uint32_t *column; // of each block
	double *value;    // size*size of each block
} block_matrix;

typedef struct delassus_problem {
	int size; // 2, 3 or 5
	size_t contacts;
	block_matrix w;
	double *q;  // contacts*size
	double *mu; // contacts
	double *mu_roll; // NULL unless size is 5
	char title[256];
} delassus_problem;

typedef struct delassus_solution {
	double *r, *u; // contacts*size
} delassus_solution;

// Entries of a sparse matrix in any order; those at the same place add up.
typedef struct sparse_entries {
	size_t rows, columns, count;
	uint32_t *row, *column;
	double *value;
} sparse_entries;

// problem.c
void delassus_problem_init(delassus_problem *problem, int size, size_t contacts); // all zero, without W
void delassus_problem_free(delassus_problem *problem);
void delassus_problem_set_w(delassus_problem *problem, const sparse_entries *w); // of contacts*size rows and columns
void block_matrix_free(block_matrix *matrix);
void block_matrix_times(const block_matrix *matrix, const double *x, const double *plus, double *y); // y = matrix x + plus
size_t block_matrix_find(const block_matrix *matrix, size_t row, uint32_t column); // its place; SIZE_MAX: not there
void sparse_entries_free(sparse_entries *entries);
double delassus_seconds(void); // of work of this thread, since some moment

// global.c: bodies are there beside contacts, M v = H r + f, u = H^T v + w. Sets W = H^T M^-1 H and q = H^T M^-1
// f + w; mu is left alone.
bool delassus_condense(delassus_problem *problem, const sparse_entries *m, const sparse_entries *h, const double *f,
                   const double *w, talus_error *error);

// step.c: the contact problem of a step, its bodies with the velocities that they have without contacts. False,
// with a sentence, if a contact does more than exclude volume, bounce, rub and (spheres) resist to rolling. Then, in the same
// frames, the impulses that its contacts have now.
bool delassus_of_step(delassus_problem *problem, const talus_problem *step, talus_error *error);
void delassus_step_impulses(const talus_problem *step, double *r);

// error.c: the natural map r - P_K(r - (u + (mu |u_T| + mu_r |u_R|) N)), with u from r, as a norm over all contacts,
typedef struct delassus_error {
	double natural; // over max(|q|, |r|, |u|)
	double by_q;    // over |q| (over 1 if that is 0)
} delassus_error;
// Neither is a number where squares of q, r or u are beyond numbers; the solvers know what to do then (range.c).
delassus_error delassus_error_of(const delassus_problem *problem, const double *r, double *u); // u: room, gets W r + q
// The same over |q|, but of r/unit and unit*u; 0 if q is 0, INFINITY where squares are beyond numbers.
double delassus_error_even(const delassus_problem *problem, const double *unit, const double *r, const double *u);

// rolling.c: the laws of one contact alone with rolling, u = W r + b. r: first guess in, answer out.
typedef struct rolling_contact {
	bool can_stick; // W is not singular
	bool refine;    // but not far from it: W^-1 b has lost digits, which a second step brings back
	double mu, mu_roll;
	double w[25], inverse[25]; // row by row
} rolling_contact;
void rolling_contact_init(rolling_contact *contact, double mu, double mu_roll, const double *w);
void rolling_contact_solve(const rolling_contact *contact, const double *b, double *r);

// local.c: the laws of one contact alone of any size. r: first guess in (its direction of sliding), answer out. Exact but for round-off.
typedef struct delassus_contact {
	bool rolls; // size 5
	double mu;
	union {
		talus_one_contact one;
		rolling_contact rolling;
	};
} delassus_contact;
void delassus_contact_init(delassus_contact *contact, int size, double mu, double mu_roll, const double *w);
void delassus_contact_solve(const delassus_contact *contact, const double *b, double *r);

// project.c: nearest point of K, in place. size 2: an angle; 3: a round cone; 5: a product of two round limits
// on one push.
void delassus_project(int size, double mu, double mu_roll, double *r);

// proof.c: a proof that there is no solution: contacts that cannot all stay apart, whatever the impulses.
typedef struct delassus_proof {
	size_t contacts;   // how many; 0: there is no proof
	size_t contact[4]; // the first of them
	double least;      // any solution would have impulses of so many |q|, in even units
} delassus_proof;
delassus_proof delassus_proof_find(const delassus_problem *problem);

// Solvers. r: first guess in, answer out. They stop when delassus_error.natural <= tolerance with impulses that have not run
// away (watch.c), or after `seconds`, or `iterations` (0: no limit), or when somebody asks for it, or when there
// is a proof that there is no solution.
typedef struct delassus_options {
	double tolerance, seconds;
	uint64_t iterations;
	int (*stop_asked)(void); // not 0: stop now; NULL: nobody will
	delassus_proof (*prove)(const delassus_problem *problem); // delassus_proof_find; NULL: nobody looks for a proof
} delassus_options;
typedef struct delassus_report {
	uint64_t iterations;
	delassus_error error;
	bool converged;
	bool ran_away; // the error was small enough, but only over impulses that had grown beyond all bounds
	delassus_proof proof;
	double seconds;
	const char *solver; // the one that ended it
} delassus_report;
// nsgs.c
delassus_report delassus_nsgs(const delassus_problem *problem, const delassus_options *wish, double *r);
// accelerated.c
delassus_report delassus_accelerated(const delassus_problem *problem, const delassus_options *wish, double *r);
// newton.c: reaches 1e-12 where it can
delassus_report delassus_newton(const delassus_problem *problem, const delassus_options *wish, double *r);
// auto.c: chains them
delassus_report delassus_auto(const delassus_problem *problem, const delassus_options *wish, double *r);

#endif
