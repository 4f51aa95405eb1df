// SPDX-License-Identifier: MIT
// One grain on a floor, an incline, a belt or in a drum. Implicit Euler with exact friction gives most of
// these without any error of the time step: what friction takes per step is known exactly as long as it
// slides, and rolling is imposed, not approached.
#include "physics.h"

static const double steps[] = {0.1, 0.01, 0.0013};
static const double g = 9.81;

// Share of the tangential inverse mass that is due to spin, r^2 m/I: 5/2 for balls, 2 for disks.
static double spin_share(int dimension)
{
	return dimension == 2 ? 2 : 2.5;
}

typedef struct lane { // a floor (maybe tilted) with one grain on it
	talus_world *world;
	vec3 along, up;
	double r;
} lane;

// `tilt` turns gravity and leaves the floor, or turns the floor and leaves gravity. In 3D the lane runs
// askew.
static lane lane_create(int dimension, double dt, double mu, double tilt, bool turn_floor,
	talus_grain_def grain_def)
{
	talus_world_def def = exact_def(dimension, dt);
	lane l = {.r = 0.7, .along = vec(1, 0, 0), .up = vec(0, 1, 0)};
	vec3 level = vec(1, 0, 0), upright = vec(0, 1, 0);
	if (dimension == 3) {
		level = vec(0.6, 0.8, 0);
		upright = vec(0, 0, 1);
	}
	double floor_tilt = turn_floor ? tilt : 0;
	l.along = add(mul(cos(floor_tilt), level), mul(-sin(floor_tilt), upright)); // downhill
	l.up = add(mul(sin(floor_tilt), level), mul(cos(floor_tilt), upright));
	def.gravity = turn_floor ? mul(-g, upright) : add(mul(g*sin(tilt), level), mul(-g*cos(tilt), upright));
	l.world = world_of(&def, mu);
	put_plane(l.world, mul(0.5, level), l.up); // the floor's point is anywhere on it
	grain_def.radius = l.r;
	grain_def.at = mul_add(add(mul(0.5, level), mul(l.r, l.up)), 0.25, l.along);
	grain_def.velocity = mul(grain_def.velocity.x, l.along); // velocities are given along the lane
	talus_world_add_grain(l.world, &grain_def);
	return l;
}

static double speed(const lane *l)
{
	return dot(look(l->world, 0).v, l->along);
}

// Speed of the surface of the grain due to its spin, counted so that rolling is speed == rolled.
static double rolled(const lane *l)
{
	return l->r*dot(look(l->world, 0).spin, cross(l->up, l->along));
}

static void check_on_floor(const lane *l)
{
	grain b = look(l->world, 0);
	assert_near(dot(b.v, l->up), 0, 1e-11);
	assert_near3(cross(l->along, sub(b.v, mul(dot(b.v, l->along), l->along))), vec(0, 0, 0), 1e-11);
}

static talus_grain_def launched(double v0)
{
	talus_grain_def def = talus_grain_def_default();
	def.velocity.x = v0;
	return def;
}

// ---------------------------------------------------------------- without a floor

// Under gravity alone a grain falls by v_n = v_0 + n g dt, and x_n = x_0 + n v_0 dt + n(n + 1)/2 g dt^2:
// the implicit sum.
static void test_fall(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world_def def = exact_def(dimension, steps[s]);
			def.gravity = dimension == 2 ? vec(1, -g, 0) : vec(1, 2, -g);
			talus_world *world = world_of(&def, 0.5);
			vec3 v0 = dimension == 2 ? vec(3, 4, 0) : vec(3, -1, 4), x0 = vec(1, 2, 0);
			put_grain(world, x0, 0.3, v0);
			int n = 200;
			run(world, n);
			vec3 x = add(x0, add(mul(n*steps[s], v0), mul(0.5*n*(n + 1)*steps[s]*steps[s], def.gravity)));
			assert_near3(look(world, 0).v, mul_add(v0, n*steps[s], def.gravity), 1e-10);
			assert_near3(look(world, 0).x, x, 1e-9);
			assert_near(talus_world_time(world), n*steps[s], 1e-12);
			talus_world_destroy(world);
		}
}

