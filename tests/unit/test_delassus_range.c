// SPDX-License-Identifier: MIT
// Contact problems in units so far off that squares of their numbers are none: solved as in ordinary ones, and never called solved
// because a norm has overflowed or is 0.
#include "unit.h"

#include "delassus/work.h"

static delassus_solver *const solvers[] = {delassus_auto, delassus_newton, delassus_accelerated, delassus_nsgs};
enum { SOLVERS = 4, CONTACTS = 6, MOST = 5*CONTACTS };
static const int sizes[] = {2, 3, 5};

// Six contacts in a row, each of which feels its neighbours, thrown at a floor. W times 2^of_w, q times 2^of_q.
static delassus_problem make(int size, int of_w, int of_q)
{
	size_t n = (size_t)size, count = CONTACTS*n, at = 0;
	sparse_entries w = {count, count, 0, delassus_zeros(3*count, sizeof(uint32_t)), delassus_zeros(3*count, sizeof(uint32_t)),
		delassus_zeros(3*count, sizeof(double))};
	delassus_problem p;
	dice d = dice_make(7);
	delassus_problem_init(&p, size, CONTACTS);
	for (size_t i = 0; i < count; i++)
		for (size_t j = i < n ? i : i - n; j < count && j <= i + n; j += n, at++) {
			w.row[at] = (uint32_t)i;
			w.column[at] = (uint32_t)j;
			w.value[at] = ldexp(i == j ? 2 + (double)(i%n) : -0.7, of_w);
		}
	w.count = at;
	delassus_problem_set_w(&p, &w);
	sparse_entries_free(&w);
	for (size_t i = 0; i < CONTACTS; i++) {
		p.mu[i] = 0.4;
		if (size == 5)
			p.mu_roll[i] = 0.1;
	}
	for (size_t k = 0; k < count; k++)
		p.q[k] = ldexp(roll(&d, -1, 0.5), of_q);
	return p;
}

// q in other units is the same problem: the same steps to the same bits of r.
static void test_far_off(void **state)
{
	(void)state;
	static const int powers[] = {-1000, -560, -510, -250, 250, 510, 530, 1000};
	for (size_t s = 0; s < 3; s++)
		for (size_t how = 0; how < SOLVERS; how++) {
			delassus_problem plain = make(sizes[s], 0, 0);
			delassus_options wish = {.tolerance = 1e-10, .iterations = 2000, .prove = delassus_proof_find};
			double r[MOST] = {0}, size = 0;
			delassus_report expected = solvers[how](&plain, &wish, r);
			assert_true(expected.converged && expected.iterations > 0);
			delassus_problem_free(&plain);
			for (size_t k = 0; k < MOST; k++)
				size = fmax(size, fabs(r[k]));
			for (size_t k = 0; k < sizeof powers/sizeof powers[0]; k++) {
				double x[MOST] = {0};
				delassus_problem p = make(sizes[s], 0, powers[k]);
				delassus_report report = solvers[how](&p, &wish, x);
				assert_true(report.converged);
				assert_int_equal(report.iterations, expected.iterations);
				assert_true(report.error.natural == expected.error.natural);
				for (size_t i = 0; i < MOST; i++)
					assert_near(ldexp(x[i], -powers[k]), r[i], 1e-12*size);
				assert_int_equal(delassus_proof_find(&p).contacts, 0);
				delassus_problem_free(&p);
			}
		}
}

// W in other units, too: r has those of q over W.
static void test_heavy(void **state)
{
	(void)state;
	static const int powers[][2] = {{-500, 0}, {500, 0}, {-600, -600}, {600, 600}, {-400, 400}, {1000, 20}};
	for (size_t how = 0; how < SOLVERS; how++) {
		delassus_problem plain = make(3, 0, 0);
		delassus_options wish = {.tolerance = 1e-11, .iterations = 2000, .prove = delassus_proof_find};
		double r[MOST] = {0};
		assert_true(solvers[how](&plain, &wish, r).converged);
		delassus_problem_free(&plain);
		for (size_t k = 0; k < sizeof powers/sizeof powers[0]; k++) {
			double x[MOST] = {0};
			delassus_problem p = make(3, powers[k][0], powers[k][1]);
			assert_true(solvers[how](&p, &wish, x).converged);
			for (size_t i = 0; i < MOST; i++)
				assert_near(ldexp(x[i], powers[k][0] - powers[k][1]), r[i], 1e-8);
			delassus_problem_free(&p);
		}
	}
}

// What the answer's own units cannot hold is no answer: impulses beyond all numbers, or a few of the smallest.
static void test_no_room(void **state)
{
	(void)state;
	for (size_t how = 0; how < SOLVERS; how++) {
		double x[MOST] = {0}, y[MOST] = {0};
		delassus_options wish = {.tolerance = 1e-8, .iterations = 2000, .prove = delassus_proof_find};
		delassus_problem large = make(3, -600, 600), small = make(3, 0, -1072);
		assert_false(solvers[how](&large, &wish, x).converged);
		assert_false(solvers[how](&small, &wish, y).converged);
		delassus_problem_free(&large);
		delassus_problem_free(&small);
	}
}

// And the error by itself says that it does not know.
static void test_error(void **state)
{
	(void)state;
	for (int power = -600; power <= 600; power += 1200) {
		double r[MOST] = {0}, u[MOST];
		delassus_problem p = make(3, 0, power);
		assert_true(isnan(delassus_error_of(&p, r, u).natural));
		delassus_problem_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_far_off),
		cmocka_unit_test(test_heavy),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
