// SPDX-License-Identifier: MIT
// The contact problem by itself: its start, one visit of a contact, and how wrong an answer is.
//
// The residual is the natural map of the problem in the form of De Saxce: with the cone K = {|p_t| <= mu p_n} and
// w = u + (g+/dt + mu |u_t|) n, an answer obeys all laws if and only if p = P_K(p - m_n w) at every contact.
#include "solve/solve.h"

#include "law/coulomb.h"
#include "law/law.h"

enum { BLOCK = 1024 };

static vec3 velocity(const talus_problem *problem, const talus_contact *c)
{
	return coulomb_velocity(c, &problem->motion[c->a], &problem->motion[c->b]);
}

// Nearest point of the cone with opening mu about n: itself if it is inside, 0 if it is in the opposite cone, else on the
// surface. The larger of the two normal parts is the right one in all three cases. min and max as in the loops of the
// sweeps: what is not a number counts for 1, or is passed on.
static vec3 project(vec3 p, vec3 n, double mu)
{
	double pn = dot(p, n);
	vec3 t = mul_add(p, -pn, n);
	double length = norm(t), push = (pn + mu*length)/(1 + mu*mu);
	push = push > 0 ? push : 0;
	pn = push > pn ? push : pn;
	double share = mu*pn/length;
	return mul_add(mul(pn, n), share < 1 ? share : 1, t);
}

static vec3 new_impulse(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	vec3 u = velocity(problem, c);
	if (i < problem->plain)
		return coulomb_impulse(c, u);
	return general_impulse(c, &problem->general[i - problem->plain], u);
}

vec3 problem_change(const talus_problem *problem, size_t i)
{
	return sub(new_impulse(problem, i), problem->contact[i].p);
}

static vec3 each(vec3 a, vec3 b)
{
	return vec(a.x*b.x, a.y*b.y, a.z*b.z);
}

void problem_give(talus_problem *problem, size_t i, vec3 dp)
{
	talus_contact *c = &problem->contact[i];
	talus_motion *a = &problem->motion[c->a], *b = &problem->motion[c->b];
	if (i < problem->plain) {
		coulomb_apply(c, a, b, dp);
		return;
	}
	const talus_general *g = &problem->general[i - problem->plain];
	vec3 torque = cross(c->n, dp);
	a->v = sub(a->v, each(g->inv_m_a, dp));
	b->v = add(b->v, each(g->inv_m_b, dp));
	a->s = mul_add(a->s, -a->k, torque);
	b->s = mul_add(b->s, -b->k, torque);
}

bool problem_visit(talus_problem *problem, size_t i, const calm *rule)
{
	talus_contact *c = &problem->contact[i];
	vec3 p = new_impulse(problem, i), dp = sub(p, c->p);
	problem_give(problem, i, dp);
	c->p = p;
	return !rule || is_calm(c->p, dp, *rule);
}

static void project_some(void *job, size_t first, size_t last)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		talus_contact *c = &problem->contact[i];
		c->p = project(c->p, c->n, c->mu);
	}
}

void problem_project(talus_problem *problem, parallel *team)
{
	parallel_for(team, problem->contacts, BLOCK, project_some, problem);
}

void problem_start(talus_problem *problem)
{
	for (size_t i = 0; i < problem->contacts; i++)
		problem_give(problem, i, problem->contact[i].p);
}

static void natural_map(void *job, size_t first, size_t last, double *value)
{
	const talus_problem *problem = job;
	double wrong = 0, size = 0;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &problem->contact[i];
		vec3 u = velocity(problem, c);
		double un = dot(u, c->n);
		double slip = norm(mul_add(u, -un, c->n));
		vec3 w = mul_add(u, c->bias + c->mu*slip, c->n);
		vec3 e = sub(c->p, project(mul_add(c->p, -c->mass_n, w), c->n, c->mu));
		wrong += dot(e, e);
		size += dot(c->p, c->p);
	}
	value[0] = wrong;
	value[1] = size;
}

double residual_of(double wrong, double size)
{
	return wrong == 0 ? 0 : sqrt(wrong/(size > wrong ? size : wrong)); // not a number stays not a number
}

void problem_residual_parts(const talus_problem *problem, size_t first, double part[2])
{
	talus_problem rest = *problem;
	rest.contact += first;
	part[0] = part[1] = 0;
	if (problem->contacts > first)
		natural_map(&rest, 0, problem->contacts - first, part);
}

double problem_residual(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	double total[2] = {0, 0};
	parallel_reduce(team, problem->contacts, 2, natural_map, NULL, &copy, total);
	return residual_of(total[0], total[1]);
}

static double power_of_some(void *job, size_t first, size_t last)
{
	const talus_problem *problem = job;
	double sum = 0;
	for (size_t i = first; i < last; i++)
		sum += dot(problem->contact[i].p, velocity(problem, &problem->contact[i]));
	return sum;
}

double problem_power(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	return parallel_sum(team, problem->contacts, power_of_some, &copy);
}
