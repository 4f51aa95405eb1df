// SPDX-License-Identifier: MIT
// What each law fills in before the sweeps, and what it remembers after them, on contacts made by hand.
#include "row_contact.h"
#include "unit.h"

#include "law/coulomb.h"
#include "law/laws.h"
#include "state/materials.h"

// Two spheres of masses 2 and 3 and radii 1 and 2, the second one above the first; r^2/I = 5/(2 m).
typedef struct set_up {
	talus_solver_body a, b;
	talus_pair pair;
	row_contact contact;
	talus_extended extended;
	uint32_t flags;
	law_case c;
} set_up;

static void start(set_up *s, double gap, talus_pair law)
{
	*s = (set_up){.pair = law, .a = {.inv_m = 1/2.0, .r2_over_I = 2.5/2}, .b = {.inv_m = 1/3.0, .r2_over_I = 2.5/3}};
	s->contact = (row_contact){.a = 0, .b = 1, .n = vec(0, 0, 1)};
	coulomb_prepare(&s->contact.row, &s->a, &s->b, gap, 0, 0.1, TALUS_GAP_POSITIVE, law.friction);
	s->c = (law_case){.pair = &s->pair, .gap = gap, .dt = 0.1, .radius_a = 1, .radius_b = 2, .reduced = 2/3.0,
		.a = &s->a, .b = &s->b};
}

static void prepare(set_up *s)
{
	s->c.n = s->contact.n;
	talus_contact contact = {.flags = s->flags};
	contacts table = {.count = 1, .contact = &contact};
	law_set laws;
	laws_init(&laws);
	laws_prepare(&laws, &table, 0, &s->extended, &s->contact.row, &s->c);
	s->flags = contact.flags;
}

// What a law makes of flags when a step is over; friction counts with 0.5.
static void remembered(const contact_law *law, talus_pair with, vec3 n, vec3 p, const talus_extended *r, uint32_t *flags)
{
	law->remember(&(contact_memory){.flags = flags}, &(law_outcome){.pair = &with, .n = n, .p = p, .mu = 0.5, .dt = 0.1, .extended = r});
}

// Before the step b came with `before`; without contacts it would go on with `now`.
static void move(set_up *s, vec3 before, vec3 now)
{
	s->c.before = before;
	s->b.v = now;
}

// ---------------------------------------------------------------- who needs more than friction

static void test_is_extended(void **state)
{
	(void)state;
	assert_false(pair_is_extended(&(talus_pair){.friction = 0.5}));
	assert_false(pair_is_extended(&(talus_pair){.friction = 0.5, .static_friction = 0.5}));
	assert_false(pair_is_extended(&(talus_pair){.friction = 0.5, .static_friction = 0.3})); // counts as 0.5
	assert_false(pair_is_extended(&(talus_pair){.friction = 0.5, .range = 1})); // there is no bond to break
	assert_true(pair_is_extended(&(talus_pair){.friction = 0.5, .static_friction = 0.6}));
	assert_true(pair_is_extended(&(talus_pair){.restitution = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.tangential_restitution = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.rolling = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.rolling_length = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.torsion = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.torsion_length = 0.1}));
	assert_true(pair_is_extended(&(talus_pair){.cohesion = 0.1}));
}

