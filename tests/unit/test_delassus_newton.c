// SPDX-License-Identifier: MIT
// Contact problems solved to the last digits: known answers, more contacts than needed, any units.
#include "unit.h"

#include "base/memory.h"
#include "delassus/work.h"

typedef delassus_report solver(const delassus_problem *problem, const delassus_options *wish, double *r);

static const int sizes[] = {2, 3, 5};

static double *numbers(size_t count) { return delassus_zeros(count, sizeof(double)); }

// ---------------------------------------------------------------- problems

// W = H H^T with random H, for contacts that join two of the grains each. If the grains have fewer freedoms
// than the contacts have components, W is singular.
static void set_bodies(delassus_problem *p, dice *d, size_t grains, size_t freedoms)
{
	size_t n = (size_t)p->size, rows = p->contacts*n, columns = grains*freedoms;
	size_t most = rows*rows, count = 0;
	double *h = numbers(rows*columns);
	for (size_t i = 0; i < p->contacts; i++) {
		size_t a = i%grains, b = (i*7 + 1 + i/grains)%grains;
		for (size_t k = 0; k < n; k++)
			for (size_t l = 0; l < freedoms; l++) {
				h[(i*n + k)*columns + a*freedoms + l] = roll(d, -1, 1);
				h[(i*n + k)*columns + b*freedoms + l] = roll(d, -1, 1);
			}
	}
	sparse_entries w = {.rows = rows, .columns = rows, .value = numbers(most)};
	w.row = delassus_zeros(most, sizeof *w.row);
	w.column = delassus_zeros(most, sizeof *w.column);
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < rows; j++) {
			double sum = 0;
			for (size_t k = 0; k < columns; k++)
				sum += h[i*columns + k]*h[j*columns + k];
			if (sum == 0)
				continue;
			w.row[count] = (uint32_t)i;
			w.column[count] = (uint32_t)j;
			w.value[count++] = sum;
		}
	w.count = count;
	delassus_problem_set_w(p, &w);
	sparse_entries_free(&w);
	memory_free(h);
}

// A limited part of a contact: at rest with an impulse within the limit, or moving with one on it.
static void roll_part(dice *d, int count, double most, bool moves, double *r, double *u)
{
	double angle = roll(d, 0, 2*M_PI), way[2] = {cos(angle), sin(angle)};
	double speed = moves ? roll(d, 0.1, 1) : 0;
	double share = moves ? 1 : roll(d, 0, 0.95);
	if (count == 1)
		way[0] = way[0] > 0 ? 1 : -1;
	for (int k = 0; k < count; k++) {
		r[k] = -share*most*way[k];
		u[k] = speed*way[k];
	}
}

// An answer that obeys all laws, a third of the contacts each open, sticking, sliding, and its q.
static void set_answer(delassus_problem *p, dice *d, double *r)
{
	size_t n = (size_t)p->size, count = p->contacts*n;
	double *u = numbers(count), *wr = numbers(count);
	for (size_t i = 0; i < p->contacts; i++) {
		double *ri = r + i*n, *ui = u + i*n, kind = roll(d, 0, 3);
		if (kind < 1) {
			for (size_t k = 0; k < n; k++)
				ui[k] = roll(d, -1, 1);
			ui[0] = roll(d, 0.1, 1);
			continue;
		}
		ri[0] = roll(d, 0.1, 1);
		roll_part(d, n == 2 ? 1 : 2, p->mu[i]*ri[0], kind > 2, ri + 1, ui + 1);
		if (n == 5)
			roll_part(d, 2, p->mu_roll[i]*ri[0], roll(d, 0, 1) < 0.5, ri + 3, ui + 3);
	}
	block_matrix_times(&p->w, r, p->q, wr);
	for (size_t k = 0; k < count; k++)
		p->q[k] = u[k] - wr[k];
	memory_free(u);
	memory_free(wr);
}

