// SPDX-License-Identifier: MIT
// Light on spheres and walls: a soft lamp from the upper left with cast shadows, light of the sky, and less
// of it in the crevices (ambient obscurance from the depth buffer, after McGuire, Mara & Luebke 2012).
#include "draw_picture.h"

#include "base/memory.h"

#include <string.h>

enum { CREVICE_TAPS = 16, SHADOW_TAPS = 5, PHASES = 4, SHADOW_MAP = 2048 };

typedef struct taps { // a spiral over the unit disk; the samples of a pixel take turns with four of them
	float x[PHASES][CREVICE_TAPS], y[PHASES][CREVICE_TAPS];
} taps;

typedef struct light {
	const picture *p;
	const raster *r;  // what the eye sees
	const camera *c;
	camera lamp;
	raster shadow;    // what the lamp sees
	double soft;      // size of the half shadow, samples of the shadow map
	double reach;     // of crevices, samples of the view
	double near, far; // depth range
	taps crevice, penumbra;
} light;

static void lamp_make(light *l)
{
	const frame *f = l->p->frame;
	const camera *c = l->c;
	vec3 to = unit(add(add(mul(-0.38, c->right), mul(0.70, c->up)), mul(0.80, c->toward)));
	l->lamp = (camera){.toward = to, .right = unit(cross(c->up, to)), .scale = 1};
	l->lamp.up = cross(to, l->lamp.right);
	bounds b = bounds_empty();
	for (size_t i = 0; i < f->grains; i++)
		if (region_has(&l->p->region, grain_at(f, i), f->radius[i]))
			bounds_add(&b, &l->lamp, grain_at(f, i), f->radius[i]);
	l->shadow = raster_make(SHADOW_MAP, SHADOW_MAP);
	if (!(b.left < b.right))
		return;
	camera_fit(&l->lamp, &b, 2, 2, SHADOW_MAP - 4, SHADOW_MAP - 4);
	for (size_t i = 0; i < f->grains; i++)
		raster_sphere(&l->shadow, camera_see(&l->lamp, grain_at(f, i)), f->radius[i]*l->lamp.scale, 0);
	l->soft = fmin(0.3*l->p->region.mean_radius*l->lamp.scale, 40);
}

static void depth_range(light *l)
{
	size_t samples = (size_t)l->r->width*(size_t)l->r->height;
	l->near = -INFINITY;
	l->far = INFINITY;
	for (size_t i = 0; i < samples; i++) {
		if (l->r->owner[i] < 0)
			continue;
		l->near = fmax(l->near, l->r->depth[i]);
		l->far = fmin(l->far, l->r->depth[i]);
	}
}

static taps taps_make(int n)
{
	const double golden = M_PI*(3 - sqrt(5));
	taps t = {0};
	for (int phase = 0; phase < PHASES; phase++)
		for (int k = 0; k < n; k++) {
			int i = k*PHASES + phase;
			double distance = sqrt((i + 0.5)/(n*PHASES));
			t.x[phase][k] = (float)(distance*cos(golden*i));
			t.y[phase][k] = (float)(distance*sin(golden*i));
		}
	return t;
}

// Share of the sky that neighbours leave open. `n` is the normal as the eye sees it: right, up, towards.
static double sky(const light *l, int x, int y, vec3 n, int phase)
{
	const raster *r = l->r;
	const float *tx = l->crevice.x[phase], *ty = l->crevice.y[phase], reach = (float)l->reach;
	double here = r->depth[raster_at(r, x, y)], closed = 0;
	for (int k = 0; k < CREVICE_TAPS; k++) {
		int sx = x + (int)lrintf(tx[k]*reach), sy = y + (int)lrintf(ty[k]*reach);
		if (sx < 0 || sy < 0 || sx >= r->width || sy >= r->height || (sx == x && sy == y))
			continue;
		vec3 v = vec(sx - x, y - sy, r->depth[raster_at(r, sx, sy)] - here);
		double rise = dot(n, v), square = dot(v, v), share = square/(4*l->reach*l->reach);
		if (rise > 0 && share < 1)
			closed += fmax(0, rise/sqrt(square) - 0.06)*(1 - share);
	}
	return fmax(0, 1 - 3.0*closed/CREVICE_TAPS);
}

// Share of the lamp that arrives at a point.
static double lamp_share(const light *l, vec3 at, vec3 normal, int phase)
{
	vec3 seen = camera_see(&l->lamp, mul_add(at, 0.08*l->p->region.mean_radius, normal));
	int open = 0;
	for (int k = 0; k < SHADOW_TAPS; k++) {
		double dx = l->penumbra.x[phase][k], dy = l->penumbra.y[phase][k];
		vec3 near = vec(seen.x + dx*l->soft, seen.y + dy*l->soft, seen.z);
		open += !raster_hides(&l->shadow, near, 1 + 0.6*l->soft);
	}
	return (double)open/SHADOW_TAPS;
}

static rgb surface_color(const light *l, int32_t owner)
{
	const picture *p = l->p;
	if (owner < 0)
		return (rgb){0.90, 0.91, 0.92};
	double pale = !p->options->forces ? 0 : p->options->color == DRAW_COLOR_AUTO ? 0.82 : 0.6;
	return rgb_mix(p->palette.grain[owner], (rgb){1, 1, 1}, pale);
}