// A pair that has none of the laws (it has locked bodies) behaves as a plain one: the same impulse, and no
// torque. What was there before is gone.
static void test_nothing(void **state)
{
	(void)state;
	dice d = dice_make(3);
	for (int i = 0; i < 500; i++) {
		set_up s;
		start(&s, roll(&d, -0.1, 0.1), (talus_pair){.friction = roll(&d, 0, 1)});
		memset(&s.extended, 0x40, sizeof s.extended);
		s.flags = CONTACT_BONDED | CONTACT_FORMED | CONTACT_BOUNCES;
		move(&s, mul(3, roll_direction(&d, 3)), mul(3, roll_direction(&d, 3)));
		prepare(&s);
		assert_int_equal(s.flags, 0);
		assert_near3(s.extended.target, vec(0, 0, s.contact.bias), 0);
		assert_near(s.extended.gap_allowance, s.contact.mass_n*s.contact.bias, 0);
		assert_near(s.extended.cohesion_impulse + s.extended.roll + s.extended.twist, 0, 0);
		assert_near(s.extended.mu_stick, s.pair.friction, 0);
		assert_near(s.extended.mu_slide, s.pair.friction, 0);
		assert_near(s.contact.mu, s.pair.friction, 0);
		vec3 u = coulomb_velocity(s.contact.n, &s.a, &s.b);
		impulse now = extended_impulse(s.contact.n, &s.contact.row, &s.extended, row_contact_was(&s.contact), u, vec(1, 2, 3));
		assert_near3(now.p, coulomb_impulse(s.contact.n, &s.contact.row, s.contact.p, u), 1e-15);
		assert_near3(now.q, vec(0, 0, 0), 0);
	}
}

// ---------------------------------------------------------------- friction

static void test_friction(void **state)
{
	(void)state;
	for (int slid = 0; slid < 2; slid++)
		for (int two = 0; two < 3; two++) {
			static const double most[] = {0.3, 0.4, 0.7}; // below mu_d: none of its own
			set_up s;
			start(&s, 0, (talus_pair){.friction = 0.4, .static_friction = most[two]});
			s.flags = slid ? CONTACT_SLID : 0;
			prepare(&s);
			assert_near(s.extended.mu_slide, 0.4, 0);
			assert_near(s.extended.mu_stick, two == 2 ? 0.7 : 0.4, 0);
			assert_near(s.contact.mu, two == 2 && !slid ? 0.7 : 0.4, 0);
			assert_int_equal(s.flags, slid ? CONTACT_SLID : 0); // it is kept until the solve is over
		}
}

// At the limit it slid; below it, or without any load, it did not. A bond counts as load.
static void test_remember(void **state)
{
	(void)state;
	static const struct {
		double pn, pt, pull;
		bool slid;
	} cases[] = {{2, 1, 0, true}, {2, 1 - 1e-6, 0, false}, {2, 1 - 1e-12, 0, true}, {2, 0, 0, false},
		{0, 0, 0, false}, {2, 1, 1, false}, {2, 1.5, 1, true}, {-1, 0.5, 2, true}, {-1, 0.49, 2, false},
		{-2, 0, 2, false}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++)
		for (uint32_t flags = 0; flags < 16; flags++) {
			vec3 n = unit(vec(1, 2, 2)), t = any_tangent(n);
			vec3 p = mul_add(mul(cases[i].pn, n), cases[i].pt, t);
			talus_extended r = {.cohesion_impulse = cases[i].pull};
			uint32_t now = flags;
			remembered(&law_friction, (talus_pair){.friction = 0.5, .static_friction = 0.6}, n, p, &r, &now);
			if (fabs(cases[i].pn + cases[i].pull) < 1e-12)
				continue; // torn: rounding decides
			assert_int_equal(now & CONTACT_SLID, cases[i].slid ? CONTACT_SLID : 0);
			assert_int_equal(now & ~(uint32_t)CONTACT_SLID, flags & ~(uint32_t)CONTACT_SLID);
			now = flags;
			remembered(&law_friction, (talus_pair){.friction = 0.5}, n, p, &r, &now); // nothing to remember
			assert_int_equal(now, flags);
		}
}

// ---------------------------------------------------------------- restitution

static const talus_pair bouncy = {.restitution = 0.8, .tangential_restitution = 0.5};

