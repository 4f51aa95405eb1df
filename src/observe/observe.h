// SPDX-License-Identifier: MIT
// Numbers that describe a state. One file each.
#ifndef TALUS_OBSERVE_H
#define TALUS_OBSERVE_H

#include "account/account.h"
#include "observe/observable.h"
#include "observe/soft_watch.h"
#include "world.h"

typedef struct extent_state {
	vec3 low, high; // of the grains with their radii, along open directions
	double volume;  // of the cell along periodic directions times the extent along open ones; 2D: area
	double solid;   // of the grains
} extent_state;

typedef struct stress_state {
	double stress[3][3]; // compression is positive
	double contact[3][3], kinetic[3][3]; // the parts that add up to it
	double pressure;     // trace over the dimension
	double contact_pressure, kinetic_pressure; // the same of the parts
	double deviator;     // how far the stress is from a pressure, stress.c says in which measure
	double volume;       // 2D: area
	double volume_fraction;
} stress_state;

typedef struct structure_state {
	size_t bearing;      // contacts that carry a force
	size_t rattlers;     // grains with too few of them: below 2 in 2D, below 3 in 3D
	double coordination; // bearing contacts per grain that can move, a contact of two grains counts for both
} structure_state;

typedef struct network_state { // what is left when rattlers are taken away until there are none
	size_t grains, rattlers; // of those that can move: in the network, taken away
	double coordination;     // bearing contacts within the network per grain of it, counted as above
} network_state;

typedef struct fabric_state {
	size_t contacts;     // with a force: all averages are over these
	double fabric[3][3]; // <n n>, trace 1
	double anisotropy;   // its largest minus its smallest eigenvalue (2D: of the two in the plane)
	double coefficient;  // of second order in the distribution of normals, fabric.c says which
} fabric_state;

enum { NORMAL_ANGLES = 36, NORMAL_COSINES = 10 };

typedef struct normals_state {
	int rows, bins; // 2D: 1 row of angles to x, modulo pi; 3D: a row of |cosines| for each axis
	size_t count[3][NORMAL_ANGLES];
} normals_state;

typedef struct forces_state { // normal forces of contacts; shares are 0 where there are no such contacts
	size_t pushing, pulling;
	double mean, largest;       // of those that push
	double weak_share;          // of those that push, below their mean
	double weak_pressure_share; // of what all that push add to the trace of the stress
	double pull_share;          // of all that carry a force
	double mobilisation;        // mean of |f_t| over its limit, where there is friction
	double sliding_share;       // of the same, those (almost) at the limit
} forces_state;

enum { FORCE_BINS = 50, FORCE_RANGE = 5 };

typedef struct force_histogram {
	double mean;
	size_t count[FORCE_BINS + 1]; // f over the mean, from 0 to FORCE_RANGE; last what is beyond
} force_histogram;

enum { RADIAL_BINS = 100 };

typedef struct radial_state {
	double diameter; // mean
	double range;    // over the mean diameter
	size_t centres;  // around which grains were counted
	size_t count[RADIAL_BINS];
	double g[RADIAL_BINS];
} radial_state;

typedef struct homogeneity_state {
	size_t boxes;     // 0 or 1: there is nothing to compare
	double mean;      // contacts with a force in a box
	double deviation; // standard deviation over the mean
	double poisson;   // what that would be if contacts were thrown in at random
} homogeneity_state;

typedef struct temperature_state {
	double motion, spin; // squares of speeds, per degree of freedom
} temperature_state;

typedef struct motion_state {
	double mean_speed, mean_acceleration;
	bool network; // forces are carried somewhere; in a cell that deforms, by grains with enough contacts
	bool falling; // there is gravity, and a grain that nothing holds
} motion_state;

typedef struct rigidity_state { // of the largest cluster of grains that carry forces together; all 0 if nothing is carried
	size_t grains;
	double size;      // extent along gravity if weight is all that it carries, else the largest along the axes
	double diameter;  // mean
	double reach;     // how far forces have come in the last step
	double ratio;     // of the two: below 1 it is soft
	double stiffness; // of its contacts
	double overlap;   // mean force over stiffness, over the diameter
} rigidity_state;

extent_state observe_extent(const talus_world *world);
stress_state observe_stress(const talus_world *world);
double observe_imbalance(const talus_world *world); // stress inside against that outside a cell that follows one, relative
structure_state observe_structure(const talus_world *world);
network_state observe_network(const talus_world *world);
motion_state observe_motion(const talus_world *world);
fabric_state observe_fabric(const talus_world *world);
normals_state observe_normals(const talus_world *world);
forces_state observe_forces(const talus_world *world);
force_histogram observe_force_histogram(const talus_world *world);
radial_state observe_radial(const talus_world *world);
radial_state observe_radial_around(const talus_world *world, size_t most); // at most so many centres: rougher, and quicker
homogeneity_state observe_homogeneity(const talus_world *world);
temperature_state observe_temperature(const talus_world *world);

// rigidity.c
rigidity_state observe_rigidity(const talus_world *world);
// One more look, at moments that depend on nothing but the number of steps. True, once, when a large cluster that carries more than it
// moves is soft for the second time running. The residual of the step must be known.
enum { SOFT_WATCH_EVERY = 50 }; // steps: cheap, and what an impact does is over by the next look
bool observe_soft(const talus_world *world, soft_watch *watch);
double observe_error(const talus_step_report *report); // of the last step, as the rule `error` judged it
double observe_spread(const talus_solver_def *solver); // q: how far a sweep carries forces, squared, in contacts
double observe_sweeps(const talus_solver_def *solver, double diameters); // that reach so far

extern const char *const audited_names[TALUS_AUDITED]; // solver.c: columns of what audits find

// From centre to centre of a contact, or from the wall to the centre.
static inline double observe_span(const talus_world *world, size_t contact)
{
	const talus_contact *c = &world->contacts.contact[contact];
	const double *radius = world->state.bodies.radius;
	return radius[c->b] + (c->wall == NO_WALL ? radius[c->a] : 0) + c->gap;
}

double observe_overlap_after(const talus_world *world); // the largest, where the last step has led to

#endif
