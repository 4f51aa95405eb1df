// SPDX-License-Identifier: MIT
// The contact problem of a step of the simulation, as matrices. An impulse p_j at contact j changes the velocity at
// contact i by what it does to the bodies that both touch; with the sides +-1 on which a body is, its inverse mass
// and its k = r^2/I (law/coulomb.h):
//
//     du_i = side_i side_j p_j/m + k (n_j x p_j) x n_i,    (n_j x p_j) x n_i = p_j (n_i.n_j) - n_j (p_j.n_i)
//
// The frame of a contact is n, t1, t2, in the plane n, t1. What a contact aims at beside rest (gap term, bounce) is
// part of q. If spheres resist to rolling there are torques about t1 and t2 as well. With c = 1/r, and the spins
// c side s of law/extended.h, a torque Q_j and the spin Omega_i have
//
//     du_i = -k side_j c_j Q_j x n_i,   dOmega_i = k side_i c_i (side_j c_j Q_j - n_j x p_j)
#include "delassus/delassus.h"

#include "base/error.h"
#include "base/memory.h"
#include "law/coulomb.h"
#include "law/extended.h"
#include "solve/piston.h"

#include <string.h>

typedef struct frame {
	vec3 axis[3];
} frame;

static frame frame_of(const talus_problem *step, size_t i)
{
	vec3 n = step->contact[i].n, t = step->flat ? vec(-n.y, n.x, 0) : any_tangent(n);
	return (frame){{n, t, cross(n, t)}};
}

// ---------------------------------------------------------------- who touches a body

typedef struct touch {
	uint32_t contact;
	bool is_b;
} touch;

typedef struct touches { // those of body i: from first[i] to first[i + 1]
	size_t *first;
	touch *touch;
} touches;

static touches touches_find(const talus_problem *step)
{
	touches t = {memory_grow(NULL, 0, (step->bodies + 2)*sizeof *t.first),
		memory_grow(NULL, 0, 2*step->contacts*sizeof *t.touch + 1)};
	memset(t.first, 0, (step->bodies + 2)*sizeof *t.first);
	for (size_t i = 0; i < step->contacts; i++) {
		t.first[step->contact[i].a + 2]++;
		t.first[step->contact[i].b + 2]++;
	}
	for (size_t i = 0; i < step->bodies; i++)
		t.first[i + 2] += t.first[i + 1];
	for (size_t i = 0; i < step->contacts; i++) {
		t.touch[t.first[step->contact[i].a + 1]++] = (touch){(uint32_t)i, false};
		t.touch[t.first[step->contact[i].b + 1]++] = (touch){(uint32_t)i, true};
	}
	return t;
}

// ---------------------------------------------------------------- W

static vec3 inverse_mass(const talus_problem *step, touch at)
{
	if (at.contact >= step->class_end[TALUS_EXTENDED]) {
		const talus_full_mass *g = &step->full_mass[at.contact - step->class_end[TALUS_EXTENDED]];
		return at.is_b ? g->inv_m_b : g->inv_m_a;
	}
	uint32_t body = at.is_b ? step->contact[at.contact].b : step->contact[at.contact].a;
	if (piston_of(step, body))
		return piston_of(step, body)->inv_m;
	double inverse = step->motion[body].inv_m;
	return vec(inverse, inverse, inverse);
}

static bool moves(const talus_problem *step, touch at)
{
	vec3 inverse = inverse_mass(step, at);
	double k = step->motion[at.is_b ? step->contact[at.contact].b : step->contact[at.contact].a].r2_over_I;
	return inverse.x > 0 || inverse.y > 0 || inverse.z > 0 || k > 0;
}

enum { PUSHES = 3 }; // components of a contact from there on are torques

static vec3 axis_of(const frame *f, int component)
{
	return f->axis[component < PUSHES ? component : component - PUSHES + 1];
}

static bool rolls(const talus_problem *step, size_t i)
{
	return i >= step->class_end[TALUS_COULOMB] && step->extended[i - step->class_end[TALUS_COULOMB]].roll > 0 && step->extended[i - step->class_end[TALUS_COULOMB]].inertia > 0;
}

// Spin of a body, over s, as the contact counts it.
static double side_curve(const talus_problem *step, touch at)
{
	if (!rolls(step, at.contact))
		return 0;
	const talus_extended *r = &step->extended[at.contact - step->class_end[TALUS_COULOMB]];
	return at.is_b ? r->curve_b : -r->curve_a;
}

static double pushed_by_push(const talus_problem *step, touch i, touch j, const frame *fi, const frame *fj, int x, int y, double k)
{
	vec3 inverse = inverse_mass(step, j), e = fi->axis[x], f = fj->axis[y], ni = fi->axis[0], nj = fj->axis[0];
	double pushed = inverse.x*e.x*f.x + inverse.y*e.y*f.y + inverse.z*e.z*f.z;
	double turned = dot(e, f)*dot(ni, nj) - dot(e, nj)*dot(f, ni);
	return (i.is_b == j.is_b ? pushed : -pushed) + k*turned;
}

static void entry_add(sparse_entries *w, size_t row, size_t column, double value)
{
	w->row[w->count] = (uint32_t)row;
	w->column[w->count] = (uint32_t)column;
	w->value[w->count++] = value;
}

