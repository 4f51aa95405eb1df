// SPDX-License-Identifier: MIT
// A ring: grains in its tube and around it, against what mechanics says, at several time steps.
#include "physics.h"

static const double steps[] = {0.01, 0.004, 0.001};
static const double R = 5, a = 2, r = 0.5, g = 1;

static talus_wall_def ring_def(vec3 axis, bool inside)
{
	talus_wall_def ring = talus_wall_def_default(TALUS_WALL_TORUS);
	ring.axis = axis;
	ring.radius = R;
	ring.tube = a;
	ring.inside = inside;
	return ring;
}

static talus_world *world_with(double dt, vec3 gravity, double mu, const talus_wall_def *ring)
{
	talus_world_def def = exact_def(3, dt);
	def.gravity = gravity;
	talus_world *world = world_of(&def, mu);
	assert_int_equal(talus_world_add_wall(world, ring), 0);
	return world;
}

static double energy_of(const talus_world *world, uint32_t id)
{
	grain b = look(world, id);
	return 0.5*dot(b.v, b.v) - dot(world->state.def.gravity, b.x);
}

// ---------------------------------------------------------------- moving in the tube

// Along the largest circle of the tube a ball needs the force m v^2/(R + a - r) to go round; along the smallest it would leave the wall
// at once, and it is the other side of the tube that turns it. It keeps its speed, and comes as far as it should.
static void test_round_the_outer_equator(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++) {
		double dt = steps[s], far = R + a - r, v = 2;
		vec3 axis = unit(vec(1, 2, 2)), out = any_tangent(axis), along = cross(axis, out);
		talus_wall_def ring = ring_def(axis, true);
		talus_world *world = world_with(dt, vec(0, 0, 0), 0, &ring);
		uint32_t ball = put_grain(world, mul(far, out), r, mul(v, along));
		for (int n = 0; n < 10; n++) {
			run(world, (int)lrint(1/dt));
			grain b = look(world, ball);
			double phi = v*(n + 1)/far;
			vec3 now = add(mul(cos(phi), out), mul(sin(phi), along));
			assert_near3(b.x, mul(far, now), 0.01*dt);
			assert_near(norm(b.v), v, 0.05*dt*dt);
			assert_near(norm(talus_world_wall(world, 0).force), b.m*v*v/far, 0.02*dt*dt);
			assert_near3(talus_world_wall(world, 0).force, mul(b.m*v*v/far, now), 0.2*dt);
		}
		talus_world_destroy(world);
	}
}

// Without friction a ball swings about the bottom as a pendulum: across the tube of a ring that lies with the length a - r, along the
// tube of one that stands with R + a - r. Its energy is what it was. Period to the fourth power of the angle.
static void test_pendulum(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int stands = 0; stands < 2; stands++) {
			double dt = steps[s], length = stands ? R + a - r : a - r, angle = 0.4, before = 1, at = 0;
			double period = 2*PI*sqrt(length/g)*(1 + angle*angle/16 + 11*pow(angle, 4)/3072);
			vec3 centre = stands ? vec(0, 0, 0) : vec(0, R, 0), aside = stands ? vec(1, 0, 0) : vec(0, 1, 0);
			talus_wall_def ring = ring_def(stands ? vec(0, 1, 0) : vec(0, 0, 1), true);
			talus_world *world = world_with(dt, vec(0, 0, -g), 0, &ring);
			vec3 start = add(mul(length*sin(angle), aside), vec(0, 0, -length*cos(angle)));
			uint32_t ball = put_grain(world, add(centre, start), r, vec(0, 0, 0));
			double energy = energy_of(world, ball), height = length*(1 - cos(angle));
			for (int passed = 0; passed < 5;) { // five times through the bottom: two turns and a quarter
				talus_world_step(world);
				assert_below(talus_world_time(world), 3*period);
				assert_near(energy_of(world, ball), energy, dt*height);
				double now = dot(sub(look(world, ball).x, centre), aside);
				passed += now*before < 0;
				at = now*before < 0 ? talus_world_time(world) - dt*now/(now - before) : at;
				before = now;
			}
			assert_near(at, 2.25*period, 0.6*dt + 1e-4*period);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- forces

// At rest on the bottom of the tube a ball weighs what it weighs, whichever way the ring lies; its wall pushes straight up.
static void test_at_rest_in_the_tube(void **state)
{
	(void)state;
	const vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 3, 4}};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (size_t k = 0; k < COUNT(axes); k++) {
			vec3 axis = unit(axes[k]);
			// the lowest point of the centre line, or any if all are; below it the wall
			vec3 low = k == 0 ? vec(R, 0, 0) : mul(R, unit(mul_add(vec(0, 0, -1), axis.z, axis)));
			talus_wall_def ring = ring_def(axis, true);
			talus_world *world = world_with(steps[s], vec(0, 0, -g), 0, &ring);
			uint32_t ball = put_grain(world, add(low, vec(0, 0, -(a - r))), r, vec(0, 0, 0));
			run(world, 50);
			assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -look(world, ball).m*g), 1e-12);
			assert_near3(look(world, ball).x, add(low, vec(0, 0, -(a - r))), 1e-9);
			talus_world_destroy(world);
		}
}