// A constant force moves a grain as gravity does, in the share of its mass, and only where it is free to
// go.
static void test_locked_force(void **state)
{
	(void)state;
	static const unsigned frees[] = {TALUS_FREE_X, TALUS_FREE_Y | TALUS_FREE_SPIN,
		TALUS_FREE_X | TALUS_FREE_Y, 0};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (size_t f = 0; f < COUNT(frees); f++) {
			talus_world_def def = exact_def(3, steps[s]);
			talus_world *world = world_of(&def, 0.5);
			talus_grain_def grain_def = launched(0);
			grain_def.force = vec(1, 2, 3);
			grain_def.velocity = vec(0.5, 0, 0);
			grain_def.free = frees[f];
			talus_world_add_grain(world, &grain_def);
			run(world, 50);
			grain b = look(world, 0);
			double t = 50*steps[s]/b.m;
			vec3 v = vec(0.5 + (frees[f] & TALUS_FREE_X ? t : 0), frees[f] & TALUS_FREE_Y ? 2*t : 0, 0);
			assert_near3(b.v, v, 1e-10);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- sliding and rolling

// A sliding block (a grain that cannot turn) loses mu g dt per step, no matter how long the step is, and
// stays where it stops.
static void test_block(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double mu = 0.3, v0 = 5, dt = steps[s];
			talus_grain_def block = launched(v0);
			block.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
			lane l = lane_create(dimension, dt, mu, 0, false, block);
			double way0 = dot(look(l.world, 0).x, l.along);
			int stop = (int)ceil(v0/(mu*g*dt));
			for (int n = 1; n <= stop + 5; n++) {
				run(l.world, 1);
				assert_near(speed(&l), fmax(0, v0 - n*mu*g*dt), 1e-10);
				check_on_floor(&l);
			}
			assert_near(dot(look(l.world, 0).x, l.along) - way0, v0*v0/(2*mu*g), 0.5*v0*dt + mu*g*dt*dt);
			assert_near(rolled(&l), 0, 0);
			talus_world_destroy(l.world);
		}
}

// A ball thrown sliding on a rough floor ends up rolling at 5/7 of its speed (a disk 2/3): the answer
// depends neither on friction, nor on the time step, nor on when it stops sliding, which is after 2 v0/(7
// mu g) (disk v0/(3 mu g)), to the step.
static void test_launched(void **state)
{
	(void)state;
	static const double mus[] = {0.1, 0.45};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t m = 0; m < COUNT(mus); m++) {
				double v0 = 4, dt = steps[s], k = spin_share(dimension), lasts = v0/((1 + k)*mus[m]*g);
				lane l = lane_create(dimension, dt, mus[m], 0, false, launched(v0));
				int n = 0;
				do {
					run(l.world, 1);
					n++;
				} while (speed(&l) - rolled(&l) > 1e-10 && n < 100000);
				assert_int_equal(n, (int)ceil(lasts/dt));
				assert_near(speed(&l), v0*k/(1 + k), 1e-10);
				run(l.world, 20);
				assert_near(speed(&l), v0*k/(1 + k), 1e-10);
				assert_near(rolled(&l), v0*k/(1 + k), 1e-10);
				check_on_floor(&l);
				talus_world_destroy(l.world);
			}
}

// The other way round: a grain that is set down spinning runs off, at 2/7 of its surface speed (disk 1/3).
static void test_set_down_spinning(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_grain_def spinning = launched(0);
			lane l = lane_create(dimension, steps[s], 0.4, 0, false, spinning);
			l.world->state.bodies.spin[0] = mul(3/l.r, cross(l.up, l.along));
			run(l.world, (int)(2/steps[s]));
			assert_near(speed(&l), 3/(1 + spin_share(dimension)), 1e-10);
			assert_near(rolled(&l), speed(&l), 1e-10);
			talus_world_destroy(l.world);
		}
}

