// SPDX-License-Identifier: MIT
// How wrong an answer is, seen from afar: what heavy bodies weigh counts where they press, what they bring and what rough walls could hold
// counts as carried, and loads count over a window of steps.
#include "unit.h"

#include "solve/solve.h"

enum { GRAINS = 16, BODIES = GRAINS + 2, CONTACTS = GRAINS + 1 }; // floor and piston behind the grains

// A column of disks of mass 1 and diameter 1 between a floor and a piston, all contacts with the impulse 1, all of it being squeezed: each
// contact closes with the same speed.
typedef struct stack {
	talus_solver_body motion[BODIES];
	talus_contact contact[CONTACTS];
	talus_row row[CONTACTS];
	vec3 p[CONTACTS];
	uint32_t box[GRAINS];
	talus_problem problem;
	solver_workspace ws;
} stack;

static void stack_make(stack *s, double piston, double mu_side)
{
	enum { FLOOR = GRAINS, PISTON };
	memset(s, 0, sizeof *s);
	for (int i = 0; i < GRAINS; i++) {
		s->motion[i] = (talus_solver_body){.inv_m = 1, .r2_over_I = 2};
		s->box[i] = (uint32_t)(i/4);
	}
	s->motion[PISTON].inv_m = piston > 0 ? 1/piston : 0;
	for (uint32_t i = 0; i < CONTACTS; i++) {
		uint32_t a = i == 0 ? FLOOR : i - 1, b = i == GRAINS ? PISTON : i;
		double inverse = s->motion[a].inv_m + s->motion[b].inv_m;
		s->contact[i] = (talus_contact){.a = a, .b = b, .n = {0, 1, 0}};
		s->row[i] = (talus_row){.mass_n = 1/inverse, .mass_t = 1/inverse, .mu = i == 0 ? mu_side : 0};
		s->p[i] = vec(0, 1, 0);
	}
	s->problem = (talus_problem){.flat = true, .contacts = CONTACTS, .class_end = {CONTACTS, CONTACTS}, .contact = s->contact, .row = s->row, .p = s->p,
	                             .bodies = BODIES, .motion = s->motion, .dt = 1,
	                             .error_cells = {.dimension = 2, .side = {1, 4, 1}, .edge = {1, 4, 1}, .diameter = 1, .bodies = GRAINS, .box = s->box}};
}

// The error when every contact closes with `speed`; before the first guess the piston came down with `fall`.
static double judged(stack *s, double speed, double fall)
{
	double load;
	s->motion[BODIES - 1].v.y = -fall;
	solver_bodies_take(&s->ws.solver_bodies, &s->problem, NULL);
	s->ws.loops = kernel_best()->flat;
	error_begin(&s->ws, &s->problem);
	for (int i = 0; i < GRAINS; i++)
		s->motion[i].v.y = -speed*(i + 1);
	s->motion[BODIES - 1].v.y = -speed*(GRAINS + 1);
	double global = error_estimate(&s->ws, NULL, &s->problem, &load).global;
	assert_near(load, 1, 1e-12);
	for (int i = 0; i < BODIES; i++)
		s->motion[i].v.y = 0;
	solver_workspace_free(&s->ws);
	memset(&s->ws, 0, sizeof s->ws);
	return global;
}

static void test_heavy(void **state)
{
	(void)state;
	stack s;
	stack_make(&s, 0, 0);
	double alone = judged(&s, 1e-6, 0);
	// (e/m) n summed over all contacts of the column is 17e-6; half its mass times its length, over a window of loads
	assert_near(alone, 0.5*GRAINS*2e-6*GRAINS/TALUS_WINDOW, 0.1*alone);
	stack_make(&s, 1e4, 0);
	double pressed = judged(&s, 1e-6, 0);
	assert_near(pressed/alone, (GRAINS + 1e4)/GRAINS, 0.1*pressed/alone);
	// where it arrives with a speed, its momentum counts as carried, beside a window of loads
	assert_near(judged(&s, 1e-6, 1), pressed*TALUS_WINDOW/(TALUS_WINDOW + 1e4), 1e-3*pressed);
	assert_near(judged(&s, 1e-6, 1e-4), pressed*TALUS_WINDOW/(TALUS_WINDOW + 1), 1e-3*pressed);
	s.problem.memory.load = 9; // and what was carried before
	assert_near(judged(&s, 1e-6, 0), pressed*TALUS_WINDOW/(1 + 9*(TALUS_WINDOW - 1)), 1e-9*pressed);
}

// A rough wall beside a box could hold something: as much as friction allows.
static void test_held(void **state)
{
	(void)state;
	stack s;
	stack_make(&s, 0, 0.5);
	s.contact[0].n = s.p[0] = vec(1, 0, 0); // beside the lowest grain instead of below
	double rough = judged(&s, 1e-6, 0);
	s.row[0].mu = 0;
	double smooth = judged(&s, 1e-6, 0);
	assert_near(rough*1.5, smooth, 0.35*smooth);
	assert_true(rough < 0.99*smooth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heavy),
		cmocka_unit_test(test_held),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
