// SPDX-License-Identifier: MIT
// The contact problem: its start, its residual at answers that are known, and off them.
#include "unit.h"

#include "law/law.h"
#include "solve/solve.h"

// A ball of mass m (line 1) on a floor (line 0) that was given the velocity v; gap and step make the bias.
typedef struct ball {
	talus_solver_body motion[2];
	talus_contact contact;
	talus_row row;
	vec3 p, q;
	talus_problem problem;
} ball;

static void ball_init(ball *b, double m, vec3 v, double gap, double mu)
{
	*b = (ball){.motion = {{.inv_m = 0}, {.v = v, .inv_m = 1/m, .r2_over_I = 2.5/m}}};
	b->contact = (talus_contact){.a = 0, .b = 1, .n = vec(0, 0, 1)};
	coulomb_prepare(&b->row, &b->motion[0], &b->motion[1], gap, 0, 0.1, TALUS_GAP_POSITIVE, mu);
	b->problem = (talus_problem){.contacts = 1, .class_end = {1, 1}, .contact = &b->contact, .row = &b->row, .p = &b->p, .q = &b->q, .bodies = 2,
		.motion = b->motion};
}

static double residual_with(ball *b, vec3 p)
{
	b->p = p;
	problem_give(&b->problem, 0, p, vec(0, 0, 0));
	return problem_residual(&b->problem, NULL);
}

// Answers by hand: resting, sticking (m_t = 2/7 m), sliding, closing a gap, open.
static void test_zero_at_the_answer(void **state)
{
	(void)state;
	ball b;
	ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
	assert_near(residual_with(&b, vec(0, 0, 6)), 0, 1e-15);
	ball_init(&b, 2, vec(0.7, 0, -3), 0, 0.4);
	assert_near(residual_with(&b, vec(-0.4, 0, 6)), 0, 1e-15);
	ball_init(&b, 2, vec(30, -40, -3), 0, 0.4);
	assert_near(residual_with(&b, vec(-0.4*6*0.6, 0.4*6*0.8, 6)), 0, 1e-14);
	ball_init(&b, 2, vec(0, 0, -3), 0.1, 0.4);
	assert_near(residual_with(&b, vec(0, 0, 4)), 0, 1e-15);
	ball_init(&b, 2, vec(5, 0, 0.1), 0, 0.4);
	assert_near(residual_with(&b, vec(0, 0, 0)), 0, 0);
	ball_init(&b, 2, vec(5, 0, -0.9), 0.1, 0.4);
	assert_near(residual_with(&b, vec(0, 0, 0)), 0, 0);
}

// Pushed too hard or too little by d, the map is off by d. Nothing where there should be something is all
// wrong: 1.
static void test_size_off_the_answer(void **state)
{
	(void)state;
	ball b;
	for (double d = 1e-8; d < 0.1; d *= 10) {
		ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
		assert_near(residual_with(&b, vec(0, 0, 6 + d)), d/(6 + d), 1e-12);
		ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
		assert_near(residual_with(&b, vec(0, 0, 6 - d)), d/(6 - d), 1e-12);
		ball_init(&b, 2, vec(0.7, 0, -3), 0, 0.4); // sticking, a little too much friction
		double r = residual_with(&b, vec(-0.4 - d, 0, 6));
		assert_true(r > d/6 && r < 10*d/6);
	}
	ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
	assert_near(residual_with(&b, vec(0, 0, 0)), 1, 1e-15);
}

// Each law broken by itself is seen: pulling, too much friction, friction along the sliding, friction without
// sliding needed.
static void test_every_law_counts(void **state)
{
	(void)state;
	ball b;
	ball_init(&b, 2, vec(0, 0, 3), 0, 0.4);
	assert_true(residual_with(&b, vec(0, 0, -6)) > 0.5);
	ball_init(&b, 2, vec(30, 0, -3), 0, 0.4);
	assert_true(residual_with(&b, vec(-4, 0, 6)) > 0.1);
	ball_init(&b, 2, vec(30, 0, -3), 0, 0.4);
	assert_true(residual_with(&b, vec(2.4, 0, 6)) > 0.1);
	ball_init(&b, 2, vec(30, 0, -3), 0, 0.4);
	assert_true(residual_with(&b, vec(-1, 0, 6)) > 0.1);
	ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
	assert_true(residual_with(&b, vec(1, 0, 6)) > 0.1);
}

