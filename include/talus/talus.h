// SPDX-License-Identifier: MIT
// talus.h: what a user of the library needs. A world of grains and walls is described by plain "def" structs that start
// from defaults, is stepped, and is looked at through columns. The library never exits, never prints, has no globals.
#ifndef TALUS_TALUS_H
#define TALUS_TALUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TALUS_VERSION "0.1.0"
#define TALUS_NAME_MAX 64
#define TALUS_PATH_MAX 4096

typedef struct talus_vec3 {
	double x, y, z;
} talus_vec3;

// What went wrong, as one sentence. `line` and `column` start at 1 and are 0 where there is no place to point at.
typedef struct talus_error {
	char text[1024];
	char file[TALUS_PATH_MAX]; // "" when no file is concerned
	int line, column;
} talus_error;

// Motions that a body is allowed; 0 is a body that keeps its velocity whatever pushes it.
enum {
	TALUS_FREE_X = 1,
	TALUS_FREE_Y = 2,
	TALUS_FREE_Z = 4,
	TALUS_FREE_SPIN = 8,
	TALUS_FREE_ALL = 15,
};

// ---------------------------------------------------------------- materials and contact laws

typedef struct talus_material {
	char name[TALUS_NAME_MAX];
	double density; // mass per volume (3D) or per area (2D)
} talus_material;

// The law between two materials, in any order. What is left at 0 is not there.
typedef struct talus_pair {
	int a, b;               // materials, in the order they were added
	double friction;        // Coulomb's mu of a contact that slides
	double static_friction; // up to which one sticks; less than `friction`: the same as that
	double restitution;            // share of the approach speed that comes back, 0 to 1
	double tangential_restitution; // the same for the sliding speed of a collision
	double yield;                  // approach speed above which grains dent and less comes back; 0: never
	double rolling, torsion; // largest torque over the push: a share of the reduced radius ra rb/(ra + rb) ...
	double rolling_length, torsion_length; // ... plus a length
	double cohesion; // largest pull of a bond, a force; bonds form on touch
	double range;    // gap at which a bond breaks
} talus_pair;

// ---------------------------------------------------------------- space

typedef struct talus_box {
	talus_vec3 low, high;
} talus_box;

// What moves a component of the cell: nothing, a given rate of deformation, or a stress outside that it follows.
typedef enum talus_drive { TALUS_DRIVE_NONE, TALUS_DRIVE_RATE, TALUS_DRIVE_STRESS } talus_drive;

// A periodic cell: `size` counts only in the directions that are periodic.
typedef struct talus_cell_def {
	talus_vec3 origin; // default 0
	talus_vec3 size;
	bool periodic[3];
	// It may deform: everything in it moves with  dx_i/dt = sum of rate_ij x_j,  j >= i, beside its own velocity.
	bool bath;          // it grows and shrinks in all directions alike and follows `pressure`; all directions are periodic
	double pressure;
	talus_drive drive[3][3]; // or component by component (i <= j; between periodic directions) ...
	double wanted[3][3];     // ... rate, or stress (compression is positive)
	double inertia;     // how slowly it follows: M d rate/dt = stress inside - stress outside
	bool semi_implicit; // the grains' motion enters the stress inside as it was before the step, not as it is after it
} talus_cell_def;

// ---------------------------------------------------------------- the solver

typedef enum talus_order {
	TALUS_ORDER_SHUFFLED,          // a random permutation that is used for several sweeps
	TALUS_ORDER_RANDOM,            // a fresh permutation every sweep: every contact once
	TALUS_ORDER_SEQUENTIAL,        // always the same order
	TALUS_ORDER_PARALLEL,          // Jacobi: all at once from the same velocities
	TALUS_ORDER_RANDOM_SEQUENTIAL, // independent draws
} talus_order;

typedef enum talus_stop {
	TALUS_STOP_ITERATIONS, // a fixed number of sweeps
	TALUS_STOP_LOCAL,      // |dR| <= tolerance |R| + cutoff at every contact
	TALUS_STOP_GLOBAL,     // change of <|R|> below tolerance <|R|>, several sweeps in a row
	TALUS_STOP_RESIDUAL,   // natural map of the contact problem, relative
	TALUS_STOP_ERROR,      // overlap, force and balance of large parts, whichever is the most wrong
	TALUS_STOP_FORCES,     // root mean square error of the forces, over that of the forces, as estimated
} talus_stop;

typedef enum talus_gap {
	TALUS_GAP_POSITIVE, // overlaps are kept, not pushed out: g+ = max(g, 0)
	TALUS_GAP_SIGNED,   // overlaps are pushed out within a step, and that feeds energy in: for study
} talus_gap;

