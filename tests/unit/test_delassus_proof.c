// SPDX-License-Identifier: MIT
// Contact problems without a solution: none of the solvers calls them solved, in any dimension and any units, and where
// contacts alone are the reason there is a proof. Problems that look like them but have a solution are solved.
#include "unit.h"

#include "base/memory.h"
#include "delassus/work.h"

typedef delassus_report solver(const delassus_problem *problem, const delassus_options *wish, double *r);
static solver *const solvers[] = {delassus_auto, delassus_newton, delassus_accelerated, delassus_nsgs};
enum { SOLVERS = 4, MOST = 200, LONG = 3000, SHORT = 100 };
static const int sizes[] = {2, 3, 5};
static const double tolerances[] = {1e-4, 1e-8, 1e-12};

// W = scale * sum of v v^T over `ranks` rows v of contacts*size numbers, all contacts with the same friction.
static delassus_problem make(int size, size_t many, double mu, size_t ranks, const double *v, double scale)
{
	size_t count = many*(size_t)size, at = 0;
	sparse_entries w = {count, count, count*count, delassus_zeros(count*count, sizeof(uint32_t)),
		delassus_zeros(count*count, sizeof(uint32_t)), delassus_zeros(count*count, sizeof(double))};
	delassus_problem p;
	delassus_problem_init(&p, size, many);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++, at++) {
			w.row[at] = i;
			w.column[at] = j;
			for (size_t k = 0; k < ranks; k++)
				w.value[at] += scale*v[k*count + i]*v[k*count + j];
		}
	delassus_problem_set_w(&p, &w);
	sparse_entries_free(&w);
	for (size_t i = 0; i < many; i++) {
		p.mu[i] = mu;
		if (size == 5)
			p.mu_roll[i] = mu/3;
	}
	return p;
}

static delassus_report solve_with(size_t how, const delassus_problem *p, double tolerance, uint64_t iterations)
{
	double r[MOST] = {0};
	assert_true(p->contacts*(size_t)p->size <= MOST);
	return solvers[how](p, &(delassus_options){.tolerance = tolerance, .iterations = iterations, .prove = delassus_proof_find}, r);
}

// Not solved, whoever tries, to whatever tolerance; `proof`: so many contacts are the reason.
static void expect_none(const delassus_problem *p, size_t proof, uint64_t iterations)
{
	for (size_t how = 0; how < SOLVERS; how++)
		for (size_t t = 0; t < 3; t++) {
			delassus_report report = solve_with(how, p, tolerances[t], iterations);
			if (report.converged)
				print_error("%s, %g: error %g, over q %g\n", report.solver, tolerances[t], report.error.natural,
					report.error.by_q);
			assert_false(report.converged);
			assert_int_equal(report.proof.contacts, proof);
		}
	assert_int_equal(delassus_proof_find(p).contacts, proof);
}

static void expect_solved(const delassus_problem *p)
{
	for (size_t t = 0; t < 3; t++)
		for (size_t how = 0; how < 2; how++) {
			delassus_report report = solve_with(how, p, tolerances[t], LONG);
			if (!report.converged)
				print_error("%s, %g: error %g, over q %g\n", report.solver, tolerances[t], report.error.natural,
					report.error.by_q);
			assert_true(report.converged);
			assert_int_equal(report.proof.contacts, 0);
		}
	assert_int_equal(delassus_proof_find(p).contacts, 0);
}

// Nothing moves, and a contact closes.
static void test_nothing_moves(void **state)
{
	(void)state;
	for (int s = 0; s < 3; s++)
		for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
			delassus_problem p = make(sizes[s], 3, 0.5, 0, NULL, 1);
			p.q[0] = scale;
			p.q[sizes[s]] = -0.1*scale;
			p.q[sizes[s] + 1] = scale;
			expect_none(&p, 1, LONG);
			assert_int_equal(delassus_proof_find(&p).contact[0], 1);
			p.q[sizes[s]] = 0; // it slides, and nothing pushes
			expect_solved(&p);
			delassus_problem_free(&p);
		}
}

// A grain between two walls that close: what one contact pushes away it pushes at the other. W is not zero, but has the
// rank of one grain.
static void test_between_walls(void **state)
{
	(void)state;
	for (int s = 0; s < 3; s++)
		for (double scale = 1e-6; scale < 1e7; scale *= 1e6)
			for (double speed = 1e-6; speed < 1e7; speed *= 1e6) {
				size_t n = (size_t)sizes[s];
				double v[3*2*5] = {0}; // normals against each other, each tangent by itself
				v[0] = 1, v[n] = -1;
				v[2*n + 1] = 1, v[2*n + n + 1] = 1;
				if (n > 2)
					v[4*n + 2] = 1, v[4*n + n + 2] = 1;
				delassus_problem p = make(sizes[s], 2, 0.5, n > 2 ? 3 : 2, v, scale);
				p.q[0] = -1*speed, p.q[n] = 0.9*speed, p.q[1] = 0.3*speed;
				expect_none(&p, 2, LONG);
				p.q[n] = 1*speed; // the walls keep their distance: it is carried along
				expect_solved(&p);
				p.q[n] = 2*speed; // they part
				expect_solved(&p);
				delassus_problem_free(&p);
			}
}

