// SPDX-License-Identifier: MIT
// The contact problem by itself: its start, one visit of a contact, and how wrong an answer is.
//
// How a contact is visited and judged is its class's business (solve/classes.h): the residual of most is the natural map of the problem
// (law/coulomb_text.h), that of others what a visit would change.
#include "solve/piston.h"
#include "base/parallel.h"
#include "solve/solve.h"

static vec3 torque_of(const talus_problem *problem, size_t i)
{
	return contact_classes[class_of(problem, i)]->has_torque ? *class_torque(problem, i) : vec(0, 0, 0);
}

static impulse new_impulse(const talus_problem *problem, size_t i)
{
	return contact_classes[class_of(problem, i)]->visit(problem, i);
}

impulse problem_change(const talus_problem *problem, size_t i)
{
	impulse now = new_impulse(problem, i);
	now.p = sub(now.p, problem->p[i]);
	now.q = sub(now.q, torque_of(problem, i));
	return now;
}

void problem_give(talus_problem *problem, size_t i, vec3 dp, vec3 dq)
{
	const contact_class *k = contact_classes[class_of(problem, i)];
	const talus_contact *c = &problem->contact[i];
	class_bodies to = {&problem->motion[c->a], &problem->motion[c->b]};
	talus_solver_body held_a, held_b;
	if (problem->pistons > 0 && !k->moves_pistons) {
		held_a = *to.a, held_b = *to.b;
		to.a = piston_of(problem, c->a) ? &held_a : to.a;
		to.b = piston_of(problem, c->b) ? &held_b : to.b;
	}
	k->give_one(problem, i, to, dp, dq);
}

// Sets the new impulse and gives the change to the bodies. Was it calm?
static bool change_to(talus_problem *problem, size_t i, impulse now, vec3 dp, vec3 dq, const change_limit *rule)
{
	double curve = 0;
	if (contact_classes[class_of(problem, i)]->has_torque) {
		const talus_extended *r = class_extended_contact(problem, i);
		*class_torque(problem, i) = now.q;
		curve = fmax(r->curve_a, r->curve_b);
	}
	problem_give(problem, i, dp, dq);
	problem->p[i] = now.p;
	problem->row[i].mu = now.mu;
	return !rule || (is_calm(now.p, norm(dp), *rule) && is_calm(now.p, curve*norm(dq), *rule));
}

bool problem_take(talus_problem *problem, size_t i, impulse change, const change_limit *rule)
{
	impulse now = {add(problem->p[i], change.p), add(torque_of(problem, i), change.q), change.mu};
	return change_to(problem, i, now, change.p, change.q, rule);
}

// The new impulse is written as it is, not as old plus change, which would round.
bool problem_visit(talus_problem *problem, size_t i, const change_limit *rule)
{
	impulse now = new_impulse(problem, i);
	vec3 dp = sub(now.p, problem->p[i]), dq = sub(now.q, torque_of(problem, i));
	return change_to(problem, i, now, dp, dq, rule);
}

void problem_visit_accelerated(talus_problem *problem, size_t i, impulse *old, double beta, const double coarse[WORKS],
                      double sum[WORKS][LANES])
{
	vec3 *now_p = &problem->p[i], *now_q = class_torque(problem, i), p_was = *now_p, q_was = *now_q;
	vec3 p = mul_add(p_was, beta, sub(p_was, old->p)), q = mul_add(q_was, beta, sub(q_was, old->q));
	old->p = p_was;
	old->q = q_was;
	*now_p = p;
	*now_q = q;
	problem_visit(problem, i, NULL);
	vec3 dp = sub(*now_p, p), dq = sub(*now_q, q);
	double by_p = class_inverse(problem->row[i].mass_n), by_q = class_inverse(class_extended_contact(problem, i)->inertia);
	double size = by_p*dot(dp, dp) + by_q*dot(dq, dq);
	double along = -by_p*dot(dp, sub(*now_p, p_was)) - by_q*dot(dq, sub(*now_q, q_was));
	along = work_rounded(along, coarse[WORK_ALONG]);
	sum[WORK_SIZE][0] += work_rounded(size, coarse[WORK_SIZE]);
	sum[WORK_ALONG][0] += along;
	sum[WORK_SPAN][0] += fabs(along);
}

typedef struct some { // contacts of a class
	const talus_problem *problem;
	int k;
} some;

static void project_some(void *job, size_t first, size_t last)
{
	const some *s = job;
	size_t from = class_first(s->problem, s->k);
	contact_classes[s->k]->project(s->problem, from + first, from + last);
}

void problem_project(talus_problem *problem, parallel *team)
{
	for (int k = 0; k < TALUS_CLASSES; k++)
		parallel_for(team, class_count(problem, k), PARALLEL_BLOCK, project_some, &(some){problem, k});
}

void problem_start(talus_problem *problem)
{
	for (size_t i = 0; i < problem->contacts; i++)
		problem_give(problem, i, problem->p[i], torque_of(problem, i));
}

vec3 problem_wrong(const talus_problem *problem, size_t i, double *approach)
{
	vec3 u = contact_classes[class_of(problem, i)]->velocity(problem, i);
	*approach = -dot(u, problem->contact[i].n) - problem->row[i].bias;
	return problem_change(problem, i).p;
}

static void wrong_terms(const talus_problem *problem, size_t first, size_t last, totals_part *part)
{
	for (size_t i = first; i < last; i++) {
		part->term[0][i - first] = contact_classes[class_of(problem, i)]->wrong(problem, i);
		part->term[1][i - first] = dot(problem->p[i], problem->p[i]);
	}
}

static void add_wrong(void *job, size_t first, size_t last, totals_part *part)
{
	wrong_terms(job, first, last, part);
}

double residual_of(double wrong, double size)
{
	return wrong == 0 ? 0 : sqrt(wrong/(size > wrong ? size : wrong)); // not a number stays not a number
}

static void add_class_wrong(void *job, size_t first, size_t last, totals_part *part)
{
	const some *s = job;
	size_t from = class_first(s->problem, s->k);
	wrong_terms(s->problem, from + first, from + last, part);
}

void problem_residual_parts(const talus_problem *problem, int k, double part[2], parallel *team)
{
	totals all = totals_of(team, class_count(problem, k), 2, add_class_wrong, &(some){problem, k});
	part[0] = all.sum[0];
	part[1] = all.sum[1];
}

double problem_residual(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	totals all = totals_of(team, problem->contacts, 2, add_wrong, &copy);
	return residual_of(all.sum[0], all.sum[1]);
}

// ---------------------------------------------------------------- forces that are none

static const double nothing = 1e-10; // of the largest speed: what rounding may come to, in the softest problem that sweeps can solve

static void add_kicks(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		const talus_contact *c = &problem->contact[i];
		double mass = problem->row[i].mass_n;
		vec3 a = problem->motion[c->a].v, b = problem->motion[c->b].v, p = problem->p[i];
		part->term[0][i - first] = mass > 0 ? dot(p, p)/(mass*mass) : 0;
		part->most[0] = fmax(part->most[0], fmax(dot(a, a), dot(b, b)));
	}
}

bool problem_is_idle(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	totals all = totals_of(team, problem->contacts, 1, add_kicks, &copy);
	return all.sum[0] <= nothing*nothing*fmax(0, all.most[0])*(double)problem->contacts;
}
