// SPDX-License-Identifier: MIT
// Sweeps: problems with known answers, all orders, all rules to stop.
#include "unit.h"

#include "base/memory.h"
#include "law/law.h"
#include "solve/solve.h"

enum { MOST = 32 };

typedef struct set_up {
	talus_solver_body motion[MOST];
	talus_contact contact[MOST];
	talus_row row[MOST];
	vec3 p[MOST];
	talus_problem problem;
	solver_workspace ws;
} set_up;

static void start(set_up *s)
{
	memset(s, 0, sizeof *s);
	s->problem.contact = s->contact;
	s->problem.row = s->row;
	s->problem.p = s->p;
	s->problem.motion = s->motion;
}

static uint32_t body(set_up *s, double mass, vec3 v)
{
	double inverse = mass > 0 ? 1/mass : 0;
	s->motion[s->problem.bodies] = (talus_solver_body){.v = v, .inv_m = inverse, .r2_over_I = 2.5*inverse};
	return (uint32_t)s->problem.bodies++;
}

static void join(set_up *s, uint32_t a, uint32_t b, vec3 n, double mu)
{
	s->contact[s->problem.contacts] = (talus_contact){.a = a, .b = b, .n = n};
	coulomb_prepare(&s->row[s->problem.contacts++], &s->motion[a], &s->motion[b], 0, 0, 0.1, TALUS_GAP_POSITIVE, mu);
	s->problem.class_end[TALUS_COULOMB] = s->problem.class_end[TALUS_EXTENDED] = s->problem.contacts;
}

static talus_solver_def solver(talus_order order, int iterations)
{
	talus_solver_def def = plain_def().solver;
	def.order = order;
	def.iterations = iterations;
	def.relaxation = order == TALUS_ORDER_PARALLEL ? 0.5 : 1;
	return def;
}

static talus_solve_report run(set_up *s, const talus_solver_def *def)
{
	return nsgs_solve(&s->problem, def, 0.1, 1, 1, &s->ws);
}

static void stop(set_up *s)
{
	solver_workspace_free(&s->ws);
}

// Ball 1 on the floor, ball 2 on ball 1, both given the velocity -1 by gravity: the floor carries both.
static void tower(set_up *s)
{
	start(s);
	body(s, 0, vec(0, 0, 0));
	body(s, 1, vec(0, 0, -1));
	body(s, 2, vec(0, 0, -1));
	join(s, 0, 1, vec(0, 0, 1), 0.3);
	join(s, 1, 2, vec(0, 0, 1), 0.3);
}

// A ball in a groove of half angle 50 degrees.
static void groove(set_up *s, double mu)
{
	double c = cos(50*M_PI/180), n = sin(50*M_PI/180);
	start(s);
	body(s, 0, vec(0, 0, 0));
	body(s, 3, vec(0, 0, -1));
	join(s, 0, 1, vec(c, 0, n), mu);
	join(s, 0, 1, vec(-c, 0, n), mu);
}

static void test_two_contacts(void **state)
{
	(void)state;
	for (int order = TALUS_ORDER_SHUFFLED; order <= TALUS_ORDER_RANDOM_SEQUENTIAL; order++) {
		talus_solver_def def = solver((talus_order)order, 400);
		set_up s;
		tower(&s);
		talus_solve_report report = run(&s, &def);
		assert_near3(s.p[0], vec(0, 0, 3), 1e-9);
		assert_near3(s.p[1], vec(0, 0, 2), 1e-9);
		assert_near3(s.motion[2].v, vec(0, 0, 0), 1e-9);
		assert_true(report.converged && report.iterations == 400 && report.residual < 1e-9);
		stop(&s);
		groove(&s, 0);
		run(&s, &def);
		assert_near(dot(s.p[0], s.contact[0].n), 3/(2*sin(50*M_PI/180)), 1e-9);
		assert_near(dot(s.p[1], s.contact[1].n), 3/(2*sin(50*M_PI/180)), 1e-9);
		assert_near3(s.motion[1].v, vec(0, 0, 0), 1e-9);
		stop(&s);
	}
}

