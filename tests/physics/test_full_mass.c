// SPDX-License-Identifier: MIT
// The contact law with a full inverse mass, held against the plain one where both apply, and against the
// laws of contact themselves where it stands alone. The inverse mass is made here once more, from what an
// impulse does to the bodies.
#include "row_contact.h"
#include "physics.h"

#include "law/law.h"
#include "solve/solve.h"

static const int dimensions[] = {2, 3};

typedef struct touching { // one contact with a random state
	int dimension;
	row_contact c;
	talus_full_mass g;
	vec3 inverse; // of both masses, direction by direction
	double k;     // of both spins
	vec3 u;       // velocity that all impulses give, the contact's own included
} touching;

static double draw(uint64_t stream, uint64_t *at, double least, double most)
{
	return least + (most - least)*random_unit(stream, (*at)++);
}

static vec3 draw_vector(int dimension, uint64_t stream, uint64_t *at)
{
	double x = draw(stream, at, -1, 1), y = draw(stream, at, -1, 1), z = draw(stream, at, -1, 1);
	return vec(x, y, dimension == 3 ? z : 0);
}

// What the contact's velocity gains from an impulse.
static vec3 gain(const touching *t, vec3 p)
{
	vec3 tangential = mul_add(p, -dot(p, t->c.n), t->c.n);
	return mul_add(vec(t->inverse.x*p.x, t->inverse.y*p.y, t->inverse.z*p.z), t->k, tangential);
}

// Random normal, masses, friction, impulse and velocity. Of the directions x, y, z the bodies are given
// those marked in `locked_a`, `locked_b` no freedom.
static touching touching_draw(int dimension, uint64_t stream, unsigned locked_a, unsigned locked_b,
	bool spins, double mu_most)
{
	uint64_t at = 0;
	touching t = {.dimension = dimension};
	double mass_a = draw(stream, &at, 0.1, 3), mass_b = draw(stream, &at, 0.1, 3);
	t.k = spins ? (dimension == 2 ? 2 : 2.5)*(mass_a + mass_b) : 0;
	if (dimension == 2)
		locked_a |= TALUS_FREE_Z, locked_b |= TALUS_FREE_Z;
	vec3 a = vec(locked_a & 1 ? 0 : mass_a, locked_a & 2 ? 0 : mass_a, locked_a & 4 ? 0 : mass_a);
	vec3 b = vec(locked_b & 1 ? 0 : mass_b, locked_b & 2 ? 0 : mass_b, locked_b & 4 ? 0 : mass_b);
	t.inverse = add(a, b);
	t.c.n = unit(draw_vector(dimension, stream, &at));
	t.c.mu = draw(stream, &at, 0, mu_most);
	t.c.bias = fmax(0, draw(stream, &at, -0.5, 0.5));
	vec3 aside = mul(t.c.mu, draw_vector(dimension, stream, &at));
	t.c.p = mul(fmax(0, draw(stream, &at, -0.5, 1)), add(t.c.n, aside));
	// what bodies that are held cannot do is no part of the velocity
	vec3 va = draw_vector(dimension, stream, &at), vb = draw_vector(dimension, stream, &at),
		spin = draw_vector(3, stream, &at);
	va = vec(a.x > 0 ? va.x : 0, a.y > 0 ? va.y : 0, a.z > 0 ? va.z : 0);
	vb = vec(b.x > 0 ? vb.x : 0, b.y > 0 ? vb.y : 0, b.z > 0 ? vb.z : 0);
	t.u = sub(vb, va);
	if (spins)
		t.u = sub(t.u, cross(dimension == 2 ? vec(0, 0, spin.z) : spin, t.c.n));
	t.u = add(t.u, gain(&t, t.c.p));
	full_mass_prepare(&t.g, &t.c.row, t.c.n, a, b, t.k, dimension);
	return t;
}

// ---------------------------------------------------------------- against the plain law

