// SPDX-License-Identifier: MIT
// Contact dynamics: rigid grains, implicit steps. What it keeps in a world, and its stages.
#ifndef TALUS_METHOD_CONTACT_DYNAMICS_H
#define TALUS_METHOD_CONTACT_DYNAMICS_H

#include "method/audit.h"
#include "method/crush.h"
#include "method/rows.h"
#include "world.h"

typedef struct contact_dynamics {
	contact_rows rows;
	talus_cell_unknowns flow; // of the last solve; the cell's rate becomes its
	talus_solve_memory memory;
	audit audit;
	crush crush;
	double overlap_before; // largest, before the step
	bool residual_due;     // nobody has asked for that of the last step yet
	// buffers that only grow
	size_t pistons, piston_capacity;
	talus_piston *piston; // walls that are one, in their order
	struct solver_workspace *solver_workspace; // solve/solve.h
	size_t coarse_capacity;
	uint32_t *coarse; // per grain: its box, for the solver's judgement
	// the problem of a step, for who has asked for it
	bool wanted, kept;
	size_t free_capacity;
	talus_solver_body *free; // solver bodies before the solve
} contact_dynamics;

static inline contact_dynamics *contact_dynamics_of(const talus_world *world)
{
	return world->own;
}

// What laws are made of, and what they write: flags and memory of contacts, and rows.
typedef struct law_stage {
	const world_state *state;
	const approach *approach;
	const law_set *laws;
	contacts *contacts;
	contact_rows *rows;
} law_stage;

static inline law_stage contact_dynamics_law_stage(talus_world *world)
{
	return (law_stage){&world->state, &world->approach, &world->laws, &world->contacts, &contact_dynamics_of(world)->rows};
}

// contact_dynamics.c: stages. A job is a law_stage.
void contact_dynamics_predict(const world_state *state, approach *approach); // solver bodies: what the bodies would do without contacts
void contact_dynamics_counted(void *job); // room for the rows of all contacts
void contact_dynamics_plain_laws(void *job, size_t first, size_t last); // effective masses, gap terms, limits of these contacts
void contact_dynamics_laws(const law_stage *stage); // the same for all that are not plain, and what else they have
void contact_dynamics_thaw(const law_stage *stage); // before a further solve: what slid may stick again
void contact_dynamics_remember(const law_stage *stage, talus_step_report *report); // after the solve: what contacts that are not plain must know in the next step; bonds
// x, v, spin, orientation, walls, the cell; what implicit Euler loses; returns whether pairs must be found again.
bool contact_dynamics_advance(world_state *state, const approach *approach, const talus_cell_unknowns *flow, const bearing *bearing,
                              energy_account *energy, double *mean_acceleration);

// record.c
bool contact_dynamics_set_simd(talus_world *world, talus_simd simd); // false: this processor does not have it

// step_forces.c
void contact_dynamics_find_and_solve(talus_world *world); // contacts, laws, impulses of a step
void contact_dynamics_find_residual(talus_world *world); // where nobody has asked for it yet
talus_problem contact_dynamics_problem(talus_world *world); // of the contacts and solver bodies as they are
// The problem of a step for others: ask before it. After it bodies have the motion without contacts, contacts the impulses found. What it
// points to belongs to the world, and is good until the next step. False: nobody had asked, or the step had no contacts to solve.
void contact_dynamics_ask(talus_world *world);
bool contact_dynamics_asked(const talus_world *world, talus_problem *problem);

// impact.c: after the solve. How many clusters of contacts are there whose bounces have made energy? They are lowered, and
// the contacts are to be solved again. `round` counts from 1; in round 0 they are only counted.
size_t impact_soften(const law_stage *stage, int round);

#endif
