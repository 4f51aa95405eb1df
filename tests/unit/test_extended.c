// SPDX-License-Identifier: MIT
// The loops over extended contacts: all widths, from one to eight, give the same bits as each other and as a single contact by itself. That the law is
// right is held against an independent one, for bodies with a full mass matrix, in physics/test_full_mass_laws.c.
#include "unit.h"

#include "law/coulomb.h"
#include "law/law.h"
#include "solve/solve.h"

#include "widths/widths.h"

enum { KERNELS = 5, GROUPS = 17, CONTACTS = GROUPS*LANES, BODIES = 2*CONTACTS, NOBODY = BODIES };

// ---------------------------------------------------------------- contacts that share no body

typedef struct group_set {
	talus_solver_body motion[BODIES + 1]; // the last one is nobody
	talus_contact contact[CONTACTS];
	talus_row row[CONTACTS];
	vec3 p[CONTACTS], q[CONTACTS];
	talus_extended extended[CONTACTS];
	extended_batch batch[GROUPS];
} group_set;

static double maybe(dice *d, double least, double most) // 0 as often as not
{
	return roll(d, 0, 1) < 0.5 ? 0 : roll(d, least, most);
}

static void take_lane(const extended_batch *b, uint32_t lane, const talus_problem *problem, uint32_t contact)
{
	uint32_t place[CONTACTS];
	place[contact] = lane;
	class_extended.take_some(b, place, problem, contact, contact + 1);
}

static talus_solver_body some_body(dice *d, int dimension, bool fixed)
{
	vec3 s = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : mul(roll(d, 0, 1), roll_direction(d, 3));
	double inverse = fixed ? 0 : roll(d, 0.3, 3);
	return (talus_solver_body){.v = mul(roll(d, 0, 2), roll_direction(d, dimension)), .inv_m = inverse, .r_omega = s,
		.r2_over_I = 2.5*inverse};
}

// Closing, opening or bouncing, bonded or not, with and without each of the limits, with impulses from
// before.
static void some_contact(dice *d, int dimension, group_set *s, uint32_t i, uint32_t a, uint32_t b)
{
	talus_contact *c = &s->contact[i];
	*c = (talus_contact){.a = a, .b = b, .n = roll_direction(d, dimension)};
	talus_row *row = &s->row[i];
	coulomb_prepare(row, &s->motion[a], &s->motion[b], roll(d, -0.1, 0.1), 0, 0.1, TALUS_GAP_POSITIVE, 0);
	double ka = s->motion[a].r2_over_I, kb = s->motion[b].r2_over_I, ca = maybe(d, 0.5, 2), cb = roll(d, 0.5, 2);
	double inverse = ca*ca*ka + cb*cb*kb, slide = maybe(d, 0.1, 0.5), stick = slide + maybe(d, 0.1, 0.5);
	talus_extended *r = &s->extended[i];
	*r = (talus_extended){.target = mul(row->bias, c->n), .gap_allowance = row->mass_n*row->bias, .cohesion_impulse = maybe(d, 0.1, 1),
		.mu_slide = slide, .mu_stick = stick, .roll = maybe(d, 0.1, 0.5), .twist = maybe(d, 0.1, 0.5),
		.curve_a = ca, .curve_b = cb, .torque_coupling = cb*kb - ca*ka, .inertia = inverse > 0 ? 1/inverse : 0};
	row->mu = roll(d, 0, 1) < 0.5 ? stick : slide;
	bool guessed = roll(d, 0, 1) < 0.5, bounces = roll(d, 0, 1) < 0.3, turns = roll(d, 0, 1) < 0.2;
	if (bounces)
		r->target = mul(0.7, roll_direction(d, dimension)), r->gap_allowance = maybe(d, 0, 0.5);
	if (turns)
		r->wall_spin = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : roll_direction(d, 3);
	if (guessed) {
		s->p[i] = mul(roll(d, 0, 1), add(c->n, mul(roll(d, 0, 1), roll_direction(d, dimension))));
		s->q[i] = dimension == 2 ? vec(0, 0, roll(d, -0.2, 0.2)) : mul(roll(d, 0, 0.2), roll_direction(d, 3));
	}
}

