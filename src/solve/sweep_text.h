// SPDX-License-Identifier: MIT
// The loops over contacts with nothing but volume exclusion and friction, one text for all widths. The law is that of law/coulomb_text.h.
//
// Three groups are in flight at a time: one is on its way to what would stop its sliding, the bodies of the next are read, and
// the last one gets its square root and its division, which are asked for first, and is written. That is allowed because the
// groups of one call share no body. Without it the processor waits: the way through one group takes it longer than it can look
// ahead.
#include "law/coulomb_text.h"
#include "solve/lanes.h"

// From vb - va in columns 0 to 2 and sa + sb in columns 4 to 6.
ALWAYS column3 relative_velocity(column3 n, const reals moving[8])
{
	return coulomb_relative(n, (column3){moving[0], moving[1], DEEP(moving[2])}, (column3){DEEP(moving[4]), DEEP(moving[5]), moving[6]});
}

// ---------------------------------------------------------------- where contacts come from

// Batches lie in the order in which they are visited.
typedef struct source {
	bool far;
	batch *b;
	past *past; // with momentum, else NULL
	double beta;
	double coarse[WORKS];
} source;

enum { FIELDS = 10 };

ALWAYS coulomb_fields in_order(const reals column[FIELDS])
{
	return (coulomb_fields){.n = {column[0], column[1], DEEP(column[2])}, .bias = column[3], .mass_n = column[4], .mass_t = column[5],
	                .mu = column[6], .p = {column[7], column[8], DEEP(column[9])}};
}

ALWAYS coulomb_fields batch_fields(const batch *b, int lane)
{
	reals column[FIELDS];
	for (int f = 0; f < FIELDS; f++)
		column[f] = load(b->n[0] + lane + f*LANES);
	return in_order(column);
}

// Where the contact would be if it went on as it has since the sweep before the last.
ALWAYS coulomb_fields carried_on(const source *s, size_t group, int lane, coulomb_fields c)
{
	const double(*old)[LANES] = (const double(*)[LANES])s->past[group].p;
	c.p.x += s->beta*(c.p.x - load(&old[0][lane]));
	c.p.y += s->beta*(c.p.y - load(&old[1][lane]));
	c.p.z = DEEP(c.p.z + s->beta*(c.p.z - load(&old[2][lane])));
	return c;
}

ALWAYS coulomb_fields source_fields(const source *s, size_t group, int lane)
{
	if (s->past)
		return carried_on(s, group, lane, batch_fields(&s->b[group], lane));
	return batch_fields(&s->b[group], lane);
}

ALWAYS void source_store(const source *s, size_t group, int lane, column3 p)
{
	store(&s->b[group].p[0][lane], p.x);
	store(&s->b[group].p[1][lane], p.y);
	store(&s->b[group].p[2][lane], p.z);
}

// Bodies that lie far away are asked for early. Batches go on for some groups beyond their end.
ALWAYS void look_ahead(const source *s, size_t group, const talus_solver_body *motion)
{
	for (int l = 0; l < LANES; l++) {
		__builtin_prefetch(&motion->v.x + s->b[group + KERNEL_AHEAD].at[l].a);
		__builtin_prefetch(&motion->v.x + s->b[group + KERNEL_AHEAD].at[l].b);
	}
}

// ---------------------------------------------------------------- the loop

ALWAYS void give(talus_solver_body *motion, const contact_bodies *at, column3 n, column3 dp)
{
	column3 torque = cross3(n, dp);
	reals column[8] = {dp.x, dp.y, dp.z, all(0), DEEP(torque.x), DEEP(torque.y), torque.z, all(0)};
	store_change(motion, at, column);
}

static inline bool is_calm(column3 p, column3 dp, change_limit c)
{
	reals change = lanes_sqrt(dot3(dp, dp)), allowed = c.relative*lanes_sqrt(dot3(p, p)) + c.absolute;
	bool quiet = true;
	for (int l = 0; l < WIDTH; l++)
		quiet &= LANE(change, l) <= LANE(allowed, l); // what is not a number is not calm
	return quiet;
}