// What an impulse at j does at i through one body.
static void block_add(const talus_problem *step, int size, touch i, touch j, double k, sparse_entries *w)
{
	frame fi = frame_of(step, i.contact), fj = frame_of(step, j.contact);
	double ci = side_curve(step, i), cj = side_curve(step, j);
	for (int x = 0; x < size; x++)
		for (int y = 0; y < size; y++) {
			vec3 e = axis_of(&fi, x), f = axis_of(&fj, y);
			double value = x < PUSHES && y < PUSHES ? pushed_by_push(step, i, j, &fi, &fj, x, y, k)
			               : x < PUSHES             ? -k*cj*dot(e, cross(f, fi.axis[0]))
			               : y < PUSHES             ? -k*ci*dot(e, cross(fj.axis[0], f))
			                                        : k*ci*cj*dot(e, f);
			entry_add(w, i.contact*(size_t)size + (size_t)x, j.contact*(size_t)size + (size_t)y, value);
		}
}

// Contacts without rolling friction among others that have it: anything that keeps W regular, as their torques are 0.
static void fillers_add(const talus_problem *step, int size, sparse_entries *w)
{
	for (size_t i = 0; i < step->contacts; i++)
		for (int x = PUSHES; x < size && !rolls(step, i); x++) {
			size_t place = i*(size_t)size + (size_t)x;
			entry_add(w, place, place, step->row[i].mass_n > 0 ? 1/step->row[i].mass_n : 1);
		}
}

static size_t pairs_of(const talus_problem *step, const touches *t)
{
	size_t pairs = 0;
	for (size_t body = 0; body < step->bodies; body++) {
		size_t count = t->first[body + 1] - t->first[body];
		if (count && moves(step, t->touch[t->first[body]]))
			pairs += count*count;
	}
	return pairs;
}

static void w_make(const talus_problem *step, delassus_problem *problem)
{
	touches t = touches_find(step);
	size_t size = (size_t)problem->size, most = pairs_of(step, &t)*size*size + 2*step->contacts;
	sparse_entries w = {.rows = step->contacts*size, .columns = step->contacts*size,
		.row = memory_grow(NULL, 0, most*sizeof *w.row + 1),
		.column = memory_grow(NULL, 0, most*sizeof *w.column + 1),
		.value = memory_grow(NULL, 0, most*sizeof *w.value + 1)};
	for (size_t body = 0; body < step->bodies; body++) {
		size_t first = t.first[body], last = t.first[body + 1];
		if (first == last || !moves(step, t.touch[first]))
			continue;
		for (size_t i = first; i < last; i++)
			for (size_t j = first; j < last; j++)
				block_add(step, problem->size, t.touch[i], t.touch[j], step->motion[body].r2_over_I, &w);
	}
	fillers_add(step, problem->size, &w);
	delassus_problem_set_w(problem, &w);
	sparse_entries_free(&w);
	memory_free(t.first);
	memory_free(t.touch);
}

// ---------------------------------------------------------------- all

// Whether its laws can be said in this form.
static bool fits(const talus_problem *step, size_t i)
{
	if (i < step->class_end[TALUS_COULOMB])
		return true;
	const talus_extended *r = &step->extended[i - step->class_end[TALUS_COULOMB]];
	return r->cohesion_impulse <= 0 && r->twist <= 0 && r->mu_stick == r->mu_slide && !(step->flat && r->roll > 0);
}

static int size_of(const talus_problem *step)
{
	for (size_t i = step->class_end[TALUS_COULOMB]; i < step->contacts; i++)
		if (rolls(step, i))
			return 5;
	return step->flat ? 2 : 3;
}

// Components of a velocity or a push, and of a spin or a torque.
static void put(const frame *f, int size, vec3 a, vec3 turn, double *out)
{
	for (int k = 0; k < size; k++)
		out[k] = dot(axis_of(f, k), k < PUSHES ? a : turn);
}

bool delassus_of_step(delassus_problem *problem, const talus_problem *step, talus_error *error)
{
	memset(problem, 0, sizeof *problem);
	if (step->flow)
		return error_set(error, "the cell deforms with the contacts: that is not a problem of contacts alone");
	for (size_t i = 0; i < step->contacts; i++)
		if (!fits(step, i))
			return error_set(error, "contact %zu does more than exclude volume, bounce, rub and, between spheres, resist to "
				"rolling: cohesion, torsion and rolling of disks do not fit into this form", i);
	int size = size_of(step);
	delassus_problem_init(problem, size, step->contacts);
	for (size_t i = 0; i < step->contacts; i++) {
		const talus_contact *c = &step->contact[i];
		const talus_solver_body *a = &step->motion[c->a], *b = &step->motion[c->b];
		const talus_extended *r = i < step->class_end[TALUS_COULOMB] ? NULL : &step->extended[i - step->class_end[TALUS_COULOMB]];
		bool turns = rolls(step, i);
		frame f = frame_of(step, i);
		vec3 u = coulomb_velocity(c->n, a, b);
		u = r ? add(u, r->target) : mul_add(u, step->row[i].bias, c->n);
		put(&f, size, u, turns ? extended_contact_spin(r, a, b) : vec(0, 0, 0), problem->q + i*(size_t)size);
		problem->mu[i] = step->row[i].mu;
		if (turns)
			problem->mu_roll[i] = r->roll;
	}
	w_make(step, problem);
	return true;
}

void delassus_step_impulses(const talus_problem *step, double *r)
{
	int size = size_of(step);
	for (size_t i = 0; i < step->contacts; i++) {
		frame f = frame_of(step, i);
		put(&f, size, step->p[i], rolls(step, i) ? step->q[i - step->class_end[TALUS_COULOMB]] : vec(0, 0, 0), r + i*(size_t)size);
	}
}
