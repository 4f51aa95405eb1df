// SPDX-License-Identifier: MIT
// Sweeps for many hands: whatever is done at once, by however many threads, the bits are those of visits one by
// one in the order of the sweep.
#include "unit.h"

#include "blocks.h"
#include "law/coulomb.h"
#include "law/law.h"
#include "base/memory.h"
#include "solve/solve.h"

#include <stdlib.h>

enum { THREADS = 4, MOST_BODIES = 4200, MOST_CONTACTS = 20000, MOST_FULL_MASS = 10 };

// ---------------------------------------------------------------- problems

typedef struct model {
	talus_problem problem; // of the columns that follow
	talus_solver_body motion[MOST_BODIES];
	talus_contact contact[MOST_CONTACTS];
	talus_row row[MOST_CONTACTS];
	vec3 p[MOST_CONTACTS], q[MOST_CONTACTS];
	talus_extended extended[MOST_CONTACTS];
	talus_full_mass full_mass[MOST_FULL_MASS];
} model;

static model start, tested, referee; // too large for the stack

static void model_copy(model *to, const model *from)
{
	*to = *from;
	talus_problem *p = &to->problem;
	p->motion = to->motion;
	p->contact = to->contact;
	p->row = to->row;
	p->p = to->p;
	p->q = to->q;
	p->extended = to->extended;
	p->full_mass = to->full_mass;
}

static void model_make(model *m, size_t count)
{
	blocks_forget(&m->problem);
	memset(m, 0, sizeof *m);
	m->problem.bodies = count;
	model_copy(m, m);
}

static void set_body(model *m, size_t body, bool fixed, dice *d)
{
	double inverse = fixed ? 0 : roll(d, 0.3, 3);
	vec3 v = mul(roll(d, 0, 2), roll_direction(d, 3)), s = mul(roll(d, 0, 1), roll_direction(d, 3));
	m->problem.motion[body] = (talus_solver_body){.v = v, .inv_m = inverse, .r_omega = s, .r2_over_I = 2.5*inverse};
}

static bool movable(const talus_problem *p, uint32_t body)
{
	return p->motion[body].inv_m != 0 || p->motion[body].r2_over_I != 0;
}

// A contact of any kind: with and without friction, gap and first guess. None between two that cannot move.
static void join(model *m, uint32_t a, uint32_t b, bool full_mass, dice *d)
{
	talus_problem *p = &m->problem;
	if (a == b || (!movable(p, a) && !movable(p, b)))
		return;
	talus_contact *c = &m->contact[p->contacts];
	talus_row *row = &p->row[p->contacts];
	*c = (talus_contact){.a = a, .b = b, .n = roll_direction(d, 3)};
	double mu = roll(d, 0, 1), guess = roll(d, -1, 1);
	coulomb_prepare(row, &p->motion[a], &p->motion[b], roll(d, -0.1, 0.1), 0, 0.1, TALUS_GAP_POSITIVE, mu < 0.2 ? 0 : mu);
	p->p[p->contacts] = mul(guess > 0 ? guess : 0, add(c->n, mul(0.5*mu, roll_direction(d, 3))));
	if (full_mass) { // a slides along x only
		double ia = p->motion[a].inv_m, ib = p->motion[b].inv_m;
		talus_full_mass *g = &p->full_mass[p->contacts - p->class_end[TALUS_EXTENDED]];
		full_mass_prepare(g, row, c->n, vec(ia, 0, 0), vec(ib, ib, ib), p->motion[b].r2_over_I, 3);
	}
	p->contacts++;
	p->class_end[TALUS_COULOMB] += !full_mass;
	p->class_end[TALUS_EXTENDED] = p->class_end[TALUS_COULOMB];
}

