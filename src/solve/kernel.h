// SPDX-License-Identifier: MIT
// The inner loops of the sweeps, and the contacts as these want them: eight at a time that share no body, as columns.
#ifndef TALUS_SOLVE_KERNEL_H
#define TALUS_SOLVE_KERNEL_H

#include <talus/extend.h>

enum { LANES = 8, KERNEL_AHEAD = 3 }; // contacts of a group; groups that batches must go on beyond their end

enum { LINE = sizeof(talus_solver_body)/sizeof(double) };

typedef struct contact_bodies { // lines of the two bodies of a contact, counted in doubles
	uint32_t a, b;
} contact_bodies;

// Lanes that are left over have no normal, no impulse and an immovable line for both bodies: nothing comes of them.
typedef struct batch {
	contact_bodies at[LANES];
	double n[3][LANES];
	double bias[LANES], mass_n[LANES], mass_t[LANES], mu[LANES];
	double p[3][LANES];
} batch;

static inline void batch_clear(batch *b, uint32_t dummy_body)
{
	*b = (batch){0};
	for (int l = 0; l < LANES; l++)
		b->at[l] = (contact_bodies){dummy_body, dummy_body};
}

static inline void batch_put(batch *b, uint32_t lane, contact_bodies at, talus_vec3 n, const talus_row *row, talus_vec3 p)
{
	b->at[lane] = at;
	b->n[0][lane] = n.x, b->n[1][lane] = n.y, b->n[2][lane] = n.z;
	b->bias[lane] = row->bias, b->mass_n[lane] = row->mass_n, b->mass_t[lane] = row->mass_t, b->mu[lane] = row->mu;
	b->p[0][lane] = p.x, b->p[1][lane] = p.y, b->p[2][lane] = p.z;
}

static inline talus_vec3 batch_impulse(const batch *b, uint32_t lane)
{
	return (talus_vec3){b->p[0][lane], b->p[1][lane], b->p[2][lane]};
}

// The same for contacts with more than that. All but `at` are columns, one after the other.
typedef struct extended_batch {
	contact_bodies at[LANES];
	double n[3][LANES];
	double mass_n[LANES], mass_t[LANES];
	double target[3][LANES];
	double gap_allowance[LANES], cohesion_impulse[LANES];
	double mu[LANES], mu_stick[LANES], mu_slide[LANES];
	double roll[LANES], twist[LANES], inertia[LANES], curve_a[LANES], curve_b[LANES], torque_coupling[LANES];
	double wall_spin[3][LANES];
	double p[3][LANES], q[3][LANES];
	double centre_distance[LANES];
} extended_batch;

// What contacts do to a cell that deforms: sums of dp_i l_j for xx, yy, zz, xy, xz, yz, and of m_n l^2 over those that push.
enum { FLOWS = 6, STIFFNESS = FLOWS, MOVED };

void extended_batch_clear(extended_batch *b, uint32_t dummy_body);
void extended_batch_put(extended_batch *b, uint32_t lane, contact_bodies at, const talus_problem *problem, size_t contact);
void extended_batch_take(const extended_batch *b, uint32_t lane, const talus_problem *problem, size_t contact); // p, q and mu

// A contact is calm when a visit changes its impulse by |dp| <= share |p| + floor.
typedef struct change_limit {
	double relative, absolute;
} change_limit;

// Sweeps with momentum (momentum.c) start each contact from  y = p + beta (p - what it was a sweep before).
typedef struct past { // that, of a batch
	double p[3][LANES];
	double weight[LANES]; // 1/m_n, 0 in lanes without a contact
} past;

typedef struct extended_past {
	double p[3][LANES], q[3][LANES];
} extended_past;

// What a sweep did: sums of |e|^2/m, of e.(p - old p)/m and of the size of the latter, with e = y - p. Every term is rounded to
// a multiple of a unit first, one for each sum, and sums of multiples are exact as long as they are not too many (work.c): so it
// does not matter who adds what, and when.
enum { WORK_SIZE, WORK_ALONG, WORK_SPAN, WORKS };

// The multiple next to x, if `coarse` is 1.5 times a power of two: so large that the unit is its last place.
static inline double work_rounded(double x, double coarse)
{
	return (x + coarse) - coarse;
}

