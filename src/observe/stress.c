// SPDX-License-Identifier: MIT
// Stress of the grains:  sigma = (1/V) (sum over contacts of F l + sum over grains of m v v),  F the force on b by a,
// l from the centre of a (from the wall) to the centre of b, v relative to the common velocity of the grains that can move, over which
// the second sum goes. Compression is positive. V is the cell's extent along periodic directions, and that of the grains along open ones. The two sums are
// also there one by one. The deviator is that of the symmetric part: in 3D von Mises' sqrt(3/2 s:s), s the stress less the
// pressure (|s1 - s3| in a triaxial test); in 2D half the difference of the principal stresses, (s1 - s2)/2.
#include "observe/observe.h"

#include "state/shape.h"

typedef struct motion_of_all {
	const talus_world *world;
	vec3 common; // velocity
} motion_of_all;

// ---------------------------------------------------------------- volume

enum { BELOW, ABOVE = 3 }; // largest ones: how far down, and up

static void find_extents(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	const bodies *b = &world->state.bodies;
	for (size_t i = first; i < last; i++) {
		part->term[0][i - first] = shape_volume(world->state.def.dimension, b->radius[i]);
		for (int k = 0; k < 3; k++) {
			part->most[BELOW + k] = fmax(part->most[BELOW + k], b->radius[i] - component(b->x[i], k));
			part->most[ABOVE + k] = fmax(part->most[ABOVE + k], component(b->x[i], k) + b->radius[i]);
		}
	}
}

extent_state observe_extent(const talus_world *world)
{
	totals all = totals_of(world->state.team, world->state.bodies.count, 1, find_extents, (void *)world);
	const double *below = all.most + BELOW, *above = all.most + ABOVE;
	extent_state e = {.low = vec(-below[0], -below[1], -below[2]), .high = vec(above[0], above[1], above[2]), .volume = 1,
	                  .solid = all.sum[0]};
	for (int k = 0; k < world->state.def.dimension; k++)
		e.volume *= world->state.cell.periodic[k] ? world->state.cell.h[k][k] : fmax(0, above[k] + below[k]);
	return e;
}

// ---------------------------------------------------------------- stress

static void add_product(totals_part *part, size_t row, vec3 a, vec3 b)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			part->term[3*i + j][row] = component(a, i)*component(b, j);
}

static void add_contacts(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		add_product(part, i - first, mul(1/world->state.def.step, world->contacts.p[i]), mul(observe_span(world, i), c->n));
	}
}

static const unsigned moves = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;

enum { MASS, MOMENTUM, MOMENTA = MOMENTUM + 3 };

static void add_momenta(void *job, size_t first, size_t last, totals_part *part)
{
	const bodies *b = &((const talus_world *)job)->state.bodies;
	for (size_t i = first; i < last; i++) {
		if (!(b->free[i] & moves))
			continue;
		part->term[MASS][i - first] = b->mass[i];
		for (int k = 0; k < 3; k++)
			part->term[MOMENTUM + k][i - first] = b->mass[i]*component(b->v[i], k);
	}
}

static void add_motion(void *job, size_t first, size_t last, totals_part *part)
{
	const motion_of_all *m = job;
	const bodies *b = &m->world->state.bodies;
	for (size_t i = first; i < last; i++) {
		if (!(b->free[i] & moves))
			continue;
		vec3 v = sub(b->v[i], m->common);
		add_product(part, i - first, mul(b->mass[i], v), v);
	}
}

static totals sum_motion(const talus_world *world)
{
	size_t grains = world->state.bodies.count;
	totals all = totals_of(world->state.team, grains, MOMENTA, add_momenta, (void *)world);
	const double *of_all = all.sum;
	motion_of_all m = {.world = world};
	if (of_all[MASS] > 0)
		m.common = mul(1/of_all[MASS], vec(of_all[MOMENTUM], of_all[MOMENTUM + 1], of_all[MOMENTUM + 2]));
	return totals_of(world->state.team, grains, 9, add_motion, &m);
}

static double mean_diagonal(const double m[3][3], int dimension)
{
	return (m[0][0] + m[1][1] + (dimension == 3 ? m[2][2] : 0))/dimension;
}

static double deviator(const double m[3][3], double pressure, int dimension)
{
	double squares = 0;
	for (int i = 0; i < dimension; i++)
		for (int j = 0; j < dimension; j++) {
			double s = 0.5*(m[i][j] + m[j][i]) - (i == j ? pressure : 0);
			squares += s*s;
		}
	return sqrt((dimension == 3 ? 1.5 : 0.5)*squares);
}

