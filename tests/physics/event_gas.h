// SPDX-License-Identifier: MIT
// A referee for sheared gases: hard smooth disks or spheres of diameter 1 and mass 1 that fly straight in the lab and collide one
// pair after the other, in a cell with sliding bricks (Lees & Edwards 1972). There is no time step in it: within a window of time
// nobody comes farther than half a skin, so that the pairs of its start are all that can meet, and the earliest collision is
// taken until the window is over.
#ifndef TALUS_TESTS_EVENT_GAS_H
#define TALUS_TESTS_EVENT_GAS_H

#include "physics.h"

enum { EVENT_MOST = 512, EVENT_PAIRS = 32*EVENT_MOST };

typedef struct event_pair {
	int a, b;
	vec3 image; // how many cells b is away
	double at;  // time of the collision, INFINITY: none in this window
} event_pair;

typedef struct event_gas {
	int dimension, count;
	double size, rate, restitution;
	double time, limit; // a speed that ends a window
	vec3 x[EVENT_MOST], u[EVENT_MOST]; // at `time`; velocities in the lab, where the background moves with rate*y along x
	double last[EVENT_MOST];           // time to which x belongs
	int pairs;
	event_pair pair[EVENT_PAIRS];
	// sums over time
	double span, twice_kinetic, shear_kinetic, shear_collisions, pressure_collisions, lost;
	uint64_t collisions;
} event_gas;

typedef struct event_means {
	double temperature, shear, pressure, dissipation; // per volume: all but the first
} event_means;

static inline vec3 event_peculiar(const event_gas *g, int i)
{
	return vec(g->u[i].x - g->rate*g->x[i].y, g->u[i].y, g->u[i].z);
}

// Where a cell so many cells away is, and how fast.
static inline vec3 event_shift(const event_gas *g, vec3 n, double time)
{
	return vec(g->size*(n.x + g->rate*time*n.y), g->size*n.y, g->size*n.z);
}

static inline vec3 event_shift_velocity(const event_gas *g, vec3 n)
{
	return vec(g->rate*g->size*n.y, 0, 0);
}

static inline void event_wrap(event_gas *g, int i)
{
	vec3 n = vec(0, -floor(g->x[i].y/g->size), g->dimension == 3 ? -floor(g->x[i].z/g->size) : 0);
	g->x[i] = add(g->x[i], event_shift(g, n, g->time));
	g->u[i] = add(g->u[i], event_shift_velocity(g, n));
	g->x[i].x -= g->size*floor(g->x[i].x/g->size);
}

static inline void event_predict(event_gas *g, event_pair *p, double now, double end)
{
	vec3 xa = mul_add(g->x[p->a], now - g->last[p->a], g->u[p->a]), xb = mul_add(g->x[p->b], now - g->last[p->b], g->u[p->b]);
	vec3 d = sub(add(xb, event_shift(g, p->image, now)), xa);
	vec3 w = sub(add(g->u[p->b], event_shift_velocity(g, p->image)), g->u[p->a]);
	double b = dot(d, w), c = dot(d, d) - 1, root = b*b - dot(w, w)*c;
	p->at = INFINITY;
	if (b >= 0 || root < 0)
		return;
	double t = now + fmax(0, c/(sqrt(root) - b));
	p->at = t < end ? t : INFINITY;
}

// The nearest whole number, of coordinates within one cell.
static inline double event_turns(double f)
{
	return f > 0.5 ? 1 : f < -0.5 ? -1 : 0;
}

static inline void event_list(event_gas *g, double skin)
{
	g->pairs = 0;
	for (int a = 0; a < g->count; a++)
		for (int b = a + 1; b < g->count; b++) {
			vec3 d = sub(g->x[b], g->x[a]);
			vec3 n = {0, -event_turns(d.y/g->size), -event_turns(d.z/g->size)};
			double away = fabs(d.y + g->size*n.y);
			if (away >= 1 + skin)
				continue;
			d = add(d, event_shift(g, n, g->time));
			n.x = -nearbyint(d.x/g->size);
			d.x += g->size*n.x;
			if (dot(d, d) >= (1 + skin)*(1 + skin))
				continue;
			assert_true(g->pairs < EVENT_PAIRS);
			g->pair[g->pairs++] = (event_pair){a, b, n, INFINITY};
		}
}

