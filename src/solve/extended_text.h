// SPDX-License-Identifier: MIT
// The loops over extended contacts, one text for all widths. The law is that of law/extended_text.h.
// Disks go through the text for spheres: there are few scenes in which that would show.
#include "law/coulomb_text.h"
#include "law/extended_text.h"
#include "solve/lanes.h"

typedef struct extended_update {
	column3 p, q;
	reals mu;
} extended_update;

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

static inline extended_fields fields_of(const extended_batch *b, int l)
{
	return (extended_fields){.n = load3(b->n, l), .mass_n = load(b->mass_n + l), .mass_t = load(b->mass_t + l),
	                     .target = load3(b->target, l), .gap_allowance = load(b->gap_allowance + l), .cohesion_impulse = load(b->cohesion_impulse + l),
	                     .mu = load(b->mu + l), .mu_stick = load(b->mu_stick + l), .mu_slide = load(b->mu_slide + l),
	                     .roll = load(b->roll + l), .twist = load(b->twist + l), .inertia = load(b->inertia + l),
	                     .curve_a = load(b->curve_a + l), .curve_b = load(b->curve_b + l), .torque_coupling = load(b->torque_coupling + l),
	                     .wall_spin = load3(b->wall_spin, l), .p = load3(b->p, l), .q = load3(b->q, l), .centre_distance = load(b->centre_distance + l)};
}

// ---------------------------------------------------------------- bodies

// The columns of one body's line.
static inline void load_body(const talus_solver_body *motion, const contact_bodies *at, bool second, reals column[8])
{
	for (int l = 0; l < WIDTH; l++) {
		const double *line = &motion->v.x + (second ? at[l].b : at[l].a);
		for (int chunk = 0; chunk < CHUNKS; chunk++)
			column[chunk*WIDTH + l] = load(line + chunk*WIDTH);
	}
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
}

static inline void store_body(talus_solver_body *motion, const contact_bodies *at, bool second, reals column[8])
{
	for (int chunk = 0; chunk < CHUNKS; chunk++)
		turn_over(column + chunk*WIDTH);
	for (int l = 0; l < WIDTH; l++) {
		double *line = &motion->v.x + (second ? at[l].b : at[l].a);
		for (int chunk = 0; chunk < CHUNKS; chunk++)
			store(line + chunk*WIDTH, column[chunk*WIDTH + l]);
	}
}

static inline column3 spin_of(const reals column[8])
{
	return (column3){column[4], column[5], column[6]};
}

static inline column3 velocity_of(const extended_fields *c, const reals a[8], const reals b[8])
{
	return coulomb_relative(c->n, (column3){b[0] - a[0], b[1] - a[1], b[2] - a[2]}, (column3){a[4] + b[4], a[5] + b[5], a[6] + b[6]});
}

// dp and dq to both bodies, in columns.
static inline void push_bodies(const extended_fields *c, reals a[8], reals b[8], column3 dp, column3 dq)
{
	column3 torque = cross3(c->n, dp);
	column3 on_a = extended_on_a(c, torque, dq), on_b = extended_on_b(c, torque, dq);
	reals ma = a[3], ka = a[7], mb = b[3], kb = b[7];
	a[0] -= ma*dp.x, a[1] -= ma*dp.y, a[2] -= ma*dp.z;
	b[0] += mb*dp.x, b[1] += mb*dp.y, b[2] += mb*dp.z;
	a[4] -= ka*on_a.x, a[5] -= ka*on_a.y, a[6] -= ka*on_a.z;
	b[4] -= kb*on_b.x, b[5] -= kb*on_b.y, b[6] -= kb*on_b.z;
}

// ---------------------------------------------------------------- a cell that deforms

static inline void flow_lanes(const extended_fields *c, column3 p, double lane[MOVED][LANES], int l)
{
	column3 n = c->n, dp = sub3(p, c->p);
	store(&lane[STIFFNESS][l], larger_of(dot3(p, n), all(0), c->mass_n*c->centre_distance*c->centre_distance, all(0)));
	store(&lane[0][l], dp.x*n.x*c->centre_distance);
	store(&lane[1][l], dp.y*n.y*c->centre_distance);
	store(&lane[2][l], dp.z*n.z*c->centre_distance);
	store(&lane[3][l], dp.x*n.y*c->centre_distance);
	store(&lane[4][l], dp.x*n.z*c->centre_distance);
	store(&lane[5][l], dp.y*n.z*c->centre_distance);
}

// ---------------------------------------------------------------- the law

ALWAYS extended_update update_of(const extended_fields *c, const reals a[8], const reals b[8], const flow_columns *flow)
{
	column3 u = velocity_of(c, a, b);
	if (flow)
		u = mul_add3(u, all(1), flow_velocity(flow, c->n, c->centre_distance));
	extended_force now = extended_push(c, u);
	column3 spin = extended_spin(c, spin_of(a), spin_of(b));
	return (extended_update){.p = now.p, .q = extended_torque(c, sub3(now.p, c->p), now.load, spin), .mu = now.mu};
}

// ---------------------------------------------------------------- the loops

static inline bool extended_calm(const extended_fields *c, const extended_update *u, change_limit rule)
{
	column3 dp = sub3(u->p, c->p), dq = sub3(u->q, c->q);
	reals curve = lanes_max(c->curve_a, c->curve_b), allowed = rule.relative*lanes_sqrt(dot3(u->p, u->p)) + rule.absolute;
	reals change = lanes_sqrt(dot3(dp, dp)), turn = curve*lanes_sqrt(dot3(dq, dq));
	bool quiet = true;
	for (int l = 0; l < WIDTH; l++)
		quiet &= LANE(change, l) <= LANE(allowed, l) && LANE(turn, l) <= LANE(allowed, l); // what is not a number is not calm
	return quiet;
}