// Laws of all kinds, each there or not.
static talus_extended any_laws(const talus_problem *p, size_t i, dice *d)
{
	const talus_contact *c = &p->contact[i];
	const talus_row *row = &p->row[i];
	talus_extended r = extended_none(c->n, row);
	vec3 aim = mul(roll(d, 0, 1), roll_direction(d, 3));
	double curve_a = roll(d, 0, 2) < 0.5 ? 0 : roll(d, 0.5, 3), curve_b = roll(d, 0.5, 3);
	double ka = p->motion[c->a].r2_over_I, kb = p->motion[c->b].r2_over_I, inverse = ka*curve_a*curve_a + kb*curve_b*curve_b;
	if (roll(d, 0, 1) < 0.5)
		r.target = add(r.target, aim);
	r.gap_allowance = row->mass_n*fmax(0, dot(r.target, c->n));
	r.cohesion_impulse = fmax(0, roll(d, -0.3, 0.3));
	r.mu_stick = row->mu + fmax(0, roll(d, -0.3, 0.3));
	r.roll = fmax(0, roll(d, -0.2, 0.4));
	r.twist = fmax(0, roll(d, -0.2, 0.4));
	r.curve_a = curve_a;
	r.curve_b = curve_b;
	r.inertia = inverse > 0 ? 1/inverse : 0;
	r.torque_coupling = curve_b*kb - curve_a*ka;
	r.wall_spin = mul(fmax(0, roll(d, -1, 1)), roll_direction(d, 3));
	p->q[i - p->class_end[TALUS_COULOMB]] = mul(0.1*norm(p->p[i]), roll_direction(d, 3));
	return r;
}

// The last `share` of the plain contacts become extended; those with a full matrix may have laws, too.
static void enrich(model *m, double share, uint64_t seed)
{
	talus_problem *p = &m->problem;
	dice d = dice_make(seed);
	p->class_end[TALUS_COULOMB] -= (size_t)(share*(double)p->class_end[TALUS_COULOMB]);
	for (size_t i = p->class_end[TALUS_COULOMB]; i < p->contacts; i++) {
		p->q[i - p->class_end[TALUS_COULOMB]] = vec(0, 0, 0);
		p->extended[i - p->class_end[TALUS_COULOMB]] = i < p->class_end[TALUS_EXTENDED] || share > 0 ? any_laws(p, i, &d) : extended_none(p->contact[i].n, &p->row[i]);
	}
}

typedef enum graph { NET, CHAIN, HUB, GRAPHS } graph;

// Everyone with everyone; in a row; every fourth contact with the same body. One body of ten cannot move.
static void graph_make(model *m, graph kind, size_t count, uint64_t seed)
{
	dice d = dice_make(seed);
	uint32_t n = (uint32_t)(kind == CHAIN ? count + 1 : count/2 + 3);
	size_t full_mass_count = count/100 < 8 ? count/100 : 8;
	model_make(m, n);
	for (uint32_t i = 0; i < n; i++)
		set_body(m, i, i%10 == 1, &d);
	while (m->problem.contacts < count) {
		uint32_t a = (uint32_t)roll(&d, 0, n), b = (uint32_t)roll(&d, 0, n), i = (uint32_t)m->problem.contacts;
		bool full_mass = i + full_mass_count >= count;
		if (kind == CHAIN && !full_mass)
			a = i, b = i + 1;
		if (kind == HUB && i%4 == 0)
			a = 0;
		join(m, full_mass ? 2 : a, b, full_mass, &d);
	}
}

// ---------------------------------------------------------------- the referee

// One visit, and how much the impulse has changed.
static double visit(talus_problem *p, uint32_t i)
{
	const vec3 nothing = {0, 0, 0}, *q = i < p->class_end[TALUS_COULOMB] ? &nothing : &p->q[i - p->class_end[TALUS_COULOMB]];
	const talus_extended *r = i < p->class_end[TALUS_COULOMB] ? &(talus_extended){0} : &p->extended[i - p->class_end[TALUS_COULOMB]];
	vec3 before = p->p[i], turned = *q;
	problem_visit(p, i, NULL);
	return fmax(norm(sub(p->p[i], before)), fmax(r->curve_a, r->curve_b)*norm(sub(*q, turned)));
}

// Visits one by one; returns the largest change.
static double plain_sweep(talus_problem *p, const uint32_t *order, size_t visits)
{
	double most = 0;
	for (size_t i = 0; i < visits; i++)
		most = fmax(most, visit(p, order[i]));
	return most;
}

static void assert_same(const talus_problem *p, const talus_problem *by_hand)
{
	for (size_t i = 0; i < p->contacts; i++)
		if (memcmp(&p->row[i], &by_hand->row[i], sizeof *p->row) || memcmp(&p->p[i], &by_hand->p[i], sizeof *p->p))
			fail_msg("contact %zu of %zu is not the same", i, p->contacts);
	for (size_t i = 0; i < p->contacts - p->class_end[TALUS_COULOMB]; i++)
		if (memcmp(&p->q[i], &by_hand->q[i], sizeof(vec3)))
			fail_msg("the torque of contact %zu of %zu is not the same", i + p->class_end[TALUS_COULOMB], p->contacts);
	for (size_t i = 0; i < p->bodies; i++)
		if (memcmp(&p->motion[i], &by_hand->motion[i], sizeof *p->motion))
			fail_msg("body %zu of %zu is not the same", i, p->bodies);
}

