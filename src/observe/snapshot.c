// SPDX-License-Identifier: MIT
#include "observe/snapshot.h"

#include "base/memory.h"
#include "state/cell.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *data, size_t bytes)
{
	return memcpy(memory_grow(NULL, 0, bytes + 1), data, bytes);
}

// ---------------------------------------------------------------- grains

static int key_compare(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return x < y ? -1 : x > y;
}

// Rows sorted by id: the upper half of a key is the id, the lower half the row.
static uint64_t *rows_by_id(const bodies *b)
{
	uint64_t *key = memory_grow(NULL, 0, b->count*sizeof *key + 1);
	for (size_t i = 0; i < b->count; i++)
		key[i] = (uint64_t)b->id[i] << 32 | i;
	qsort(key, b->count, sizeof *key, key_compare);
	return key;
}

static void *column_take(const bodies *b, const body_column *c, const uint64_t *key)
{
	size_t bytes = body_column_bytes(c);
	const char *rows = body_column_rows(b, c);
	char *sorted = memory_grow(NULL, 0, b->count*bytes + 1);
	for (size_t i = 0; i < b->count; i++)
		memcpy(sorted + i*bytes, rows + (key[i] & UINT32_MAX)*bytes, bytes);
	return sorted;
}

static void *column_at(const snapshot *s, size_t offset)
{
	for (int c = 0; c < BODY_COLUMNS; c++)
		if (body_columns[c].offset == offset)
			return s->grain[c];
	return NULL;
}

// Grains are put back into the cell when a pair list is made; here all are inside.
static void wrap_all(const talus_snapshot *shown, const cell *around, vec3 *x, int32_t (*image)[3])
{
	for (size_t i = 0; i < shown->grains; i++)
		x[i] = cell_wrap(around, x[i], image[i]);
}

static void take_grains(snapshot *s, const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	talus_snapshot *shown = &s->shown;
	uint64_t *key = rows_by_id(b);
	for (int c = 0; c < BODY_COLUMNS; c++)
		if (body_columns[c].frame || body_columns[c].offset == offsetof(bodies, mass))
			s->grain[c] = column_take(b, &body_columns[c], key);
	memory_free(key);
	shown->grains = b->count;
	shown->id = column_at(s, offsetof(bodies, id));
	shown->x = column_at(s, offsetof(bodies, x));
	shown->v = column_at(s, offsetof(bodies, v));
	shown->spin = column_at(s, offsetof(bodies, spin));
	shown->orientation = column_at(s, offsetof(bodies, q));
	shown->image = column_at(s, offsetof(bodies, image));
	shown->radius = column_at(s, offsetof(bodies, radius));
	shown->mass = column_at(s, offsetof(bodies, mass));
	shown->material = column_at(s, offsetof(bodies, material));
	wrap_all(shown, &world->state.cell, column_at(s, offsetof(bodies, x)), column_at(s, offsetof(bodies, image)));
}

// ---------------------------------------------------------------- contacts

static bool vanishes(vec3 a)
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

// Whether it pushes, pulls or only holds; a bond counts even where it carries nothing at the moment.
static bool contact_counts(const talus_contact_state *c)
{
	return c->bonded || !vanishes(c->force) || !vanishes(c->torque);
}

static void take_contacts(talus_snapshot *shown, const talus_world *world)
{
	size_t count = 0, all = talus_world_contacts(world);
	for (size_t i = 0; i < all; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		count += contact_counts(&c);
	}
	talus_contact_state *contact = memory_grow(NULL, 0, count*sizeof *contact + 1);
	for (size_t i = 0, k = 0; i < all; i++) {
		talus_contact_state c = talus_world_contact(world, i);
		if (contact_counts(&c))
			contact[k++] = c;
	}
	shown->contacts = count;
	shown->contact = contact;
}

// ---------------------------------------------------------------- walls, the cell

static void take_walls(talus_snapshot *shown, const walls *all)
{
	talus_snapshot_wall *taken = memory_grow(NULL, 0, (size_t)all->count*sizeof *taken + 1);
	for (int i = 0; i < all->count; i++) {
		const wall *w = &all->at[i];
		taken[i] = (talus_snapshot_wall){.def = w->def, .velocity = w->v, .force = w->force, .torque = w->torque};
		taken[i].def.point = w->point;
		taken[i].def.to = w->to;
		taken[i].def.axis = w->axis;
		taken[i].def.hole_at = w->hole_at;
	}
	shown->walls = all->count;
	shown->wall = taken;
}

