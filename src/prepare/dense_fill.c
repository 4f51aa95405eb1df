// SPDX-License-Identifier: MIT
// A dense packing is put into a world. If it gets a periodic cell for itself, the cell becomes that of the
// packing and its contacts are there as if a step had just found their forces. Else it is a layer that is
// periodic across (with the cell where it spans that, otherwise with a period that leaves all grains inside),
// cut open at one height and put on the low end.
#include "method/contact_dynamics.h"
#include "prepare/dense.h"

#include "base/error.h"
#include "base/random.h"
#include "state/cell.h"
#include "collide/collide.h"
#include "prepare/place.h"
#include "observe/observe.h"
#include "arrive/region.h"
#include "state/shape.h"

#include <string.h>

static bool spans(const talus_world *world, const talus_fill_def *def, int k)
{
	return isinf(region_width(&def->in, &world->state.cell, k));
}

static bool is_whole(const talus_world *world, const talus_fill_def *def)
{
	bool whole = world->state.bodies.count == 0 && world->state.walls.count == 0;
	for (int k = 0; k < world->state.def.dimension; k++)
		whole &= spans(world, def, k);
	return whole;
}

static dense_options wish_of(const talus_world *world, const talus_fill_def *def, const double *radius)
{
	const talus_pair *law = &world->state.pair[def->material*world->state.materials + def->material];
	dense_options w = {.dimension = world->state.def.dimension,
		.count = def->count,
		.radius = radius,
		.pressure = def->pressure > 0 ? def->pressure : 1,
		.friction = def->friction < 0 ? law->friction : def->friction,
		.layer = !is_whole(world, def),
		.threads = talus_world_threads(world),
		.seed = random_stream(world->state.def.seed, RANDOM_FILL, world->state.bodies.next_id, 2)};
	for (int k = 0; k < w.dimension; k++) {
		double across =
			spans(world, def, k) ? world->state.cell.h[k][k] : region_width(&def->in, &world->state.cell, k) - 2*radius[0];
		set_component(&w.size, k, across);
	}
	return w;
}

// ---------------------------------------------------------------- a cell for itself

static void take_cell(talus_world *world, const dense_packing *p)
{
	for (int k = 0; k < world->state.def.dimension; k++) {
		world->state.cell.h[k][k] = component(p->size, k);
		set_component(&world->state.def.cell.size, k, component(p->size, k));
	}
	memcpy(world->state.cell.listed, world->state.cell.h, sizeof world->state.cell.h);
	cell_update(&world->state.cell);
}

// Grain i has just become body i, with the id first + i.
static void take_contacts(talus_world *world, const dense_packing *p, uint32_t first, double friction)
{
	contacts *c = &world->contacts;
	contacts_reserve(c, p->contacts);
	for (size_t i = 0; i < p->contacts; i++) {
		const dense_contact *from = &p->contact[i];
		c->contact[i] = (talus_contact){.a = from->a, .b = from->b, .n = from->n, .gap = from->gap,
		                                .key = contacts_key(first + from->a, first + from->b, false), .wall = NO_WALL};
		c->p[i] = mul(world->state.def.step, from->force);
	}
	c->count = c->class_end[TALUS_COULOMB] = c->class_end[TALUS_EXTENDED] = p->contacts;
	rows_reserve(&contact_dynamics_of(world)->rows, c);
	for (size_t i = 0; i < p->contacts; i++)
		contact_dynamics_of(world)->rows.row[i] = (talus_row){.mu = friction};
	bearing_count(&world->bearing, &world->state, &world->contacts);
}

static void put_whole(talus_world *world, const talus_fill_def *def, const dense_options *w, const dense_packing *p)
{
	uint32_t first = world->state.bodies.next_id;
	take_cell(world, p);
	for (int i = 0; i < w->count; i++)
		place_put(world, def, add(world->state.cell.origin, p->x[i]), w->radius[i]);
	if (!def->fixed)
		take_contacts(world, p, first, w->friction);
}

void dense_fill_sorted(talus_world *world)
{
	const bodies *b = &world->state.bodies;
	if (world->contacts.count == 0)
		return;
	uint32_t *row = memory_grow(NULL, 0, ((size_t)b->next_id + 1)*sizeof *row);
	for (uint32_t i = 0; i < b->count; i++)
		row[b->id[i]] = i;
	for (size_t i = 0; i < world->contacts.count; i++) {
		talus_contact *c = &world->contacts.contact[i];
		c->a = row[contacts_body_a(c->key)];
		c->b = row[contacts_body_b(c->key)];
	}
	memory_free(row);
	bearing_count(&world->bearing, &world->state, &world->contacts);
}

// ---------------------------------------------------------------- a layer

static bool put_layer(
	talus_world *world, const talus_fill_def *def, const dense_options *w, dense_packing *p, talus_error *error)
{
	int last = w->dimension - 1;
	double low = INFINITY, high = -INFINITY, room = component(def->in.box.high, last) - component(def->in.box.low, last);
	for (int i = 0; i < w->count; i++) {
		low = fmin(low, component(p->x[i], last) - w->radius[i]);
		high = fmax(high, component(p->x[i], last) + w->radius[i]);
	}
	if (high - low > room)
		return error_set(error, "the dense packing is %.4g high, but the region only %.4g", high - low, room);
	for (int i = 0; i < w->count; i++)
		for (int k = 0; k < w->dimension; k++) {
			double start = k == last ? -low : spans(world, def, k) ? 0 : w->radius[0];
			double from = k != last && spans(world, def, k) ? component(world->state.cell.origin, k)
									: component(def->in.box.low, k);
			set_component(&p->x[i], k, component(p->x[i], k) + from + start);
		}
	int blocked = place_blocked(world, p->x, w->radius, w->count);
	if (blocked > 0)
		return error_set(error, "%d of the %d grains of the dense packing overlap walls or grains that are there",
			blocked, w->count);
	for (int i = 0; i < w->count; i++)
		place_put(world, def, p->x[i], w->radius[i]);
	return true;
}

// ---------------------------------------------------------------- both

static bool holds(const dense_options *w, const talus_fill_def *def, talus_error *error)
{
	double room = 1, solid = 0;
	for (int k = 0; k < w->dimension; k++)
		room *= component(def->in.box.high, k) - component(def->in.box.low, k);
	for (int i = 0; i < w->count; i++)
		solid += shape_volume(w->dimension, w->radius[i]);
	return solid <= room ||
	       error_set(error, "%d grains are more than the region can hold: together they are larger than it", w->count);
}

bool dense_fill_check(const talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error)
{
	if (def->in.kind != TALUS_REGION_BOX)
		return error_set(error, "a dense packing fills a box, not a sphere or a cylinder");
	dense_options w = wish_of(world, def, radius);
	return dense_check(&w, error) && (!w.layer || holds(&w, def, error));
}

bool dense_fill(talus_world *world, const talus_fill_def *def, const double *radius, talus_error *error)
{
	dense_packing p;
	dense_options w = wish_of(world, def, radius);
	if (!dense_prepare(&w, &p, error))
		return false;
	bool done = true;
	if (w.layer)
		done = put_layer(world, def, &w, &p, error);
	else
		put_whole(world, def, &w, &p);
	dense_free(&p);
	return done;
}