// ---------------------------------------------------------------- the solver_workspace

static solver_workspace shop_open(int threads)
{
	solver_workspace ws = {.team = parallel_create(threads), .kernel = kernel_best(), .plans = 1};
	ws.loops = ws.kernel;
	ws.plan = calloc(1, sizeof *ws.plan);
	ws.calm = calloc((size_t)threads, sizeof *ws.calm);
	return ws;
}

static void shop_close(solver_workspace *ws)
{
	parallel_destroy(ws->team);
	schedule_free(ws->plan);
	solver_bodies_free(&ws->solver_bodies);
	momentum_free(ws->momentum);
	if (ws->judge)
		judge_free(ws->judge);
	memory_free(ws->judge);
	free(ws->plan);
	free(ws->calm);
}

// The problem as the sweeps see it.
static talus_problem in_lines(solver_workspace *ws, const model *m)
{
	solver_bodies_take(&ws->solver_bodies, &m->problem, ws->team);
	talus_problem seen = m->problem;
	seen.motion = ws->solver_bodies.motion;
	return seen;
}

// A sweep whose largest change is known: calm by a rule that allows just that, and not by one that allows less.
static void sweep_and_judge(solver_workspace *ws, talus_problem *seen, int number, double most)
{
	change_limit just = {0, most}, less = {0, nextafter(most, 0)};
	const change_limit *rule[] = {NULL, &just, &less};
	bool quiet = sweep_once(ws, ws->plan, seen, rule[number%3]);
	assert_true(quiet == (number%3 < 2 || most == 0));
}

// ---------------------------------------------------------------- sharing no body

typedef struct owners { // who has a body
	const talus_problem *problem;
	uint32_t of[MOST_BODIES];
} owners;

// Owners have numbers from 1 on. False if another one of number `from` or higher has it already.
static bool owners_take(owners *o, uint32_t contact, uint32_t owner, uint32_t from)
{
	const talus_contact *c = &o->problem->contact[contact];
	uint32_t end[2] = {c->a, c->b};
	for (int k = 0; k < 2; k++)
		if (movable(o->problem, end[k])) {
			if (o->of[end[k]] >= from && o->of[end[k]] != owner)
				return false;
			o->of[end[k]] = owner;
		}
	return true;
}

// Contacts of one sweep level: each takes its bodies for itself.
static void check_stage(owners *o, uint32_t contact, uint32_t *next, uint32_t from)
{
	if (!owners_take(o, contact, (*next)++, from))
		fail_msg("contact %u shares a body with another one of its stage", contact);
}

// ---------------------------------------------------------------- rows

static int kind_of(const talus_problem *p, uint32_t contact)
{
	return contact < p->class_end[TALUS_COULOMB] ? PLAIN : contact < p->class_end[TALUS_EXTENDED] ? EXTENDED : FULL_MASS;
}

// Every visit of the order is in one sweep level, each kind apart from the others.
static void check_rows(const schedule *s, const talus_problem *p, const uint32_t *order)
{
	int left[MOST_CONTACTS] = {0};
	owners o = {.problem = p};
	uint32_t next = 1;
	for (size_t i = 0; i < p->contacts; i++)
		left[order[i]]++;
	assert_true(s->colour_passes == 1 && s->colour_pass[0].bundles == 1 && s->bundle[0].sweep_levels == s->sweep_levels);
	for (const sweep_level *at = s->sweep_level; at < s->sweep_level + s->sweep_levels; at++) {
		uint32_t from = next;
				for (int kind = 0; kind < KINDS; kind++)
			for (uint32_t i = 0; i < at->of[kind].count; i++) {
				uint32_t c = s->row[at->of[kind].first + i];
				assert_true(c < p->contacts && kind == kind_of(p, c));
				left[c]--;
				check_stage(&o, c, &next, from);
			}
	}
	for (size_t i = 0; i < p->contacts; i++)
		assert_int_equal(left[i], 0);
}

