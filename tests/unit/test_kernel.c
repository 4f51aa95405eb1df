// SPDX-License-Identifier: MIT
// The inner loops: all widths, from one to eight, give the same bits as each other and as a single contact by itself, and what they give obeys the law.
#include "row_contact.h"
#include "unit.h"

#include "base/tally.h"
#include "law/coulomb.h"
#include "law/law.h"
#include "solve/solve.h"

#include "widths/widths.h"

enum { KERNELS = 6, GROUPS = 17, CONTACTS = GROUPS*LANES, BODIES = 2*CONTACTS, NOBODY = BODIES };

// ---------------------------------------------------------------- contacts that share no body

typedef struct group_set {
	talus_solver_body motion[BODIES + 1]; // the last one is nobody
	row_contact contact[CONTACTS];
	contact_bodies at[CONTACTS];
	batch batch[GROUPS + 16]; // loops may look ahead
} group_set;

// A body, sometimes one that cannot move, or only turns; in the plane if there are two dimensions.
static talus_solver_body some_body(dice *d, int dimension, bool fixed)
{
	double kind = roll(d, 0, 1);
	vec3 v = kind < 0.1 ? vec(0, 0, 0) : mul(roll(d, 0, 2), roll_direction(d, dimension));
	vec3 s = dimension == 2 ? vec(0, 0, roll(d, -1, 1)) : mul(roll(d, 0, 1), roll_direction(d, 3));
	double inverse = fixed ? 0 : roll(d, 0.3, 3);
	return (talus_solver_body){.v = v, .inv_m = inverse, .r_omega = kind < 0.2 ? vec(0, 0, 0) : s, .r2_over_I = 2.5*inverse};
}

// Closing or opening, with a gap or none, smooth or rough, with and without an impulse from before.
static row_contact some_contact(dice *d, int dimension, talus_solver_body *motion, uint32_t a, uint32_t b)
{
	row_contact c = {.a = a, .b = b, .n = roll_direction(d, dimension)};
	double mu = roll(d, -0.3, 1), guess = roll(d, -1, 1), gap = roll(d, -0.1, 0.1);
	coulomb_prepare(&c.row, &motion[a], &motion[b], gap, 0, 0.1, TALUS_GAP_POSITIVE, mu > 0 ? mu : 0);
	if (guess > 0)
		c.p = mul(guess, add(c.n, mul(roll(d, 0, 1), roll_direction(d, dimension))));
	return c;
}

static void load_lane(batch *b, int lane, contact_bodies at, const row_contact *c)
{
	b->at[lane] = at;
	for (int f = 0; f < 10; f++)
		(&b->n[0][0])[f*LANES + lane] = c ? (&c->n.x)[f] : 0;
}

// The last batch has lanes without a contact.
static void make(group_set *s, int dimension, int left_over, uint64_t seed)
{
	dice d = dice_make(seed);
	memset(s, 0, sizeof *s);
	for (uint32_t i = 0; i < CONTACTS; i++) {
		s->motion[2*i] = some_body(&d, dimension, i%7 == 3);
		s->motion[2*i + 1] = some_body(&d, dimension, i%7 == 5);
		bool other_way = i%3 == 0;
		s->contact[i] = some_contact(&d, dimension, s->motion, 2*i + other_way, 2*i + !other_way);
		s->at[i] = (contact_bodies){8*s->contact[i].a, 8*s->contact[i].b};
		bool there = i < (uint32_t)(CONTACTS - left_over);
		load_lane(&s->batch[i/LANES], (int)i%LANES, there ? s->at[i] : (contact_bodies){8*NOBODY, 8*NOBODY},
			there ? &s->contact[i] : NULL);
	}
}

// From batches back to contacts, to be compared with the law.
static void unload(group_set *s, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < 3; k++)
			set_component(&s->contact[i].p, k, s->batch[i/LANES].p[k][i%LANES]);
}

// ---------------------------------------------------------------- the law by itself

// One by one; returns whether all were calm.
static bool law_sweep(group_set *s, size_t count, change_limit rule)
{
	bool quiet = true;
	for (size_t i = 0; i < count; i++) {
		row_contact *c = &s->contact[i];
		talus_solver_body *a = &s->motion[c->a], *b = &s->motion[c->b];
		vec3 p = coulomb_impulse(c->n, &c->row, c->p, coulomb_velocity(c->n, a, b)), dp = sub(p, c->p);
		coulomb_apply(c->n, a, b, dp);
		c->p = p;
		quiet &= is_calm(p, norm(dp), rule);
	}
	return quiet;
}

