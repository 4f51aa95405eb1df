// SPDX-License-Identifier: MIT
// The contact problem by itself: its start, one visit of a contact, and how wrong an answer is.
//
// The residual is the natural map of the problem in the form of De Saxce: with the cone K = {|p_t| <= mu p_n} and
// w = u + (g+/dt + mu |u_t|) n, an answer obeys all laws if and only if p = P_K(p - m_n w) at every contact. Rich contacts, and
// those with a full mass matrix and a rich law, are judged by what a visit would change.
#include "solve/piston.h"
#include "solve/solve.h"

#include "law/coulomb.h"
#include "law/law.h"

enum { BLOCK = 1024 };

static vec3 velocity(const talus_problem *problem, const talus_contact *c)
{
	return coulomb_velocity(c, &problem->motion[c->a], &problem->motion[c->b]);
}

// The same with what the cell adds, if it deforms.
static vec3 velocity_in_flow(const talus_problem *problem, const talus_contact *c, const talus_rich *r)
{
	vec3 u = velocity(problem, c), n = c->n;
	if (!problem->flow)
		return u;
	const double(*rate)[3] = (const double(*)[3])problem->flow->rate;
	return add(u, vec(r->span*(rate[0][0]*n.x + rate[0][1]*n.y + rate[0][2]*n.z),
	                  r->span*(rate[1][1]*n.y + rate[1][2]*n.z), r->span*(rate[2][2]*n.z)));
}

// Nearest point of the cone with opening mu about n: itself if it is inside, 0 if it is in the opposite cone, else on the
// surface. The larger of the two normal parts is the right one in all three cases. min and max as in the loops of the
// sweeps: what is not a number counts for 1, or is passed on.
static vec3 project(vec3 p, vec3 n, double mu)
{
	double pn = dot(p, n);
	vec3 t = mul_add(p, -pn, n);
	if (pn > 0 && mu > 1e-6 && dot(t, t) < 0.99*(mu*pn)*(mu*pn)) // well inside: most are
		return mul_add(mul(pn, n), 1, t);
	double length = norm(t), push = (pn + mu*length)/(1 + mu*mu);
	push = push > 0 ? push : 0;
	pn = push > pn ? push : pn;
	double share = mu*pn/length;
	return mul_add(mul(pn, n), share < 1 ? share : 1, t);
}

static talus_rich *rich_of(const talus_problem *problem, size_t i)
{
	return &problem->rich[i - problem->plain];
}

static vec3 torque_of(const talus_problem *problem, size_t i)
{
	return i < problem->plain ? vec(0, 0, 0) : rich_of(problem, i)->q;
}

// Disks stay in their plane: the general law looks for answers in space, and rounding would take them out of it.
static impulse in_plane(impulse i)
{
	i.p.z = 0;
	i.q.x = i.q.y = 0;
	return i;
}

static impulse new_impulse(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	if (i < problem->plain)
		return (impulse){.p = coulomb_impulse(c, velocity(problem, c)), .mu = c->mu};
	const talus_rich *r = rich_of(problem, i);
	vec3 u = velocity_in_flow(problem, c, r);
	vec3 spin = rich_spin(r, &problem->motion[c->a], &problem->motion[c->b]);
	if (i < problem->round)
		return rich_impulse(c, r, u, spin);
	impulse now = general_impulse(c, r, &problem->general[i - problem->round], u, spin);
	return problem->flat ? in_plane(now) : now;
}

impulse problem_change(const talus_problem *problem, size_t i)
{
	impulse now = new_impulse(problem, i);
	now.p = sub(now.p, problem->contact[i].p);
	now.q = sub(now.q, torque_of(problem, i));
	return now;
}

static vec3 each(vec3 a, vec3 b)
{
	return vec(a.x*b.x, a.y*b.y, a.z*b.z);
}

