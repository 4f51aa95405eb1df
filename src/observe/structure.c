// SPDX-License-Identifier: MIT
// Who touches whom: contacts that carry a force, grains that carry none, overlaps.
#include "observe/observe.h"

#include "base/memory.h"
#include "body.h"

#include <string.h>

static bool bears(const talus_contact *c)
{
	return dot(c->p, c->n) > 0;
}

static void bump(uint8_t *count)
{
	if (*count < UINT8_MAX)
		++*count;
}

// Counts for each grain the contacts that push it; returns how many contacts push.
static size_t count_bearing(const talus_world *world, uint8_t *count)
{
	size_t bearing = 0;
	if (world->bodies.count)
		memset(count, 0, world->bodies.count);
	for (size_t i = 0; i < world->contacts.count; i++) {
		const talus_contact *c = &world->contacts.contact[i];
		if (!bears(c))
			continue;
		bearing++;
		bump(&count[c->b]);
		if (world->contacts.info[i].wall == NO_WALL)
			bump(&count[c->a]);
	}
	return bearing;
}

void observe_bearing(talus_world *world)
{
	scratch *s = &world->scratch;
	size_t n = world->bodies.count;
	if (n > s->bearing_capacity) {
		s->bearing_capacity = memory_capacity(s->bearing_capacity, n);
		s->bearing = memory_grow(s->bearing, 0, s->bearing_capacity);
	}
	s->bearing_count = n;
	count_bearing(world, s->bearing);
}

structure_state observe_structure(const talus_world *world)
{
	structure_state s = {0, 0, 0};
	const bodies *b = &world->bodies;
	size_t ends = 0, mobile = 0, least = world->def.dimension == 2 ? 2 : 3;
	uint8_t *count = memory_grow(NULL, 0, b->count);
	s.bearing = count_bearing(world, count);
	for (size_t i = 0; i < b->count; i++) {
		if (!b->free[i])
			continue;
		mobile++;
		ends += count[i];
		s.rattlers += count[i] < least;
	}
	memory_free(count);
	s.coordination = mobile ? (double)ends/(double)mobile : 0;
	return s;
}

void observe_overlap(const talus_world *world, double *mean, double *most)
{
	double sum = 0, largest = 0, diameter = 2*bodies_mean_radius(&world->bodies);
	size_t touching = 0;
	for (size_t i = 0; i < world->contacts.count; i++) {
		double overlap = fmax(0, -world->contacts.info[i].gap);
		if (overlap == 0 && !bears(&world->contacts.contact[i]))
			continue;
		sum += overlap;
		largest = fmax(largest, overlap);
		touching++;
	}
	*mean = touching ? sum/((double)touching*diameter) : 0;
	*most = touching ? largest/diameter : 0;
}
