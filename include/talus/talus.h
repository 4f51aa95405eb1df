// SPDX-License-Identifier: MIT
// talus.h: what a user of the library needs. A world of grains and walls is described by plain "def" structs that start
// from defaults, or by a scene; it is stepped, and looked at through columns. The library never exits, never prints, has no
// globals. Wrong values are refused with a sentence, nothing is changed by a call that refuses, and nothing aborts: only worlds,
// scenes and places for results must be there, every other pointer may be NULL. The one exception is memory that cannot be had:
// that ends the process, with a sentence on stderr. docs/c-api.md lists all functions.
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
#define TALUS_KEY_MAX 256

const char *talus_version(void); // of the library that runs; TALUS_VERSION is that of this header

typedef struct talus_vec3 {
	double x, y, z;
} talus_vec3;

typedef struct talus_quaternion { // a rotation: unit length, w = cos(half the angle)
	double w, x, y, z;
} talus_quaternion;

// What went wrong, as one sentence. `line` and `column` start at 1 and are 0 where there is no place to point at.
typedef struct talus_error {
	char text[1024];
	char file[TALUS_PATH_MAX]; // "" when no file is concerned
	int line, column;
	char path[TALUS_KEY_MAX];     // the keys that lead there, as contacts[0].friction; "" where none do
	char nearest[TALUS_NAME_MAX]; // the valid name nearest to a wrong one; "" if there is none
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
	TALUS_WALL_TORUS,    // 3D: a tube bent into a ring
} talus_wall_kind;