void problem_give(talus_problem *problem, size_t i, vec3 dp, vec3 dq)
{
	talus_contact *c = &problem->contact[i];
	talus_motion *a = &problem->motion[c->a], *b = &problem->motion[c->b], held_a, held_b;
	if (problem->pistons > 0 && i < problem->round) { // pistons are moved by all of their contacts at once
		held_a = *a, held_b = *b;
		a = piston_of(problem, c->a) ? &held_a : a;
		b = piston_of(problem, c->b) ? &held_b : b;
	}
	if (i < problem->plain) {
		coulomb_apply(c, a, b, dp);
		return;
	}
	vec3 inv_a = vec(a->inv_m, a->inv_m, a->inv_m), inv_b = vec(b->inv_m, b->inv_m, b->inv_m);
	if (i >= problem->round) {
		inv_a = problem->general[i - problem->round].inv_m_a;
		inv_b = problem->general[i - problem->round].inv_m_b;
	}
	a->v = sub(a->v, each(inv_a, dp));
	b->v = add(b->v, each(inv_b, dp));
	rich_turn(c->n, rich_of(problem, i), a, b, dp, dq);
}

// Sets the new impulse and gives the change to the bodies. Was it calm?
static bool change_to(talus_problem *problem, size_t i, impulse now, vec3 dp, vec3 dq, const calm *rule)
{
	talus_contact *c = &problem->contact[i];
	double curve = 0;
	if (i >= problem->plain) {
		talus_rich *r = rich_of(problem, i);
		r->q = now.q;
		curve = fmax(r->curve_a, r->curve_b);
	}
	problem_give(problem, i, dp, dq);
	c->p = now.p;
	c->mu = now.mu;
	return !rule || (is_calm(c->p, norm(dp), *rule) && is_calm(c->p, curve*norm(dq), *rule));
}

bool problem_take(talus_problem *problem, size_t i, impulse change, const calm *rule)
{
	impulse now = {add(problem->contact[i].p, change.p), add(torque_of(problem, i), change.q), change.mu};
	return change_to(problem, i, now, change.p, change.q, rule);
}

// The new impulse is written as it is, not as old plus change, which would round.
bool problem_visit(talus_problem *problem, size_t i, const calm *rule)
{
	impulse now = new_impulse(problem, i);
	vec3 dp = sub(now.p, problem->contact[i].p), dq = sub(now.q, torque_of(problem, i));
	return change_to(problem, i, now, dp, dq, rule);
}

static double reciprocal(double x)
{
	return x > 0 ? 1/x : 0;
}

void problem_visit_on(talus_problem *problem, size_t i, impulse *old, double beta, const double coarse[WORKS],
                      double sum[WORKS][LANES])
{
	talus_contact *c = &problem->contact[i];
	talus_rich *r = rich_of(problem, i);
	vec3 p_was = c->p, q_was = r->q;
	vec3 p = mul_add(c->p, beta, sub(c->p, old->p)), q = mul_add(r->q, beta, sub(r->q, old->q));
	old->p = c->p;
	old->q = r->q;
	c->p = p;
	r->q = q;
	problem_visit(problem, i, NULL);
	vec3 dp = sub(c->p, p), dq = sub(r->q, q);
	double by_p = reciprocal(c->mass_n), by_q = reciprocal(r->inertia);
	double size = by_p*dot(dp, dp) + by_q*dot(dq, dq);
	double along = -by_p*dot(dp, sub(c->p, p_was)) - by_q*dot(dq, sub(r->q, q_was));
	along = work_rounded(along, coarse[WORK_ALONG]);
	sum[WORK_SIZE][0] += work_rounded(size, coarse[WORK_SIZE]);
	sum[WORK_ALONG][0] += along;
	sum[WORK_SPAN][0] += fabs(along);
}

// What was given by another step's limits is cut to this one's.
static void project_rich(talus_contact *c, talus_rich *r)
{
	vec3 p = project(mul_add(c->p, r->pull, c->n), c->n, c->mu);
	double load = dot(p, c->n), qn = dot(r->q, c->n), most = r->twist*load;
	vec3 roll = mul_add(r->q, -qn, c->n);
	double share = r->roll*load/norm(roll);
	c->p = mul_add(p, -r->pull, c->n);
	r->q = mul_add(mul(share < 1 ? share : 1, roll), fmin(fmax(qn, -most), most), c->n);
}

