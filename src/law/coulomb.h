// SPDX-License-Identifier: MIT
// Volume exclusion and Coulomb friction between round bodies (Unger & Kertesz 2003, eq. 34, in impulses p = R dt):
//
//     p_n <- max(0, p_n - m_n (u_n + g+/dt))
//     p_t <- p_t - m_t u_t, shortened to mu p_n if it is longer
//
// u is the velocity at the contact that all impulses give, this contact's own included. Impulses are world vectors,
// so there is no tangent frame to carry.
#ifndef TALUS_LAW_COULOMB_H
#define TALUS_LAW_COULOMB_H

#include "base/vec.h"
#include <talus/extend.h>

// Velocity of b relative to a, at the contact.
static inline vec3 coulomb_velocity(const talus_contact *c, const talus_motion *a, const talus_motion *b)
{
	return sub(sub(b->v, a->v), cross(add(a->s, b->s), c->n));
}

// The new impulse. The loops of the sweeps (solve/sweep_text.h) do the same operations in the same order.
static inline vec3 coulomb_impulse(const talus_contact *c, vec3 u)
{
	double un = dot(u, c->n), pn_old = dot(c->p, c->n);

	// normal: push, never pull
	double pn = pn_old - c->mass_n*(un + c->bias);
	pn = pn > 0 ? pn : 0;

	// tangential: what would stop the sliding, or what friction allows of it
	vec3 t = mul_add(mul_add(c->p, -c->mass_t, u), c->mass_t*un - pn_old, c->n);
	double share = c->mu*pn/sqrt(dot(t, t));
	share = share < 1 ? share : 1;
	return mul_add(mul(share, t), pn, c->n);
}

// Gives the impulse dp to b and its opposite to a. The torques have the same sign on both.
static inline void coulomb_apply(const talus_contact *c, talus_motion *a, talus_motion *b, vec3 dp)
{
	vec3 torque = cross(c->n, dp);
	a->v = mul_add(a->v, -a->inv_m, dp);
	a->s = mul_add(a->s, -a->k, torque);
	b->v = mul_add(b->v, b->inv_m, dp);
	b->s = mul_add(b->s, -b->k, torque);
}

#endif
