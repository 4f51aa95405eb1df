// SPDX-License-Identifier: MIT
// extend.h: for authors of laws, solvers and observables (docs/glossary.md has the words). Here are the contact, the line of a body that a sweep touches, the
// contact problem made of both, and the field table that describes a parameter once.
#ifndef TALUS_EXTEND_H
#define TALUS_EXTEND_H

#include <talus/talus.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- what a sweep touches

// One cache line per body. The sweeps work on velocities that contain all impulses found so far.
typedef struct talus_solver_body {
	talus_vec3 v;
	double inv_m; // 1/m, 0 for what cannot be pushed
	talus_vec3 r_omega; // r times the spin, a velocity
	double r2_over_I;     // r^2/I, the spin's share in the inverse tangential mass
} talus_solver_body;

// Two bodies that touch, or may within the step: what collision knows of it, whatever method uses it. a and b are indices of solver bodies,
// n points from a to b. What a method finds is beside it, in columns: p, the impulse on b (-p on a), and q, the torque times the
// step on b (-q on a). Both are force times step in all methods, so the mean force of the step is p/dt.
// With arms r n and -r n the velocity of b relative to a at the contact is  u = vb - va - (sa + sb) x n.
typedef struct talus_contact {
	uint32_t a, b;
	talus_vec3 n;
	double gap;       // negative where they overlap
	uint64_t key;     // names the pair from step to step: ids of two grains, or of wall, image and grain
	uint32_t feature; // which features of the two shapes meet, where a pair can have several contacts; 0 for spheres
	uint32_t wall;    // index, or TALUS_NO_WALL
	uint32_t flags;   // that laws have declared; kept from step to step
	uint32_t reserved; // 0
} talus_contact;
#define TALUS_NO_WALL UINT32_MAX

// A contact as contact dynamics sees it: what it takes to stop the approach and the sliding.
typedef struct talus_row {
	double bias;   // g+/dt, the approach that is allowed
	double mass_n; // 1/(1/ma + 1/mb)
	double mass_t; // 1/(1/mass_n + ka + kb)
	double mu;
} talus_row;

// What a contact needs when its materials do more than exclude each other's volume and rub (law/extended.h). With
// N = p.n + cohesion_impulse the limits are |p_t| <= mu N, |q_t| <= roll N, |q.n| <= twist N.
typedef struct talus_extended {
	talus_vec3 target; // minus the velocity that the contact aims at: e times the one before, or g+/dt along n
	double gap_allowance;      // mass_n times the approach that is allowed before it pushes
	double centre_distance;       // from centre to centre; counts in a cell that deforms
	double cohesion_impulse;       // largest pull, an impulse: cohesion times dt while bonded
	double mu_stick, mu_slide; // `mu` of the row is the one of them that counts at the moment
	double roll, twist;        // lengths
	double inertia;            // 1/(1/Ia + 1/Ib); 0 if neither can turn
	double curve_a, curve_b;   // 1/ra and 1/rb, 0 for a wall: spins are curve times s
	double torque_coupling;             // curve_b kb - curve_a ka: what a torque n x p does to the spin of b relative to a
	talus_vec3 wall_spin;        // spin of b relative to a that no line knows of: that of a spinning wall, negative
} talus_extended;

// The full inverse mass W at a contact, row by row: what an impulse there does to the velocity there (law/one_contact.c).
typedef struct talus_one_contact {
	int size;     // 2: normal and tangent; 3: normal and two tangents
	bool regular; // W has an inverse,
	bool refine;  // but one with which digits are lost: a second step brings them back
	double w[9], inverse[9];
} talus_one_contact;

// What a contact needs beyond that when a grain may not move in all directions: the
// inverse masses direction by direction, and the full inverse mass in the frame n, t1, t2.
typedef struct talus_full_mass {
	talus_vec3 inv_m_a, inv_m_b;
	talus_one_contact mass;
	talus_vec3 t1, t2;
	bool paradox; // the last update found no consistent sliding (Painleve)
} talus_full_mass;

