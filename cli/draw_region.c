// SPDX-License-Identifier: MIT
// Finds the box around the grains and the walls near them. Walls may be infinite and grains may have flown
// away, and neither may shrink the rest to a dot.
#include "draw_region.h"

#include "base/memory.h"
#include "state/wall/outline.h"
#include "state/wall/shapes.h"

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
		const wall_shape *shape = wall_shape_of((int)d->kind);
		double reach = shape->ground ? shape->ground(d) : 0;
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
		wall_shape_of((int)f->wall[w].def.kind)->bounds(&f->wall[w].def, &r.box, r.extent);
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

vec3 frame_period(const frame *f)
{
	return vec(f->periodic[0] ? f->cell[0][0] : 0, f->periodic[1] ? f->cell[1][1] : 0, f->periodic[2] ? f->cell[2][2] : 0);
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