// With so many extended contacts.
static talus_problem problem_of(group_set *s, size_t count)
{
	return (talus_problem){.contacts = count, .class_end = {0, count}, .contact = s->contact, .row = s->row, .p = s->p, .q = s->q,
		.extended = s->extended, .bodies = BODIES, .motion = s->motion};
}

static void load_batches(group_set *s, uint32_t count)
{
	for (int g = 0; g < GROUPS; g++)
		class_extended.clear(&s->batch[g], LINE*NOBODY);
	talus_problem problem = problem_of(s, count);
	for (uint32_t i = 0; i < count; i++)
		class_extended.put(&s->batch[i/LANES], i%LANES, (contact_bodies){LINE*s->contact[i].a, LINE*s->contact[i].b}, &problem, i);
}

// The last batch has lanes without a contact.
static void make(group_set *s, int dimension, uint32_t left_over, uint64_t seed)
{
	dice d = dice_make(seed);
	memset(s, 0, sizeof *s);
	for (uint32_t i = 0; i < CONTACTS; i++) {
		s->motion[2*i] = some_body(&d, dimension, i%7 == 3);
		s->motion[2*i + 1] = some_body(&d, dimension, i%7 == 5);
		some_contact(&d, dimension, s, i, 2*i + (i%3 == 0), 2*i + (i%3 != 0));
	}
	load_batches(s, CONTACTS - left_over);
}

static void unload(group_set *s, uint32_t count)
{
	talus_problem problem = problem_of(s, count);
	for (uint32_t i = 0; i < count; i++)
		take_lane(&s->batch[i/LANES], i%LANES, &problem, i);
}

// ---------------------------------------------------------------- the law by itself

static void law_give(group_set *s, uint32_t i, vec3 dp, vec3 dq)
{
	const talus_contact *c = &s->contact[i];
	talus_solver_body *a = &s->motion[c->a], *b = &s->motion[c->b];
	a->v = mul_add(a->v, -a->inv_m, dp);
	b->v = mul_add(b->v, b->inv_m, dp);
	extended_turn(c->n, &s->extended[i], a, b, dp, dq);
}

static impulse law_impulse(const group_set *s, uint32_t i)
{
	const talus_contact *c = &s->contact[i];
	const talus_extended *r = &s->extended[i];
	const talus_solver_body *a = &s->motion[c->a], *b = &s->motion[c->b];
	return extended_impulse(c->n, &s->row[i], r, (impulse){.p = s->p[i], .q = s->q[i]}, coulomb_velocity(c->n, a, b), extended_contact_spin(r, a, b));
}

// One by one; returns whether all were calm.
static bool law_sweep(group_set *s, uint32_t count, change_limit rule)
{
	bool quiet = true;
	for (uint32_t i = 0; i < count; i++) {
		const talus_extended *r = &s->extended[i];
		impulse now = law_impulse(s, i);
		vec3 dp = sub(now.p, s->p[i]), dq = sub(now.q, s->q[i]);
		law_give(s, i, dp, dq);
		s->p[i] = now.p, s->row[i].mu = now.mu, s->q[i] = now.q;
		quiet &= is_calm(now.p, norm(dp), rule) && is_calm(now.p, fmax(r->curve_a, r->curve_b)*norm(dq), rule);
	}
	return quiet;
}

// The same bits, or no number in both.
static bool same(const void *one, const void *other, size_t size)
{
	const double *a = one, *b = other;
	for (size_t k = 0; k < size/sizeof *a; k++)
		if (memcmp(&a[k], &b[k], sizeof *a) && !(isnan(a[k]) && isnan(b[k])))
			return false;
	return true;
}

