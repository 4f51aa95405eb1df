// SPDX-License-Identifier: MIT
// Bonds: how hard and how far they hold, what they take to break, what they do to friction. Where a bond
// opens, the step tells when it breaks only to the step, so results are of first order; where it holds, they
// are exact.
#include "laws.h"

#include "observe/observe.h"

static const double steps[] = {1e-3, 2e-4, 4e-5};
static const double g = 9.81;
static const double force = 50, range = 0.02; // of the bond, unless a test has its own

typedef struct couple { // two touching grains, or a wall and a grain, and the line between them
	talus_world *world;
	uint32_t a, b;
	bool at_wall;
	vec3 n;
	double mass, energy; // mass_n, energy to break it
} couple;

static couple couple_create(int dimension, double dt, bool at_wall, talus_pair law, double gap)
{
	talus_world_def def = exact_def(dimension, dt);
	def.solver.stop = TALUS_STOP_ITERATIONS; // one contact alone: one visit is enough
	def.solver.iterations = 2;
	couple c = {.at_wall = at_wall, .n = dimension == 2 ? vec(-0.6, 0.8, 0) : vec(0.36, 0.48, -0.8)};
	c.world = world_of_law(&def, law);
	c.energy = law.cohesion*law.range;
	if (at_wall)
		put_plane(c.world, vec(0, 0, 0), c.n);
	else
		c.a = put_grain(c.world, neg(c.n), 1, vec(0, 0, 0));
	c.b = put_grain(c.world, mul(0.8 + gap, c.n), 0.8, vec(0, 0, 0));
	c.mass = 1/((at_wall ? 0 : 1/look(c.world, c.a).m) + 1/look(c.world, c.b).m);
	return c;
}

static double apart(const couple *c) // the gap
{
	grain b = look(c->world, c->b);
	if (c->at_wall)
		return dot(b.x, c->n) - b.r;
	grain a = look(c->world, c->a);
	return norm(sub(b.x, a.x)) - a.r - b.r;
}

static double parting(const couple *c) // its rate
{
	vec3 v = look(c->world, c->b).v;
	return dot(c->at_wall ? v : sub(v, look(c->world, c->a).v), c->n);
}

// The two get a relative velocity; their common one is along the line, too.
static void part(couple *c, double speed)
{
	bodies *all = &c->world->state.bodies;
	double share = c->at_wall ? 1 : 0.3;
	all->v[row_of(c->world, c->b)] = mul(share*speed, c->n);
	if (!c->at_wall)
		all->v[row_of(c->world, c->a)] = mul((share - 1)*speed, c->n);
}

static void pull(couple *c, double by)
{
	bodies *all = &c->world->state.bodies;
	all->force[row_of(c->world, c->b)] = mul(by, c->n);
	if (!c->at_wall)
		all->force[row_of(c->world, c->a)] = mul(-by, c->n);
}

static bool bonded(const couple *c)
{
	size_t count = talus_world_contacts(c->world);
	assert_true(count <= 1);
	return count == 1 && talus_world_contact(c->world, 0).bonded;
}

static void for_all_couples(void (*body)(int dimension, double dt, bool at_wall))
{
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int at_wall = 0; at_wall < 2; at_wall++)
				body(dimension, steps[s], at_wall);
}

static const talus_pair glue = {.friction = 0.4, .cohesion = 50, .range = 0.02};

// ---------------------------------------------------------------- pulled apart

// With V0 and more energy than F_C d_C the two part for good, with what is left of it.
static void escapes(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0);
	double v0 = 1.5*sqrt(2*c.energy/c.mass), left = sqrt(v0*v0 - 2*c.energy/c.mass), size = 0.5*c.mass*v0*v0;
	part(&c, v0);
	double work = 0.5*force*v0*dt, speed = v0; // of the bond in about a step: how well its end is known
	step_in_balance(c.world, size);
	assert_int_equal(c.world->report.bonds, 1);
	while (bonded(&c)) {
		assert_below(apart(&c), range + 1.01*v0*dt);
		speed -= force*dt/c.mass; // while it lasts, it takes the same in every step
		assert_near(parting(&c), speed, 1e-11);
		step_in_balance(c.world, size);
	}
	for (int n = 0; n < 10; n++)
		step_in_balance(c.world, size);
	assert_near(parting(&c), left, 2*work/(c.mass*left));
	talus_energy e = talus_world_energy(c.world);
	assert_near(e.bonds, c.energy, 2*work);
	assert_near(e.normal + e.friction, 0, 1e-12*size);
	assert_int_equal(c.world->report.bonds, 0);
	assert_int_equal(c.world->report.bonds_formed_all, 1);
	talus_world_destroy(c.world);
}

