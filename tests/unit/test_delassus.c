// SPDX-License-Identifier: MIT
// Contact problems as matrices: cones, one contact alone, sweeps, and bodies condensed away.
#include "unit.h"

#include "base/memory.h"
#include "delassus/delassus.h"

static const int sizes[] = {2, 3, 5};

// ---------------------------------------------------------------- cones

static double times(int size, const double *a, const double *b)
{
	double sum = 0;
	for (int k = 0; k < size; k++)
		sum += a[k]*b[k];
	return sum;
}

static void roll_vector(dice *d, int size, double *x)
{
	for (int k = 0; k < size; k++)
		x[k] = roll(d, -1, 1);
}

// Somewhere in the cone, often on its surface.
static void roll_member(dice *d, int size, double mu, double mu_roll, double *y)
{
	static const double shares[] = {0, 0.5, 1, 1};
	y[0] = roll(d, 0, 1);
	for (int first = 1; first < size; first += 2) {
		double most = (first == 1 ? mu : mu_roll)*y[0]*shares[(int)roll(d, 0, 3.999)], angle = roll(d, 0, 2*M_PI);
		y[first] = size == 2 ? (angle < M_PI ? most : -most) : most*cos(angle);
		if (size > 2)
			y[first + 1] = most*sin(angle);
	}
}

// The nearest point p of a cone is in it, x - p is at right angles to it, and points away from all of the cone.
static void test_nearest(void **state)
{
	(void)state;
	dice d = dice_make(1);
	for (int trial = 0; trial < 3000; trial++) {
		int size = sizes[trial%3];
		double mu = trial%7 ? roll(&d, 0, 2) : 0, mu_roll = trial%5 ? roll(&d, 0, 1) : 0, x[5], p[5], away[5], y[5];
		roll_vector(&d, size, x);
		memcpy(p, x, sizeof p);
		delassus_project(size, mu, mu_roll, p);
		assert_true(p[0] >= 0);
		assert_true(times(size == 2 ? 1 : 2, p + 1, p + 1) <= mu*mu*p[0]*p[0]*(1 + 1e-14));
		assert_true(size < 5 || times(2, p + 3, p + 3) <= mu_roll*mu_roll*p[0]*p[0]*(1 + 1e-14));
		for (int k = 0; k < size; k++)
			away[k] = x[k] - p[k];
		assert_near(times(size, away, p), 0, 1e-14);
		for (int member = 0; member < 20; member++) {
			roll_member(&d, size, mu, mu_roll, y);
			assert_true(times(size, away, y) <= 1e-14);
		}
	}
}

// ---------------------------------------------------------------- problems

// W of one body touched at all contacts: A A^T with random A of so many columns.
static void roll_w(dice *d, int size, int columns, double *w)
{
	double a[5][5];
	for (int i = 0; i < size; i++)
		for (int k = 0; k < columns; k++)
			a[i][k] = roll(d, -1, 1);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			w[i*size + j] = times(columns, a[i], a[j]);
}

static void problem_of(delassus_problem *problem, int size, size_t count, const double *w, const double *q, double mu,
	double mu_roll)
{
	size_t n = count*(size_t)size;
	delassus_problem_init(problem, size, count);
	sparse_entries e = {.rows = n, .columns = n, .count = n*n, .row = memory_grow(NULL, 0, n*n*sizeof *e.row),
		.column = memory_grow(NULL, 0, n*n*sizeof *e.column), .value = memory_grow(NULL, 0, n*n*sizeof *e.value)};
	for (size_t k = 0; k < n*n; k++) {
		e.row[k] = (uint32_t)(k/n);
		e.column[k] = (uint32_t)(k%n);
		e.value[k] = w[k];
	}
	delassus_problem_set_w(problem, &e);
	sparse_entries_free(&e);
	memcpy(problem->q, q, n*sizeof *q);
	for (size_t i = 0; i < count; i++) {
		problem->mu[i] = mu;
		if (size == 5)
			problem->mu_roll[i] = mu_roll;
	}
}