static void assert_same(const group_set *one, const group_set *other)
{
	for (size_t i = 0; i < CONTACTS; i++)
		if (memcmp(&one->contact[i], &other->contact[i], sizeof *one->contact))
			fail_msg("contact %zu is not the same", i);
	for (size_t i = 0; i <= BODIES; i++)
		if (memcmp(&one->motion[i], &other->motion[i], sizeof *one->motion))
			fail_msg("body %zu is not the same", i);
}

// ---------------------------------------------------------------- all that this processor has

// Those that it has not are left out.
static int kernels(const kernel *k[KERNELS], bool flat)
{
	static const talus_simd simd[] = {TALUS_SIMD_GENERIC, TALUS_SIMD_AVX2, TALUS_SIMD_AVX512};
	int count = 0;
	for (int i = 0; i < 3; i++)
		if (kernel_named(simd[i]))
			k[count++] = flat ? kernel_named(simd[i])->flat : kernel_named(simd[i]);
	k[count++] = &kernel_eight;
	k[count++] = &kernel_one;
	if (flat)
		k[count++] = &kernel_one_flat;
	return count;
}

// Groups in spans of several lengths, the last one first; those that are long join the one before.
static size_t spans_of(size_t groups, batch_span *at)
{
	static const uint32_t lengths[] = {3, 1, 4, 3, 5, 2, 7};
	size_t spans = 0;
	for (uint32_t left = (uint32_t)groups; left > 0; spans++) {
		uint32_t wanted = lengths[spans%(sizeof lengths/sizeof *lengths)], count = wanted < left ? wanted : left;
		left -= count;
		at[spans] = (batch_span){left, count, spans > 0 && count >= KERNEL_JOINED && at[spans - 1].count >= KERNEL_JOINED};
	}
	return spans;
}

static void sweep_batches(const kernel *k, group_set *s, size_t groups, const change_limit *rule, bool expected)
{
	if (rule)
		assert_int_equal(k->sweep_watched(s->batch, groups, s->motion, *rule), expected);
	else {
		batch_span at[GROUPS];
		k->sweep(s->batch, at, spans_of(groups, at), s->motion, groups%2);
	}
}

static group_set fresh, law, loops;

// Sweeps by one of the loops against sweeps by the law, with and without a rule, for any number of groups.
static void try_kernel(const kernel *k, size_t groups, int left_over)
{
	static const change_limit rules[] = {{0, 0}, {1e-12, 1e-12}, {0.3, 0.1}, {1e9, 1e9}};
	size_t count = groups*LANES - (size_t)left_over;
	law = loops = fresh;
	for (int sweep = 0; sweep < 8; sweep++) {
		const change_limit *rule = sweep%2 ? &rules[sweep/2] : NULL;
		bool quiet = law_sweep(&law, count, rule ? *rule : (change_limit){0, 0});
		sweep_batches(k, &loops, groups, rule, quiet);
		unload(&loops, count);
		assert_same(&loops, &law);
	}
}

static void try_all(int dimension)
{
	const kernel *k[KERNELS];
	for (int which = kernels(k, dimension == 2) - 1; which >= 0; which--)
		for (uint64_t seed = 1; seed <= 5; seed++) {
			for (size_t groups = 1; groups <= GROUPS; groups += groups < 5 ? 1 : 6) {
				make(&fresh, dimension, 0, seed);
				try_kernel(k[which], groups, 0);
			}
			for (int left_over = 1; left_over < LANES; left_over++) {
				make(&fresh, dimension, left_over, seed);
				try_kernel(k[which], GROUPS, left_over);
			}
		}
}

static void test_spheres(void **state)
{
	(void)state;
	try_all(3);
}

static void test_disks(void **state)
{
	(void)state;
	try_all(2);
}

// The law itself, which knows nothing of how it is computed: a contact that shares its bodies with no other has, after a visit, a push that is
// not negative and an approach that is allowed, one of them 0; friction of mu times the push at most, and, where it slides, all of that and against the sliding.
static void check_law(const group_set *s, size_t i)
{
	const row_contact *c = &s->contact[i];
	const talus_solver_body *a = &s->motion[c->a], *b = &s->motion[c->b];
	vec3 u = sub(sub(b->v, a->v), cross(add(a->r_omega, b->r_omega), c->n));
	double un = dot(u, c->n), pn = dot(c->p, c->n), left = c->bias + un, rounding = 1e-13;
	vec3 ut = mul_add(u, -un, c->n), pt = mul_add(c->p, -pn, c->n);
	assert_true(pn >= -rounding && left >= -rounding && fabs(pn*left) <= rounding);
	assert_true(norm(pt) <= c->mu*pn + rounding);
	assert_true(norm(mul_add(mul(norm(ut), pt), c->mu*pn, ut)) <= rounding);
}

