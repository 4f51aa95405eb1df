// SPDX-License-Identifier: MIT
// Colour maps, and the quantity of each grain that they show.
#include "draw_color.h"

#include "base/memory.h"
#include "base/vec.h"
#include "draw_ids.h"

#include <stdlib.h>
#include <string.h>

rgb rgb_mix(rgb a, rgb b, double t)
{
	return (rgb){a.r + t*(b.r - a.r), a.g + t*(b.g - a.g), a.b + t*(b.b - a.b)};
}

void rgb_set(cairo_t *cairo, rgb c, double alpha)
{
	cairo_set_source_rgba(cairo, c.r, c.g, c.b, alpha);
}

// Eleven points of viridis (van der Walt and Smith), straight lines between.
rgb color_map(double t)
{
	static const rgb point[] = {
		{0.267, 0.005, 0.329}, {0.283, 0.141, 0.458}, {0.254, 0.265, 0.530}, {0.207, 0.372, 0.553},
		{0.164, 0.471, 0.558}, {0.128, 0.567, 0.551}, {0.135, 0.659, 0.518}, {0.267, 0.749, 0.441},
		{0.478, 0.821, 0.318}, {0.741, 0.873, 0.150}, {0.993, 0.906, 0.144},
	};
	const int last = (int)(sizeof point/sizeof *point) - 1;
	double s = fmin(fmax(t, 0), 1)*last;
	int i = (int)s < last ? (int)s : last - 1;
	return rgb_mix(point[i], point[i + 1], s - i);
}

rgb color_kind(size_t k)
{
	static const rgb kind[] = {
		{0.87, 0.74, 0.53}, {0.34, 0.61, 0.80}, {0.83, 0.47, 0.30}, {0.30, 0.62, 0.50},
		{0.79, 0.55, 0.70}, {0.93, 0.85, 0.45}, {0.25, 0.40, 0.60}, {0.60, 0.60, 0.60},
	};
	return kind[k%(sizeof kind/sizeof *kind)];
}

// Mean normal stress of each grain: sum of r f_n over its contacts, over dimension times volume.
static void grain_pressures(const frame *f, double *p)
{
	id_table *ids = ids_make(f);
	memset(p, 0, f->grains*sizeof *p);
	for (size_t c = 0; c < f->contacts; c++) {
		double fn = f->force[c][0]*f->n[c][0] + f->force[c][1]*f->n[c][1] + f->force[c][2]*f->n[c][2];
		for (int side = 0; side < 2; side++) {
			size_t i = ids_row(ids, f->body[c][side]);
			if (i != NO_ROW)
				p[i] += fn*f->radius[i];
		}
	}
	for (size_t i = 0; i < f->grains; i++) {
		double r = f->radius[i], volume = f->dimension == 2 ? M_PI*r*r : 4*M_PI/3*r*r*r;
		p[i] /= f->dimension*volume;
	}
	ids_free(ids);
}

static void grain_values(const frame *f, draw_color color, double *value)
{
	if (color == DRAW_COLOR_PRESSURE) {
		grain_pressures(f, value);
		return;
	}
	for (size_t i = 0; i < f->grains; i++)
		value[i] = color == DRAW_COLOR_RADIUS ? f->radius[i] : norm(vec(f->v[i][0], f->v[i][1], f->v[i][2]));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

// The bar goes over all values, but a few wild ones at the top may not rob the others of their colours.
static void choose_range(palette *p, const double *value, size_t count, bool from_zero)
{
	p->high = 1;
	if (count == 0)
		return;
	double *sorted = memory_grow(NULL, 0, count*sizeof *sorted);
	memcpy(sorted, value, count*sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_value);
	double most = sorted[count - 1], usual = sorted[(count - 1)*49/50];
	p->low = from_zero ? fmin(0, sorted[0]) : sorted[0];
	p->beyond = from_zero && usual > 0 && most > 3*usual;
	p->high = p->beyond ? usual : most;
	if (!(p->high - p->low > 1e-12*fabs(p->high)))
		p->high = p->low + (p->low != 0 ? 1e-3*fabs(p->low) : 1);
	memory_free(sorted);
}

static draw_color settle(const frame *f, draw_color color)
{
	if (color != DRAW_COLOR_AUTO)
		return color;
	for (size_t i = 1; i < f->grains; i++)
		if (f->material[i] != f->material[0])
			return DRAW_COLOR_MATERIAL;
	return DRAW_COLOR_PLAIN;
}

palette palette_make(const frame *f, draw_color wanted)
{
	draw_color color = settle(f, wanted);
	palette p = {.grain = memory_grow(NULL, 0, (f->grains + 1)*sizeof *p.grain)};
	if (color == DRAW_COLOR_PLAIN || color == DRAW_COLOR_ID || color == DRAW_COLOR_MATERIAL) {
		for (size_t i = 0; i < f->grains; i++)
			p.grain[i] = color_kind(color == DRAW_COLOR_PLAIN ? 0 :
			                        color == DRAW_COLOR_ID ? f->id[i] : (size_t)f->material[i]);
		return p;
	}
	p.bar = true;
	p.label = color == DRAW_COLOR_RADIUS ? "radius" : color == DRAW_COLOR_SPEED ? "speed" : "pressure";
	double *value = memory_grow(NULL, 0, (f->grains + 1)*sizeof *value);
	grain_values(f, color, value);
	choose_range(&p, value, f->grains, color != DRAW_COLOR_RADIUS);
	for (size_t i = 0; i < f->grains; i++)
		p.grain[i] = color_map((value[i] - p.low)/(p.high - p.low));
	memory_free(value);
	return p;
}

void palette_free(palette *p)
{
	memory_free(p->grain);
	p->grain = NULL;
}
