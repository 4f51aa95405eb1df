// SPDX-License-Identifier: MIT
// What sweeps do to the impulses of a row of equal grains: they spread errors like a diffusion, with a
// constant that depends on the order of the visits (Unger & Kertesz 2003). The contact problem is built by
// hand here, without a world around it.
#include "physics.h"

#include "solve/solve.h"

// ---------------------------------------------------------------- rows of grains

typedef struct row {
	talus_contact *contact;
	talus_problem problem;
	solver_workspace ws;
} row;

// Grains of mass 1 along x, touching, at rest; contact i joins i - 1 and i. A ring has as many contacts as
// grains. Otherwise grain 0 cannot be moved.
static row row_create(int length, bool ring)
{
	row r = {0};
	size_t n = (size_t)length, bodies_needed = ring ? n : n + 1;
	r.problem = (talus_problem){.contacts = n, .class_end = {n, n}, .bodies = bodies_needed};
	r.problem.contact = r.contact = calloc(n, sizeof *r.contact);
	r.problem.row = calloc(n, sizeof *r.problem.row);
	r.problem.p = calloc(n, sizeof *r.problem.p);
	r.problem.motion = calloc(bodies_needed, sizeof *r.problem.motion);
	assert_true(r.contact && r.problem.row && r.problem.p && r.problem.motion);
	for (size_t i = 0; i < bodies_needed; i++)
		r.problem.motion[i] = (talus_solver_body){.inv_m = !ring && i == 0 ? 0 : 1, .r2_over_I = 2};
	for (size_t i = 0; i < n; i++) {
		talus_contact *c = &r.contact[i];
		*c = (talus_contact){.a = (uint32_t)(ring ? (i + n - 1)%n : i), .b = (uint32_t)(ring ? i : i + 1),
			.n = {1, 0, 0}};
		double inverse = r.problem.motion[c->a].inv_m + r.problem.motion[c->b].inv_m;
		r.problem.row[i] = (talus_row){.mass_n = 1/inverse, .mass_t = 1/(inverse + 4)};
	}
	return r;
}

static void row_destroy(row *r)
{
	free(r->contact);
	free(r->problem.row);
	free(r->problem.p);
	free(r->problem.motion);
	solver_workspace_free(&r->ws);
}

static void row_stop(row *r) // takes all velocities away
{
	for (size_t i = 0; i < r->problem.bodies; i++)
		r->problem.motion[i].v = r->problem.motion[i].r_omega = vec(0, 0, 0);
}

static talus_solver_def order_of(talus_order order)
{
	return (talus_solver_def){.order = order, .relaxation = 1, .iterations = 1, .max_iterations = 1};
}

// ---------------------------------------------------------------- q

// Mean decay of a sine along a ring in one sweep, over (kd)^2.
static double measured_q(talus_order order, int length, int waves, int seeds)
{
	row r = row_create(length, true);
	talus_solver_def def = order_of(order);
	double k = 2*PI*waves/length, sum = 0;
	for (int seed = 0; seed < seeds; seed++) {
		row_stop(&r);
		double angle = 2*PI*seed/seeds, in_phase = 0;
		for (int i = 0; i < length; i++)
			r.problem.p[i] = vec(10 + sin(k*i + angle), 0, 0);
		talus_solve_report report = nsgs_solve(&r.problem, &def, 0.1, (uint64_t)seed, 1, &r.ws);
		assert_int_equal(report.iterations, 1);
		for (int i = 0; i < length; i++)
			in_phase += (r.problem.p[i].x - 10)*sin(k*i + angle)*2/length;
		sum += (1 - in_phase)/(k*k);
	}
	row_destroy(&r);
	return sum/seeds;
}

// One sweep takes the share q (kd)^2 off a long wave: q = (4 sqrt(e) - 5)/2 = 0.797 for a random sweep, 1/2
// if all contacts move at once or are drawn independently, 1 if they go one after the other.
static void test_q(void **state)
{
	(void)state;
	static const int waves[] = {3, 9}; // kd = 0.0189, 0.0565
	int seeds = quick() ? 60 : 300;
	for (int w = 0; w < 2; w++) {
		assert_near(measured_q(TALUS_ORDER_RANDOM, 1000, waves[w], seeds), 0.79744, 0.01*0.79744);
		assert_near(measured_q(TALUS_ORDER_PARALLEL, 1000, waves[w], 4), 0.5, 0.01*0.5);
		assert_near(measured_q(TALUS_ORDER_RANDOM_SEQUENTIAL, 1000, waves[w], seeds), 0.5, 0.03*0.5);
		assert_near(measured_q(TALUS_ORDER_SEQUENTIAL, 1000, waves[w], 4), 1, 0.01);
	}
}

