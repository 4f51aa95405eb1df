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
	talus_motion motion[GRAINS + 1];
	talus_contact contact[GRAINS];
	talus_piston piston;
	lines lines;
} press;

// Contact i is that of grain i, or the other way round.
static void press_make(press *p, double mass, talus_vec3 free, bool turned)
{
	dice d = dice_make(5);
	*p = (press){.piston = {PISTON, mul(1/mass, free)}};
	p->problem = (talus_problem){.bodies = GRAINS + 1, .motion = p->motion, .contacts = GRAINS, .plain = GRAINS, .round = GRAINS,
	                             .contact = p->contact, .pistons = 1, .piston = &p->piston};
	p->motion[PISTON] = (talus_motion){.v = vec(0.3, -1, 0.2), .inv_m = 1/mass};
	for (uint32_t i = 0; i < GRAINS; i++) {
		talus_contact *c = &p->contact[turned ? GRAINS - 1 - i : i];
		p->motion[i] = (talus_motion){.v = vec(0, roll(&d, -1, 1), 0), .inv_m = 1, .k = 2.5};
		*c = (talus_contact){.a = PISTON, .b = i, .n = unit(vec(roll(&d, -0.1, 0.1), -1, roll(&d, -0.1, 0.1)))};
		talus_motion still = {.inv_m = 0};
		const talus_motion both[2] = {still, p->motion[i]};
		talus_contact alone = {.a = 0, .b = 1, .n = c->n};
		coulomb_prepare(&alone, both, 0, 0, 0.1, TALUS_GAP_POSITIVE, 0);
		c->mass_n = alone.mass_n;
		c->mass_t = alone.mass_t;
		c->p = mul(roll(&d, 0, 1), c->n);
	}
	lines_take(&p->lines, &p->problem, NULL);
	p->problem.motion = p->lines.motion;
}

static vec3 velocity(const press *p)
{
	return p->lines.motion[PISTON].v;
}

static void test_sums_have_no_order(void **state)
{
	(void)state;
	press one, other;
	press_make(&one, 3, vec(1, 1, 1), false);
	press_make(&other, 3, vec(1, 1, 1), true);
	pistons_exact(&one.lines, NULL, &one.problem);
	pistons_exact(&other.lines, NULL, &other.problem);
	vec3 a = velocity(&one), b = velocity(&other), by_hand = vec(0.3, -1, 0.2);
	assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
	for (int i = 0; i < GRAINS; i++)
		by_hand = mul_add(by_hand, -1.0/3, one.contact[i].p);
	assert_true(norm(sub(a, by_hand)) < 1e-13);
	lines_free(&one.lines);
	lines_free(&other.lines);
}

// Every contact has a line of its own, which knows the velocity and has no mass; a piston does not move where it is not free.
static void test_lines(void **state)
{
	(void)state;
	press p;
	press_make(&p, 3, vec(0, 1, 0), false);
	pistons_exact(&p.lines, NULL, &p.problem);
	vec3 v = velocity(&p);
	assert_true(v.x == 0.3 && v.z == 0.2 && v.y > -1);
	for (size_t i = 0; i < GRAINS; i++) {
		uint32_t line = p.lines.at[i].a;
		assert_true(pistons_have(&p.lines, line) && !pistons_have(&p.lines, p.lines.at[i].b));
		assert_true(i == 0 || line > p.lines.at[i - 1].a);
		const talus_motion *own = &p.lines.motion[line/LINE];
		assert_true(own->inv_m == 0 && own->k == 0 && own->v.y == v.y);
	}
	p.contact[7].p.y = NAN; // what is not a number is passed on
	pistons_exact(&p.lines, NULL, &p.problem);
	assert_true(isnan(velocity(&p).y));
	lines_free(&p.lines);
}

static void look_until_settled(press *p)
{
	int look = 0;
	do
		for (size_t i = 0; i < GRAINS; i++)
			problem_visit(&p->problem, i, NULL);
	while (pistons_settle(&p->lines, NULL, &p->problem, 0, look++));
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
			pistons_exact(&p.lines, NULL, &p.problem);
			for (int sweep = 0; sweep < 3; sweep++)
				look_until_settled(&p);
			for (size_t i = 0; i < GRAINS; i++) {
				assert_true(norm(problem_change(&p.problem, i).p) < 1e-9);
				sum = add(sum, p.contact[i].p);
			}
			vec3 wanted = sub(free, vec(p.piston.inv_m.x*sum.x, p.piston.inv_m.y*sum.y, p.piston.inv_m.z*sum.z));
			assert_true(norm(sub(velocity(&p), wanted)) < 1e-15*(1 + norm(sum)/masses[m])*GRAINS);
			lines_free(&p.lines);
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