// With friction the ball stands still too, whatever part the friction takes; both impulses together carry it.
static void test_rough_groove(void **state)
{
	(void)state;
	set_up s;
	groove(&s, 0.8);
	talus_solver_def def = solver(TALUS_ORDER_RANDOM, 300);
	talus_solve_report report = run(&s, &def);
	assert_near3(add(s.p[0], s.p[1]), vec(0, 0, 3), 1e-9);
	assert_near3(s.motion[1].r_omega, vec(0, 0, 0), 1e-9);
	assert_true(report.residual < 1e-9);
	stop(&s);
}

// A sweep in the order 0, 1 by hand: the floor stops ball 1, ball 2 then shares its velocity with it.
static void test_one_sweep_by_hand(void **state)
{
	(void)state;
	set_up s;
	tower(&s);
	talus_solver_def def = solver(TALUS_ORDER_SEQUENTIAL, 1);
	run(&s, &def);
	assert_near3(s.p[0], vec(0, 0, 1), 1e-15);
	assert_near3(s.p[1], vec(0, 0, 2.0/3), 1e-15);
	assert_near3(s.motion[1].v, vec(0, 0, -2.0/3), 1e-15);
	assert_near3(s.motion[2].v, vec(0, 0, -2.0/3), 1e-15);
	stop(&s);
	tower(&s); // all at once: ball 2 does not see what the floor did; half of each change is applied
	def = solver(TALUS_ORDER_PARALLEL, 1);
	run(&s, &def);
	assert_near3(s.p[0], vec(0, 0, 0.5), 1e-15);
	assert_near3(s.p[1], vec(0, 0, 0), 1e-15);
	stop(&s);
}

// A chain of unequal balls that hits a wall, without friction: one answer, whoever goes first.
static void chain(set_up *s, int length, double mu)
{
	dice d = dice_make(21);
	start(s);
	body(s, 0, vec(0, 0, 0));
	for (int i = 1; i <= length; i++) {
		body(s, roll(&d, 0.5, 2), vec(roll(&d, -2, -1), mu > 0 ? 0.3 : 0, 0));
		join(s, (uint32_t)i - 1, (uint32_t)i, vec(1, 0, 0), mu);
	}
}

static void test_all_orders_agree(void **state)
{
	(void)state;
	enum { LENGTH = 8 };
	double first[LENGTH] = {0};
	for (int order = TALUS_ORDER_SHUFFLED; order <= TALUS_ORDER_RANDOM_SEQUENTIAL; order++)
		for (uint64_t seed = 1; seed < 4; seed++) {
			set_up s;
			chain(&s, LENGTH, 0);
			talus_solver_def def = solver((talus_order)order, 4000);
			talus_solve_report report = nsgs_solve(&s.problem, &def, 0.1, seed, 5, &s.ws);
			assert_true(report.residual < 1e-11);
			for (int i = 0; i < LENGTH; i++) {
				if (order == 0 && seed == 1)
					first[i] = s.p[i].x;
				assert_near(s.p[i].x, first[i], 1e-9);
			}
			stop(&s);
		}
}

// Same seed and step, same bits; another seed or step, other bits (before it has converged).
static void test_bits(void **state)
{
	(void)state;
	talus_solver_def def = solver(TALUS_ORDER_RANDOM, 4);
	vec3 p[4];
	for (int k = 0; k < 4; k++) {
		set_up s;
		chain(&s, 8, 0.3);
		nsgs_solve(&s.problem, &def, 0.1, k == 2 ? 2 : 1, k == 3 ? 6 : 5, &s.ws);
		p[k] = s.p[3];
		stop(&s);
	}
	assert_memory_equal(&p[0], &p[1], sizeof p[0]);
	assert_memory_not_equal(&p[0], &p[2], sizeof p[0]);
	assert_memory_not_equal(&p[0], &p[3], sizeof p[0]);
}

// ---------------------------------------------------------------- rules to stop

static void test_stop_local(void **state)
{
	(void)state;
	int before = 0;
	for (double tolerance = 1e-2; tolerance > 1e-9; tolerance *= 0.1) {
		set_up s;
		chain(&s, 8, 0);
		talus_solver_def def = solver(TALUS_ORDER_SEQUENTIAL, 1);
		def.stop = TALUS_STOP_LOCAL;
		def.tolerance = tolerance;
		def.cutoff = 0;
		talus_solve_report report = run(&s, &def);
		assert_true(report.converged && report.iterations > before);
		before = report.iterations;
		// one sweep less had not been enough: redo it, and look at the largest relative change in the
		// next
		set_up again;
		chain(&again, 8, 0);
		talus_solver_def fixed = solver(TALUS_ORDER_SEQUENTIAL, report.iterations - 1);
		run(&again, &fixed);
		for (int i = 0; i < 8; i++)
			assert_true(norm(sub(s.p[i],
				again.p[i])) <= tolerance*norm(s.p[i]) + 1e-15);
		stop(&s);
		stop(&again);
	}
}