// With less they come to rest after m_n V0^2/(2 F_C), and stay there: the bond holds, but does not pull back.
static void is_held(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0);
	double v0 = 0.8*sqrt(2*c.energy/c.mass), size = 0.5*c.mass*v0*v0;
	part(&c, v0);
	for (int n = 0; n < (int)(0.1/dt); n++)
		step_in_balance(c.world, size);
	double stop = apart(&c);
	assert_near(stop, 0.5*c.mass*v0*v0/force, 0.51*v0*dt);
	assert_near(parting(&c), 0, 1e-11); // rounding of gap/dt
	assert_true(bonded(&c));
	run(c.world, 50);
	assert_near(apart(&c), stop, 1e-12);
	assert_near(talus_world_energy(c.world).bonds, size, 1e-11*size);
	assert_int_equal(c.world->report.bonds_formed_all, 1);
	talus_world_destroy(c.world);
}

static void test_pulled_apart(void **state)
{
	(void)state;
	for_all_couples(escapes);
	for_all_couples(is_held);
}

// ---------------------------------------------------------------- a constant pull

// A pull below F_C is held for ever without a gap, and can be read from the contact.
static void holds(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0);
	pull(&c, 0.99*force);
	run(c.world, 300);
	assert_near(apart(&c), 0, 1e-13);
	talus_contact_state contact = talus_world_contact(c.world, 0);
	assert_near3(contact.force, mul(-0.99*force, contact.n), 1e-9*force);
	assert_near(dot(contact.n, c.n), 1, 1e-12);
	assert_true(contact.bonded);
	if (at_wall)
		assert_near3(talus_world_wall(c.world, 0).force, mul(0.99*force, c.n), 1e-9*force);
	talus_world_destroy(c.world);
}

// Above it they part with the rest of it, exactly, and with all of it once the gap is d_C.
static void gives_way(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0);
	double by = 1.6*force, slow = (by - force)/c.mass, fast = by/c.mass, time = sqrt(2*range/slow);
	pull(&c, by);
	int n = 0;
	for (step_in_balance(c.world, c.energy); bonded(&c); step_in_balance(c.world, c.energy)) {
		n++;
		assert_near(parting(&c), slow*n*dt, 1e-10);
		assert_near(apart(&c), 0.5*slow*n*(n + 1)*dt*dt, 1e-10);
	}
	assert_near(n*dt, time, 1.01*dt);
	assert_near(parting(&c), slow*n*dt + fast*dt, 1e-10);
	run(c.world, 20);
	assert_near(parting(&c), slow*n*dt + 21*fast*dt, 1e-10);
	assert_near(talus_world_energy(c.world).bonds, c.energy, 1.1*force*slow*time*dt);
	talus_world_destroy(c.world);
}

static void test_constant_pull(void **state)
{
	(void)state;
	for_all_couples(holds);
	for_all_couples(gives_way);
}

// ---------------------------------------------------------------- the life of a bond

// Open by half, it holds what pulls, lets go what comes back, and pushes only where they touch; broken, it
// does nothing until they touch again, which makes a new one.
static void lives(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0);
	part(&c, 0.7*sqrt(2*c.energy/c.mass));
	run(c.world, (int)(0.1/dt));
	double open = apart(&c);
	assert_near(open, 0.49*range, 0.05*range);
	pull(&c, 0.9*force);
	run(c.world, 50);
	assert_near(apart(&c), open, 1e-13); // still as strong
	pull(&c, -1);
	run(c.world, 3);
	assert_near(parting(&c), -3*dt/c.mass, 1e-12); // free to come back
	pull(&c, 0);
	part(&c, 2*sqrt(2*c.energy/c.mass));
	while (bonded(&c))
		run(c.world, 1);

	// broken: to half of d_C and off again
	part(&c, -1);
	while (apart(&c) > 0.5*range) {
		run(c.world, 1);
		assert_near(parting(&c), -1, 1e-12);
	}
	part(&c, 0.1);
	for (int n = 0; n < 20; n++) {
		assert_false(bonded(&c));
		run(c.world, 1);
		assert_near(parting(&c), 0.1, 1e-12);
	}
	assert_int_equal(c.world->report.bonds_formed_all, 1);

	// and in touch
	part(&c, -1);
	run(c.world, (int)(0.05/dt));
	assert_near(apart(&c), 0, 1e-12);
	assert_true(bonded(&c));
	assert_int_equal(c.world->report.bonds, 1);
	assert_int_equal(c.world->report.bonds_formed_all, 2);
	pull(&c, 0.99*force);
	run(c.world, 20);
	assert_near(apart(&c), 0, 1e-12);
	talus_world_destroy(c.world);
}

