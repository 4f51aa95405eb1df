// SPDX-License-Identifier: MIT
// Solvers of the contact problem. They know bodies only as solver bodies.
#ifndef TALUS_SOLVE_H
#define TALUS_SOLVE_H

#include "solve/classes.h"
#include "solve/schedule.h"

// problem.c
void problem_project(talus_problem *problem, parallel *team); // the first guess becomes one that the cones allow
void problem_start(talus_problem *problem);                   // and is given to the bodies
double problem_residual(const talus_problem *problem, parallel *team); // natural map, relative to the impulses
double residual_of(double wrong, double size);                // from its two sums
bool problem_is_idle(const talus_problem *problem, parallel *team); // are its impulses nothing beside what moves?
void problem_residual_parts(const talus_problem *problem, int k, double part[2], parallel *team); // the sums, of a class

// A visit of one contact: how its impulse changes (and its friction, which is not a change), what that does to both bodies,
// both for a change made before, and all at once.
impulse problem_change(const talus_problem *problem, size_t contact);
void problem_give(talus_problem *problem, size_t contact, vec3 dp, vec3 dq);
bool problem_take(talus_problem *problem, size_t contact, impulse change, const change_limit *rule); // was it calm?
bool problem_visit(talus_problem *problem, size_t contact, const change_limit *rule); // was it calm? True without a rule

static inline bool is_calm(vec3 p, double change, change_limit rule)
{
	return change <= rule.relative*norm(p) + rule.absolute; // what is not a number is not calm
}

// The same with momentum.
void problem_visit_accelerated(talus_problem *problem, size_t contact, impulse *past, double beta, const double coarse[WORKS],
                      double sum[WORKS][LANES]);

// What a visit would change, and how fast it still approaches beyond what is allowed.
vec3 problem_wrong(const talus_problem *problem, size_t contact, double *approach);

// error.c, masses.c
typedef struct judge {
	size_t boxes;
	size_t capacity, glance_capacity, other_capacity;
	double *cells;
	glance *glance;             // of batches, and of the other contacts
	struct other_glance *other;
	// of a problem
	size_t still_capacity, box_capacity, count_capacity, list_capacity;
	double (*still)[3];   // per box: mass and impulse that heavy bodies bring along, and the mass of the others
	uint32_t *own;        // boxes of the bodies, none for heavy ones
	uint32_t *count;      // contacts of a heavy body
	uint32_t *list;       // contacts of heavy bodies
	const uint32_t *box;  // the boxes that count
	bool heavy;           // there are heavy bodies
} judge;

void error_begin(solver_workspace *ws, const talus_problem *problem); // before the first guess is given to the bodies
// Plain contacts are as the batches of the plan have them, or, without one, as in the problem.
talus_solve_error error_estimate(solver_workspace *ws, const schedule *plan, const talus_problem *problem, double *load);
double error_of(const talus_solve_error *error); // the one that counts
void judge_free(judge *judge);

// guess.c: the number by which a first guess is best multiplied, bodies having it already; 1 where it lies between `least` and 2.
double guess_factor(const talus_problem *problem, const talus_solver_body *from, const solver_bodies *all, bool heavy, bool later, parallel *team);
void guess_scale(const schedule *s, talus_problem *problem, double a); // the impulses alone

// doubling.c: what has changed since there were half as many sweeps. Impulses must be in the problem, bodies are its lines.
typedef struct doubling {
	int at; // sweeps at the copy; 0: there is none yet
	size_t contacts, extended_count, bodies; // room for so many
	vec3 *p, *q;
	talus_solver_body *motion;
	double rate[3][3], moved[3][3];
	double softest; // smallest quotient of energy over size of a change: how soft the problem is, as far as is known
	bool still;     // nothing has changed since the copy, but for rounding
	double closing; // speed with which contacts close where impulses have grown, at the last doubling
	int signs;      // doublings in a row at which it looked as if there were no solution
} doubling;

