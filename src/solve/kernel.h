// SPDX-License-Identifier: MIT
// The inner loops of the sweeps, and the contacts as these want them: eight at a time that share no body, as columns.
#ifndef TALUS_SOLVE_KERNEL_H
#define TALUS_SOLVE_KERNEL_H

#include <talus/extend.h>

enum { LANES = 8, KERNEL_AHEAD = 3 }; // contacts of a group; groups that rows and batches must go on beyond their end

enum { LINE = sizeof(talus_motion)/sizeof(double) };

typedef struct ends { // lines of the two bodies of a contact, counted in doubles
	uint32_t a, b;
} ends;

// Lanes that are left over have no normal, no impulse and an immovable line for both bodies: nothing comes of them.
typedef struct batch {
	ends at[LANES];
	double n[3][LANES];
	double bias[LANES], mass_n[LANES], mass_t[LANES], mu[LANES];
	double p[3][LANES];
} batch;

static inline void batch_clear(batch *b, uint32_t nobody)
{
	*b = (batch){0};
	for (int l = 0; l < LANES; l++)
		b->at[l] = (ends){nobody, nobody};
}

static inline void batch_put(batch *b, uint32_t lane, ends at, const talus_contact *c)
{
	b->at[lane] = at;
	b->n[0][lane] = c->n.x, b->n[1][lane] = c->n.y, b->n[2][lane] = c->n.z;
	b->bias[lane] = c->bias, b->mass_n[lane] = c->mass_n, b->mass_t[lane] = c->mass_t, b->mu[lane] = c->mu;
	b->p[0][lane] = c->p.x, b->p[1][lane] = c->p.y, b->p[2][lane] = c->p.z;
}

static inline talus_vec3 batch_impulse(const batch *b, uint32_t lane)
{
	return (talus_vec3){b->p[0][lane], b->p[1][lane], b->p[2][lane]};
}

// The same for contacts with more than that. All but `at` are columns, one after the other.
typedef struct rich_batch {
	ends at[LANES];
	double n[3][LANES];
	double mass_n[LANES], mass_t[LANES];
	double target[3][LANES];
	double slack[LANES], pull[LANES];
	double mu[LANES], mu_stick[LANES], mu_slide[LANES];
	double roll[LANES], twist[LANES], inertia[LANES], curve_a[LANES], curve_b[LANES], couple[LANES];
	double turning[3][LANES];
	double p[3][LANES], q[3][LANES];
	double span[LANES];
} rich_batch;

// What contacts do to a cell that deforms: sums of dp_i l_j for xx, yy, zz, xy, xz, yz, and of m_n l^2 over those that push.
enum { FLOWS = 6, STIFFNESS = FLOWS, MOVED };

void rich_batch_clear(rich_batch *b, uint32_t nobody);
void rich_batch_put(rich_batch *b, uint32_t lane, ends at, const talus_contact *c, const talus_rich *r);
void rich_batch_take(const rich_batch *b, uint32_t lane, talus_contact *c, talus_rich *r); // p, q and mu

// A contact is calm when a visit changes its impulse by |dp| <= share |p| + floor.
typedef struct calm {
	double share, floor;
} calm;

// Sweeps with momentum (momentum.c) start each contact from  y = p + beta (p - what it was a sweep before).
typedef struct past { // that, of a batch
	double p[3][LANES];
	double weight[LANES]; // 1/m_n, 0 in lanes without a contact
} past;

typedef struct rich_past {
	double p[3][LANES], q[3][LANES];
} rich_past;

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

// Loops over rich contacts, in batches.
typedef struct rich_kernel {
	bool (*sweep)(rich_batch *b, size_t groups, talus_motion *motion, const calm *rule); // true without a rule
	// The same in a cell that deforms; writes for every group the sums of dp_i l_j.
	bool (*sweep_flow)(rich_batch *b, size_t groups, talus_motion *motion, const calm *rule, const talus_flow *flow,
	                   double (*moved)[MOVED]);
	// Either of the two with momentum; flow and moved are NULL where the cell does not deform. Adds to `sum`.
	void (*sweep_on)(rich_batch *b, size_t groups, talus_motion *motion, const talus_flow *flow, double (*moved)[MOVED],
	                 rich_past *past, double beta, const double coarse[WORKS], double sum[WORKS][LANES]);
	void (*give)(const rich_batch *b, size_t groups, talus_motion *motion);
	// Adds up how much a visit would change p (q over the smaller radius counts too), squared, and |p|^2.
	void (*residual)(const rich_batch *b, size_t groups, const talus_motion *motion, const talus_flow *flow,
	                 double wrong[LANES], double size[LANES]); // flow NULL: the cell does not deform
} rich_kernel;

// Batches one after the other. If it is said to join, the first KERNEL_JOINED of them share no body with as many of the last of the span
// before, so that the loop need not wait until that is done.
enum { KERNEL_JOINED = 3 };
typedef struct batch_span {
	uint32_t first, count;
	bool joins;
} batch_span;

// The loops go over groups of eight contacts that share no body: batches, or contacts in a row of indices.
typedef struct kernel {
	const char *name;
	size_t near; // bytes of batches; with more, bodies should be asked for early (`far`)
	const rich_kernel *rich;
	const struct kernel *flat; // the same for disks
	void (*sweep)(batch *b, const batch_span *at, size_t spans, talus_motion *motion, bool far); // far: bodies are not in the cache
	bool (*sweep_watched)(batch *b, size_t groups, talus_motion *motion, calm c); // were all calm?
	void (*sweep_on)(batch *b, const batch_span *at, size_t spans, talus_motion *motion, bool far, past *past, double beta,
	                 const double coarse[WORKS], double sum[WORKS][LANES]); // with momentum; adds to `sum`
	// Bodies go on from where they were before, too: some of a row of them. `before` has room for a line of each, and is theirs.
	void (*carry)(talus_motion *motion, const uint32_t *body, double *before, size_t first, size_t last, double beta);
	void (*give)(const batch *b, size_t groups, talus_motion *motion);            // p to the bodies, as it is
	// Adds up for every lane |p - P(p - m_n w)|^2 and |p|^2, the parts of the residual (problem.c).
	void (*residual)(const batch *b, size_t groups, const talus_motion *motion, double wrong[LANES], double size[LANES]);
	void (*look)(const batch *b, size_t groups, const talus_motion *motion, glance *to, const look_terms *term,
	             double seen[SEEN][LANES]);
	// What it saw, in multiples of a unit; `where` says for every lane at which of the doubles its cell begins.
	void (*look_add)(const batch *b, size_t groups, const glance *from, double unit, const uint32_t *where, double *cells);
	void (*visit)(talus_contact *contact, const ends *at, const uint32_t *index, size_t groups, talus_motion *motion);
	bool (*visit_watched)(talus_contact *contact, const ends *at, const uint32_t *index, size_t groups,
	                      talus_motion *motion, calm c);
} kernel;

// The widest that this processor can, or one by its name; NULL if it cannot.
const kernel *kernel_best(void);
const kernel *kernel_named(talus_simd simd);

#endif