// It came with (3, 0, -2) and reaches the other one within the step: it aims at (-1.5, 0, 1.6).
static void test_bounce(void **state)
{
	(void)state;
	set_up s;
	start(&s, 0.05, bouncy);
	move(&s, vec(3, 0, -2), vec(3, 0, -2.1));
	s.c.still = 0.3;
	prepare(&s);
	assert_near3(s.extended.target, vec(1.5, 0, -1.6), 1e-15);
	assert_near(s.extended.gap_allowance, 0, 0);
	assert_int_equal(s.flags, CONTACT_BOUNCES);
	s.extended.mu_stick = s.extended.mu_slide = 100; // sticks
	vec3 u = coulomb_velocity(s.contact.n, &s.a, &s.b);
	impulse now = extended_impulse(s.contact.n, &s.contact.row, &s.extended, row_contact_was(&s.contact), u, vec(0, 0, 0));
	coulomb_apply(s.contact.n, &s.a, &s.b, now.p);
	assert_near3(coulomb_velocity(s.contact.n, &s.a, &s.b), vec(-1.5, 0, 1.6), 1e-14);
}

// Only one of the two coefficients: the other part aims at nothing.
static void test_one_restitution(void **state)
{
	(void)state;
	set_up s;
	start(&s, 0, (talus_pair){.restitution = 0.8});
	move(&s, vec(3, 1, -2), vec(3, 1, -2));
	prepare(&s);
	assert_near3(s.extended.target, vec(0, 0, -1.6), 1e-15);
	start(&s, 0, (talus_pair){.tangential_restitution = 0.5});
	move(&s, vec(3, 1, -2), vec(3, 1, -2));
	prepare(&s);
	assert_near3(s.extended.target, vec(1.5, 0.5, 0), 1e-15);
	assert_int_equal(s.flags, CONTACT_BOUNCES);
}

// Slower than what counts as rest, or too far to arrive within the step: the gap may close, and no more.
static void test_no_bounce(void **state)
{
	(void)state;
	static const struct {
		double gap, before, now;
		bool bounces;
	} cases[] = {{0, -0.31, -0.31, true}, {0, -0.29, -0.31, false}, {0.05, -2, -0.49, false},
		{0.05, -2, -0.51, true}, {0, -2, 0.01, false}, {-0.01, -2, 0.01, true}, {0.05, 0.2, -3, false}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		set_up s;
		start(&s, cases[i].gap, bouncy);
		move(&s, vec(0, 0, cases[i].before), vec(0, 0, cases[i].now));
		s.c.still = 0.3;
		s.flags = CONTACT_BOUNCES; // a mark of the last round says nothing
		prepare(&s);
		assert_int_equal(s.flags & CONTACT_BOUNCES, cases[i].bounces ? CONTACT_BOUNCES : 0);
		vec3 closes = vec(0, 0, fmax(cases[i].gap, 0)/0.1), back = vec(0, 0, 0.8*cases[i].before);
		assert_near3(s.extended.target, cases[i].bounces ? back : closes, 1e-15);
		assert_near(s.extended.gap_allowance, cases[i].bounces ? 0 : 1.2*closes.z, 1e-15);
	}
}

// The two were moving apart: they may come back as fast, or close their gap if that is more. Slower than
// rest: only that.
static void test_moving_apart(void **state)
{
	(void)state;
	static const struct {
		double gap, before, approach;
	} cases[] = {{0, 2, 2}, {0.05, 2, 2}, {0.05, 0.4, 0.5}, {0, 0.29, 0}, {0.05, 0.29, 0.5}, {-0.1, 2, 2}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		set_up s;
		start(&s, cases[i].gap, bouncy);
		move(&s, vec(7, 0, cases[i].before), vec(7, 0, -9));
		s.c.still = 0.3;
		prepare(&s);
		assert_int_equal(s.flags, 0);
		assert_near3(s.extended.target, vec(0, 0, cases[i].approach), 1e-15);
		assert_near(s.extended.gap_allowance, 1.2*cases[i].approach, 1e-15);
	}
}

