// SPDX-License-Identifier: MIT
// Cuts walls where other walls, or the region shown, end them. What is left is what grains can touch.
#include "base/memory.h"
#include "draw_region.h"
#include "state/wall/outline.h"
#include "state/wall/shapes.h"

static void limits_add(limits *l, vec3 point, vec3 normal)
{
	if (l->count == l->capacity) {
		size_t wanted = memory_capacity(l->capacity, l->count + 1);
		l->at = memory_grow(l->at, l->count*sizeof *l->at, wanted*sizeof *l->at);
		l->capacity = wanted;
	}
	l->at[l->count++] = (wall_half_space){point, normal};
}

static void limits_add_all(limits *l, const wall_half_space *list, int count)
{
	for (int i = 0; i < count; i++)
		limits_add(l, list[i].point, list[i].normal);
}

// Walls across a periodic cell end where it ends.
static void limits_add_cell(limits *l, const frame *f)
{
	vec3 edge[3], origin = vec(f->origin[0], f->origin[1], f->origin[2]);
	for (int k = 0; k < 3; k++)
		edge[k] = f->periodic[k] ? vec(f->cell[0][k], f->cell[1][k], f->cell[2][k])
		                         : vec(k == 0, k == 1, k == 2);
	for (int k = 0; k < 3; k++) {
		vec3 n = cross(edge[(k + 1)%3], edge[(k + 2)%3]);
		if (!f->periodic[k] || !(norm(n) > 0))
			continue;
		n = unit(dot(n, edge[k]) > 0 ? n : neg(n));
		limits_add(l, origin, n);
		limits_add(l, add(origin, edge[k]), neg(n));
	}
}

limits limits_make(const frame *f, const region *r, int except)
{
	limits l = {0};
	wall_half_space list[WALL_ROUND];
	for (int k = r->round > 0 ? 2 : 0; k < 3; k++) {
		vec3 n = vec(k == 0, k == 1, k == 2);
		limits_add(&l, r->box.low, n);
		limits_add(&l, r->box.high, neg(n));
	}
	if (r->round > 0)
		limits_add_all(&l, list, outline_tube(list, region_middle(r), vec(0, 0, 1), r->round));
	limits_add_cell(&l, f);
	for (int i = 0; i < f->walls; i++) {
		const talus_wall_def *w = &f->wall[i].def;
		const wall_shape *shape = wall_shape_of((int)w->kind);
		if (i != except && shape->holds)
			limits_add_all(&l, list, shape->holds(w, list));
	}
	return l;
}

void limits_free(limits *l)
{
	memory_free(l->at);
}

static void clip_once(polygon *p, const wall_half_space *h)
{
	static const double edge_share = 1e-12;
	polygon out = {0};
	for (int i = 0; i < p->count && out.count + 2 <= POLYGON_MOST; i++) {
		vec3 a = p->at[i], b = p->at[(i + 1)%p->count];
		double da = dot(sub(a, h->point), h->normal), db = dot(sub(b, h->point), h->normal);
		if (da >= 0)
			out.at[out.count++] = a;
		if ((da > 0 && db < 0) || (da < 0 && db > 0))
			if (fabs(da - db) > edge_share*norm(sub(a, b)))
				out.at[out.count++] = mul_add(a, da/(da - db), sub(b, a));
	}
	*p = out;
}

void polygon_clip(polygon *p, const limits *l)
{
	for (size_t i = 0; i < l->count && p->count > 0; i++)
		clip_once(p, &l->at[i]);
}

bool line_clip(vec3 *a, vec3 *b, const limits *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const wall_half_space *h = &l->at[i];
		double da = dot(sub(*a, h->point), h->normal), db = dot(sub(*b, h->point), h->normal);
		if (da < 0 && db < 0)
			return false;
		if (da < 0)
			*a = mul_add(*a, da/(da - db), sub(*b, *a));
		else if (db < 0)
			*b = mul_add(*b, db/(db - da), sub(*a, *b));
	}
	return true;
}
