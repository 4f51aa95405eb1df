// SPDX-License-Identifier: MIT
// Grains and walls, worked out apart from src/state/ (soak_shapes.h). A contact with a wall keeps a grain on one side of a plane through the point
// where the wall is nearest. From that follows how deep it may be after the step, but for what the wall bends or turns meanwhile.
#include "soak.h"
#include "soak_shapes.h"

#include "state/bodies.h"
#include "state/cell.h"

#include <stdlib.h>

// ---------------------------------------------------------------- where they are

double soak_wall_distance(const wall *w, int dimension, vec3 x)
{
	(void)dimension;
	const soak_shape *shape = soak_shape_of(w);
	return shape ? shape->distance(w, x) : INFINITY;
}

int soak_wall_side(const wall *w, int dimension, vec3 x)
{
	(void)dimension;
	const soak_shape *shape = soak_shape_of(w);
	return shape && shape->side ? shape->side(w, x) : 0;
}

// How far an image of a grain is from a wall that ends somewhere.
static double image_distance(const wall *w, int dimension, vec3 x)
{
	const soak_shape *shape = soak_shape_of(w);
	return shape && shape->apart ? shape->apart(w, x) : soak_wall_distance(w, dimension, x);
}

// The image of the grain that is nearest to the wall.
static vec3 nearest_image(const talus_world *world, const wall *w, vec3 x)
{
	const cell *c = &world->state.cell;
	vec3 best = x;
	double least = image_distance(w, world->state.def.dimension, x);
	const soak_shape *shape = soak_shape_of(w);
	bool finite = shape && shape->ends && shape->ends(w);
	for (int k = 0; k < 27 && finite && cell_any(c); k++) {
		double distance = image_distance(w, world->state.def.dimension, add(x, c->shift[k]));
		if (soak_is_image(c, k) && distance < least) {
			least = distance;
			best = add(x, c->shift[k]);
		}
	}
	return best;
}

// ---------------------------------------------------------------- a grain and a wall, in a step

typedef struct encounter {
	const talus_world *world;
	const wall *before, *after;
	uint32_t id;
	int number; // of the wall
	double r;
	vec3 x0, x1; // of the image near the wall, before and after
	vec3 way;    // of the grain relative to the wall, which does not turn
	int rows;
	double gap, later; // the least of its contacts: before, and as their normals tell for the end
} encounter;

static vec3 pivot_of(const wall *w)
{
	const soak_shape *shape = soak_shape_of(w);
	return shape && shape->pivot ? shape->pivot(w) : w->point;
}

static void look_at_contacts(encounter *e)
{
	double dt = e->world->state.def.step;
	vec3 move = sub(e->x1, e->x0), pivot = pivot_of(e->before);
	e->gap = e->later = INFINITY;
	for (size_t i = 0; i < e->world->contacts.count; i++) {
		const talus_contact *c = &e->world->contacts.contact[i];
		if (c->wall != (uint32_t)e->number || e->world->state.bodies.id[c->b] != e->id)
			continue;
		vec3 arm = sub(mul_add(e->x0, -e->r, c->n), pivot);
		vec3 turned = mul(e->before->def.spin, cross(e->before->axis, arm));
		double later = c->gap + dot(c->n, mul_add(move, -dt, add(e->after->v, turned)));
		e->rows++;
		e->gap = fmin(e->gap, c->gap);
		e->later = fmin(e->later, later);
	}
}

// What a contact does not see: the wall may bend towards the grain.
static double bend(const encounter *e)
{
	const soak_shape *shape = soak_shape_of(e->before);
	soak_way w = {e->before, e->x0, e->way, e->r, e->before->def.spin*e->world->state.def.step};
	return shape && shape->bend ? shape->bend(&w) : 0;
}

// And it may turn.
static double turning(const encounter *e)
{
	const soak_shape *shape = soak_shape_of(e->before);
	double angle = fabs(e->before->def.spin)*e->world->state.def.step;
	double arm = shape && shape->arm ? shape->arm(e->before, e->r) : 0;
	return arm > 0 ? angle*(norm(e->way) + angle*arm) : 0;
}

