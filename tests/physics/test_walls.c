// SPDX-License-Identifier: MIT
// Walls that move, are moved, have a hole, a tip or an end.
#include "physics.h"

static const double steps[] = {0.01, 0.0025};
static const double g = 9.81;

static vec3 upward(int dimension)
{
	return dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
}

static talus_world *world_with_gravity(int dimension, double dt, double mu)
{
	talus_world_def def = exact_def(dimension, dt);
	def.gravity = mul(-g, upward(dimension));
	return world_of(&def, mu);
}

// ---------------------------------------------------------------- pistons

// A plate of mass 5 at a height, facing down, free up and down, pressed by a force.
static int put_piston(talus_world *world, double height, vec3 normal, double push, bool weightless)
{
	int dimension = world->state.def.dimension;
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = mul(height, upward(dimension));
	def.axis = normal;
	def.mass = 5;
	def.force = mul(-push, upward(dimension));
	def.free = dimension == 2 ? TALUS_FREE_Y : TALUS_FREE_Z;
	def.weightless = weightless;
	return talus_world_add_wall(world, &def);
}

// A piston at rest passes on its force and its weight, through the grains to the floor, and nothing to the
// sides.
static void test_piston_at_rest(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int weightless = 0; weightless < 2; weightless++) {
				talus_world *world = world_with_gravity(dimension, steps[s], 0.4);
				vec3 up = upward(dimension);
				int floor = put_plane(world, vec(0, 0, 0), up);
				int piston = put_piston(world, 2, neg(up), 7, weightless);
				double weight = 0, load = 7 + (weightless ? 0 : 5*g);
				for (int i = 0; i < 3; i++) {
					uint32_t id = put_grain(world, mul_add(up, 3*i, vec(1, 0, 0)), 1, vec(0, 0, 0));
					weight += g*look(world, id).m;
				}
				run(world, 50);
				assert_near3(talus_world_wall(world, piston).force, mul(load, up), 1e-9*load);
				assert_near3(talus_world_wall(world, floor).force, mul(-(load + weight), up), 1e-9*load);
				assert_near3(talus_world_wall(world, piston).position, mul(2, up), 1e-10);
				talus_world_destroy(world);
			}
}

// A piston falls freely under its force and its weight, in its free direction only, until it lands on a
// grain: with a mass larger than the grain's between floor and itself, it stops there.
static void test_piston_falls(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = world_with_gravity(dimension, steps[s], 0.4);
			vec3 up = upward(dimension);
			put_plane(world, vec(0, 0, 0), up);
			int piston = put_piston(world, 4, neg(up), 10, false);
			world->state.walls.at[piston].def.force.x = 100; // it is not free to follow
			put_grain(world, up, 1, vec(0, 0, 0));
			double a = 10.0/5 + g;
			int n = (int)(0.4/steps[s]);
			run(world, n);
			double t = n*steps[s];
			assert_near3(talus_world_wall(world, piston).velocity, mul(-a*t, up), 1e-10);
			assert_near3(talus_world_wall(world, piston).position, mul(4 - 0.5*a*t*(t + steps[s]), up),
				1e-10);
			run(world, 2*n);
			assert_near3(talus_world_wall(world, piston).position, mul(2, up), 1e-9);
			assert_near3(talus_world_wall(world, piston).velocity, vec(0, 0, 0), 1e-9);
			talus_world_destroy(world);
		}
}

// A tilted piston that can only go down drives a ball away along the floor, like a wedge: without friction,
// by w = F/(M + m cot^2) down and w cot(alpha) sideways, where F is force and weight and alpha the tilt of
// the plate.
static void test_wedge(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (double alpha = 0.3; alpha < 1.3; alpha += 0.4) {
				talus_world *world = world_with_gravity(dimension, steps[s], 0);
				vec3 up = upward(dimension), n = add(vec(sin(alpha), 0, 0), mul(-cos(alpha), up));
				put_plane(world, vec(0, 0, 0), up);
				int piston = put_piston(world, 0, n, 3, false);
				// touching: the plate goes through the origin, the ball's centre is one radius from it
				vec3 at = vec((1 + cos(alpha))/sin(alpha), 0, 0);
				uint32_t ball = put_grain(world, add(at, up), 1, vec(0, 0, 0));
				double m = look(world, ball).m, cot = 1/tan(alpha), w = (3 + 5*g)/(5 + m*cot*cot);
				run(world, 20);
				double t = 20*steps[s];
				assert_near3(talus_world_wall(world, piston).velocity, mul(-w*t, up), 1e-8);
				assert_near3(look(world, ball).v, vec(w*cot*t, 0, 0), 1e-8);
				talus_world_destroy(world);
			}
}

