// SPDX-License-Identifier: MIT
// The forces of a step between smooth bodies, found another way than by sweeps: the impulses along the normals are those p >= 0 for which
//     p.Wp/2 + p.(u + bias)
// is least, W the inverse mass that contacts feel of each other, u how fast they open without impulses. Conjugate gradients over the contacts
// that push; at p = 0 contacts come and go (MPRGP: Z. Dostal, J. Schoberl, Comput. Optim. Appl. 30, 2005).
//
// Where several p are right, as in a crystal, the one nearest to what the step has found is wanted. That is what a small spring does which ties
// p to it, W + spring/m_n in place of W: modes that are much softer than the spring stay as they were found, others do not feel it.
#ifndef TALUS_TESTS_SMOOTH_H
#define TALUS_TESTS_SMOOTH_H

#include "method/contact_dynamics.h"
#include "world.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef struct smooth {
	const talus_world *world;
	size_t contacts, bodies;
	double spring;  // 0: none
	double *found;  // impulses of the step
	double *p;      // the right ones
	double *g;      // gradient: how fast contacts open, beyond what they must
	double *d, *wd; // a direction, and what it does
	vec3 *kick;     // of the bodies
	double left;    // what is left of the gradient, over that without impulses
	int rounds;
} smooth;

// to = W x, with the spring
static inline void smooth_feel(smooth *s, const double *x, double *to)
{
	const talus_contact *c = s->world->contacts.contact;
	for (size_t i = 0; i < s->bodies; i++)
		s->kick[i] = vec(0, 0, 0);
	for (size_t i = 0; i < s->contacts; i++) {
		vec3 p = mul(x[i], c[i].n), a = state_inverse_mass(&s->world->state, c[i].a), b = state_inverse_mass(&s->world->state, c[i].b);
		s->kick[c[i].a] = sub(s->kick[c[i].a], vec(a.x*p.x, a.y*p.y, a.z*p.z));
		s->kick[c[i].b] = add(s->kick[c[i].b], vec(b.x*p.x, b.y*p.y, b.z*p.z));
	}
	for (size_t i = 0; i < s->contacts; i++)
		to[i] = dot(sub(s->kick[c[i].b], s->kick[c[i].a]), c[i].n) + s->spring/contact_dynamics_of(s->world)->rows.row[i].mass_n*x[i];
}

// A step along the gradient that is surely not too long: one over a bound of W.
static inline double smooth_short(smooth *s)
{
	double most = 0;
	for (size_t i = 0; i < s->contacts; i++)
		s->d[i] = 0;
	double *sum = calloc(s->bodies, sizeof *sum);
	const talus_contact *c = s->world->contacts.contact;
	assert(sum);
	for (size_t i = 0; i < s->contacts; i++) {
		sum[c[i].a] += s->world->approach.motion[c[i].a].inv_m;
		sum[c[i].b] += s->world->approach.motion[c[i].b].inv_m;
	}
	for (size_t i = 0; i < s->contacts; i++)
		most = fmax(most, sum[c[i].a] + sum[c[i].b]);
	free(sum);
	return 1/most;
}

static inline double smooth_push(const smooth *s, size_t i)
{
	return s->p[i] > 0 ? s->g[i] : 0;
}

static inline double smooth_pull(const smooth *s, size_t i)
{
	return s->p[i] > 0 ? 0 : fmin(s->g[i], 0);
}

static inline void smooth_go(smooth *s, double way)
{
	for (size_t i = 0; i < s->contacts; i++) {
		s->p[i] -= way*s->d[i];
		s->g[i] -= way*s->wd[i];
	}
}

static inline void smooth_turn(smooth *s)
{
	for (size_t i = 0; i < s->contacts; i++)
		s->d[i] = smooth_push(s, i);
}

// As far as no impulse becomes a pull, then along the gradient, where it may.
static inline void smooth_expand(smooth *s, double most, double step, const double *open)
{
	smooth_go(s, most);
	for (size_t i = 0; i < s->contacts; i++)
		s->p[i] = fmax(0, fmax(s->p[i], 0) - step*smooth_push(s, i));
	smooth_feel(s, s->p, s->g);
	for (size_t i = 0; i < s->contacts; i++)
		s->g[i] += open[i];
	smooth_turn(s);
}

