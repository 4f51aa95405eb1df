// SPDX-License-Identifier: MIT
// Walls with a mass. A piston touches hundreds of grains, so if each of them moved it they would have to wait for each other. Instead its velocity V
// is held while all of its contacts are visited; then it goes towards what their impulses ask for,
//     V* = V_free + sum of p/M.
// Not all the way: contacts that push resist with their masses, and the balance  M (V - V_free) = sum of p(V)  has its root at
//     V + (1 + A/M)^-1 (V* - V),   A = sum of m_n n n + m_t (1 - n n) where they stick, m_n (n + mu e) n where they slide along e.
// That is one step of Newton's method; p(V) is monotone, made of straight pieces, and depends on nothing but V while the grains are left alone. So contacts
// look again with the new V until both agree, if A/M is not small: a few looks, as light as the piston may be. In the end V is V*, so no momentum is lost.
#include "solve/piston.h"

#include "base/memory.h"
#include "base/totals.h"
#include "base/vec.h"
#include "solve/solve.h"

#include <math.h>

enum { LOOKS = 8, LAST_LOOKS = 40 };
static const double light = 1e-4;     // A/M, if all contacts pushed, from which on they look again
static const double enough = 1e-9;    // of how far it went at first: what may be missing
static const double rounding = 4e-16; // of the impulses, and of the momentum of grains that go along
static const double as_far = 0.9;     // of the last step: one that leads back so far, twice in a row, leads nowhere
static const double sliding = 1 - 1e-9;

// ---------------------------------------------------------------- contacts

static void reserve(solver_bodies *l, const talus_problem *problem)
{
	if (!l->pistons) {
		l->pistons = memory_grow(NULL, 0, sizeof *l->pistons);
		*l->pistons = (pistons){0};
	}
	pistons *all = l->pistons;
	all->at = memory_room(all->at, &all->capacity, problem->pistons, sizeof *all->at);
	all->count = problem->pistons;
	all->rows = all->first_line = all->last_line = 0;
	for (size_t k = 0; k < all->count; k++) {
		const talus_piston *from = &problem->piston[k];
		all->at[k] = (piston){.line = from->line, .inv_m = from->inv_m, .free = problem->motion[from->line].v};
	}
}

// The piston of a contact, NULL if it has none; `second`: it is body b.
static piston *piston_at(const pistons *all, const talus_problem *problem, uint32_t contact, bool *second)
{
	const talus_contact *c = &problem->contact[contact];
	const talus_piston *a = piston_of(problem, c->a), *b = a ? NULL : piston_of(problem, c->b);
	*second = b != NULL;
	return a || b ? &all->at[(a ? a : b) - problem->piston] : NULL;
}

// How many each has, and where they begin.
static void count_rows(pistons *all, const talus_problem *problem)
{
	bool second;
	for (uint32_t i = 0; i < problem->contacts; i++) {
		piston *at = piston_at(all, problem, i, &second);
		if (at)
			at->rows++;
	}
	for (size_t k = 0; k < all->count; k++) {
		all->at[k].first = (uint32_t)all->rows;
		all->rows += all->at[k].rows;
		all->at[k].rows = 0;
	}
	all->row = memory_room(all->row, &all->row_capacity, all->rows, sizeof *all->row);
}

static piston_row *rows_of(const pistons *all, const piston *at)
{
	return at->rows > 0 ? all->row + at->first : NULL;
}

static void add_row(solver_bodies *l, uint32_t contact, piston *at, bool second)
{
	uint32_t row = at->first + at->rows++, line = l->pistons->first_line/LINE + row;
	l->pistons->row[row] = (piston_row){.contact = contact, .line = line, .side = second ? 1 : -1};
	*(second ? &l->at[contact].b : &l->at[contact].a) = line*LINE;
	l->motion[line] = (talus_solver_body){.v = at->free};
}

static double mass_at(const talus_problem *problem, uint32_t contact)
{
	return contact_classes[class_of(problem, contact)]->moves_pistons ? 0 : problem->row[contact].mass_n;
}

typedef struct weighing {
	const talus_problem *problem;
	const piston_row *row;
} weighing;

static void weigh(void *job, size_t first, size_t last, totals_part *part)
{
	const weighing *w = job;
	for (size_t i = first; i < last; i++)
		part->term[0][i - first] = mass_at(w->problem, w->row[i].contact);
}

size_t pistons_count(solver_bodies *l, const talus_problem *problem)
{
	if (l->pistons || problem->pistons > 0)
		reserve(l, problem);
	if (problem->pistons == 0)
		return 0;
	count_rows(l->pistons, problem);
	return l->pistons->rows;
}