// Down an incline a ball rolls with 5/7 g sin(theta) as long as tan(theta) <= 7/2 mu (a disk with 2/3, up
// to 3 mu); on a steeper one it slides with g (sin - mu cos), and friction spins it up at its own pace.
static void check_incline(int dimension, double dt, double share, bool turn_floor)
{
	double mu = 0.2, k = spin_share(dimension), theta = atan(share*(1 + k)*mu);
	lane l = lane_create(dimension, dt, mu, theta, turn_floor, launched(0));
	bool rolls = share < 1;
	double a = rolls ? g*sin(theta)*k/(1 + k) : g*(sin(theta) - mu*cos(theta));
	double spun = rolls ? a : k*mu*g*cos(theta);
	int last = (int)(1.5/dt);
	for (int n = 1; n <= last; n++) {
		run(l.world, 1);
		assert_near(speed(&l), a*n*dt, 1e-9);
		assert_near(rolled(&l), spun*n*dt, 1e-9);
	}
	check_on_floor(&l);
	vec3 load = talus_world_wall(l.world, 0).force;
	double weight = look(l.world, 0).m*g;
	assert_near(dot(load, l.up), -weight*cos(theta), 1e-9*weight);
	assert_near(dot(load, l.along), weight*sin(theta) - look(l.world, 0).m*a, 1e-9*weight);
	talus_world_destroy(l.world);
}

static void test_incline(void **state)
{
	(void)state;
	static const double shares[] = {0.2, 0.99, 1.01, 2.5};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t k = 0; k < COUNT(shares); k++)
				for (int turn_floor = 0; turn_floor < 2; turn_floor++)
					if (steps[s] > 0.005 || (k + (size_t)dimension)%2 == (size_t)turn_floor) // short steps take long
						check_incline(dimension, steps[s], shares[k], turn_floor);
}

// A block on an incline rests, to the last digit, if tan(theta) < mu, and slides with g (sin - mu cos) if
// not.
static void test_block_on_incline(void **state)
{
	(void)state;
	static const double shares[] = {0.5, 0.99, 1.01, 2};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t k = 0; k < COUNT(shares); k++) {
				double mu = 0.6, theta = atan(shares[k]*mu), a = fmax(0, g*(sin(theta) - mu*cos(theta)));
				talus_grain_def block = launched(0);
				block.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
				lane l = lane_create(dimension, steps[s], mu, theta, k%2, block);
				run(l.world, 50);
				assert_near(speed(&l), a*50*steps[s], 1e-10);
				talus_world_destroy(l.world);
			}
}

// ---------------------------------------------------------------- a belt

// A belt that runs under a block at rest takes it along with mu g until both have the same speed; the belt
// feels the friction as long as that lasts, and the weight for ever.
static void test_belt(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int turns = 0; turns < 2; turns++) {
				double mu = 0.25, dt = steps[s], belt = 2, k = turns ? spin_share(dimension) : 0;
				talus_grain_def block = launched(0);
				if (!turns)
					block.free = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
				lane l = lane_create(dimension, dt, mu, 0, false, block);
				l.world->state.walls.at[0].def.velocity = mul(belt, l.along);
				double weight = look(l.world, 0).m*g;
				int until = (int)ceil(belt/((1 + k)*mu*g*dt)); // it slides less long if it starts to roll
				for (int n = 1; n < until; n++) {
					run(l.world, 1);
					assert_near(speed(&l), n*mu*g*dt, 1e-10);
					vec3 force = add(mul(-mu*weight, l.along), mul(-weight, l.up));
					assert_near3(talus_world_wall(l.world, 0).force, force, 1e-9*weight);
				}
				run(l.world, 5);
				assert_near(speed(&l), belt/(1 + k), 1e-10);
				assert_near(speed(&l) - rolled(&l), belt, 1e-10);
				assert_near3(talus_world_wall(l.world, 0).force, mul(-weight, l.up), 1e-9*weight);
				talus_world_destroy(l.world);
			}
}

// ---------------------------------------------------------------- a drum

typedef struct drum {
	talus_world *world;
	double radius, spin;
	vec3 axis;
} drum;

// A drum that turns with a grain of radius 0.5 inside, at an angle from the lowest point, in the sense of
// the drum.
static drum drum_create(int dimension, double dt, double mu, double angle, unsigned free)
{
	talus_world_def def = exact_def(dimension, dt);
	def.gravity = dimension == 2 ? vec(0, -g, 0) : vec(0, 0, -g);
	drum d = {.world = world_of(&def, mu), .radius = 3, .spin = 1.5};
	d.axis = dimension == 2 ? vec(0, 0, 1) : vec(0, 1, 0);
	talus_wall_def wall_def = talus_wall_def_default(TALUS_WALL_CYLINDER);
	wall_def.axis = d.axis;
	wall_def.radius = d.radius;
	wall_def.spin = d.spin;
	talus_world_add_wall(d.world, &wall_def);
	talus_grain_def ball = launched(0);
	ball.radius = 0.5;
	ball.at = turn(mul(d.radius - ball.radius, unit(def.gravity)), d.axis, angle);
	ball.free = free;
	talus_world_add_grain(d.world, &ball);
	return d;
}

