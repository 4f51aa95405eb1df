// SPDX-License-Identifier: MIT
// All that a single contact may do: law/extended_text.h, one at a time. Each law has a file that fills in its part of a talus_extended before the
// sweeps.
#ifndef TALUS_LAW_RICH_H
#define TALUS_LAW_RICH_H

#define WIDTH 1
#define FLAT 0
#include "law/extended_text.h"
#include <talus/extend.h>

// An extended contact without any further law.
static inline talus_extended extended_none(vec3 n, const talus_row *row)
{
	return (talus_extended){.target = {row->bias*n.x, row->bias*n.y, row->bias*n.z}, .gap_allowance = row->mass_n*fmax(row->bias, 0),
	                    .mu_stick = row->mu, .mu_slide = row->mu};
}

typedef struct impulse { // what a contact gives, and the friction it counts with
	vec3 p, q;
	double mu;
} impulse;

static inline extended_fields extended_contact_fields(vec3 n, const talus_row *row, const talus_extended *r, vec3 p, vec3 q)
{
	return (extended_fields){.n = n, .mass_n = row->mass_n, .mass_t = row->mass_t, .target = r->target, .gap_allowance = r->gap_allowance, .cohesion_impulse = r->cohesion_impulse,
	                         .mu = row->mu, .mu_stick = r->mu_stick, .mu_slide = r->mu_slide, .roll = r->roll, .twist = r->twist,
	                         .inertia = r->inertia, .curve_a = r->curve_a, .curve_b = r->curve_b, .torque_coupling = r->torque_coupling,
	                         .wall_spin = r->wall_spin, .p = p, .q = q, .centre_distance = r->centre_distance};
}

// Spin of b relative to a.
static inline vec3 extended_contact_spin(const talus_extended *r, const talus_solver_body *a, const talus_solver_body *b)
{
	return extended_spin(&(extended_fields){.curve_a = r->curve_a, .curve_b = r->curve_b, .wall_spin = r->wall_spin}, a->r_omega, b->r_omega);
}

// What comes after `was`.
static inline impulse extended_impulse(vec3 n, const talus_row *row, const talus_extended *r, impulse was, vec3 u, vec3 spin)
{
	extended_fields c = extended_contact_fields(n, row, r, was.p, was.q);
	extended_force now = extended_push(&c, u);
	return (impulse){.p = now.p, .q = extended_torque(&c, sub(now.p, was.p), now.load, spin), .mu = now.mu};
}

// What dp at the contact and dq do to the spins.
static inline void extended_turn(vec3 n, const talus_extended *r, talus_solver_body *a, talus_solver_body *b, vec3 dp, vec3 dq)
{
	extended_fields c = {.curve_a = r->curve_a, .curve_b = r->curve_b};
	vec3 torque = cross(n, dp);
	a->r_omega = mul_add(a->r_omega, -a->r2_over_I, extended_on_a(&c, torque, dq));
	b->r_omega = mul_add(b->r_omega, -b->r2_over_I, extended_on_b(&c, torque, dq));
}

#endif
