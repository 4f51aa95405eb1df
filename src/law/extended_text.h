// SPDX-License-Identifier: MIT
// Everything that a contact between round bodies may do, in one update (in impulses p = R dt and q = T dt):
//
//     x    = p_n - m_n (u_n + target_n)                    what would bring it to the velocity it aims at
//     p_n <- max(0, x) + max(-C, min(0, x + A))            push; hold a bond as far as it goes; in between nothing
//     p_t <- p_t - m_t (u_t + target_t), shortened to mu N if it is longer,   N = p_n + C
//     q   <- q - I Omega, its part along n limited to twist N, the rest to roll N
//
// C is `cohesion_impulse`, A `gap_allowance`. u is the velocity at the contact, Omega the spin of b relative to a, both with all
// impulses, this contact's own included.
// A contact that slides goes on with mu_slide, one that sticks with mu_stick. The torque follows the force within a visit: they
// are coupled where the radii differ, and at walls (Brendel, Unger & Wolf, sections 1.7 and 1.8).
//
// This is the only text of it, for WIDTH contacts at once: law/extended.h makes single contacts of it, solve/extended_text.h the loops of the sweeps.
#ifndef TALUS_LAW_EXTENDED_TEXT_H
#define TALUS_LAW_EXTENDED_TEXT_H

#include "base/columns.h"

typedef struct extended_fields { // in the order of a batch (solve/kernel.h)
	column3 n;
	reals mass_n, mass_t;
	column3 target;
	reals gap_allowance, cohesion_impulse, mu, mu_stick, mu_slide;
	reals roll, twist, inertia, curve_a, curve_b, torque_coupling;
	column3 wall_spin, p, q;
	reals centre_distance;
} extended_fields;

typedef struct extended_force {
	column3 p;
	reals mu, load; // that it counts with, and N
} extended_force;

// ---------------------------------------------------------------- velocities

// Spin of b relative to a, from r times the spins of both.
ALWAYS column3 extended_spin(const extended_fields *c, column3 sa, column3 sb)
{
	column3 t = c->wall_spin;
	return (column3){c->curve_b*sb.x - c->curve_a*sa.x + t.x, c->curve_b*sb.y - c->curve_a*sa.y + t.y,
	                 c->curve_b*sb.z - c->curve_a*sa.z + t.z};
}

typedef struct flow_columns { // rates of a cell that deforms, the same in all lanes
	reals xx, yy, zz, xy, xz, yz;
} flow_columns;

ALWAYS flow_columns flow_load(const double rate[3][3])
{
	return (flow_columns){all(rate[0][0]), all(rate[1][1]), all(rate[2][2]), all(rate[0][1]), all(rate[0][2]), all(rate[1][2])};
}

// What the cell adds to the velocity at a contact.
ALWAYS column3 flow_velocity(const flow_columns *f, column3 n, reals span)
{
	return (column3){span*(f->xx*n.x + f->xy*n.y + f->xz*n.z), span*(f->yy*n.y + f->yz*n.z), span*(f->zz*n.z)};
}

// ---------------------------------------------------------------- the law

// Everywhere: if one of two is not a number, min and max give the second.
ALWAYS extended_force extended_push(const extended_fields *c, column3 u)
{
	column3 n = c->n, p = c->p, w = mul_add3(u, all(1), c->target);
	reals wn = dot3(w, n), pn_old = dot3(p, n);

	// normal: push, or hold a bond as far as it goes
	reals x = pn_old - c->mass_n*wn;
	reals push = lanes_max(x, all(0)), hold = lanes_max(lanes_min(x + c->gap_allowance, all(0)), -c->cohesion_impulse);
	reals pn = push + hold, load = pn + c->cohesion_impulse;

	// tangential: what would stop the sliding, or what friction allows of it
	column3 t = mul_add3(mul_add3(p, -c->mass_t, w), c->mass_t*wn - pn_old, n);
	reals length = lanes_sqrt(dot3(t, t)), mu = larger_of(length, c->mu*load, c->mu_slide, c->mu_stick);
	return (extended_force){.p = sum3(lanes_min(mu*load/length, all(1)), t, pn, n), .mu = mu, .load = load};
}

// Rolling and torsion, after the impulse has changed by dp: what would stop the turning, or what their limits allow.
ALWAYS column3 extended_torque(const extended_fields *c, column3 dp, reals load, column3 spin)
{
	column3 n = c->n;
	spin = mul_add3(spin, -c->torque_coupling, cross3(n, dp));
	column3 q = mul_add3(c->q, -c->inertia, spin);
	reals qn = dot3(q, n), most = c->twist*load;
	column3 roll = mul_add3(q, -qn, n);
	qn = lanes_min(lanes_max(qn, -most), most);
	return sum3(lanes_min(c->roll*load/lanes_sqrt(dot3(roll, roll)), all(1)), roll, qn, n);
}

// ---------------------------------------------------------------- what follows

// The torques that dp at the contact and dq are to a and b; both turn against them.
ALWAYS column3 extended_on_a(const extended_fields *c, column3 torque, column3 dq)
{
	return mul_add3(torque, c->curve_a, dq);
}

ALWAYS column3 extended_on_b(const extended_fields *c, column3 torque, column3 dq)
{
	return mul_add3(torque, -c->curve_b, dq);
}

// How wrong it is that a visit would change p by dp and q by dq, squared: torques count over the smaller radius, and what is left of a gap
// term that cancels is no error.
ALWAYS reals extended_wrong(const extended_fields *c, column3 dp, column3 dq)
{
	reals curve = lanes_max(c->curve_a, c->curve_b), wrong = dot3(dp, dp) + curve*curve*dot3(dq, dq), rounding = 1e-12*c->gap_allowance;
	return larger_of(wrong, rounding*rounding, wrong, all(0));
}

#endif
