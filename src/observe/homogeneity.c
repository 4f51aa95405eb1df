// SPDX-License-Identifier: MIT
// Are contacts spread evenly? Space is cut into boxes of about four mean diameters; the standard deviation of the number of
// contacts in a box over its mean is compared with 1/sqrt(mean), that of points thrown in at random. Along open directions
// the boxes fill the extent of the grains.
#include "observe/observe.h"

#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"

#include <string.h>

enum { MOST_BOXES = 64 }; // along a direction
static const double width = 4; // of a box, in mean diameters

typedef struct boxing {
	const talus_world *world;
	vec3 low, length; // along open directions
	size_t boxes[3];
} boxing;

static size_t error_cells_along(const boxing *g, int k, double diameter)
{
	const cell *c = &g->world->state.cell;
	double length = c->periodic[k] ? cell_height(c, k) : component(g->length, k);
	return (size_t)fmax(1, fmin(MOST_BOXES, floor(length/(width*diameter))));
}

static size_t box_of(const boxing *g, vec3 x)
{
	const cell *c = &g->world->state.cell;
	vec3 f = cell_fraction(c, x);
	size_t box = 0;
	for (int k = g->world->state.def.dimension - 1; k >= 0; k--) {
		double part = (component(x, k) - component(g->low, k))/component(g->length, k);
		if (c->periodic[k])
			part = component(f, k) - floor(component(f, k));
		double place = fmax(0, floor(part*(double)g->boxes[k]));
		box = box*g->boxes[k] + (size_t)fmin(place, (double)g->boxes[k] - 1);
	}
	return box;
}

static size_t count_contacts(const boxing *g, uint32_t *count)
{
	const bodies *b = &g->world->state.bodies;
	const contacts *all = &g->world->contacts;
	size_t found = 0;
	for (size_t i = 0; i < all->count; i++) {
		const talus_contact *c = &all->contact[i];
		if (!contacts_active(all, i))
			continue;
		count[box_of(g, mul_add(b->x[c->b], -b->radius[c->b], c->n))]++;
		found++;
	}
	return found;
}

homogeneity_state observe_homogeneity(const talus_world *world)
{
	homogeneity_state s = {0};
	if (!world->state.bodies.count)
		return s;
	extent_state e = observe_extent(world);
	boxing g = {.world = world, .low = e.low, .length = sub(e.high, e.low), .boxes = {1, 1, 1}};
	double diameter = 2*bodies_mean_radius(&world->state.bodies, world->state.team);
	for (int k = 0; k < world->state.def.dimension; k++)
		g.boxes[k] = error_cells_along(&g, k, diameter);
	s.boxes = g.boxes[0]*g.boxes[1]*g.boxes[2];
	uint32_t *count = memory_grow(NULL, 0, s.boxes*sizeof *count);
	memset(count, 0, s.boxes*sizeof *count);
	s.mean = (double)count_contacts(&g, count)/(double)s.boxes;
	double squares = 0;
	for (size_t i = 0; i < s.boxes; i++)
		squares += (count[i] - s.mean)*(count[i] - s.mean);
	memory_free(count);
	if (s.mean > 0) {
		s.deviation = sqrt(squares/(double)s.boxes)/s.mean;
		s.poisson = 1/sqrt(s.mean);
	}
	return s;
}

static void homogeneity_measure(observations *seen, void *result)
{
	*(homogeneity_state *)result = observe_homogeneity(seen->world);
}

static const measurement homogeneity_measurement = {sizeof(homogeneity_state), homogeneity_measure};
#define HOMOGENEITY(member) OBSERVABLE_AT(homogeneity_measurement, homogeneity_state, member)

const observable homogeneity_observables[] = {
	{"distributions.homogeneity.boxes", "boxes of about 4 mean diameters, into which space is cut", "",
	 HOMOGENEITY(boxes), .summary = 71},
	{"distributions.homogeneity.mean", "mean number of contacts with a force in a box", "", HOMOGENEITY(mean),
	 .summary = 72},
	{"distributions.homogeneity.deviation", "standard deviation of the number of contacts in a box, over the mean", "",
	 HOMOGENEITY(deviation), .summary = 73},
	{"distributions.homogeneity.poisson", "the deviation that points thrown in at random would have", "",
	 HOMOGENEITY(poisson), .summary = 74},
	{0},
};