// What a sweep with momentum keeps: where the contact was, and what it did.
ALWAYS void remember(const source *s, position q, column3 p, column3 dp, reals sum[WORKS])
{
	const double(*now)[LANES] = (const double(*)[LANES])s->b[q.group].p;
	past *old = &s->past[q.group];
	column3 was = {load(&now[0][q.lane]), load(&now[1][q.lane]), DEEP(load(&now[2][q.lane]))};
	column3 on = {p.x - was.x, p.y - was.y, DEEP(p.z - was.z)};
	reals weight = load(&old->weight[q.lane]);
	store(&old->p[0][q.lane], was.x);
	store(&old->p[1][q.lane], was.y);
	if (!FLAT)
		store(&old->p[2][q.lane], was.z);
	double by_size = s->coarse[WORK_SIZE], by_along = s->coarse[WORK_ALONG];
	reals along = (by_along - weight*dot3(dp, on)) - by_along;
	sum[WORK_SIZE] += (weight*dot3(dp, dp) + by_size) - by_size;
	sum[WORK_ALONG] += along;
	sum[WORK_SPAN] += lanes_size(along);
}

ALWAYS bool finish(const source *s, talus_solver_body *motion, const contact_bodies *at, position q, const coulomb_attempt *a, reals share,
                   bool watched, change_limit rule, reals sum[WORKS])
{
	column3 p = coulomb_end(a, share), dp = sub3(p, a->c.p);
	if (s->past)
		remember(s, q, p, dp, sum);
	source_store(s, q.group, q.lane, p);
	give(motion, at, a->c.n, dp);
	return !watched || is_calm(p, dp, rule);
}

typedef struct flight { // what is on its way
	coulomb_attempt last;
	position last_q;
	const contact_bodies *last_at, *at; // of the last part, and of the next one
	int turn; // nobody asks for it, but without it gcc keeps less in registers, and that costs 2 %
	reals moving[8]; // of the next one
	bool quiet;
	reals sum[WORKS]; // with momentum
} flight;

// Bodies of a part; behind the last group those of the last again, so that the loop needs no question.
ALWAYS const contact_bodies *reach(const source *s, const talus_solver_body *motion, size_t group, int lane, size_t groups, flight *f)
{
	const contact_bodies *at = s->b[group < groups ? group : groups - 1].at + lane;
	load_relative(motion, at, f->moving);
	f->turn = f->turn == 2 ? 0 : f->turn + 1;
	return at;
}

// One part is tried, the next one reached for, the last one finished.
ALWAYS void advance(const source *s, size_t group, int lane, size_t groups, talus_solver_body *motion, bool watched, change_limit rule,
                    flight *f)
{
	reals share = coulomb_share(&f->last);
	coulomb_fields c = source_fields(s, group, lane);
	coulomb_attempt now = coulomb_try(&c, relative_velocity(c.n, f->moving));
	if (s->far && lane == 0)
		look_ahead(s, group, motion);
	bool within = lane + WIDTH < LANES;
	const contact_bodies *next_at = reach(s, motion, within ? group : group + 1, within ? lane + WIDTH : 0, groups, f);
	f->quiet &= finish(s, motion, f->last_at, f->last_q, &f->last, share, watched, rule, f->sum);
	f->last = now, f->last_q = (position){group, lane}, f->last_at = f->at, f->at = next_at;
}

// Parts of a group one by one, written out: where they lie is known then but for the group.
ALWAYS bool sweep(source s, size_t groups, talus_solver_body *motion, bool watched, change_limit rule, double (*sum)[LANES])
{
	flight f = {.turn = 0, .quiet = true, .sum = {all(0), all(0), all(0)}};
	f.last_q = (position){0, 0};
	f.last_at = reach(&s, motion, 0, 0, groups, &f);
	coulomb_fields c = source_fields(&s, 0, 0);
	f.last = coulomb_try(&c, relative_velocity(c.n, f.moving));
	f.at = reach(&s, motion, WIDTH < LANES ? 0 : 1, WIDTH%LANES, groups, &f);
	for (size_t group = 1; WIDTH == LANES && group < groups; group++) {
		f.last_q = (position){group - 1, 0}; // as it is, but gcc does not see it, and that costs 3 %
		advance(&s, group, 0, groups, motion, watched, rule, &f);
	}
	for (size_t group = 0; WIDTH < LANES;) {
		advance(&s, group, WIDTH%LANES, groups, motion, watched, rule, &f);
		if (2*WIDTH < LANES) {
			advance(&s, group, 2*WIDTH%LANES, groups, motion, watched, rule, &f);
			advance(&s, group, 3*WIDTH%LANES, groups, motion, watched, rule, &f);
		}
		for (int lane = 4*WIDTH; lane < LANES; lane += WIDTH)
			advance(&s, group, lane, groups, motion, watched, rule, &f);
		if (++group == groups)
			break;
		advance(&s, group, 0, groups, motion, watched, rule, &f);
	}
	f.quiet &= finish(&s, motion, f.last_at, (position){groups - 1, LANES - WIDTH}, &f.last, coulomb_share(&f.last), watched,
	                  rule, f.sum);
	for (int k = 0; k < WORKS && s.past; k++)
		add_to(sum[k], f.sum[k]);
	return f.quiet;
}

