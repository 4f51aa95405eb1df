// SPDX-License-Identifier: MIT
// Who touches whom: contacts that carry a force, grains that carry none, overlaps.
#include "observe/observe.h"

#include "body.h"
#include "cell.h"
#include "collide/collide.h"
#include "wall.h"

#include <string.h>

enum { ENOUGH = 4096 }; // contacts that are worth another thread

// ---------------------------------------------------------------- who is held

// Each thread counts for a share of the contacts, in a row of its own; then the rows are added up.
typedef struct tally {
	const talus_world *world;
	parallel *team;
	size_t grains;
	uint8_t *own;  // of the first thread, and the result
	uint8_t *rows; // of the others
} tally;

static void bump(uint8_t *count)
{
	*count = (uint8_t)(*count + (*count < UINT8_MAX));
}

static void count_contacts(const tally *t, uint8_t *count, size_t first, size_t last)
{
	const contacts *all = &t->world->contacts;
	memset(count, 0, t->grains);
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &all->contact[i];
		if (!contacts_active(all, i))
			continue;
		bump(&count[c->b]);
		if (all->info[i].wall == NO_WALL)
			bump(&count[c->a]);
	}
}

static void add_row(uint8_t *sum, const uint8_t *row, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned both = (unsigned)sum[i] + row[i];
		sum[i] = (uint8_t)(both < UINT8_MAX ? both : UINT8_MAX);
	}
}

static void tally_share(void *job, int thread)
{
	const tally *t = job;
	size_t me = (size_t)thread, threads = (size_t)parallel_threads(t->team), contacts_all = t->world->contacts.count;
	uint8_t *count = me ? t->rows + (me - 1)*t->grains : t->own;
	count_contacts(t, count, contacts_all*me/threads, contacts_all*(me + 1)/threads);
	parallel_barrier(t->team);
	size_t first = t->grains*me/threads, last = t->grains*(me + 1)/threads;
	for (size_t k = 0; k + 1 < threads; k++)
		add_row(t->own + first, t->rows + k*t->grains + first, last - first);
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
	if (n == 0)
		return;
	tally t = {.world = world, .grains = n, .own = s->bearing};
	t.team = world->contacts.count >= ENOUGH ? world->team : NULL;
	t.rows = memory_borrow(&s->pool, n*(size_t)(parallel_threads(t.team) - 1));
	parallel_run(t.team, tally_share, &t);
}

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
	uint8_t least = world->def.dimension == 2 ? 2 : 3;
	for (size_t i = first; i < last; i++) {
		if (!world->bodies.free[i])
			continue;
		uint8_t ends = observe_bearing_of(world, i);
		part->count[MOBILE]++;
		part->count[ENDS] += ends;
		part->count[RATTLERS] += ends < least;
	}
}

structure_state observe_structure(const talus_world *world)
{
	totals of_grains = totals_of(world->team, world->bodies.count, 0, count_ends, (void *)world);
	totals of_contacts = totals_of(world->team, world->contacts.count, 0, count_bearing, (void *)world);
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
		if (all->info[i].wall != NO_WALL)
			continue;
		n->held[all->contact[i].a]++;
		n->start[all->contact[i].a + 2]++;
		n->start[all->contact[i].b + 2]++;
	}
	for (size_t i = 2; i < grains + 2; i++)
		n->start[i] += n->start[i - 1];
	for (size_t i = 0; i < all->count; i++) {
		uint32_t a = all->contact[i].a, b = all->contact[i].b;
		if (all->info[i].wall != NO_WALL || !contacts_active(all, i))
			continue;
		n->neighbour[n->start[a + 1]++] = b;
		n->neighbour[n->start[b + 1]++] = a;
	}
}

// Takes rattlers away until there are none; returns how many that were.
static size_t network_peel(network *n, size_t grains)
{
	const uint8_t *free = n->world->bodies.free;
	uint32_t least = n->world->def.dimension == 2 ? 2 : 3;
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
	size_t grains = world->bodies.count, ends = 0;
	network n = {.world = world};
	network_list(&n, grains);
	network_state s = {.rattlers = network_peel(&n, grains)};
	for (size_t i = 0; i < grains; i++)
		if (world->bodies.free[i] && !n.gone[i]) {
			s.grains++;
			ends += n.held[i];
		}
	s.coordination = s.grains ? (double)ends/(double)s.grains : 0;
	network_free(&n);
	return s;
}

// ---------------------------------------------------------------- overlaps

// With the velocities of the last step, which all have now.
static vec3 parting(const talus_world *world, size_t i)
{
	const talus_contact *c = &world->contacts.contact[i];
	const contact_info *info = &world->contacts.info[i];
	const bodies *b = &world->bodies;
	if (info->wall == NO_WALL) {
		double span = b->radius[c->a] + b->radius[c->b] + info->gap;
		return add(sub(b->v[c->b], b->v[c->a]), cell_apply(world->cell.rate, mul(span, c->n)));
	}
	const wall *w = &world->walls.at[info->wall];
	vec3 image = wall_image_met(world, w, c->b, contacts_wall_image(info->key));
	return sub(b->v[c->b], wall_velocity_at(w, image, mul_add(b->x[c->b], -b->radius[c->b], c->n)));
}

double observe_overlap_after(const talus_world *world)
{
	double most = 0;
	for (size_t i = 0; i < world->contacts.count; i++)
		most = fmax(most, -(world->contacts.info[i].gap + world->def.step*dot(world->contacts.contact[i].n, parting(world, i))));
	return most/(2*bodies_mean_radius(&world->bodies, world->team));
}