static void assert_same(const group_set *one, const group_set *other)
{
	for (size_t i = 0; i < CONTACTS; i++) {
		if (!same(&one->row[i], &other->row[i], sizeof *one->row) || !same(&one->p[i], &other->p[i], sizeof(vec3)) ||
		    !same(&one->q[i], &other->q[i], sizeof(vec3)) || !same(&one->extended[i], &other->extended[i], sizeof *one->extended))
			fail_msg("contact %zu is not the same", i);
	}
	for (size_t i = 0; i <= BODIES; i++)
		if (!same(&one->motion[i], &other->motion[i], sizeof *one->motion))
			fail_msg("body %zu is not the same", i);
}

// Those that this processor has not are left out.
static int kernels(const extended_kernel *k[KERNELS])
{
	static const talus_simd simd[] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	int count = 0;
	for (int i = 0; i < 3; i++)
		if (kernel_named(simd[i])) {
			assert_ptr_equal(kernel_named(simd[i])->extended, kernel_named(simd[i])->flat->extended);
			k[count++] = kernel_named(simd[i])->extended;
		}
	k[count++] = &extended_eight;
	k[count++] = &extended_one;
	return count;
}

static group_set fresh, law, loops;

// Sweeps by one of the loops against sweeps by the law, with and without a rule.
static void try_kernel(const extended_kernel *k, size_t groups, uint32_t left_over)
{
	static const change_limit rules[] = {{0, 0}, {1e-12, 1e-12}, {0.3, 0.1}, {1e9, 1e9}};
	uint32_t count = (uint32_t)groups*LANES - left_over;
	law = loops = fresh;
	for (int sweep = 0; sweep < 8; sweep++) {
		const change_limit *rule = sweep%2 ? &rules[sweep/2] : NULL;
		bool quiet = law_sweep(&law, count, rule ? *rule : (change_limit){0, 0});
		assert_int_equal(k->sweep(loops.batch, groups, loops.motion, rule), !rule || quiet);
		unload(&loops, count);
		assert_same(&loops, &law);
	}
}

static void test_sweeps(void **state)
{
	(void)state;
	const extended_kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k) - 1; which >= 0; which--)
			for (uint64_t seed = 1; seed <= 5; seed++)
				for (uint32_t left_over = 0; left_over < LANES; left_over++) {
					make(&fresh, dimension, left_over, seed);
					try_kernel(k[which], GROUPS, left_over);
					if (left_over == 0)
						try_kernel(k[which], 1 + seed, 0);
				}
}

// What happens in the random contacts: something of everything, or the test above would not say much.
static void test_cases(void **state)
{
	(void)state;
	int push = 0, rest = 0, hold = 0, torn = 0, slid = 0, stuck = 0, changed = 0;
	int rolled = 0, twisted = 0, held = 0;
	make(&fresh, 3, 0, 1);
	law = fresh;
	law_sweep(&law, CONTACTS, (change_limit){0, 0});
	for (size_t i = 0; i < CONTACTS; i++) {
		vec3 n = law.contact[i].n, p = law.p[i], q = law.q[i];
		double mu = law.row[i].mu;
		const talus_extended *r = &law.extended[i];
		double pn = dot(p, n), load = pn + r->cohesion_impulse, pt = norm(mul_add(p, -pn, n));
		double qn = dot(q, n), roll_most = r->roll*load, roll_now = norm(mul_add(q, -qn, n));
		push += pn > 0;
		rest += r->cohesion_impulse > 0 && fabs(pn) < 1e-12;
		hold += pn < -1e-12 && load > 1e-12;
		torn += r->cohesion_impulse > 0 && load <= 1e-12;
		slid += load > 0 && mu > 0 && pt > 0.999999*mu*load;
		stuck += load > 0 && mu > 0 && pt < 0.999*mu*load;
		changed += mu != fresh.row[i].mu;
		rolled += roll_most > 0 && roll_now > 0.999999*roll_most;
		twisted += r->twist*load > 0 && fabs(qn) > 0.999999*r->twist*load;
		held += roll_most > 0 && roll_now > 0 && roll_now < 0.999*roll_most;
	}
	assert_true(push > 40 && rest > 2 && hold > 5 && torn > 3 && slid > 15 && stuck > 15 && changed > 10);
	assert_true(rolled > 10 && twisted > 10 && held > 10);
}