#if WIDTH == 8
#include "solve/relay_text.h"
#endif

// What most sweeps are. With few registers the loop above is the faster one.
ALWAYS void sweep_plain(source s, const batch_span *at, size_t spans, talus_solver_body *motion, double (*sum)[LANES])
{
#if WIDTH == 8
	relay_run(&s, at, spans, motion, sum);
#else
	for (size_t k = 0; k < spans; k++) {
		source part = s;
		part.b += at[k].first;
		part.past = s.past ? s.past + at[k].first : NULL;
		sweep(part, at[k].count, motion, false, (change_limit){0, 0}, sum);
	}
#endif
}

// ---------------------------------------------------------------- the table of loops

static void kernel_sweep(batch *b, const batch_span *at, size_t spans, talus_solver_body *motion, bool far)
{
	if (far)
		sweep_plain((source){.far = true, .b = b}, at, spans, motion, NULL);
	else
		sweep_plain((source){.b = b}, at, spans, motion, NULL);
}

static bool kernel_sweep_watched(batch *b, size_t groups, talus_solver_body *motion, change_limit rule)
{
	return sweep((source){.b = b}, groups, motion, true, rule, NULL);
}

static void kernel_accelerated_sweep(batch *b, const batch_span *at, size_t spans, talus_solver_body *motion, bool far, past *old, double beta,
                            const double coarse[WORKS], double sum[WORKS][LANES])
{
	source s = {.b = b, .past = old, .beta = beta};
	memcpy(s.coarse, coarse, sizeof s.coarse);
	if (!old)
		__builtin_unreachable(); // one text for all sweeps: this one asks no questions
	if (far) {
		s.far = true;
		sweep_plain(s, at, spans, motion, sum);
	} else {
		s.far = false;
		sweep_plain(s, at, spans, motion, sum);
	}
}

#if FLAT
enum { CARRIED = 3 }; // numbers of a body: what moves
ALWAYS void carry_line(talus_solver_body *line, double *before, double beta)
{
	double2 v = load_pair(&line->v.x);
	double s = line->r_omega.z;
	store_pair(&line->v.x, v + beta*(v - load_pair(before)));
	line->r_omega.z = s + beta*(s - before[2]);
	store_pair(before, v);
	before[2] = s;
}
#else
enum { CARRIED = LINE }; // all alike: masses are what they were
ALWAYS void carry_line(talus_solver_body *line, double *before, double beta)
{
	double *now = &line->v.x;
	for (int i = 0; i < LINE; i += WIDTH) {
		reals x = load(now + i);
		store(now + i, x + beta*(x - load(before + i)));
		store(before + i, x);
	}
}
#endif

static void kernel_carry(talus_solver_body *motion, const uint32_t *body, double *before, size_t first, size_t last, double beta)
{
	for (size_t k = first; k < last; k++)
		carry_line(&motion[body[k]], before + CARRIED*k, beta);
}

static void kernel_give(const batch *b, size_t groups, talus_solver_body *motion)
{
	for (size_t group = 0; group < groups; group++, b++)
		for (int lane = 0; lane < LANES; lane += WIDTH) {
			coulomb_fields c = batch_fields(b, lane);
			give(motion, b->at + lane, c.n, c.p);
		}
}

static void kernel_residual(const batch *b, size_t groups, const talus_solver_body *motion, double wrong[LANES],
                            double size[LANES])
{
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position q = position_of(i);
		const batch *at = b + q.group;
		reals moving[8];
		coulomb_fields c = batch_fields(at, q.lane);
		load_relative(motion, at->at + q.lane, moving);
		column3 nearest = coulomb_nearest(coulomb_beyond(&c, relative_velocity(c.n, moving)), c.n, c.mu), e = sub3(c.p, nearest);
		store(wrong + q.lane, load(wrong + q.lane) + dot3(e, e));
		store(size + q.lane, load(size + q.lane) + dot3(c.p, c.p));
	}
}