typedef struct visit { // one on its way
	extended_fields c;
	column3 p_was, q_was; // after the last sweep, where c is beyond it
	reals a[8], b[8];
	extended_update u;
} visit;

ALWAYS void visit_start(visit *v, const extended_batch *b, int lane, const talus_solver_body *motion)
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
	extended_past *past; // of this batch
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
	reals by_p = 1/lanes_max(v->c.mass_n, all(1e-300)), by_q = 1/lanes_max(v->c.inertia, all(1e-300));
	reals size = by_p*dot3(dp, dp) + by_q*dot3(dq, dq), along = -by_p*dot3(dp, on) - by_q*dot3(dq, turn);
	along = (along + m->coarse[WORK_ALONG]) - m->coarse[WORK_ALONG];
	add_to(m->sum[WORK_SIZE], (size + m->coarse[WORK_SIZE]) - m->coarse[WORK_SIZE]);
	add_to(m->sum[WORK_ALONG], along);
	add_to(m->sum[WORK_SPAN], lanes_size(along));
}

ALWAYS void visit_end(visit *v, extended_batch *b, int lane, talus_solver_body *motion)
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
ALWAYS bool extended_group(extended_batch *b, talus_solver_body *motion, const change_limit *rule, const flow_columns *flow,
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
			quiet &= extended_calm(&one.c, &one.u, *rule) && (!OTHER || extended_calm(&other.c, &other.u, *rule));
	}
	return quiet;
}

ALWAYS bool extended_loop(extended_batch *b, size_t groups, talus_solver_body *motion, const change_limit *rule)
{
	bool quiet = true;
	for (size_t i = 0; i < groups; i++)
		quiet &= extended_group(&b[i], motion, rule, NULL, NULL, NULL);
	return quiet;
}

static bool extended_sweep(extended_batch *b, size_t groups, talus_solver_body *motion, const change_limit *rule)
{
	return rule ? extended_loop(b, groups, motion, rule) : extended_loop(b, groups, motion, NULL);
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

static bool extended_sweep_flow(extended_batch *b, size_t groups, talus_solver_body *motion, const change_limit *rule, const talus_cell_unknowns *flow,
                            double (*moved)[MOVED])
{
	flow_columns rate = flow_load(flow->rate);
	bool quiet = true;
	for (size_t i = 0; i < groups; i++) {
		double lane[MOVED][LANES];
		quiet &= extended_group(&b[i], motion, rule, &rate, lane, NULL);
		sum_lanes(lane, MOVED, moved[i]);
	}
	return quiet;
}

static void extended_accelerated_sweep(extended_batch *b, size_t groups, talus_solver_body *motion, const talus_cell_unknowns *flow, double (*moved)[MOVED],
                          extended_past *old, double beta, const double coarse[WORKS], double sum[WORKS][LANES])
{
	double lane[MOVED][LANES];
	flow_columns rate = flow ? flow_load(flow->rate) : (flow_columns){all(0), all(0), all(0), all(0), all(0), all(0)};
	for (size_t i = 0; i < groups; i++) {
		impetus m = {.past = &old[i], .beta = beta, .coarse = coarse, .sum = sum};
		if (flow) {
			extended_group(&b[i], motion, NULL, &rate, lane, &m);
			sum_lanes(lane, MOVED, moved[i]);
		} else {
			extended_group(&b[i], motion, NULL, NULL, NULL, &m);
		}
	}
}

static void extended_give(const extended_batch *b, size_t groups, talus_solver_body *motion)
{
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position at = position_of(i);
		const contact_bodies *bodies = b[at.group].at + at.lane;
		reals first[8], second[8];
		extended_fields c = fields_of(&b[at.group], at.lane);
		load_body(motion, bodies, false, first);
		load_body(motion, bodies, true, second);
		push_bodies(&c, first, second, c.p, c.q);
		store_body(motion, bodies, false, first);
		store_body(motion, bodies, true, second);
	}
}

static void extended_residual(const extended_batch *b, size_t groups, const talus_solver_body *motion, const talus_cell_unknowns *flow,
                          double wrong[LANES], double size[LANES])
{
	flow_columns rate = flow ? flow_load(flow->rate) : (flow_columns){all(0), all(0), all(0), all(0), all(0), all(0)};
	for (size_t i = 0; i < groups*(LANES/WIDTH); i++) {
		position at = position_of(i);
		reals first[8], second[8];
		extended_fields c = fields_of(&b[at.group], at.lane);
		load_body(motion, b[at.group].at + at.lane, false, first);
		load_body(motion, b[at.group].at + at.lane, true, second);
		extended_update u = update_of(&c, first, second, &rate);
		store(wrong + at.lane, load(wrong + at.lane) + extended_wrong(&c, sub3(u.p, c.p), sub3(u.q, c.q)));
		store(size + at.lane, load(size + at.lane) + dot3(c.p, c.p));
	}
}

#define EXTENDED_KERNEL {.sweep = extended_sweep, .sweep_flow = extended_sweep_flow, .accelerated_sweep = extended_accelerated_sweep, .give = extended_give, .residual = extended_residual}