// One bad contact among many good ones, and units of their own for each of them.
static void test_one_of_many(void **state)
{
	(void)state;
	enum { N = 40, SIZE = 3 };
	for (int bad = 0; bad < 2; bad++) {
		double v[N*SIZE*N*SIZE] = {0};
		for (size_t k = 0; k < N*SIZE; k++) // each by itself, some with a neighbour
			v[k*(N*SIZE + 1)] = bad && k/SIZE == 17 ? 0 : pow(10, (double)(k/SIZE%5) - 2);
		for (size_t k = 0; k + SIZE < N*SIZE; k += 2*SIZE)
			v[k*N*SIZE + k + SIZE] = k/SIZE == 16 ? 0 : 0.3*v[k*(N*SIZE + 1)];
		delassus_problem p = make(SIZE, N, 0.4, N*SIZE, v, 1);
		for (size_t i = 0; i < N; i++) {
			p.q[i*SIZE] = -pow(10, (double)(i%5) - 2);
			p.q[i*SIZE + 1] = 0.7*p.q[i*SIZE];
		}
		if (bad)
			expect_none(&p, 1, LONG);
		else
			expect_solved(&p);
		delassus_problem_free(&p);
	}
}

// Jamming by friction: a rod that can only move along one direction, (1, -1/2), slides into the contact. The normal
// velocity could be made 0, but the push that would do it wins less than its friction loses. No contact closes whatever
// happens, so there is no proof; but it is not called solved.
static void test_paradox(void **state)
{
	(void)state;
	for (int s = 0; s < 2; s++) {
		double v[3] = {0.5, 1, 0};
		delassus_problem p = make(sizes[s], 1, 1, 1, v, 1);
		p.q[0] = -1;
		expect_none(&p, 0, SHORT); // a sweep is slow here
		for (size_t how = 0; how < 2; how++)
			assert_true(solve_with(how, &p, 1e-8, SHORT).ran_away);
		p.mu[0] = 0.4; // below the paradox it slides
		expect_solved(&p);
		delassus_problem_free(&p);
	}
}

// A grain in a narrow wedge: impulses of a true solution grow as the wedge gets narrower, thousands and millions of q.
static void test_wedge(void **state)
{
	(void)state;
	for (double slope = 1e-1; slope > 5e-6; slope *= 0.1)
		for (int s = 0; s < 2; s++) {
			size_t n = (size_t)sizes[s];
			double v[2*2*3] = {0};
			v[0] = 1, v[n] = -1;                  // across
			v[2*n] = slope, v[2*n + n] = slope;   // along
			delassus_problem p = make(sizes[s], 2, 0, 2, v, 1);
			p.q[0] = p.q[n] = -slope; // falls in, with speed 1
			expect_solved(&p);
			delassus_problem_free(&p);
		}
	// as narrow, and both walls close: still solved, since it can be squeezed out
	double v[] = {1, 0, -1, 0, 1e-3, 0, 1e-3, 0};
	delassus_problem p = make(2, 2, 0, 2, v, 1);
	p.q[0] = p.q[2] = -1;
	expect_solved(&p);
	delassus_problem_free(&p);
}

// ---------------------------------------------------------------- bodies of very different masses

// n bodies in a row between two walls, in 2D: n + 1 contacts, mobility = 1/m. Tangents are those of disks, or 3 each by
// itself.
static delassus_problem row_make(size_t n, const double *mobility, bool disks)
{
	size_t count = 2*(n + 1), ranks = disks ? 3*n : n;
	double *v = delassus_zeros((ranks + n + 1)*count, sizeof *v);
	for (size_t k = 0; k < n; k++) {
		double root = sqrt(mobility[k]);
		v[k*count + 2*k] = root;
		v[k*count + 2*k + 2] = -root;
		if (!disks)
			continue;
		v[(n + k)*count + 2*k + 1] = root; // the body moves across
		v[(n + k)*count + 2*k + 3] = -root;
		v[(2*n + k)*count + 2*k + 1] = v[(2*n + k)*count + 2*k + 3] = sqrt(2)*root; // and turns
	}
	for (size_t i = 0; i <= n && !disks; i++)
		v[(ranks + i)*count + 2*i + 1] = sqrt(3);
	delassus_problem p = make(2, n + 1, 0.3, disks ? ranks : ranks + n + 1, v, 1);
	memory_free(v);
	return p;
}

// Nobody calls it solved at these tolerances; auto and newton have the proof.
static void expect_proof(const delassus_problem *p, size_t proof, size_t count, const double *tolerance)
{
	assert_int_equal(delassus_proof_find(p).contacts, proof);
	for (size_t t = 0; t < count; t++)
		for (size_t how = 0; how < SOLVERS; how++) {
			delassus_report report = solve_with(how, p, tolerance[t], LONG);
			if (report.converged)
				print_error("%s, %g: error %g, over q %g\n", report.solver, tolerance[t], report.error.natural,
					report.error.by_q);
			assert_false(report.converged);
			assert_int_equal(report.proof.contacts, proof);
		}
}