static void test_life_of_a_bond(void **state)
{
	(void)state;
	for_all_couples(lives);
}

// Grains that are near, but have never touched, are no couple.
static void stays_single(int dimension, double dt, bool at_wall)
{
	couple c = couple_create(dimension, dt, at_wall, glue, 0.5*range);
	pull(&c, 1);
	run(c.world, 20);
	assert_near(parting(&c), 20*dt/c.mass, 1e-12);
	assert_int_equal(c.world->report.bonds_formed_all, 0);
	talus_world_destroy(c.world);
}

static void test_stays_single(void **state)
{
	(void)state;
	for_all_couples(stays_single);
}

// Without a range a bond holds what it can, but a knock is stopped by as much as F_C does within a step: the
// shorter the step, the less.
static void has_no_range(int dimension, double dt, bool at_wall)
{
	talus_pair law = {.cohesion = force};
	couple c = couple_create(dimension, dt, at_wall, law, 0);
	pull(&c, 0.999*force);
	run(c.world, 100);
	assert_near(apart(&c), 0, 1e-13);
	pull(&c, 0);
	double v0 = 5*force*steps[0]/c.mass, lost = force*dt/c.mass;
	part(&c, v0);
	run(c.world, 5);
	assert_near(parting(&c), v0 - lost, 1e-12);
	assert_int_equal(c.world->report.bonds, 0);
	talus_world_destroy(c.world);

	c = couple_create(dimension, dt, at_wall, law, 0);
	part(&c, 0.9*lost);
	run(c.world, 5);
	assert_near(parting(&c), 0, 1e-13);
	assert_near(apart(&c), 0, 1e-13);
	pull(&c, 1000*force); // the gap of the first step is what breaks it
	run(c.world, 6);
	assert_near(parting(&c), 6000*lost - lost, 1e-10);
	talus_world_destroy(c.world);
}

static void test_no_range(void **state)
{
	(void)state;
	for_all_couples(has_no_range);
}

// ---------------------------------------------------------------- collisions

// Two that collide with restitution e part with sqrt((e V)^2 - 2 E_C/m_n), or are captured if there is no
// such number.
static void collide(int dimension, double dt, bool at_wall)
{
	static const double shares[] = {0.5, 0.9, 1.1, 2}; // e V over the speed that it takes to part
	for (size_t k = 0; k < COUNT(shares); k++) {
		talus_pair law = {.cohesion = force, .range = range, .restitution = 0.6};
		couple c = couple_create(dimension, dt, at_wall, law, 0.03);
		double least = sqrt(2*c.energy/c.mass), back = shares[k]*least, size = c.mass*back*back;
		double left = shares[k] > 1 ? sqrt(back*back - least*least) : 0;
		part(&c, -back/0.6);
		for (int n = 0; n < (int)(0.3/dt); n++)
			step_in_balance(c.world, size);
		// it bounces up to V dt before the touch, and the bond acts from the next step on, e V dt farther
		double work = 1.01*force*(1/0.6 + 1)*back*dt, rate = parting(&c);
		assert_near(rate*fabs(rate), left*left, 2*work/c.mass);
		assert_int_equal(c.world->report.bonds, shares[k] < 1);
		assert_int_equal(c.world->report.bonds_formed_all, 1);
		talus_energy e = talus_world_energy(c.world);
		assert_near(e.bonds, shares[k] < 1 ? 0.5*c.mass*back*back : c.energy, work);
		assert_near(e.normal, 0.5*c.mass*back*back*(1/0.36 - 1), 1e-9*size);
		talus_world_destroy(c.world);
	}
}

static void test_collide(void **state)
{
	(void)state;
	for_all_couples(collide);
}

// ---------------------------------------------------------------- friction

// A block glued to a plane of any slope, from a floor to a ceiling: it stays if its weight along the plane is
// below mu (R_n + F_C), slides with what is more, and drops if its weight pulls by more than F_C.
static void check_slope(int dimension, double dt, double theta, double mu, double cohesion)
{
	talus_world_def def = exact_def(dimension, dt);
	vec3 level = dimension == 2 ? vec(1, 0, 0) : vec(0.6, 0.8, 0);
	vec3 up = dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
	vec3 n = add(mul(sin(theta), level), mul(cos(theta), up));
	vec3 along = add(mul(cos(theta), level), mul(-sin(theta), up));
	def.gravity = mul(-g, up);
	talus_world *world = world_of_law(&def, (talus_pair){.friction = mu, .cohesion = cohesion*g,
		.range = range});
	put_plane(world, vec(0, 0, 0), n);
	talus_grain_def block = talus_grain_def_default();
	block.radius = dimension == 2 ? sqrt(1/PI) : cbrt(3/(4*PI)); // of mass 1
	block.at = mul(block.radius, n);
	block.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
	talus_world_add_grain(world, &block);
	double off = fmax(0, -cos(theta) - cohesion)*g, load = fmax(0, cos(theta) + cohesion);
	double a = fmax(0, g*(sin(theta) - mu*load));
	for (int i = 1; i <= 20; i++) {
		step_in_balance(world, g);
		assert_near3(look(world, 0).v, mul(i*dt, add(mul(a, along), mul(off, n))), 1e-11);
	}
	double normal = fmax(cos(theta), -cohesion)*g;
	// rounding of the gap
	assert_near(dot(talus_world_wall(world, 0).force, n), -normal, 1e-9*g + 1e-15/(dt*dt));
	talus_world_destroy(world);
}