static inline void event_collide(event_gas *g, const event_pair *p)
{
	for (int k = 0; k < 2; k++) {
		int i = k ? p->b : p->a;
		g->x[i] = mul_add(g->x[i], p->at - g->last[i], g->u[i]);
		g->last[i] = p->at;
	}
	vec3 n = sub(add(g->x[p->b], event_shift(g, p->image, p->at)), g->x[p->a]);
	vec3 w = sub(add(g->u[p->b], event_shift_velocity(g, p->image)), g->u[p->a]);
	n = unit(n);
	double un = dot(w, n), kick = -0.5*(1 + g->restitution)*un;
	g->u[p->a] = mul_add(g->u[p->a], -kick, n);
	g->u[p->b] = mul_add(g->u[p->b], kick, n);
	g->shear_collisions += kick*n.x*n.y;
	g->pressure_collisions += kick/g->dimension;
	g->lost += 0.25*(1 - g->restitution*g->restitution)*un*un;
	g->collisions++;
}

// Returns how long it was: it ends early when somebody gets faster than foreseen.
static inline double event_window(event_gas *g, double span)
{
	double start = g->time, end = start + span, now = start;
	for (int k = 0; k < g->pairs; k++)
		event_predict(g, &g->pair[k], now, end);
	for (;;) {
		int next = -1;
		for (int k = 0; k < g->pairs; k++)
			if (isfinite(g->pair[k].at) && (next < 0 || g->pair[k].at < g->pair[next].at))
				next = k;
		if (next < 0)
			break;
		event_pair met = g->pair[next];
		now = met.at;
		event_collide(g, &met);
		if (fmax(norm(event_peculiar(g, met.a)), norm(event_peculiar(g, met.b))) > g->limit) {
			end = now;
			break;
		}
		for (int k = 0; k < g->pairs; k++) {
			event_pair *p = &g->pair[k];
			if (p->a == met.a || p->b == met.a || p->a == met.b || p->b == met.b)
				event_predict(g, p, now, end);
		}
	}
	g->time = end;
	for (int i = 0; i < g->count; i++) {
		g->x[i] = mul_add(g->x[i], end - g->last[i], g->u[i]);
		g->last[i] = end;
	}
	return end - start;
}

static inline void event_observe(event_gas *g, double span)
{
	vec3 mean = {0, 0, 0};
	for (int i = 0; i < g->count; i++)
		mean = mul_add(mean, 1.0/g->count, event_peculiar(g, i));
	for (int i = 0; i < g->count; i++) {
		vec3 v = sub(event_peculiar(g, i), mean);
		g->twice_kinetic += span*dot(v, v);
		g->shear_kinetic += span*v.x*v.y;
	}
	g->span += span;
}

static inline void event_run(event_gas *g, double until)
{
	const double skin = 0.8;
	while (g->time < until) {
		double fastest = 1e-9;
		for (int i = 0; i < g->count; i++) {
			event_wrap(g, i);
			fastest = fmax(fastest, norm(event_peculiar(g, i)));
		}
		// Speeds grow when many hit one. Neighbours move relative to each other with the shear, too.
		g->limit = 1.5*fastest;
		double span = fmin(until - g->time, skin/(2*g->limit + 2*g->rate));
		event_list(g, skin);
		event_observe(g, event_window(g, span));
	}
}

static inline void event_forget(event_gas *g)
{
	g->span = g->twice_kinetic = g->shear_kinetic = g->shear_collisions = g->pressure_collisions = g->lost = 0;
}

static inline event_means event_look(const event_gas *g)
{
	double volume = pow(g->size, g->dimension);
	return (event_means){.temperature = g->twice_kinetic/(g->dimension*g->count*g->span),
		.shear = (g->shear_kinetic + g->shear_collisions)/(volume*g->span),
		.pressure = (g->twice_kinetic/g->dimension + g->pressure_collisions)/(volume*g->span),
		.dissipation = g->lost/(volume*g->span)};
}

#endif
