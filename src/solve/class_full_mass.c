// SPDX-License-Identifier: MIT
// Contacts of bodies that are not free in all directions, with a full inverse mass (law/full_mass.c) and all that materials may do. They are few, and are
// visited one by one.
#include "solve/classes.h"

#include "law/coulomb.h"
#include "law/law.h"

static talus_full_mass *full_mass_of(const talus_problem *problem, size_t i)
{
	return &problem->full_mass[i - class_first(problem, TALUS_FULL_MASS)];
}

// Disks stay in their plane.
static impulse in_plane(impulse i)
{
	i.p.z = 0;
	i.q.x = i.q.y = 0;
	return i;
}

static impulse visit(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	const talus_extended *r = class_extended_contact(problem, i);
	vec3 u = class_velocity_in_flow(problem, i), spin = extended_contact_spin(r, &problem->motion[c->a], &problem->motion[c->b]);
	impulse was = {.p = problem->p[i], .q = *class_torque(problem, i)};
	impulse now = full_mass_impulse(c->n, &problem->row[i], r, full_mass_of(problem, i), was, u, spin);
	return problem->flat ? in_plane(now) : now;
}

static vec3 each(vec3 a, vec3 b)
{
	return vec(a.x*b.x, a.y*b.y, a.z*b.z);
}

static void give_one(const talus_problem *problem, size_t i, class_bodies to, vec3 dp, vec3 dq)
{
	to.a->v = sub(to.a->v, each(full_mass_of(problem, i)->inv_m_a, dp));
	to.b->v = add(to.b->v, each(full_mass_of(problem, i)->inv_m_b, dp));
	extended_turn(problem->contact[i].n, class_extended_contact(problem, i), to.a, to.b, dp, dq);
}

// A full mass matrix alone is no reason to judge by a visit: the natural map does not care.
static bool judged_by_visit(const talus_problem *problem, size_t i)
{
	const talus_extended *r = class_extended_contact(problem, i);
	vec3 gap = mul(problem->row[i].bias, problem->contact[i].n);
	bool aims = problem->flow || r->target.x != gap.x || r->target.y != gap.y || r->target.z != gap.z;
	return aims || r->cohesion_impulse > 0 || r->roll > 0 || r->twist > 0;
}

static double wrong(const talus_problem *problem, size_t i)
{
	return judged_by_visit(problem, i) ? class_visit_wrong(problem, i, visit(problem, i)) : class_natural_wrong(problem, i);
}

const contact_class class_full_mass = {
	.name = "full_mass", .meaning = "bodies that are not free in all directions", .past_size = sizeof(impulse),
	.visit = visit, .velocity = class_velocity_in_flow, .give_one = give_one, .project = class_project_extended, .wrong = wrong,
	.has_torque = true, .moves_pistons = true,
};