// Other units of mass and velocity: the same number.
static void test_units_do_not_matter(void **state)
{
	(void)state;
	ball b;
	dice d = dice_make(12);
	for (int i = 0; i < 200; i++) {
		vec3 v = mul(roll(&d, 0, 3), roll_direction(&d, 3)), p =
			mul(roll(&d, 0, 3), roll_direction(&d, 3));
		ball_init(&b, 2, v, 0.05, 0.4);
		double one = residual_with(&b, p);
		ball_init(&b, 2e-9, mul(1e6, v), 0.05e6, 0.4);
		assert_near(residual_with(&b, mul(1e-3, p)), one, 1e-12);
	}
	talus_problem none = {0};
	assert_near(problem_residual(&none, NULL), 0, 0);
	problem_start(&none);
}

// The first guess goes to the nearest point of the cone, found here by trying many; the bodies get what is
// left of it.
static void test_start(void **state)
{
	(void)state;
	dice d = dice_make(13);
	for (int i = 0; i < 200; i++) {
		ball b;
		ball_init(&b, 2, vec(0, 0, 0), 0, 0.5);
		vec3 p = mul(roll(&d, 0, 3), roll_direction(&d, 3)), t = vec(p.x, p.y, 0);
		double best = norm(p), size = norm(t);
		for (int k = 0; k <= 20000; k++) { // on the edge, at the azimuth of p
			double push = 4.0*k/20000;
			best = fmin(best, hypot(push - p.z, 0.5*push - size));
		}
		if (size <= 0.5*p.z)
			best = 0;
		b.p = p;
		problem_project(&b.problem, NULL);
		problem_start(&b.problem);
		vec3 q = b.p;
		assert_true(q.z >= 0 && norm(vec(q.x, q.y, 0)) <= 0.5*q.z + 1e-15);
		assert_near(norm(sub(q, p)), best, 1e-3);
		assert_near3(b.motion[1].v, mul(0.5, q), 1e-15);
		assert_near3(b.motion[1].r_omega, mul(-1.25, cross(vec(0, 0, 1), q)), 1e-15);
		assert_near3(b.motion[0].v, vec(0, 0, 0), 0);
	}
}

// A visit of a plain contact, and of one whose body cannot move along y.
static void test_visit(void **state)
{
	(void)state;
	ball b;
	ball_init(&b, 2, vec(0.7, 0, -3), 0, 0.4);
	assert_near3(problem_change(&b.problem, 0).p, vec(-0.4, 0, 6), 1e-14);
	b.p = vec(0, 0, 1);
	assert_near3(problem_change(&b.problem, 0).p, vec(-0.4, 0, 6), 1e-14);

	talus_full_mass full_mass;
	ball_init(&b, 2, vec(0, 0, -3), 0, 0.4);
	full_mass_prepare(&full_mass, &b.row, b.contact.n, vec(0, 0, 0), vec(0.5, 0, 0.5), 1.25, 3);
	b.problem.class_end[TALUS_COULOMB] = b.problem.class_end[TALUS_EXTENDED] = 0;
	b.problem.full_mass = &full_mass;
	b.problem.extended = &(talus_extended){0};
	problem_give(&b.problem, 0, vec(1, 1, 2), vec(0, 0, 0));
	assert_near3(b.motion[1].v, vec(0.5, 0, -2), 1e-15);
	assert_near3(b.motion[1].r_omega, mul(-1.25, cross(vec(0, 0, 1), vec(1, 1, 2))), 1e-15);
	assert_near3(b.motion[0].v, vec(0, 0, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zero_at_the_answer),
		cmocka_unit_test(test_size_off_the_answer),
		cmocka_unit_test(test_every_law_counts),
		cmocka_unit_test(test_units_do_not_matter),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_visit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