// The cut-off is a force: the first sweep through the tower changes impulses by up to 1, a force of 10 with a step of 0.1.
static void test_cutoff(void **state)
{
	(void)state;
	set_up s;
	talus_solver_def def = solver(TALUS_ORDER_SEQUENTIAL, 1);
	def.stop = TALUS_STOP_LOCAL;
	tower(&s);
	def.cutoff = 10.1;
	assert_int_equal(run(&s, &def).iterations, 1);
	stop(&s);
	tower(&s);
	def.cutoff = 9.9;
	assert_true(run(&s, &def).iterations > 1);
	stop(&s);
}

static void test_stop_global(void **state)
{
	(void)state;
	set_up s;
	chain(&s, 8, 0);
	talus_solver_def def = solver(TALUS_ORDER_RANDOM, 1);
	def.stop = TALUS_STOP_GLOBAL;
	def.tolerance = 1e-8;
	talus_solve_report report = run(&s, &def);
	assert_true(report.converged && report.iterations > 10 && report.residual < 1e-5);
	stop(&s);
	tower(&s); // already solved: still some sweeps in a row
	s.p[0].z = 3, s.p[1].z = 2;
	assert_int_equal(run(&s, &def).iterations, 4);
	stop(&s);
}

static void test_stop_residual(void **state)
{
	(void)state;
	for (double tolerance = 1e-2; tolerance > 1e-11; tolerance *= 1e-2) {
		set_up s;
		chain(&s, 8, 0.3);
		talus_solver_def def = solver(TALUS_ORDER_RANDOM, 1);
		def.stop = TALUS_STOP_RESIDUAL;
		def.tolerance = tolerance;
		talus_solve_report report = run(&s, &def);
		assert_true(report.converged && report.residual <= tolerance);
		assert_near(report.residual, problem_residual(&s.problem, NULL), 0);
		stop(&s);
	}
}

static void test_cap(void **state)
{
	(void)state;
	for (int rule = TALUS_STOP_LOCAL; rule <= TALUS_STOP_RESIDUAL; rule++) {
		set_up s;
		chain(&s, 8, 0);
		talus_solver_def def = solver(TALUS_ORDER_RANDOM, 1);
		def.stop = (talus_stop)rule;
		def.tolerance = -1; // never met
		def.max_iterations = 17;
		talus_solve_report report = run(&s, &def);
		assert_int_equal(report.iterations, 17);
		assert_false(report.converged);
		assert_true(report.residual > 0);
		stop(&s);
	}
}

static void test_nothing_to_solve(void **state)
{
	(void)state;
	set_up s;
	start(&s);
	for (int rule = TALUS_STOP_ITERATIONS; rule <= TALUS_STOP_RESIDUAL; rule++) {
		talus_solver_def def = solver(TALUS_ORDER_RANDOM, 50);
		def.stop = (talus_stop)rule;
		talus_solve_report report = run(&s, &def);
		assert_int_equal(report.iterations, 0);
		assert_true(report.converged && report.residual == 0);
	}
	stop(&s);
}

// The answer of the last step as a first guess: nothing is left to do.
static void test_first_guess(void **state)
{
	(void)state;
	set_up s;
	tower(&s);
	s.p[0].z = 3, s.p[1].z = 2;
	talus_solver_def def = solver(TALUS_ORDER_RANDOM, 1);
	assert_true(run(&s, &def).residual < 1e-15);
	assert_near3(s.motion[1].v, vec(0, 0, 0), 1e-15);
	stop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_contacts),
		cmocka_unit_test(test_rough_groove),
		cmocka_unit_test(test_one_sweep_by_hand),
		cmocka_unit_test(test_all_orders_agree),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_stop_local),
		cmocka_unit_test(test_cutoff),
		cmocka_unit_test(test_stop_global),
		cmocka_unit_test(test_stop_residual),
		cmocka_unit_test(test_cap),
		cmocka_unit_test(test_nothing_to_solve),
		cmocka_unit_test(test_first_guess),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