typedef enum talus_solver_kind {
	TALUS_SOLVER_NSGS,        // sweeps over the contacts
	TALUS_SOLVER_ACCELERATED, // the same with momentum, always in one order within a step
	TALUS_SOLVER_AUTO,        // what is best for the problem at hand
} talus_solver_kind;

typedef struct talus_solver_def {
	talus_solver_kind kind; // default auto, as in a scene without a solver; left at 0: nsgs
	talus_order order;    // default shuffled
	double relaxation;    // parallel order only: share of the update that is applied, default 1
	talus_gap gap;        // default positive
	talus_stop stop;      // default error; left at 0: iterations, but with auto and no iterations given still error
	int iterations;       // TALUS_STOP_ITERATIONS: default 100
	double tolerance;     // the other rules; TALUS_STOP_ERROR and TALUS_STOP_FORCES: default 0.01
	double cutoff;        // TALUS_STOP_LOCAL: a force; below 0, the default: 1e-9 of the mean force
	int max_iterations;   // cap of the other rules, default 10000, with auto 1000 unless it stops by the forces
	double audit;         // share of all contact updates that may go into audits, default 0.03; 0: no audits
} talus_solver_def;

// ---------------------------------------------------------------- grains

typedef struct talus_grain_def {
	talus_vec3 at;
	double radius;
	int material;
	talus_vec3 velocity;
	talus_vec3 spin;  // radians per time; 2D: only z
	talus_vec3 force; // constant, acts at the centre
	unsigned free;    // TALUS_FREE_*, default all; 0: it moves with its velocity and nothing changes that
} talus_grain_def;

typedef enum talus_size_kind {
	TALUS_SIZE_CONSTANT,  // a
	TALUS_SIZE_UNIFORM,   // from a to b
	TALUS_SIZE_NORMAL,    // mean a, standard deviation b, cut to least..most
	TALUS_SIZE_LOGNORMAL, // median a, standard deviation b of the logarithm, cut to least..most
	TALUS_SIZE_SIEVE,     // share of the mass that passes a sieve, straight between the points
} talus_size_kind;

#define TALUS_SIEVE_MAX 64

typedef struct talus_sizes { // a distribution of radii
	talus_size_kind kind;
	double a, b, least, most;
	int points;
	double opening[TALUS_SIEVE_MAX]; // sieve openings: diameters, rising
	double passing[TALUS_SIEVE_MAX]; // share of mass that passes, rising from 0 to 1
} talus_sizes;

typedef enum talus_region_kind { TALUS_REGION_BOX, TALUS_REGION_SPHERE, TALUS_REGION_CYLINDER } talus_region_kind;

typedef struct talus_region { // where grains are put: whole grains, not only centres, lie inside
	talus_region_kind kind;
	talus_box box;      // TALUS_REGION_BOX
	talus_vec3 at;      // sphere: centre; cylinder: centre of one end
	talus_vec3 to;      // cylinder: centre of the other end
	double radius;      // sphere (2D: circle), cylinder
} talus_region;

typedef enum talus_arrangement {
	TALUS_ARRANGE_RANDOM,
	TALUS_ARRANGE_LATTICE,
	// A packing at rest under a pressure. One that gets a periodic cell for itself changes the size of that cell; in any other
	// box it is periodic across and is put on the low end.
	TALUS_ARRANGE_DENSE,
} talus_arrangement;

typedef struct talus_fill_def { // grains that are there at the start
	int count;
	talus_sizes radius;
	int material;
	talus_arrangement arrangement;
	double jitter; // lattice: a grain is moved at random by up to this share of the room that its site leaves it
	double pressure; // dense: that it is in equilibrium with; 0 counts as 1
	double friction; // dense: with which it is made; below 0: that of the material with itself
	bool fixed;    // grains that keep their velocity whatever pushes them
	talus_region in;
	talus_vec3 velocity;
} talus_fill_def;

typedef struct talus_pour_def { // grains that come while it runs
	int count;
	double rate;  // grains per unit of time
	double start; // when the first one comes
	talus_sizes radius;
	int material;
	talus_region in;
	talus_vec3 velocity;
} talus_pour_def;

// ---------------------------------------------------------------- walls

typedef enum talus_wall_kind {
	TALUS_WALL_PLANE,    // a half space; with a hole: a thin plate, touched from both sides
	TALUS_WALL_CYLINDER, // infinite
	TALUS_WALL_CONE,     // a thin shell between two distances from the tip, touched from both sides
	TALUS_WALL_SEGMENT,  // 2D: thin, touched from both sides, round ends
} talus_wall_kind;

