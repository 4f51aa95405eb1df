// SPDX-License-Identifier: MIT
// One contact alone with a full inverse mass: whatever the matrix and the friction, the laws hold to rounding, or no answer
// exists. Ways to slide are looked for once more by walking around the circle.
#include "unit.h"

#include "law/one_contact.h"

static double times_row(int size, const double *row, const double *r)
{
	double sum = 0;
	for (int k = 0; k < size; k++)
		sum += row[k]*r[k];
	return sum;
}

static double length_of(int size, const double *tangential)
{
	return size == 2 ? fabs(tangential[0]) : sqrt(tangential[0]*tangential[0] + tangential[1]*tangential[1]);
}

// The natural map in units of impulse: r less the point of the cone that is nearest to r - (u + mu |u_T| N)/trace W. It is 0 if and only if the laws hold.
static double wrongness(int size, const double *w, double mu, const double *b, const double *r)
{
	double u[3], y[3], trace = 0, sum = 0;
	for (int k = 0; k < size; k++) {
		u[k] = b[k] + times_row(size, w + k*size, r);
		trace += w[k*(size + 1)];
	}
	u[0] += mu*length_of(size, u + 1);
	for (int k = 0; k < size; k++)
		y[k] = r[k] - u[k]/trace;
	double t = length_of(size, y + 1), n = fmax(0, fmax(y[0], (y[0] + mu*t)/(1 + mu*mu))), share = t > mu*n ? mu*n/t : 1;
	for (int k = 0; k < size; k++)
		sum += pow(r[k] - (k == 0 ? n : share*y[k]), 2);
	return sqrt(sum);
}

static double size_of(int size, const double *w, const double *b, const double *r)
{
	double most = 0, trace = 0;
	for (int k = 0; k < size; k++)
		trace += w[k*(size + 1)];
	for (int k = 0; k < size; k++)
		most = fmax(most, fmax(fabs(r[k]), fabs(b[k])/trace));
	return most;
}

// A A^T, with columns of A that are shorter and shorter.
static void roll_w(dice *d, int size, int columns, double shorter, double *w)
{
	double a[3][3] = {{0}};
	for (int i = 0; i < size; i++)
		for (int k = 0; k < columns; k++)
			a[i][k] = roll(d, -1, 1)*pow(shorter, k);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			w[i*size + j] = times_row(columns, a[i], a[j]);
}

static void roll_b(dice *d, int size, double *b)
{
	for (int k = 0; k < size; k++)
		b[k] = roll(d, -1, 1);
	b[0] = -fabs(b[0]);
}

// With any W that has an inverse there is an answer; it is found from nothing, and from any first guess.
static void check_regular(dice *d, double shorter, double mu_most, double tolerance)
{
	int seen[4] = {0};
	for (int trial = 0; trial < 20000; trial++) {
		int size = trial%2 ? 2 : 3;
		double w[9], b[3], r[3] = {0}, mu = roll(d, 0, mu_most);
		talus_one_contact contact;
		roll_w(d, size, size, shorter, w);
		roll_b(d, size, b);
		for (int k = 0; k < size && trial%4 > 1; k++)
			r[k] = roll(d, -1, 1);
		one_contact_init(&contact, size, w);
		one_contact_case found = one_contact_solve(&contact, mu, b, r);
		seen[found]++;
		double wrong = wrongness(size, w, mu, b, r)/size_of(size, w, b, r);
		if (!(wrong < tolerance))
			print_error("shorter %g, mu < %g, trial %d, case %d\n", shorter, mu_most, trial, (int)found);
		assert_near(wrong, 0, tolerance);
	}
	assert_true(seen[ONE_STICKS] > 1000 && seen[ONE_SLIDES] > 1000);
	assert_int_equal(seen[ONE_OPEN] + seen[ONE_PARADOX], 0);
}

static void test_regular(void **state)
{
	(void)state;
	dice d = dice_make(1);
	check_regular(&d, 1, 1, 1e-12);
	check_regular(&d, 1, 10, 1e-12);
	check_regular(&d, 0.1, 1, 1e-11);
	check_regular(&d, 0.03, 2, 1e-10);
}

static void test_open(void **state)
{
	(void)state;
	const double w[9] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, away[3] = {0.1, 3, 4}, towards[3] = {-1, 3, 4};
	double r[3] = {1, 2, 3};
	talus_one_contact contact;
	one_contact_init(&contact, 3, w);
	assert_int_equal(one_contact_solve(&contact, 0.5, away, r), ONE_OPEN);
	assert_true(r[0] == 0 && r[1] == 0 && r[2] == 0);
	assert_int_equal(one_contact_solve(&contact, 0, towards, r), ONE_SLIDES); // without friction
	assert_near(r[0], 0.5, 1e-15);
	assert_true(r[1] == 0 && r[2] == 0);
}

// ---------------------------------------------------------------- what cannot move along all tangents