// The impulse after one visit of a single contact between two bodies, by the plain law or by the general
// one.
static vec3 visited(talus_solver_body motion[2], row_contact c, bool full_mass, int dimension)
{
	talus_solver_body line[2] = {motion[0], motion[1]};
	c.a = 0, c.b = 1;
	double a = line[0].inv_m, b = line[1].inv_m, z = dimension == 3;
	talus_full_mass g;
	full_mass_prepare(&g, &c.row, c.n, vec(a, a, a*z), vec(b, b, b*z), line[0].r2_over_I + line[1].r2_over_I, dimension);
	c.mass_n = 1/(a + b);
	c.mass_t = 1/(a + b + line[0].r2_over_I + line[1].r2_over_I);
	talus_extended r = extended_none(c.n, &c.row);
	talus_contact contact = {.a = c.a, .b = c.b, .n = c.n};
	talus_problem problem = {.contacts = 1, .class_end = {full_mass ? 0 : 1, full_mass ? 0 : 1}, .contact = &contact, .row = &c.row, .p = &c.p, .q = &c.q,
		.extended = &r, .full_mass = &g,
		.bodies = 2, .motion = line};
	solver_workspace s = {0};
	nsgs_solve(&problem, &(talus_solver_def){.relaxation = 1, .iterations = 1}, 0.1, 1, 1, &s);
	solver_workspace_free(&s);
	return c.p;
}

// Between bodies that are free in all directions, the two laws are one.
static void test_equals_plain(void **state)
{
	(void)state;
	int pushed = 0, slid = 0, trials = quick() ? 5000 : 50000;
	for (int d = 0; d < 2; d++)
		for (int i = 0; i < trials; i++) {
			uint64_t stream = test_stream(100 + (uint64_t)i), at = 1000;
			touching t = touching_draw(dimensions[d], stream, 0, 0, true, 1.5);
			talus_solver_body motion[2];
			for (int k = 0; k < 2; k++) {
				vec3 s = draw_vector(3, stream, &at);
				motion[k].v = draw_vector(dimensions[d], stream, &at);
				motion[k].r_omega = dimensions[d] == 3 ? s : vec(0, 0, s.z);
				motion[k].inv_m = draw(stream, &at, 0.1, 3);
				motion[k].r2_over_I = draw(stream, &at, 0, 5);
			}
			vec3 p = visited(motion, t.c, false, dimensions[d]);
			vec3 q = visited(motion, t.c, true, dimensions[d]);
			assert_near3(q, p, 1e-12);
			double pn = dot(p, t.c.n);
			pushed += pn > 0;
			slid += pn > 0 && norm(mul_add(p, -pn, t.c.n)) > (1 - 1e-9)*t.c.mu*pn;
		}
	assert_in_range(pushed, trials/2, 2*trials - trials/10); // all three cases have been seen
	assert_in_range(slid, trials/10, pushed - trials/10);
}

// ---------------------------------------------------------------- against the laws of contact

static vec3 tangent(const touching *t, vec3 a)
{
	return mul_add(a, -dot(a, t->c.n), t->c.n);
}

// How far an answer is from: no pull, no approach beyond the gap, one of them zero; friction within its
// cone, and where it slides, at the end of the cone and against the sliding.
static double wrongness(const touching *t, vec3 p)
{
	vec3 u = add(t->u, gain(t, sub(p, t->c.p))), ut = tangent(t, u), pt = tangent(t, p);
	double pn = dot(p, t->c.n), closing = dot(u, t->c.n) + t->c.bias, slip = norm(ut);
	double wrong = fmax(-pn, -closing);
	wrong = fmax(wrong, fmin(pn, fabs(closing)));
	wrong = fmax(wrong, norm(pt) - t->c.mu*pn);
	double misfit = slip > 0 ? norm(mul_add(pt, t->c.mu*pn/slip, ut)) : 0;
	return fmax(wrong, fmin(slip, misfit));
}

// Is there any answer at all? Looks at sticking (by a scan of the sliding for a vanishing one) and at all
// directions of sliding.
static bool solvable(const touching *t)
{
	enum { SCAN = 7200 };
	vec3 n = t->c.n, b = mul_add(sub(t->u, gain(t, t->c.p)), t->c.bias, n);
	if (dot(b, n) >= 0)
		return true;
	vec3 t1 = t->dimension == 2 ? vec(-n.y, n.x, 0) : any_tangent(n), t2 = cross(n, t1);
	bool seen = false;
	double across_before = 0;
	for (int i = 0; i <= (t->dimension == 2 ? 1 : SCAN) && !seen; i++) {
		// off the axes, where roots like to be
		double angle = t->dimension == 2 ? PI*i : 2*PI*(i + 0.37)/SCAN;
		vec3 e = add(mul(cos(angle), t1), mul(sin(angle), t2)), along = mul_add(n, -t->c.mu, e);
		double inverse = dot(gain(t, along), n);
		if (inverse <= 1e-9) {
			across_before = 0;
			continue;
		}
		vec3 u = add(b, gain(t, mul(-dot(b, n)/inverse, along)));
		double across = dot(cross(u, e), n);
		seen = dot(u, e) > -1e-3 && (t->dimension == 2 || across*across_before < 0);
		across_before = across;
	}
	return seen;
}