// ---------------------------------------------------------------- bias

typedef struct spreading {
	double sum, mean, variance, skew;
	double upstream; // all that went two contacts or farther against the order
} spreading;

static spreading measured_spreading(talus_order order, int seeds)
{
	enum { HALF = 40, N = 2*HALF + 1 };
	row r = row_create(N, true);
	talus_solver_def def = order_of(order);
	double profile[N] = {0};
	for (int seed = 0; seed < seeds; seed++) {
		row_stop(&r);
		for (int i = 0; i < N; i++)
			r.problem.p[i] = vec(i == HALF ? 11 : 10, 0, 0);
		nsgs_solve(&r.problem, &def, 0.1, (uint64_t)seed, 1, &r.ws);
		for (int i = 0; i < N; i++)
			profile[i] += (r.problem.p[i].x - 10)/seeds;
	}
	spreading s = {0};
	for (int i = 0; i < N; i++) {
		s.sum += profile[i];
		s.mean += profile[i]*(i - HALF);
		s.variance += profile[i]*(i - HALF)*(i - HALF);
		s.skew += profile[i]*(i - HALF)*(i - HALF)*(i - HALF);
		s.upstream += i < HALF - 1 ? fabs(profile[i]) : 0;
	}
	s.skew /= pow(s.variance, 1.5);
	row_destroy(&r);
	return s;
}

// A load on one contact spreads to both sides alike in a random sweep, with the variance 2q. In a fixed
// order the news runs one way: 1/2 goes one contact back, the rest is handed on and on, 1/4, 1/8, 1/16,
// ..., which has the skewness 3/sqrt(2).
static void test_bias(void **state)
{
	(void)state;
	spreading random = measured_spreading(TALUS_ORDER_RANDOM, quick() ? 10000 : 40000);
	assert_near(random.sum, 1, 0.02);
	assert_near(random.mean, 0, 0.02);
	assert_near(random.variance, 2*0.79744, quick() ? 0.06 : 0.03);
	assert_near(random.skew, 0, 0.05);
	spreading ordered = measured_spreading(TALUS_ORDER_SEQUENTIAL, 1);
	assert_near(ordered.sum, 1, 1e-9);
	assert_near(ordered.variance, 2, 1e-6);
	assert_near(ordered.skew, 3/sqrt(2), 1e-5);
	assert_near(ordered.upstream, 0, 1e-12);
}

// ---------------------------------------------------------------- diffusion

// Does the row, pushed at its far end, come within `error` of the right answer (the push everywhere) by so
// many sweeps?
static bool solved(row *r, talus_order order, int sweeps, uint64_t seed, double error)
{
	row_stop(r);
	size_t n = r->problem.contacts;
	for (size_t i = 0; i < n; i++)
		r->problem.p[i] = vec(0, 0, 0);
	r->problem.motion[n].v.x = -1;
	talus_solver_def def = order_of(order);
	def.iterations = sweeps;
	nsgs_solve(&r->problem, &def, 0.1, seed, 1, &r->ws);
	double squares = 0;
	for (size_t i = 0; i < n; i++)
		squares += pow(r->problem.p[i].x - 1, 2)/(double)n;
	return sqrt(squares) < error;
}

static double sweeps_needed(talus_order order, int length)
{
	uint64_t seeds = quick() ? 1 : 4;
	double sum = 0;
	row r = row_create(length, false);
	for (uint64_t seed = 0; seed < seeds; seed++) {
		int low = 0, high = 8;
		while (!solved(&r, order, high, seed, 1e-3))
			low = high, high *= 2;
		while (high - low > 1) {
			int middle = (low + high)/2;
			*(solved(&r, order, middle, seed, 1e-3) ? &high : &low) = middle;
		}
		sum += (double)high/(double)seeds;
	}
	row_destroy(&r);
	return sum;
}

// The way from a push at one end to the right forces everywhere is a diffusion: twice as long a row takes
// four times as many sweeps. The last mode to go is again a quarter wave, which fixes the number too:
// ln(4/(pi sqrt(2) 1e-3))/(q k^2).
static void test_diffusion(void **state)
{
	(void)state;
	static const int sizes[] = {16, 32, 64};
	double needed[3];
	for (int k = 0; k < 3; k++)
		needed[k] = sweeps_needed(TALUS_ORDER_RANDOM, sizes[k]);
	assert_near(log2(needed[1]/needed[0]), 2, 0.1);
	assert_near(log2(needed[2]/needed[1]), 2, 0.1);
	double k = PI/(2*64.5);
	assert_near(needed[2], log(4/(PI*sqrt(2)*1e-3))/(0.79744*k*k), 0.05*needed[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_q),
		cmocka_unit_test(test_bias),
		cmocka_unit_test(test_diffusion),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
