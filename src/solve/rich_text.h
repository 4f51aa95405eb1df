// SPDX-License-Identifier: MIT
// The loops over rich contacts, one text for all widths. The law is that of law/rich.h; the same operations in the same order.
// Disks go through the text for spheres: there are few scenes in which that would show.
#include "solve/columns.h"

typedef struct rich_fields { // of WIDTH contacts, in the order of rich_batch
	column3 n;
	real mass_n, mass_t;
	column3 target;
	real slack, pull, mu, mu_stick, mu_slide;
	real roll, twist, inertia, curve_a, curve_b, couple;
	column3 turning, p, q;
	real span;
} rich_fields;

typedef struct rich_update {
	column3 p, q;
	real mu;
} rich_update;

static inline column3 load3(const double from[3][LANES], int lane)
{
	return (column3){load(&from[0][lane]), load(&from[1][lane]), load(&from[2][lane])};
}

static inline void store3(double to[3][LANES], int lane, column3 a)
{
	store(&to[0][lane], a.x);
	store(&to[1][lane], a.y);
	store(&to[2][lane], a.z);
}

static inline rich_fields fields_of(const rich_batch *b, int l)
{
	return (rich_fields){.n = load3(b->n, l), .mass_n = load(b->mass_n + l), .mass_t = load(b->mass_t + l),
	                     .target = load3(b->target, l), .slack = load(b->slack + l), .pull = load(b->pull + l),
	                     .mu = load(b->mu + l), .mu_stick = load(b->mu_stick + l), .mu_slide = load(b->mu_slide + l),
	                     .roll = load(b->roll + l), .twist = load(b->twist + l), .inertia = load(b->inertia + l),
	                     .curve_a = load(b->curve_a + l), .curve_b = load(b->curve_b + l), .couple = load(b->couple + l),
	                     .turning = load3(b->turning, l), .p = load3(b->p, l), .q = load3(b->q, l), .span = load(b->span + l)};
}

static inline column3 mul_add3(column3 a, real s, column3 b)
{
	return (column3){a.x + s*b.x, a.y + s*b.y, a.z + s*b.z};
}

static inline column3 sub3(column3 a, column3 b)
{
	return (column3){a.x - b.x, a.y - b.y, a.z - b.z};
}

// ---------------------------------------------------------------- bodies

// The columns of one body's line.
static inline void load_body(const talus_motion *motion, const ends *at, bool second, real column[8])
{
	for (int l = 0; l < WIDTH; l++) {
		const double *line = &motion->v.x + (second ? at[l].b : at[l].a);
		for (int chunk = 0; chunk < CHUNKS; chunk++)
			column[chunk*WIDTH + l] = load(line + chunk*WIDTH);
	}
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
}

static inline void store_body(talus_motion *motion, const ends *at, bool second, real column[8])
{
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
	for (int l = 0; l < WIDTH; l++) {
		double *line = &motion->v.x + (second ? at[l].b : at[l].a);
		for (int chunk = 0; chunk < CHUNKS; chunk++)
			store(line + chunk*WIDTH, column[chunk*WIDTH + l]);
	}
}

static inline column3 spin_of(const real column[8])
{
	return (column3){column[4], column[5], column[6]};
}

static inline column3 velocity_of(const rich_fields *c, const real a[8], const real b[8])
{
	column3 sum = {a[4] + b[4], a[5] + b[5], a[6] + b[6]}, turning = cross3(sum, c->n);
	return (column3){b[0] - a[0] - turning.x, b[1] - a[1] - turning.y, b[2] - a[2] - turning.z};
}

static inline column3 relative_spin(const rich_fields *c, const real a[8], const real b[8])
{
	column3 sa = spin_of(a), sb = spin_of(b), t = c->turning;
	return (column3){c->curve_b*sb.x - c->curve_a*sa.x + t.x, c->curve_b*sb.y - c->curve_a*sa.y + t.y,
	                 c->curve_b*sb.z - c->curve_a*sa.z + t.z};
}