static void try_rows(solver_workspace *ws, talus_order kind)
{
	uint32_t order[MOST_CONTACTS];
	model_copy(&tested, &start);
	model_copy(&referee, &start);
	talus_problem seen = in_lines(ws, &tested);
	for (int sweep = 0; sweep < 4; sweep++) {
		order_fill(order, seen.contacts, kind, 4, 5, (uint64_t)sweep);
		schedule_rows(ws->plan, &seen, &ws->solver_bodies, kind, 4, 5, (uint64_t)sweep);
		check_rows(ws->plan, &seen, order);
		double most = plain_sweep(&referee.problem, order, seen.contacts);
		sweep_and_judge(ws, &seen, sweep, most);
		assert_same(&seen, &referee.problem);
	}
}

// One solver_workspace for all, as a world has it: what a larger problem has left behind does no harm.
static void test_rows(void **state)
{
	(void)state;
	static const size_t sizes[] = {1, 3000, 2, 7, 8, 9, 16, 17, 100, 999};
	static const talus_order kinds[] = {TALUS_ORDER_RANDOM, TALUS_ORDER_SEQUENTIAL,
		TALUS_ORDER_RANDOM_SEQUENTIAL};
	for (int threads = 1; threads <= THREADS; threads++) {
		solver_workspace ws = shop_open(threads);
		for (size_t k = 0; k < sizeof sizes/sizeof *sizes; k++)
			for (int kind = 0; kind < GRAPHS; kind++) {
				graph_make(&start, (graph)kind, sizes[k], 100*k + (uint64_t)kind);
				enrich(&start, 0.5*(double)((k + (size_t)kind)%3), 7*k);
				for (int o = 0; o < 3; o++)
					try_rows(&ws, kinds[o]);
			}
		shop_close(&ws);
	}
}

// ---------------------------------------------------------------- a bed in boxes

typedef struct bed_def {
	uint32_t size[3];
	uint32_t boxes[3]; // 0: none. At most two directions are cut: that makes four colours
	bool around[3];
} bed_def;

static const bed_def beds[] = {
	{{10, 9, 8}, {0}, {0}}, {{12, 12, 12}, {3, 4, 1}, {0}}, {{12, 12, 12}, {4, 1, 6}, {true, false, true}},
	{{48, 40, 1}, {5, 7, 1}, {0}}, {{48, 40, 1}, {2, 8, 1}, {true, true, false}},
	{{6, 2, 1}, {1, 1, 1}, {0}}, {{1, 2, 1}, {1, 2, 1}, {0}},
};

enum { BEDS = sizeof beds/sizeof *beds, BIG = 0, ROCK, FLOOR, PISTON, OTHERS, MOST_BLOCKS = 64 };

static void place_in(const bed_def *bed, uint32_t i, uint32_t at[3])
{
	at[0] = i%bed->size[0], at[1] = i/bed->size[0]%bed->size[1], at[2] = i/bed->size[0]/bed->size[1];
}

// Neighbours of a place, straight and across, around the edges where these are joined.
static void join_neighbours(model *m, const bed_def *bed, uint32_t i, dice *d)
{
	uint32_t at[3];
	place_in(bed, i, at);
	for (uint32_t way = 1; way < 8; way++) {
		uint32_t to[3];
		bool there = true;
		for (int k = 0; k < 3; k++) {
			uint32_t beyond = at[k] + (way >> k & 1);
			there &= beyond < bed->size[k] || bed->around[k];
			to[k] = beyond%bed->size[k];
		}
		if (there && roll(d, 0, 1) < 0.6) {
			uint32_t b = to[0] + bed->size[0]*(to[1] + bed->size[1]*to[2]);
			bool other_way = roll(d, 0, 1) < 0.5;
			join(m, other_way ? b : i, other_way ? i : b, false, d);
		}
	}
	if (at[1] == 0)
		join(m, bed->size[0]*bed->size[1]*bed->size[2] + FLOOR, i, false, d);
}

// Grains on a lattice, some of them fixed, and others behind them: a big grain in the middle and a rock that
// touch many all over the place, the floor (no box), and a piston (no box, but movable).
static void bed_make(model *m, const bed_def *bed, int touching, uint64_t seed)
{
	dice d = dice_make(seed);
	uint32_t n = bed->size[0]*bed->size[1]*bed->size[2];
	model_make(m, n + OTHERS);
	for (uint32_t i = 0; i < n + OTHERS; i++)
		set_body(m, i, i < n ? i%37 == 5 : i == n + ROCK || i == n + FLOOR, &d);
	for (uint32_t i = 0; i < n; i++)
		join_neighbours(m, bed, i, &d);
	for (int i = 0; i < touching; i++) {
		join(m, (uint32_t)roll(&d, 0, n), n + BIG, false, &d);
		join(m, (uint32_t)roll(&d, 0, n), n + ROCK, false, &d);
	}
	for (int i = 0; i < touching && i < 6; i++) // the first one plain; others also of a grain that is locked
		join(m, i%2 ? 0 : n + PISTON, 1 + (uint32_t)i%(n - 1), i > 0, &d);
}