// ---------------------------------------------------------------- shaking

typedef struct ride {
	double left_at, most; // time when it leaves the floor, highest gap
} ride;

static ride shaken(int dimension, double dt, double acceleration)
{
	double frequency = 2, omega = 2*PI*frequency;
	talus_world *world = world_with_gravity(dimension, dt, 0.3);
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	floor.axis = floor.oscillate_direction = upward(dimension);
	floor.oscillate_amplitude = acceleration/(omega*omega);
	floor.oscillate_frequency = frequency;
	talus_world_add_wall(world, &floor);
	put_grain(world, upward(dimension), 1, vec(0, 0, 0));
	ride r = {INFINITY, 0};
	for (int n = 1; n <= (int)(0.5/dt); n++) {
		talus_world_step(world);
		double height = acceleration/(omega*omega)*sin(omega*n*dt);
		assert_near3(talus_world_wall(world, 0).position, mul(height, upward(dimension)), 1e-12);
		double gap = dot(look(world, 0).x, upward(dimension)) - 1 - height;
		assert_below(-1e-9, gap);
		if (gap > 1e-10 && r.left_at == INFINITY)
			r.left_at = n*dt;
		r.most = fmax(r.most, gap);
	}
	talus_world_destroy(world);
	return r;
}

// Highest gap of a ball that is thrown up by a floor A sin(omega t) when the floor's acceleration passes
// -g, found by a fine scan.
static double thrown_up(double acceleration, double *leaves)
{
	double omega = 4*PI, A = acceleration/(omega*omega), most = 0;
	double t0 = asin(g/acceleration)/omega, z0 = A*sin(omega*t0), v0 = A*omega*cos(omega*t0);
	for (double t = t0; t < 0.5; t += 1e-6)
		most = fmax(most, z0 + v0*(t - t0) - 0.5*g*(t - t0)*(t - t0) - A*sin(omega*t));
	*leaves = t0;
	return most;
}

// A ball rides on a shaking floor as long as the floor never goes down faster than with g. Beyond, it flies
// off in the moment when it does, up to an error of the order of the step.
static void test_shaking(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		double leaves, most = thrown_up(1.5*g, &leaves), error[2];
		for (size_t s = 0; s < 2; s++) {
			assert_near(shaken(dimension, steps[s], 0.95*g).most, 0, 1e-10);
			ride r = shaken(dimension, steps[s], 1.5*g);
			assert_near(r.left_at, leaves, 2*steps[s]);
			error[s] = fabs(r.most - most);
		}
		assert_below(error[0], 0.2*most);
		assert_below(error[1], 0.4*error[0]); // a quarter, for a quarter of the step
	}
}

// ---------------------------------------------------------------- holes

static talus_world *sieve(int dimension, double dt, double mu, double hole)
{
	talus_world *world = world_with_gravity(dimension, dt, mu);
	talus_wall_def plate = talus_wall_def_default(TALUS_WALL_PLANE);
	plate.axis = upward(dimension);
	plate.has_hole = true;
	plate.hole_radius = hole;
	talus_world_add_wall(world, &plate);
	return world;
}

// A ball falls through a hole that is larger than itself as if nothing were there.
static void test_hole_passes(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (double off = 0; off < 0.3; off += 0.19) {
				talus_world *world = sieve(dimension, steps[s], 0.5, 1.2);
				put_grain(world, add(vec(off, 0, 0), mul(3, upward(dimension))), 1, vec(0, 0, 0));
				int n = (int)(1.2/steps[s]);
				run(world, n);
				double fallen = 0.5*g*n*(n + 1)*steps[s]*steps[s];
				assert_near3(look(world, 0).x, add(vec(off, 0, 0), mul(3 - fallen, upward(dimension))), 1e-9);
				talus_world_destroy(world);
			}
}

