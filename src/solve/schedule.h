// SPDX-License-Identifier: MIT
// A sweep made ready for SIMD lanes and threads. Contacts are given levels (the dependency levels of a graph colouring): one more than the highest level that its two bodies have
// had so far in the order of the sweep. Contacts of one level share no body, and the levels one after the other are,
// bit for bit, the sweep in its order, whoever does how many contacts of a level at once.
//
// A sweep level is what is left of a level; a bundle is sweep levels one after the other; the bundles of a colour pass share no body. A sweep
// of everything in one random order is a single bundle. A large problem comes cut into blocks: each has an order of its own, and blocks of
// one colour make a colour pass. Some of them together are a bundle: they share no body, so that their first levels may go together, their
// second ones, and so on, which leaves fewer lanes empty. Who goes with whom depends on the number of threads; what comes out does not.
#ifndef TALUS_SOLVE_SCHEDULE_H
#define TALUS_SOLVE_SCHEDULE_H

#include "base/totals.h"
#include "solve/kernel.h"

typedef struct class_part { // of a class: batches; or, of one without and of a schedule without, contacts in `row`
	uint32_t first, count;
} class_part;

typedef struct sweep_level {
	class_part of[TALUS_CLASSES];
	bool opens, closes; // bodies of its first KERNEL_JOINED batches are in one half of all, those of as many of the last ones in the other
	uint32_t all, put, head, tail; // while batches are filled (chains.c)
} sweep_level;

typedef struct bundle {
	uint32_t block, blocks; // its own
	uint32_t first, sweep_levels;
	uint32_t visit, visits; // its part of `order`
	class_part of[TALUS_CLASSES]; // its batches
	uint32_t thread;         // that goes through it
	bool chained;            // batches of the first class, and nothing else: sweep levels may go one into the other
} bundle;

typedef struct colour_pass {
	uint32_t first, bundles;
	uint32_t depth; // sweep levels of the deepest
	int piston;   // all contacts of this one, a single bundle; -1: of no piston
} colour_pass;

typedef struct schedule {
	bool batched;
	talus_blocks cut; // one block, if the problem is not cut
	uint32_t whole[2*TALUS_CLASSES]; // its first contacts
	uint64_t whole_name;
	int colour_passes;
	size_t pass_capacity;
	colour_pass *colour_pass;
	uint32_t bundles;
	size_t bundle_capacity;
	bundle *bundle;
	uint32_t sweep_levels;
	size_t level_capacity, order_capacity, shuffle_capacity;
	sweep_level *sweep_level;
	uint32_t *level_order;    // sweep levels in the order of a sweep, bundle by bundle
	uint32_t *shuffle; // levels of a colour pass in that order
	uint32_t *pass_order;
	size_t visits, capacity;
	uint32_t *order;  // contacts in the order of the sweep
	uint32_t *place;  // level of a contact or visit; in the end its lane in the batches
	uint32_t *row;    // contacts, level by level
	struct {
		size_t batches, capacity;
		void *batch;
	} of[TALUS_CLASSES];
	size_t reach_capacity;
	uint32_t *reach;  // level that a body has reached, above the ground
	uint32_t ground;
} schedule;

// The bodies as the sweeps see them. What cannot be moved gets a line of its own for every contact, so that it keeps
// nobody waiting.
typedef struct solver_bodies {
	size_t count, capacity;
	talus_solver_body *motion;
	size_t contact_capacity;
	contact_bodies *at; // per contact
	uint32_t dummy_body; // the first of the lines that lanes without a contact point to, one for each thread
	size_t own_capacity;
	uint32_t *own; // of some contacts together: their first line of their own
	struct pistons *pistons; // whose contacts have lines of their own, too; NULL: there never were any
} solver_bodies;

void solver_bodies_take(solver_bodies *solver_bodies, const talus_problem *problem, parallel *team); // a copy of the bodies
void solver_bodies_return(const solver_bodies *solver_bodies, talus_problem *problem, parallel *team);
void solver_bodies_free(solver_bodies *solver_bodies);

// One sweep in the given order, as rows of contacts. Independent draws visit some contacts more than once.
void schedule_rows(schedule *s, const talus_problem *problem, const solver_bodies *solver_bodies, talus_order order, uint64_t seed,
                   uint64_t step, uint64_t sweep);

// A random order that is used for many sweeps, as batches. `stream` makes it another one each time. Each sweep takes the levels
// of a bundle in another order (schedule_shuffle_levels), which costs nothing: contacts of a level are in the same place of all of them.
void schedule_batches(schedule *s, const talus_problem *problem, const solver_bodies *solver_bodies, uint64_t stream, parallel *team);
void schedule_shuffle_levels(schedule *s, uint64_t stream);
void schedule_unload(const schedule *s, talus_problem *problem, parallel *team); // impulses from the batches
void schedule_freeze(const schedule *s); // contacts keep the friction that they count with

// chains.c: which sweep levels of contacts of the first class may begin before another one has ended. Where contacts come in blocks, after each of them; then for all.
void chains_note(sweep_level *first, uint32_t sweep_levels, uint32_t block);
void chains_find(const schedule *s, bundle *u, size_t movable); // lines of what may move, before all others
static inline bool chains_second(contact_bodies at, size_t movable)       // both bodies are in the second half, or have a line of their own
{
	return at.a/LINE >= movable/2 && at.b/LINE >= movable/2;
}

// bundles.c: colour passes and their bundles, for so many threads
void bundles_make(schedule *s, const talus_problem *problem, int threads);
uint32_t bundles_visit(const talus_blocks *cut, uint32_t block); // contacts in blocks before
void bundles_reserve(schedule *s, size_t bundles);                // room for so many
void bundles_reserve_passes(schedule *s, size_t colour_passes);

// sweep.c: goes once through a schedule. With a rule, tells whether all contacts were calm.
typedef struct solver_workspace { // what a solver works with; it lives as long as the world, and all in it only grows
	parallel *team;       // NULL: one thread
	const kernel *kernel; // NULL: the best that there is
	const kernel *loops;  // of it, for the problem at hand
	bool brief;           // nobody asks for the residual at the end
	solver_bodies solver_bodies;
	int plans;            // one a thread
	schedule *plan;
	uint64_t plan_first;  // sweep of the first plan
	bool *calm;           // per thread
	size_t delta_capacity;
	struct impulse *delta; // parallel order: changes of the impulses
	size_t moved_capacity;
	double (*moved)[MOVED]; // in a cell that deforms: for every batch of the schedule, or of a sweep level, what it did
	struct momentum *momentum; // of the solver that has it
	struct judge *judge;       // of a stopping rule that looks from afar
	struct doubling *doubling; // of one that asks for forces
} solver_workspace;

void sweep_give(const solver_workspace *ws, const schedule *s, talus_problem *problem); // the first guess, to the bodies
double sweep_residual(const solver_workspace *ws, const schedule *s, const talus_problem *problem); // of batches
bool sweep_once(const solver_workspace *ws, const schedule *s, talus_problem *problem, const change_limit *rule);
void accelerated_sweep(const solver_workspace *ws, const schedule *s, talus_problem *problem, double work[WORKS]); // with momentum

void schedule_free(schedule *s);

#endif
