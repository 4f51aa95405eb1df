// SPDX-License-Identifier: MIT
// Makes faces and lines of walls. Only faces that lie behind what they hold are filled, so that nothing
// covers the view; of the others the edges are left.
#include "draw_scenery.h"

#include "base/memory.h"

enum { ROUND = 96, SHORT = 24 }; // sides of a circle, pieces of a rod's length

#define GROW(array, count, capacity, more)                                                               \
	do {                                                                                                 \
		if ((count) + (more) > (capacity)) {                                                             \
			size_t wanted_ = memory_capacity((capacity), (count) + (more));                              \
			(array) = memory_grow((array), (count)*sizeof *(array), wanted_*sizeof *(array));            \
			(capacity) = wanted_;                                                                        \
		}                                                                                                \
	} while (0)

static size_t put_points(scenery *s, const vec3 *at, size_t count)
{
	GROW(s->point, s->points, s->point_capacity, count);
	for (size_t i = 0; i < count; i++)
		s->point[s->points + i] = at[i];
	s->points += count;
	return s->points - count;
}

static void put_face(scenery *s, face_kind kind, vec3 normal, const vec3 *at, int count)
{
	if (count < 3)
		return;
	GROW(s->face, s->faces, s->face_capacity, 1);
	s->face[s->faces++] = (face){kind, normal, put_points(s, at, (size_t)count), count};
}

static void put_line(scenery *s, bool cell, const vec3 *at, size_t count)
{
	if (count < 2)
		return;
	GROW(s->line, s->lines, s->line_capacity, 1);
	s->line[s->lines++] = (line){cell, put_points(s, at, count), count};
}

static void put_ring(scenery *s, const polygon *p)
{
	put_line(s, false, p->at, (size_t)p->count);
	if (p->count >= 3)
		put_line(s, false, (vec3[]){p->at[p->count - 1], p->at[0]}, 2);
}

// A square of the plane, larger than the region.
static polygon plane_sheet(const talus_wall_def *w, const region *r)
{
	vec3 n = unit(w->axis), u = any_tangent(n), v = cross(n, u), middle = region_middle(r);
	middle = mul_add(middle, dot(sub(w->point, middle), n), n);
	double half = 2*region_diagonal(r);
	polygon p = {.count = 4};
	for (int i = 0; i < 4; i++)
		p.at[i] = add(middle, add(mul(i == 0 || i == 3 ? -half : half, u), mul(i < 2 ? -half : half, v)));
	return p;
}

static void plane_wall(scenery *s, const talus_wall_def *w, const region *r, const limits *l, const camera *c)
{
	polygon p = plane_sheet(w, r);
	polygon_clip(&p, l);
	put_ring(s, &p);
	vec3 n = unit(w->axis);
	if (dot(n, c->toward) > 0.02)
		put_face(s, FACE_BACK, n, p.at, p.count);
}

// A plate with a round hole: sectors around the hole, each of them convex.
static void plate_wall(scenery *s, const talus_wall_def *w, const region *r, const limits *l, const camera *c)
{
	polygon whole = plane_sheet(w, r);
	polygon_clip(&whole, l);
	put_ring(s, &whole);
	vec3 n = unit(w->axis), u = any_tangent(n), v = cross(n, u), rim[ROUND + 1];
	vec3 centre = mul_add(w->hole_at, dot(sub(w->point, w->hole_at), n), n);
	for (int i = 0; i <= ROUND; i++) {
		double phi = 2*M_PI*i/ROUND;
		rim[i] = mul_add(centre, w->hole_radius, add(mul(cos(phi), u), mul(sin(phi), v)));
	}
	put_line(s, false, rim, ROUND + 1);
	double far = 4*region_diagonal(r)/w->hole_radius;
	for (int i = 0; i < ROUND; i++) {
		polygon p = {4, {rim[i], rim[i + 1], mul_add(centre, far, sub(rim[i + 1], centre)),
		                 mul_add(centre, far, sub(rim[i], centre))}};
		polygon_clip(&p, l);
		put_face(s, FACE_PLATE, dot(n, c->toward) > 0 ? n : neg(n), p.at, p.count);
	}
}

