// SPDX-License-Identifier: MIT
// Volume exclusion and friction at a single contact: law/coulomb_text.h, one at a time.
#ifndef TALUS_LAW_COULOMB_H
#define TALUS_LAW_COULOMB_H

#define WIDTH 1
#define FLAT 0
#include "law/coulomb_text.h"
#include <talus/extend.h>

// Velocity of b relative to a, at the contact.
static inline vec3 coulomb_velocity(vec3 n, const talus_solver_body *a, const talus_solver_body *b)
{
	return coulomb_relative(n, sub(b->v, a->v), add(a->r_omega, b->r_omega));
}

static inline coulomb_fields coulomb_of(vec3 n, const talus_row *row, vec3 p)
{
	return (coulomb_fields){.n = n, .bias = row->bias, .mass_n = row->mass_n, .mass_t = row->mass_t, .mu = row->mu, .p = p};
}

// The new impulse, after p.
static inline vec3 coulomb_impulse(vec3 n, const talus_row *row, vec3 p, vec3 u)
{
	coulomb_fields c = coulomb_of(n, row, p);
	coulomb_attempt now = coulomb_try(&c, u);
	return coulomb_end(&now, coulomb_share(&now));
}

// Gives the impulse dp to b and its opposite to a. The torques have the same sign on both.
static inline void coulomb_apply(vec3 n, talus_solver_body *a, talus_solver_body *b, vec3 dp)
{
	vec3 torque = cross(n, dp);
	a->v = mul_add(a->v, -a->inv_m, dp);
	a->r_omega = mul_add(a->r_omega, -a->r2_over_I, torque);
	b->v = mul_add(b->v, b->inv_m, dp);
	b->r_omega = mul_add(b->r_omega, -b->r2_over_I, torque);
}

#endif