// Spins count for the sliding that comes back: `before` is the velocity of the surfaces, and the normal may
// be any.
static void test_bounce_anywhere(void **state)
{
	(void)state;
	dice d = dice_make(5);
	int bounced = 0;
	for (int i = 0; i < 300; i++) {
		set_up s;
		start(&s, 0, bouncy);
		s.contact.n = roll_direction(&d, 3);
		vec3 before = mul(roll(&d, 0, 2), roll_direction(&d, 3));
		move(&s, before, before);
		prepare(&s);
		double vn = dot(before, s.contact.n);
		if (vn > 0)
			continue;
		vec3 n = mul(vn, s.contact.n), t = sub(before, n);
		assert_near3(s.extended.target, add(mul(0.8, n), mul(0.5, t)), 1e-14);
		bounced++;
	}
	assert_true(bounced > 100);
}

// ---------------------------------------------------------------- rolling and torsion

static void test_rolling(void **state)
{
	(void)state;
	set_up s;
	start(&s, 0, (talus_pair){.rolling = 0.3, .rolling_length = 0.05, .torsion = 0.6, .torsion_length = 0.01});
	s.c.wall_spin = vec(0, 4, 0);
	prepare(&s);
	assert_near(s.extended.roll, 0.3*2/3 + 0.05, 1e-15); // reduced radius 1 2/(1 + 2)
	assert_near(s.extended.twist, 0.6*2/3 + 0.01, 1e-15);
	assert_near(s.extended.curve_a, 1, 0);
	assert_near(s.extended.curve_b, 0.5, 0);
	double Ia = 0.4*2*1, Ib = 0.4*3*4; // 2/5 m r^2
	assert_near(s.extended.inertia, 1/(1/Ia + 1/Ib), 1e-15);
	assert_near3(s.extended.wall_spin, vec(0, -4, 0), 0);
	// a torque n x p on both, at arms 1 and 2: what it does to the spin of b relative to a
	assert_near(s.extended.torque_coupling, 2/Ib - 1/Ia, 1e-15);
}

// A wall has no radius; who cannot turn has no part in the inertia, and if nobody can there is none.
static void test_rolling_at_walls(void **state)
{
	(void)state;
	set_up s;
	start(&s, 0, (talus_pair){.rolling = 0.3, .torsion = 0.6});
	s.a = (talus_solver_body){.v = vec(0, 0, 0)};
	s.c.radius_a = 0;
	s.c.reduced = 2;
	prepare(&s);
	assert_near(s.extended.roll, 0.6, 1e-15);
	assert_near(s.extended.twist, 1.2, 1e-15);
	assert_near(s.extended.curve_a, 0, 0);
	assert_near(s.extended.inertia, 0.4*3*4, 1e-14);
	assert_near(s.extended.torque_coupling, 2/(0.4*3*4), 1e-15);
	s.b.r2_over_I = 0;
	prepare(&s);
	assert_near(s.extended.inertia, 0, 0);
	assert_near(s.extended.torque_coupling, 0, 0);
	impulse now = extended_impulse(s.contact.n, &s.contact.row, &s.extended, row_contact_was(&s.contact), vec(0, 0, -1), vec(5, 5, 5));
	assert_near3(now.q, vec(0, 0, 0), 0);
}

// ---------------------------------------------------------------- cohesion

// Without a bond there is no pull. A bond forms on touch, lasts up to its range, and breaks there.
static void test_bonds(void **state)
{
	(void)state;
	const double near = 1e-6*2/3;
	static const uint32_t fresh = CONTACT_BONDED | CONTACT_FORMED;
	const struct {
		double gap, range;
		uint32_t before, after;
	} cases[] = {{0, 0.01, 0, fresh}, {-0.1, 0.01, 0, fresh}, {0.9*near, 0.01, 0, fresh}, {1.1*near, 0.01, 0, 0},
		{0.005, 0.01, 0, 0}, {0.005, 0.01, CONTACT_BONDED, CONTACT_BONDED}, {0.0099, 0.01, fresh, fresh},
		{0.01, 0.01, CONTACT_BONDED, 0}, {0.011, 0.01, fresh, 0}, {0, 0, 0, fresh}, {0.9*near, 0, fresh, fresh},
		{1.1*near, 0, CONTACT_BONDED, 0}, {-0.1, 0, CONTACT_BONDED, CONTACT_BONDED}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++)
		for (uint32_t slid = 0; slid < 2; slid++) {
			set_up s;
			start(&s, cases[i].gap, (talus_pair){.cohesion = 7, .range = cases[i].range});
			s.flags = cases[i].before | slid;
			prepare(&s);
			assert_int_equal(s.flags, cases[i].after | slid);
			assert_near(s.extended.cohesion_impulse, cases[i].after ? 0.7 : 0, 1e-15);
			assert_near(s.extended.gap_allowance, s.contact.mass_n*s.contact.bias, 0);
		}
}