// The answer that is known goes to `known`.
static delassus_problem make_problem(dice *d, int size, size_t count, size_t grains, double mu, double **known)
{
	delassus_problem p;
	delassus_problem_init(&p, size, count);
	for (size_t i = 0; i < count; i++) {
		p.mu[i] = mu;
		if (p.mu_roll)
			p.mu_roll[i] = mu/2;
	}
	set_bodies(&p, d, grains, size == 2 ? 3 : 6);
	*known = numbers(count*(size_t)size);
	set_answer(&p, d, *known);
	return p;
}

static delassus_report solve(solver *how, const delassus_problem *p, double tolerance, double *r)
{
	return how(p, &(delassus_options){.tolerance = tolerance, .prove = delassus_proof_find}, r);
}

// Solves from nothing, and looks with eyes of its own whether that is an answer.
static void expect_answer(solver *how, const delassus_problem *p, double tolerance)
{
	size_t count = p->contacts*(size_t)p->size;
	double *r = numbers(count), *u = numbers(count);
	delassus_report report = solve(how, p, tolerance, r);
	double error = delassus_error_of(p, r, u).natural;
	if (!(report.converged && error <= tolerance))
		print_error("%zu contacts: error %g, %g s\n", p->contacts, error, report.seconds);
	assert_true(report.converged);
	assert_true(error <= tolerance);
	assert_near(report.error.natural, error, 0);
	memory_free(r);
	memory_free(u);
}

// ---------------------------------------------------------------- answers

