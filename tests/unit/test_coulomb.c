// SPDX-License-Identifier: MIT
// Volume exclusion and Coulomb friction at one contact.
#include "row_contact.h"
#include "unit.h"

#include "law/coulomb.h"
#include "law/law.h"

// Two spheres of masses 2 and 3 and radii 1 and 2: r^2/I = 5/(2 m).
static void pair_of_spheres(talus_solver_body m[2], row_contact *c, double gap, double mu)
{
	m[0] = (talus_solver_body){.inv_m = 1/2.0, .r2_over_I = 2.5/2};
	m[1] = (talus_solver_body){.inv_m = 1/3.0, .r2_over_I = 2.5/3};
	*c = (row_contact){.a = 0, .b = 1, .n = vec(0, 0, 1)};
	coulomb_prepare(&c->row, &m[0], &m[1], gap, 0, 0.1, TALUS_GAP_POSITIVE, mu);
}

static vec3 visit(talus_solver_body m[2], row_contact *c)
{
	vec3 change = sub(coulomb_impulse(c->n, &c->row, c->p, coulomb_velocity(c->n, &m[0], &m[1])), c->p);
	coulomb_apply(c->n, &m[0], &m[1], change);
	c->p = add(c->p, change);
	return coulomb_velocity(c->n, &m[0], &m[1]);
}

// m_n = 6/5 and m_t = 2/7 of it for spheres; for disks (r^2/I = 2/m) a third; a wall adds nothing.
static void test_masses(void **state)
{
	(void)state;
	talus_solver_body m[3];
	row_contact c;
	pair_of_spheres(m, &c, 0, 0.25);
	assert_near(c.mass_n, 1.2, 1e-15);
	assert_near(c.mass_t, 1.2*2/7, 1e-15);
	assert_near(c.mu, 0.25, 0);
	m[0].r2_over_I = 2/2.0, m[1].r2_over_I = 2/3.0;
	coulomb_prepare(&c.row, &m[0], &m[1], 0, 0, 0.1, TALUS_GAP_POSITIVE, 0);
	assert_near(c.mass_t, 1.2/3, 1e-15);
	m[0] = (talus_solver_body){.inv_m = 0};
	coulomb_prepare(&c.row, &m[0], &m[1], 0, 0, 0.1, TALUS_GAP_POSITIVE, 0);
	assert_near(c.mass_n, 3, 1e-15);
	assert_near(c.mass_t, 1, 1e-15);
}

static void test_gap_term(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0.03, 0);
	assert_near(c.bias, 0.3, 1e-15);
	pair_of_spheres(m, &c, -0.03, 0);
	assert_near(c.bias, 0, 0);
	coulomb_prepare(&c.row, &m[0], &m[1], -0.03, 0, 0.1, TALUS_GAP_SIGNED, 0);
	assert_near(c.bias, -0.3, 1e-15);
	coulomb_prepare(&c.row, &m[0], &m[1], 0.03, 0, 0.1, TALUS_GAP_SIGNED, 0);
	assert_near(c.bias, 0.3, 1e-15);
}

// Surfaces at r n of a and -r n of b: both spinning the same way they rub, both opposite they roll. s = r w.
static void test_velocity(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0, 0);
	double ra = 1, rb = 2;
	vec3 wa = vec(0.3, -0.4, 9), wb = vec(-0.7, 0.2, -5), va = vec(1, 2, 3), vb = vec(-2, 0.5, 1);
	m[0].v = va, m[0].r_omega = mul(ra, wa);
	m[1].v = vb, m[1].r_omega = mul(rb, wb);
	vec3 at_a = add(va, cross(wa, mul(ra, c.n))), at_b = add(vb, cross(wb, mul(-rb, c.n)));
	assert_near3(coulomb_velocity(c.n, &m[0], &m[1]), sub(at_b, at_a), 1e-15);
}

// Momentum is kept, and so is angular momentum about the contact point: I w - m r n x v ... on both sides.
static void test_apply(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0, 0);
	vec3 dp = vec(0.3, -0.2, 0.5);
	coulomb_apply(c.n, &m[0], &m[1], dp);
	assert_near3(mul(2, m[0].v), neg(dp), 1e-15);
	assert_near3(mul(3, m[1].v), dp, 1e-15);
	// w = torque/I with torque on a: (r n) x (-dp), on b: (-r n) x dp; I = 2/5 m r^2, s = r w
	assert_near3(m[0].r_omega, mul(1/(0.4*2), cross(c.n, neg(dp))), 1e-15);
	assert_near3(m[1].r_omega, mul(1/(0.4*3), cross(neg(c.n), dp)), 1e-15);
}