// A body that is moved by all of its contacts at once (solve/piston.c): a wall with a mass. Its contacts have the masses of the other
// body alone, and the sweeps hold its velocity while they visit them. Only contacts with a full mass matrix know its own mass.
typedef struct talus_piston {
	uint32_t line;
	talus_vec3 inv_m; // 1/m along the directions in which it is free, else 0
} talus_piston;

// Classes of contacts, in the order in which a table has them (solve/classes.h): nothing but volume exclusion and friction; all that materials may
// do; both between bodies with isotropic masses, and last those with a full mass matrix.
enum { TALUS_COULOMB, TALUS_EXTENDED, TALUS_FULL_MASS, TALUS_CLASSES };

// A large problem cut into blocks in space, which solvers may sweep side by side: contacts of each class come block by block, blocks
// colour by colour, and blocks of one colour share no body that can be moved. The last but one are those of bodies too large for a block; the
// last are those of pistons, a block for each one that has contacts, which a small problem has, too, and which may share bodies. It does not
// change the problem.
enum { TALUS_COLOURS = 6, TALUS_OF_PISTONS = TALUS_COLOURS - 1 };
typedef struct talus_blocks {
	uint32_t count;         // 0: it is not cut
	uint32_t colour[TALUS_COLOURS + 1]; // first block of each colour, and one number more
	const uint32_t *first;  // first contact of each block, a number for each class; and one row more
	const uint64_t *name;   // of each block: random numbers come from it
} talus_blocks;

// Where bodies are, for judging an answer: boxes of a few grains, a power of two of them along each direction, which are put
// together to larger ones. Without it `box` is NULL.
typedef struct talus_error_cells {
	int dimension;
	int side[3];         // boxes along each direction
	double edge[3];      // of a box
	double diameter;     // mean
	size_t bodies;       // the first so many have a box
	const uint32_t *box; // per body
} talus_error_cells;

// A cell that deforms while contacts push: bodies at l = span n from each other move apart with rate l, beside what their own
// velocities do. Components that follow a stress have their rates from the impulses:
//     rate_ij = base_ij + warm_ij sum of m v_i v_j + gain_ij sum of p_i l_j
// and, where the cell is isotropic, the diagonal has the traces of the sums instead.
typedef struct talus_cell_unknowns {
	int dimension;
	size_t grains; // the first so many bodies count in the sum over m v v
	bool isotropic;
	double free_rate[3][3], kinetic_gain[3][3], virial_gain[3][3];
	double most; // no rate that follows a stress is larger
	double rate[3][3];    // with which contacts are solved; becomes the one above
	double kinetic_sum[3][3];    // sum of m v_i v_j
	double virial_sum[3][3];   // sum of p_i l_j
	bool again;           // it has moved much: contacts should look again
} talus_cell_unknowns;

// What a solver knows of the steps before; all 0: nothing.
typedef struct talus_solve_memory {
	double load; // what a contact that pushes had to bear, an impulse: a running mean over TALUS_WINDOW steps
	double sweeps; // that the last step has needed, as far as is known
	double softness; // smallest share of an error of the forces that shows in the residual, as far as is known
	double unsure;   // steps since it was found
	double believed; // for so many steps that is taken for granted
} talus_solve_memory;

enum { TALUS_WINDOW = 30 }; // steps over whose mean loads are judged, where grains flow
#define TALUS_OVERLAP 0.1     // a step may add overlaps of this share of the tolerance, in mean diameters