static double error_alone(int size, const double *w, const double *b, double mu, double mu_roll, const double *r)
{
	delassus_problem problem;
	double u[5];
	problem_of(&problem, size, 1, w, b, mu, mu_roll);
	double error = delassus_error_of(&problem, r, u).natural;
	delassus_problem_free(&problem);
	return error;
}

// By hand: W = diag(2, 1, 1), q = (-2, 3, 4), mu = 0.5. With r = (1, -0.3, -0.4) the contact neither opens nor closes
// and slides along (3, 4), against friction: nothing is wrong. Without impulses it is hit by its push.
static void test_error_by_hand(void **state)
{
	(void)state;
	const double w[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-2, 3, 4}, right[3] = {1, -0.3, -0.4}, none[3] = {0, 0, 0};
	delassus_problem problem;
	double u[3];
	problem_of(&problem, 3, 1, w, q, 0.5, 0);
	assert_near(delassus_error_of(&problem, right, u).natural, 0, 1e-16);
	assert_near(u[0], 0, 1e-16);
	assert_near(u[1], 2.7, 1e-15);
	// r - w = (2 - 2.5, -3, -4): its nearest is n = (-0.5 + 0.5 5)/1.25 = 1.6 with a tangent of 0.8
	delassus_error error = delassus_error_of(&problem, none, u);
	assert_near(error.by_q, sqrt(1.6*1.6 + 0.8*0.8)/sqrt(29), 1e-15);
	assert_near(error.natural, error.by_q, 1e-15);
	delassus_problem_free(&problem);
}

// Entries in any order add up; the diagonal is there even if nobody named it.
static void test_blocks(void **state)
{
	(void)state;
	delassus_problem problem;
	delassus_problem_init(&problem, 2, 3);
	uint32_t row[] = {5, 0, 5, 0, 1}, column[] = {0, 4, 0, 0, 1};
	double value[] = {1, 2, 3, 4, 5}, x[6] = {1, 2, 3, 4, 5, 6}, plus[6] = {0, 0, 7, 0, 0, 0}, y[6];
	delassus_problem_set_w(&problem, &(sparse_entries){6, 6, 5, row, column, value});
	assert_int_equal(problem.w.first[3], 5);
	assert_int_equal(block_matrix_find(&problem.w, 1, 1), 2);
	assert_true(block_matrix_find(&problem.w, 1, 0) == SIZE_MAX);
	block_matrix_times(&problem.w, x, plus, y);
	const double wanted[6] = {14, 10, 7, 0, 0, 4};
	assert_memory_equal(y, wanted, sizeof y);
	delassus_problem_free(&problem);
}

// ---------------------------------------------------------------- one contact alone

// Whatever block, friction and push, from nothing or from another answer: the laws are obeyed to the last digits.
static void test_alone(void **state)
{
	(void)state;
	dice d = dice_make(2);
	for (int trial = 0; trial < 30000; trial++) {
		int size = sizes[trial%3];
		double mu = roll(&d, 0, trial%4 ? 1 : 3), mu_roll = roll(&d, 0, trial%4 ? 0.5 : 2), w[25], b[5], r[5] = {0};
		roll_w(&d, size, size, w);
		for (int k = 0; k < size; k++)
			w[k*(size + 1)] += 0.1; // the worst of them has a condition of some 100
		roll_vector(&d, size, b);
		b[0] = -fabs(b[0]);
		if (trial%11 == 0)
			mu = 0;
		if (trial%2) {
			roll_vector(&d, size, r);
			delassus_project(size, mu, mu_roll, r);
		}
		delassus_contact contact;
		delassus_contact_init(&contact, size, mu, mu_roll, w);
		delassus_contact_solve(&contact, b, r);
		double error = error_alone(size, w, b, mu, mu_roll, r);
		if (!(error < 1e-12))
			print_error("trial %d, size %d, mu %g, %g\n", trial, size, mu, mu_roll);
		assert_near(error, 0, 1e-12);
	}
}