// For bodies that are held in some directions, push and friction mix, and the sliding turns away from where
// it was going. Whatever is held, the answer obeys the laws, if there is one that does.
static void check_laws(int dimension, unsigned locked_a, unsigned locked_b, bool spins, double mu_most,
	int trials)
{
	int hopeless = 0, slid = 0;
	for (int i = 0; i < trials; i++) {
		uint64_t number = (uint64_t)i + 1000000*(locked_a + 16*locked_b + 256*spins);
		touching t = touching_draw(dimension, test_stream(number), locked_a, locked_b, spins, mu_most);
		if (dot(gain(&t, t.c.n), t.c.n) < 1e-3)
			continue; // along this normal nobody moves: no contact
		talus_extended r = extended_none(t.c.n, &t.c.row);
		vec3 p = full_mass_impulse(t.c.n, &t.c.row, &r, &t.g, row_contact_was(&t.c), t.u, vec(0, 0, 0)).p;
		assert_true(finite3(p));
		double wrong = wrongness(&t, p), pn = dot(p, t.c.n);
		slid += pn > 0 && norm(tangent(&t, p)) > 0.999*t.c.mu*pn;
		if (wrong > 1e-9*(1 + norm(p)) && !solvable(&t)) {
			hopeless++;
			continue;
		}
		if (wrong > 1e-9*(1 + norm(p)))
			print_error("dimension %d, locked %u and %u, spins %d, trial %d\n", dimension, locked_a, locked_b,
				spins, i);
		assert_below(wrong, 1e-9*(1 + norm(p)));
	}
	assert_true(slid > trials/100);
	assert_true(hopeless <= trials/50); // Painleve's paradox is rare
}

static void test_laws(void **state)
{
	(void)state;
	int trials = quick() ? 300 : 3000;
	for (int d = 0; d < 2; d++)
		for (unsigned a = 0; a < (dimensions[d] == 2 ? 3 : 7); a++)
			for (unsigned b = 0; b <= (dimensions[d] == 2 ? 3 : 7); b++)
				for (int spins = 0; spins < 2; spins++) {
					check_laws(dimensions[d], a, b, spins, 0.8, trials);
					check_laws(dimensions[d], a, b, spins, 3, trials);
				}
}

// Disks that may not move in all directions stay in their plane to the last digit: the general law looks around in space, and a digit
// would be enough for the others to lose sight of them.
static void test_plane(void **state)
{
	(void)state;
	int pushed = 0, trials = quick() ? 3000 : 30000;
	for (int i = 0; i < trials; i++) {
		uint64_t stream = test_stream(5000000 + (uint64_t)i), at = 1000;
		touching t = touching_draw(2, stream, (unsigned)i%4, (unsigned)i/4%3, true, 3);
		if (dot(gain(&t, t.c.n), t.c.n) < 1e-3)
			continue;
		talus_solver_body line[2];
		for (int k = 0; k < 2; k++)
			line[k] = (talus_solver_body){.v = draw_vector(2, stream, &at), .inv_m = 1, .r_omega = vec(0, 0, draw(stream, &at, -1, 1)), .r2_over_I = 2};
		talus_extended r = extended_none(t.c.n, &t.c.row);
		r.mu_slide = 0.5*r.mu_stick;
		talus_contact contact = {.a = 0, .b = 1, .n = t.c.n};
		talus_problem problem = {.flat = true, .contacts = 1, .contact = &contact, .row = &t.c.row, .p = &t.c.p, .q = &t.c.q, .extended = &r, .full_mass = &t.g, .bodies = 2, .motion = line};
		problem_visit(&problem, 0, NULL);
		pushed += dot(t.c.p, t.c.n) > 0;
		assert_true(t.c.p.z == 0 && line[0].v.z == 0 && line[1].v.z == 0);
		assert_true(line[0].r_omega.x == 0 && line[0].r_omega.y == 0 && line[1].r_omega.x == 0 && line[1].r_omega.y == 0);
	}
	assert_true(pushed > trials/10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_plain),
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_plane),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