static inline void smooth_round(smooth *s, double step, const double *open)
{
	double pull = 0, push = 0, gd = 0, dwd = 0, most = INFINITY, turn = 0;
	for (size_t i = 0; i < s->contacts; i++) {
		pull += smooth_pull(s, i)*smooth_pull(s, i);
		push += smooth_push(s, i)*fmin(s->p[i]/step, smooth_push(s, i));
	}
	bool release = pull > push;
	for (size_t i = 0; release && i < s->contacts; i++)
		s->d[i] = smooth_pull(s, i);
	smooth_feel(s, s->d, s->wd);
	for (size_t i = 0; i < s->contacts; i++) {
		gd += s->g[i]*s->d[i];
		dwd += s->d[i]*s->wd[i];
		most = s->d[i] > 0 ? fmin(most, s->p[i]/s->d[i]) : most;
	}
	double way = dwd > 0 ? gd/dwd : INFINITY;
	if (way > most) {
		smooth_expand(s, most, step, open);
		return;
	}
	smooth_go(s, way);
	for (size_t i = 0; !release && i < s->contacts; i++)
		turn += smooth_push(s, i)*s->wd[i]/dwd;
	for (size_t i = 0; i < s->contacts; i++)
		s->d[i] = smooth_push(s, i) - turn*(release ? 0 : s->d[i]);
}

static inline double smooth_rest(const smooth *s)
{
	double sum = 0;
	for (size_t i = 0; i < s->contacts; i++)
		sum += pow(smooth_push(s, i) + smooth_pull(s, i), 2);
	return sqrt(sum);
}

// How fast contacts would open without impulses, beyond what they must: what they do now, less what impulses have done to that. The spring is at
// ease now.
static inline double smooth_begin(smooth *s, double *open)
{
	const talus_contact *c = s->world->contacts.contact;
	const talus_solver_body *m = s->world->approach.motion;
	double size = 0;
	for (size_t i = 0; i < s->contacts; i++)
		s->p[i] = s->found[i] = dot(s->world->contacts.p[i], c[i].n);
	smooth_feel(s, s->p, s->g);
	for (size_t i = 0; i < s->contacts; i++) {
		double now = dot(sub(m[c[i].b].v, m[c[i].a].v), c[i].n) + contact_dynamics_of(s->world)->rows.row[i].bias;
		open[i] = now - s->g[i];
		s->g[i] = now;
		size += open[i]*open[i];
	}
	return sqrt(size);
}

// The problem of the last step, which must have contacts.
static inline smooth smooth_solve(const talus_world *world, double tolerance, double spring)
{
	size_t n = world->contacts.count;
	smooth s = {.world = world, .contacts = n, .spring = spring,
	            .bodies = world->state.bodies.count + (size_t)world->state.walls.count + world->contacts.wall_lines};
	double *room = calloc(6*n, sizeof *room), *open = room + 5*n;
	s.kick = calloc(s.bodies, sizeof *s.kick);
	assert(room && s.kick);
	s.found = room, s.p = room + n, s.g = room + 2*n, s.d = room + 3*n, s.wd = room + 4*n;
	double step = smooth_short(&s), size = smooth_begin(&s, open);
	smooth_turn(&s);
	for (; s.rounds < 200000 && smooth_rest(&s) > tolerance*size; s.rounds++)
		smooth_round(&s, step, open);
	s.left = smooth_rest(&s)/size;
	return s;
}

static inline void smooth_free(smooth *s)
{
	free(s->found);
	free(s->kick);
}

// Root mean square of what the step's forces are off, over that of the right ones; what it is stands in d.
static inline double smooth_error(smooth *s)
{
	double wrong = 0, size = 0;
	for (size_t i = 0; i < s->contacts; i++) {
		s->d[i] = s->found[i] - s->p[i];
		wrong += s->d[i]*s->d[i];
		size += s->p[i]*s->p[i];
	}
	return sqrt(wrong/size);
}

#endif