// One that hits the rim of a hole that is wide enough slips in.
static void test_hole_rim(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = sieve(dimension, steps[s], 0, 1.2);
			put_grain(world, add(vec(0.6, 0, 0), mul(2, upward(dimension))), 1, vec(0, 0, 0));
			run(world, (int)(1.5/steps[s]));
			assert_below(dot(look(world, 0).x, upward(dimension)), -1.5);
			talus_world_destroy(world);
		}
}

// One that is too large gets stuck at the height sqrt(r^2 - R^2), and its weight is on the rim. It may come
// from below as well.
static void test_hole_catches(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int below = 0; below < 2; below++) {
				talus_world *world = sieve(dimension, steps[s], 0.5, 0.6);
				vec3 up = upward(dimension);
				if (below)
					world->state.def.gravity = neg(world->state.def.gravity);
				double side = below ? -1 : 1;
				put_grain(world, mul(1.5*side, up), 1, vec(0, 0, 0));
				run(world, (int)(2/steps[s]));
				grain ball = look(world, 0);
				assert_near3(ball.x, mul(0.8*side, up), 1e-9);
				assert_near3(ball.v, vec(0, 0, 0), 1e-9);
				assert_near3(talus_world_wall(world, 0).force, mul(-ball.m*g*side, up), 1e-8*ball.m*g);
				talus_world_destroy(world);
			}
}