// In a periodic cell a wall has images and may leave the cell. They must leave room for a grain between them; planes and cylinders
// must fit onto their images: no part of a plane's normal, and of a cylinder's axis all or nothing, along a periodic direction.
typedef struct talus_wall_def {
	char name[TALUS_NAME_MAX];
	talus_wall_kind kind;
	talus_vec3 point;   // plane, cylinder: a point of it (of its axis); cone: the tip; segment: one end
	talus_vec3 to;      // segment: the other end
	talus_vec3 axis;    // plane: normal, towards the grains; cylinder, cone: axis (cone: from the tip to the wide end)
	double radius;      // cylinder
	double angle;       // cone: between axis and surface, degrees
	double from, last;  // cone: distances from the tip along the axis
	bool inside;        // cylinder: grains are inside; cone: the side of a grain whose centre lies on the shell
	bool has_hole;      // plane: a round hole (2D: a slit of that half width)
	talus_vec3 hole_at;
	double hole_radius;

	int material;
	talus_vec3 velocity;           // prescribed
	double spin;                   // prescribed, about axis through point (segment: about z through its middle)
	talus_vec3 oscillate_direction; // displacement amplitude * sin(2 pi (frequency t + phase)) along it
	double oscillate_amplitude, oscillate_frequency, oscillate_phase; // phase in turns
	double mass;                   // > 0: a piston, moved by its force, by gravity and by the grains
	talus_vec3 force;              // piston
	unsigned free;                 // piston: TALUS_FREE_X | Y | Z
	bool weightless;               // piston: gravity does not act on its mass
} talus_wall_def;

// ---------------------------------------------------------------- the world

typedef struct talus_world_def {
	int dimension; // 3: spheres, 2: disks in the x-y plane
	uint64_t seed;
	talus_vec3 gravity;
	double step; // time step
	talus_cell_def cell;
	talus_solver_def solver;
	bool has_domain;
	talus_box domain; // a grain whose centre leaves it is removed
} talus_world_def;

typedef struct talus_world talus_world;

talus_world_def talus_world_def_default(void);
talus_grain_def talus_grain_def_default(void);
talus_wall_def talus_wall_def_default(talus_wall_kind kind);

talus_world *talus_world_create(const talus_world_def *def);
void talus_world_destroy(talus_world *world);

int talus_world_add_material(talus_world *world, const char *name, double density);
void talus_world_set_pair(talus_world *world, const talus_pair *pair);
int talus_world_add_wall(talus_world *world, const talus_wall_def *def);
uint32_t talus_world_add_grain(talus_world *world, const talus_grain_def *def); // returns its id

// Fill now, or pour later. False and a sentence if the grains do not fit.
bool talus_world_fill(talus_world *world, const talus_fill_def *def, talus_error *error);
void talus_world_pour(talus_world *world, const talus_pour_def *def);

// What the last step did.
typedef struct talus_step_report {
	uint64_t step;
	double time;
	size_t grains, removed; // removed: all since the start
	size_t contacts;        // candidates of this step
	int iterations;
	double residual;        // natural map, relative
	double mean_overlap, max_overlap; // over the mean diameter
	size_t late;            // contacts found only after the first solve
	uint64_t capped_all;    // steps that reached the cap of their stopping rule, all since the start
	uint64_t unfinished_all; // steps in which new contacts kept coming up to the last round, all since the start
	uint64_t floor_all;     // steps that ended at an error below which sweeps did not come, all since the start
	// Of those: error of the worst one as its rule judges it (`local` and `global`: the residual), and its step.
	double capped_worst, floor_worst;
	uint64_t capped_step, floor_step;
	double error_overlap, error_local, error_global; // as the rule `error` judges; 0 with another one
	double error_forces;    // as the rule `forces` estimates; 0 with another one
	uint64_t paradox_all;   // contacts without a consistent sliding (Painleve's paradox), all since the start
	double worst_overlap;   // largest overlap since the start, over the mean diameter
	size_t bonds;           // cohesive contacts that are bonded
	uint64_t bonds_formed_all; // all since the start; what is not there any more has broken
	uint64_t softened_all;  // clusters of collisions whose bounce was lowered, so that it makes no energy
	double waiting_most;    // grains of a pour that were due and found no room, the most at once since the start
	double seconds_solver;  // all since the start
	uint64_t iterations_all, updates_all;
	// When a run has found that forces do not reach across what carries them: rows of its log running (those so far), the step
	// (0: never), and what it was then: grains, sweeps, extent, reach, overlap (in diameters).
	uint64_t soft_rows, soft_step, soft_grains, soft_sweeps;
	double soft_size, soft_reach, soft_overlap;
} talus_step_report;