// In a periodic cell a wall has images and may leave the cell. They must leave room for a grain between them; planes and cylinders
// must fit onto their images: no part of a plane's normal, and of a cylinder's axis all or nothing, along a periodic direction.
typedef struct talus_wall_def {
	char name[TALUS_NAME_MAX];
	talus_wall_kind kind;
	talus_vec3 point;   // plane, cylinder: a point of it (of its axis); cone: the tip; segment: one end; torus: the centre
	talus_vec3 to;      // segment: the other end
	talus_vec3 axis;    // plane: normal, towards the grains; cylinder, cone, torus: axis (cone: from the tip to the wide end)
	double radius;      // cylinder; torus: of the ring, to the middle of its tube
	double tube;        // torus: radius of the tube, less than that of the ring
	double angle;       // cone: between axis and surface, degrees
	double from, last;  // cone: distances from the tip along the axis
	bool inside;        // cylinder, torus: grains are inside; cone: the side of a grain whose centre lies on the shell
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

// How contacts push and bodies move.
typedef enum talus_method { TALUS_METHOD_CONTACT_DYNAMICS } talus_method;

typedef struct talus_world_def {
	int dimension; // 3: spheres, 2: disks in the x-y plane
	uint64_t seed;
	talus_vec3 gravity;
	double step; // time step
	talus_method method; // default contact dynamics: rigid grains, implicit steps
	talus_cell_def cell;
	talus_solver_def solver;
	bool has_domain;
	talus_box domain; // a grain whose centre leaves it is removed
} talus_world_def;

typedef struct talus_world talus_world;

talus_world_def talus_world_def_default(void);
talus_grain_def talus_grain_def_default(void);
talus_wall_def talus_wall_def_default(talus_wall_kind kind);

// Values are judged by the field tables that read scenes, with the same ranges and words. The checks say what is wrong with a def
// that is meant for a world like `in`; `error` may be NULL.
bool talus_world_def_check(const talus_world_def *def, talus_error *error);
bool talus_material_check(const talus_material *material, talus_error *error);
bool talus_pair_check(const talus_pair *pair, talus_error *error);
bool talus_wall_def_check(const talus_wall_def *def, const talus_world_def *in, talus_error *error);
bool talus_grain_def_check(const talus_grain_def *def, const talus_world_def *in, talus_error *error);
bool talus_fill_def_check(const talus_fill_def *def, const talus_world_def *in, talus_error *error);
bool talus_pour_def_check(const talus_pour_def *def, const talus_world_def *in, talus_error *error);

talus_world *talus_world_create(const talus_world_def *def); // NULL if talus_world_def_check refuses it
void talus_world_destroy(talus_world *world);                // may be NULL

// Why the last call that could be refused was; NULL if it was not. Calls that only look leave it alone, but for those that are given names.
const talus_error *talus_world_error(const talus_world *world);

// What a world is made of. All of them may be called between steps, too. Materials, laws, walls and pours that are added to
// the world of a run are not in its scene, so that it cannot be resumed any more; grains may come
// and go, as many at once as the scene has in all, and no wall can be added.
#define TALUS_NO_GRAIN UINT32_MAX
int talus_world_add_material(talus_world *world, const char *name, double density); // its number; -1: refused
bool talus_world_set_pair(talus_world *world, const talus_pair *pair);
int talus_world_add_wall(talus_world *world, const talus_wall_def *def);            // its number; -1: refused
uint32_t talus_world_add_grain(talus_world *world, const talus_grain_def *def);     // its id; TALUS_NO_GRAIN: refused

// Fill now, or pour later. False and a sentence if the grains do not fit.
bool talus_world_fill(talus_world *world, const talus_fill_def *def, talus_error *error);
bool talus_world_pour(talus_world *world, const talus_pour_def *def);

// Grains leave: all of these ids, or, if one of them is not there, none. Ids are never given again.
bool talus_world_remove_grain(talus_world *world, uint32_t id);
bool talus_world_remove_grains(talus_world *world, const uint32_t *ids, size_t count);

// By name or number. -1: there is none of this name; a number that is not there gives a material or a law with all zero.
int talus_world_find_material(const talus_world *world, const char *name);
int talus_world_find_wall(const talus_world *world, const char *name);
int talus_world_materials(const talus_world *world);
talus_material talus_world_material(const talus_world *world, int material);
talus_pair talus_world_pair(const talus_world *world, int material_a, int material_b);

// What the last step did.
typedef struct talus_step_report {
	uint64_t step;
	double time;
	size_t grains, removed; // removed: all since the start
	size_t contacts;        // candidates of this step
	int iterations;
	double residual;        // natural map, relative
	double mean_overlap, max_overlap; // over the mean diameter
	size_t missed_contacts;            // contacts found only after the first solve
	uint64_t capped_all;    // steps that reached the cap of their stopping rule, all since the start
	uint64_t unfinished_all; // steps in which new contacts kept coming up to the last round, all since the start
	uint64_t stagnated_steps;     // steps that ended at an error below which sweeps did not come, all since the start
	// Of those: error of the worst one as its rule judges it (`local` and `global`: the residual), and its step.
	double capped_worst, stagnated_worst;
	uint64_t capped_step, stagnated_step;
	double error_overlap, error_local, error_global; // as the rule `error` judges; 0 with another one
	double error_forces;    // as the rule `forces` estimates; 0 with another one
	uint64_t paradox_all;   // contacts without a consistent sliding (Painleve's paradox), all since the start
	double worst_overlap;   // largest overlap since the start, over the mean diameter
	size_t bonds;           // cohesive contacts that are bonded
	uint64_t bonds_formed_all; // all since the start; what is not there any more has broken
	uint64_t bounces_reduced;  // clusters of collisions whose bounce was lowered, so that it makes no energy
	double waiting_most;    // grains of a pour that were due and found no room, the most at once since the start
	double seconds_solver;  // all since the start
	uint64_t iterations_all, updates_all;
} talus_step_report;

talus_step_report talus_world_step(talus_world *world);

// Steps until the time is reached, to the nearest step. Ends sooner after so many steps, or so many seconds by the clock (at
// least one step is made); 0: no such limit. The time may be INFINITY if one of the two is given.
typedef enum talus_stopped {
	TALUS_STOPPED_REFUSED, // talus_world_error says why; no step was made
	TALUS_STOPPED_TIME,
	TALUS_STOPPED_STEPS,
	TALUS_STOPPED_SECONDS,
} talus_stopped;

talus_stopped talus_world_advance(talus_world *world, double until_time, uint64_t most_steps, double most_seconds);

// How many contacts the inner loops take at once. The result does not depend on it, bit for bit.
typedef enum talus_simd { TALUS_SIMD_BEST, TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512 } talus_simd;

bool talus_world_set_simd(talus_world *world, talus_simd simd); // false: not with this processor
const char *talus_world_simd(const talus_world *world);         // its name: generic, avx2 or avx512

// How many threads a step may use, 1 to 1024, default 1. The result does not depend on it, bit for bit.
bool talus_world_set_threads(talus_world *world, int threads);
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
	double added;       // brought by grains that were poured or added, less what those took along that left; by what was
	                    // set (velocities, forces, gravity); work of the forces that a function adds
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

// ---------------------------------------------------------------- looking at it

// Columns of the grains, valid until the next step. Row i of each column belongs to the same grain; the order of rows may
// change from step to step, `id` tells who is who.
typedef struct talus_grains {
	size_t count;
	const uint32_t *id;
	const talus_vec3 *x, *v, *spin;
	const double *radius, *mass;
	const talus_quaternion *orientation;
	const uint16_t *material;
} talus_grains;

talus_grains talus_world_grains(const talus_world *world);

// A wall's place, and what the grains did to it in the last step.
typedef struct talus_wall_state {
	const char *name;
	talus_vec3 position; // of its point; not wrapped in a periodic cell
	talus_vec3 velocity;
	talus_vec3 force, torque; // by the grains on the wall and its images; torque about its point (segment: its middle)
	double spin, angle; // about its axis; angle: turned since the start
} talus_wall_state;

int talus_world_walls(const talus_world *world);
talus_wall_state talus_world_wall(const talus_world *world, int wall); // not there: all 0, no name

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
	int wall; // its number if a is one; else -1
} talus_contact_state;