void pistons_take(solver_bodies *l, const talus_problem *problem)
{
	bool second;
	if (problem->pistons == 0)
		return;
	pistons *all = l->pistons;
	all->first_line = (uint32_t)l->count*LINE;
	for (uint32_t i = 0; i < problem->contacts; i++) {
		piston *at = piston_at(all, problem, i, &second);
		if (at)
			add_row(l, i, at, second);
	}
	l->count += all->rows;
	all->last_line = (uint32_t)l->count*LINE;
	for (size_t k = 0; k < all->count; k++)
		all->at[k].mass = totals_of(NULL, all->at[k].rows, 1, weigh, &(weighing){problem, rows_of(all, &all->at[k])}).sum[0];
}

static void spread(const solver_bodies *l, const piston *at)
{
	const piston_row *row = rows_of(l->pistons, at);
	for (uint32_t i = 0; i < at->rows; i++)
		l->motion[row[i].line].v = l->motion[at->line].v;
}

void pistons_spread(const solver_bodies *l)
{
	for (size_t k = 0; l->pistons && k < l->pistons->count; k++)
		spread(l, &l->pistons->at[k]);
}

void pistons_free(pistons *all)
{
	if (!all)
		return;
	memory_free(all->at);
	memory_free(all->row);
	memory_free(all);
}

// Where impulses are.
typedef struct source {
	const schedule *plan;
	const talus_problem *problem;
	const impulse *change; // to be added, a share of what visits would do; NULL: none
	double share;          // then, else 1
} source;

static void fetch_row(piston_row *row, const source *from)
{
	const schedule *s = from->plan;
	const talus_problem *problem = from->problem;
	vec3 p = problem->p[row->contact];
	row->p = from->change ? add(p, from->change[row->contact].p) : p;
	row->mu = problem->row[row->contact].mu;
	int k = class_of(problem, row->contact);
	const contact_class *class = contact_classes[k];
	if (!s || !s->batched || !class->batch_size)
		return;
	uint32_t place = s->place[row->contact];
	impulse now = class->read(class_batch(class, s->of[k].batch, place/LANES), place%LANES);
	row->p = now.p;
	row->mu = now.mu;
}

// ---------------------------------------------------------------- what all contacts of a piston do

enum { STIFF = 9 };
enum { PUSH, SIZE = PUSH + 3, SUMS };

typedef struct response {
	vec3 push;       // sum of the impulses on the piston
	double size;     // sum of their lengths
	double a[STIFF]; // A, row by row
} response;

typedef struct responding {
	const source *from;
	const piston *at;
	piston_row *row;
} responding;

// Gets the impulses on the way.
static void add_pushes(void *job, size_t first, size_t last, totals_part *part)
{
	const responding *r = job;
	for (size_t i = first; i < last; i++) {
		piston_row *row = &r->row[i];
		fetch_row(row, r->from);
		for (int k = 0; k < 3; k++)
			part->term[PUSH + k][i - first] = row->side*component(row->p, k);
		part->term[SIZE][i - first] = norm(row->p);
	}
}

// Against motion along n, with the friction that goes with it, and, if it sticks, across; in the directions that count. Bonds that pull as much as they can
// give way.
static void add_contact(const talus_problem *problem, const piston_row *row, vec3 inv_m, totals_part *part, size_t term)
{
	const talus_row *c = &problem->row[row->contact];
	vec3 n = problem->contact[row->contact].n;
	const contact_class *class = contact_classes[class_of(problem, row->contact)];
	double pull = class->has_torque ? class_extended_contact(problem, row->contact)->cohesion_impulse : 0;
	double pn = dot(row->p, n), load = pn + pull;
	if (class->moves_pistons || pn == 0 || load <= 0)
		return;
	vec3 t = mul_add(row->p, -pn, n), along = mul(c->mass_n, n);
	double across = norm(t) < sliding*row->mu*load ? c->mass_t : 0;
	along = across > 0 ? mul_add(along, -across, n) : mul_add(along, c->mass_n/load, t);
	for (int i = 0; i < 3; i++)
		for (int j = 0; component(inv_m, i) > 0 && j < 3; j++)
			part->term[3*i + j][term] = component(along, i)*component(n, j) + (i == j ? across : 0);
}

static void add_stiffness(void *job, size_t first, size_t last, totals_part *part)
{
	const responding *r = job;
	for (size_t i = first; i < last; i++)
		add_contact(r->from->problem, &r->row[i], r->at->inv_m, part, i - first);
}

static response pushes(const pistons *all, const piston *at, const source *from)
{
	totals t = totals_of(NULL, at->rows, SUMS, add_pushes, &(responding){from, at, rows_of(all, at)});
	return (response){.push = vec(t.sum[PUSH], t.sum[PUSH + 1], t.sum[PUSH + 2]), .size = t.sum[SIZE]};
}

static response respond(const pistons *all, const piston *at, const source *from)
{
	response r = pushes(all, at, from);
	if (!isfinite(r.size))
		return r;
	totals t = totals_of(NULL, at->rows, STIFF, add_stiffness, &(responding){from, at, rows_of(all, at)});
	for (int k = 0; k < STIFF; k++)
		r.a[k] = from->share*t.sum[k];
	return r;
}

static vec3 each(vec3 a, vec3 b)
{
	return vec(a.x*b.x, a.y*b.y, a.z*b.z);
}

