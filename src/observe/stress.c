// SPDX-License-Identifier: MIT
// Stress of the grains:  sigma = (1/V) (sum over contacts of F l + sum over grains of m v v),  F the force on b by a,
// l from the centre of a (from the wall) to the centre of b, v relative to the common velocity. Compression is
// positive. V is the cell's extent along periodic directions, and that of the grains along open ones.
#include "observe/observe.h"

#include "shape.h"

static double extent(const talus_world *world, int k)
{
	const bodies *b = &world->bodies;
	if (world->cell.periodic[k])
		return world->cell.h[k][k];
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < b->count; i++) {
		low = fmin(low, component(b->x[i], k) - b->radius[i]);
		high = fmax(high, component(b->x[i], k) + b->radius[i]);
	}
	return high > low ? high - low : 0;
}

static void add_product(double sum[3][3], vec3 a, vec3 b)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum[i][j] += component(a, i)*component(b, j);
}

static void add_contacts(const talus_world *world, double sum[3][3])
{
	const bodies *b = &world->bodies;
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		const contact_info *info = &world->contacts.info[i];
		double length = b->radius[c->b] + (info->wall == NO_WALL ? b->radius[c->a] : 0) + info->gap;
		add_product(sum, mul(1/world->def.step, c->p), mul(length, c->n));
	}
}

static void add_motion(const talus_world *world, double sum[3][3])
{
	const bodies *b = &world->bodies;
	vec3 common = {0, 0, 0};
	double mass = 0;
	for (size_t i = 0; i < b->count; i++) {
		common = mul_add(common, b->mass[i], b->v[i]);
		mass += b->mass[i];
	}
	common = mass > 0 ? mul(1/mass, common) : common;
	for (size_t i = 0; i < b->count; i++) {
		vec3 v = sub(b->v[i], common);
		add_product(sum, mul(b->mass[i], v), v);
	}
}

stress_state observe_stress(const talus_world *world)
{
	stress_state s = {.volume = 1};
	int dimension = world->def.dimension;
	double solid = 0;
	for (size_t i = 0; i < world->bodies.count; i++)
		solid += shape_volume(dimension, world->bodies.radius[i]);
	for (int k = 0; k < dimension; k++)
		s.volume *= extent(world, k);
	if (!(s.volume > 0))
		return s;
	add_contacts(world, s.stress);
	add_motion(world, s.stress);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			s.stress[i][j] /= s.volume;
	s.pressure = (s.stress[0][0] + s.stress[1][1] + (dimension == 3 ? s.stress[2][2] : 0))/dimension;
	s.volume_fraction = solid/s.volume;
	return s;
}