size_t talus_world_contacts(const talus_world *world); // candidates; many of them without force
talus_contact_state talus_world_contact(const talus_world *world, size_t contact); // not there: all 0, wall -1

// The same and more by name: grain.x, wall.force, contact.normal ... Row i of all columns of a kind belongs to the same grain,
// wall or contact. `data` is a look into the world, or into a copy that it keeps; it is good as long as talus_world_generation
// is what `generation` says. Looking costs no step anything.
typedef enum talus_type { TALUS_FLOAT64, TALUS_INT64, TALUS_INT32, TALUS_UINT32, TALUS_UINT16, TALUS_UINT8 } talus_type;

typedef struct talus_column {
	const char *name, *meaning, *unit; // unit as in scenes: by length L, mass M, time T; "" for a pure number
	talus_type type;
	int components; // 1; of a vector 3, of a quaternion 4
	size_t rows;
	size_t stride;  // bytes from one row to the next
	const void *data; // NULL if there are no rows
	uint64_t generation;
} talus_column;

const char *talus_column_name(int column); // all there are, from 0 on; NULL beyond the last
bool talus_world_column(const talus_world *world, const char *name, talus_column *column); // false: no such name
uint64_t talus_world_generation(const talus_world *world); // another one after whatever changes the world, or has tried to fill it

// A copy without gaps between rows, in an order that does not change from step to step: grains by id, walls by number, contacts
// by the ids of a and b. Returns the number of rows; -1, and nothing is copied, if `bytes` are too few for them, or there is no
// such column.
int64_t talus_world_copy_column(const talus_world *world, const char *name, void *to, size_t bytes);

// ---------------------------------------------------------------- steering it

// What is set between two steps holds from the next one on. It belongs to the state: talus_world_hash knows it, talus_world_save
// keeps it, and what it brings of energy is `added`. Values have the ranges of the scene's keys. False: refused.
bool talus_world_set_velocity(talus_world *world, uint32_t grain, talus_vec3 velocity);
bool talus_world_set_spin(talus_world *world, uint32_t grain, talus_vec3 spin);
bool talus_world_set_force(talus_world *world, uint32_t grain, talus_vec3 force); // the constant one on its centre
bool talus_world_set_gravity(talus_world *world, talus_vec3 gravity);

