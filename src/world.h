// SPDX-License-Identifier: MIT
// The inside of a world: columns of bodies, walls, the cell, the pair list, the contact table, the books.
#ifndef TALUS_WORLD_H
#define TALUS_WORLD_H

#include "base/memory.h"
#include "base/payoff.h"
#include "base/totals.h"
#include "base/vec.h"
#include <talus/extend.h>
#include <talus/talus.h>

// ---------------------------------------------------------------- body.c

typedef struct bodies {
	size_t count, capacity;
	uint32_t next_id;
	vec3 *x, *v, *spin, *force;
	double (*q)[4];
	double *radius, *mass, *inertia;
	uint32_t *id;
	int32_t (*image)[3]; // how often it was wrapped, per direction
	uint16_t *material;
	uint8_t *free;
	vec3 *x_listed;      // where it was when the pair list was made
	double *skin;        // how far it may get from there before a new list is due
} bodies;

// ---------------------------------------------------------------- wall.c

typedef struct wall {
	talus_wall_def def;
	vec3 shift;      // displacement since the start
	double angle;    // turned since the start
	vec3 v;          // velocity during this step
	double w;        // spin during this step, about axis
	// geometry at the start of this step, made from def, shift and angle
	vec3 point, to, axis, hole_at;
	vec3 force, torque; // by the grains, last step
	double moved;    // farthest that a point of it has come since the pair list was made
	vec3 shift_listed; // shift and angle then
	double angle_listed;
	double skin;     // how far it may come
	// periodic directions in which it has images, a bit each (wall_image.c)
	unsigned images;  // a grain may meet several of them
	unsigned nearest; // it meets the nearest: that of a hole, or of the inside of a cylinder
	bool light;       // a piston that friction may carry along: contacts move it one by one
} wall;

typedef struct walls {
	int count, capacity;
	wall *at;
} walls;

// ---------------------------------------------------------------- cell.c

// x = origin + h f with f in [0, 1) along periodic directions. Columns of h are the edges; open directions have a unit edge.
typedef struct cell {
	bool periodic[3];
	vec3 origin;
	double h[3][3], inverse[3][3];
	double rate[3][3]; // velocity gradient of the background; 0 unless something drives the cell
	double listed[3][3]; // h when the pair list was made
	double carry[3][3];  // from places then to places now, if nothing but the cell had moved
	vec3 shift[27];    // lattice vectors, index (i+1) + 3 (j+1) + 9 (k+1)
} cell;

// ---------------------------------------------------------------- collide/

typedef struct pair { // two grains closer than the skin
	uint32_t a, b;
	uint32_t image; // lattice vector to add to b
} pair;

typedef struct wall_pair {
	uint32_t grain, wall;
	uint32_t image; // which one of the wall's, as in wall_image
} wall_pair;

typedef struct grid grid; // scratch of the pair search, private to grid.c

// A long list is cut into blocks, for the solver (divide.c).
typedef struct list_blocks {
	uint32_t count;     // 0: it is not
	size_t capacity;
	uint32_t *pair, *wall; // first of each block, and one more
	uint64_t *name;     // for random numbers: the same whoever counts
	uint32_t colour[TALUS_COLOURS + 1]; // first block of each
} list_blocks;

typedef struct pair_list {
	size_t count, capacity;
	pair *pair;
	uint8_t *state; // per pair and step: is it a contact, was it found late, has it a row in the table
	size_t wall_count, wall_capacity;
	wall_pair *wall;
	uint16_t *wall_state;
	double skin; // of two grains at rest: what is closer is listed
	double longest; // no pair is farther apart while the list is good
	bool stale; // must be made again whatever the displacements are
	uint64_t builds;
	uint64_t tried; // distances looked at for the last list: what it has cost
	uint64_t made_at; // step, or that at which it was last cut
	list_blocks blocks;
	bool long_enough; // to be cut in space
	size_t cell_capacity;
	uint32_t *cells; // scratch of divide.c
	grid *grid;
} pair_list;

#define NO_WALL UINT32_MAX

typedef struct contact_info { // what sweeps do not touch
	uint64_t key;  // ids of the two bodies
	double gap;
	uint32_t wall; // index or NO_WALL
	uint32_t marks; // CONTACT_*
} contact_info;

enum { // of contacts whose materials do more than rub; kept from step to step
	CONTACT_SLID = 1,    // at the end of the last step
	CONTACT_BONDED = 2,
	CONTACT_FORMED = 4,  // its bond, in this step
	CONTACT_BOUNCES = 8, // in this step, with restitution
};

typedef struct contact_past { // what such a contact keeps beside its impulse
	vec3 q;
	uint32_t marks;
} contact_past;

typedef struct contacts {
	size_t count, plain, round, capacity; // three kinds one after the other, as in talus_problem
	talus_contact *contact;
	contact_info *info;
	size_t rich_capacity;
	talus_rich *rich; // of contacts from `plain` on
	size_t general_capacity;
	talus_general *general; // of contacts from `round` on
	size_t first_capacity;
	uint32_t *first; // where the list is cut: first contact of each block, kind by kind; and one row more
	size_t ghosts; // motion lines of spinning walls, one a contact, behind the walls' lines
	bool listed; // made of the pair list that is there, in its order
	// the last step's solution, to start from; in the pool, while new contacts are found
	size_t old_count, old_plain;
	vec3 *old_p;
	contact_past *old_past; // of contacts from old_plain on
	uint64_t *old_key;
	uint32_t *slot; // hash table key -> index
} contacts;