static void test_slopes(void **state)
{
	(void)state;
	static const double cohesions[] = {0.4, 0.98, 1.02, 1.99, 2.01, 3};
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t c = 0; c < COUNT(cohesions); c++)
				for (int k = 0; k <= 8; k++) // 4: upright, where mu F_C is all there is; 8: a ceiling
					check_slope(dimension, steps[s], k*PI/8, 0.5, cohesions[c]);
}

// ---------------------------------------------------------------- stress

// A chain of bonded grains, pulled at its ends: every bond carries the pull, and the stress is negative.
static void test_chain(void **state)
{
	(void)state;
	enum { N = 6 };
	for (size_t s = 0; s < COUNT(steps); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = exact_def(dimension, steps[s]);
			def.solver.tolerance = 1e-13;
			talus_world *world = world_of_law(&def, glue);
			double r = 0.5, by = 0.7*force;
			for (int i = 0; i < N; i++)
				put_grain(world, vec(2*r*i, 0, 0), r, vec(0, 0, 0));
			world->state.bodies.force[0] = vec(-by, 0, 0);
			world->state.bodies.force[N - 1] = vec(by, 0, 0);
			run(world, 20);
			assert_int_equal(talus_world_contacts(world), N - 1);
			for (size_t i = 0; i < N - 1; i++) {
				talus_contact_state c = talus_world_contact(world, i);
				assert_near(dot(c.force, c.n), -by, 1e-8*by);
				assert_true(c.bonded);
			}
			assert_int_equal(world->report.bonds, N - 1);
			assert_int_equal(world->report.bonds_formed_all, N - 1);
			double wide = dimension == 2 ? 2*r : 4*r*r, stress = -by*2*r*(N - 1)/(2*r*N*wide);
			stress_state got = observe_stress(world);
			assert_near(got.stress[0][0], stress, 1e-8*by);
			assert_near(got.pressure, stress/dimension, 1e-8*by);
			assert_near(got.stress[1][1], 0, 1e-8*by);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- going round

// Two bonded grains whirl round each other like a rigid body, for ever: a step along the tangent does not wear the bond out.
// What is left is of second order in the angle of a step.
static void test_whirl(void **state)
{
	(void)state;
	static const double angles[] = {0.02, 0.005, 0.00125};
	for (size_t s = 0; s < COUNT(angles); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double w = 2, dt = angles[s]/w;
			couple c = couple_create(dimension, dt, false, (talus_pair){.friction = 0.5, .cohesion = 1e3, .range = 0.02}, 0);
			vec3 axis = dimension == 2 ? vec(0, 0, 1) : unit(cross(c.n, vec(1, 2, 0)));
			double ma = look(c.world, c.a).m, mb = look(c.world, c.b).m, length = 1.8;
			bodies *b = &c.world->state.bodies;
			b->v[c.a] = mul(-w*length*mb/(ma + mb), cross(axis, c.n));
			b->v[c.b] = mul(w*length*ma/(ma + mb), cross(axis, c.n));
			b->spin[c.a] = b->spin[c.b] = mul(w, axis);
			double start = account_grains(&c.world->state).kinetic;
			for (int n = 0; n < (int)(12*PI/angles[s]); n++) { // six turns
				talus_world_step(c.world);
				assert_int_equal(c.world->report.bonds, 1);
				assert_near(apart(&c), 0, 0.3*angles[s]*angles[s]*length);
			}
			assert_near(account_grains(&c.world->state).kinetic, start, angles[s]*angles[s]*start);
			talus_world_destroy(c.world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pulled_apart),
		cmocka_unit_test(test_constant_pull),
		cmocka_unit_test(test_life_of_a_bond),
		cmocka_unit_test(test_stays_single),
		cmocka_unit_test(test_no_range),
		cmocka_unit_test(test_collide),
		cmocka_unit_test(test_slopes),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_whirl),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