// Walls: what a scene could prescribe. A wall goes on from where it is; a swing goes on beside the new velocity.
bool talus_world_set_wall_velocity(talus_world *world, int wall, talus_vec3 velocity);
bool talus_world_set_wall_spin(talus_world *world, int wall, double spin);
bool talus_world_set_wall_force(talus_world *world, int wall, talus_vec3 force); // of a piston

// A cell that deforms: the pressure of its bath, or what drives one of its components, i <= j. A component may change from a
// rate to a stress and back.
bool talus_world_set_cell_pressure(talus_world *world, double pressure);
bool talus_world_set_cell_rate(talus_world *world, int i, int j, double rate);
bool talus_world_set_cell_stress(talus_world *world, int i, int j, double stress);

// A function that is called once a step, before contacts are solved, by the thread that steps. It may add to `force`, which has a
// row for every row of talus_world_grains and comes with zeros: forces that act at the centres in this step. What is not finite
// does not count. It may look at the world, but every call that would change it or step it is refused. The work of the forces
// goes into `added` of the energy budget. The function is no part of the state: it is not saved.
// NULL: none.
typedef void (*talus_force_function)(const talus_world *world, talus_vec3 *force, void *context);
void talus_world_set_force_function(talus_world *world, talus_force_function function, void *context);

// ---------------------------------------------------------------- keeping it

// The exact state as a file, and a new world with that state: it has what `like` is made of (materials, laws, walls, pours, all of
// its def; not its grains), its threads and its force function. If the file is of a world that was made otherwise, NULL and a
// sentence that says in what.
bool talus_world_save(const talus_world *world, const char *path, talus_error *error);
talus_world *talus_world_restore(const talus_world *like, const char *path, talus_error *error);

// ---------------------------------------------------------------- scenes

// A scene: text in YAML (so JSON will do), from a file or from memory. It is there as soon as the text is one mapping; whether it
// is right is said when it is checked or built, with file, line, column and the keys that lead to the fault. `folder` is where
// relative paths in it start; NULL: the working folder.
typedef struct talus_scene talus_scene;

talus_scene *talus_scene_read(const char *path, talus_error *error);
talus_scene *talus_scene_parse(const char *text, const char *folder, talus_error *error);
void talus_scene_destroy(talus_scene *scene); // may be NULL

// One value by its path, as contacts.0.friction or contacts[0].friction; the value is YAML text, as 0.3 or {static: 0.5,
// dynamic: 0.4}. Keys that are not there yet are made if a scene can have them.
bool talus_scene_set(talus_scene *scene, const char *path, const char *value, talus_error *error);
// What the scene says there, on one line; false if it says nothing, or if it is longer than `size` bytes with its end.
bool talus_scene_get(const talus_scene *scene, const char *path, char *value, size_t size, talus_error *error);
const char *talus_scene_text(const talus_scene *scene); // all of it; comments stay. Valid until it is set or destroyed

typedef enum talus_severity {
	TALUS_SEVERITY_ADVICE,  // it would be better otherwise
	TALUS_SEVERITY_WARNING, // a run of it warns, too
} talus_severity;

typedef struct talus_advice {
	talus_severity severity;
	char code[TALUS_NAME_MAX]; // short and always the same
	char message[512];
} talus_advice;

// As `talus check`: -1 and a sentence if something is wrong, else the number of pieces of advice, of which the first `most` are in
// the list.
int talus_scene_check(const talus_scene *scene, talus_advice *list, int most, talus_error *error);

// A world of it, with its grains in place, stepped by so many threads (the same bits with any number).
talus_world *talus_scene_world(const talus_scene *scene, int threads, talus_error *error);

// The two in one: a world from the file of a scene.
talus_world *talus_world_load(const char *scene_path, talus_error *error);

// ---------------------------------------------------------------- runs

// A run is a world with a folder: frames, log, checkpoint and summary, as `talus run` writes them, at the moments that its scene names.
// What there is to say on the way comes as events to a callback; nothing is printed, and no signal is handled.
typedef struct talus_run talus_run;