stress_state observe_stress(const talus_world *world)
{
	int dimension = world->state.def.dimension;
	extent_state extent = observe_extent(world);
	stress_state s = {.volume = extent.volume};
	if (!(s.volume > 0))
		return s;
	totals of_contacts = totals_of(world->state.team, world->contacts.count, 9, add_contacts, (void *)world);
	totals of_motion = sum_motion(world);
	for (int k = 0; k < 9; k++) {
		s.contact[k/3][k%3] = of_contacts.sum[k]/s.volume;
		s.kinetic[k/3][k%3] = of_motion.sum[k]/s.volume;
		s.stress[k/3][k%3] = (of_contacts.sum[k] + of_motion.sum[k])/s.volume;
	}
	s.pressure = mean_diagonal((const double(*)[3])s.stress, dimension);
	s.contact_pressure = mean_diagonal((const double(*)[3])s.contact, dimension);
	s.kinetic_pressure = mean_diagonal((const double(*)[3])s.kinetic, dimension);
	s.deviator = deviator((const double(*)[3])s.stress, s.pressure, dimension);
	s.volume_fraction = extent.solid/s.volume;
	return s;
}

// Of a cell that follows a stress.
static double imbalance(const talus_cell_def *def, const stress_state *inside)
{
	double most = 0, size = 0;
	if (def->bath)
		return fabs(inside->pressure - def->pressure)/fmax(def->pressure, 1e-300);
	for (int i = 0; i < 3; i++)
		for (int j = i; j < 3; j++)
			if (def->drive[i][j] == TALUS_DRIVE_STRESS) {
				most = fmax(most, fabs(inside->stress[i][j] - def->wanted[i][j]));
				size = fmax(size, fabs(def->wanted[i][j]));
			}
	if (size == 0)
		size = fabs(inside->pressure);
	return most > 0 ? most/fmax(size, 1e-300) : 0;
}

double observe_imbalance(const talus_world *world)
{
	if (!world->state.cell_deforms)
		return 0;
	stress_state inside = observe_stress(world);
	return imbalance(&world->state.def.cell, &inside);
}

// ---------------------------------------------------------------- observables

static void stress_measure(observations *seen, void *result)
{
	*(stress_state *)result = observe_stress(seen->world);
}

static const measurement stress_measurement = {sizeof(stress_state), stress_measure};
#define STRESS(member) OBSERVABLE_AT(stress_measurement, stress_state, member)

static void imbalance_measure(observations *seen, void *result)
{
	const world_state *state = &seen->world->state;
	*(double *)result = state->cell_deforms ? imbalance(&state->def.cell, observations_get(seen, &stress_measurement)) : 0;
}

static const measurement imbalance_measurement = {sizeof(double), imbalance_measure};

const observable stress_observables[] = {
	{"stress", "stress of contacts and motion together; compression is positive", UNIT_STRESS, STRESS(stress),
	 .shape = TALUS_TENSOR, .log = 13, .summary = 30, .frames = 24},
	{"pressure", "trace of the stress over the dimension", UNIT_STRESS, STRESS(pressure), .log = 12, .summary = 31,
	 .frames = 1},
	{"volume_fraction", "volume of the grains over that of the cell, along open directions over their extent", "",
	 STRESS(volume_fraction), .log = 14, .summary = 8, .frames = 5},
	{"imbalance", "how far stress inside is from that outside of a cell that follows one, over the latter", "",
	 .from = &imbalance_measurement, .log = 53, .summary = 34, .frames = 23},
	{"stress_contact_pressure", "part of the pressure that contacts carry", UNIT_STRESS, STRESS(contact_pressure),
	 .log = 39, .summary = 35, .frames = 2},
	{"stress_kinetic_pressure", "part of the pressure by motion", UNIT_STRESS, STRESS(kinetic_pressure), .log = 40,
	 .summary = 36, .frames = 3},
	{"deviator", "deviator of the symmetric stress; 3D: von Mises, 2D: half the difference of the principal stresses",
	 UNIT_STRESS, STRESS(deviator), .log = 41, .summary = 37, .frames = 4},
	{"stress_contact", "part of the stress that contacts carry", UNIT_STRESS, STRESS(contact), .shape = TALUS_TENSOR,
	 .summary = 52, .frames = 25},
	{"stress_kinetic", "part of the stress by motion", UNIT_STRESS, STRESS(kinetic), .shape = TALUS_TENSOR,
	 .summary = 53, .frames = 26},
	{0},
};
