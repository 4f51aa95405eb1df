// SPDX-License-Identifier: MIT
// The loops over rich contacts: all widths give the same bits as each other and as the law by itself. The
// widest ones are here a second time, for any processor.
#include "unit.h"

#include "law/coulomb.h"
#include "law/law.h"
#include "solve/solve.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors longer than the registers; they never leave this file
#define WIDTH 8
#define FLAT 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // names of world.h, which the text does not know
#include "solve/rich_text.h"
#pragma GCC diagnostic pop

static const rich_kernel rich_wide = RICH_KERNEL;

enum { KERNELS = 4, GROUPS = 17, CONTACTS = GROUPS*LANES, BODIES = 2*CONTACTS, NOBODY = BODIES };

// ---------------------------------------------------------------- contacts that share no body

typedef struct group_set {
	talus_motion motion[BODIES + 1]; // the last one is nobody
	talus_contact contact[CONTACTS];
	talus_rich rich[CONTACTS];
	rich_batch batch[GROUPS];
} group_set;

static double maybe(dice *d, double least, double most) // 0 as often as not
{
	return roll(d, 0, 1) < 0.5 ? 0 : roll(d, least, most);
}

static talus_motion some_body(dice *d, int dimension, bool fixed)
{
	vec3 s = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : mul(roll(d, 0, 1), roll_direction(d, 3));
	double inverse = fixed ? 0 : roll(d, 0.3, 3);
	return (talus_motion){.v = mul(roll(d, 0, 2), roll_direction(d, dimension)), .inv_m = inverse, .s = s,
		.k = 2.5*inverse};
}

// Closing, opening or bouncing, bonded or not, with and without each of the limits, with impulses from
// before.
static void some_contact(dice *d, int dimension, group_set *s, uint32_t i, uint32_t a, uint32_t b)
{
	talus_contact *c = &s->contact[i];
	*c = (talus_contact){.a = a, .b = b, .n = roll_direction(d, dimension)};
	coulomb_prepare(c, s->motion, roll(d, -0.1, 0.1), 0, 0.1, TALUS_GAP_POSITIVE, 0);
	double ka = s->motion[a].k, kb = s->motion[b].k, ca = maybe(d, 0.5, 2), cb = roll(d, 0.5, 2);
	double inverse = ca*ca*ka + cb*cb*kb, slide = maybe(d, 0.1, 0.5), stick = slide + maybe(d, 0.1, 0.5);
	talus_rich *r = &s->rich[i];
	*r = (talus_rich){.target = mul(c->bias, c->n), .slack = c->mass_n*c->bias, .pull = maybe(d, 0.1, 1),
		.mu_slide = slide, .mu_stick = stick, .roll = maybe(d, 0.1, 0.5), .twist = maybe(d, 0.1, 0.5),
		.curve_a = ca, .curve_b = cb, .couple = cb*kb - ca*ka, .inertia = inverse > 0 ? 1/inverse : 0};
	c->mu = roll(d, 0, 1) < 0.5 ? stick : slide;
	bool guessed = roll(d, 0, 1) < 0.5, bounces = roll(d, 0, 1) < 0.3, turns = roll(d, 0, 1) < 0.2;
	if (bounces)
		r->target = mul(0.7, roll_direction(d, dimension)), r->slack = maybe(d, 0, 0.5);
	if (turns)
		r->turning = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : roll_direction(d, 3);
	if (guessed) {
		c->p = mul(roll(d, 0, 1), add(c->n, mul(roll(d, 0, 1), roll_direction(d, dimension))));
		r->q = dimension == 2 ? vec(0, 0, roll(d, -0.2, 0.2)) : mul(roll(d, 0, 0.2), roll_direction(d, 3));
	}
}

static void load_batches(group_set *s, uint32_t count)
{
	for (int g = 0; g < GROUPS; g++)
		rich_batch_clear(&s->batch[g], LINE*NOBODY);
	for (uint32_t i = 0; i < count; i++)
		rich_batch_put(&s->batch[i/LANES], i%LANES, (ends){LINE*s->contact[i].a, LINE*s->contact[i].b},
			&s->contact[i], &s->rich[i]);
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
	for (uint32_t i = 0; i < count; i++)
		rich_batch_take(&s->batch[i/LANES], i%LANES, &s->contact[i], &s->rich[i]);
}

// ---------------------------------------------------------------- the law by itself