// Along open directions of a cell that is periodic elsewhere: twice the extent of the grains. Readers that take every
// direction for a periodic one then find no neighbour on the other side.
static double open_edge(const talus_world *world, int k)
{
	const bodies *b = &world->state.bodies;
	double low = INFINITY, high = -INFINITY;
	for (size_t i = 0; i < b->count; i++) {
		low = fmin(low, component(b->x[i], k) - b->radius[i]);
		high = fmax(high, component(b->x[i], k) + b->radius[i]);
	}
	return b->count ? 2*(high - low) : 1;
}

static void take_cell(talus_snapshot *shown, const talus_world *world)
{
	const cell *around = &world->state.cell;
	double edge[3][3];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			edge[i][k] = around->h[k][i];
	for (int k = 0; k < 3; k++)
		if (!around->periodic[k])
			edge[k][k] = open_edge(world, k);
	for (int i = 0; i < 3; i++)
		shown->edge[i] = vec(edge[i][0], edge[i][1], edge[i][2]);
	memcpy(shown->periodic, around->periodic, sizeof shown->periodic);
	shown->origin = around->origin;
}

// ---------------------------------------------------------------- observables

static size_t found_bytes(const observable *o)
{
	size_t count = o->shape == TALUS_SYMMETRIC ? 9 : observable_count(o);
	return count*(o->type == OBSERVABLE_INT ? sizeof(int) : sizeof(double));
}

static void take_observables(snapshot *s, observations *seen)
{
	s->list = observables_in(OBSERVABLE_FRAMES, s->shown.dimension);
	talus_snapshot_number *number = memory_grow(NULL, 0, (size_t)s->list.count*sizeof *number + 1);
	for (int i = 0; i < s->list.count; i++) {
		const observable *o = s->list.at[i];
		double *value = memory_grow(NULL, 0, observable_count(o)*sizeof *value);
		observable_values(o, seen, value);
		s->found[i] = copy_of(observable_found(o, seen), found_bytes(o));
		number[i] = (talus_snapshot_number){.name = o->name, .count = observable_count(o), .value = value};
	}
	s->shown.observables = (size_t)s->list.count;
	s->shown.observable = number;
}

const void *snapshot_found(const snapshot *s, const observable *o)
{
	for (int i = 0; i < s->list.count; i++)
		if (s->list.at[i] == o)
			return s->found[i];
	return NULL;
}

// ---------------------------------------------------------------- all of it

snapshot *snapshot_take(observations *seen, unsigned what)
{
	const talus_world *world = seen->world;
	snapshot *s = calloc(1, sizeof *s);
	if (!s)
		memory_lost();
	s->shown.step = world->state.step;
	s->shown.time = world->state.time;
	s->shown.dimension = world->state.def.dimension;
	take_cell(&s->shown, world);
	take_grains(s, world);
	take_walls(&s->shown, &world->state.walls);
	if (what & TALUS_SNAPSHOT_CONTACTS)
		take_contacts(&s->shown, world);
	if (what & TALUS_SNAPSHOT_OBSERVABLES)
		take_observables(s, seen);
	return s;
}

void snapshot_free(snapshot *s)
{
	if (!s)
		return;
	for (int c = 0; c < BODY_COLUMNS; c++)
		memory_free(s->grain[c]);
	for (int i = 0; i < s->list.count; i++) {
		memory_free((void *)s->shown.observable[i].value);
		memory_free(s->found[i]);
	}
	memory_free((void *)s->shown.observable);
	memory_free((void *)s->shown.contact);
	memory_free((void *)s->shown.wall);
	free(s);
}

const talus_snapshot *talus_snapshot_create(const talus_world *world, unsigned what)
{
	observations seen = observations_of(world);
	snapshot *s = snapshot_take(&seen, what);
	observations_free(&seen);
	return &s->shown;
}

void talus_snapshot_destroy(const talus_snapshot *shown)
{
	snapshot_free((snapshot *)shown); // its first member
}
