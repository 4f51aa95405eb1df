// SPDX-License-Identifier: MIT
// Pistons while a problem is solved. A piston's contacts see it through lines of their own, which nothing moves; the velocity itself is in the
// piston's line, which has its mass, too, for all who ask for masses.
#ifndef TALUS_SOLVE_PISTON_H
#define TALUS_SOLVE_PISTON_H

#include "solve/schedule.h"

typedef struct piston_row { // one of its contacts
	uint32_t contact, line;
	double side; // 1: p acts on the piston; -1: -p does
	talus_vec3 p; // as it is now, and the friction that counts
	double mu;
} piston_row;

typedef struct piston {
	uint32_t line;
	talus_vec3 inv_m;
	talus_vec3 free;      // velocity without contacts
	uint32_t first, rows; // in `row`
	double mass; // of its contacts, in all
	// the step that it was sent at the last look
	talus_vec3 from, way;
	double asked;   // how far it was asked to go along it, times its length
	double went;    // at the first look of a sweep
	double size;    // of all impulses, at most, since then
	int returns;    // steps in a row that went back where the one before came from
} piston;

typedef struct pistons {
	size_t count, capacity;
	piston *at;
	size_t rows, row_capacity;
	piston_row *row; // piston by piston
	uint32_t first_line, last_line; // of all rows, counted in doubles
	bool again;      // contacts should look again
} pistons;

// Which piston a body is; NULL: none.
static inline const talus_piston *piston_of(const talus_problem *problem, uint32_t body)
{
	if (problem->pistons == 0 || body < problem->piston[0].line)
		return NULL;
	for (size_t k = 0; k < problem->pistons; k++)
		if (problem->piston[k].line == body)
			return &problem->piston[k];
	return NULL;
}

static inline bool touches_piston(const talus_problem *problem, size_t contact)
{
	return piston_of(problem, problem->contact[contact].a) || piston_of(problem, problem->contact[contact].b);
}

// Is it the line of a contact of a piston?
static inline bool pistons_have(const solver_bodies *l, uint32_t line)
{
	return l->pistons && line >= l->pistons->first_line && line < l->pistons->last_line;
}

size_t pistons_count(solver_bodies *l, const talus_problem *problem); // their contacts; comes first
void pistons_take(solver_bodies *l, const talus_problem *problem); // lines for so many, behind all that are there; there must be room
void pistons_spread(const solver_bodies *l);                       // velocities to these lines
void pistons_free(pistons *all);

// Impulses are in the batches of a plan, or, if it is NULL or has none, in the problem.
void pistons_exact(const solver_bodies *l, const schedule *plan, const talus_problem *problem); // velocities that the impulses give
bool pistons_settle(const solver_bodies *l, const schedule *plan, const talus_problem *problem, int which, int look); // true: its contacts should look again

// For who visits all contacts at once and takes a share of each change: velocities that go with it, and the changes with them. In the end: visits until
// contacts and velocities agree.
void pistons_foresee(const solver_bodies *l, const talus_problem *problem, double share, struct impulse *change);
void pistons_finish(const solver_bodies *l, talus_problem *problem);

#endif
