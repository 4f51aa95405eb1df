// SPDX-License-Identifier: MIT
// The loops over contacts, one text for all widths. The law is that of law/coulomb.h:
//
//     p_n <- max(0, p_n - m_n (u_n + bias)),   p_t <- p_t - m_t u_t, shortened to mu p_n if it is longer
//
// Three groups are in flight at a time: while one is computed, the bodies of the next are read and those of the last
// are written. That is allowed because the groups of one call share no body.
#include "solve/lanes.h"

typedef struct column3 {
	real x, y, z;
} column3;

typedef struct fields { // of WIDTH contacts, in the order of talus_contact
	column3 n;
	real bias, mass_n, mass_t, mu;
	column3 p;
} fields;

static inline real dot3(column3 a, column3 b)
{
	return a.x*b.x + a.y*b.y + a.z*b.z;
}

static inline column3 cross3(column3 a, column3 b)
{
	return (column3){a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x};
}

// ---------------------------------------------------------------- the law

// The new impulse from the relative motion of the bodies.
static inline column3 coulomb(const fields *c, const real moving[8])
{
	column3 turning = cross3((column3){moving[4], moving[5], moving[6]}, c->n), n = c->n, p = c->p;
	column3 u = {moving[0] - turning.x, moving[1] - turning.y, moving[2] - turning.z};
	real un = dot3(u, n), pn_old = dot3(p, n);

	// normal: push, never pull
	real pn = lanes_max(pn_old - c->mass_n*(un + c->bias), all(0));

	// tangential: what would stop the sliding, or what friction allows of it
	real along = c->mass_t*un - pn_old;
	column3 t = {p.x - c->mass_t*u.x + along*n.x, p.y - c->mass_t*u.y + along*n.y, p.z - c->mass_t*u.z + along*n.z};
	real share = lanes_min(c->mu*pn/lanes_sqrt(dot3(t, t)), all(1));
	return (column3){share*t.x + pn*n.x, share*t.y + pn*n.y, share*t.z + pn*n.z};
}

// ---------------------------------------------------------------- where contacts come from

// Batches lie in the order in which they are visited; contacts anywhere are found through a row of indices.
typedef struct source {
	bool batched;
	batch *b;
	talus_contact *contact;
	const ends *at;
	const uint32_t *index;
} source;

static inline const ends *source_ends(const source *s, size_t group, int lane, ends here[WIDTH])
{
	if (s->batched)
		return s->b[group].at + lane;
	for (int l = 0; l < WIDTH; l++)
		here[l] = s->at[s->index[group*LANES + (size_t)(lane + l)]];
	return here;
}

enum { FIELDS = 10, FIRST_P = 7, LAST_CHUNK = WIDTH == 2 ? 6 : FIELDS - WIDTH };

static inline double *row_of(const source *s, size_t group, int lane)
{
	return &s->contact[s->index[group*LANES + (size_t)lane]].n.x;
}

static inline fields source_fields(const source *s, size_t group, int lane)
{
	real column[FIELDS];
	if (s->batched) {
		const double *first = s->b[group].n[0] + lane;
		for (int f = 0; f < FIELDS; f++)
			column[f] = load(first + f*LANES);
	} else {
		for (int f = 0; f < FIELDS; f += f + WIDTH < FIELDS && f + 2*WIDTH > FIELDS ? FIELDS - f - WIDTH : WIDTH) {
			real row[WIDTH];
			for (int l = 0; l < WIDTH; l++)
				row[l] = load(row_of(s, group, lane + l) + f);
			turn_over(row);
			for (int l = 0; l < WIDTH; l++)
				column[f + l] = row[l];
		}
	}
	return (fields){{column[0], column[1], column[2]}, column[3], column[4], column[5], column[6],
	                {column[7], column[8], column[9]}};
}

// In a contact the fields before the impulse are written back as they were.
static inline void source_store(const source *s, size_t group, int lane, const fields *c, column3 p)
{
	if (s->batched) {
		store(&s->b[group].p[0][lane], p.x);
		store(&s->b[group].p[1][lane], p.y);
		store(&s->b[group].p[2][lane], p.z);
		return;
	}
	const real column[FIELDS] = {c->n.x, c->n.y, c->n.z, c->bias, c->mass_n, c->mass_t, c->mu, p.x, p.y, p.z};
	for (int f = LAST_CHUNK; f < FIELDS; f += WIDTH) {
		real row[WIDTH];
		for (int l = 0; l < WIDTH; l++)
			row[l] = column[f + l];
		turn_over(row);
		for (int l = 0; l < WIDTH; l++)
			store(row_of(s, group, lane + l) + f, row[l]);
	}
}