// The box along one direction of a grain, or of the big one.
static uint32_t box_along(const bed_def *bed, uint32_t body, int k)
{
	uint32_t at[3], n = bed->size[0]*bed->size[1]*bed->size[2];
	if (body == n + BIG)
		return bed->boxes[k]/2;
	place_in(bed, body, at);
	return at[k]*bed->boxes[k]/bed->size[k];
}

// The lower one of the boxes of those who move, if these touch, so that a block has bodies of its own box and of those one further on;
// else `out`.
static uint32_t block_of(const talus_problem *p, const bed_def *bed, const talus_contact *c, uint32_t out)
{
	uint32_t a = movable(p, c->a) ? c->a : c->b, b = movable(p, c->b) ? c->b : c->a, block = 0;
	uint32_t placed = bed->size[0]*bed->size[1]*bed->size[2] + BIG;
	if (a > placed || b > placed)
		return out;
	for (int k = 2; k >= 0; k--) {
		uint32_t count = bed->boxes[k], from = box_along(bed, a, k), to = box_along(bed, b, k), low = from < to ? from : to;
		uint32_t apart = from + to - 2*low;
		if (apart > 1 && !(bed->around[k] && apart == count - 1))
			return out;
		block = block*count + (apart > 1 ? count - 1 : low);
	}
	return block;
}

// Colours are the parities of the directions that are cut.
static void bed_cut(model *m, const bed_def *bed)
{
	uint32_t blocks = bed->boxes[0]*bed->boxes[1]*bed->boxes[2], block[MOST_CONTACTS];
	int colour[MOST_BLOCKS + 1] = {0};
	if (!blocks)
		return;
	assert_true(blocks <= MOST_BLOCKS);
	for (uint32_t b = 0; b < blocks; b++) {
		uint32_t at[3] = {b%bed->boxes[0], b/bed->boxes[0]%bed->boxes[1], b/bed->boxes[0]/bed->boxes[1]};
		for (int k = 0, cuts = 0; k < 3; k++)
			if (bed->boxes[k] > 1)
				colour[b] |= (int)(at[k]%2) << cuts++;
	}
	colour[blocks] = TALUS_COLOURS - 1;
	for (size_t i = 0; i < m->problem.contacts; i++)
		block[i] = block_of(&m->problem, bed, &m->problem.contact[i], blocks);
	blocks_give(&m->problem, block, colour, blocks + 1);
}

// ---------------------------------------------------------------- batches

static uint32_t block_with(const talus_blocks *cut, int kind, uint32_t contact)
{
	uint32_t b = 0;
	while (cut->first[TALUS_CLASSES*(b + 1) + (uint32_t)kind] <= contact)
		b++;
	return b;
}

static int colour_with(const talus_blocks *cut, uint32_t block)
{
	int colour = 0;
	while (cut->colour[colour + 1] <= block)
		colour++;
	return colour;
}

// The visits of a bundle: those of its blocks, one block after the other, and of no other colour. Returns the colour.
static int check_course(const schedule *s, const talus_problem *p, const bundle *at, bool seen[MOST_CONTACTS])
{
	uint32_t last = at->block;
	int colour = colour_with(&s->cut, at->block);
	assert_true(at->visits > 0 && at->blocks > 0);
	for (uint32_t i = at->visit; i < at->visit + at->visits; i++) {
		uint32_t c = s->order[i];
		assert_true(c < p->contacts && !seen[c]);
		seen[c] = true;
		uint32_t block = block_with(&s->cut, kind_of(p, c), c);
		assert_true(block >= last && block < at->block + at->blocks);
		assert_int_equal(colour_with(&s->cut, block), colour);
		last = block;
	}
	return colour;
}