// dp and dq to both bodies, in columns.
static inline void push_bodies(const rich_fields *c, real a[8], real b[8], column3 dp, column3 dq)
{
	column3 torque = cross3(c->n, dp);
	column3 on_a = mul_add3(torque, c->curve_a, dq), on_b = mul_add3(torque, -c->curve_b, dq);
	real ma = a[3], ka = a[7], mb = b[3], kb = b[7];
	a[0] -= ma*dp.x, a[1] -= ma*dp.y, a[2] -= ma*dp.z;
	b[0] += mb*dp.x, b[1] += mb*dp.y, b[2] += mb*dp.z;
	a[4] -= ka*on_a.x, a[5] -= ka*on_a.y, a[6] -= ka*on_a.z;
	b[4] -= kb*on_b.x, b[5] -= kb*on_b.y, b[6] -= kb*on_b.z;
}

// ---------------------------------------------------------------- a cell that deforms

typedef struct flow_columns { // its rates, the same in all lanes
	real xx, yy, zz, xy, xz, yz;
} flow_columns;

static inline flow_columns flow_load(const talus_flow *f)
{
	return (flow_columns){all(f->rate[0][0]), all(f->rate[1][1]), all(f->rate[2][2]),
	                      all(f->rate[0][1]), all(f->rate[0][2]), all(f->rate[1][2])};
}

static inline column3 flow_velocity(const flow_columns *f, const rich_fields *c)
{
	column3 n = c->n;
	return (column3){c->span*(f->xx*n.x + f->xy*n.y + f->xz*n.z), c->span*(f->yy*n.y + f->yz*n.z), c->span*(f->zz*n.z)};
}

static inline void flow_lanes(const rich_fields *c, column3 p, double lane[MOVED][LANES], int l)
{
	column3 n = c->n, dp = sub3(p, c->p);
	store(&lane[STIFFNESS][l], larger_of(dot3(p, n), all(0), c->mass_n*c->span*c->span, all(0)));
	store(&lane[0][l], dp.x*n.x*c->span);
	store(&lane[1][l], dp.y*n.y*c->span);
	store(&lane[2][l], dp.z*n.z*c->span);
	store(&lane[3][l], dp.x*n.y*c->span);
	store(&lane[4][l], dp.x*n.z*c->span);
	store(&lane[5][l], dp.y*n.z*c->span);
}

// ---------------------------------------------------------------- the law

// Everywhere: if one of two is not a number, min and max give the second.
ALWAYS rich_update update_of(const rich_fields *c, const real a[8], const real b[8], const flow_columns *flow)
{
	column3 n = c->n, p = c->p, u = velocity_of(c, a, b);
	if (flow)
		u = mul_add3(u, all(1), flow_velocity(flow, c));
	column3 w = mul_add3(u, all(1), c->target);
	real wn = dot3(w, n), pn_old = dot3(p, n);

	// normal: push, or hold a bond as far as it goes
	real x = pn_old - c->mass_n*wn;
	real push = lanes_max(x, all(0)), hold = lanes_max(lanes_min(x + c->slack, all(0)), -c->pull);
	real pn = push + hold, load = pn + c->pull;

	// tangential: what would stop the sliding, or what friction allows of it
	column3 t = mul_add3(mul_add3(p, -c->mass_t, w), c->mass_t*wn - pn_old, n);
	real length = lanes_sqrt(dot3(t, t)), mu = larger_of(length, c->mu*load, c->mu_slide, c->mu_stick);
	real share = lanes_min(mu*load/length, all(1));
	column3 now = {share*t.x + pn*n.x, share*t.y + pn*n.y, share*t.z + pn*n.z};

	// rolling and torsion: what would stop the turning, or what their limits allow
	column3 torque = cross3(n, sub3(now, p)), spin = mul_add3(relative_spin(c, a, b), -c->couple, torque);
	column3 q = mul_add3(c->q, -c->inertia, spin);
	real qn = dot3(q, n), most = c->twist*load;
	column3 roll = mul_add3(q, -qn, n);
	qn = lanes_min(lanes_max(qn, -most), most);
	share = lanes_min(c->roll*load/lanes_sqrt(dot3(roll, roll)), all(1));
	q = (column3){share*roll.x + qn*n.x, share*roll.y + qn*n.y, share*roll.z + qn*n.z};
	return (rich_update){.p = now, .q = q, .mu = mu};
}

// ---------------------------------------------------------------- the loops

