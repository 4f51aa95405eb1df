// SPDX-License-Identifier: MIT
// Finds the box around the grains and the walls near them. Walls may be infinite and grains may have flown
// away, and neither may shrink the rest to a dot.
#include "draw_region.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// Ends of one coordinate; a few grains far outside do not count.
static void usual_range(const frame *f, int axis, double *low, double *high)
{
	size_t n = f->grains;
	double *sorted = memory_grow(NULL, 0, n*sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		sorted[i] = f->x[i][axis];
	qsort(sorted, n, sizeof *sorted, by_value);
	size_t cut = n/100;
	double inner = sorted[n - 1 - cut] - sorted[cut];
	if (n < 50 || sorted[n - 1] - sorted[0] < 3*inner)
		cut = 0;
	*low = sorted[cut];
	*high = sorted[n - 1 - cut];
	memory_free(sorted);
}

static void box_include(talus_box *box, vec3 at)
{
	for (int k = 0; k < 3; k++) {
		set_component(&box->low, k, fmin(component(box->low, k), component(at, k)));
		set_component(&box->high, k, fmax(component(box->high, k), component(at, k)));
	}
}

static talus_box box_of_grains(const frame *f, double mean_radius)
{
	talus_box box = {vec(0, 0, 0), vec(0, 0, 0)};
	for (int k = 0; k < f->dimension && f->grains > 0; k++) {
		double low, high;
		usual_range(f, k, &low, &high);
		set_component(&box.low, k, low - mean_radius);
		set_component(&box.high, k, high + mean_radius);
	}
	return box;
}

// Grows the box as far as a plane that lies a little below it (seen along its normal).
static void reach_plane(talus_box *box, const talus_wall_def *w, double reach)
{
	vec3 n = unit(w->axis);
	double least = INFINITY;
	for (int i = 0; i < 8; i++) {
		vec3 corner = vec(i & 1 ? box->high.x : box->low.x, i & 2 ? box->high.y : box->low.y,
		                  i & 4 ? box->high.z : box->low.z);
		least = fmin(least, dot(n, sub(corner, w->point)));
	}
	if (least <= 0 || least > reach)
		return;
	for (int k = 0; k < 3; k++) {
		double share = component(n, k);
		if (share > 0.1)
			set_component(&box->low, k, component(box->low, k) - least*share);
		if (share < -0.1)
			set_component(&box->high, k, component(box->high, k) - least*share);
	}
}

// A disk of this radius about an axis, both ends of each coordinate.
static void include_disk(talus_box *box, vec3 at, vec3 axis, double radius)
{
	for (int k = 0; k < 3; k++) {
		double c = component(axis, k), half = radius*sqrt(fmax(0, 1 - c*c));
		vec3 step = vec(k == 0 ? half : 0, k == 1 ? half : 0, k == 2 ? half : 0);
		box_include(box, add(at, step));
		box_include(box, sub(at, step));
	}
}

static void reach_round(talus_box *box, const talus_wall_def *w, double reach)
{
	vec3 axis = unit(w->axis), middle = mul(0.5, add(box->low, box->high));
	if (w->kind == TALUS_WALL_CYLINDER && w->radius < reach) {
		include_disk(box, mul_add(w->point, dot(sub(middle, w->point), axis), axis), axis, w->radius);
	} else if (w->kind == TALUS_WALL_CONE && w->last < 2*reach) {
		double slope = tan(w->angle*M_PI/180);
		include_disk(box, mul_add(w->point, w->from, axis), axis, w->from*slope);
		include_disk(box, mul_add(w->point, w->last, axis), axis, w->last*slope);
	}
}

static void reach_wall(talus_box *box, const talus_wall_def *w, double extent)
{
	vec3 middle = mul(0.5, add(box->low, box->high));
	if (w->kind == TALUS_WALL_PLANE) {
		reach_plane(box, w, 0.4*extent);
		if (w->has_hole && norm(sub(w->hole_at, middle)) < 1.5*extent)
			include_disk(box, w->hole_at, unit(w->axis), 1.5*w->hole_radius);
	} else if (w->kind == TALUS_WALL_SEGMENT) {
		if (norm(sub(w->point, middle)) < 2*extent && norm(sub(w->to, middle)) < 2*extent) {
			box_include(box, w->point);
			box_include(box, w->to);
		}
	} else {
		reach_round(box, w, 2*extent);
	}
}

static double longest_edge(const talus_box *box)
{
	vec3 size = sub(box->high, box->low);
	return fmax(size.x, fmax(size.y, size.z));
}

vec3 region_middle(const region *r)
{
	return mul(0.5, add(r->box.low, r->box.high));
}

double region_diagonal(const region *r)
{
	return norm(sub(r->box.high, r->box.low));
}

// On an open floor the part that is shown is round: that looks like ground, a rectangle may look like a wall.
static double round_limit(const frame *f, const region *r, double margin)
{
	bool open = f->dimension == 3 && !f->periodic[0] && !f->periodic[1] && !f->periodic[2];
	for (int w = 0; w < f->walls; w++)
		open &= fabs(unit(f->wall[w].def.axis).z) > 0.95;
	if (!open)
		return 0;
	vec3 middle = region_middle(r);
	double most = 0;
	for (size_t i = 0; i < f->grains; i++) {
		vec3 at = vec(f->x[i][0], f->x[i][1], f->x[i][2]);
		if (region_has(r, at, 0))
			most = fmax(most, hypot(at.x - middle.x, at.y - middle.y) + f->radius[i]);
	}
	for (int w = 0; w < f->walls; w++) {
		const talus_wall_def *d = &f->wall[w].def;
		double reach = d->kind == TALUS_WALL_CYLINDER ? d->radius
		             : d->kind == TALUS_WALL_CONE     ? d->last*tan(d->angle*M_PI/180)
		             : d->has_hole                    ? 1.5*d->hole_radius
		                                              : 0;
		if (reach < 2*r->extent)
			most = fmax(most, hypot(d->point.x - middle.x, d->point.y - middle.y)*(reach > 0) + reach);
	}
	return most + 1.5*margin;
}

region region_of(const frame *f, bool walls)
{
	region r = {.mean_radius = 1};
	double sum = 0;
	for (size_t i = 0; i < f->grains; i++)
		sum += f->radius[i];
	if (f->grains > 0)
		r.mean_radius = sum/(double)f->grains;
	r.box = box_of_grains(f, r.mean_radius);
	for (size_t i = 0; i < f->grains; i++) { // large grains stick out
		double R = f->radius[i];
		vec3 at = vec(f->x[i][0], f->x[i][1], f->x[i][2]), out = vec(R, R, R);
		if (R > r.mean_radius && region_has(&r, at, 0)) {
			box_include(&r.box, add(at, out));
			box_include(&r.box, sub(at, out));
		}
	}
	r.extent = fmax(longest_edge(&r.box), 2*r.mean_radius);
	for (int w = 0; w < f->walls && walls; w++)
		reach_wall(&r.box, &f->wall[w].def, r.extent);
	double margin = fmax(0.06*r.extent, fmin(r.mean_radius, 0.15*r.extent));
	r.box.low = sub(r.box.low, vec(margin, margin, margin));
	r.box.high = add(r.box.high, vec(margin, margin, margin));
	r.round = round_limit(f, &r, margin);
	if (f->dimension == 2) {
		r.box.low.z = -1;
		r.box.high.z = 1;
	}
	return r;
}

bool region_has(const region *r, vec3 at, double radius)
{
	for (int k = 0; k < 3; k++) {
		double x = component(at, k);
		if (x + radius < component(r->box.low, k) || x - radius > component(r->box.high, k))
			return false;
	}
	return true;
}

void frame_corners(const frame *f, const region *r, vec3 corner[8])
{
	vec3 start = r->box.low, edge[3];
	for (int k = 0; k < 3; k++) {
		edge[k] = vec(0, 0, 0);
		set_component(&edge[k], k, component(r->box.high, k) - component(r->box.low, k));
		if (!f->periodic[k])
			continue;
		edge[k] = vec(f->cell[0][k], f->cell[1][k], f->cell[2][k]);
		set_component(&start, k, f->origin[k]);
	}
	if (f->dimension == 2) {
		start.z = 0;
		edge[2] = vec(0, 0, 0);
	}
	for (int i = 0; i < 8; i++) {
		corner[i] = start;
		for (int k = 0; k < 3; k++)
			if (i >> k & 1)
				corner[i] = add(corner[i], edge[k]);
	}
}