// ---------------------------------------------------------------- fill.c

typedef struct pour_state {
	talus_pour_def def;
	int poured;
	uint64_t draws; // random numbers used so far
	double next_radius; // drawn, waiting for room; 0 if none
} pour_state;

// ---------------------------------------------------------------- world.c

typedef struct scratch { // buffers that live as long as the world and only grow
	size_t motion_capacity;
	talus_motion *motion;
	size_t pistons, piston_capacity;
	talus_piston *piston; // walls that are one, in their order
	struct workshop *workshop; // of the solver, solve/solve.h
	size_t coarse_capacity;
	uint32_t *coarse; // per grain: its box, for the solver's judgement
	size_t bearing_capacity;
	size_t bearing_count;
	uint8_t *bearing; // per grain: contacts that carry a force, last step
	bool kicked; // some grain came farther within this step than it had seemed at first
	size_t kick_capacity;
	double *kick; // per grain: how far, in what was found so far
	memory_pool pool; // what a stage needs for itself alone, and gives back when it is over
} scratch;

// Energies, all since the start; what they are stands in talus.h, with talus_energy.
typedef struct books {
	double wall_work, driven_work, cell_work, added;
	double normal, friction, rolling, torsion, bonds, numerical; // dissipated
} books;

// ---------------------------------------------------------------- audit.c, crush.c

enum { AUDIT_BINS = 16*16 };

typedef struct audit {
	uint64_t count, unfinished; // of audits; those that were not done with what may be spent are not counted
	uint64_t updates;  // spent on them
	uint64_t last;     // step
	double next;       // sweeps that must be there before the next one
	double error[TALUS_AUDITED], largest[TALUS_AUDITED];
	uint64_t largest_step[TALUS_AUDITED];
	uint64_t bin[TALUS_AUDITED][AUDIT_BINS]; // how many errors of about that size
} audit;

enum { CRUSH_GRAIN = -1, CRUSH_CELL = -2 };

typedef struct crush {
	uint64_t step;       // that had no solution, the first; 0: none so far
	int wall;            // that is to blame, or one of the above
	uint32_t grain;
	uint64_t wait, next; // steps until one asks again
} crush;

struct talus_world {
	talus_world_def def;
	parallel *crew; // all threads that there are; NULL: one
	parallel *team; // those that the step at hand uses
	int materials;
	talus_material *material;
	talus_pair *pair; // materials x materials
	bodies bodies;
	walls walls;
	cell cell;
	pair_list list;
	contacts contacts;
	int pours, pour_capacity;
	pour_state *pour;
	scratch scratch;
	size_t team_from;   // with so many pairs, or half as many grains, a step is worth a team; 0: any is, however long it takes
	payoff payoff;      // of the steps that are worth one
	uint64_t shared;    // steps that a team has done, since the program started
	size_t blocks_from; // a problem with so many contacts is solved block by block in space
	double block_size;  // contacts in a block
	books books;
	talus_flow flow; // of the last solve; the cell's rate becomes its
	talus_solve_memory memory;
	audit audit;
	crush crush;
	double start_overlap; // largest after the first step, a length: what the scene allows

	uint64_t step;
	double time;
	size_t removed;
	uint64_t sorted_at; // list.builds at the last sort of the bodies
	talus_step_report report;
	bool residual_due; // nobody has asked for that of the last step yet
	double mean_acceleration; // of the grains by which rest is judged, last step

	// known from the rest, made anew with every pair list
	double mean_radius;
	double flow_reach; // how far the cell's deformation may take a neighbour within a step, half of it
	double margin;    // pairs closer than this are contacts even at rest
	bool any_general; // some body is not free in all directions, or a piston
	bool any_rich;    // some pair of materials does more than exclude volume and rub
	bool any_bounce;  // some pair has restitution
	bool any_held;    // some grain is not free to do all that it could
	bool flows;       // the cell deforms
};

void world_add_materials(talus_world *world, const talus_material *list, int count); // all at once: a table of pairs is made anew
vec3 world_inverse_mass(const talus_world *world, uint32_t line);          // direction by direction
enum { PLAIN, RICH, GENERAL, KINDS }; // contacts, as in talus_problem
int world_contact_kind(const talus_world *world, uint32_t a, uint32_t b, uint32_t wall); // of two lines; a may be a wall's
talus_motion world_before(const talus_world *world, uint32_t line); // velocities at the end of the last step
void world_reserve_motion(talus_world *world, size_t lines);
double world_least_width(const talus_world *world); // that a periodic cell must have, so that no two meet twice
int world_narrow(const talus_world *world);         // a direction in which the cell is narrower, or -1
void world_refresh(talus_world *world); // margin, from the mean radius, and what there is any of

// step_forces.c
// A step; its residual is found only when somebody wants to report it, before the next one.
void world_step(talus_world *world);
void world_find_residual(talus_world *world);

talus_problem world_problem(talus_world *world); // of the contacts and motion lines as they are
void world_find_and_solve(talus_world *world);    // contacts, laws, impulses of a step

// The law between two lines; if the first is a wall's, `index` is that wall, else NO_WALL.
static inline const talus_pair *world_pair(const talus_world *world, uint32_t a, uint32_t b, uint32_t index)
{
	const uint16_t *material = world->bodies.material;
	int first = index == NO_WALL ? material[a] : world->walls.at[index].def.material;
	return &world->pair[first*world->materials + material[b]];
}

#endif
