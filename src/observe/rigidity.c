// SPDX-License-Identifier: MIT
// Do forces reach across what carries them? Within a step of N sweeps they spread by diffusion over l = sqrt(4 q N) d (Unger &
// Kertesz 2003), with momentum by waves over l = 0.77 N d: there the support of a column is as wrong as after plain sweeps that
// reach as far. A network of extent L is rigid if l > L. If not, its contacts are springs that overlap by f/kappa,
//     kappa = q m N/dt^2 = m (l/d)^2/(4 dt^2)
// A step that may stop early because it starts near its answer counts by where it got: after N plain sweeps from nothing the
// residual of a column is 0.6/N as long as l < L, so a residual e is worth 0.6/e sweeps.
#include "observe/observe.h"

#include "base/clusters.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "solve/solve.h"
#include "state/wall.h"

#include <string.h>

static const double worth = 0.6;       // sweeps times residual
static const double rigid_error = 1;   // of a single step; that of a column is 4 at l = L, and 0.3 at 2 L
static const double slow = 0.1;        // stress by motion over that by contacts: above it is a gas, or an impact
enum { WATCHED = 50, LOOKS = 2 };      // grains that are worth a warning, looks running
enum { BINS = 256 };

// ---------------------------------------------------------------- the largest cluster

typedef struct cluster {
	uint32_t parent, count;
} cluster;

static uint32_t root_of(cluster *all, uint32_t i)
{
	return clusters_root(all, sizeof *all, i);
}

static bool movable(const talus_world *world, uint32_t i)
{
	return i < world->state.bodies.count && world->state.bodies.free[i];
}

// Walls and grains that are fixed hold others, but do not hand anything on.
static void join(const talus_world *world, cluster *all)
{
	const contacts *table = &world->contacts;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		all[i] = (cluster){.parent = (uint32_t)i};
	for (size_t i = 0; i < table->count; i++) {
		uint32_t a = table->contact[i].a, b = table->contact[i].b;
		if (!contacts_active(table, i) || !movable(world, a) || !movable(world, b))
			continue;
		clusters_join(all, sizeof *all, a, b);
	}
}

// Its root; UINT32_MAX if nobody carries anything.
static uint32_t largest(const talus_world *world, cluster *all)
{
	uint32_t best = UINT32_MAX;
	for (uint32_t i = 0; i < world->state.bodies.count; i++)
		if (movable(world, i) && bearing_of(&world->bearing, i) > 0)
			all[root_of(all, i)].count++;
	for (uint32_t i = 0; i < world->state.bodies.count; i++)
		if (all[i].count > 0 && (best == UINT32_MAX || all[i].count > all[best].count))
			best = i;
	return best;
}

// ---------------------------------------------------------------- its extent

typedef struct members {
	const talus_world *world;
	cluster *all;
	uint32_t root;
} members;

static bool is_member(const members *m, uint32_t i)
{
	return movable(m->world, i) && root_of(m->all, i) == m->root;
}

static double open_extent(const members *m, int k)
{
	const bodies *b = &m->world->state.bodies;
	double low = INFINITY, high = -INFINITY;
	for (uint32_t i = 0; i < b->count; i++)
		if (is_member(m, i)) {
			low = fmin(low, component(b->x[i], k) - b->radius[i]);
			high = fmax(high, component(b->x[i], k) + b->radius[i]);
		}
	return high - low;
}