static void test_law(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k, dimension == 2) - 1; which >= 0; which--)
			for (uint64_t seed = 20; seed < 40; seed++) {
				make(&loops, dimension, 0, seed);
				k[which]->give(loops.batch, GROUPS, loops.motion); // velocities contain the impulses
				sweep_batches(k[which], &loops, GROUPS, NULL, false);
				unload(&loops, CONTACTS);
				for (size_t i = 0; i < CONTACTS; i++)
					check_law(&loops, i);
			}
}

// What happens in the random contacts: something of everything, or the tests above would not say much.
static void test_cases(void **state)
{
	(void)state;
	int opened = 0, stuck = 0, slid = 0, smooth = 0, guessed = 0;
	make(&fresh, 3, 0, 1);
	law = fresh;
	law_sweep(&law, CONTACTS, (change_limit){0, 0});
	for (size_t i = 0; i < CONTACTS; i++) {
		const row_contact *c = &law.contact[i];
		double pn = dot(c->p, c->n), pt = norm(mul_add(c->p, -pn, c->n));
		opened += pn == 0;
		slid += pn > 0 && c->mu > 0 && pt > 0.999*c->mu*pn;
		stuck += pn > 0 && c->mu > 0 && pt < 0.999*c->mu*pn;
		smooth += pn > 0 && c->mu == 0;
		guessed += norm(fresh.contact[i].p) > 0;
	}
	assert_true(opened > 15 && stuck > 15 && slid > 15 && smooth > 10 && guessed > 40);
}

// ---------------------------------------------------------------- the verdict

// When all have come to rest, one that is disturbed is seen in any lane of any group, by every kernel.
static void test_verdict(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	const change_limit rule = {1e-6, 1e-12};
	make(&fresh, 3, 0, 9);
	for (int sweep = 0; sweep < 5; sweep++)
		law_sweep(&fresh, CONTACTS, rule);
	for (uint32_t i = 0; i < CONTACTS; i++)
		load_lane(&fresh.batch[i/LANES], (int)i%LANES, fresh.at[i], &fresh.contact[i]);
	for (int which = kernels(k, false) - 1; which >= 0; which--)
		for (size_t odd = 0; odd <= CONTACTS; odd++)
			for (int nan = 0; nan < 2; nan++) {
				loops = fresh;
				if (odd < CONTACTS) // behind the last one: nobody is disturbed
					loops.motion[2*odd].v = nan ? vec(0, NAN, 0) : mul_add(loops.motion[2*odd].v, 100,
						mul(loops.contact[odd].a == 2*odd ? 1 : -1, loops.contact[odd].n));
				sweep_batches(k[which], &loops, GROUPS, &rule, odd == CONTACTS);
			}
}

// ---------------------------------------------------------------- giving, and the residual

static void test_give(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k, dimension == 2) - 1; which >= 0; which--) {
			make(&law, dimension, 5, 4);
			make(&loops, dimension, 5, 4);
			k[which]->give(loops.batch, GROUPS, loops.motion);
			for (size_t i = 0; i < CONTACTS - 5; i++) {
				const row_contact *c = &law.contact[i];
				coulomb_apply(c->n, &law.motion[c->a], &law.motion[c->b], c->p);
			}
			assert_same(&loops, &law);
		}
}

static talus_problem problem_of(group_set *s, size_t count)
{
	static talus_contact contact[CONTACTS];
	static talus_row row[CONTACTS];
	static vec3 p[CONTACTS];
	for (size_t i = 0; i < count; i++)
		row_contact_give(&s->contact[i], i, contact, row, p);
	return (talus_problem){.contacts = count, .class_end = {count, count}, .contact = contact, .row = row, .p = p,
		.bodies = BODIES, .motion = s->motion};
}

// The sums of all lanes are those of the problem; lane by lane all widths give the same bits, added to what was
// there.
static void test_residual(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int sweeps = 0; sweeps < 3; sweeps++) {
			double first[2][LANES], all_wrong = 0, all_size = 0;
			make(&law, dimension, 3, 6);
			for (int sweep = 0; sweep < sweeps; sweep++)
				kernel_one.sweep(law.batch, &(batch_span){.count = GROUPS}, 1, law.motion, false);
			unload(&law, CONTACTS - 3);
			talus_problem problem = problem_of(&law, CONTACTS - 3);
			for (int which = kernels(k, dimension == 2) - 1, one = which; which >= 0; which--) {
				double sum[2][LANES] = {{0}};
				k[which]->residual(law.batch, 5, law.motion, sum[0], sum[1]);
				k[which]->residual(law.batch + 5, GROUPS - 5, law.motion, sum[0], sum[1]);
				if (which == one)
					memcpy(first, sum, sizeof sum);
				assert_memory_equal(sum, first, sizeof sum);
			}
			for (int lane = 0; lane < LANES; lane++)
				all_wrong += first[0][lane], all_size += first[1][lane];
			double residual = problem_residual(&problem, NULL);
			assert_near(residual_of(all_wrong, all_size)/residual, 1, 1e-12);
		}
}

