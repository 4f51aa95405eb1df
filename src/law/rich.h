// SPDX-License-Identifier: MIT
// Everything that a contact between round bodies may do, in one update (in impulses p = R dt and q = T dt):
//
//     x    = p_n - m_n (u_n + target_n)                    what would bring it to the velocity it aims at
//     p_n <- max(0, x) + max(-pull, min(0, x + slack))     push; hold a bond as far as it goes; in between nothing
//     p_t <- p_t - m_t (u_t + target_t), shortened to mu N if it is longer,   N = p_n + pull
//     q   <- q - I Omega, its part along n limited to twist N, the rest to roll N
//
// u is the velocity at the contact, Omega the spin of b relative to a, both with all impulses, this contact's own included.
// A contact that slides goes on with mu_slide, one that sticks with mu_stick. The torque follows the force within a visit: they
// are coupled where the radii differ, and at walls (Brendel, Unger & Wolf, sections 1.7 and 1.8).
//
// Each law has a file that fills in its part of a talus_rich before the sweeps.
#ifndef TALUS_LAW_RICH_H
#define TALUS_LAW_RICH_H

#include "base/vec.h"
#include <talus/extend.h>

// A rich contact without any further law.
static inline talus_rich rich_none(const talus_contact *c)
{
	return (talus_rich){.target = {c->bias*c->n.x, c->bias*c->n.y, c->bias*c->n.z}, .slack = c->mass_n*fmax(c->bias, 0),
	                    .mu_stick = c->mu, .mu_slide = c->mu};
}

typedef struct impulse { // what a contact gives, and the friction it counts with
	vec3 p, q;
	double mu;
} impulse;

// Spin of b relative to a.
static inline vec3 rich_spin(const talus_rich *r, const talus_motion *a, const talus_motion *b)
{
	vec3 t = r->turning;
	return vec(r->curve_b*b->s.x - r->curve_a*a->s.x + t.x, r->curve_b*b->s.y - r->curve_a*a->s.y + t.y,
	           r->curve_b*b->s.z - r->curve_a*a->s.z + t.z);
}

// The new torque, after the impulse has become p. The loops of the sweeps (solve/rich_text.h) do the same operations in the
// same order, here and below.
static inline vec3 rich_torque(const talus_contact *c, const talus_rich *r, vec3 p, double load, vec3 spin)
{
	vec3 n = c->n;
	spin = mul_add(spin, -r->couple, cross(n, sub(p, c->p)));
	vec3 q = mul_add(r->q, -r->inertia, spin);
	double qn = dot(q, n), most = r->twist*load;
	vec3 roll = mul_add(q, -qn, n);
	qn = qn > -most ? qn : -most;
	qn = qn < most ? qn : most;
	double share = r->roll*load/sqrt(dot(roll, roll));
	share = share < 1 ? share : 1;
	return mul_add(mul(share, roll), qn, n);
}

static inline impulse rich_impulse(const talus_contact *c, const talus_rich *r, vec3 u, vec3 spin)
{
	vec3 n = c->n, w = add(u, r->target);
	double wn = dot(w, n), pn_old = dot(c->p, n);
	double x = pn_old - c->mass_n*wn, push = x > 0 ? x : 0, hold = x + r->slack;
	hold = hold < 0 ? hold : 0;
	hold = hold > -r->pull ? hold : -r->pull;
	double pn = push + hold, load = pn + r->pull;

	vec3 t = mul_add(mul_add(c->p, -c->mass_t, w), c->mass_t*wn - pn_old, n);
	double length = sqrt(dot(t, t)), mu = length > c->mu*load ? r->mu_slide : r->mu_stick;
	double share = mu*load/length;
	share = share < 1 ? share : 1;
	vec3 p = mul_add(mul(share, t), pn, n);
	return (impulse){.p = p, .q = rich_torque(c, r, p, load, spin), .mu = mu};
}

// What dp at the contact and dq do to the spins.
static inline void rich_turn(vec3 n, const talus_rich *r, talus_motion *a, talus_motion *b, vec3 dp, vec3 dq)
{
	vec3 torque = cross(n, dp);
	a->s = mul_add(a->s, -a->k, mul_add(torque, r->curve_a, dq));
	b->s = mul_add(b->s, -b->k, mul_add(torque, -r->curve_b, dq));
}

#endif
