// SPDX-License-Identifier: MIT
// Restitution, cohesion, rolling and torsion where a body is not free in all directions: pistons, and grains
// on rails. The contact is tilted against the free direction, so that it does not matter by accident along
// which of the two things are done.
#include "laws.h"

static const double steps[] = {1e-3, 2e-4, 4e-5};
static const double g = 9.81;
static const double mass = 5; // of a piston

static vec3 upward(int dimension)
{
	return dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
}

static unsigned vertical(int dimension)
{
	return dimension == 2 ? TALUS_FREE_Y : TALUS_FREE_Z;
}

// Downward, tilted by an angle.
static vec3 tilted(int dimension, double angle)
{
	return add(vec(sin(angle), 0, 0), mul(-cos(angle), upward(dimension)));
}

// A weightless piston above the origin that can go up and down; a grain of radius 1 there touches it.
static void put_piston(talus_world *world, double angle, double pull)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.axis = tilted(world->state.def.dimension, angle);
	def.point = neg(def.axis);
	def.mass = mass;
	def.force = mul(pull, upward(world->state.def.dimension));
	def.free = vertical(world->state.def.dimension);
	def.weightless = true;
	talus_world_add_wall(world, &def);
}

static talus_world *empty_world(int dimension, double dt, double gravity, talus_pair law)
{
	talus_world_def def = exact_def(dimension, dt);
	def.solver.stop = TALUS_STOP_ITERATIONS;
	def.solver.iterations = 30;
	def.gravity = mul(-gravity, upward(dimension));
	return world_of_law(&def, law);
}

static void put_held(talus_world *world, vec3 at, unsigned free)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = at;
	def.free = free;
	talus_world_add_grain(world, &def);
}

static void for_all(void (*body)(int dimension, double dt))
{
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			body(dimension, steps[s]);
}

// ---------------------------------------------------------------- cohesion

// Something of mass m that goes along one direction is pulled by P; a bond at an angle holds it with F_C
// cos(angle): for ever, or until the gap is d_C. `speed` and `way` are what it has come to after n steps.
// Returns whether the bond is there.
static bool check_pulled(int n, double dt, double m, double pull, double hold, double range, double angle,
	double speed, double way)
{
	static const double tolerance = 1e-9;
	double slow = fmax(0, pull - hold)/m, end = range/cos(angle);
	double before = 0.5*slow*n*(n - 1)*dt*dt; // its way when the step began
	if (before < end - 1e-12) {
		assert_near(speed, slow*n*dt, tolerance);
		assert_near(way, 0.5*slow*n*(n + 1)*dt*dt, tolerance);
		return true;
	}
	double time = sqrt(2*end/slow), broken = n*dt - time;
	assert_near(speed, slow*time + pull/m*broken, pull/m*1.01*dt); // to a step
	return false;
}

// A piston is pulled off a grain that is fixed. Friction has no part in it: where a bond is at its end, it
// has no load.
static void piston_off(int dimension, double dt)
{
	static const double pulls[] = {0.5, 0.99, 1.01, 2};
	double force = 40, range = 0.002;
	for (size_t k = 0; k < COUNT(pulls); k++)
		for (double angle = 0; angle < 0.7; angle += 0.3) {
			double hold = force*cos(angle), pull = pulls[k]*hold;
			talus_world *world = empty_world(dimension, dt, g, (talus_pair){.friction = 0.5,
				.cohesion = force, .range = range});
			put_held(world, vec(0, 0, 0), 0);
			put_piston(world, angle, pull);
			vec3 start = talus_world_wall(world, 0).position;
			int last = (int)(0.05/dt);
			bool bond = true;
			for (int n = 1; n <= last; n++) {
				step_in_balance(world, force*range);
				talus_wall_state w = talus_world_wall(world, 0);
				vec3 moved = sub(w.position, start), up = upward(dimension);
				double speed = dot(w.velocity, up);
				bond = check_pulled(n, dt, mass, pull, hold, range, angle, speed, dot(moved, up));
				assert_int_equal(world->report.bonds, bond);
				assert_near(dot(w.force, up), bond ? -fmin(pull, hold) : 0, 1e-6*force);
			}
			assert_int_equal(bond, pulls[k] < 1.5); // pulled by 1.01 it is still on its way
			talus_world_destroy(world);
		}
}