// What a look sees in every lane: how fast one closes beyond what it may, at most; the largest component of e/m, e what a visit would change of p;
// the largest mu |p|; how many push.
enum { SEEN_APPROACH, SEEN_SPEED, SEEN_HOLD, SEEN_PUSHES, SEEN };

typedef struct look_terms { // of one contact after the other: |e|^2, |p|^2, |p|
	double *wrong, *size, *push;
} look_terms;

typedef struct glance { // of a batch: e/m, and 1 where there is an impulse or would be one
	double v[3][LANES], any[LANES];
} glance;

// In the cells where they are: how many push or would, and the nine of (e/m) n. What follows in a cell is not touched.
enum { LOOK_COUNT, LOOK_TENSOR, LOOK_END = LOOK_TENSOR + 9, LOOK_CELL = 16 };

// Loops over extended contacts, in batches.
typedef struct extended_kernel {
	bool (*sweep)(extended_batch *b, size_t groups, talus_solver_body *motion, const change_limit *rule); // true without a rule
	// The same in a cell that deforms; writes for every group the sums of dp_i l_j.
	bool (*sweep_flow)(extended_batch *b, size_t groups, talus_solver_body *motion, const change_limit *rule, const talus_cell_unknowns *flow,
	                   double (*moved)[MOVED]);
	// Either of the two with momentum; flow and moved are NULL where the cell does not deform. Adds to `sum`.
	void (*accelerated_sweep)(extended_batch *b, size_t groups, talus_solver_body *motion, const talus_cell_unknowns *flow, double (*moved)[MOVED],
	                 extended_past *past, double beta, const double coarse[WORKS], double sum[WORKS][LANES]);
	void (*give)(const extended_batch *b, size_t groups, talus_solver_body *motion);
	// Adds up how much a visit would change p (q over the smaller radius counts too), squared, and |p|^2.
	void (*residual)(const extended_batch *b, size_t groups, const talus_solver_body *motion, const talus_cell_unknowns *flow,
	                 double wrong[LANES], double size[LANES]); // flow NULL: the cell does not deform
} extended_kernel;

// Batches one after the other. If it is said to join, the first KERNEL_JOINED of them share no body with as many of the last of the span
// before, so that the loop need not wait until that is done.
enum { KERNEL_JOINED = 3 };
typedef struct batch_span {
	uint32_t first, count;
	bool joins;
} batch_span;

// The loops go over groups of eight contacts that share no body: batches.
typedef struct kernel {
	const char *name;
	size_t near; // bytes of batches; with more, bodies should be asked for early (`far`)
	const extended_kernel *extended;
	const struct kernel *flat; // the same for disks
	void (*sweep)(batch *b, const batch_span *at, size_t spans, talus_solver_body *motion, bool far); // far: bodies are not in the cache
	bool (*sweep_watched)(batch *b, size_t groups, talus_solver_body *motion, change_limit c); // were all calm?
	void (*accelerated_sweep)(batch *b, const batch_span *at, size_t spans, talus_solver_body *motion, bool far, past *past, double beta,
	                 const double coarse[WORKS], double sum[WORKS][LANES]); // with momentum; adds to `sum`
	// Bodies go on from where they were before, too: some of a row of them. `before` has room for a line of each, and is theirs.
	void (*carry)(talus_solver_body *motion, const uint32_t *body, double *before, size_t first, size_t last, double beta);
	void (*give)(const batch *b, size_t groups, talus_solver_body *motion);            // p to the bodies, as it is
	// Adds up for every lane |p - P(p - m_n w)|^2 and |p|^2, the parts of the residual (problem.c).
	void (*residual)(const batch *b, size_t groups, const talus_solver_body *motion, double wrong[LANES], double size[LANES]);
	void (*look)(const batch *b, size_t groups, const talus_solver_body *motion, glance *to, const look_terms *term,
	             double seen[SEEN][LANES]);
	// What it saw, in multiples of a unit; `where` says for every lane at which of the doubles its cell begins.
	void (*look_add)(const batch *b, size_t groups, const glance *from, double unit, const uint32_t *where, double *cells);
} kernel;

// The widest that this processor can, or one by its name; NULL if it cannot.
const kernel *kernel_best(void);
const kernel *kernel_named(talus_simd simd);

#endif
