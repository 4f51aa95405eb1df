// SPDX-License-Identifier: MIT
// The contact problem of a step as matrices: the same impulses, the same velocities.
#include "unit.h"

#include "delassus/delassus.h"
#include "law/law.h"
#include "solve/solve.h"

enum { BODIES = 40, MOST = 120 };

typedef struct heap {
	talus_motion motion[BODIES];
	talus_contact contact[MOST];
	talus_problem problem;
} heap;

// Bodies thrown at one another at random; the first three cannot move.
static void heap_make(heap *h, bool flat, uint64_t seed)
{
	dice d = dice_make(seed);
	memset(h, 0, sizeof *h);
	h->problem = (talus_problem){.flat = flat, .contact = h->contact, .motion = h->motion, .bodies = BODIES};
	for (int i = 0; i < BODIES; i++) {
		double inverse = i < 3 ? 0 : roll(&d, 0.5, 2);
		vec3 v = roll_direction(&d, flat ? 2 : 3);
		vec3 s = mul(0.3, flat ? vec(0, 0, roll(&d, -1, 1)) : roll_direction(&d, 3));
		h->motion[i] = (talus_motion){.v = v, .inv_m = inverse, .s = s, .k = 2.5*inverse};
	}
	for (int i = 0; i < MOST; i++) {
		uint32_t a = (uint32_t)roll(&d, 0, BODIES), b = (uint32_t)roll(&d, 3, BODIES);
		if (a == b)
			continue;
		talus_contact *c = &h->contact[h->problem.contacts++];
		*c = (talus_contact){.a = a, .b = b, .n = roll_direction(&d, flat ? 2 : 3)};
		coulomb_prepare(c, h->motion, roll(&d, -0.05, 0.05), 0, 0.1, TALUS_GAP_POSITIVE, roll(&d, 0, 0.8));
	}
	h->problem.plain = h->problem.round = h->problem.contacts;
}

// Between round bodies the law of the simulation is the exact answer of one contact, so sweeps in the same order go
// the same way.
static void test_step(void **state)
{
	(void)state;
	for (int flat = 0; flat < 2; flat++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			heap h;
			delassus_problem problem;
			talus_error error;
			double r[3*MOST] = {0}, wanted[3*MOST], u[3*MOST];
			heap_make(&h, flat, seed);
			assert_true(delassus_of_step(&problem, &h.problem, &error));
			assert_int_equal(problem.size, flat ? 2 : 3);
			talus_solver_def def = plain_def().solver;
			def.order = TALUS_ORDER_SEQUENTIAL;
			def.iterations = 3000;
			solver_workspace ws = {0};
			nsgs_solve(&h.problem, &def, 0.1, 1, 1, &ws);
			solver_workspace_free(&ws);
			delassus_nsgs(&problem, &(delassus_options){.tolerance = 0, .seconds = 0, .iterations = 3000, .prove = delassus_proof_find}, r);
			delassus_step_impulses(&h.problem, wanted);
			double most = 0;
			for (size_t i = 0; i < problem.contacts*(size_t)problem.size; i++) {
				assert_near(r[i], wanted[i], 1e-8);
				most = fmax(most, fabs(wanted[i]));
			}
			assert_true(most > 0.1);
			// W r + q are the velocities that the bodies have now
			block_matrix_times(&problem.w, wanted, problem.q, u);
			for (size_t i = 0; i < problem.contacts; i++) {
				const talus_contact *c = &h.contact[i];
				vec3 now = sub(sub(h.motion[c->b].v, h.motion[c->a].v),
					cross(add(h.motion[c->a].s, h.motion[c->b].s), c->n));
				assert_near(u[i*(size_t)problem.size], dot(now, c->n) + c->bias, 1e-12);
			}
			delassus_problem_free(&problem);
		}
}

// A piston that moves along one direction only, and a bounce; rolling friction is refused.
static void test_step_general(void **state)
{
	(void)state;
	talus_motion motion[2] = {{.v = {0.2, 0, 0}, .inv_m = 0.5}, {.v = {-1, 0.1, 0.4}, .inv_m = 2, .k = 5}};
	talus_contact c = {.a = 0, .b = 1, .n = unit(vec(1, 2, -1))};
	coulomb_prepare(&c, motion, 0, 0, 0.1, TALUS_GAP_POSITIVE, 0.4);
	talus_rich rich = rich_none(&c);
	rich.target = vec(0.3, 0.1, -0.2);
	talus_general general;
	general_prepare(&general, &c, vec(0, 0, 0.5), vec(2, 2, 2), 5, 3);
	talus_problem step = {.contacts = 1, .contact = &c, .rich = &rich, .general = &general, .bodies = 2};
	step.motion = motion;
	delassus_problem problem;
	talus_error error;
	assert_true(delassus_of_step(&problem, &step, &error));
	for (int k = 0; k < 9; k++)
		assert_near(problem.w.value[k], general.W[k/3][k%3], 1e-14);
	vec3 u = add(sub(motion[1].v, motion[0].v), rich.target);
	assert_near(problem.q[0], dot(u, c.n), 1e-15);
	assert_near(problem.q[2], dot(u, general.t2), 1e-15);
	delassus_problem_free(&problem);
	// among contacts that roll one that does not: its torques are 0, and its block of W is regular all the same
	talus_contact two[2] = {c, c};
	talus_rich riches[2] = {rich, rich};
	talus_general generals[2] = {general, general};
	riches[1].roll = 0.1, riches[1].inertia = 0.4, riches[1].curve_b = 1;
	step.contacts = 2, step.contact = two, step.rich = riches, step.general = generals;
	assert_true(delassus_of_step(&problem, &step, &error));
	assert_int_equal(problem.size, 5);
	assert_true(problem.mu_roll[0] == 0 && problem.mu_roll[1] == 0.1);
	for (uint32_t i = 0; i < 2; i++)
		for (int k = 3; k < 5; k++)
			assert_true(problem.w.value[25*block_matrix_find(&problem.w, i, i) + (size_t)(6*k)] > 0);
	delassus_problem_free(&problem);
	step.contacts = 1, step.contact = &c, step.rich = &rich, step.general = &general;
	rich.twist = 0.1;
	assert_false(delassus_of_step(&problem, &step, &error));
	assert_non_null(strstr(error.text, "torsion"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_step_general),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