// ---------------------------------------------------------------- the velocity

void pistons_exact(const solver_bodies *l, const schedule *plan, const talus_problem *problem)
{
	for (size_t k = 0; l->pistons && k < l->pistons->count; k++) {
		const piston *at = &l->pistons->at[k];
		source from = {.plan = plan, .problem = problem, .share = 1};
		l->motion[at->line].v = add(at->free, each(at->inv_m, pushes(l->pistons, at, &from).push));
		spread(l, at);
	}
}

// (1 + A/M)^-1 x, where directions that are not free have no 1/M.
static vec3 newton(const double a[STIFF], vec3 inv_m, vec3 x)
{
	double w[3][4] = {{1 + inv_m.x*a[0], inv_m.x*a[1], inv_m.x*a[2], x.x},
	                  {inv_m.y*a[3], 1 + inv_m.y*a[4], inv_m.y*a[5], x.y},
	                  {inv_m.z*a[6], inv_m.z*a[7], 1 + inv_m.z*a[8], x.z}};
	for (int i = 0; i < 2; i++)
		for (int j = i + 1; j < 3; j++) {
			double share = w[j][i]/w[i][i];
			for (int k = i; k < 4; k++)
				w[j][k] -= share*w[i][k];
		}
	vec3 y;
	y.z = w[2][3]/w[2][2];
	y.y = (w[1][3] - w[1][2]*y.z)/w[1][1];
	y.x = (w[0][3] - w[0][1]*y.y - w[0][2]*y.z)/w[0][0];
	return y;
}

// Where pieces of p(V) change, a step may be far too long; mostly the next one is right then. If steps go to and fro the root is between their ends,
// where a straight line has it.
static vec3 next_velocity(piston *at, const response *r, double resist, vec3 v, vec3 missing)
{
	double back = -dot(missing, at->way);
	vec3 way = newton(r->a, at->inv_m, missing);
	if (!(dot(missing, way) > 0)) // friction that pulls it along (Painleve): not far, then
		way = mul(1/(1 + resist), missing);
	bool returns = back > 0 && -dot(way, at->way) > as_far*dot(at->way, at->way);
	at->returns = returns ? at->returns + 1 : 0;
	if (at->returns > 1) {
		double share = at->asked/(at->asked + back);
		v = at->from;
		way = mul(share, at->way);
		at->asked *= share;
	} else {
		at->from = v;
		at->asked = dot(missing, way);
	}
	at->way = way;
	return add(v, way);
}

static void begin_looks(piston *at, double went, double size)
{
	at->went = went;
	at->size = size;
	at->way = vec(0, 0, 0);
	at->asked = 0;
	at->returns = 0;
}

static bool settle(const solver_bodies *l, piston *at, const source *from, int look, int most)
{
	response r = respond(l->pistons, at, from);
	vec3 *v = &l->motion[at->line].v, wanted = add(at->free, each(at->inv_m, r.push)), missing = sub(wanted, *v);
	double per_mass = fmax(at->inv_m.x, fmax(at->inv_m.y, at->inv_m.z));
	double resist = per_mass*from->share*at->mass;
	if (look == 0)
		begin_looks(at, norm(missing)/(1 + resist), r.size);
	at->size = fmax(at->size, r.size);
	bool wrong = resist > light && norm(missing) > fmax(enough*at->went, rounding*(per_mass*at->size + resist*norm(*v)));
	*v = wrong ? next_velocity(at, &r, resist, *v, missing) : wanted;
	spread(l, at);
	return wrong && look < most;
}

static bool settle_all(const solver_bodies *l, const source *from, int look, int most)
{
	bool again = false;
	for (size_t k = 0; l->pistons && k < l->pistons->count; k++)
		again |= settle(l, &l->pistons->at[k], from, look, most);
	return again;
}

bool pistons_settle(const solver_bodies *l, const schedule *plan, const talus_problem *problem, int which, int look)
{
	return settle(l, &l->pistons->at[which], &(source){.plan = plan, .problem = problem, .share = 1}, look, LOOKS);
}

// ---------------------------------------------------------------- without a schedule

void pistons_foresee(const solver_bodies *l, const talus_problem *problem, double share, impulse *change)
{
	source from = {.problem = problem, .change = change, .share = share};
	for (int look = 0; settle_all(l, &from, look, LOOKS); look++)
		for (size_t i = 0; i < l->pistons->rows; i++) {
			uint32_t c = l->pistons->row[i].contact;
			change[c] = problem_change(problem, c);
			change[c].p = mul(share, change[c].p);
			change[c].q = mul(share, change[c].q);
		}
}

void pistons_finish(const solver_bodies *l, talus_problem *problem)
{
	source from = {.problem = problem, .share = 1};
	for (int look = 0; settle_all(l, &from, look, LAST_LOOKS); look++)
		for (size_t i = 0; i < l->pistons->rows; i++)
			problem_visit(problem, l->pistons->row[i].contact, NULL);
}