// After the solve: who pushes has touched. Who was bonded, or pulls, or has no such law stays as he is.
static void test_touch(void **state)
{
	(void)state;
	talus_pair glue = {.cohesion = 7}, none = {.friction = 0.5};
	vec3 n = unit(vec(1, 2, 2));
	for (int law = 0; law < 2; law++)
		for (int push = -1; push <= 1; push++)
			for (uint32_t flags = 0; flags < 16; flags++) {
				vec3 p = push == 0 ? vec(0, 0, 0) : mul_add(mul(push, n), 0.3, any_tangent(n));
				uint32_t now = flags;
				remembered(&law_cohesion, law ? glue : none, n, p, &(talus_extended){0}, &now);
				bool forms = law && push > 0 && !(flags & CONTACT_BONDED);
				assert_int_equal(now, forms ? flags | CONTACT_BONDED | CONTACT_FORMED : flags);
			}
}

// A bond at a gap does not pull back: between closing the gap and parting nothing happens, beyond it holds up
// to its force.
static void test_hold(void **state)
{
	(void)state;
	static const struct {
		double u, p; // mass_n is 1.2, bias 0.5, pull 0.7
	} cases[] = {{-1, 0.6}, {-0.5, 0}, {-0.2, 0}, {0, 0}, {0.1, -0.12}, {0.5, -0.6}, {0.6, -0.7}, {5, -0.7}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++) {
		set_up s;
		start(&s, 0.05, (talus_pair){.cohesion = 7, .range = 0.1});
		s.flags = CONTACT_BONDED;
		prepare(&s);
		impulse now = extended_impulse(s.contact.n, &s.contact.row, &s.extended, row_contact_was(&s.contact), vec(0, 0, cases[i].u), vec(0, 0, 0));
		assert_near3(now.p, vec(0, 0, cases[i].p), 1e-15);
	}
}

// All laws together fill in each its own part.
static void test_together(void **state)
{
	(void)state;
	set_up s;
	start(&s, 0, (talus_pair){.friction = 0.2, .static_friction = 0.4, .restitution = 0.8, .rolling = 0.3,
		.torsion = 0.6, .cohesion = 7, .range = 0.1});
	move(&s, vec(0, 0, -2), vec(0, 0, -2));
	prepare(&s);
	assert_near3(s.extended.target, vec(0, 0, -1.6), 1e-15);
	assert_near(s.extended.gap_allowance, 0, 0);
	assert_near(s.extended.cohesion_impulse, 0.7, 1e-15);
	assert_near(s.extended.mu_stick, 0.4, 0);
	assert_near(s.extended.mu_slide, 0.2, 0);
	assert_near(s.extended.roll, 0.2, 1e-15);
	assert_near(s.extended.twist, 0.4, 1e-15);
	assert_int_equal(s.flags, CONTACT_BONDED | CONTACT_FORMED | CONTACT_BOUNCES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_extended),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_friction),
		cmocka_unit_test(test_remember),
		cmocka_unit_test(test_bounce),
		cmocka_unit_test(test_one_restitution),
		cmocka_unit_test(test_no_bounce),
		cmocka_unit_test(test_moving_apart),
		cmocka_unit_test(test_bounce_anywhere),
		cmocka_unit_test(test_rolling),
		cmocka_unit_test(test_rolling_at_walls),
		cmocka_unit_test(test_bonds),
		cmocka_unit_test(test_touch),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