static int longest_empty(const bool taken[BINS])
{
	int run = 0, longest = 0;
	for (int i = 0; i < 2*BINS; i++) { // twice around
		run = taken[i%BINS] ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	return longest < BINS ? longest : BINS;
}

// What is left of the height without the widest gap, wherever the cell is cut.
static double periodic_extent(const members *m, int k)
{
	const bodies *b = &m->world->state.bodies;
	double height = cell_height(&m->world->state.cell, k);
	bool taken[BINS] = {false};
	for (uint32_t i = 0; i < b->count; i++) {
		if (!is_member(m, i))
			continue;
		double at = component(cell_fraction(&m->world->state.cell, b->x[i]), k), half = b->radius[i]/height;
		double first = floor((at - floor(at) - half)*BINS), last = fmin(floor((at - floor(at) + half)*BINS), first + BINS - 1);
		for (double bin = first; bin <= last; bin += 1)
			taken[(int)(bin + 2*BINS)%BINS] = true;
	}
	return height*(BINS - longest_empty(taken))/BINS;
}

// Is weight all that is carried? Then forces go down: a bed is no softer for being wide.
static bool only_weight(const talus_world *world)
{
	bool only = norm(world->state.def.gravity) > 0 && !world->state.cell_deforms;
	for (int w = 0; w < world->state.walls.count; w++)
		only = only && !wall_is_piston(&world->state.walls.at[w]);
	return only;
}

static double extent(const members *m)
{
	const talus_world *world = m->world;
	vec3 down = only_weight(world) ? unit(world->state.def.gravity) : vec(0, 0, 0);
	double most = 0, along = 0;
	for (int k = 0; k < world->state.def.dimension; k++) {
		bool periodic = world->state.cell.periodic[k];
		double length = periodic ? periodic_extent(m, k) : open_extent(m, k);
		most = fmax(most, length);
		along += periodic ? 0 : fabs(component(down, k))*length;
	}
	return along > 0 ? along : most;
}

// ---------------------------------------------------------------- how far forces have come

double observe_spread(const talus_solver_def *solver)
{
	static const double q[] = {[TALUS_ORDER_SHUFFLED] = 0.777, [TALUS_ORDER_RANDOM] = 0.797, [TALUS_ORDER_SEQUENTIAL] = 1,
	                           [TALUS_ORDER_PARALLEL] = 0.5, [TALUS_ORDER_RANDOM_SEQUENTIAL] = 0.5};
	return q[solver->order]*(solver->order == TALUS_ORDER_PARALLEL ? solver->relaxation : 1);
}

double observe_sweeps(const talus_solver_def *solver, double diameters)
{
	return solver->kind != TALUS_SOLVER_NSGS ? diameters/momentum_reach : diameters*diameters/(4*observe_spread(solver));
}

// In diameters.
static double reach(const talus_world *world)
{
	const talus_solver_def *solver = &world->state.def.solver;
	const talus_step_report *report = &world->report;
	double q = observe_spread(solver), sweeps = report->iterations;
	double far = solver->kind != TALUS_SOLVER_NSGS ? momentum_reach*sweeps : sqrt(4*q*sweeps);
	bool by_residual = solver->stop != TALUS_STOP_ITERATIONS && solver->stop != TALUS_STOP_ERROR;
	if (by_residual && report->residual > 0)
		far = fmax(far, sqrt(4*q*worth/report->residual));
	return far;
}

double observe_error(const talus_step_report *report)
{
	return error_of(&(talus_solve_error){report->error_overlap, report->error_local, report->error_global});
}

static bool judged_rigid(const talus_world *world)
{
	if (world->state.def.solver.stop == TALUS_STOP_FORCES)
		return world->report.error_forces <= rigid_error;
	return world->state.def.solver.stop == TALUS_STOP_ERROR && observe_error(&world->report) <= rigid_error/TALUS_WINDOW;
}

// ---------------------------------------------------------------- all of it

typedef struct means {
	double diameter, mass, force;
} means;

static means means_of(const members *m)
{
	const talus_world *world = m->world;
	const contacts *table = &world->contacts;
	means sum = {0};
	double grains = 0, pushes = 0;
	for (uint32_t i = 0; i < world->state.bodies.count; i++)
		if (is_member(m, i)) {
			sum.diameter += 2*world->state.bodies.radius[i];
			sum.mass += world->state.bodies.mass[i];
			grains += 1;
		}
	for (size_t i = 0; i < table->count; i++) {
		const talus_contact *c = &table->contact[i];
		double push = dot(table->p[i], c->n)/world->state.def.step;
		if (push > 0 && (is_member(m, c->a) || is_member(m, c->b))) {
			sum.force += push;
			pushes += 1;
		}
	}
	return (means){sum.diameter/grains, sum.mass/grains, pushes > 0 ? sum.force/pushes : 0};
}

static rigidity_state rigidity_of(const members *m)
{
	const talus_world *world = m->world;
	means mean = means_of(m);
	rigidity_state s = {.grains = m->all[m->root].count, .size = extent(m), .diameter = mean.diameter};
	s.reach = reach(world)*s.diameter;
	if (judged_rigid(world))
		s.reach = fmax(s.reach, s.size);
	double far = s.reach/s.diameter/(2*world->state.def.step);
	s.ratio = s.reach/s.size;
	s.stiffness = mean.mass*far*far;
	s.overlap = s.stiffness > 0 ? mean.force/(s.stiffness*s.diameter) : 0;
	return s;
}

rigidity_state observe_rigidity(const talus_world *world)
{
	cluster *all = memory_grow(NULL, 0, world->state.bodies.count*sizeof *all + 1);
	join(world, all);
	members m = {world, all, largest(world, all)};
	rigidity_state s = m.root == UINT32_MAX ? (rigidity_state){0} : rigidity_of(&m);
	memory_free(all);
	return s;
}

static void rigidity_measure(observations *seen, void *result)
{
	*(rigidity_state *)result = observe_rigidity(seen->world);
}

static const measurement rigidity_measurement = {sizeof(rigidity_state), rigidity_measure};
#define RIGIDITY(member) OBSERVABLE_AT(rigidity_measurement, rigidity_state, member)

const observable rigidity_observables[] = {
	{"reach", "how far forces reach within the step, over the extent of the force network; below 1 the grains are not rigid", "",
	 RIGIDITY(ratio), .log = 17, .summary = 98, .key = "rigidity.ratio"},
	{"rigidity_size", "extent of the largest cluster of grains that carry forces together", "L", RIGIDITY(size), .summary = 96, .key = "rigidity.size"},
	{"rigidity_reach", "how far forces reach within the step", "L", RIGIDITY(reach), .summary = 97, .key = "rigidity.reach"},
	{"rigidity_stiffness", "stiffness of contacts, if they are soft", "M/T^2", RIGIDITY(stiffness), .summary = 99, .key = "rigidity.stiffness"},
	{"rigidity_overlap", "overlap of contacts if they are soft, over the mean diameter", "", RIGIDITY(overlap), .summary = 100,
	 .key = "rigidity.overlap"},
	{0},
};

bool observe_soft(const talus_world *world, soft_watch *known)
{
	if (known->step > 0)
		return false;
	rigidity_state s = observe_rigidity(world);
	stress_state stress = observe_stress(world);
	bool soft = s.grains >= WATCHED && s.ratio < 1 && stress.kinetic_pressure < slow*stress.contact_pressure;
	known->looks = soft ? known->looks + 1 : 0;
	if (known->looks < LOOKS)
		return false;
	*known = (soft_watch){.looks = known->looks,
	                    .step = world->state.step,
	                    .grains = s.grains,
	                    .sweeps = (uint64_t)world->report.iterations,
	                    .size = s.size/s.diameter,
	                    .reach = s.reach/s.diameter,
	                    .overlap = s.overlap};
	return true;
}
