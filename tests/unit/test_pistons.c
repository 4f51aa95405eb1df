// SPDX-License-Identifier: MIT
// Pistons in the solver: sums without an order, velocities that contacts and piston agree upon, lines of their own.
#include "unit.h"

#include "law/coulomb.h"
#include "law/law.h"
#include "solve/piston.h"
#include "solve/solve.h"

enum { GRAINS = 50, PISTON = GRAINS };

typedef struct press { // grains of mass 1 below a piston, each in a contact with it alone
	talus_problem problem;
	talus_solver_body motion[GRAINS + 1];
	talus_contact contact[GRAINS];
	talus_row row[GRAINS];
	vec3 p[GRAINS];
	talus_piston piston;
	solver_bodies solver_bodies;
} press;

// Contact i is that of grain i, or the other way round.
static void press_make(press *p, double mass, talus_vec3 free, bool turned)
{
	dice d = dice_make(5);
	*p = (press){.piston = {PISTON, mul(1/mass, free)}};
	p->problem = (talus_problem){.bodies = GRAINS + 1, .motion = p->motion, .contacts = GRAINS, .class_end = {GRAINS, GRAINS},
	                             .contact = p->contact, .row = p->row, .p = p->p, .pistons = 1, .piston = &p->piston};
	p->motion[PISTON] = (talus_solver_body){.v = vec(0.3, -1, 0.2), .inv_m = 1/mass};
	for (uint32_t i = 0; i < GRAINS; i++) {
		uint32_t at = turned ? GRAINS - 1 - i : i;
		talus_contact *c = &p->contact[at];
		p->motion[i] = (talus_solver_body){.v = vec(0, roll(&d, -1, 1), 0), .inv_m = 1, .r2_over_I = 2.5};
		*c = (talus_contact){.a = PISTON, .b = i, .n = unit(vec(roll(&d, -0.1, 0.1), -1, roll(&d, -0.1, 0.1)))};
		talus_solver_body still = {.inv_m = 0};
		coulomb_prepare(&p->row[at], &still, &p->motion[i], 0, 0, 0.1, TALUS_GAP_POSITIVE, 0);
		p->p[at] = mul(roll(&d, 0, 1), c->n);
	}
	solver_bodies_take(&p->solver_bodies, &p->problem, NULL);
	p->problem.motion = p->solver_bodies.motion;
}

static vec3 velocity(const press *p)
{
	return p->solver_bodies.motion[PISTON].v;
}

static void test_sums_have_no_order(void **state)
{
	(void)state;
	press one, other;
	press_make(&one, 3, vec(1, 1, 1), false);
	press_make(&other, 3, vec(1, 1, 1), true);
	pistons_exact(&one.solver_bodies, NULL, &one.problem);
	pistons_exact(&other.solver_bodies, NULL, &other.problem);
	vec3 a = velocity(&one), b = velocity(&other), by_hand = vec(0.3, -1, 0.2);
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
	for (int i = 0; i < GRAINS; i++)
		by_hand = mul_add(by_hand, -1.0/3, one.p[i]);
	assert_true(norm(sub(a, by_hand)) < 1e-13);
	solver_bodies_free(&one.solver_bodies);
	solver_bodies_free(&other.solver_bodies);
}

// Every contact has a line of its own, which knows the velocity and has no mass; a piston does not move where it is not free.
static void test_lines(void **state)
{
	(void)state;
	press p;
	press_make(&p, 3, vec(0, 1, 0), false);
	pistons_exact(&p.solver_bodies, NULL, &p.problem);
	vec3 v = velocity(&p);
	assert_true(v.x == 0.3 && v.z == 0.2 && v.y > -1);
	for (size_t i = 0; i < GRAINS; i++) {
		uint32_t line = p.solver_bodies.at[i].a;
		assert_true(pistons_have(&p.solver_bodies, line) && !pistons_have(&p.solver_bodies, p.solver_bodies.at[i].b));
		assert_true(i == 0 || line > p.solver_bodies.at[i - 1].a);
		const talus_solver_body *own = &p.solver_bodies.motion[line/LINE];
		assert_true(own->inv_m == 0 && own->r2_over_I == 0 && own->v.y == v.y);
	}
	p.p[7].y = NAN; // what is not a number is passed on
	pistons_exact(&p.solver_bodies, NULL, &p.problem);
	assert_true(isnan(velocity(&p).y));
	solver_bodies_free(&p.solver_bodies);
}

static void look_until_settled(press *p)
{
	int look = 0;
	do
		for (size_t i = 0; i < GRAINS; i++)
			problem_visit(&p->problem, i, NULL);
	while (pistons_settle(&p->solver_bodies, NULL, &p->problem, 0, look++));
	assert_true(look <= 9);
}

// Contacts that look as often as they are told to, and the piston, agree: no contact would change anything, and momentum is what impulses are.
static void test_agreement(void **state)
{
	(void)state;
	static const double masses[] = {1e-6, 1e-3, 1, 1e3};
	for (int m = 0; m < 4; m++)
		for (int along = 0; along < 2; along++) {
			press p;
			press_make(&p, masses[m], along ? vec(0, 1, 0) : vec(1, 1, 1), false);
			vec3 free = velocity(&p), sum = vec(0, 0, 0);
			problem_start(&p.problem);
			pistons_exact(&p.solver_bodies, NULL, &p.problem);
			for (int sweep = 0; sweep < 3; sweep++)
				look_until_settled(&p);
			for (size_t i = 0; i < GRAINS; i++) {
				assert_true(norm(problem_change(&p.problem, i).p) < 1e-9);
				sum = add(sum, p.p[i]);
			}
			vec3 wanted = sub(free, vec(p.piston.inv_m.x*sum.x, p.piston.inv_m.y*sum.y, p.piston.inv_m.z*sum.z));
			assert_true(norm(sub(velocity(&p), wanted)) < 1e-15*(1 + norm(sum)/masses[m])*GRAINS);
			solver_bodies_free(&p.solver_bodies);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_have_no_order),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_agreement),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
