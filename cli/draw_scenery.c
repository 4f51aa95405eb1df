// SPDX-License-Identifier: MIT
// Makes faces and lines of walls. Only faces that lie behind what they hold are filled, so that nothing
// covers the view; of the others the edges are left.
#include "draw_scenery.h"

#include "base/memory.h"
#include "state/wall/shapes.h"

enum { SHORT = 24 }; // pieces of a rod's length

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

// ---------------------------------------------------------------- pieces of outlines (wall_pen)

typedef struct page {
	scenery *s;
	const limits *l;
	vec3 toward; // the eye
} page;

static polygon put_edges(page *on, const vec3 corner[4])
{
	polygon p = {4, {corner[0], corner[1], corner[2], corner[3]}};
	polygon_clip(&p, on->l);
	put_ring(on->s, &p);
	return p;
}

static void put_sheet(void *to, vec3 normal, const vec3 corner[4])
{
	page *on = to;
	polygon p = put_edges(on, corner);
	if (dot(normal, on->toward) > 0.02)
		put_face(on->s, FACE_BACK, normal, p.at, p.count);
}

// Sectors around the hole, each of them convex.
static void put_plate(void *to, vec3 normal, const vec3 corner[4], vec3 centre, const vec3 *rim, double far)
{
	page *on = to;
	put_edges(on, corner);
	put_line(on->s, false, rim, WALL_ROUND + 1);
	for (int i = 0; i < WALL_ROUND; i++) {
		polygon p = {4, {rim[i], rim[i + 1], mul_add(centre, far, sub(rim[i + 1], centre)),
		                 mul_add(centre, far, sub(rim[i], centre))}};
		polygon_clip(&p, on->l);
		put_face(on->s, FACE_PLATE, dot(normal, on->toward) > 0 ? normal : neg(normal), p.at, p.count);
	}
}

static void put_strip(void *to, bool inside, const vec3 *from_a, const vec3 *from_b, const vec3 *outward)
{
	page *on = to;
	vec3 a[WALL_ROUND + 1], b[WALL_ROUND + 1];
	bool there[WALL_ROUND + 1];
	for (int i = 0; i <= WALL_ROUND; i++) {
		a[i] = from_a[i];
		b[i] = from_b[i];
		there[i] = line_clip(&a[i], &b[i], on->l);
	}
	for (int i = 0; i < WALL_ROUND; i++) {
		if (!there[i] || !there[i + 1])
			continue;
		put_line(on->s, false, (vec3[]){a[i], a[i + 1]}, 2);
		put_line(on->s, false, (vec3[]){b[i], b[i + 1]}, 2);
		double now = dot(outward[i], on->toward), next = dot(outward[i + 1], on->toward);
		if ((now < 0) != (next < 0)) // the outline
			put_line(on->s, false, (vec3[]){a[i], b[i]}, 2);
		double sum = now + next;
		vec3 side = unit(add(outward[i], outward[i + 1]));
		if (inside && sum < 0)
			put_face(on->s, FACE_BACK, neg(side), (vec3[]){a[i], a[i + 1], b[i + 1], b[i]}, 4);
		for (int k = 0; k < SHORT && !inside && sum > 0; k++) { // short ones, that can be sorted by depth
			double from = (double)k/SHORT, end = (k + 1.0)/SHORT;
			vec3 along = sub(b[i], a[i]), beside = sub(b[i + 1], a[i + 1]);
			vec3 at[4] = {mul_add(a[i], from, along), mul_add(a[i + 1], from, beside),
			              mul_add(a[i + 1], end, beside), mul_add(a[i], end, along)};
			put_face(on->s, FACE_SOLID, side, at, 4);
		}
	}
}

// The line between two points of a surface, if it is seen from aside there: on one side of it the surface faces the eye. It stands
// a little before the patches beside it, which would cover half of it.
static void put_turn(page *on, vec3 a, vec3 b, double left, double right)
{
	vec3 before = mul(norm(sub(b, a)), on->toward);
	if ((left < 0) != (right < 0) && line_clip(&a, &b, on->l))
		put_line(on->s, false, (vec3[]){add(a, before), add(b, before)}, 2);
}

// How much the patch that begins at (i, j) faces the eye. The last row and column stand for the first ones.
static double patch_faces(const page *on, int rows, int columns, const vec3 *outward, int i, int j)
{
	i %= rows - 1;
	j %= columns - 1;
	const vec3 *n = &outward[i*columns + j];
	return dot(add(add(n[0], n[1]), add(n[columns], n[columns + 1])), on->toward);
}

static void put_skin(void *to, bool inside, int rows, int columns, const vec3 *at, const vec3 *outward)
{
	page *on = to;
	for (int i = 0; i + 1 < rows; i++)
		for (int j = 0; j + 1 < columns; j++) {
			const vec3 *x = &at[i*columns + j], *n = &outward[i*columns + j];
			double faces = patch_faces(on, rows, columns, outward, i, j);
			put_turn(on, x[columns], x[columns + 1], faces, patch_faces(on, rows, columns, outward, i + 1, j));
			put_turn(on, x[1], x[columns + 1], faces, patch_faces(on, rows, columns, outward, i, j + 1));
			if (inside ? faces >= 0 : faces <= 0)
				continue;
			polygon p = {4, {x[0], x[1], x[columns + 1], x[columns]}};
			vec3 side = unit(add(add(n[0], n[1]), add(n[columns], n[columns + 1])));
			polygon_clip(&p, on->l);
			put_face(on->s, inside ? FACE_BACK : FACE_SOLID, inside ? neg(side) : side, p.at, p.count);
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
		page on = {&s, &l, c->toward};
		wall_pen pen = {.middle = region_middle(r), .diagonal = region_diagonal(r), .period = frame_period(f), .page = &on,
		                .sheet = put_sheet, .plate = put_plate, .strip = put_strip, .skin = put_skin};
		const wall_shape *shape = wall_shape_of((int)w->kind);
		if (shape->dimension != 2)
			shape->outline(w, 3, &pen);
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