// Columns become rows, and each is added to the cell of its contact.
enum { LOOK_ROW = ((FLAT ? LOOK_TENSOR + 5 : LOOK_END) + WIDTH - 1)/WIDTH*WIDTH };

ALWAYS void add_rows(double *cells, const uint32_t *where, reals column[LOOK_ROW])
{
	for (int k = 0; k < LOOK_ROW; k += WIDTH)
		turn_over(column + k);
	for (int l = 0; l < WIDTH; l++)
		for (int k = 0; k < LOOK_ROW; k += WIDTH) {
			double *to = cells + where[l] + k;
			store(to, load(to) + column[k + l]);
		}
}

ALWAYS void see_largest(double seen[LANES], int lane, reals x)
{
	store(seen + lane, lanes_max(x, load(seen + lane)));
}

ALWAYS reals size_of(reals x)
{
	return lanes_max(x, -x);
}

static void kernel_look(const batch *b, size_t groups, const talus_solver_body *motion, glance *to, const look_terms *term,
                        double seen[SEEN][LANES])
{
	const reals none = all(0), one = all(1);
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position q = position_of(i);
		reals moving[8];
		coulomb_fields c = batch_fields(b + q.group, q.lane);
		load_relative(motion, b[q.group].at + q.lane, moving);
		column3 n = c.n, u = relative_velocity(n, moving);
		coulomb_attempt a = coulomb_try(&c, u);
		column3 e = sub3(coulomb_end(&a, coulomb_share(&a)), c.p);
		reals wrong = dot3(e, e), size = dot3(c.p, c.p), push = lanes_sqrt(size);
		reals by = larger_of(c.mass_n, none, 1/c.mass_n, none);
		column3 v = {by*e.x, by*e.y, DEEP(by*e.z)};
		store(term->wrong + i*WIDTH, wrong);
		store(term->size + i*WIDTH, size);
		store(term->push + i*WIDTH, larger_of(push, none, push, none));
		store(&seen[SEEN_PUSHES][q.lane], load(&seen[SEEN_PUSHES][q.lane]) + larger_of(push, none, one, none));
		see_largest(seen[SEEN_APPROACH], q.lane, -dot3(u, n) - c.bias);
		see_largest(seen[SEEN_SPEED], q.lane, lanes_max(size_of(v.x), lanes_max(size_of(v.y), DEEP(size_of(v.z)))));
		see_largest(seen[SEEN_HOLD], q.lane, c.mu*push);
		store(&to[q.group].v[0][q.lane], v.x);
		store(&to[q.group].v[1][q.lane], v.y);
		if (!FLAT)
			store(&to[q.group].v[2][q.lane], v.z);
		store(&to[q.group].any[q.lane], larger_of(push + wrong, none, one, none));
	}
}

// All numbers as multiples of one unit: sums are then the same in any order (base/tally.h).
static void kernel_look_add(const batch *b, size_t groups, const glance *from, double unit, const uint32_t *where, double *cells)
{
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position q = position_of(i);
		coulomb_fields c = batch_fields(b + q.group, q.lane);
		const glance *g = &from[q.group];
		column3 n = c.n, v = {load(&g->v[0][q.lane]), load(&g->v[1][q.lane]), DEEP(load(&g->v[2][q.lane]))};
		reals column[LOOK_CELL] = {load(&g->any[q.lane]),
			v.x*n.x, v.x*n.y, DEEP(v.x*n.z), v.y*n.x, v.y*n.y, DEEP(v.y*n.z), DEEP(v.z*n.x), DEEP(v.z*n.y), DEEP(v.z*n.z)};
		for (int k = LOOK_TENSOR; k < LOOK_END; k++)
			column[k] = (column[k] + unit) - unit;
		add_rows(cells, where + i*WIDTH, column);
	}
}

#define KERNEL(text, of_disks, of_extended) \
	{.name = text, .near = WIDTH == LANES ? 8 << 20 : 1 << 20, .flat = of_disks, .extended = of_extended, .sweep = kernel_sweep, \
	 .sweep_watched = kernel_sweep_watched, .accelerated_sweep = kernel_accelerated_sweep, .carry = kernel_carry, .give = kernel_give, \
	 .residual = kernel_residual, .look = kernel_look, .look_add = kernel_look_add}