// A grain on a vertical rail hangs from a tilted ceiling.
static void hangs(int dimension, double dt)
{
	static const double holds[] = {2, 1.01, 0.99, 0.5}; // of its weight
	double range = 0.002;
	for (size_t k = 0; k < COUNT(holds); k++)
		for (double angle = 0; angle < 0.7; angle += 0.3) {
			double m = dimension == 2 ? PI : 4*PI/3, hold = holds[k]*m*g;
			talus_world *world = empty_world(dimension, dt, g, (talus_pair){.cohesion = hold/cos(angle),
				.range = range});
			put_held(world, vec(0, 0, 0), vertical(dimension) | TALUS_FREE_SPIN);
			put_plane(world, neg(tilted(dimension, angle)), tilted(dimension, angle));
			bool bond = true;
			for (int n = 1; n <= (int)(0.04/dt); n++) {
				step_in_balance(world, m*g);
				vec3 down = neg(upward(dimension));
				grain b = look(world, 0);
				bond = check_pulled(n, dt, m, m*g, hold, range, angle, dot(b.v, down), dot(b.x, down));
				assert_int_equal(world->report.bonds, bond);
			}
			assert_int_equal(bond, holds[k] > 0.9);
			assert_int_equal(world->report.paradox_all, 0); // there is no paradox without friction
			assert_near(talus_world_energy(world).bonds, bond ? 0 : hold*range/cos(angle),
				bond ? m*g*range : 0.3*hold*dt);
			talus_world_destroy(world);
		}
}

// A piston takes along a free grain that is glued to it, P/(M + m) for both, as long as the bond can carry m
// of that.
static void takes_along(int dimension, double dt)
{
	static const double pulls[] = {0.9, 1.5}; // of what the bond can carry
	double force = 40, range = 0.002;
	for (size_t k = 0; k < COUNT(pulls); k++) {
		talus_world *world = empty_world(dimension, dt, 0, (talus_pair){.friction = 0.5, .cohesion = force,
			.range = range});
		put_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
		double m = look(world, 0).m, pull = pulls[k]*force*(mass + m)/m;
		put_piston(world, 0, pull);
		bool holds = pulls[k] < 1;
		double of_grain = holds ? pull/(mass + m) : force/m,
			of_piston = holds ? pull/(mass + m) : (pull - force)/mass;
		int steps_to_go = (int)(0.01/dt);
		for (int n = 1; n <= steps_to_go; n++) {
			step_in_balance(world, force*range);
			assert_near3(look(world, 0).v, mul(of_grain*n*dt, upward(dimension)), 1e-10);
			assert_near3(talus_world_wall(world, 0).velocity, mul(of_piston*n*dt, upward(dimension)), 1e-10);
		}
		assert_int_equal(world->report.bonds, 1);
		run(world, (int)(0.03/dt));
		assert_int_equal(world->report.bonds, holds);
		if (!holds) {
			vec3 v = look(world, 0).v;
			run(world, 10);
			assert_near3(look(world, 0).v, v, 0); // nothing reaches it any more
		}
		talus_world_destroy(world);
	}
}

static void test_cohesion(void **state)
{
	(void)state;
	for_all(piston_off);
	for_all(hangs);
	for_all(takes_along);
}

// ---------------------------------------------------------------- restitution

// A ball hits a piston at an angle: the two part with e times what they came together with, and share it as
// an inverse mass 1/m + cos^2/M along the normal demands.
static void hits_piston(int dimension, double dt)
{
	for (double angle = 0; angle < 1; angle += 0.45) {
		double e = 0.7, speed = 2;
		talus_world *world = empty_world(dimension, dt, 0, (talus_pair){.restitution = e});
		vec3 n = tilted(dimension, angle), up = upward(dimension);
		put_piston(world, angle, 0);
		put_grain(world, mul(1.5*dt*speed, n), 1, mul(-speed, n));
		double m = look(world, 0).m, p = (1 + e)*speed/(1/m + cos(angle)*cos(angle)/mass),
			lost = 0.5*m*speed*speed;
		for (int i = 0; i < 5; i++)
			step_in_balance(world, m*speed*speed);
		assert_near3(look(world, 0).v, mul(-speed + p/m, n), 1e-11);
		assert_near3(talus_world_wall(world, 0).velocity, mul(p*cos(angle)/mass, up), 1e-11);
		lost -= 0.5*m*(speed - p/m)*(speed - p/m) + 0.5*p*p*cos(angle)*cos(angle)/mass;
		assert_near(talus_world_energy(world).normal, lost, 1e-11);
		talus_world_destroy(world);
	}
}