// Few contacts between many bodies and little friction: there is one answer, and all solvers find it.
static void test_known(void **state)
{
	(void)state;
	dice d = dice_make(1);
	solver *all[] = {delassus_newton, delassus_auto, delassus_accelerated};
	for (int trial = 0; trial < 30; trial++) {
		int size = sizes[trial%3];
		double *known;
		delassus_problem p = make_problem(&d, size, 12, 40, 0.1, &known);
		for (size_t s = 0; s < 3; s++) {
			double *r = numbers(12*(size_t)size);
			delassus_report report = solve(all[s], &p, 1e-11, r);
			assert_true(report.converged);
			for (size_t k = 0; k < 12*(size_t)size; k++)
				assert_near(r[k], known[k], 1e-8);
			memory_free(r);
		}
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// Many contacts between few bodies: there are answers, and each solver finds one of them, as well as it can.
static void test_hyperstatic(void **state)
{
	(void)state;
	static const double mu[] = {0, 0.1, 0.3, 0.6};
	dice d = dice_make(2);
	for (int trial = 0; trial < 48; trial++) {
		double *known;
		delassus_problem p = make_problem(&d, sizes[trial%3], 40, 12, mu[trial/3%4], &known);
		expect_answer(trial%2 ? delassus_newton : delassus_auto, &p, 1e-12);
		expect_answer(delassus_accelerated, &p, 1e-5);
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// A body on a plane that is pushed down with 1 and aside with t sticks if t <= mu, else it slides.
static void test_one_contact(void **state)
{
	(void)state;
	solver *all[] = {delassus_newton, delassus_auto, delassus_accelerated};
	for (size_t s = 0; s < 3; s++)
		for (int k = 0; k <= 20; k++) {
			double t = 0.05*k, mu = 0.37, r[3] = {0};
			delassus_problem p;
			delassus_problem_init(&p, 3, 1);
			uint32_t place[] = {0, 1, 2};
			delassus_problem_set_w(&p, &(sparse_entries){3, 3, 3, place, place, (double[]){1, 1, 1}});
			p.mu[0] = mu;
			memcpy(p.q, (double[]){-1, 0.6*t, -0.8*t}, sizeof r);
			assert_true(solve(all[s], &p, 1e-13, r).converged);
			assert_near(r[0], 1, 1e-11);
			assert_near(r[1], -0.6*fmin(t, mu), 1e-11);
			assert_near(r[2], 0.8*fmin(t, mu), 1e-11);
			delassus_problem_free(&p);
		}
}

// A grain hits the end of a row that leans on a wall, and all come to rest: every contact passes on 1.
// Sweeps spread that like heat, in some 100^2 times; momentum saves nearly all of them.
static void test_momentum(void **state)
{
	(void)state;
	enum { LONG = 100 };
	delassus_problem p;
	uint32_t row[3*LONG], column[3*LONG];
	double value[3*LONG], r[2*LONG] = {0};
	size_t count = 0;
	for (uint32_t i = 0; i < LONG; i++)
		for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < LONG; j++) {
			row[count] = 2*i;
			column[count] = 2*j;
			value[count++] = i != j ? -1 : i == 0 ? 1 : 2;
		}
	delassus_problem_init(&p, 2, LONG);
	delassus_problem_set_w(&p, &(sparse_entries){2*LONG, 2*LONG, count, row, column, value});
	p.q[2*LONG - 2] = -1;
	delassus_options wish = {.tolerance = 1e-8, .iterations = 2500, .prove = delassus_proof_find};
	assert_true(delassus_accelerated(&p, &wish, r).converged);
	for (size_t i = 0; i < LONG; i++)
		assert_near(r[2*i], 1, 1e-3);
	memset(r, 0, sizeof r);
	assert_false(delassus_nsgs(&p, &wish, r).converged);
	delassus_problem_free(&p);
}

// Sweeps with momentum go in circles on each of these, for ever, if nothing stops them.
static void test_circles(void **state)
{
	(void)state;
	static const uint64_t seeds[] = {3, 6, 26, 34, 41};
	for (size_t i = 0; i < sizeof seeds/sizeof *seeds; i++) {
		dice d = dice_make(seeds[i]);
		double *known, r[20] = {0};
		delassus_problem p = make_problem(&d, 2, 10, 3, 2, &known);
		delassus_options wish = {.tolerance = 1e-8, .iterations = 5000, .prove = delassus_proof_find};
		assert_true(delassus_accelerated(&p, &wish, r).converged);
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// Impulses in other units, contact by contact: the same answer.
static void test_units(void **state)
{
	(void)state;
	dice d = dice_make(3);
	for (int trial = 0; trial < 9; trial++) {
		double *known;
		size_t n = (size_t)sizes[trial%3];
		delassus_problem p = make_problem(&d, (int)n, 30, 60, 0.2, &known);
		double unit = trial < 3 ? 1e4 : trial < 6 ? 1e-4 : 1;
		for (size_t i = 0; i < p.contacts; i++)
			for (size_t e = p.w.first[i]; e < p.w.first[i + 1]; e++)
				for (size_t k = 0; k < n*n; k++)
					p.w.value[e*n*n + k] *= unit;
		double *r = numbers(30*n), *u = numbers(30*n);
		assert_true(solve(delassus_newton, &p, 1e-13, r).iterations < 60);
		for (size_t k = 0; k < 30*n; k++)
			assert_near(unit*r[k], known[k], 1e-7);
		memory_free(r);
		memory_free(u);
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// ---------------------------------------------------------------- limits

// However long it runs, what comes back is the best it has met, and the report tells the error of that.
static void test_never_worse(void **state)
{
	(void)state;
	dice d = dice_make(4);
	solver *all[] = {delassus_newton, delassus_auto, delassus_accelerated};
	for (size_t s = 0; s < 9; s++) {
		double *known, start[90], r[90], u[90], best = INFINITY;
		delassus_problem p = make_problem(&d, 3, 30, 8, 2, &known);
		for (size_t k = 0; k < 90; k++)
			start[k] = known[k] + roll(&d, -1e-3, 1e-3);
		best = delassus_error_of(&p, start, u).natural;
		for (uint64_t limit = 1; limit < 90; limit++) {
			memcpy(r, start, sizeof r);
			delassus_options wish = {.tolerance = 1e-15, .iterations = limit, .prove = delassus_proof_find};
			delassus_report report = all[s%3](&p, &wish, r);
			assert_true(report.iterations <= limit);
			assert_true(report.error.natural <= best);
			assert_near(delassus_error_of(&p, r, u).natural, report.error.natural, 0);
			// sweeps are not looked at one by one, and so in different places
			best = s%3 == 0 ? report.error.natural : best;
		}
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// A chain of solvers has one time limit, not one for each.
static void test_time(void **state)
{
	(void)state;
	dice d = dice_make(7);
	solver *all[] = {delassus_newton, delassus_auto, delassus_accelerated};
	for (size_t s = 0; s < 3; s++) {
		double *known, r[90] = {0}, start = delassus_seconds();
		delassus_problem p = make_problem(&d, 3, 30, 8, 2, &known);
		delassus_report report = all[s](&p, &(delassus_options){.tolerance = -1, .seconds = 0.4, .prove = delassus_proof_find}, r);
		assert_true(delassus_seconds() - start < 0.75); // of work, not of the clock; a second limit would make it 0.8
		assert_false(report.converged);
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// No contacts are solved; a problem that has no answer, or is no number, comes to an end.
static void test_ends(void **state)
{
	(void)state;
	solver *all[] = {delassus_newton, delassus_auto, delassus_accelerated};
	for (size_t s = 0; s < 3; s++) {
		delassus_problem p;
		double r[2] = {0};
		delassus_problem_init(&p, 2, 0);
		delassus_problem_set_w(&p, &(sparse_entries){0});
		assert_true(all[s](&p, &(delassus_options){.tolerance = 1e-12, .prove = delassus_proof_find}, r).converged);
		delassus_problem_free(&p);
		delassus_problem_init(&p, 2, 1);
		uint32_t one = 1;
		delassus_problem_set_w(&p, &(sparse_entries){2, 2, 1, &one, &one, (double[]){1}});
		p.q[0] = -1; // u_N = -1 whatever r is
		delassus_options wish = {.tolerance = 1e-12, .seconds = 0.05, .prove = delassus_proof_find};
		assert_near(all[s](&p, &wish, r).error.by_q, 1, 1e-9);
		r[0] = r[1] = 0;
		p.q[0] = NAN;
		assert_false(all[s](&p, &(delassus_options){.tolerance = 1e-12, .prove = delassus_proof_find}, r).converged);
		delassus_problem_free(&p);
	}
}

// ---------------------------------------------------------------- parts

// The slope of the laws is what finite differences say, away from where they have a corner.
static void test_law_slope(void **state)
{
	(void)state;
	dice d = dice_make(5);
	double mu = 0.5, mu_roll = 0.3;
	for (int trial = 0; trial < 600; trial++) {
		delassus_problem p = {.size = sizes[trial%3], .mu = &mu, .mu_roll = &mu_roll};
		int n = p.size;
		double x[5], u[5], f[5], up[5], down[5], slope[25], rho = 0.7, h = 1e-6;
		for (int k = 0; k < n; k++)
			x[k] = roll(&d, k ? -1 : 0, 1), u[k] = roll(&d, -1, 1);
		delassus_law(&p, 0, rho, x, u, f, slope);
		for (int l = 0; l < n; l++) {
			double kept = u[l];
			u[l] = kept + h/rho;
			delassus_law(&p, 0, rho, x, u, up, NULL);
			u[l] = kept - h/rho;
			delassus_law(&p, 0, rho, x, u, down, NULL);
			u[l] = kept;
			bool corner = false;
			for (int k = 0; k < n; k++)
				corner = corner || fabs(up[k] + down[k] - 2*f[k]) > 1e-9;
			for (int k = 0; k < n && !corner; k++)
				assert_near((up[k] - down[k])/(2*h), slope[k*n + l], 1e-6);
		}
	}
}

// (A + B (W + shift)) x = y comes back as x, for any contacts that are in; the others are left alone.
static void test_factor(void **state)
{
	(void)state;
	dice d = dice_make(6);
	for (int trial = 0; trial < 30; trial++) {
		enum { CONTACTS = 25 };
		double *known, shift = 0.5, a[CONTACTS*25], b[CONTACTS*25];
		double x[CONTACTS*5], y[CONTACTS*5], wx[CONTACTS*5];
		bool in[CONTACTS];
		delassus_problem p = make_problem(&d, sizes[trial%3], CONTACTS, 9, 0.2, &known);
		size_t n = (size_t)p.size;
		delassus_scaled scaled;
		delassus_factor factor;
		delassus_scaled_init(&scaled, &p);
		delassus_factor_init(&factor, &scaled.problem.w);
		for (int again = 0; again < 2; again++) {
			for (size_t i = 0; i < CONTACTS; i++)
				in[i] = roll(&d, 0, 1) < 0.7;
			for (size_t k = 0; k < CONTACTS*n; k++)
				x[k] = in[k/n] ? roll(&d, -1, 1) : 0;
			for (size_t k = 0; k < CONTACTS*n*n; k++) {
				double one = k%(n*n)%(n + 1) == 0;
				a[k] = 0.5*one + roll(&d, -0.1, 0.1);
				b[k] = one + roll(&d, -0.1, 0.1);
			}
			memset(y, 0, sizeof y);
			block_matrix_times(&scaled.problem.w, x, y, wx);
			for (size_t k = 0; k < CONTACTS*n; k++)
				for (size_t l = 0; l < n; l++) {
					size_t j = k/n*n + l;
					y[k] += a[k*n + l]*x[j] + b[k*n + l]*(wx[j] + shift*x[j]);
				}
			for (size_t k = 0; k < CONTACTS*n; k++)
				y[k] = in[k/n] ? y[k] : 17;
			delassus_factor_make(&factor, &(delassus_jacobian){&scaled, in, a, b, shift});
			delassus_factor_solve(&factor, y);
			for (size_t k = 0; k < CONTACTS*n; k++)
				assert_near(y[k], in[k/n] ? x[k] : 17, 1e-9);
		}
		delassus_factor_free(&factor);
		delassus_scaled_free(&scaled);
		memory_free(known);
		delassus_problem_free(&p);
	}
}

// On a path, ends go first and nothing fills in: whoever goes has one neighbour left at the most.
static void test_order(void **state)
{
	(void)state;
	enum { LONG = 50 };
	delassus_problem p;
	uint32_t row[3*LONG], column[3*LONG], order[LONG];
	double value[3*LONG];
	size_t count = 0;
	for (uint32_t i = 0; i < LONG; i++)
		for (uint32_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < LONG; j++) {
			// names jumbled: 7 and LONG share no factor
			row[count] = i*7%LONG*2, column[count] = j*7%LONG*2, value[count++] = 1;
		}
	delassus_problem_init(&p, 2, LONG);
	delassus_problem_set_w(&p, &(sparse_entries){2*LONG, 2*LONG, count, row, column, value});
	delassus_order(&p.w, order);
	bool gone[LONG] = {0};
	for (size_t k = 0; k < LONG; k++) {
		assert_true(order[k] < LONG && !gone[order[k]]);
		size_t left = 0;
		for (size_t e = p.w.first[order[k]]; e < p.w.first[order[k] + 1]; e++)
			left += p.w.column[e] != order[k] && !gone[p.w.column[e]];
		assert_true(left <= 1);
		gone[order[k]] = true;
	}
	delassus_problem_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_hyperstatic),
		cmocka_unit_test(test_one_contact),
		cmocka_unit_test(test_momentum),
		cmocka_unit_test(test_circles),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_never_worse),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_law_slope),
		cmocka_unit_test(test_factor),
		cmocka_unit_test(test_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