// Beside its hole, the plate is a plane with two sides.
static void test_plate(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int side = -1; side <= 1; side += 2) {
			talus_world *world = sieve(dimension, 0.01, 0.5, 0.6);
			vec3 up = upward(dimension);
			world->state.def.gravity = mul(-g*side, up);
			put_grain(world, add(vec(0.7, 0, 0), mul(side, up)), 1, vec(0, 0, 0));
			run(world, 50);
			assert_near3(look(world, 0).x, add(vec(0.7, 0, 0), mul(side, up)), 1e-12);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a hopper

static talus_world *hopper(double dt, double mu, double degrees, double mouth)
{
	talus_world *world = world_with_gravity(3, dt, mu);
	talus_wall_def cone = talus_wall_def_default(TALUS_WALL_CONE);
	cone.angle = degrees;
	cone.from = mouth/tan(degrees*PI/180);
	cone.last = 20;
	talus_world_add_wall(world, &cone);
	return world;
}

// Inside a cone a ball runs down a straight line, rolling with 5/7 of g cos(angle), sliding with all of it
// where nothing rubs, and falls through the mouth.
static void test_cone(void **state)
{
	(void)state;
	static const double angles[] = {30, 55};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (size_t k = 0; k < COUNT(angles); k++)
			for (int rough = 0; rough < 2; rough++) {
				talus_world *world = hopper(steps[s], rough ? 2 : 0, angles[k], 1.5);
				double angle = angles[k]*PI/180, high = 10;
				vec3 around = vec(0.6, 0.8, 0);
				vec3 line = add(mul(cos(angle), vec(0, 0, 1)), mul(sin(angle), around));
				vec3 inward = sub(mul(sin(angle), vec(0, 0, 1)), mul(cos(angle), around));
				put_grain(world, add(mul(high, line), inward), 1, vec(0, 0, 0));
				double a = g*cos(angle)*(rough ? 5.0/7 : 1);
				int n = (int)(1/steps[s]);
				run(world, n);
				assert_near3(look(world, 0).v, mul(-a*n*steps[s], line), 1e-8);
				assert_near3(look(world, 0).spin, mul(rough ? -a*n*steps[s] : 0, cross(inward, line)), 1e-8);
				run(world, (int)(2/steps[s]));
				grain ball = look(world, 0);
				assert_below(ball.x.z, 0);
				run(world, 10);
				assert_near3(look(world, 0).v, mul_add(ball.v, 10*steps[s], world->state.def.gravity), 1e-9);
				talus_world_destroy(world);
			}
}

// A ball too large for the mouth sits in the cone at r/sin(angle) above its tip; the cone carries it all
// around.
static void test_cone_catches(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (double degrees = 30; degrees < 60; degrees += 20) {
			talus_world *world = hopper(steps[s], 0.3, degrees, 0.2);
			double high = 1/sin(degrees*PI/180);
			put_grain(world, vec(0, 0, high + 1), 1, vec(0, 0, 0));
			run(world, (int)(2/steps[s]));
			grain ball = look(world, 0);
			assert_near3(ball.x, vec(0, 0, high), 1e-9);
			assert_near3(ball.v, vec(0, 0, 0), 1e-9);
			assert_near3(talus_world_wall(world, 0).force, vec(0, 0, -ball.m*g), 1e-8*ball.m*g);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a segment

// A ball that crosses most of a ring within one step, a slit, a hole or the mouth of a cone, stops at its far side: it is
// the near one when it starts.
static void test_across_a_ring(void **state)
{
	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		int dimension = kind == 0 ? 2 : 3;
		talus_world_def def = exact_def(dimension, 1);
		talus_world *world = world_of(&def, 0);
		talus_wall_def ring = talus_wall_def_default(kind < 2 ? TALUS_WALL_PLANE : TALUS_WALL_CONE);
		ring.axis = upward(dimension);
		ring.has_hole = kind < 2;
		ring.hole_radius = 1.2;
		ring.point = kind < 2 ? vec(0, 0, 0) : vec(0, 0, -1.2);
		ring.from = 1.2;
		ring.last = 5;
		talus_world_add_wall(world, &ring);
		uint32_t id = put_grain(world, vec(-0.05, 0, 0), 1, vec(1, 0, 0));
		run(world, 1);
		assert_near(look(world, id).x.x, 0.2, kind < 2 ? 1e-9 : 0.1);
		run(world, 3);
		assert_true(look(world, id).x.x < 0.3);
		talus_world_destroy(world);
	}
}

// A disk rolls down a ramp with 2/3 g sin(theta), turns over its round end without losing its grip at once,
// and falls off.
static void test_segment(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int way = -1; way <= 1; way += 2) {
			double theta = 0.3, dt = steps[s];
			talus_world *world = world_with_gravity(2, dt, 1);
			talus_wall_def ramp = talus_wall_def_default(TALUS_WALL_SEGMENT);
			vec3 down = vec(way*cos(theta), -sin(theta), 0), up = vec(way*sin(theta), cos(theta), 0);
			ramp.point = mul(-3, down);
			ramp.to = mul(3, down);
			talus_world_add_wall(world, &ramp);
			put_grain(world, add(mul(-2.5, down), mul(0.5, up)), 0.5, vec(0, 0, 0));
			double a = g*sin(theta)*2/3, end = 5.5;
			int n = (int)(sqrt(2*end/a)/dt) - 5;
			run(world, n);
			assert_near3(look(world, 0).v, mul(a*n*dt, down), 1e-9);
			assert_near(look(world, 0).spin.z, -way*a*n*dt/0.5, 1e-8);
			for (int k = 0; k < (int)(1.5/dt); k++) {
				talus_world_step(world);
				assert_below(0.5 - 30*dt, norm(sub(look(world, 0).x, ramp.to))); // never deep in the end
			}
			grain disk = look(world, 0);
			assert_below(disk.x.y, -5);
			assert_below(3*cos(theta), way*disk.x.x);
			run(world, 5);
			assert_near3(look(world, 0).v, mul_add(disk.v, 5*dt, world->state.def.gravity), 1e-10);
			talus_world_destroy(world);
		}
}

// It holds from below, too, and a disk set on its very end, straight above, balances.
static void test_segment_sides(void **state)
{
	(void)state;
	for (int side = -1; side <= 1; side += 2)
		for (int place = 0; place < 2; place++) {
			talus_world *world = world_with_gravity(2, 0.01, 0.5);
			world->state.def.gravity.y = -g*side;
			talus_wall_def bar = talus_wall_def_default(TALUS_WALL_SEGMENT);
			bar.point = vec(-1, 2, 0);
			bar.to = vec(3, 2, 0);
			talus_world_add_wall(world, &bar);
			put_grain(world, vec(place ? 3 : 1.3, 2 + side, 0), 1, vec(0, 0, 0));
			run(world, 50);
			assert_near3(look(world, 0).x, vec(place ? 3 : 1.3, 2 + side, 0), 1e-12);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- grains with locked directions

// Hits a bead on a wire along x with a free ball along n. Of the two, the one that comes first is body a of
// the contact.
static void hit_bead(int dimension, double dt, double mu, bool bead_first)
{
	talus_world_def def = exact_def(dimension, dt);
	talus_world *world = world_of(&def, mu);
	vec3 n = dimension == 2 ? vec(-0.6, 0.8, 0) : vec(-0.48, 0.64, 0.6);
	talus_grain_def bead = talus_grain_def_default();
	bead.radius = 2;
	bead.free = TALUS_FREE_X;
	uint32_t bead_id = bead_first ? talus_world_add_grain(world, &bead) : 1;
	uint32_t ball_id = put_grain(world, mul(3, n), 1, mul(-2, n));
	if (!bead_first)
		talus_world_add_grain(world, &bead);
	double M = look(world, bead_id).m, m = look(world, ball_id).m, p = 2/(1/m + n.x*n.x/M);
	talus_world_step(world);
	grain hit = look(world, bead_id), ball = look(world, ball_id);
	assert_near3(hit.x, mul(dt, hit.v), 1e-12);
	assert_near(hit.v.y, 0, 0);
	assert_near(hit.v.z, 0, 0);
	if (mu == 0) {
		assert_near(hit.v.x, -p*n.x/M, 1e-12);
		assert_near3(ball.v, mul(-2 + p/m, n), 1e-12);
	}
	assert_near(m*ball.v.x + M*hit.v.x, -2*m*n.x, 1e-12*M); // along the wire nothing else pushes
	assert_near(dot(sub(ball.v, hit.v), n), 0, 1e-12);
	talus_world_destroy(world);
}

// A bead on a wire takes its share of a hit, -u_n/(1/m + n_x^2/M) without friction. The wire takes the
// rest: nothing moves the bead off it.
static void test_bead(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (double mu = 0; mu < 0.6; mu += 0.5)
				for (int bead_first = 0; bead_first < 2; bead_first++)
					hit_bead(dimension, steps[s], mu, bead_first);
}

// A bead that is pressed against a slope is stopped by it, and slides no other way either.
static void test_bead_at_slope(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (double mu = 0; mu < 0.6; mu += 0.5) {
				talus_world_def def = exact_def(dimension, steps[s]);
				talus_world *world = world_of(&def, mu);
				vec3 n = dimension == 2 ? vec(0.6, 0.8, 0) : vec(0.6, 0.48, 0.64);
				put_plane(world, neg(n), n);
				talus_grain_def bead = talus_grain_def_default();
				bead.free = TALUS_FREE_X;
				bead.force = vec(-1, -2, dimension == 2 ? 0 : -3);
				bead.velocity = vec(-1, 0, 0);
				talus_world_add_grain(world, &bead);
				run(world, 20);
				assert_near3(look(world, 0).v, vec(0, 0, 0), 1e-12);
				assert_near3(look(world, 0).x, vec(0, 0, 0), 1e-12);
				assert_near(talus_world_wall(world, 0).force.x, -1, 1e-9);
				talus_world_destroy(world);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_piston_at_rest),
		cmocka_unit_test(test_piston_falls),
		cmocka_unit_test(test_wedge),
		cmocka_unit_test(test_shaking),
		cmocka_unit_test(test_hole_passes),
		cmocka_unit_test(test_hole_rim),
		cmocka_unit_test(test_hole_catches),
		cmocka_unit_test(test_plate),
		cmocka_unit_test(test_cone),
		cmocka_unit_test(test_cone_catches),
		cmocka_unit_test(test_segment),
		cmocka_unit_test(test_segment_sides),
		cmocka_unit_test(test_across_a_ring),
		cmocka_unit_test(test_bead),
		cmocka_unit_test(test_bead_at_slope),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
