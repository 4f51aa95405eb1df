// SPDX-License-Identifier: MIT
// Walls of 2D scenes: lines, hatched on the side where no grain can be; and the edges of the periodic cell.
#include "draw_picture.h"

#include "state/wall/shapes.h"

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

// ---------------------------------------------------------------- pieces of outlines (wall_pen)

typedef struct page {
	const picture *p;
	const limits *l;
	hatching h; // goes on from piece to piece
} page;

static void put_edge(void *to, vec3 a, vec3 b, vec3 solid)
{
	page *on = to;
	const picture *p = on->p;
	if (!line_clip(&a, &b, on->l))
		return;
	hatch(&on->h, camera_see(&p->camera, a), camera_see(&p->camera, b), seen_direction(p, solid));
	straight(p, a, b, 1.8);
}

static void put_bar(void *to, vec3 a, vec3 b, bool cut)
{
	page *on = to;
	if (!cut || line_clip(&a, &b, on->l))
		straight(on->p, a, b, 3);
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
		const wall_shape *shape = wall_shape_of((int)w->kind);
		limits l = limits_make(f, &p->region, i);
		page on = {p, &l, {p, shape->flat ? 4*p->unit : 0}};
		wall_pen pen = {.middle = region_middle(&p->region), .diagonal = region_diagonal(&p->region), .page = &on,
		                .period = frame_period(f), .edge = put_edge, .bar = put_bar};
		if (shape->dimension != 3)
			shape->outline(w, 2, &pen);
		limits_free(&l);
	}
}
