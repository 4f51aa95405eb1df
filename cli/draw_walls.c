// SPDX-License-Identifier: MIT
// Walls of 2D scenes: lines, hatched on the side where no grain can be; and the edges of the periodic cell.
#include "draw_picture.h"

typedef struct hatching {
	const picture *p;
	double since; // pixels since the last stroke
} hatching;

static const rgb wall_color = {0.25, 0.27, 0.30};
static const rgb hatch_color = {0.55, 0.57, 0.60};

// Strokes along a to b (pixels), leaning, on the side to which `out` points.
static void hatch(hatching *h, vec3 a, vec3 b, vec3 out)
{
	const double gap = 9*h->p->unit, reach = 9*h->p->unit;
	double length = norm(sub(b, a));
	if (!(length > 0))
		return;
	vec3 along = mul(1/length, sub(b, a));
	double s = gap - h->since;
	for (; s < length; s += gap) {
		vec3 foot = mul_add(a, s, along), tip = add(foot, mul(reach, sub(mul(0.75, out), mul(0.66, along))));
		cairo_move_to(h->p->cairo, foot.x, foot.y);
		cairo_line_to(h->p->cairo, tip.x, tip.y);
	}
	h->since = length - (s - gap);
	rgb_set(h->p->cairo, hatch_color, 1);
	cairo_set_line_width(h->p->cairo, 0.9*h->p->unit);
	cairo_stroke(h->p->cairo);
}

static void ink(const picture *p, double width)
{
	rgb_set(p->cairo, wall_color, 1);
	cairo_set_line_width(p->cairo, width*p->unit);
	cairo_set_line_cap(p->cairo, CAIRO_LINE_CAP_ROUND);
}

static void straight(const picture *p, vec3 a, vec3 b, double width)
{
	vec3 from = camera_see(&p->camera, a), to = camera_see(&p->camera, b);
	ink(p, width);
	cairo_move_to(p->cairo, from.x, from.y);
	cairo_line_to(p->cairo, to.x, to.y);
	cairo_stroke(p->cairo);
}

static vec3 seen_direction(const picture *p, vec3 n)
{
	return vec(dot(n, p->camera.right), -dot(n, p->camera.up), 0);
}

// The edge of the cell along a direction in which it is periodic, else 0.
static double period_along(const frame *f, vec3 t)
{
	for (int k = 0; k < 2; k++)
		if (f->periodic[k] && fabs(component(t, k)) > 0.5)
			return f->cell[k][k];
	return 0;
}

static void plane_line(const picture *p, const talus_wall_def *w, const limits *l)
{
	vec3 n = unit(w->axis), t = cross(vec(0, 0, 1), n), middle = region_middle(&p->region);
	double far = 4*region_diagonal(&p->region);
	vec3 foot = mul_add(w->point, dot(sub(middle, w->point), t), t);
	vec3 a = mul_add(foot, -far, t), b = mul_add(foot, far, t);
	if (!w->has_hole) {
		if (!line_clip(&a, &b, l))
			return;
		hatching h = {p, 4*p->unit};
		hatch(&h, camera_see(&p->camera, a), camera_see(&p->camera, b), seen_direction(p, neg(n)));
		straight(p, a, b, 1.8);
		return;
	}
	vec3 slit = mul_add(w->point, dot(sub(w->hole_at, w->point), t), t);
	vec3 c = mul_add(slit, -w->hole_radius, t), d = mul_add(slit, w->hole_radius, t);
	double period = period_along(p->frame, t);
	if (period > 0) { // up to the next slits
		a = mul_add(d, -period, t);
		b = mul_add(c, period, t);
	}
	if (line_clip(&a, &c, l))
		straight(p, a, c, 3);
	if (line_clip(&d, &b, l))
		straight(p, d, b, 3);
}

// A circle, cut where other walls cut it.
static void circle(const picture *p, const talus_wall_def *w, const limits *l)
{
	enum { PIECES = 240 };
	hatching h = {p, 0};
	for (int i = 0; i < PIECES; i++) {
		double phi = 2*M_PI*i/PIECES, next = 2*M_PI*(i + 1)/PIECES;
		vec3 out = vec(cos(phi), sin(phi), 0), a = mul_add(w->point, w->radius, out);
		vec3 b = mul_add(w->point, w->radius, vec(cos(next), sin(next), 0));
		if (!line_clip(&a, &b, l))
			continue;
		vec3 solid = seen_direction(p, w->inside ? out : neg(out));
		hatch(&h, camera_see(&p->camera, a), camera_see(&p->camera, b), solid);
		straight(p, a, b, 1.8);
	}
}

static void wedge(const picture *p, const talus_wall_def *w)
{
	vec3 axis = unit(w->axis), side = cross(vec(0, 0, 1), axis);
	double slope = tan(w->angle*M_PI/180);
	for (int sign = -1; sign <= 1; sign += 2) {
		vec3 along = mul_add(axis, sign*slope, side);
		straight(p, mul_add(w->point, w->from, along), mul_add(w->point, w->last, along), 3);
	}
}

static void segment(const picture *p, const talus_wall_def *w, const limits *l)
{
	vec3 a = w->point, b = w->to;
	bool around = p->frame->periodic[0] || p->frame->periodic[1]; // then it ends at the edge of the cell
	if (!around || line_clip(&a, &b, l))
		straight(p, a, b, 3);
}

static void cell_lines(const picture *p)
{
	const frame *f = p->frame;
	vec3 corner[8];
	frame_corners(f, &p->region, corner);
	const double dash[] = {6*p->unit, 4*p->unit};
	cairo_set_dash(p->cairo, dash, 2, 0);
	for (int k = 0; k < 2; k++) { // the two sides across direction k
		int along = 1 - k;
		if (!f->periodic[k])
			continue;
		straight(p, corner[0], corner[1 << along], 1.2);
		straight(p, corner[1 << k], corner[1 << k | 1 << along], 1.2);
	}
	cairo_set_dash(p->cairo, NULL, 0, 0);
}

void draw_walls(const picture *p)
{
	const frame *f = p->frame;
	cell_lines(p);
	for (int i = 0; i < f->walls && p->options->walls; i++) {
		const talus_wall_def *w = &f->wall[i].def;
		limits l = limits_make(f, &p->region, i);
		if (w->kind == TALUS_WALL_PLANE)
			plane_line(p, w, &l);
		else if (w->kind == TALUS_WALL_CYLINDER)
			circle(p, w, &l);
		else if (w->kind == TALUS_WALL_CONE)
			wedge(p, w);
		else
			segment(p, w, &l);
		limits_free(&l);
	}
}