// Courses hold every contact once, those of a colour pass are of one colour and share no body.
static void check_courses(const schedule *s, const talus_problem *p)
{
	bool seen[MOST_CONTACTS] = {false};
	owners o = {.problem = p};
	uint32_t bundles = 0, visits = 0;
	int colour = -1;
	for (int f = 0; f < s->colour_passes; f++) {
		uint32_t first = s->colour_pass[f].first, deepest = 0;
		assert_true(first == bundles && s->colour_pass[f].bundles > 0);
		bundles += s->colour_pass[f].bundles;
		int other = colour_with(&s->cut, s->bundle[first].block);
		assert_true(other > colour);
		colour = other;
		for (uint32_t u = first; u < bundles; u++) {
			const bundle *at = &s->bundle[u];
			assert_int_equal(at->visit, visits);
			assert_int_equal(check_course(s, p, at, seen), colour);
			visits += at->visits;
			deepest = at->sweep_levels > deepest ? at->sweep_levels : deepest;
			for (uint32_t i = at->visit; i < visits; i++)
				assert_true(owners_take(&o, s->order[i], u + 1, first + 1));
		}
		assert_int_equal(s->colour_pass[f].depth, deepest);
	}
	assert_true(visits == p->contacts && bundles == s->bundles && s->colour_passes <= TALUS_COLOURS);
}

// The visits one by one: colour passes in their turn.
static void serial_order(const schedule *s, uint32_t *order)
{
	for (int f = 0; f < s->colour_passes; f++) {
		const colour_pass *p = &s->colour_pass[s->pass_order[f]];
		for (uint32_t u = p->first; u < p->first + p->bundles; u++)
			for (uint32_t i = s->bundle[u].visit; i < s->bundle[u].visit + s->bundle[u].visits; i++)
				*order++ = s->order[i];
	}
}

static void check_lane(const schedule *s, const solver_bodies *l, const talus_problem *p, bool there, uint32_t i, uint32_t lane)
{
	double wanted[10] = {0};
	const batch *b = (const batch *)s->of[TALUS_COULOMB].batch + lane/LANES;
	contact_bodies at = b->at[lane%LANES];
	if (there) {
		memcpy(wanted, &p->contact[i].n, sizeof(vec3));
		memcpy(wanted + 3, &p->row[i], sizeof(talus_row));
		memcpy(wanted + 7, &p->p[i], sizeof(vec3));
		assert_int_equal(s->place[i], lane);
		assert_memory_equal(&at, &l->at[i], sizeof at);
	} else
		assert_true(at.a == at.b && at.a >= l->dummy_body); // one of those for nobody
	for (int f = 0; f < 10; f++) {
		double is = (&b->n[0][0])[f*LANES + (int)(lane%LANES)];
		assert_memory_equal(&is, &wanted[f], sizeof is);
	}
}

// The extended contacts of a sweep level: how many.
static uint32_t check_extended(const schedule *s, const talus_problem *p, const solver_bodies *l, const sweep_level *at)
{
	uint32_t found = 0;
	for (size_t i = p->class_end[TALUS_COULOMB]; i < p->class_end[TALUS_EXTENDED] && at->of[TALUS_EXTENDED].count > 0; i++) {
		uint32_t batch_of = s->place[i]/LANES, lane = s->place[i]%LANES;
		if (batch_of < at->of[TALUS_EXTENDED].first || batch_of >= at->of[TALUS_EXTENDED].first + at->of[TALUS_EXTENDED].count)
			continue;
		const extended_batch *b = (const extended_batch *)s->of[TALUS_EXTENDED].batch + batch_of;
		assert_memory_equal(&b->at[lane], &l->at[i], sizeof(contact_bodies));
		assert_true(b->cohesion_impulse[lane] == p->extended[i - p->class_end[TALUS_COULOMB]].cohesion_impulse && b->p[2][lane] == p->p[i].z);
		found++;
	}
	assert_true(found + LANES > at->of[TALUS_EXTENDED].count*LANES);
	return found;
}