// Ends of a straight line of a cylinder or cone, before it is cut, and the outward normal there.
static void generator(const talus_wall_def *w, const region *r, double phi, vec3 *a, vec3 *b, vec3 *outward)
{
	vec3 axis = unit(w->axis), u = any_tangent(axis), v = cross(axis, u);
	vec3 out = add(mul(cos(phi), u), mul(sin(phi), v));
	if (w->kind == TALUS_WALL_CONE) {
		double angle = w->angle*M_PI/180, slope = tan(angle);
		*a = mul_add(w->point, w->from, mul_add(axis, slope, out));
		*b = mul_add(w->point, w->last, mul_add(axis, slope, out));
		*outward = sub(mul(cos(angle), out), mul(sin(angle), axis));
		return;
	}
	vec3 middle = region_middle(r);
	vec3 foot = add(mul_add(w->point, dot(sub(middle, w->point), axis), axis), mul(w->radius, out));
	*a = mul_add(foot, -2*region_diagonal(r), axis);
	*b = mul_add(foot, 2*region_diagonal(r), axis);
	*outward = out;
}

static void round_wall(scenery *s, const talus_wall_def *w, const region *r, const limits *l, const camera *c)
{
	vec3 a[ROUND + 1], b[ROUND + 1], outward[ROUND + 1];
	bool there[ROUND + 1];
	for (int i = 0; i <= ROUND; i++) {
		generator(w, r, 2*M_PI*i/ROUND, &a[i], &b[i], &outward[i]);
		there[i] = line_clip(&a[i], &b[i], l);
	}
	for (int i = 0; i < ROUND; i++) {
		if (!there[i] || !there[i + 1])
			continue;
		put_line(s, false, (vec3[]){a[i], a[i + 1]}, 2);
		put_line(s, false, (vec3[]){b[i], b[i + 1]}, 2);
		double now = dot(outward[i], c->toward), next = dot(outward[i + 1], c->toward);
		if ((now < 0) != (next < 0)) // the outline
			put_line(s, false, (vec3[]){a[i], b[i]}, 2);
		double sum = now + next;
		vec3 side = unit(add(outward[i], outward[i + 1]));
		if (w->inside && sum < 0)
			put_face(s, FACE_BACK, neg(side), (vec3[]){a[i], a[i + 1], b[i + 1], b[i]}, 4);
		for (int k = 0; k < SHORT && !w->inside && sum > 0; k++) { // short ones, that can be sorted by depth
			double from = (double)k/SHORT, to = (k + 1.0)/SHORT;
			vec3 along = sub(b[i], a[i]), beside = sub(b[i + 1], a[i + 1]);
			vec3 at[4] = {mul_add(a[i], from, along), mul_add(a[i + 1], from, beside),
			              mul_add(a[i + 1], to, beside), mul_add(a[i], to, along)};
			put_face(s, FACE_SOLID, side, at, 4);
		}
	}
}

static void cell_edges(scenery *s, const frame *f, const region *r)
{
	vec3 corner[8];
	frame_corners(f, r, corner);
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < 3; k++)
			if (!(i >> k & 1))
				put_line(s, true, (vec3[]){corner[i], corner[i | 1 << k]}, 2);
}

scenery scenery_make(const frame *f, const region *r, const camera *c, bool walls)
{
	scenery s = {0};
	for (int i = 0; i < f->walls && walls; i++) {
		const talus_wall_def *w = &f->wall[i].def;
		limits l = limits_make(f, r, i);
		if (w->kind == TALUS_WALL_PLANE && w->has_hole)
			plate_wall(&s, w, r, &l, c);
		else if (w->kind == TALUS_WALL_PLANE)
			plane_wall(&s, w, r, &l, c);
		else if (w->kind == TALUS_WALL_CYLINDER || w->kind == TALUS_WALL_CONE)
			round_wall(&s, w, r, &l, c);
		limits_free(&l);
	}
	// with one periodic direction the walls end where the cell does, and show it
	if (f->periodic[0] + f->periodic[1] + f->periodic[2] > (s.faces > 0))
		cell_edges(&s, f, r);
	return s;
}

void scenery_free(scenery *s)
{
	memory_free(s->point);
	memory_free(s->face);
	memory_free(s->line);
}