// A ball too large for the ring's hole lies on it all around: four contacts along the lines from the middle of the tube to the centre
// of the ball. Two that are opposite push alike; all four together carry its weight.
static void test_a_ball_in_the_ring(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++) {
		double large = 4, height = sqrt((large + a)*(large + a) - R*R), rise = height/(large + a);
		talus_wall_def ring = ring_def(vec(0, 0, 1), false);
		talus_world *world = world_with(steps[s], vec(0, 0, -g), 0, &ring);
		uint32_t ball = put_grain(world, vec(0, 0, height), large, vec(0, 0, 0));
		run(world, 50);
		double m = look(world, ball).m;
		assert_near3(look(world, ball).x, vec(0, 0, height), 1e-9);
		assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -m*g), 1e-9*m);
		assert_int_equal(talus_world_contacts(world), 4);
		double sum = 0;
		for (size_t i = 0; i < 4; i++) {
			talus_contact_state c = talus_world_contact(world, i);
			sum += norm(c.force);
			assert_near(c.n.z, rise, 1e-12);
			for (size_t k = 0; k < i; k++) {
				talus_contact_state other = talus_world_contact(world, k);
				if (dot(c.n, other.n) < 2*rise*rise - 1 + 1e-9) // the opposite one
					assert_near(norm(other.force), norm(c.force), 1e-8*m);
			}
		}
		assert_near(sum, m*g/rise, 1e-8*m);
		talus_world_destroy(world);
	}
}

// A ring with a mass lies as a piston on a ball that is held, and follows its force besides its weight.
static void test_a_ring_as_piston(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++) {
		double large = 4, height = sqrt((large + a)*(large + a) - R*R), t = 0.2;
		talus_wall_def ring = ring_def(vec(0, 0, 1), false);
		ring.mass = 3;
		ring.force = vec(7, 0, -2); // it is not free to follow the first part
		ring.free = TALUS_FREE_Z;
		ring.point = vec(0, 0, 0.5);
		talus_world *world = world_with(steps[s], vec(0, 0, -g), 0, &ring);
		talus_grain_def held = {.at = vec(0, 0, -height), .radius = large, .free = 0};
		talus_world_add_grain(world, &held);
		int n = (int)lrint(t/steps[s]);
		run(world, n);
		assert_near(talus_world_wall(world, 0).velocity.z, -(g + 2.0/3)*t, 1e-10);
		run(world, 10*n);
		assert_near3(talus_world_wall(world, 0).position, vec(0, 0, 0), 1e-8);
		assert_near(talus_world_wall(world, 0).force.z, 3*g + 2, 1e-8);
		talus_world_destroy(world);
	}
}

// A ring that spins about its axis keeps its form, and drags the ball that lies in it: friction mu m g along the tube, with the arm R.
// One that swings carries the ball with it.
static void test_a_ring_that_moves(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++) {
		double mu = 0.3, dt = steps[s];
		talus_wall_def ring = ring_def(vec(0, 0, 1), true);
		ring.spin = 2;
		talus_world *world = world_with(dt, vec(0, 0, -g), mu, &ring);
		uint32_t ball = put_grain(world, vec(R, 0, -(a - r)), r, vec(0, 0, 0));
		talus_world_step(world);
		double m = look(world, ball).m;
		assert_near3(look(world, ball).v, vec(0, mu*g*dt, 0), 1e-12);
		assert_near(talus_world_wall(world, 0).torque.z, -mu*m*g*R, 1e-10);
		talus_world_destroy(world);

		ring.spin = 0;
		ring.oscillate_direction = vec(0, 0, 1);
		ring.oscillate_amplitude = 0.1;
		ring.oscillate_frequency = 0.25; // acceleration 0.25 at most: it does not leave the wall
		world = world_with(dt, vec(0, 0, -g), mu, &ring);
		ball = put_grain(world, vec(R, 0, -(a - r)), r, vec(0, 0, 0));
		for (int k = 1; k <= 100; k++) {
			talus_world_step(world);
			assert_near(look(world, ball).x.z, r - a + 0.1*sin(0.5*PI*k*dt), 1e-9);
		}
		talus_world_destroy(world);
	}
}

// In a periodic cell a ring across an edge is there on the other side, too.
static void test_images(void **state)
{
	(void)state;
	for (int inside = 0; inside < 2; inside++) {
		talus_world_def def = exact_def(3, 0.01);
		def.gravity = vec(0, 0, -g);
		def.cell.size = vec(20, 20, 20);
		def.cell.periodic[0] = def.cell.periodic[1] = true;
		talus_world *world = world_of(&def, 0);
		talus_wall_def ring = ring_def(vec(0, 0, 1), inside);
		ring.point = vec(18, 1, 0);
		talus_world_add_wall(world, &ring);
		vec3 at = vec(18 + R - 20, 1, inside ? r - a : r + a); // beyond the edge
		uint32_t ball = put_grain(world, at, r, vec(0, 0, 0));
		run(world, 20);
		assert_int_equal(talus_world_contacts(world), 1); // with the one image in which it is
		assert_near3(look(world, ball).x, at, 1e-9);
		assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -look(world, ball).m*g), 1e-10);
		assert_near(talus_world_wall(world, 0).torque.y, R*look(world, ball).m*g, 1e-9); // about the centre that is near
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_the_outer_equator), cmocka_unit_test(test_pendulum),
		cmocka_unit_test(test_at_rest_in_the_tube),     cmocka_unit_test(test_a_ball_in_the_ring),
		cmocka_unit_test(test_a_ring_as_piston),        cmocka_unit_test(test_a_ring_that_moves),
		cmocka_unit_test(test_images),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