static inline bool rich_calm(const rich_fields *c, const rich_update *u, calm rule)
{
	column3 dp = sub3(u->p, c->p), dq = sub3(u->q, c->q);
	real curve = lanes_max(c->curve_a, c->curve_b), allowed = rule.share*lanes_sqrt(dot3(u->p, u->p)) + rule.floor;
	real change = lanes_sqrt(dot3(dp, dp)), turn = curve*lanes_sqrt(dot3(dq, dq));
	bool quiet = true;
	for (int l = 0; l < WIDTH; l++)
		quiet &= change[l] <= allowed[l] && turn[l] <= allowed[l]; // what is not a number is not calm
	return quiet;
}

typedef struct visit { // one on its way
	rich_fields c;
	column3 p_was, q_was; // after the last sweep, where c is beyond it
	real a[8], b[8];
	rich_update u;
} visit;

ALWAYS void visit_start(visit *v, const rich_batch *b, int lane, const talus_motion *motion)
{
	v->c = fields_of(b, lane);
	load_body(motion, b->at + lane, false, v->a);
	load_body(motion, b->at + lane, true, v->b);
}

static inline column3 carried_on(double before[3][LANES], int lane, column3 now, double beta)
{
	column3 old = load3(before, lane);
	store3(before, lane, now);
	return mul_add3(now, all(beta), sub3(now, old));
}

typedef struct impetus { // of a sweep with momentum
	rich_past *past; // of this batch
	double beta;
	const double *coarse;
	double (*sum)[LANES];
} impetus;

ALWAYS void visit_carry_on(visit *v, const impetus *m, int lane)
{
	v->p_was = v->c.p;
	v->q_was = v->c.q;
	v->c.p = carried_on(m->past->p, lane, v->c.p, m->beta);
	v->c.q = carried_on(m->past->q, lane, v->c.q, m->beta);
}

ALWAYS void visit_work(const visit *v, const impetus *m)
{
	column3 dp = sub3(v->u.p, v->c.p), dq = sub3(v->u.q, v->c.q), on = sub3(v->u.p, v->p_was), turn = sub3(v->u.q, v->q_was);
	real by_p = 1/lanes_max(v->c.mass_n, all(1e-300)), by_q = 1/lanes_max(v->c.inertia, all(1e-300));
	real size = by_p*dot3(dp, dp) + by_q*dot3(dq, dq), along = -by_p*dot3(dp, on) - by_q*dot3(dq, turn);
	along = (along + m->coarse[WORK_ALONG]) - m->coarse[WORK_ALONG];
	add_to(m->sum[WORK_SIZE], (size + m->coarse[WORK_SIZE]) - m->coarse[WORK_SIZE]);
	add_to(m->sum[WORK_ALONG], along);
	add_to(m->sum[WORK_SPAN], lanes_size(along));
}

ALWAYS void visit_end(visit *v, rich_batch *b, int lane, talus_motion *motion)
{
	push_bodies(&v->c, v->a, v->b, sub3(v->u.p, v->c.p), sub3(v->u.q, v->c.q));
	store_body(motion, b->at + lane, false, v->a);
	store_body(motion, b->at + lane, true, v->b);
	store3(b->p, lane, v->u.p);
	store3(b->q, lane, v->u.q);
	store(b->mu + lane, v->u.mu);
}

ALWAYS void visit_moved(const visit *v, double moved[MOVED][LANES], int lane)
{
	flow_lanes(&v->c, v->u.p, moved, lane);
}

// Two parts of a batch at a time: while one waits for its square roots and divisions the other may go on.
ALWAYS bool rich_group(rich_batch *b, talus_motion *motion, const calm *rule, const flow_columns *flow,
                       double moved[MOVED][LANES], const impetus *m)
{
	enum { OTHER = WIDTH < LANES ? WIDTH : 0 };
	bool quiet = true;
	for (int lane = 0; lane < LANES; lane += WIDTH + OTHER) {
		visit one, other;
		visit_start(&one, b, lane, motion);
		if (OTHER)
			visit_start(&other, b, lane + OTHER, motion);
		if (m)
			visit_carry_on(&one, m, lane);
		if (m && OTHER > 0)
			visit_carry_on(&other, m, lane + OTHER);
		one.u = update_of(&one.c, one.a, one.b, flow);
		if (OTHER)
			other.u = update_of(&other.c, other.a, other.b, flow);
		visit_end(&one, b, lane, motion);
		if (OTHER)
			visit_end(&other, b, lane + OTHER, motion);
		if (flow)
			visit_moved(&one, moved, lane);
		if (flow && OTHER > 0)
			visit_moved(&other, moved, lane + OTHER);
		if (m)
			visit_work(&one, m);
		if (m && OTHER > 0)
			visit_work(&other, m);
		if (rule)
			quiet &= rich_calm(&one.c, &one.u, *rule) && (!OTHER || rich_calm(&other.c, &other.u, *rule));
	}
	return quiet;
}

