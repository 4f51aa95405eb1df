// SPDX-License-Identifier: MIT
// Spheres and disks, against sums over thin slices.
#include "unit.h"

#include "state/shape.h"

// A disk of radius a has area pi a^2; a sphere is a stack of such disks, a disk a row of sticks of length 2
// a.
static void test_volume(void **state)
{
	(void)state;
	enum { N = 100000 };
	double r = 1.7, disk = 0, ball = 0;
	for (int i = 0; i < N; i++) {
		double z = r*((i + 0.5)/N*2 - 1), a2 = r*r - z*z;
		disk += 2*sqrt(a2)*2*r/N;
		ball += M_PI*a2*2*r/N;
	}
	assert_near(shape_volume(2, r), disk, 1e-6*disk);
	assert_near(shape_volume(3, r), ball, 1e-6*ball);
}

// A thin disk of mass m and radius a turns about its axis with m a^2/2; so a sphere is again a stack of
// disks.
static void test_inertia(void **state)
{
	(void)state;
	enum { N = 100000 };
	double r = 1.7, m = 2.5, ball = 0, rings = 0;
	for (int i = 0; i < N; i++) {
		double z = r*((i + 0.5)/N*2 - 1), a2 = r*r - z*z, rho = r*(i + 0.5)/N;
		double mass = m*M_PI*a2*(2*r/N)/(4*M_PI/3*r*r*r);
		ball += 0.5*mass*a2;
		rings += m*2*rho*(r/N)/(r*r)*rho*rho;
	}
	assert_near(shape_inertia(2, m, r), rings, 1e-6*rings);
	assert_near(shape_inertia(3, m, r), ball, 1e-6*ball);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_volume), cmocka_unit_test(test_inertia)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