// Stages go through all batches, one after the other.
static void check_lanes(const schedule *s, const talus_problem *p, const solver_bodies *l)
{
	uint32_t *contact = calloc(s->of[TALUS_COULOMB].batches, LANES*sizeof *contact); // one more than its number; 0: none
	owners o = {.problem = p};
	uint32_t batches = 0, extended_count = 0, extended = 0, sweep_levels = 0, full_mass_count = 0, next = 1;
	for (uint32_t i = 0; i < p->class_end[TALUS_COULOMB]; i++) {
		assert_true(s->place[i] < s->of[TALUS_COULOMB].batches*LANES && contact[s->place[i]] == 0);
		contact[s->place[i]] = i + 1;
	}
	for (uint32_t u = 0; u < s->bundles; u++) {
		const bundle *of = &s->bundle[u];
		assert_true(of->first == sweep_levels && of->of[TALUS_COULOMB].first == batches);
		for (uint32_t end = sweep_levels + of->sweep_levels; sweep_levels < end; sweep_levels++) {
			const sweep_level *at = &s->sweep_level[sweep_levels];
			uint32_t from = next, full = 0;
			assert_int_equal(at->of[TALUS_COULOMB].first, batches);
			batches += at->of[TALUS_COULOMB].count;
			for (uint32_t lane = at->of[TALUS_COULOMB].first*LANES; lane < batches*LANES; lane++) {
				uint32_t c = contact[lane];
				check_lane(s, l, p, c != 0, c - 1, lane);
				if (c)
					check_stage(&o, c - 1, &next, from), full++;
			}
			assert_true(full + LANES > at->of[TALUS_COULOMB].count*LANES); // no batch for nothing
			assert_int_equal(at->of[TALUS_EXTENDED].first, extended_count);
			extended_count += at->of[TALUS_EXTENDED].count;
			extended += check_extended(s, p, l, at);
			for (uint32_t i = 0; i < at->of[TALUS_FULL_MASS].count; i++)
				check_stage(&o, s->row[at->of[TALUS_FULL_MASS].first + i], &next, from);
			full_mass_count += at->of[TALUS_FULL_MASS].count;
		}
		assert_int_equal(of->of[TALUS_COULOMB].count, batches - of->of[TALUS_COULOMB].first);
		assert_int_equal(of->of[TALUS_EXTENDED].count, extended_count - of->of[TALUS_EXTENDED].first);
	}
	assert_true(sweep_levels == s->sweep_levels && batches == s->of[TALUS_COULOMB].batches && full_mass_count == p->contacts - p->class_end[TALUS_EXTENDED]);
	assert_true(extended_count == s->of[TALUS_EXTENDED].batches && extended == p->class_end[TALUS_EXTENDED] - p->class_end[TALUS_COULOMB]);
	free(contact);
}

// How wrong it is, seen in batches and contact by contact, with bodies in eight boxes anyhow.
static void check_error(solver_workspace *ws, talus_problem *p)
{
	uint32_t *box = calloc(p->bodies, sizeof *box);
	for (size_t i = 0; i < p->bodies; i++)
		box[i] = (uint32_t)(i*i + i/3)%8;
	p->dt = 0.1;
	p->error_cells = (talus_error_cells){.box = box, .bodies = p->bodies - 2, .dimension = 3, .diameter = 2, .side = {2, 2, 2}, .edge = {4, 5, 6}};
	double load, same;
	error_begin(ws, p);
	talus_solve_error one = error_estimate(ws, ws->plan, p, &load), other = error_estimate(ws, NULL, p, &same);
	assert_near(load, same, 1e-12*same);
	assert_near(one.overlap, other.overlap, 1e-12*other.overlap);
	assert_near(one.local, other.local, 1e-12*other.local);
	assert_near(one.global, other.global, 1e-9*other.global);
	assert_true(p->class_end[TALUS_COULOMB] < 10 || (one.overlap > 0 && one.local > 0 && one.global > 0)); // a few may be met to the last bit
	p->error_cells = (talus_error_cells){0};
	free(box);
}

static void try_batches(solver_workspace *ws, uint64_t stream)
{
	model_copy(&tested, &start);
	model_copy(&referee, &start);
	talus_problem seen = in_lines(ws, &tested), *by_hand = &referee.problem;
	schedule *s = ws->plan;
	uint32_t order[MOST_CONTACTS];
	schedule_batches(s, &seen, &ws->solver_bodies, stream, ws->team);
	check_courses(s, &seen);
	check_lanes(s, &seen, &ws->solver_bodies);
	serial_order(s, order);
	sweep_give(ws, s, &seen);
	for (size_t i = 0; i < seen.contacts; i++)
		problem_give(by_hand, order[i], by_hand->p[order[i]],
			order[i] < by_hand->class_end[TALUS_COULOMB] ? vec(0, 0, 0) : by_hand->q[order[i] - by_hand->class_end[TALUS_COULOMB]]);
	assert_same(&seen, by_hand);
	for (int sweep = 0; sweep < 3; sweep++) {
		double most = plain_sweep(by_hand, order, seen.contacts);
		sweep_and_judge(ws, &seen, sweep, most);
		schedule_unload(s, &seen, ws->team);
		assert_same(&seen, by_hand);
	}
	assert_near(sweep_residual(ws, s, &seen), problem_residual(by_hand, NULL), 1e-12);
	check_error(ws, &seen);
	solver_bodies_return(&ws->solver_bodies, &tested.problem, ws->team);
	assert_same(&tested.problem, by_hand);
}