// Contacts that lie anywhere are asked for early. A row of indices goes on for a few groups beyond its end.
static inline void look_ahead(const source *s, size_t group)
{
	for (int l = 0; l < LANES; l++) {
		const char *row = (const char *)row_of(s, group + KERNEL_AHEAD, l);
		__builtin_prefetch(row);
		__builtin_prefetch(row + 79);
	}
}

// ---------------------------------------------------------------- the loop

typedef struct flight { // what is still to be written
	const ends *at;
	column3 dp, torque;
} flight;

static inline void land(talus_motion *motion, const flight *f)
{
	real column[8] = {f->dp.x, f->dp.y, f->dp.z, all(0), f->torque.x, f->torque.y, f->torque.z, all(0)};
	store_change(motion, f->at, column);
}

static inline bool is_calm(column3 p, column3 dp, calm c)
{
	real change = lanes_sqrt(dot3(dp, dp)), allowed = c.share*lanes_sqrt(dot3(p, p)) + c.floor;
	bool quiet = true;
	for (int l = 0; l < WIDTH; l++)
		quiet &= change[l] <= allowed[l]; // what is not a number is not calm
	return quiet;
}

static inline __attribute__((always_inline)) bool sweep(source s, size_t groups, talus_motion *motion, bool watched,
                                                        calm rule)
{
	enum { PARTS = LANES/WIDTH };
	bool quiet = true;
	ends here[3][WIDTH];
	real next[8];
	const ends *next_at = source_ends(&s, 0, 0, here[0]);
	flight last = {0};
	load_relative(motion, next_at, next);
	for (size_t i = 0; i < groups*PARTS; i++) {
		size_t group = i/PARTS;
		int lane = (int)(i%PARTS)*WIDTH;
		real moving[8];
		const ends *at = next_at;
		memcpy(moving, next, sizeof moving);
		if (i + 1 < groups*PARTS) {
			next_at = source_ends(&s, (i + 1)/PARTS, (int)((i + 1)%PARTS)*WIDTH, here[(i + 1)%3]);
			load_relative(motion, next_at, next);
		}
		if (!s.batched && lane == 0)
			look_ahead(&s, group);
		if (i > 0)
			land(motion, &last);
		fields c = source_fields(&s, group, lane);
		column3 p = coulomb(&c, moving), dp = {p.x - c.p.x, p.y - c.p.y, p.z - c.p.z};
		source_store(&s, group, lane, &c, p);
		if (watched)
			quiet &= is_calm(p, dp, rule);
		last = (flight){at, dp, cross3(c.n, dp)};
	}
	land(motion, &last);
	return quiet;
}

// ---------------------------------------------------------------- the table of loops

static void kernel_sweep(batch *b, size_t groups, talus_motion *motion)
{
	sweep((source){.batched = true, .b = b}, groups, motion, false, (calm){0, 0});
}

static bool kernel_sweep_watched(batch *b, size_t groups, talus_motion *motion, calm rule)
{
	return sweep((source){.batched = true, .b = b}, groups, motion, true, rule);
}

static void kernel_visit(talus_contact *contact, const ends *at, const uint32_t *index, size_t groups,
                         talus_motion *motion)
{
	sweep((source){.contact = contact, .at = at, .index = index}, groups, motion, false, (calm){0, 0});
}

static bool kernel_visit_watched(talus_contact *contact, const ends *at, const uint32_t *index, size_t groups,
                                 talus_motion *motion, calm rule)
{
	return sweep((source){.contact = contact, .at = at, .index = index}, groups, motion, true, rule);
}

static void kernel_give(const batch *b, size_t groups, talus_motion *motion)
{
	for (size_t group = 0; group < groups; group++, b++)
		for (int lane = 0; lane < LANES; lane += WIDTH) {
			column3 n = {load(&b->n[0][lane]), load(&b->n[1][lane]), load(&b->n[2][lane])};
			column3 p = {load(&b->p[0][lane]), load(&b->p[1][lane]), load(&b->p[2][lane])};
			land(motion, &(flight){b->at + lane, p, cross3(n, p)});
		}
}

#define KERNEL(text) \
	{.name = text, .sweep = kernel_sweep, .sweep_watched = kernel_sweep_watched, .give = kernel_give, \
	 .visit = kernel_visit, .visit_watched = kernel_visit_watched}