ALWAYS bool rich_loop(rich_batch *b, size_t groups, talus_motion *motion, const calm *rule)
{
	bool quiet = true;
	for (size_t i = 0; i < groups; i++)
		quiet &= rich_group(&b[i], motion, rule, NULL, NULL, NULL);
	return quiet;
}

static bool rich_sweep(rich_batch *b, size_t groups, talus_motion *motion, const calm *rule)
{
	return rule ? rich_loop(b, groups, motion, rule) : rich_loop(b, groups, motion, NULL);
}

// The sums of a group are added up lane by lane, so that all widths have the same.
static inline void sum_lanes(double lane[][LANES], int count, double *sum)
{
	for (int k = 0; k < count; k++) {
		sum[k] = 0;
		for (int l = 0; l < LANES; l++)
			sum[k] += lane[k][l];
	}
}

static bool rich_sweep_flow(rich_batch *b, size_t groups, talus_motion *motion, const calm *rule, const talus_flow *flow,
                            double (*moved)[MOVED])
{
	flow_columns rate = flow_load(flow);
	bool quiet = true;
	for (size_t i = 0; i < groups; i++) {
		double lane[MOVED][LANES];
		quiet &= rich_group(&b[i], motion, rule, &rate, lane, NULL);
		sum_lanes(lane, MOVED, moved[i]);
	}
	return quiet;
}

static void rich_sweep_on(rich_batch *b, size_t groups, talus_motion *motion, const talus_flow *flow, double (*moved)[MOVED],
                          rich_past *old, double beta, const double coarse[WORKS], double sum[WORKS][LANES])
{
	double lane[MOVED][LANES];
	flow_columns rate = flow ? flow_load(flow) : (flow_columns){all(0), all(0), all(0), all(0), all(0), all(0)};
	for (size_t i = 0; i < groups; i++) {
		impetus m = {.past = &old[i], .beta = beta, .coarse = coarse, .sum = sum};
		if (flow) {
			rich_group(&b[i], motion, NULL, &rate, lane, &m);
			sum_lanes(lane, MOVED, moved[i]);
		} else {
			rich_group(&b[i], motion, NULL, NULL, NULL, &m);
		}
	}
}

static void rich_give(const rich_batch *b, size_t groups, talus_motion *motion)
{
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position at = position_of(i);
		const ends *bodies = b[at.group].at + at.lane;
		real first[8], second[8];
		rich_fields c = fields_of(&b[at.group], at.lane);
		load_body(motion, bodies, false, first);
		load_body(motion, bodies, true, second);
		push_bodies(&c, first, second, c.p, c.q);
		store_body(motion, bodies, false, first);
		store_body(motion, bodies, true, second);
	}
}

static void rich_residual(const rich_batch *b, size_t groups, const talus_motion *motion, const talus_flow *flow,
                          double wrong[LANES], double size[LANES])
{
	flow_columns rate = flow ? flow_load(flow) : (flow_columns){all(0), all(0), all(0), all(0), all(0), all(0)};
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position at = position_of(i);
		real first[8], second[8];
		rich_fields c = fields_of(&b[at.group], at.lane);
		load_body(motion, b[at.group].at + at.lane, false, first);
		load_body(motion, b[at.group].at + at.lane, true, second);
		rich_update u = update_of(&c, first, second, &rate);
		column3 dp = sub3(u.p, c.p), dq = sub3(u.q, c.q);
		real curve = lanes_max(c.curve_a, c.curve_b), more = dot3(dp, dp) + curve*curve*dot3(dq, dq);
		real rounding = 1e-12*c.slack;
		store(wrong + at.lane, load(wrong + at.lane) + larger_of(more, rounding*rounding, more, all(0)));
		store(size + at.lane, load(size + at.lane) + dot3(c.p, c.p));
	}
}

#define RICH_KERNEL {.sweep = rich_sweep, .sweep_flow = rich_sweep_flow, .sweep_on = rich_sweep_on, .give = rich_give, .residual = rich_residual}
