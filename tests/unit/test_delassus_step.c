// SPDX-License-Identifier: MIT
// The contact problem of a step as matrices: the same impulses, the same velocities.
#include "unit.h"

#include "delassus/delassus.h"
#include "law/law.h"
#include "solve/solve.h"

enum { BODIES = 40, MOST = 120 };

typedef struct heap {
	talus_solver_body motion[BODIES];
	talus_contact contact[MOST];
	talus_row row[MOST];
	vec3 p[MOST];
	talus_problem problem;
} heap;

// Bodies thrown at one another at random; the first three cannot move.
static void heap_make(heap *h, bool flat, uint64_t seed)
{
	dice d = dice_make(seed);
	memset(h, 0, sizeof *h);
	h->problem = (talus_problem){.flat = flat, .contact = h->contact, .row = h->row, .p = h->p, .motion = h->motion, .bodies = BODIES};
	for (int i = 0; i < BODIES; i++) {
		double inverse = i < 3 ? 0 : roll(&d, 0.5, 2);
		vec3 v = roll_direction(&d, flat ? 2 : 3);
		vec3 s = mul(0.3, flat ? vec(0, 0, roll(&d, -1, 1)) : roll_direction(&d, 3));
		h->motion[i] = (talus_solver_body){.v = v, .inv_m = inverse, .r_omega = s, .r2_over_I = 2.5*inverse};
	}
	for (int i = 0; i < MOST; i++) {
		uint32_t a = (uint32_t)roll(&d, 0, BODIES), b = (uint32_t)roll(&d, 3, BODIES);
		if (a == b)
			continue;
		h->contact[h->problem.contacts] = (talus_contact){.a = a, .b = b, .n = roll_direction(&d, flat ? 2 : 3)};
		coulomb_prepare(&h->row[h->problem.contacts++], &h->motion[a], &h->motion[b], roll(&d, -0.05, 0.05), 0, 0.1, TALUS_GAP_POSITIVE, roll(&d, 0, 0.8));
	}
	h->problem.class_end[TALUS_COULOMB] = h->problem.class_end[TALUS_EXTENDED] = h->problem.contacts;
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
					cross(add(h.motion[c->a].r_omega, h.motion[c->b].r_omega), c->n));
				assert_near(u[i*(size_t)problem.size], dot(now, c->n) + h.row[i].bias, 1e-12);
			}
			delassus_problem_free(&problem);
		}
}

// A piston that moves along one direction only, and a bounce; rolling friction is refused.
static void test_step_full_mass(void **state)
{
	(void)state;
	talus_solver_body motion[2] = {{.v = {0.2, 0, 0}, .inv_m = 0.5}, {.v = {-1, 0.1, 0.4}, .inv_m = 2, .r2_over_I = 5}};
	talus_contact c = {.a = 0, .b = 1, .n = unit(vec(1, 2, -1))};
	talus_row row;
	coulomb_prepare(&row, &motion[0], &motion[1], 0, 0, 0.1, TALUS_GAP_POSITIVE, 0.4);
	talus_extended extended = extended_none(c.n, &row);
	extended.target = vec(0.3, 0.1, -0.2);
	talus_full_mass full_mass;
	full_mass_prepare(&full_mass, &row, c.n, vec(0, 0, 0.5), vec(2, 2, 2), 5, 3);
	talus_problem step = {.contacts = 1, .contact = &c, .row = &row, .extended = &extended, .full_mass = &full_mass, .bodies = 2};
	step.motion = motion;
	delassus_problem problem;
	talus_error error;
	assert_true(delassus_of_step(&problem, &step, &error));
	for (int k = 0; k < 9; k++)
		assert_near(problem.w.value[k], full_mass.mass.w[k], 1e-14);
	vec3 u = add(sub(motion[1].v, motion[0].v), extended.target);
	assert_near(problem.q[0], dot(u, c.n), 1e-15);
	assert_near(problem.q[2], dot(u, full_mass.t2), 1e-15);
	delassus_problem_free(&problem);
	// among contacts that roll one that does not: its torques are 0, and its block of W is regular all the same
	talus_contact two[2] = {c, c};
	talus_row rows[2] = {row, row};
	talus_extended extended_count[2] = {extended, extended};
	talus_full_mass two_full_mass[2] = {full_mass, full_mass};
	extended_count[1].roll = 0.1, extended_count[1].inertia = 0.4, extended_count[1].curve_b = 1;
	step.contacts = 2, step.contact = two, step.row = rows, step.extended = extended_count, step.full_mass = two_full_mass;
	assert_true(delassus_of_step(&problem, &step, &error));
	assert_int_equal(problem.size, 5);
	assert_true(problem.mu_roll[0] == 0 && problem.mu_roll[1] == 0.1);
	for (uint32_t i = 0; i < 2; i++)
		for (int k = 3; k < 5; k++)
			assert_true(problem.w.value[25*block_matrix_find(&problem.w, i, i) + (size_t)(6*k)] > 0);
	delassus_problem_free(&problem);
	step.contacts = 1, step.contact = &c, step.row = &row, step.extended = &extended, step.full_mass = &full_mass;
	extended.twist = 0.1;
	assert_false(delassus_of_step(&problem, &step, &error));
	assert_non_null(strstr(error.text, "torsion"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_step_full_mass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
