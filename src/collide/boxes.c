// SPDX-License-Identifier: MIT
// Space cut into boxes for the solver, which keeps near contacts together: about so many contacts a box that their bodies
// fit into the cache of a processor. The cuts are somewhere else in every step, so that nothing gets used to them.
#include "collide/collide.h"

#include "base/memory.h"
#include "base/random.h"
#include "cell.h"

enum { BLOCK = 1024, MOST = 1024, ENOUGH = 2048 };

typedef struct cutting {
	const talus_world *world;
	uint32_t *box;
	vec3 low, per_length; // number = (place - low)*per_length, in fractions of the cell along periodic directions
	const talus_boxes *boxes;
	const talus_coarse *coarse;
} cutting;

// Along open directions the place itself, along periodic ones the fraction of the cell.
static vec3 place(const talus_world *world, size_t i)
{
	vec3 x = world->bodies.x[i];
	if (!cell_any(&world->cell))
		return x;
	vec3 f = cell_fraction(&world->cell, x);
	for (int k = 0; k < 3; k++)
		if (!world->cell.periodic[k])
			set_component(&f, k, component(x, k));
	return f;
}

typedef struct crowd { // where grains are along each direction
	vec3 *at;
	size_t count;
	double mean[3], deviation[3];
} crowd;

// A thousand or two of them know it as well as all: those with certain ids.
static void ask_some(talus_world *world, crowd *c)
{
	const bodies *b = &world->bodies;
	uint32_t others = 0;
	while (b->count/(others + 1) >= ENOUGH)
		others = 2*others + 1;
	size_t most = b->next_id/(others + 1) + 1;
	c->at = memory_borrow(&world->scratch.pool, (most < b->count ? most : b->count)*sizeof *c->at);
	for (size_t i = 0; i < b->count; i++)
		if (!(b->id[i] & others))
			c->at[c->count++] = place(world, i);
}

// Number, sum and sum of squares along each direction, of those who are not far out.
static void moments(void *job, size_t first, size_t last, totals_part *part)
{
	const crowd *c = job;
	for (size_t i = first; i < last; i++) {
		for (int k = 0; k < 3; k++) {
			double x = component(c->at[i], k);
			if (!(fabs(x - c->mean[k]) <= 3*c->deviation[k]))
				continue;
			part->count[k]++;
			part->term[k][i - first] = x;
			part->term[3 + k][i - first] = x*x;
		}
	}
}

// Where most of the grains are: a uniform bed reaches sqrt(3) standard deviations to either side. A few that flew far away
// spoil the first look, not the third. Who is farther out is counted with the last box.
static void find_extent(talus_world *world, vec3 *low, vec3 *size)
{
	crowd c = {.deviation = {INFINITY, INFINITY, INFINITY}};
	ask_some(world, &c);
	for (int look = 0; look < 3; look++) {
		totals m = totals_of(world->team, c.count, 6, moments, &c);
		for (int k = 0; k < 3; k++) {
			double count = (double)m.count[k];
			c.mean[k] = m.sum[k]/count;
			c.deviation[k] = sqrt(fmax(0, m.sum[3 + k]/count - c.mean[k]*c.mean[k]));
		}
	}
	for (int k = 0; k < 3; k++) {
		set_component(low, k, world->cell.periodic[k] ? 0 : c.mean[k] - 1.8*c.deviation[k]);
		set_component(size, k, world->cell.periodic[k] ? cell_height(&world->cell, k) : 3.6*c.deviation[k]);
	}
}

// The edge of so many cubes. A direction that is shorter than it is not cut, and the others make up for it. (The root is taken
// of a number without a unit: that of a volume rounds differently in each unit.)
static double edge_of(vec3 size, int dimension, double boxes, double least)
{
	bool cut[3] = {true, true, true};
	double edge = least;
	for (int look = 0; look < dimension; look++) {
		double volume = 1;
		int directions = 0;
		for (int k = 0; k < dimension; k++)
			if (cut[k]) {
				volume *= component(size, k)/least;
				directions++;
			}
		edge = least*fmax(1, directions ? pow(volume/boxes, 1.0/directions) : INFINITY);
		for (int k = 0; k < dimension; k++)
			cut[k] = component(size, k) > edge;
	}
	return edge;
}

// How many along each direction: cubes, but none thinner than a large grain and its neighbour.
static void choose_counts(const talus_world *world, vec3 size, double boxes, double least, int32_t count[3])
{
	int dimension = world->def.dimension;
	double edge = edge_of(size, dimension, boxes, least);
	for (int k = 0; k < 3; k++) {
		double fit = k < dimension ? floor(component(size, k)/edge) : 1;
		count[k] = fit > 1 ? (int32_t)fmin(fit, MOST - 2) : 1; // what is not a number is not cut
		if (world->cell.periodic[k] && count[k] > 1)
			count[k] -= count[k]%2; // colours alternate all around
	}
}