typedef enum talus_run_state {
	TALUS_RUN_NEW,     // neither started nor resumed
	TALUS_RUN_GOING,   // talus_run_advance goes on with it
	TALUS_RUN_DONE,    // at the end that its scene asks for; all is written
	TALUS_RUN_STOPPED, // before that, with a checkpoint: it can be resumed
	TALUS_RUN_FAILED,  // it cannot go on: no room on the disk, no finite state, grains that overlap too much
	TALUS_RUN_REFUSED, // what it was asked for is wrong; nothing was changed
} talus_run_state;

typedef enum talus_event_kind {
	TALUS_EVENT_STEP,    // a step is done, and all that was due is written
	TALUS_EVENT_OUTPUT,  // something was written; code: frame, log, problem or checkpoint
	TALUS_EVENT_WARNING, // results are doubtful; code: as in summary.json
	TALUS_EVENT_ERROR,   // it cannot start or go on; `error` has the place
	TALUS_EVENT_NOTE,    // what is left after an error; code: checkpoint, checkpoint_lost, checkpoint_unreadable or checkpoint_moved
	TALUS_EVENT_ENDED,   // the last one; code: done, complete (it was before), stopped, or that of the error
} talus_event_kind;

typedef struct talus_event { // good until the callback returns
	talus_event_kind kind;
	const char *code;         // a word that does not change from version to version
	const char *message;      // a sentence, or ""
	const talus_error *error; // NULL if it is none
	double time;              // of the world, and its step; 0 as long as there is none
	uint64_t step;
} talus_event;

// It may look at the run and its world, set what can be set between steps (servo control), and call talus_run_stop, but neither advance nor destroy
// the run, nor step its world.
typedef void talus_event_call(void *context, talus_run *run, const talus_event *event);

// What to run, and where. Texts are needed only during the call that takes them.
typedef struct talus_run_def {
	const char *folder;      // for its files
	int threads;             // that a step may use, up to 1024; 0: as many as there are cores, at most 8. The result is the same, bit for bit
	double until;            // runs until this time instead of what the scene says; 0: as the scene says
	// to start
	const char *scene;       // the path of the scene; with a text, its name in messages, and where relative paths start
	const char *text;        // what is in it (YAML, or JSON, which is YAML); NULL: it is read from the file
	size_t length;           // of the text in bytes; 0: up to its end
	const char *const *sets; // "PATH=VALUE", each changes one value of the scene
	int set_count;
	bool replace;            // the run that is in the folder; without it that is an error
	const char *command;     // how it came to be, for checkpoint and summary; NULL: nobody says
} talus_run_def;

talus_run_def talus_run_def_default(void);

// `call` may be NULL. Then, once: start it, or resume the one that is in a folder (the scene, too, is taken from there). A run that was at
// its end before is TALUS_RUN_DONE after talus_run_resume. All of these return false with a sentence in `error`, which may be NULL.
talus_run *talus_run_create(talus_event_call *call, void *context);
bool talus_run_start(talus_run *run, const talus_run_def *def, talus_error *error);
bool talus_run_resume(talus_run *run, const talus_run_def *def, talus_error *error);
// At most so many steps and about so many seconds by the clock, at least one step; 0: no limit. The status says whether there is more
// to do: at its end, and where it was stopped, all is written before this returns. False: it has failed.
bool talus_run_advance(talus_run *run, uint64_t steps, double seconds, talus_error *error);
// Asks it to stop after its step. Safe in a signal handler, in the callback, and from another thread. `why`, for the summary, is not
// copied: a literal, or NULL.
void talus_run_stop(talus_run *run, const char *why);
// Ends it here and now, with checkpoint and summary; nothing happens to one that has ended.
bool talus_run_finish(talus_run *run, talus_error *error);
// At any moment. What is in the folder stays, whole, and can be resumed from its last checkpoint.
void talus_run_destroy(talus_run *run);

talus_run_state talus_run_status(const talus_run *run);
talus_world *talus_run_world(talus_run *run);         // to look at, or to change between steps; NULL before there is one; goes with the run
const char *talus_run_folder(const talus_run *run);
const char *talus_run_title(const talus_run *run);    // of its scene
double talus_run_end_time(const talus_run *run);      // 0: it ends at rest, and nobody knows when
double talus_run_seconds(const talus_run *run);       // that it has taken so far by the clock, in all its parts

