// SPDX-License-Identifier: MIT
// Classes of contacts. What all contacts of a class have in common, how they are packed, swept and judged, is a record; schedules, sweeps, momentum
// and errors go over the records and know no class by name. A further class is a record, its loops in the kernels, and a place in
// extend.h's list: the table of contacts has them one after the other.
#ifndef TALUS_SOLVE_CLASSES_H
#define TALUS_SOLVE_CLASSES_H

#include "law/extended.h"
#include "solve/kernel.h"

// Those in batches come first; the others are visited one by one.
enum { CLASSES_IN_BATCHES = TALUS_FULL_MASS };

// All batches of a class, and what a sweep brings along.
typedef struct class_sweep {
	const kernel *loops;
	talus_solver_body *motion;
	void *batch;
	bool far;             // they are not in the cache
	const change_limit *rule;     // NULL: none
	const talus_cell_unknowns *flow; // of a cell that deforms, or NULL; then what each batch did goes to its place in `moved`
	double (*moved)[MOVED];
	void *past;           // with momentum, else NULL
	double beta;
	const double *coarse;
	double (*sum)[LANES];
} class_sweep;

// A single contact on its way: lines of its bodies, which need not be those of the problem.
typedef struct class_bodies {
	talus_solver_body *a, *b;
} class_bodies;

enum { CLASS_BATCH_MOST = sizeof(extended_batch) }; // bytes

typedef struct contact_class {
	const char *name, *meaning;

	// In batches of LANES contacts that share no body; or, with batch_size 0, one by one where they are, by one thread (CLASSES_IN_BATCHES).
	size_t batch_size, past_size; // bytes; the latter: what momentum keeps of a batch, or of a single contact
	void (*clear)(void *batch, uint32_t dummy_body);
	void (*put)(void *batch, uint32_t lane, contact_bodies at, const talus_problem *problem, size_t contact);
	void (*put_some)(void *batches, const uint32_t *place, const contact_bodies *at, const talus_problem *problem, size_t first, size_t last);
	void (*take_some)(const void *batches, const uint32_t *place, const talus_problem *problem, size_t first, size_t last);
	void (*take_row)(const void *batches, const uint32_t *row, size_t count, const talus_problem *problem); // row[i]: lane i
	void (*put_row)(void *batches, const uint32_t *row, size_t count, const contact_bodies *at, const talus_problem *problem);
	impulse (*read)(const void *batch, uint32_t lane); // p and friction
	void (*scale)(void *batch, double a);              // its impulses
	void (*freeze)(void *batch);                       // contacts keep the friction that they count with; NULL: they have but one

	// What a sweep does to some of them; false: not all were calm. With a rule there is one span.
	bool (*sweep)(const class_sweep *w, const batch_span *at, size_t spans);
	void (*give)(const class_sweep *w, const batch_span *at); // the impulses that there are, to the bodies
	void (*residual)(const class_sweep *w, size_t batch, double wrong[LANES], double size[LANES]);
	void (*begin)(void *past, const void *batch);      // momentum: nothing has been before, but all are numbers
	void (*terms)(const void *batch, const void *past, double term[LANES]); // |change|^2/m since the last sweep

	// A single contact.
	impulse (*visit)(const talus_problem *problem, size_t contact); // what its law asks for
	vec3 (*velocity)(const talus_problem *problem, size_t contact); // at the contact
	void (*give_one)(const talus_problem *problem, size_t contact, class_bodies to, vec3 dp, vec3 dq);
	void (*project)(const talus_problem *problem, size_t first, size_t last); // first guesses become such as its limits allow
	double (*wrong)(const talus_problem *problem, size_t contact);  // squared
	bool has_torque;    // and q, extended
	bool moves_pistons; // each by itself: others hold them, and all of their contacts move them at once
} contact_class;

extern const contact_class *const contact_classes[TALUS_CLASSES];
extern const contact_class class_coulomb, class_extended, class_full_mass;

static inline size_t class_first(const talus_problem *problem, int k)
{
	return k == 0 ? 0 : problem->class_end[k - 1];
}

static inline size_t class_end(const talus_problem *problem, int k)
{
	return k + 1 < TALUS_CLASSES ? problem->class_end[k] : problem->contacts;
}

static inline size_t class_count(const talus_problem *problem, int k)
{
	return class_end(problem, k) - class_first(problem, k);
}

static inline int class_of(const talus_problem *problem, size_t contact)
{
	int k = 0;
	while (k + 1 < TALUS_CLASSES && contact >= problem->class_end[k])
		k++;
	return k;
}

static inline void *class_batch(const contact_class *k, void *batches, size_t i)
{
	return (char *)batches + i*k->batch_size;
}

// Those with torques and further laws: contact class_first(problem, TALUS_EXTENDED) + i has extended[i] and q[i].
static inline talus_extended *class_extended_contact(const talus_problem *problem, size_t contact)
{
	return &problem->extended[contact - problem->class_end[TALUS_COULOMB]];
}

static inline vec3 *class_torque(const talus_problem *problem, size_t contact)
{
	return &problem->q[contact - problem->class_end[TALUS_COULOMB]];
}

static inline double class_inverse(double x) // of a mass; nothing moves what has none
{
	return x > 0 ? 1/x : 0;
}

// class_coulomb.c: nearest point of the cone with opening mu about n; sooner where it is itself.
vec3 class_nearest(vec3 p, vec3 n, double mu);

// class_coulomb.c, class_extended.c: for those that are like them in this.
vec3 class_velocity(const talus_problem *problem, size_t contact);
vec3 class_velocity_in_flow(const talus_problem *problem, size_t contact);
double class_natural_wrong(const talus_problem *problem, size_t contact);
double class_visit_wrong(const talus_problem *problem, size_t contact, impulse now);
void class_project_extended(const talus_problem *problem, size_t first, size_t last);

#endif