static void project_some(void *job, size_t first, size_t last)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		talus_contact *c = &problem->contact[i];
		if (c->p.x != 0 || c->p.y != 0 || c->p.z != 0)
			c->p = project(c->p, c->n, c->mu);
	}
}

static void project_rich_some(void *job, size_t first, size_t last)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++)
		project_rich(&problem->contact[problem->plain + i], &problem->rich[i]);
}

void problem_project(talus_problem *problem, parallel *team)
{
	parallel_for(team, problem->plain, BLOCK, project_some, problem);
	parallel_for(team, problem->contacts - problem->plain, BLOCK, project_rich_some, problem);
}

void problem_start(talus_problem *problem)
{
	for (size_t i = 0; i < problem->contacts; i++)
		problem_give(problem, i, problem->contact[i].p, torque_of(problem, i));
}

vec3 problem_wrong(const talus_problem *problem, size_t i, double *approach)
{
	const talus_contact *c = &problem->contact[i];
	vec3 u = i < problem->plain ? velocity(problem, c) : velocity_in_flow(problem, c, rich_of(problem, i));
	*approach = -dot(u, c->n) - c->bias;
	return problem_change(problem, i).p;
}

static double plain_wrong(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	vec3 u = velocity(problem, c);
	double un = dot(u, c->n), slip = norm(mul_add(u, -un, c->n));
	vec3 w = mul_add(u, c->bias + c->mu*slip, c->n);
	vec3 e = sub(c->p, project(mul_add(c->p, -c->mass_n, w), c->n, c->mu));
	return dot(e, e);
}

static double rich_wrong(const talus_problem *problem, size_t i)
{
	const talus_rich *r = rich_of(problem, i);
	impulse change = problem_change(problem, i);
	double curve = fmax(r->curve_a, r->curve_b);
	double wrong = dot(change.p, change.p) + curve*curve*dot(change.q, change.q), rounding = 1e-12*r->slack;
	return wrong > rounding*rounding ? wrong : 0; // what is left of a gap term that cancels is no error
}

// A full mass matrix alone is no reason: the natural map does not care.
static bool judged_by_visit(const talus_problem *problem, size_t i)
{
	const talus_contact *c = &problem->contact[i];
	if (i < problem->round)
		return i >= problem->plain;
	const talus_rich *r = rich_of(problem, i);
	vec3 gap = mul(c->bias, c->n);
	bool aims = problem->flow || r->target.x != gap.x || r->target.y != gap.y || r->target.z != gap.z;
	return aims || r->pull > 0 || r->roll > 0 || r->twist > 0;
}

static void add_wrong(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	for (size_t i = first; i < last; i++) {
		part->term[0][i - first] = judged_by_visit(problem, i) ? rich_wrong(problem, i) : plain_wrong(problem, i);
		part->term[1][i - first] = dot(problem->contact[i].p, problem->contact[i].p);
	}
}

double residual_of(double wrong, double size)
{
	return wrong == 0 ? 0 : sqrt(wrong/(size > wrong ? size : wrong)); // not a number stays not a number
}

static void add_general_wrong(void *job, size_t first, size_t last, totals_part *part)
{
	const talus_problem *problem = job;
	add_wrong(job, problem->round + first, problem->round + last, part);
}

void problem_residual_parts(const talus_problem *problem, double part[2], parallel *team)
{
	talus_problem copy = *problem;
	totals all = totals_of(team, problem->contacts - problem->round, 2, add_general_wrong, &copy);
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
		vec3 a = problem->motion[c->a].v, b = problem->motion[c->b].v, p = c->p;
		part->term[0][i - first] = c->mass_n > 0 ? dot(p, p)/(c->mass_n*c->mass_n) : 0;
		part->most[0] = fmax(part->most[0], fmax(dot(a, a), dot(b, b)));
	}
}

bool problem_is_idle(const talus_problem *problem, parallel *team)
{
	talus_problem copy = *problem;
	totals all = totals_of(team, problem->contacts, 1, add_kicks, &copy);
	return all.sum[0] <= nothing*nothing*fmax(0, all.most[0])*(double)problem->contacts;
}