static rgb shade(const light *l, int x, int y, int phase)
{
	const raster *r = l->r;
	const camera *c = l->c;
	size_t i = raster_at(r, x, y);
	int32_t owner = r->owner[i];
	vec3 at = add(add(mul((x + 0.5 - c->x)/c->scale, c->right), mul((c->y - y - 0.5)/c->scale, c->up)),
	              mul(r->depth[i]/c->scale, c->toward));
	vec3 n = owner >= 0 ? mul(1/l->p->frame->radius[owner], sub(at, grain_at(l->p->frame, (size_t)owner)))
	                    : l->p->scenery.face[-2 - owner].normal;
	vec3 seen = vec(dot(n, c->right), dot(n, c->up), dot(n, c->toward));
	double facing = fmax(0, dot(n, l->lamp.toward));
	double lamp = facing > 0 ? facing*lamp_share(l, at, n, phase) : 0;
	double open = sky(l, x, y, seen, phase);
	double ambient = (0.62 + 0.16*n.z)*(0.15 + 0.85*open);
	rgb base = surface_color(l, owner);
	if (owner < 0) { // walls stay bright: shadows lie on them, but the slope matters only for rods
		bool rod = l->p->scenery.face[-2 - owner].kind == FACE_SOLID;
		double bright = 0.78 + 0.22*(0.4*open + 0.6*(rod ? lamp : lamp_share(l, at, n, phase)));
		return (rgb){fmin(1, base.r*bright*1.05), fmin(1, base.g*bright*1.05), fmin(1, base.b*bright*1.05)};
	}
	// less light and shade where lines lie over it, or colours are to be read
	double flat = l->p->options->forces ? 0.7 : l->p->palette.bar ? 0.25 : 0;
	double bright = (1 - flat)*(ambient + 0.52*lamp) + flat;
	double rim = seen.z < 0.35 && flat < 0.5 ? 0.72 + 0.28*seen.z/0.35 : 1; // dark towards the outline
	rgb out = {base.r*bright*rim, base.g*bright*rim, base.b*bright*rim};
	double haze = l->near > l->far ? 0.10*(l->near - r->depth[i])/(l->near - l->far) : 0;
	out = rgb_mix((rgb){fmin(out.r, 1), fmin(out.g, 1), fmin(out.b, 1)}, (rgb){1, 1, 1}, haze);
	return out;
}

// Plates with grains on both sides are veils over what is behind them.
static raster veil_make(const picture *p, const raster *r, const camera *c)
{
	raster veil = {0};
	for (size_t i = 0; i < p->scenery.faces; i++) {
		const face *f = &p->scenery.face[i];
		if (f->kind != FACE_PLATE)
			continue;
		if (!veil.depth)
			veil = raster_make(r->width, r->height);
		vec3 seen[POLYGON_MOST];
		for (int k = 0; k < f->count; k++)
			seen[k] = camera_see(c, p->scenery.point[f->start + (size_t)k]);
		raster_face(&veil, seen, f->count, -2 - (int32_t)i);
	}
	return veil;
}

static uint32_t pack(const double sum[4], double count)
{
	uint32_t out = 0;
	for (int k = 0; k < 4; k++) { // alpha, then colours multiplied by it
		double v = fmin(fmax(sum[k]/count, 0), 1);
		out = out << 8 | (uint32_t)lrint(v*255);
	}
	return out;
}

static uint32_t pixel(const light *l, const raster *veil, int px, int py, int samples)
{
	double sum[4] = {0};
	for (int s = 0; s < samples*samples; s++) {
		int x = px*samples + s%samples, y = py*samples + s/samples;
		size_t i = raster_at(l->r, x, y);
		bool filled = l->r->owner[i] != RASTER_NOTHING;
		bool veiled = veil->depth && veil->depth[i] > l->r->depth[i];
		rgb c = filled ? shade(l, x, y, s%4) : (rgb){1, 1, 1};
		if (veiled)
			c = rgb_mix(c, (rgb){0.80, 0.83, 0.86}, 0.5);
		if (filled || veiled) {
			sum[0]++;
			sum[1] += c.r;
			sum[2] += c.g;
			sum[3] += c.b;
		}
	}
	return pack(sum, samples*samples);
}

cairo_surface_t *shade_image(const picture *p, const raster *r, const camera *c, int samples)
{
	light l = {.p = p, .r = r, .c = c};
	lamp_make(&l);
	depth_range(&l);
	l.crevice = taps_make(CREVICE_TAPS);
	l.penumbra = taps_make(SHADOW_TAPS);
	l.reach = fmin(fmax(2.0*p->region.mean_radius*c->scale, 3), 160);
	raster veil = veil_make(p, r, c);
	int width = r->width/samples, height = r->height/samples;
	cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
	unsigned char *data = cairo_image_surface_get_data(image);
	int stride = cairo_image_surface_get_stride(image);
	for (int y = 0; y < height && data; y++)
		for (int x = 0; x < width; x++) {
			uint32_t value = pixel(&l, &veil, x, y, samples);
			memcpy(data + (size_t)y*(size_t)stride + (size_t)x*4, &value, 4);
		}
	cairo_surface_mark_dirty(image);
	raster_free(&veil);
	raster_free(&l.shadow);
	return image;
}
