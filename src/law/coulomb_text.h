// SPDX-License-Identifier: MIT
// Volume exclusion and Coulomb friction between round bodies (Unger & Kertesz 2003, eq. 34, in impulses p = R dt):
//
//     p_n <- max(0, p_n - m_n (u_n + bias)),   bias = g+/dt
//     p_t <- p_t - m_t u_t, shortened to mu p_n if it is longer
//
// u is the velocity at the contact that all impulses give, this contact's own included. Impulses are world vectors,
// so there is no tangent frame to carry.
//
// This is the only text of the law, for WIDTH contacts at once: law/coulomb.h makes single contacts of it, solve/sweep_text.h the loops of the
// sweeps, for every width of registers.
#ifndef TALUS_LAW_COULOMB_TEXT_H
#define TALUS_LAW_COULOMB_TEXT_H

#include "base/columns.h"

typedef struct coulomb_fields { // in the order of a batch (solve/kernel.h)
	column3 n;
	reals bias, mass_n, mass_t, mu;
	column3 p;
} coulomb_fields;

// Velocity of b relative to a at the contact, from vb - va and sa + sb.
ALWAYS column3 coulomb_relative(column3 n, column3 apart, column3 turning)
{
	return sub3(apart, cross3(turning, n));
}

// ---------------------------------------------------------------- the new impulse

// Normal: push, never pull. un, pn: parts of u and of the last impulse along n.
ALWAYS reals coulomb_push(const coulomb_fields *c, reals un, reals pn)
{
	return lanes_max(pn - c->mass_n*(un + c->bias), all(0));
}

// Tangential: what would stop the sliding, in two steps,
ALWAYS column3 coulomb_stop(const coulomb_fields *c, column3 u)
{
	return (column3){c->p.x - c->mass_t*u.x, c->p.y - c->mass_t*u.y, DEEP(c->p.z - c->mass_t*u.z)};
}

ALWAYS column3 coulomb_stop_along(const coulomb_fields *c, column3 stop, reals un, reals pn)
{
	return mul_add3(stop, c->mass_t*un - pn, c->n);
}

typedef struct coulomb_attempt { // an update on its way
	coulomb_fields c;
	column3 t;       // what would stop the sliding
	reals pn, length; // new normal impulse, and the square of |t|
} coulomb_attempt;

ALWAYS coulomb_attempt coulomb_try(const coulomb_fields *c, column3 u)
{
	reals un = dot3(u, c->n), pn = dot3(c->p, c->n);
	reals push = FLAT ? all(0) : coulomb_push(c, un, pn); // which of the two comes first does not matter, but to gcc's registers
	column3 t = coulomb_stop_along(c, coulomb_stop(c, u), un, pn);
	return (coulomb_attempt){.c = *c, .t = t, .pn = FLAT ? coulomb_push(c, un, pn) : push, .length = dot3(t, t)};
}

// and the share of it that friction allows, if it is below 1. Both are asked for apart, since a division takes its time.
ALWAYS reals coulomb_share(const coulomb_attempt *a)
{
	return a->c.mu*a->pn/lanes_sqrt(a->length);
}

ALWAYS column3 coulomb_end(const coulomb_attempt *a, reals share)
{
	return sum3(lanes_min(share, all(1)), a->t, a->pn, a->c.n);
}

// ---------------------------------------------------------------- the natural map

// Nearest point of the cone with opening mu about n: itself if it is inside, 0 if it is in the opposite cone, else on the
// surface. The larger of the two normal parts is the right one in all three cases. What is not a number counts for a share of 1, or is passed on.
ALWAYS column3 coulomb_nearest(column3 r, column3 n, reals mu)
{
	reals rn = dot3(r, n);
	column3 t = {r.x - rn*n.x, r.y - rn*n.y, DEEP(r.z - rn*n.z)};
	reals length = lanes_sqrt(dot3(t, t));
	reals pn = lanes_max(lanes_max((rn + mu*length)/(1 + mu*mu), all(0)), rn);
	return sum3(pn, n, lanes_min(mu*pn/length, all(1)), t);
}

// In the form of De Saxce: with w = u + (bias + mu |u_t|) n all laws hold if and only if p is the point of the cone next to p - m_n w.
ALWAYS column3 coulomb_beyond(const coulomb_fields *c, column3 u)
{
	column3 n = c->n, p = c->p;
	reals un = dot3(u, n);
	column3 slide = {u.x - un*n.x, u.y - un*n.y, DEEP(u.z - un*n.z)};
	reals more = c->bias + c->mu*lanes_sqrt(dot3(slide, slide));
	return (column3){p.x - c->mass_n*(u.x + more*n.x), p.y - c->mass_n*(u.y + more*n.y), DEEP(p.z - c->mass_n*(u.z + more*n.z))};
}

#endif