static void law_give(group_set *s, uint32_t i, vec3 dp, vec3 dq)
{
	const talus_contact *c = &s->contact[i];
	talus_motion *a = &s->motion[c->a], *b = &s->motion[c->b];
	a->v = mul_add(a->v, -a->inv_m, dp);
	b->v = mul_add(b->v, b->inv_m, dp);
	rich_turn(c->n, &s->rich[i], a, b, dp, dq);
}

// One by one; returns whether all were calm.
static bool law_sweep(group_set *s, uint32_t count, calm rule)
{
	bool quiet = true;
	for (uint32_t i = 0; i < count; i++) {
		talus_contact *c = &s->contact[i];
		talus_rich *r = &s->rich[i];
		const talus_motion *a = &s->motion[c->a], *b = &s->motion[c->b];
		impulse now = rich_impulse(c, r, coulomb_velocity(c, a, b), rich_spin(r, a, b));
		vec3 dp = sub(now.p, c->p), dq = sub(now.q, r->q);
		law_give(s, i, dp, dq);
		c->p = now.p, c->mu = now.mu, r->q = now.q;
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
		const talus_contact *a = &one->contact[i], *b = &other->contact[i];
		if (!same(&a->n, &b->n, sizeof *a - offsetof(talus_contact, n)) ||
		    !same(&one->rich[i], &other->rich[i], sizeof *one->rich))
			fail_msg("contact %zu is not the same", i);
	}
	for (size_t i = 0; i <= BODIES; i++)
		if (!same(&one->motion[i], &other->motion[i], sizeof *one->motion))
			fail_msg("body %zu is not the same", i);
}

// Those that this processor has not are left out.
static int kernels(const rich_kernel *k[KERNELS])
{
	static const talus_simd simd[] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	int count = 0;
	for (int i = 0; i < 3; i++)
		if (kernel_named(simd[i])) {
			assert_ptr_equal(kernel_named(simd[i])->rich, kernel_named(simd[i])->flat->rich);
			k[count++] = kernel_named(simd[i])->rich;
		}
	k[count++] = &rich_wide;
	return count;
}

static group_set fresh, law, loops;

// Sweeps by one of the loops against sweeps by the law, with and without a rule.
static void try_kernel(const rich_kernel *k, size_t groups, uint32_t left_over)
{
	static const calm rules[] = {{0, 0}, {1e-12, 1e-12}, {0.3, 0.1}, {1e9, 1e9}};
	uint32_t count = (uint32_t)groups*LANES - left_over;
	law = loops = fresh;
	for (int sweep = 0; sweep < 8; sweep++) {
		const calm *rule = sweep%2 ? &rules[sweep/2] : NULL;
		bool quiet = law_sweep(&law, count, rule ? *rule : (calm){0, 0});
		assert_int_equal(k->sweep(loops.batch, groups, loops.motion, rule), !rule || quiet);
		unload(&loops, count);
		assert_same(&loops, &law);
	}
}

static void test_sweeps(void **state)
{
	(void)state;
	const rich_kernel *k[KERNELS];
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
	law_sweep(&law, CONTACTS, (calm){0, 0});
	for (size_t i = 0; i < CONTACTS; i++) {
		const talus_contact *c = &law.contact[i];
		const talus_rich *r = &law.rich[i];
		double pn = dot(c->p, c->n), load = pn + r->pull, pt = norm(mul_add(c->p, -pn, c->n));
		double qn = dot(r->q, c->n), roll_most = r->roll*load, roll_now = norm(mul_add(r->q, -qn, c->n));
		push += pn > 0;
		rest += r->pull > 0 && fabs(pn) < 1e-12;
		hold += pn < -1e-12 && load > 1e-12;
		torn += r->pull > 0 && load <= 1e-12;
		slid += load > 0 && c->mu > 0 && pt > 0.999999*c->mu*load;
		stuck += load > 0 && c->mu > 0 && pt < 0.999*c->mu*load;
		changed += c->mu != fresh.contact[i].mu;
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
	const rich_kernel *k[KERNELS];
	const calm rule = {1e-6, 1e-12};
	make(&fresh, 3, 0, 9);
	for (int sweep = 0; sweep < 300; sweep++) {
		law_sweep(&fresh, CONTACTS, rule);
		for (size_t i = 0; sweep == 10 && i < CONTACTS; i++) // or some would change over for ever
			fresh.rich[i].mu_stick = fresh.rich[i].mu_slide = fresh.contact[i].mu;
	}
	load_batches(&fresh, CONTACTS);
	for (int which = kernels(k) - 1; which >= 0; which--)
		for (size_t odd = 0; odd <= CONTACTS; odd++)
			for (int how = 0; how < DISTURBANCES; how++) {
				loops = fresh;
				const talus_contact *c = &fresh.contact[odd < CONTACTS ? odd : 0];
				talus_rich *r = &loops.rich[odd < CONTACTS ? odd : 0];
				talus_motion *b = &loops.motion[c->b];
				bool twistable = r->inertia > 0 && r->twist*(dot(c->p, c->n) + r->pull) > 0.01;
				if (odd < CONTACTS && how == SHOVE) // behind the last one: nobody is disturbed
					b->v = mul_add(b->v, -100, c->n);
				if (odd < CONTACTS && how == TWIST && twistable)
					r->turning = mul_add(r->turning, dot(r->q, c->n) > 0 ? 1e3 : -1e3, c->n);
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
	const rich_kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k) - 1; which >= 0; which--) {
			make(&law, dimension, 5, 4);
			loops = law;
			k[which]->give(loops.batch, GROUPS, loops.motion);
			for (uint32_t i = 0; i < CONTACTS - 5; i++)
				law_give(&law, i, law.contact[i].p, law.rich[i].q);
			assert_same(&loops, &law);
		}
}