// The way of the centre in the frame of the wall, in small pieces.
static bool crosses(const encounter *e)
{
	enum { PIECES = 32 };
	const wall *w = e->before;
	int last = 0, d = e->world->state.def.dimension;
	double angle = w->def.spin*e->world->state.def.step;
	vec3 from = pivot_of(w), to = mul_add(from, e->world->state.def.step, e->after->v);
	vec3 end = add(from, turn(sub(e->x1, to), w->axis, -angle));
	for (int k = 0; k <= PIECES; k++) {
		int side = soak_wall_side(w, d, mul_add(e->x0, (double)k/PIECES, sub(end, e->x0)));
		if (last*side < 0)
			return true;
		last = side;
	}
	return false;
}

static void check_depth(soak_watch *watch, const encounter *e)
{
	int d = e->world->state.def.dimension;
	unsigned long long step = e->world->state.step;
	vec3 end = nearest_image(e->world, e->after, e->x1);
	double before = soak_wall_distance(e->before, d, e->x0) - e->r, after = soak_wall_distance(e->after, d, end) - e->r;
	double rest = 1e-9*(e->r + norm(e->x0) + norm(pivot_of(e->before)));
	double reported = 2*bodies_mean_radius(&e->world->state.bodies, NULL)*e->world->report.max_overlap;
	bool finished = e->world->report.unfinished_all == watch->unfinished;
	if (e->rows && fabs(e->gap - before) > rest)
		soak_found(watch->report, SOAK_CONTACT, "step %llu: the gap of grain %u and wall %s is %.6g, not %.6g", step, e->id,
		           e->before->def.name, before, e->gap);
	if (e->rows && before < -reported*(1 + 1e-9) - rest)
		soak_found(watch->report, SOAK_HIDDEN, "step %llu: grain %u is %.6g deep in wall %s, but the largest reported is %.6g", step,
		           e->id, -before, e->before->def.name, reported);
	if (!e->rows && after < -rest && finished)
		soak_found(watch->report, SOAK_MISSED, "step %llu: grain %u is %.3g of its radius deep in wall %s and has no contact", step,
		           e->id, -after/e->r, e->before->def.name);
	double deepest = fmax(0, -e->later) + bend(e) + turning(e);
	if (e->rows && -after > deepest + rest && finished)
		soak_found(watch->report, SOAK_WALL, "step %llu: grain %u is %.3g of its radius deep in wall %s, its contacts tell %.3g", step,
		           e->id, -after/e->r, e->before->def.name, deepest/e->r);
	// a contact is a plane: on a way of more than a diameter something round leaves it far behind
	bool held = e->rows ? e->later > -0.5*e->r && norm(e->way) < 2*e->r : finished;
	if (before > -0.5*e->r && held && crosses(e))
		soak_found(watch->report, SOAK_TUNNEL, "step %llu: grain %u has passed through wall %s", step, e->id, e->before->def.name);
}

// Grains that cannot be pushed in all directions may go where walls are.
static bool is_free(const talus_world *world, size_t i)
{
	unsigned all = TALUS_FREE_X | TALUS_FREE_Y | (world->state.def.dimension == 3 ? TALUS_FREE_Z : 0u);
	return (world->state.bodies.free[i] & all) == all;
}

static void meet(soak_watch *watch, const talus_world *world, size_t i, int number)
{
	const bodies *b = &world->state.bodies;
	encounter e = {.world = world, .before = &watch->wall[number], .after = &world->state.walls.at[number], .id = b->id[i],
	               .number = number, .r = b->radius[i]};
	e.x0 = nearest_image(world, e.before, watch->x[e.id]);
	e.x1 = add(e.x0, cell_nearest(&world->state.cell, sub(b->x[i], e.x0)));
	e.way = mul_add(sub(e.x1, e.x0), -world->state.def.step, e.after->v);
	double reach = norm(e.way) + fabs(e.before->def.spin)*world->state.def.step*norm(sub(e.x0, pivot_of(e.before))) + e.r;
	if (soak_wall_distance(e.before, world->state.def.dimension, e.x0) > 2*reach)
		return;
	look_at_contacts(&e);
	check_depth(watch, &e);
}

void soak_check_walls(soak_watch *watch, const talus_world *world)
{
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		uint32_t id = world->state.bodies.id[i];
		for (int k = 0; k < watch->walls && id < watch->ids && watch->there[id] && is_free(world, i); k++)
			meet(watch, world, i, k);
	}
}