// ---------------------------------------------------------------- the verdict, and what is not a number

// When all have come to rest, one that is disturbed is seen in any lane of any group. A twist about the
// normal changes nothing but the torque.
static void test_verdict(void **state)
{
	(void)state;
	enum { SHOVE, TWIST, NO_NUMBER, DISTURBANCES };
	const extended_kernel *k[KERNELS];
	const change_limit rule = {1e-6, 1e-12};
	make(&fresh, 3, 0, 9);
	for (int sweep = 0; sweep < 300; sweep++) {
		law_sweep(&fresh, CONTACTS, rule);
		for (size_t i = 0; sweep == 10 && i < CONTACTS; i++) // or some would change over for ever
			fresh.extended[i].mu_stick = fresh.extended[i].mu_slide = fresh.row[i].mu;
	}
	load_batches(&fresh, CONTACTS);
	for (int which = kernels(k) - 1; which >= 0; which--)
		for (size_t odd = 0; odd <= CONTACTS; odd++)
			for (int how = 0; how < DISTURBANCES; how++) {
				loops = fresh;
				size_t which_one = odd < CONTACTS ? odd : 0;
				const talus_contact *c = &fresh.contact[which_one];
				talus_extended *r = &loops.extended[which_one];
				talus_solver_body *b = &loops.motion[c->b];
				bool twistable = r->inertia > 0 && r->twist*(dot(fresh.p[which_one], c->n) + r->cohesion_impulse) > 0.01;
				if (odd < CONTACTS && how == SHOVE) // behind the last one: nobody is disturbed
					b->v = mul_add(b->v, -100, c->n);
				if (odd < CONTACTS && how == TWIST && twistable)
					r->wall_spin = mul_add(r->wall_spin, dot(loops.q[which_one], c->n) > 0 ? 1e3 : -1e3, c->n);
				if (odd < CONTACTS && how == NO_NUMBER)
					b->v.y = NAN;
				load_batches(&loops, CONTACTS);
				law = loops;
				bool quiet = odd == CONTACTS || (how == TWIST && !twistable);
				assert_int_equal(k[which]->sweep(loops.batch, GROUPS, loops.motion, &rule), quiet);
				law_sweep(&law, CONTACTS, rule);
				unload(&loops, CONTACTS);
				assert_same(&loops, &law);
			}
}

// ---------------------------------------------------------------- giving, and the residual

static void test_give(void **state)
{
	(void)state;
	const extended_kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k) - 1; which >= 0; which--) {
			make(&law, dimension, 5, 4);
			loops = law;
			k[which]->give(loops.batch, GROUPS, loops.motion);
			for (uint32_t i = 0; i < CONTACTS - 5; i++)
				law_give(&law, i, law.p[i], law.q[i]);
			assert_same(&loops, &law);
		}
}

// The sums of all lanes are those of the problem; lane by lane all widths give the same bits, added to what
// was there.
static void test_residual(void **state)
{
	(void)state;
	const extended_kernel *k[KERNELS];
	for (int sweeps = 0; sweeps < 4; sweeps++) {
		double first[2][LANES], all_wrong = 0, all_size = 0, wrong = 0, size = 0;
		make(&law, 3, 3, 6);
		for (int sweep = 0; sweep < sweeps; sweep++)
			extended_eight.sweep(law.batch, GROUPS, law.motion, NULL);
		unload(&law, CONTACTS - 3);
		for (int which = kernels(k) - 1, one = which; which >= 0; which--) {
			double sum[2][LANES] = {{0}};
			k[which]->residual(law.batch, 5, law.motion, NULL, sum[0], sum[1]);
			k[which]->residual(law.batch + 5, GROUPS - 5, law.motion, NULL, sum[0], sum[1]);
			if (which == one)
				memcpy(first, sum, sizeof sum);
			assert_memory_equal(sum, first, sizeof sum);
		}
		for (int lane = 0; lane < LANES; lane++)
			all_wrong += first[0][lane], all_size += first[1][lane];
		for (uint32_t i = 0; i < CONTACTS - 3; i++) { // what a visit would change
			const talus_extended *r = &law.extended[i];
			impulse now = law_impulse(&law, i);
			double change = norm(sub(now.p, law.p[i])), turn_by = fmax(r->curve_a, r->curve_b)*norm(sub(now.q, law.q[i]));
			wrong += change*change + turn_by*turn_by;
			size += dot(law.p[i], law.p[i]);
		}
		assert_near(all_wrong/wrong, 1, 1e-12);
		assert_near(all_size/size, 1, 1e-12);
		talus_problem problem = problem_of(&law, CONTACTS - 3);
		assert_near(residual_of(all_wrong, all_size)/problem_residual(&problem, NULL), 1, 1e-12);
	}
}