static void number_some(void *job, size_t first, size_t last)
{
	const cutting *c = job;
	for (size_t i = first; i < last; i++) {
		vec3 x = place(c->world, i);
		uint32_t box = 0;
		for (int k = 0; k < 3; k++) {
			double count = c->boxes->count[k], f = (component(x, k) - component(c->low, k))*component(c->per_length, k);
			if (c->boxes->around[k])
				f -= count*floor(f/count);
			f = fmin(floor(f), count - 1);
			box |= (uint32_t)(f > 0 ? f : 0) << 10*k;
		}
		c->box[i] = box;
	}
}

talus_boxes boxes_cut(talus_world *world, double contacts_per_box)
{
	talus_boxes boxes = {.bodies = world->bodies.count};
	cutting c = {.world = world, .boxes = &boxes};
	vec3 size;
	uint64_t stream = random_stream(world->def.seed, RANDOM_BOXES, world->step, 0);
	find_extent(world, &c.low, &size);
	choose_counts(world, size, (double)world->contacts.count/contacts_per_box, 4.5*world->mean_radius, boxes.count);
	for (int k = 0; k < 3; k++) {
		double shift = random_unit(stream, (uint64_t)k);
		boxes.around[k] = world->cell.periodic[k] && boxes.count[k] > 1;
		double per = boxes.count[k]/(world->cell.periodic[k] ? 1 : fmax(component(size, k), 1e-300));
		set_component(&c.per_length, k, per);
		if (!world->cell.periodic[k] && boxes.count[k] > 1)
			boxes.count[k]++; // the shifted row needs one more
		set_component(&c.low, k, component(c.low, k) - shift/per);
	}
	scratch *s = &world->scratch;
	c.box = s->box = memory_room(s->box, &s->box_capacity, boxes.bodies, sizeof *s->box);
	parallel_for(world->team, boxes.bodies, BLOCK, number_some, &c);
	boxes.box = s->box;
	return boxes;
}

// ---------------------------------------------------------------- for judging

enum { COARSE_MOST = 4096 };
static const double coarse_edge = 4; // mean diameters

// As many halvings as leave a few grains in a box.
static int halvings(double size, double diameter)
{
	double fit = size/(coarse_edge*diameter);
	int n = 0;
	while (n < 10 && fit >= 2) {
		fit /= 2;
		n++;
	}
	return n;
}

static void coarse_some(void *job, size_t first, size_t last)
{
	const cutting *c = job;
	const talus_coarse *coarse = c->coarse;
	for (size_t i = first; i < last; i++) {
		vec3 x = place(c->world, i);
		uint32_t box = 0;
		for (int k = 2; k >= 0; k--) {
			double f = (component(x, k) - component(c->low, k))*component(c->per_length, k), last_one = coarse->side[k] - 1;
			f = f > 0 ? f : 0; // also what is no number
			box = box*(uint32_t)coarse->side[k] + (uint32_t)(f < last_one ? f : last_one);
		}
		c->box[i] = box;
	}
}

talus_coarse boxes_coarse(talus_world *world)
{
	talus_coarse coarse = {.dimension = world->def.dimension, .bodies = world->bodies.count, .diameter = 2*world->mean_radius};
	cutting c = {.world = world, .coarse = &coarse};
	vec3 size;
	find_extent(world, &c.low, &size);
	int n[3] = {0, 0, 0}, all = 0;
	for (int k = 0; k < coarse.dimension; k++)
		all += n[k] = halvings(component(size, k), coarse.diameter);
	while (1 << all > COARSE_MOST || (all > 0 && (size_t)1 << all > world->contacts.count/8)) {
		int longest = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
		n[longest]--;
		all--;
	}
	for (int k = 0; k < 3; k++) {
		double length = k < coarse.dimension ? fmax(component(size, k), coarse.diameter) : coarse.diameter;
		coarse.side[k] = 1 << n[k];
		coarse.edge[k] = length/coarse.side[k];
		double span = world->cell.periodic[k] ? 1 : fmax(component(size, k), 1e-300);
		set_component(&c.per_length, k, coarse.side[k]/span);
	}
	scratch *s = &world->scratch;
	c.box = s->coarse = memory_room(s->coarse, &s->coarse_capacity, coarse.bodies, sizeof *s->coarse);
	parallel_for(world->team, coarse.bodies, BLOCK, coarse_some, &c);
	coarse.box = s->coarse;
	return coarse;
}
