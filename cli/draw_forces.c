// SPDX-License-Identifier: MIT
// The force network: a line along every branch, as wide as its normal force is large. Pushes and pulls differ in colour.
#include "draw_picture.h"

#include "base/memory.h"
#include "draw_ids.h"

#include <stdlib.h>

typedef struct link {
	vec3 from, to; // lengths
	double force;  // normal, negative pulls
	double order;  // painted first where it is smallest
	bool wall;     // ends at a wall
} link;

static double normal_force(const frame *f, size_t c)
{
	return f->force[c][0]*f->n[c][0] + f->force[c][1]*f->n[c][1] + f->force[c][2]*f->n[c][2];
}

bool forces_pull(const frame *f)
{
	double pull = 0, largest = 0;
	for (size_t c = 0; c < f->contacts; c++) {
		double force = normal_force(f, c);
		if (!isfinite(force))
			continue;
		pull = fmax(pull, -force);
		largest = fmax(largest, fabs(force));
	}
	return pull > 3e-4*largest;
}

// Lines start at a grain and follow n, so that a contact through a periodic boundary does not cross the
// picture: it is drawn in two halves, one at either side. Returns the number of lines.
static int link_make(const frame *f, const id_table *ids, size_t c, link out[2])
{
	size_t a = ids_row(ids, f->body[c][0]), b = ids_row(ids, f->body[c][1]);
	vec3 n = vec(f->n[c][0], f->n[c][1], f->n[c][2]);
	double force = normal_force(f, c), gap = f->gap[c];
	if (force == 0 || !isfinite(force) || (a == NO_ROW && b == NO_ROW))
		return 0;
	out[0].force = out[1].force = force;
	out[0].wall = out[1].wall = a == NO_ROW || b == NO_ROW;
	if (out[0].wall) {
		size_t grain = a == NO_ROW ? b : a;
		double length = f->radius[grain] + gap;
		out[0].from = grain_at(f, grain);
		out[0].to = mul_add(out[0].from, a == NO_ROW ? -length : length, n);
		return 1;
	}
	double length = f->radius[a] + f->radius[b] + gap;
	out[0].from = grain_at(f, a);
	out[0].to = mul_add(out[0].from, length, n);
	if (norm(sub(out[0].to, grain_at(f, b))) < 0.5*length)
		return 1;
	out[0].to = mul_add(out[0].from, f->radius[a] + gap/2, n);
	out[1].from = grain_at(f, b);
	out[1].to = mul_add(out[1].from, -(f->radius[b] + gap/2), n);
	return 2;
}

static int by_order(const void *a, const void *b)
{
	const link *x = a, *y = b;
	return (x->order > y->order) - (x->order < y->order);
}

static size_t links_make(const picture *p, link *list)
{
	const frame *f = p->frame;
	id_table *ids = ids_make(f);
	size_t count = 0;
	for (size_t c = 0; c < f->contacts; c++) {
		link made[2];
		int parts = link_make(f, ids, c, made);
		for (int k = 0; k < parts; k++) {
			link *l = &made[k];
			double depth = dot(p->camera.toward, add(l->from, l->to))/2;
			l->order = f->dimension == 2 ? fabs(l->force) : depth;
			if (region_has(&p->region, l->from, 0))
				list[count++] = *l;
		}
	}
	ids_free(ids);
	qsort(list, count, sizeof *list, by_order);
	return count;
}

typedef struct force_scale {
	double full;  // force that gets the widest line
	double width; // of that line, pixels
	double largest;
	bool capped;
} force_scale;

// The largest force gets a line a bit thinner than a grain. One impact far above the mean may not thin out
// all others: it is drawn as wide as twelve times the mean would be, and the legend says so.
static force_scale scale_make(const picture *p, const link *list, size_t count)
{
	force_scale s = {0};
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		s.largest = fmax(s.largest, fabs(list[i].force));
		sum += fabs(list[i].force);
	}
	double twelve = count ? 12*sum/(double)count : 0;
	s.capped = count > 20 && s.largest > 1.5*twelve;
	s.full = s.capped ? twelve : s.largest;
	s.width = (p->frame->dimension == 2 ? 0.8 : 0.5)*2*p->region.mean_radius*p->camera.scale;
	s.width = fmin(s.width, 60*p->unit);
	return s;
}

static void stroke_link(const picture *p, const link *l, double width, rgb color)
{
	vec3 a = camera_see(&p->camera, l->from), b = camera_see(&p->camera, l->to);
	rgb_set(p->cairo, color, 1);
	cairo_set_line_width(p->cairo, width);
	// round ends join at a grain, but may not stick out of a wall
	bool flat = l->wall && p->frame->dimension == 2;
	cairo_set_line_cap(p->cairo, flat ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
	cairo_move_to(p->cairo, a.x, a.y);
	cairo_line_to(p->cairo, b.x, b.y);
	cairo_stroke(p->cairo);
}

void draw_forces(const picture *p)
{
	link *list = memory_grow(NULL, 0, (2*p->frame->contacts + 1)*sizeof *list);
	size_t count = links_make(p, list);
	force_scale s = scale_make(p, list, count);
	double near = count ? list[count - 1].order : 0, far = count ? list[0].order : 0;
	cairo_save(p->cairo);
	cairo_rectangle(p->cairo, p->x, p->y, p->w, p->h);
	cairo_clip(p->cairo);
	for (size_t i = 0; i < count; i++) {
		double share = fmin(fabs(list[i].force)/s.full, 1), width = share*s.width;
		rgb color = list[i].force > 0 ? force_push : force_pull;
		if (width < 0.02*p->unit)
			continue;
		if (p->frame->dimension == 3) { // what is farther away is paler, and passes visibly behind
			double depth = near > far ? (near - list[i].order)/(near - far) : 0;
			color = rgb_mix(color, (rgb){1, 1, 1}, 0.72*depth);
			stroke_link(p, &list[i], width + fmin(1.4*p->unit, 0.5*width), (rgb){1, 1, 1});
			stroke_link(p, &list[i], width, rgb_mix(color, (rgb){0, 0, 0}, 0.18));
			stroke_link(p, &list[i], 0.62*width, rgb_mix(color, (rgb){1, 1, 1}, 0.12)); // round, like a rod
			continue;
		}
		stroke_link(p, &list[i], width, color);
	}
	cairo_restore(p->cairo);
	if (count > 0)
		draw_force_scale(p, s.full/s.width, s.full, s.capped);
	memory_free(list);
}