// ---------------------------------------------------------------- batches

static void number_fields(void *fields, size_t size, double from)
{
	for (size_t k = 0; k < size/sizeof(double); k++)
		((double *)fields)[k] = from + (double)k;
}

// Every field goes into its own lane of its own column, and what sweeps change comes back.
static void test_put_and_take(void **state)
{
	(void)state;
	for (uint32_t lane = 0; lane < LANES; lane++) {
		extended_batch b, clear;
		talus_contact c = {.a = 1, .b = 2}, untouched = c;
		talus_row row, back_row = {.mu = 0};
		talus_extended r, back_r = {.cohesion_impulse = 0};
		vec3 p, q, back_p, back_q;
		number_fields(&c.n, sizeof c.n, 100);
		number_fields(&row, sizeof row, 110);
		number_fields(&p, sizeof p, 120);
		number_fields(&q, sizeof q, 130);
		number_fields(&r, sizeof r, 200);
		const talus_problem from = {.contacts = 1, .class_end[TALUS_EXTENDED] = 1, .contact = &c, .row = &row, .p = &p, .q = &q, .extended = &r};
		const talus_problem to = {.contacts = 1, .class_end[TALUS_EXTENDED] = 1, .contact = &untouched, .row = &back_row, .p = &back_p, .q = &back_q,
			.extended = &back_r};
		class_extended.clear(&b, 77);
		clear = b;
		class_extended.put(&b, lane, (contact_bodies){8, 16}, &from, 0);
		const double *column = &b.n[0][0];
		const double expected[] = {c.n.x, c.n.y, c.n.z, row.mass_n, row.mass_t, r.target.x, r.target.y, r.target.z,
			r.gap_allowance, r.cohesion_impulse, row.mu, r.mu_stick, r.mu_slide, r.roll, r.twist, r.inertia, r.curve_a, r.curve_b, r.torque_coupling,
			r.wall_spin.x, r.wall_spin.y, r.wall_spin.z, p.x, p.y, p.z, q.x, q.y, q.z, r.centre_distance};
		enum { COLUMNS = sizeof expected/sizeof expected[0] };
		assert_int_equal(sizeof b, offsetof(extended_batch, n) + COLUMNS*LANES*sizeof(double));
		for (uint32_t l = 0; l < LANES; l++) {
			assert_int_equal(b.at[l].a, l == lane ? 8 : 77);
			assert_int_equal(b.at[l].b, l == lane ? 16 : 77);
			for (int k = 0; k < COLUMNS; k++)
				assert_true(column[k*LANES + (int)l] == (l == lane ? expected[k] : 0));
		}
		take_lane(&b, lane, &to, 0);
		assert_near3(back_p, p, 0);
		assert_near3(back_q, q, 0);
		assert_true(back_row.mu == row.mu && back_row.mass_n == 0 && back_r.cohesion_impulse == 0);
		class_extended.clear(&b, 77);
		assert_memory_equal(&b, &clear, sizeof b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sweeps),
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_give),
		cmocka_unit_test(test_residual),
		cmocka_unit_test(test_put_and_take),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