void doubling_begin(solver_workspace *ws, const talus_problem *problem);
void doubling_look(solver_workspace *ws, const talus_problem *problem, int sweeps);
int doubling_next(const doubling *d); // sweeps at which one must look
void doubling_free(doubling *d);

// momentum.c
static const double momentum_reach = 0.77; // mean diameters over which it carries errors in a sweep, in a column

typedef struct momentum {
	double theta, beta;
	bool smooth;          // no contact has friction
	double growth;        // of corrections with which it is dropped
	double change, best, least; // of the impulses: in the last sweep, the smallest since momentum was dropped, and of all
	int crossing;         // sweeps that a wave takes through the system and back
	int sweeps, stale;    // since the smallest of all
	bool doubt;           // there were too many
	int milestone;        // sweeps at which progress is measured next, from then on
	double least_then;    // at the last one
	int stuck;            // there was none, so many times in a row
	bool floor;           // and that is enough
	int restarts;
	size_t bodies;        // room for so many
	size_t pasts[TALUS_CLASSES]; // likewise
	void *past[TALUS_CLASSES];   // of the batches of a schedule, or of contacts one by one
	size_t threads;       // room for so many
	double (*sum)[WORKS][LANES]; // what the sweep did, per thread
	double coarse[WORKS];        // and how coarse the terms are
	size_t pushes;
	uint32_t *pushed;     // bodies with contacts
	double *before;       // where they were, as the loops keep it
	bool *touched;        // per body
	size_t boxes;         // room for so many
	bool *full;           // boxes of a problem that have bodies with contacts
	double rate[3][3], moved[3][3]; // of a cell that deforms
} momentum;

void momentum_begin(solver_workspace *ws, const schedule *s, const talus_problem *problem);
void momentum_drop(momentum *m); // and all that it has learnt: impulses have become others
void momentum_carry(solver_workspace *ws, talus_problem *problem); // bodies and cell go on as they did in the last sweep
void momentum_judge(momentum *m, const double work[WORKS]);  // after a sweep: how much of it the next one gets
void momentum_free(momentum *m);

// work.c: what a sweep with momentum did
void work_begin(momentum *m, int threads); // nothing is known yet of how large it will be
void work_clear(momentum *m, int threads); // before a sweep
void work_end(const solver_workspace *ws, const schedule *s, const talus_problem *problem, double work[WORKS]); // after it

// flow.c: rates of a cell that deforms
void flow_start(const talus_problem *problem, parallel *team); // all sums and the rates; the bodies must have the impulses
void flow_heat(const talus_problem *problem, parallel *team);  // the bodies' motion, anew
bool flow_settle(talus_cell_unknowns *flow, double stiffness); // rates go towards what is asked for; true: by a good deal too far at once
void flow_exact(const talus_cell_unknowns *flow, double rate[3][3]); // what is asked for
void flow_add(talus_cell_unknowns *flow, const double sum[FLOWS]);
void flow_of_contact(vec3 n, double span, vec3 p, double sum[FLOWS]); // p_i l_j

// order.c: who goes when, in sweep number `sweep` of step `step`
void order_fill(uint32_t *order, size_t count, talus_order kind, uint64_t seed, uint64_t step, uint64_t sweep);
void order_shuffle(uint32_t *order, size_t count, uint64_t stream); // what is there, in a random order

// nsgs.c: sweeps of one-contact updates, each seeing the newest impulses of the others
talus_solve_report nsgs_solve(talus_problem *problem, const talus_solver_def *def, double dt, uint64_t seed, uint64_t step,
                              solver_workspace *ws);
// The same problem solved on from where it is, until it no longer changes: by a share of what it has changed since, or at all. The report's
// `no_solution` counts doublings of the sweeps that spoke against there being one.
talus_solve_report nsgs_solve_on(talus_problem *problem, int least, int most, const vec3 *was, uint64_t seed,
                                 uint64_t step, solver_workspace *ws);
void solver_workspace_free(solver_workspace *ws);

#endif