// A body that cannot move along one tangent, or along none: W is singular.
static void test_alone_singular(void **state)
{
	(void)state;
	const double w[9] = {1, 0, 0, 0, 2, 0, 0, 0, 0}, none[9] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
	const double b[3] = {-1, 0.1, 0}, still[3] = {-1, 0, 0};
	double r[3] = {0};
	delassus_contact contact;
	delassus_contact_init(&contact, 3, 0.3, 0, w);
	delassus_contact_solve(&contact, b, r);
	assert_near(error_alone(3, w, b, 0.3, 0, r), 0, 1e-13);
	assert_near(r[1], -0.05, 1e-13);
	memset(r, 0, sizeof r);
	delassus_contact_init(&contact, 3, 0.3, 0, none);
	delassus_contact_solve(&contact, still, r);
	assert_near(error_alone(3, none, still, 0.3, 0, r), 0, 1e-13);
	assert_near(r[0], 1, 1e-13);
}

// ---------------------------------------------------------------- sweeps

// Impulses and velocities that obey the laws, some open, some sticking, some sliding; q is made to fit them.
// As many freedoms as components: some W are nearly singular, and W^-1 b alone would be right to 1e-7 only.
static void test_alone_rough(void **state)
{
	(void)state;
	dice d = dice_make(1);
	for (int trial = 0; trial < 40000; trial++) {
		int size = trial%2 ? 2 : 3;
		double w[25], b[5], r[5] = {0}, mu = roll(&d, 0, 1);
		delassus_contact contact;
		roll_w(&d, size, size, w);
		roll_vector(&d, size, b);
		b[0] = -fabs(b[0]);
		delassus_contact_init(&contact, size, mu, 0, w);
		delassus_contact_solve(&contact, b, r);
		assert_near(error_alone(size, w, b, mu, 0, r), 0, 1e-13);
	}
}

static void roll_answer(dice *d, delassus_problem *problem, double *r, double *u)
{
	size_t size = (size_t)problem->size;
	for (size_t i = 0; i < problem->contacts; i++) {
		double *ri = r + i*size, *ui = u + i*size;
		double mu = problem->mu[i], mu_roll = size == 5 ? problem->mu_roll[i] : 0;
		memset(ri, 0, size*sizeof *ri);
		memset(ui, 0, size*sizeof *ui);
		if (i%3 == 0) {
			roll_vector(d, (int)size, ui);
			ui[0] = fabs(ui[0]);
			continue;
		}
		ri[0] = roll(d, 0.1, 1);
		for (size_t first = 1; first < size; first += 2) {
			double limit = (first == 1 ? mu : mu_roll)*ri[0], angle = roll(d, 0, 2*M_PI);
			double speed = i%3 == 1 ? 0 : 1;
			double share = speed > 0 ? 1 : 0.4, x = size == 2 ? (angle < M_PI ? 1 : -1) : cos(angle);
			ri[first] = -share*limit*x;
			ui[first] = speed*x;
			if (size > 2) {
				ri[first + 1] = -share*limit*sin(angle);
				ui[first + 1] = speed*sin(angle);
			}
		}
	}
}

enum { CONTACTS = 12 };

// W = B B^T over random B, plus something on the diagonal: one answer, and sweeps find it.
static void test_sweeps_find_it(void **state)
{
	(void)state;
	dice d = dice_make(4);
	for (int trial = 0; trial < 30; trial++) {
		int size = sizes[trial%3], n = size*CONTACTS;
		double w[25*CONTACTS*CONTACTS] = {0}, zero[5*CONTACTS] = {0};
		double a[5*CONTACTS], q[5*CONTACTS], r[5*CONTACTS], u[5*CONTACTS];
		for (int k = 0; k < 6; k++) {
			roll_vector(&d, n, a);
			for (int i = 0; i < n*n; i++)
				w[i] += 0.1*a[i/n]*a[i%n];
		}
		for (int i = 0; i < n; i++)
			w[i*(n + 1)] += 1;
		delassus_problem problem;
		problem_of(&problem, size, CONTACTS, w, zero, 0.3, 0.1);
		roll_answer(&d, &problem, r, u);
		block_matrix_times(&problem.w, r, zero, q);
		for (int i = 0; i < n; i++)
			problem.q[i] = u[i] - q[i];
		double found[5*CONTACTS] = {0}, room[5*CONTACTS];
		assert_near(delassus_error_of(&problem, r, room).natural, 0, 1e-14);
		delassus_options wish = {.tolerance = 1e-13, .iterations = 100000, .prove = delassus_proof_find};
		delassus_report report = delassus_nsgs(&problem, &wish, found);
		assert_true(report.converged && report.error.natural <= 1e-13 && report.iterations > 1);
		assert_near(delassus_error_of(&problem, found, room).natural, report.error.natural, 1e-15);
		for (int i = 0; i < n; i++)
			assert_near(found[i], r[i], 1e-11);
		delassus_problem_free(&problem);
	}
}