static const double rough[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-12};

// The walls close, however light the bodies are at one end and heavy at the other.
static void test_graded_row(void **state)
{
	(void)state;
	enum { N = 10 };
	for (int decades = 0; decades <= 3; decades++) {
		double mobility[N];
		for (int k = 0; k < N; k++)
			mobility[k] = pow(10, decades*(2.0*k/(N - 1) - 1));
		delassus_problem p = row_make(N, mobility, true);
		p.q[0] = -1, p.q[2*N] = 0.5;
		expect_proof(&p, N + 1, 5, rough);
		p.q[2*N] = 1.5; // they part
		expect_solved(&p);
		delassus_problem_free(&p);
	}
	double mobility[N];
	for (int k = 0; k < N; k++)
		mobility[k] = k%2 ? 1 : 100;
	delassus_problem p = row_make(N, mobility, false);
	p.q[0] = -1, p.q[2*5] = 0.8;
	expect_proof(&p, N + 1, 5, rough);
	delassus_problem_free(&p);
	p = row_make(2, (double[]){1e-6, 1}, false);
	p.q[0] = -1, p.q[4] = 0.5;
	expect_proof(&p, 3, 5, rough);
	delassus_problem_free(&p);
}

// Normals that hardly give way beside tangents that do, and contradictions that are small but above the tolerance.
static void test_small_contradictions(void **state)
{
	(void)state;
	double v[] = {1e-3, 0, -1e-3, 0, 0, 1, 0, 0, 0, 0, 0, 1};
	delassus_problem p = make(2, 2, 0.3, 3, v, 1);
	p.q[0] = -1, p.q[2] = 0.5;
	expect_proof(&p, 2, 5, rough);
	delassus_problem_free(&p);
	p = row_make(1, (double[]){1}, false);
	p.q[0] = -1;
	p.q[2] = 0.999;
	expect_proof(&p, 2, 4, rough + 1);
	p.q[2] = 1 - 1e-5;
	expect_proof(&p, 2, 3, rough + 2);
	delassus_problem_free(&p);
}

// A paradox of friction without a proof, where the error over |q| is 0.02 for ever and impulses grow.
static void test_paradox_that_creeps(void **state)
{
	(void)state;
	double v[] = {1, 1};
	delassus_problem p = make(2, 1, 2, 1, v, 1);
	p.q[0] = -1, p.q[1] = -0.9;
	for (size_t t = 0; t < 5; t++)
		for (size_t how = 0; how < SOLVERS; how++)
			assert_false(solve_with(how, &p, rough[t], SHORT).converged);
	delassus_problem_free(&p);
}

// W = 3/8 v v^T, v = (1, 5/4), without rounding: it sticks with u_T = 5/4 u_N + const > 0 only if friction pushes, which closes the
// contact. Impulses grow until their last digit is larger than q, and then anything looks like an answer.
static void test_beyond_all_digits(void **state)
{
	(void)state;
	static const double v[] = {1, 1.25};
	static const struct {
		double mu, slip;
	} cases[] = {{1, 0}, {1.5, 0}, {1.5, -0.5}, {3, -0.5}, {3, 0.6875}};
	for (size_t i = 0; i < sizeof cases/sizeof cases[0]; i++)
		for (size_t t = 0; t < 3; t++) {
			delassus_problem p = make(2, 1, cases[i].mu, 1, v, 0.375);
			p.q[0] = -0.6875, p.q[1] = cases[i].slip;
			assert_false(solve_with(0, &p, tolerances[t], 50000).converged);
			delassus_problem_free(&p);
		}
}

// Impulses of 1e9 |q| and more: what rounding makes of the error over |q| is no reason to call a solution none. Nor are
// units in which W is tiny.
static void test_rounding(void **state)
{
	(void)state;
	for (double gap = 1e-3; gap > 5e-10; gap *= 1e-3) {
		double v[] = {sqrt(1 - gap/2), 0, -sqrt(1 - gap/2), 0, sqrt(gap/2), 0, sqrt(gap/2), 0};
		delassus_problem p = make(2, 2, 0, 2, v, 1);
		p.q[0] = p.q[2] = -1;
		for (size_t t = 0; t < 4; t++)
			assert_true(solve_with(0, &p, rough[t], LONG).converged);
		delassus_problem_free(&p);
	}
	for (double mobility = 1e-15; mobility < 1e16; mobility *= 1e6) {
		delassus_problem p = row_make(1, &mobility, true);
		p.q[0] = -1, p.q[2] = 1.5;
		expect_solved(&p);
		p.q[2] = 0.5;
		expect_proof(&p, 2, 5, rough);
		delassus_problem_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_moves), cmocka_unit_test(test_between_walls), cmocka_unit_test(test_one_of_many),
		cmocka_unit_test(test_paradox), cmocka_unit_test(test_wedge), cmocka_unit_test(test_graded_row),
		cmocka_unit_test(test_small_contradictions), cmocka_unit_test(test_paradox_that_creeps),
		cmocka_unit_test(test_beyond_all_digits), cmocka_unit_test(test_rounding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