// b is what the bodies may do, so that the contact can be brought to rest along every way it moves; or it is driven, too, where it cannot.
static void roll_singular(dice *d, int rank, bool driven, double *w, double *b)
{
	double along[3] = {roll(d, -1, 1), roll(d, -1, 1), roll(d, -1, 1)};
	roll_w(d, 3, rank, 1, w);
	for (int k = 0; k < 3; k++)
		b[k] = times_row(3, w + 3*k, along);
	if (b[0] > 0)
		for (int k = 0; k < 3; k++)
			b[k] = -b[k];
	if (driven)
		b[0] -= roll(d, 0, 0.5);
}

// The fastest sliding, walking around the circle; 0 if there is none.
static double fastest(const double *w, double mu, const double *b)
{
	enum { AROUND = 20000 };
	double best = 0, before = 0;
	for (int i = 0; i <= AROUND; i++) {
		double angle = 2*M_PI*(i + 0.37)/AROUND, x = cos(angle), y = sin(angle), over = w[0] - mu*(w[1]*x + w[2]*y);
		double p[3] = {-b[0]/over, mu*b[0]/over*x, mu*b[0]/over*y};
		double ux = b[1] + times_row(3, w + 3, p), uy = b[2] + times_row(3, w + 6, p), across = x*uy - y*ux;
		if (!(over > 1e-6*w[0])) {
			before = 0;
			continue;
		}
		if (before*across < 0)
			best = fmax(best, x*ux + y*uy);
		before = across;
	}
	return best;
}

// What is called a paradox is one.
static void test_singular(void **state)
{
	(void)state;
	dice d = dice_make(2);
	int seen[4] = {0};
	for (int trial = 0; trial < 3000; trial++) {
		double w[9], b[3], r[3] = {0}, mu = roll(&d, 0, trial%3 ? 1 : 4);
		talus_one_contact contact;
		roll_singular(&d, 1 + trial%2, trial%5 == 0, w, b);
		one_contact_init(&contact, 3, w);
		assert_false(contact.regular);
		one_contact_case found = one_contact_solve(&contact, mu, b, r);
		seen[found]++;
		if (found == ONE_PARADOX)
			assert_true(fastest(w, mu, b) == 0);
		else
			assert_near(wrongness(3, w, mu, b, r)/size_of(3, w, b, r), 0, 1e-9);
	}
	assert_true(seen[ONE_STICKS] > 300 && seen[ONE_SLIDES] > 300 && seen[ONE_PARADOX] > 30 && seen[ONE_OPEN] == 0);
}

// Only along the second tangent can anything move, so only there can it slide: a quarter of the circle away from where the search begins.
static void test_quarter(void **state)
{
	(void)state;
	dice d = dice_make(3);
	for (int trial = 0; trial < 1000; trial++) {
		double n = roll(&d, 0.1, 1), t = roll(&d, -1, 1), v = roll(&d, 0.1, 1), mu = roll(&d, 0.1, 0.9)*n/fabs(t), r[3] = {0};
		const double w[9] = {n*n, 0, n*t, 0, 0, 0, n*t, 0, t*t}, b[3] = {-v*n - 0.1, 0, -v*t};
		talus_one_contact contact;
		one_contact_init(&contact, 3, w);
		assert_int_equal(one_contact_solve(&contact, mu, b, r), ONE_SLIDES);
		assert_near(wrongness(3, w, mu, b, r)/size_of(3, w, b, r), 0, 1e-12);
	}
}

// A direction in which nobody moves, and a first tangent that moves little beside the normal: eliminated first it would leave nothing but rounding
// of the second one, which then looked as if it could be stopped.
static void test_hidden(void **state)
{
	(void)state;
	dice d = dice_make(4);
	for (int trial = 0; trial < 20000; trial++) {
		double a[3][2], w[9], b[3], r[3] = {0}, mu = roll(&d, 0, 1), like = roll(&d, -1, 1), v[2] = {roll(&d, -1, 1), roll(&d, -1, 1)};
		for (int k = 0; k < 2; k++) {
			a[0][k] = roll(&d, 0.1, 1);
			a[1][k] = like*a[0][k] + roll(&d, -1e-3, 1e-3);
			a[2][k] = roll(&d, -1, 1);
		}
		for (int k = 0; k < 9; k++)
			w[k] = times_row(2, a[k/3], a[k%3]);
		for (int k = 0; k < 3; k++)
			b[k] = times_row(2, a[k], v);
		for (int k = 0; k < 3 && a[0][0]*v[0] + a[0][1]*v[1] > 0; k++)
			b[k] = -b[k];
		talus_one_contact contact;
		one_contact_init(&contact, 3, w);
		assert_false(contact.regular);
		if (one_contact_solve(&contact, mu, b, r) != ONE_PARADOX)
			assert_near(wrongness(3, w, mu, b, r)/size_of(3, w, b, r), 0, 1e-8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regular), cmocka_unit_test(test_open), cmocka_unit_test(test_singular),
		cmocka_unit_test(test_quarter), cmocka_unit_test(test_hidden),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