// ---------------------------------------------------------------- observables

// What can be measured of a state, by name: all columns of the log, keys of the summary and observables of frames (docs/files.md).
typedef enum talus_shape {
	TALUS_SCALAR,
	TALUS_VECTOR,    // x, y, z
	TALUS_TENSOR,    // xx, xy, xz, yx, yy, yz, zx, zy, zz
	TALUS_SYMMETRIC, // xx, yy, zz, xy, xz, yz
	TALUS_LIST,      // a histogram, or another row of numbers
	TALUS_LISTS,     // three of these, one for each of x, y, z
} talus_shape;

typedef struct talus_observable {
	const char *name, *meaning;
	const char *unit; // by length L, mass M, time T, as "L/T"; "" for a pure number
	talus_shape shape;
	size_t count;  // numbers that it has
	bool whole;    // they are whole ones
	int dimension; // 2 or 3: it is there only; 0: in both
	bool in_log, in_summary, in_frames;
} talus_observable;

size_t talus_observables(void); // how many there are
bool talus_observable_at(size_t index, talus_observable *observable); // false: there are not so many

// The numbers of one, or of a component as the log names it ("stress_xy"), or of a wall ("wall.floor.fy", or all three of
// "wall.floor.force"). `count` is how many it has, also where that is more than there is room for: then nothing is written, and
// false comes back with a sentence, as for a name that does not exist. `count` and `error` may be NULL.
bool talus_world_observe(const talus_world *world, const char *name, double *values, size_t room, size_t *count, talus_error *error);

// The same for several: what they have in common is computed once. A look is at the state as it was when it was created: destroy it
// before the world is stepped, changed or destroyed.
typedef struct talus_look talus_look;
talus_look *talus_look_create(const talus_world *world);
bool talus_look_observe(talus_look *look, const char *name, double *values, size_t room, size_t *count, talus_error *error);
void talus_look_destroy(talus_look *look);

// ---------------------------------------------------------------- snapshots

// A copy of what can be seen of a world, in plain arrays: what a frame of run.h5 holds, without the file. It stands alone: the world may
// be stepped or destroyed.
enum {
	TALUS_SNAPSHOT_CONTACTS = 1,
	TALUS_SNAPSHOT_OBSERVABLES = 2, // some of them take as long as a step
	TALUS_SNAPSHOT_ALL = 3,
};

typedef struct talus_snapshot_wall {
	talus_wall_def def; // placed as it is now
	talus_vec3 velocity;
	talus_vec3 force, torque; // as in talus_wall_state
} talus_snapshot_wall;

typedef struct talus_snapshot_number {
	const char *name; // as talus_observable_at has it
	size_t count;
	const double *value;
} talus_snapshot_number;

typedef struct talus_snapshot {
	uint64_t step;
	double time;
	int dimension;
	bool periodic[3];
	talus_vec3 origin;
	talus_vec3 edge[3]; // of the cell; along open directions twice the extent of the grains
	// Grains in the order of their ids, all of them inside of the cell.
	size_t grains;
	const uint32_t *id;
	const talus_vec3 *x, *v, *spin;
	const double *orientation; // 4 for each, a unit quaternion, scalar first
	const int32_t *image;      // 3 for each: how often it has gone round the cell
	const double *radius, *mass;
	const uint16_t *material;
	// Contacts that carry something or are bonded; none unless asked for.
	size_t contacts;
	const talus_contact_state *contact;
	int walls;
	const talus_snapshot_wall *wall;
	size_t observables; // those that frames have; none unless asked for
	const talus_snapshot_number *observable;
} talus_snapshot;

const talus_snapshot *talus_snapshot_create(const talus_world *world, unsigned what); // TALUS_SNAPSHOT_... that it is to have
void talus_snapshot_destroy(const talus_snapshot *snapshot);

#ifdef __cplusplus
}
#endif
#endif