talus_step_report talus_world_step(talus_world *world);

// How many contacts the inner loops take at once. The result does not depend on it, bit for bit.
typedef enum talus_simd { TALUS_SIMD_BEST, TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512 } talus_simd;

bool talus_world_set_simd(talus_world *world, talus_simd simd); // false: not with this processor
const char *talus_world_simd(const talus_world *world);         // its name: generic, avx2 or avx512

// How many threads a step may use, 1 or more, default 1. The result does not depend on it, bit for bit.
void talus_world_set_threads(talus_world *world, int threads);
int talus_world_threads(const talus_world *world);

// The books of energy. All but the first two are sums since the start, and
//     kinetic + potential + all that is dissipated - wall_work - driven_work - cell_work - added
// stays what it was, to round-off. In each step a contact is given its impulses times the mean of its velocities before and
// after; what is left of the step is Euler's own.
typedef struct talus_energy {
	double kinetic, potential; // of the grains; potential in gravity and under the constant forces on grains
	double wall_work;   // done by walls on the grains, pistons too
	double driven_work; // done on grains that are held or driven in some direction, by what holds them
	double cell_work;   // done by a cell that deforms
	double added;       // energy of grains that were poured, less that of those that left the domain
	double normal;      // dissipated along normals, in impacts
	double friction, rolling, torsion;
	double bonds;       // spent on stretching and breaking bonds
	double numerical;   // implicit Euler's remainder: half of force times dt times change of velocity
} talus_energy;

talus_energy talus_world_energy(const talus_world *world);

// Audits: now and then the problem of a step is solved on, on a copy, until it no longer changes; the step is not touched by it. How wrong was what
// the step had found?
enum {
	TALUS_AUDITED_FORCES,     // root mean square of the errors of the contact forces, over that of the forces
	TALUS_AUDITED_LOADS,      // error of the stress, over what contacts carry in the mean over TALUS_WINDOW (30) steps
	TALUS_AUDITED_VELOCITIES, // root mean square over the bodies, over that of what contacts do to them
	TALUS_AUDITED,
};

typedef struct talus_audit {
	uint64_t count, unfinished; // so far; unfinished: solving on took more than may be spent, nothing is known
	uint64_t updates;           // contact updates spent
	uint64_t step;              // of the last one, and its errors
	double error[TALUS_AUDITED];
	double median[TALUS_AUDITED], largest[TALUS_AUDITED]; // of all; the median to 7 percent
	uint64_t largest_step[TALUS_AUDITED];
} talus_audit;

talus_audit talus_world_audit(const talus_world *world);

double talus_world_time(const talus_world *world);
uint64_t talus_world_hash(const talus_world *world); // of the exact state

// Columns of the grains, valid until the next step. Row i of each column belongs to the same grain; the order of rows may
// change from step to step, `id` tells who is who.
typedef struct talus_grains {
	size_t count;
	const uint32_t *id;
	const talus_vec3 *x, *v, *spin;
	const double *radius, *mass;
	const double (*orientation)[4]; // unit quaternion, scalar first
	const uint16_t *material;
} talus_grains;

talus_grains talus_world_grains(const talus_world *world);

// A wall's place, and what the grains did to it in the last step.
typedef struct talus_wall_state {
	const char *name;
	talus_vec3 position; // of its point; not wrapped in a periodic cell
	talus_vec3 velocity;
	talus_vec3 force, torque; // by the grains on the wall and its images; torque about its point (segment: its middle)
} talus_wall_state;

int talus_world_walls(const talus_world *world);
talus_wall_state talus_world_wall(const talus_world *world, int wall);

// A contact of the last step: force on b by a. Normal and gap are those of the start of the step, with which it was
// solved; `at` follows b to its new place. Walls count as -1 - wall.
typedef struct talus_contact_state {
	int64_t a, b; // grain ids, or -1 - wall
	talus_vec3 n; // from a to b
	talus_vec3 at; // where they touch
	double gap;   // negative: overlap
	talus_vec3 force;  // along n: a push is positive, the pull of a bond negative
	talus_vec3 torque; // of rolling and torsion friction, on b
	bool bonded;
} talus_contact_state;

size_t talus_world_contacts(const talus_world *world); // candidates; many of them without force
talus_contact_state talus_world_contact(const talus_world *world, size_t contact);

// ---------------------------------------------------------------- scenes

// A world from a YAML scene; NULL and a sentence with file, line and column if something is wrong with it.
talus_world *talus_world_load(const char *scene_path, talus_error *error);

#ifdef __cplusplus
}
#endif
#endif
