// SPDX-License-Identifier: MIT
// Who touches whom: contacts that carry a force, grains that carry none, overlaps.
#include "observe/observe.h"

#include "state/bodies.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "state/wall.h"

#include <string.h>

// ---------------------------------------------------------------- numbers

static void count_bearing(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	for (size_t i = first; i < last; i++)
		part->count[0] += contacts_active(&world->contacts, i);
}

enum { MOBILE, ENDS, RATTLERS };

static void count_ends(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_world *world = job;
	uint8_t least = world->state.def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		if (!world->state.bodies.free[i])
			continue;
		uint8_t ends = bearing_of(&world->bearing, i);
		part->count[MOBILE]++;
		part->count[ENDS] += ends;
		part->count[RATTLERS] += ends < least;
	}
}

structure_state observe_structure(const talus_world *world)
{
	totals of_grains = totals_of(world->state.team, world->state.bodies.count, 0, count_ends, (void *)world);
	totals of_contacts = totals_of(world->state.team, world->contacts.count, 0, count_bearing, (void *)world);
	const uint64_t *count = of_grains.count;
	return (structure_state){.bearing = of_contacts.count[0],
	                         .rattlers = count[RATTLERS],
	                         .coordination = count[MOBILE] ? (double)count[ENDS]/(double)count[MOBILE] : 0};
}

// ---------------------------------------------------------------- the network

// A grain with fewer than 2 (2D) or 3 (3D) bearing contacts cannot be held in place: it is a rattler. Without it its
// neighbours may be rattlers too, and so on. The rule is the same with and without friction, though without it a grain
// needs one more. Walls and grains that are fixed stay, and count as neighbours only.
typedef struct network {
	const talus_world *world;
	uint32_t *start;     // per grain: its first neighbour; one more at the end
	uint32_t *neighbour; // of grains only
	uint32_t *held;      // per grain: bearing contacts with what is still there
	bool *gone;
	uint32_t *queue;     // of those that have gone, so that their neighbours are looked at
} network;

static void *room(size_t count, size_t size)
{
	void *block = memory_grow(NULL, 0, count*size);
	memset(block, 0, count*size);
	return block;
}

static void network_free(network *n)
{
	memory_free(n->start);
	memory_free(n->neighbour);
	memory_free(n->held);
	memory_free(n->gone);
	memory_free(n->queue);
}

static void network_list(network *n, size_t grains)
{
	const contacts *all = &n->world->contacts;
	n->start = room(grains + 2, sizeof *n->start); // shifted by one while it is filled
	n->held = room(grains, sizeof *n->held);
	n->neighbour = room(2*all->count + 1, sizeof *n->neighbour);
	for (size_t i = 0; i < all->count; i++) {
		if (!contacts_active(all, i))
			continue;
		n->held[all->contact[i].b]++;
		if (all->contact[i].wall != NO_WALL)
			continue;
		n->held[all->contact[i].a]++;
		n->start[all->contact[i].a + 2]++;
		n->start[all->contact[i].b + 2]++;
	}
	for (size_t i = 2; i < grains + 2; i++)
		n->start[i] += n->start[i - 1];
	for (size_t i = 0; i < all->count; i++) {
		uint32_t a = all->contact[i].a, b = all->contact[i].b;
		if (all->contact[i].wall != NO_WALL || !contacts_active(all, i))
			continue;
		n->neighbour[n->start[a + 1]++] = b;
		n->neighbour[n->start[b + 1]++] = a;
	}
}

// Takes rattlers away until there are none; returns how many that were.
static size_t network_peel(network *n, size_t grains)
{
	const uint8_t *free = n->world->state.bodies.free;
	uint32_t least = n->world->state.def.dimension == 2 ? 2 : 3;
	size_t count = 0;
	n->gone = room(grains, sizeof *n->gone);
	n->queue = room(grains, sizeof *n->queue);
	for (uint32_t i = 0; i < grains; i++)
		if (free[i] && n->held[i] < least) {
			n->gone[i] = true;
			n->queue[count++] = i;
		}
	for (size_t next = 0; next < count; next++) {
		uint32_t i = n->queue[next];
		for (uint32_t k = n->start[i]; k < n->start[i + 1]; k++) {
			uint32_t j = n->neighbour[k];
			n->held[j]--;
			if (free[j] && !n->gone[j] && n->held[j] < least) {
				n->gone[j] = true;
				n->queue[count++] = j;
			}
		}
	}
	return count;
}

network_state observe_network(const talus_world *world)
{
	size_t grains = world->state.bodies.count, ends = 0;
	network n = {.world = world};
	network_list(&n, grains);
	network_state s = {.rattlers = network_peel(&n, grains)};
	for (size_t i = 0; i < grains; i++)
		if (world->state.bodies.free[i] && !n.gone[i]) {
			s.grains++;
			ends += n.held[i];
		}
	s.coordination = s.grains ? (double)ends/(double)s.grains : 0;
	network_free(&n);
	return s;
}

// ---------------------------------------------------------------- observables

static void structure_measure(observations *seen, void *result)
{
	*(structure_state *)result = observe_structure(seen->world);
}

static void network_measure(observations *seen, void *result)
{
	*(network_state *)result = observe_network(seen->world);
}

static const measurement structure_measurement = {sizeof(structure_state), structure_measure};
static const measurement network_measurement = {sizeof(network_state), network_measure};
#define STRUCTURE(member) OBSERVABLE_AT(structure_measurement, structure_state, member)
#define NETWORK(member) OBSERVABLE_AT(network_measurement, network_state, member)

const observable structure_observables[] = {
	{"contacts", "contacts that carry a force", "", STRUCTURE(bearing), .log = 5, .summary = 5},
	{"rattlers", "movable grains with fewer than 3 contacts that carry a force (2D: 2)", "", STRUCTURE(rattlers),
	 .log = 25, .summary = 6, .frames = 8},
	{"coordination", "contacts with a force per movable grain, counted at both ends", "", STRUCTURE(coordination),
	 .log = 15, .summary = 7, .frames = 6},
	{"coordination_network", "as coordination, without rattlers, which are taken away until there are none", "",
	 NETWORK(coordination), .log = 44, .summary = 40, .frames = 7},
	{"rattlers_network", "grains that are taken away for coordination_network", "", NETWORK(rattlers), .summary = 48,
	 .frames = 9},
	{0},
};

// ---------------------------------------------------------------- overlaps

// With the velocities of the last step, which all have now.
static vec3 parting(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const bodies *b = &world->state.bodies;
	if (c->wall == NO_WALL) {
		double span = b->radius[c->a] + b->radius[c->b] + c->gap;
		return add(sub(b->v[c->b], b->v[c->a]), cell_apply(world->state.cell.rate, mul(span, c->n)));
	}
	const wall *w = &world->state.walls.at[c->wall];
	vec3 image = state_wall_image(&world->state, w, c->b, contacts_wall_image(c->key));
	return sub(b->v[c->b], wall_velocity_at(w, image, mul_add(b->x[c->b], -b->radius[c->b], c->n)));
}

double observe_overlap_after(const talus_world *world)
{
	double most = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		most = fmax(most, -(world->contacts.contact[i].gap + world->state.def.step*dot(world->contacts.contact[i].n, parting(world, i))));
	return most/(2*bodies_mean_radius(&world->state.bodies, world->state.team));
}
