// SPDX-License-Identifier: MIT
// Space cut into boxes for the solver, which keeps near contacts together: about so many contacts a box that their bodies
// fit into the cache of a processor. The cuts are somewhere else in every step, so that nothing gets used to them.
#include "collide/collide.h"

#include "base/memory.h"
#include "base/random.h"
#include "cell.h"

enum { BLOCK = 1024, MOST = 1024 };

typedef struct cutting {
	const talus_world *world;
	uint32_t *box;
	vec3 low, per_length; // number = (place - low)*per_length, in fractions of the cell along periodic directions
	const talus_boxes *boxes;
} cutting;

// Along open directions the place itself, along periodic ones the fraction of the cell.
static vec3 place(const talus_world *world, size_t i)
{
	vec3 x = world->bodies.x[i], f = x;
	if (cell_any(&world->cell))
		f = cell_fraction(&world->cell, x);
	for (int k = 0; k < 3; k++)
		if (!world->cell.periodic[k])
			set_component(&f, k, component(x, k));
	return f;
}

static void moments(void *job, size_t first, size_t last, double *value)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++)
		for (int k = 0; k < 3; k++) {
			double x = component(place(world, i), k);
			value[k] += x;
			value[3 + k] += x*x;
		}
}

// Where most of the grains are: a uniform bed reaches sqrt(3) standard deviations to either side. Who is farther out is
// counted with the last box.
static void find_extent(talus_world *world, vec3 *low, vec3 *size)
{
	double m[6] = {0}, n = (double)world->bodies.count;
	parallel_reduce(world->team, world->bodies.count, 6, moments, NULL, world, m);
	for (int k = 0; k < 3; k++) {
		double mean = m[k]/n, deviation = sqrt(fmax(0, m[3 + k]/n - mean*mean));
		set_component(low, k, world->cell.periodic[k] ? 0 : mean - 1.8*deviation);
		set_component(size, k, world->cell.periodic[k] ? cell_height(&world->cell, k) : 3.6*deviation);
	}
}

// How many along each direction: cubes, but none thinner than a large grain and its neighbour.
static void choose_counts(const talus_world *world, vec3 size, double boxes, double least, int32_t count[3])
{
	int dimension = world->def.dimension;
	double volume = 1;
	for (int k = 0; k < dimension; k++)
		volume *= fmax(component(size, k), least);
	double edge = fmax(least, pow(volume/boxes, 1.0/dimension));
	for (int k = 0; k < 3; k++) {
		int32_t n = k < dimension ? (int32_t)fmin(floor(component(size, k)/edge), MOST - 2) : 1;
		if (world->cell.periodic[k] && n > 1)
			n -= n%2; // colours alternate all around
		count[k] = n < 1 ? 1 : n;
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
	choose_counts(world, size, (double)world->contacts.count/contacts_per_box, 4.5*world->margin/0.01, boxes.count);
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
	if (boxes.bodies > s->box_capacity) {
		s->box_capacity = memory_capacity(s->box_capacity, boxes.bodies);
		s->box = memory_grow(s->box, 0, s->box_capacity*sizeof *s->box);
	}
	c.box = s->box;
	parallel_for(world->team, boxes.bodies, BLOCK, number_some, &c);
	boxes.box = s->box;
	return boxes;
}