// Its surface as fast as the drum's, a ball stays at the bottom of a turning drum and just spins.
static void test_ball_in_drum(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			drum d = drum_create(dimension, steps[s], 0.3, 0, TALUS_FREE_ALL);
			d.world->state.bodies.spin[0] = mul(d.spin*d.radius/0.5, d.axis);
			vec3 at = look(d.world, 0).x;
			run(d.world, 300);
			assert_near3(look(d.world, 0).x, at, 1e-10);
			assert_near3(look(d.world, 0).v, vec(0, 0, 0), 1e-10);
			assert_near3(look(d.world, 0).spin, mul(d.spin*d.radius/0.5, d.axis), 1e-9);
			talus_world_destroy(d.world);
		}
}

// A ball laid at rest into a turning drum is carried up by friction, mu g at first, and spun up; from then
// on it rolls on the drum's surface, wherever it swings.
static void test_ball_spun_up(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double mu = 0.3, dt = steps[s], k = spin_share(dimension);
			drum d = drum_create(dimension, dt, mu, 0, TALUS_FREE_ALL);
			run(d.world, 1);
			grain ball = look(d.world, 0);
			assert_near(norm(ball.v), mu*g*dt, 1e-11);
			assert_near(dot(ball.spin, d.axis)*ball.r, k*mu*g*dt, 1e-11);
			run(d.world, (int)(2/dt));
			for (int n = 0; n < 20; n++) {
				// the contact is where the ball was at the start of the step
				vec3 out = unit(look(d.world, 0).x);
				double apart = fabs(norm(look(d.world, 0).x) + ball.r - d.radius); // then the contact is not on the wall
				run(d.world, 1);
				ball = look(d.world, 0);
				vec3 surface = add(ball.v, cross(ball.spin, mul(ball.r, out)));
				vec3 moving = mul(d.spin*d.radius, cross(d.axis, out));
				double limit = d.spin*1.01*apart + 1e-9;
				assert_near(dot(sub(surface, moving), cross(d.axis, out)), 0, limit);
				assert_near(dot(surface, d.axis), 0, 1e-9);
			}
			talus_world_destroy(d.world);
		}
}

// A block in a turning drum finds its place where the slope is mu, whatever the speed of the drum. Below,
// it is dragged up.
static void test_block_in_drum(void **state)
{
	(void)state;
	unsigned no_spin = TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double mu = 0.3, dt = steps[s];
			drum d = drum_create(dimension, dt, mu, atan(mu), no_spin);
			vec3 at = look(d.world, 0).x;
			run(d.world, 200);
			assert_near3(look(d.world, 0).x, at, 1e-9);
			double m = look(d.world, 0).m, torque = dot(talus_world_wall(d.world, 0).torque, d.axis);
			assert_near(torque, -mu*m*g*cos(atan(mu))*d.radius, 1e-9*m*g);
			talus_world_destroy(d.world);
			for (double angle = 0; angle < 0.6; angle += 0.2) {
				d = drum_create(dimension, dt, mu, angle, no_spin);
				vec3 out = unit(look(d.world, 0).x);
				run(d.world, 1);
				double a = g*(mu*cos(angle) - sin(angle));
				assert_near(dot(look(d.world, 0).v, cross(d.axis, out)), a*dt, 1e-11);
				talus_world_destroy(d.world);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fall),
		cmocka_unit_test(test_locked_force),
		cmocka_unit_test(test_block),
		cmocka_unit_test(test_launched),
		cmocka_unit_test(test_set_down_spinning),
		cmocka_unit_test(test_incline),
		cmocka_unit_test(test_block_on_incline),
		cmocka_unit_test(test_belt),
		cmocka_unit_test(test_ball_in_drum),
		cmocka_unit_test(test_ball_spun_up),
		cmocka_unit_test(test_block_in_drum),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