// A grain on a rail comes back from a tilted wall with e times its speed.
static void hits_on_rail(int dimension, double dt)
{
	for (double angle = 0; angle < 1; angle += 0.45) {
		talus_world *world = empty_world(dimension, dt, 0, (talus_pair){.restitution = 0.7});
		put_plane(world, neg(tilted(dimension, angle)), tilted(dimension, angle));
		put_held(world, mul(-1.5*dt, upward(dimension)), vertical(dimension) | TALUS_FREE_SPIN);
		world->state.bodies.v[0] = upward(dimension);
		for (int i = 0; i < 5; i++)
			step_in_balance(world, 1);
		assert_near3(look(world, 0).v, mul(-0.7, upward(dimension)), 1e-11);
		talus_world_destroy(world);
	}
}

static void test_restitution(void **state)
{
	(void)state;
	for_all(hits_piston);
	for_all(hits_on_rail);
}

// ---------------------------------------------------------------- rolling and torsion

// A spinning grain between a smooth floor and a smooth piston is slowed by both: the piston presses with P,
// the floor with that and the weight.
static void is_pressed(int dimension, double dt)
{
	for (int twist = 0; twist < (dimension == 2 ? 1 : 2); twist++) {
		double length = 0.05, press = 30, w0 = 0.2;
		talus_world *world = empty_world(dimension, dt, g, (talus_pair){.rolling_length = twist ? 0 : length,
			.torsion_length = twist ? length : 0});
		vec3 up = upward(dimension), axis = twist ? up : dimension == 2 ? vec(0, 0, 1) : vec(0.6, 0.8, 0);
		world->state.def.solver.iterations = 200; // the weight has to find its way between two contacts
		put_plane(world, neg(up), up);
		put_piston(world, 0, -press);
		put_grain(world, vec(0, 0, 0), 1, vec(0, 0, 0));
		world->state.bodies.spin[0] = mul(w0, axis);
		double inertia = inertia_of(world, 0), rate = length*(2*press + look(world, 0).m*g)/inertia;
		int stop = (int)ceil(w0/(rate*dt));
		for (int n = 1; n <= stop + 10; n++) {
			step_in_balance(world, 0.5*inertia*w0*w0);
			assert_near3(look(world, 0).spin, mul(fmax(0, w0 - n*rate*dt), axis), 1e-9);
		}
		talus_energy e = talus_world_energy(world);
		assert_near(twist ? e.torsion : e.rolling, 0.5*inertia*w0*w0, 1e-9);
		talus_world_destroy(world);
	}
}

// A wheel on a horizontal rail is pressed against a wall: it cannot run off, so sliding and rolling friction
// brake it together, (mu r + mu_t) F, and torsion friction alone what turns about the normal.
static void brakes(int dimension, double dt)
{
	for (int twist = 0; twist < (dimension == 2 ? 1 : 2); twist++) {
		double mu = 0.3, roll = 0.1, torsion = 0.2, press = 30, w0 = 0.5;
		talus_world *world = empty_world(dimension, dt, 0, (talus_pair){.friction = mu,
			.rolling_length = roll, .torsion = torsion});
		vec3 axis = twist ? vec(1, 0, 0) : dimension == 2 ? vec(0, 0, 1) : vec(0, 0.6, 0.8);
		put_plane(world, vec(1, 0, 0), vec(-1, 0, 0));
		put_held(world, vec(0, 0, 0), TALUS_FREE_X | TALUS_FREE_SPIN);
		world->state.bodies.force[0] = vec(press, 0, 0);
		world->state.bodies.spin[0] = mul(w0, axis);
		double inertia = inertia_of(world, 0), rate = (twist ? torsion : mu + roll)*press/inertia;
		int stop = (int)ceil(w0/(rate*dt));
		for (int n = 1; n <= stop + 10; n++) {
			step_in_balance(world, 0.5*inertia*w0*w0);
			assert_near3(look(world, 0).spin, mul(fmax(0, w0 - n*rate*dt), axis), 1e-9);
			assert_near3(look(world, 0).v, vec(0, 0, 0), 1e-11);
		}
		talus_energy e = talus_world_energy(world);
		// the last step is shared
		double all = 0.5*inertia*w0*w0, rolled = twist ? 0 : all*roll/(mu + roll), size = 3*press*w0*dt;
		assert_near(e.torsion, twist ? all : 0, 1e-9);
		assert_near(e.rolling, rolled, twist ? 1e-9 : size);
		assert_near(e.rolling + e.friction + e.torsion, all, 1e-9);
		talus_world_destroy(world);
	}
}

static void test_rolling(void **state)
{
	(void)state;
	for_all(is_pressed);
	for_all(brakes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cohesion),
		cmocka_unit_test(test_restitution),
		cmocka_unit_test(test_rolling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