// A cap on the sweeps is kept, and what is not solved is not called solved.
static void test_sweeps_stop(void **state)
{
	(void)state;
	const double w[16] = {1, 0, 0.5, 0, 0, 1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1}, q[4] = {-1, 0, -1, 0.1};
	double r[4] = {0};
	delassus_problem problem;
	problem_of(&problem, 2, 2, w, q, 0.5, 0);
	delassus_report report = delassus_nsgs(&problem, &(delassus_options){.tolerance = 1e-14, .iterations = 3, .prove = delassus_proof_find}, r);
	assert_true(!report.converged && report.iterations == 3 && report.error.natural > 1e-14);
	report = delassus_nsgs(&problem, &(delassus_options){.tolerance = 1e-14, .prove = delassus_proof_find}, r);
	assert_true(report.converged);
	delassus_problem_free(&problem);
}

// ---------------------------------------------------------------- bodies condensed away

// M of two pieces, {0, 2} and {1}, not symmetric; one contact in 2D that touches both. By hand:
// M^-1 on (0, 2): (1/5) (2 -1; -1 3) of (3 1; 1 2), with M(0, 2) = 1 split into two entries; on 1: 1/4.
static void test_condense(void **state)
{
	(void)state;
	uint32_t mr[] = {0, 0, 0, 2, 2, 1, 1}, mc[] = {0, 2, 2, 0, 2, 1, 2}, hr[] = {0, 2, 1, 1}, hc[] = {0, 1, 0, 1};
	double mv[] = {3, 0.25, 0.75, 1, 2, 4, 0}, hv[] = {1, 1, 2, -1}, f[3] = {5, 4, 0}, w[2] = {10, 20};
	delassus_problem problem;
	talus_error error;
	delassus_problem_init(&problem, 2, 1);
	sparse_entries m = {3, 3, 7, mr, mc, mv}, h = {3, 2, 4, hr, hc, hv};
	assert_true(delassus_condense(&problem, &m, &h, f, w, &error));
	// columns of H: (1, 2, 0) and (0, -1, 1)
	const double wanted[4] = {0.4 + 1, -0.2 - 0.5, -0.2 - 0.5, 0.6 + 0.25};
	for (int k = 0; k < 4; k++)
		assert_near(problem.w.value[k], wanted[k], 1e-15);
	assert_near(problem.q[0], 10 + 2 + 2, 1e-14);
	assert_near(problem.q[1], 20 - 1 - 1, 1e-14);
	mv[4] = 1.0/3;
	assert_false(delassus_condense(&problem, &m, &h, f, w, &error));
	assert_non_null(strstr(error.text, "singular"));
	delassus_problem_free(&problem);
}