// ---------------------------------------------------------------- looks

static double cells[CONTACTS][LOOK_CELL], others[CONTACTS][LOOK_CELL];

typedef struct sight {
	double wrong[CONTACTS], size[CONTACTS], push[CONTACTS];
	double seen[SEEN][LANES];
} sight;

// All contacts, each in one of some cells; in multiples of a unit, or as they are.
static sight look(const kernel *k, uint32_t some, bool rounded)
{
	uint32_t where[CONTACTS];
	sight s = {.seen = {{0}}};
	static glance found[GROUPS];
	for (uint32_t i = 0; i < CONTACTS; i++)
		where[i] = LOOK_CELL*(i%some);
	memset(cells, 0, sizeof cells);
	k->look(loops.batch, GROUPS, loops.motion, found, &(look_terms){s.wrong, s.size, s.push}, s.seen);
	double most = 0;
	for (int l = 0; l < LANES; l++)
		most = fmax(most, s.seen[SEEN_SPEED][l]);
	k->look_add(loops.batch, GROUPS, found, rounded ? tally_unit(most, CONTACTS) : 0, where, &cells[0][0]);
	return s;
}

// What a look says of a contact that has a cell to itself.
static void check_cell(const row_contact *c, vec3 e, const double *sum)
{
	double by = c->mass_n > 0 ? 1/c->mass_n : 0;
	assert_true(sum[LOOK_COUNT] == (dot(c->p, c->p) > 0 || dot(e, e) > 0));
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			assert_true(sum[LOOK_TENSOR + 3*i + j] == by*component(e, i)*component(c->n, j));
	for (int n = LOOK_END; n < LOOK_CELL; n++)
		assert_true(sum[n] == 0);
}

// What a visit would change, which is not done, and how fast contacts close: that of the law, to the bit.
static void test_look(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int which = kernels(k, dimension == 2) - 1; which >= 0; which--) {
			sight right = {.seen = {{0}}};
			make(&loops, dimension, 3, 7);
			law = loops;
			sight s = look(k[which], CONTACTS, false);
			for (size_t i = 0; i < CONTACTS - 3; i++) {
				const row_contact *c = &law.contact[i];
				vec3 u = coulomb_velocity(c->n, &law.motion[c->a], &law.motion[c->b]), e = sub(coulomb_impulse(c->n, &c->row, c->p, u), c->p);
				vec3 v = mul(c->mass_n > 0 ? 1/c->mass_n : 0, e);
				size_t l = i%LANES;
				double(*seen)[LANES] = right.seen;
				right.wrong[i] = dot(e, e);
				right.size[i] = dot(c->p, c->p);
				right.push[i] = norm(c->p);
				seen[SEEN_APPROACH][l] = fmax(seen[SEEN_APPROACH][l], -dot(u, c->n) - c->bias);
				seen[SEEN_SPEED][l] = fmax(seen[SEEN_SPEED][l], fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
				seen[SEEN_HOLD][l] = fmax(seen[SEEN_HOLD][l], c->mu*norm(c->p));
				seen[SEEN_PUSHES][l] += norm(c->p) > 0;
				check_cell(c, e, cells[i]);
			}
			assert_memory_equal(&s, &right, sizeof right);
			assert_memory_equal(&loops, &law, sizeof law);
		}
}

// Where contacts share cells the sums are the same whatever the width, and whatever the order.
static void test_shared_cells(void **state)
{
	(void)state;
	const kernel *k[KERNELS];
	for (int dimension = 2; dimension <= 3; dimension++) {
		int count = kernels(k, dimension == 2);
		make(&loops, dimension, 3, 8);
		for (uint32_t some = 1; some <= 7; some += 3)
			for (int which = 0; which < count; which++) {
				look(k[which], some, true);
				if (which == 0)
					memcpy(others, cells, sizeof cells);
				assert_true(cells[0][LOOK_COUNT] > 0);
				assert_memory_equal(cells, others, sizeof cells);
				for (size_t i = 0; some == 1 && i < GROUPS/2; i++) { // from the last to the first
					batch kept = loops.batch[i];
					loops.batch[i] = loops.batch[GROUPS - 1 - i];
					loops.batch[GROUPS - 1 - i] = kept;
				}
			}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spheres),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_law),
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_give),
		cmocka_unit_test(test_residual),
		cmocka_unit_test(test_look),
		cmocka_unit_test(test_shared_cells),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