// Head on, rubbing so little that friction stops it: one visit, and the contact point is at rest.
static void test_stick(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0, 0.5);
	m[0].v = vec(0.1, 0, 1);
	m[1].v = vec(0, 0.2, -1);
	vec3 u = visit(m, &c);
	assert_near3(u, vec(0, 0, 0), 1e-15);
	assert_near3(c.p, vec(1.2*2/7*0.1, -1.2*2/7*0.2, 2.4), 1e-14);
	vec3 before = c.p;
	visit(m, &c);
	assert_near3(c.p, before, 1e-14);
}

// Faster rubbing: the impulse is on the cone, against the sliding that remains.
static void test_slide(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0, 0.5);
	m[1].v = vec(30, 40, -1);
	vec3 u = visit(m, &c);
	assert_near(c.p.z, 1.2, 1e-14);
	assert_near3(c.p, vec(-0.5*1.2*0.6, -0.5*1.2*0.8, 1.2), 1e-14);
	assert_near(u.z, 0, 1e-14);
	assert_near(u.x*0.8 - u.y*0.6, 0, 1e-13);
	assert_true(u.x > 0 && u.y > 0);
	assert_near(hypot(u.x, u.y), 50 - 0.5*1.2/(1.2*2/7), 1e-12);
}

// Separating, or not closing the gap within the step: nothing, and an old impulse is taken back.
static void test_open(void **state)
{
	(void)state;
	talus_solver_body m[2];
	row_contact c;
	pair_of_spheres(m, &c, 0.03, 0.5);
	m[1].v = vec(5, 0, -0.29);
	visit(m, &c);
	assert_near3(c.p, vec(0, 0, 0), 0);
	c.p = vec(0.1, 0, 0.7);
	coulomb_apply(c.n, &m[0], &m[1], c.p);
	visit(m, &c);
	assert_near3(c.p, vec(0, 0, 0), 0);
	assert_near3(m[1].v, vec(5, 0, -0.29), 1e-14);
	m[1].v.z = -0.5; // closes: what is left just closes the gap
	assert_near(visit(m, &c).z, -0.3, 1e-14);
}

// A contact that opens has no impulse left, not even a rounding error of one, which would count as a contact
// that carries.
static void test_open_is_exactly_nothing(void **state)
{
	(void)state;
	dice d = dice_make(8);
	for (int i = 0; i < 2000; i++) {
		talus_solver_body m[2];
		row_contact c;
		pair_of_spheres(m, &c, 0, i%2 ? 0.5 : 0);
		c.n = i%3 ? roll_direction(&d, 3) : vec(0, 0, 1);
		c.p = mul(roll(&d, 0.1, 1), c.n);
		m[1].v = mul(roll(&d, 2, 3), c.n);
		if (i%5 == 0)
			m[1].v = add(m[1].v, mul(0.1, any_tangent(c.n)));
		visit(m, &c);
		assert_near3(c.p, vec(0, 0, 0), 0);
	}
}

// Whatever comes in, what goes out is in the cone, and a second visit changes nothing.
static void test_cone(void **state)
{
	(void)state;
	dice d = dice_make(9);
	for (int i = 0; i < 2000; i++) {
		talus_solver_body m[2];
		row_contact c;
		pair_of_spheres(m, &c, roll(&d, -0.1, 0.1), roll(&d, 0, 1));
		c.n = roll_direction(&d, 3);
		c.p = mul(roll(&d, 0, 1), roll_direction(&d, 3));
		m[0].v = mul(roll(&d, 0, 2), roll_direction(&d, 3));
		m[1].v = mul(roll(&d, 0, 2), roll_direction(&d, 3));
		m[1].r_omega = mul(roll(&d, 0, 2), roll_direction(&d, 3));
		visit(m, &c);
		vec3 p = c.p, t = mul_add(p, -dot(p, c.n), c.n);
		assert_true(dot(p, c.n) >= -1e-15);
		assert_true(norm(t) <= c.mu*dot(p, c.n) + 1e-14);
		visit(m, &c);
		assert_near3(c.p, p, 1e-13);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_masses),
		cmocka_unit_test(test_gap_term),
		cmocka_unit_test(test_velocity),
		cmocka_unit_test(test_apply),
		cmocka_unit_test(test_stick),
		cmocka_unit_test(test_slide),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_open_is_exactly_nothing),
		cmocka_unit_test(test_cone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