// An M that is neither symmetric nor in pieces, against its inverse by elimination.
static void test_condense_full(void **state)
{
	(void)state;
	const double mass[4] = {2, 1, 0.5, 3};
	uint32_t mr[] = {0, 0, 1, 1}, mc[] = {0, 1, 0, 1}, hr[] = {0, 1}, hc[] = {0, 1};
	double mv[4], hv[] = {1, 1}, f[2] = {1, 0}, w[2] = {0, 0}, det = mass[0]*mass[3] - mass[1]*mass[2];
	memcpy(mv, mass, sizeof mv);
	delassus_problem problem;
	talus_error error;
	delassus_problem_init(&problem, 2, 1);
	sparse_entries m = {2, 2, 4, mr, mc, mv}, h = {2, 2, 2, hr, hc, hv};
	assert_true(delassus_condense(&problem, &m, &h, f, w, &error));
	const double wanted[4] = {mass[3]/det, -mass[1]/det, -mass[2]/det, mass[0]/det};
	for (int k = 0; k < 4; k++)
		assert_near(problem.w.value[k], wanted[k], 1e-15);
	assert_near(problem.q[1], wanted[2], 1e-15);
	delassus_problem_free(&problem);
}

enum { ROWS = 30, TOUCHED = 4 };

// Solves a x = b, both are overwritten.
static void dense_solve(double a[ROWS][ROWS], double *b)
{
	for (int k = 0; k < ROWS; k++)
		for (int i = 0; i < ROWS; i++) {
			double share = a[i][k]/a[k][k];
			for (int j = 0; j < ROWS && i != k; j++)
				a[i][j] -= share*a[k][j];
			b[i] -= i != k ? share*b[k] : 0;
		}
	for (int k = 0; k < ROWS; k++)
		b[k] /= a[k][k];
}

// Pieces of three rows and one of twelve, their rows mixed up; contacts in 3D that touch two of them or the same one
// twice. Whatever impulses: W r + q are the velocities that M, solved as a whole, gives.
static void test_condense_pieces(void **state)
{
	(void)state;
	dice d = dice_make(8);
	uint32_t mr[200], mc[200], hr[200], hc[200];
	double mv[200], hv[200], f[ROWS], w[3*TOUCHED], r[3*TOUCHED], u[3*TOUCHED], a[ROWS][ROWS] = {{0}}, v[ROWS];
	sparse_entries m = {ROWS, ROWS, 0, mr, mc, mv}, h = {ROWS, 3*TOUCHED, 0, hr, hc, hv};
	for (uint32_t i = 0; i < ROWS; i++)
		for (uint32_t j = 0; j < ROWS; j++) {
			bool near = i/3 == j/3 || (i < 12 && j < 12 && (i + 1 == j || j + 1 == i));
			uint32_t row = i*7%ROWS, column = j*7%ROWS;
			if (!near)
				continue;
			mr[m.count] = row;
			mc[m.count] = column;
			mv[m.count] = a[row][column] = i == j ? 4 : roll(&d, -1, 1);
			m.count++;
		}
	for (uint32_t column = 0; column < 3*TOUCHED; column++)
		for (uint32_t k = 0; k < 6; k++, h.count++) {
			uint32_t body = (column/3*5 + k/3*(column/3)*2)%10;
			hr[h.count] = (3*body + k%3)*7%ROWS;
			hc[h.count] = column;
			hv[h.count] = roll(&d, -1, 1);
		}
	roll_vector(&d, ROWS, f);
	roll_vector(&d, 3*TOUCHED, w);
	roll_vector(&d, 3*TOUCHED, r);
	delassus_problem problem;
	talus_error error;
	delassus_problem_init(&problem, 3, TOUCHED);
	assert_true(delassus_condense(&problem, &m, &h, f, w, &error));
	block_matrix_times(&problem.w, r, problem.q, u);
	memcpy(v, f, sizeof v);
	for (size_t k = 0; k < h.count; k++)
		v[hr[k]] += hv[k]*r[hc[k]];
	dense_solve(a, v);
	for (size_t k = 0; k < h.count; k++)
		w[hc[k]] += hv[k]*v[hr[k]];
	for (int k = 0; k < 3*TOUCHED; k++)
		assert_near(u[k], w[k], 1e-13);
	delassus_problem_free(&problem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_error_by_hand),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_alone_singular),
		cmocka_unit_test(test_alone_rough),
		cmocka_unit_test(test_sweeps_find_it),
		cmocka_unit_test(test_sweeps_stop),
		cmocka_unit_test(test_condense),
		cmocka_unit_test(test_condense_full),
		cmocka_unit_test(test_condense_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