// The sums of all lanes are those of the problem; lane by lane all widths give the same bits, added to what
// was there.
static void test_residual(void **state)
{
	(void)state;
	const rich_kernel *k[KERNELS];
	for (int sweeps = 0; sweeps < 4; sweeps++) {
		double first[2][LANES], all_wrong = 0, all_size = 0, wrong = 0, size = 0;
		make(&law, 3, 3, 6);
		for (int sweep = 0; sweep < sweeps; sweep++)
			rich_wide.sweep(law.batch, GROUPS, law.motion, NULL);
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
			const talus_contact *c = &law.contact[i];
			const talus_rich *r = &law.rich[i];
			const talus_motion *a = &law.motion[c->a], *b = &law.motion[c->b];
			impulse now = rich_impulse(c, r, coulomb_velocity(c, a, b), rich_spin(r, a, b));
			double change = norm(sub(now.p, c->p)), turn_by = fmax(r->curve_a, r->curve_b)*norm(sub(now.q, r->q));
			wrong += change*change + turn_by*turn_by;
			size += dot(c->p, c->p);
		}
		assert_near(all_wrong/wrong, 1, 1e-12);
		assert_near(all_size/size, 1, 1e-12);
		talus_problem problem = {.contacts = CONTACTS - 3, .plain = 0, .round = CONTACTS - 3,
			.contact = law.contact, .rich = law.rich, .bodies = BODIES, .motion = law.motion};
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
		rich_batch b, clear;
		talus_contact c = {.a = 1, .b = 2}, back_c = {.mu = 0};
		talus_rich r, back_r = {.pull = 0};
		number_fields(&c.n, sizeof c - offsetof(talus_contact, n), 100);
		number_fields(&r, sizeof r, 200);
		rich_batch_clear(&b, 77);
		clear = b;
		rich_batch_put(&b, lane, (ends){8, 16}, &c, &r);
		const double *column = &b.n[0][0];
		const double expected[] = {c.n.x, c.n.y, c.n.z, c.mass_n, c.mass_t, r.target.x, r.target.y, r.target.z,
			r.slack, r.pull, c.mu, r.mu_stick, r.mu_slide, r.roll, r.twist, r.inertia, r.curve_a, r.curve_b, r.couple,
			r.turning.x, r.turning.y, r.turning.z, c.p.x, c.p.y, c.p.z, r.q.x, r.q.y, r.q.z, r.span};
		enum { COLUMNS = sizeof expected/sizeof expected[0] };
		assert_int_equal(sizeof b, offsetof(rich_batch, n) + COLUMNS*LANES*sizeof(double));
		for (uint32_t l = 0; l < LANES; l++) {
			assert_int_equal(b.at[l].a, l == lane ? 8 : 77);
			assert_int_equal(b.at[l].b, l == lane ? 16 : 77);
			for (int k = 0; k < COLUMNS; k++)
				assert_true(column[k*LANES + (int)l] == (l == lane ? expected[k] : 0));
		}
		rich_batch_take(&b, lane, &back_c, &back_r);
		assert_near3(back_c.p, c.p, 0);
		assert_near3(back_r.q, r.q, 0);
		assert_true(back_c.mu == c.mu && back_c.mass_n == 0 && back_r.pull == 0);
		rich_batch_clear(&b, 77);
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
