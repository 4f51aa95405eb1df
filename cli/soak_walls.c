// SPDX-License-Identifier: MIT
// Grains and walls, worked out apart from src/state/wall.c. A contact with a wall keeps a grain on one side of a plane through the point
// where the wall is nearest. From that follows how deep it may be after the step, but for what the wall bends or turns meanwhile.
#include "soak.h"

#include "state/bodies.h"
#include "state/cell.h"

#include <stdlib.h>

// ---------------------------------------------------------------- shapes

// A point in the frame of a round wall: along its axis, and how far from it.
typedef struct polar {
	double along, off;
} polar;

static polar polar_of(vec3 origin, vec3 axis, vec3 x)
{
	vec3 d = sub(x, origin), across = cross(axis, d);
	return (polar){dot(d, axis), norm(across)};
}

// Distance of (x, y) from the straight line between two points.
static double segment_distance(double x, double y, double x0, double y0, double x1, double y1)
{
	double dx = x1 - x0, dy = y1 - y0, s = ((x - x0)*dx + (y - y0)*dy)/(dx*dx + dy*dy);
	s = s < 0 ? 0 : s > 1 ? 1 : s;
	return hypot(x - x0 - s*dx, y - y0 - s*dy);
}

static double slope_of(const wall *w)
{
	return tan(w->def.angle*M_PI/180);
}

double soak_wall_distance(const wall *w, int dimension, vec3 x)
{
	(void)dimension;
	switch (w->def.kind) {
	case TALUS_WALL_PLANE: {
		if (!w->def.has_hole)
			return dot(sub(x, w->point), w->axis);
		polar at = polar_of(w->hole_at, w->axis, x);
		return at.off >= w->def.hole_radius ? fabs(at.along) : hypot(at.along, w->def.hole_radius - at.off);
	}
	case TALUS_WALL_CYLINDER: {
		polar at = polar_of(w->point, w->axis, x);
		return w->def.inside ? w->def.radius - at.off : at.off - w->def.radius;
	}
	case TALUS_WALL_CONE: {
		polar at = polar_of(w->point, w->axis, x);
		double slope = slope_of(w);
		return segment_distance(at.along, at.off, w->def.from, slope*w->def.from, w->def.last, slope*w->def.last);
	}
	case TALUS_WALL_SEGMENT:
		return segment_distance(x.x, x.y, w->point.x, w->point.y, w->to.x, w->to.y);
	}
	return INFINITY;
}

static int sign(double a)
{
	return a < 0 ? -1 : 1;
}

int soak_wall_side(const wall *w, int dimension, vec3 x)
{
	(void)dimension;
	if (w->def.has_hole) {
		polar at = polar_of(w->hole_at, w->axis, x);
		return at.off > w->def.hole_radius ? sign(at.along) : 0;
	}
	if (w->def.kind == TALUS_WALL_CONE) {
		polar at = polar_of(w->point, w->axis, x);
		double slope = slope_of(w), foot = (at.along + slope*at.off)/(1 + slope*slope);
		return foot > w->def.from && foot < w->def.last ? sign(slope*at.along - at.off) : 0;
	}
	if (w->def.kind == TALUS_WALL_SEGMENT) {
		vec3 line = sub(w->to, w->point), d = sub(x, w->point);
		double s = dot(d, line)/dot(line, line);
		return s > 0 && s < 1 ? sign(line.x*d.y - line.y*d.x) : 0;
	}
	return 0;
}

static bool is_thin(const wall *w)
{
	return w->def.has_hole || w->def.kind == TALUS_WALL_CONE || w->def.kind == TALUS_WALL_SEGMENT;
}

// How far an image of a grain is from a wall that ends somewhere; a plate with a hole has one in every image.
static double image_distance(const wall *w, int dimension, vec3 x)
{
	return w->def.has_hole ? polar_of(w->hole_at, w->axis, x).off : soak_wall_distance(w, dimension, x);
}

// The image of the grain that is nearest to the wall.
static vec3 nearest_image(const talus_world *world, const wall *w, vec3 x)
{
	const cell *c = &world->state.cell;
	vec3 best = x;
	double least = image_distance(w, world->state.def.dimension, x);
	bool finite = is_thin(w) || (w->def.kind == TALUS_WALL_CYLINDER && !w->def.inside);
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
	return w->def.kind == TALUS_WALL_SEGMENT ? mul(0.5, add(w->point, w->to)) : w->point;
}

static void look_at_contacts(encounter *e)
{
	double dt = e->world->state.def.step;
	vec3 move = sub(e->x1, e->x0), pivot = pivot_of(e->before);
	e->gap = e->later = INFINITY;
	for (size_t i = 0; i < e->world->contacts.count; i++) {
		const contact_info *info = &e->world->contacts.info[i];
		const talus_contact *c = &e->world->contacts.contact[i];
		if (info->wall != (uint32_t)e->number || e->world->state.bodies.id[c->b] != e->id)
			continue;
		vec3 arm = sub(mul_add(e->x0, -e->r, c->n), pivot);
		vec3 turned = mul(e->before->def.spin, cross(e->before->axis, arm));
		double later = info->gap + dot(c->n, mul_add(move, -dt, add(e->after->v, turned)));
		e->rows++;
		e->gap = fmin(e->gap, info->gap);
		e->later = fmin(e->later, later);
	}
}

// What a contact does not see: inside of something round, going round it brings the wall nearer.
static double bend(const encounter *e)
{
	const wall *w = e->before;
	bool hole = w->def.has_hole, round = hole || w->def.kind == TALUS_WALL_CONE || (w->def.kind == TALUS_WALL_CYLINDER && w->def.inside);
	if (!round)
		return 0;
	vec3 centre = hole ? w->hole_at : w->point, aside = cross(w->axis, sub(e->x0, centre)), way = e->way;
	if (hole) // which goes round with its plate
		way = sub(way, sub(turn(sub(centre, w->point), w->axis, w->def.spin*e->world->state.def.step), sub(centre, w->point)));
	double length = norm(aside);
	if (length < 1e-9*e->r)
		return norm(way);
	aside = mul(1/length, aside);
	double s = dot(way, aside), off = fmax(0, fmin(length, length + dot(way, cross(aside, w->axis))));
	return hypot(off, s) - off;
}

// And it may turn.
static double turning(const encounter *e)
{
	const wall *w = e->before;
	double angle = fabs(w->def.spin)*e->world->state.def.step, arm = 0;
	if (w->def.kind == TALUS_WALL_SEGMENT)
		arm = 0.5*norm(sub(w->to, w->point)) + e->r;
	else if (w->def.has_hole)
		arm = norm(sub(w->hole_at, w->point)) + w->def.hole_radius;
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
	if (is_thin(e->before) && before > -0.5*e->r && held && crosses(e))
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