// Under momentum bodies, forces and torques go on together: the bodies are where the impulses put them.
static void try_momentum(solver_workspace *ws, uint64_t stream)
{
	model_copy(&tested, &start);
	model_copy(&referee, &start);
	talus_problem seen = in_lines(ws, &tested), *by_hand = &referee.problem;
	schedule_batches(ws->plan, &seen, &ws->solver_bodies, stream, ws->team);
	sweep_give(ws, ws->plan, &seen);
	momentum_begin(ws, ws->plan, &seen);
	for (int sweep = 0; sweep < 6; sweep++) {
		double work[WORKS];
		ws->momentum->beta = 0.15*sweep;
		momentum_carry(ws, &seen);
		accelerated_sweep(ws, ws->plan, &seen, work);
		assert_true(work[WORK_SIZE] > 0 || sweep > 0 || seen.contacts == 0);
	}
	schedule_unload(ws->plan, &seen, ws->team);
	for (size_t i = 0; i < seen.contacts; i++)
		problem_give(by_hand, i, seen.p[i], i < seen.class_end[TALUS_COULOMB] ? vec(0, 0, 0) : seen.q[i - seen.class_end[TALUS_COULOMB]]);
	solver_bodies_return(&ws->solver_bodies, &tested.problem, ws->team);
	for (size_t i = 0; i < seen.bodies; i++) {
		assert_near3(tested.problem.motion[i].v, by_hand->motion[i].v, 1e-11);
		assert_near3(tested.problem.motion[i].r_omega, by_hand->motion[i].r_omega, 1e-11);
	}
}

static void test_batches(void **state)
{
	(void)state;
	for (int threads = 1; threads <= THREADS; threads++) {
		solver_workspace ws = shop_open(threads);
		for (int b = 0; b < BEDS; b++)
			for (uint64_t stream = 1; stream <= 3; stream++) {
				bed_make(&start, &beds[b], stream == 3 ? 0 : 300, stream);
				enrich(&start, 0.5*(double)((stream + (uint64_t)b)%3), stream);
				bed_cut(&start, &beds[b]);
				try_batches(&ws, random_mix(stream));
				try_momentum(&ws, random_mix(stream));
			}
		shop_close(&ws);
	}
}

// ---------------------------------------------------------------- one body with hundreds of contacts

// A plate on top of a deep bed: its contacts come one after the other, but whoever is not near does not wait for
// that. The floor below touches as many, and nobody waits for it.
static void test_hub(void **state)
{
	(void)state;
	static const bed_def deep = {{16, 16, 16}, {0}, {0}};
	dice d = dice_make(6);
	solver_workspace ws = shop_open(1);
	bed_make(&start, &deep, 0, 3);
	size_t others = start.problem.contacts, early = 0;
	talus_problem seen = in_lines(&ws, &start);
	schedule_rows(ws.plan, &seen, &ws.solver_bodies, TALUS_ORDER_RANDOM, 1, 2, 3);
	assert_true(ws.plan->sweep_levels < 64);
	for (uint32_t i = 0; i < 256; i++)
		join(&start, 4096 - 1 - i, 4096 + BIG, false, &d);
	seen = in_lines(&ws, &start);
	schedule_rows(ws.plan, &seen, &ws.solver_bodies, TALUS_ORDER_RANDOM, 1, 2, 3);
	assert_true(ws.plan->sweep_levels >= 256);
	for (const sweep_level *at = ws.plan->sweep_level; at < ws.plan->sweep_level + 64; at++)
		for (uint32_t i = 0; i < at->of[TALUS_COULOMB].count; i++)
			early += ws.plan->row[at->of[TALUS_COULOMB].first + i] < others;
	assert_true(10*early > 9*others);
	shop_close(&ws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_batches),
	                                   cmocka_unit_test(test_hub)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