// The contact problem of a step: find p so that every contact obeys its law with the velocities that all p together give.
// Contacts come class by class: class k ends before contact class_end[k], and the last one with all contacts. The first extended contact and all after
// it are described further by extended and have a torque q, counted from there, and those with a full mass matrix by general.
typedef struct talus_problem {
	bool flat; // all bodies move in the x-y plane and turn about z only
	size_t contacts, class_end[TALUS_CLASSES - 1];
	const talus_contact *contact;
	talus_row *row;   // of all contacts
	talus_vec3 *p;
	talus_extended *extended; // of contacts that are not TALUS_COULOMB
	talus_vec3 *q;
	talus_full_mass *full_mass; // of those that are TALUS_FULL_MASS
	talus_cell_unknowns *flow; // NULL: the cell does not deform. Else there are no plain contacts
	size_t bodies;
	talus_solver_body *motion;
	size_t pistons;
	const talus_piston *piston; // by their lines, the lowest first
	talus_blocks blocks;
	talus_error_cells error_cells; // where the stopping rule asks for it
	double dt;
	double window; // steps over whose mean loads are judged, at most TALUS_WINDOW; 0: so many
	talus_solve_memory memory;
} talus_problem;

// How wrong an answer is, in terms of the grains. The largest of the three is what counts.
typedef struct talus_solve_error {
	double overlap; // largest one that the step adds, over the mean diameter
	double local;   // what contacts would change of their impulses, over these, as root mean squares
	double global;  // impulse that is missing across a part of the system, large or small, over what is carried there
} talus_solve_error;

typedef struct talus_solve_report {
	int iterations;
	double residual;
	talus_solve_error error; // if the stopping rule asks for it
	bool converged; // the stopping rule was met (always true for a fixed number)
	bool stagnated;     // sweeps did not make it better any more
	bool at_once;   // the first look was enough: fewer sweeps might have done
	double load;    // mean impulse of the contacts that push, where the rule asks for the error
	double force_error; // root mean square, over that of the forces, as the rule `forces` estimates it; 0 with another one
	double softness, unsure, believed; // as in the memory, for the next step
	int no_solution;    // doublings of the sweeps in a row that spoke against there being one, where that is asked for
	size_t paradoxes; // contacts of locked bodies without a consistent sliding
} talus_solve_report;

// ---------------------------------------------------------------- describing a parameter once

typedef enum talus_field_type {
	TALUS_FIELD_REAL,    // double
	TALUS_FIELD_INTEGER, // int
	TALUS_FIELD_SEED,    // uint64_t
	TALUS_FIELD_BOOL,    // bool
	TALUS_FIELD_TEXT,    // char[size]
	TALUS_FIELD_VECTOR,  // talus_vec3, two components allowed in 2D
	TALUS_FIELD_CHOICE,  // int, or bool if `size` is that of a bool: the place in `names`
	TALUS_FIELD_TABLE,   // a mapping described by `table`
	TALUS_FIELD_LIST,    // any number of mappings described by `table`, read by `read`
	TALUS_FIELD_MAP,     // the same, each with a name
	TALUS_FIELD_CUSTOM,  // read by `read`; `table` describes it where it may be a mapping
	TALUS_FIELD_DIRECTION, // talus_vec3 of any length but 0
	TALUS_FIELD_AXIS,      // the same with three components in 2D, too, where it is along z and may be left out
	TALUS_FIELD_OPTION,    // bool, whether a mapping described by `table` is there; its values belong to the struct around the bool
} talus_field_type;

struct talus_reader;
struct scene_node;

typedef struct talus_field {
	const char *name;
	const char *meaning;
	const char *unit; // by length L, mass M, time T, as "L/T"; "" for a pure number, NULL for what is none
	talus_field_type type;
	size_t offset, size;
	bool required;
	bool alternative;     // exactly one of the fields of a table that are marked so must be there
	const char *fallback; // default as YAML text (CUSTOM: as words), NULL if there is none
	double least, most;   // allowed range of numbers (of each component); least == most: no limits
	bool above, below;    // `least` itself, `most` itself is not allowed
	const char *const *names; // CHOICE, ends with NULL
	int later;                // CHOICE: names from this place on are not available yet; 0: all are
	const char *form;         // CUSTOM: how it is written
	const struct talus_field *table; // ends with a field without a name
	// Gets NULL for a node when the key is not there and need not be, to fill in the default.
	bool (*read)(struct talus_reader *reader, const struct scene_node *node, void *target,
		const struct talus_field *field);
} talus_field;

#ifdef __cplusplus
}
#endif
#endif
