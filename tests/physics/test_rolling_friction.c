// SPDX-License-Identifier: MIT
// Rolling and torsion friction of one and of two grains, and of a heap. A torque at its limit takes the same
// in every step, and one below its limit keeps the spin at zero, so most of these have no error of the time
// step at all.
#include "laws.h"

static const double steps[] = {0.02, 0.004, 0.0007};
static const double g = 9.81;

typedef struct lane { // a floor (maybe tilted) with one grain on it
	talus_world *world;
	vec3 along, up;
	double r;
} lane;

// `tilt` turns gravity and leaves the floor, or the other way round. In 3D the lane runs askew.
static lane lane_create(int dimension, double dt, talus_pair law, double tilt, bool turn_floor)
{
	talus_world_def def = exact_def(dimension, dt);
	lane l = {.r = 0.7};
	vec3 level = dimension == 2 ? vec(1, 0, 0) : vec(0.6, 0.8, 0);
	vec3 upright = dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
	double angle = turn_floor ? tilt : 0;
	l.along = add(mul(cos(angle), level), mul(-sin(angle), upright)); // downhill
	l.up = add(mul(sin(angle), level), mul(cos(angle), upright));
	def.gravity = turn_floor ? mul(-g, upright) : add(mul(g*sin(tilt), level), mul(-g*cos(tilt), upright));
	l.world = world_of_law(&def, law);
	put_plane(l.world, vec(0, 0, 0), l.up);
	put_grain(l.world, mul(l.r, l.up), l.r, vec(0, 0, 0));
	return l;
}

static double speed(const lane *l)
{
	return dot(look(l->world, 0).v, l->along);
}

// Speed of the surface due to spin, counted so that rolling is speed == rolled.
static double rolled(const lane *l)
{
	return l->r*dot(look(l->world, 0).spin, cross(l->up, l->along));
}

// The ways to say that a torque is at most c r N.
enum { SHARE, LENGTH, BOTH, WAYS };

static talus_pair rolling_law(double mu, double c, double r, int way)
{
	double share = way == SHARE ? c : way == BOTH ? 0.25*c : 0;
	return (talus_pair){.friction = mu, .rolling = share, .rolling_length = (c - share)*r};
}

// ---------------------------------------------------------------- inclines

// of a grain that starts from rest: accelerations of its centre and of its surface, and torque/(m r)
typedef struct pace {
	double along, surface, torque;
} pace;

// It rests if the slope is below friction and below rolling friction over r. It rolls if friction suffices
// for that; else it slides, and turns if friction is stronger than rolling friction.
static pace pace_of(int dimension, double theta, double mu, double c)
{
	double k = spin_share(dimension), pull = g*sin(theta), load = g*cos(theta);
	if (pull <= c*load && pull <= mu*load)
		return (pace){.torque = pull};
	double a = k/(1 + k)*(pull - c*load);
	if (a > 0 && pull - a <= mu*load)
		return (pace){a, a, c*load};
	return (pace){pull - mu*load, fmax(0, k*(mu - c))*load, fmin(mu, c)*load};
}

static void check_incline(int dimension, double dt, double slope, double mu, double c, int way)
{
	double theta = atan(slope);
	lane l = lane_create(dimension, dt, rolling_law(mu, c, 0.7, way), theta, way%2);
	pace p = pace_of(dimension, theta, mu, c);
	double m = look(l.world, 0).m;
	for (int n = 1; n <= 150; n++) {
		step_in_balance(l.world, m*g);
		assert_near(speed(&l), p.along*n*dt, 1e-11);
		assert_near(rolled(&l), p.surface*n*dt, 1e-11);
	}
	talus_contact_state contact = talus_world_contact(l.world, 0);
	assert_int_equal(contact.a, -1);
	assert_near3(contact.torque, mul(-p.torque*m*l.r, cross(l.up, l.along)), 1e-9*m*g); // against the turning
	assert_near(dot(contact.force, l.up), m*g*cos(theta), 1e-9*m*g);
	// what the floor feels about its point: lever and torque, with the grain where it was at the start of the
	// step
	vec3 lever = cross(mul_add(contact.at, -dt, look(l.world, 0).v), neg(contact.force));
	assert_near3(talus_world_wall(l.world, 0).torque, sub(lever, contact.torque), 1e-9*m*g);
	talus_world_destroy(l.world);
}

static void test_incline(void **state)
{
	(void)state;
	static const struct {
		double slope, mu, c;
	} cases[] = {
		{0.19, 0.5, 0.2}, {0.199, 0.2, 0.3}, // rest
		{0.21, 0.5, 0.2}, {0.8, 0.5, 0.2},   // roll
		{0.21, 0.2, 0.3}, {0.5, 0.3, 0.6},   // slide like a block
		{2, 0.3, 0.1},                       // slide and turn
	};
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t k = 0; k < COUNT(cases); k++)
				for (int way = 0; way < WAYS; way++)
					check_incline(dimension, steps[s], cases[k].slope, cases[k].mu, cases[k].c, way);
}

// On a level floor a rolling grain loses 5/7 c g (a disk 2/3 c g), stops after v0^2/2 of that, to the step,
// and stays. All of its energy goes into rolling.
static void test_level(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int way = 0; way < WAYS; way++) {
				double v0 = 1.3, dt = steps[s], c = 0.15, k = spin_share(dimension), a = k/(1 + k)*c*g;
				lane l = lane_create(dimension, dt, rolling_law(0.4, c, 0.7, way), 0, false);
				l.world->state.bodies.v[0] = mul(v0, l.along);
				l.world->state.bodies.spin[0] = mul(v0/l.r, cross(l.up, l.along));
				double energy = talus_world_energy(l.world).kinetic;
				int stop = (int)ceil(v0/(a*dt));
				for (int n = 1; n <= stop + 20; n++) {
					step_in_balance(l.world, energy);
					assert_near(speed(&l), fmax(0, v0 - n*a*dt), 1e-11);
					assert_near(rolled(&l), speed(&l), 1e-11);
				}
				assert_near(dot(look(l.world, 0).x, l.along), v0*v0/(2*a), 0.5*v0*dt + a*dt*dt);
				assert_near(energy, 0.5*look(l.world, 0).m*v0*v0*(1 + 1/k), 1e-12*energy);
				assert_near(talus_world_energy(l.world).rolling, energy, 1e-11*energy);
				assert_near(talus_world_energy(l.world).friction, 0, 1e-11*energy);
				talus_world_destroy(l.world);
			}
}

// ---------------------------------------------------------------- two grains

// Angle from the top of a wheel that rolls down a sphere from rest, with a torque of up to c r N against it:
// (R + r) theta'' = 5/7 (g sin - c (g cos - (R + r) theta'^2)), by small steps of Runge and Kutta.
static double rolled_down(int dimension, double theta, double both, double c, double time)
{
	enum { N = 2000 };
	double k = spin_share(dimension), h = time/N, w = 0;
	for (int i = 0; i < N; i++) {
		double dx[4], dw[4];
		for (int j = 0; j < 4; j++) {
			double part = j == 0 ? 0 : j == 3 ? h : 0.5*h;
			double x = theta + (j ? part*dx[j - 1] : 0), y = w + (j ? part*dw[j - 1] : 0);
			dx[j] = y;
			dw[j] = k/(1 + k)*(g*sin(x) - c*(g*cos(x) - both*y*y))/both;
		}
		theta += h/6*(dx[0] + 2*dx[1] + 2*dx[2] + dx[3]);
		w += h/6*(dw[0] + 2*dw[1] + 2*dw[2] + dw[3]);
	}
	return theta;
}

// A wheel on a large fixed sphere: the torque is a share of the reduced radius, so it rests up to tan(theta)
// = rolling R/(R + r). Beyond that it sets off with what is left, and its way converges with the step.
static void check_wheel(int dimension, double slope, double rolling, double length)
{
	double big = 2, small = 0.3, theta = atan(slope), k = spin_share(dimension);
	double c = rolling*big/(big + small) + length/small, error = INFINITY;
	for (size_t s = 0; s < some(COUNT(steps)); s++) {
		talus_world_def def = exact_def(dimension, steps[s]);
		def.gravity = vec(0, -g, 0);
		talus_world *world = world_of_law(&def, (talus_pair){.friction = 2, .rolling = rolling,
			.rolling_length = length});
		talus_grain_def fixed = talus_grain_def_default();
		fixed.radius = big;
		fixed.free = 0;
		talus_world_add_grain(world, &fixed);
		vec3 n = vec(sin(theta), cos(theta), 0), t = vec(cos(theta), -sin(theta), 0);
		uint32_t wheel = put_grain(world, mul(big + small, n), small, vec(0, 0, 0));
		double a = fmax(0, k/(1 + k)*g*(sin(theta) - c*cos(theta))), mg = look(world, wheel).m*g;
		step_in_balance(world, mg);
		assert_near3(look(world, wheel).v, mul(a*steps[s], t), 1e-11);
		int last = (int)(0.28/steps[s]);
		while (world->state.step < (uint64_t)last)
			step_in_balance(world, mg);
		vec3 x = look(world, wheel).x;
		double wanted = a > 0 ? rolled_down(dimension, theta, big + small, c, last*steps[s]) : theta;
		double got = fabs(atan2(x.x, x.y) - wanted);
		assert_below(got, a > 0 ? 0.8*steps[s] : 1e-11);
		if (a > 0)
			assert_below(got, 0.3*error); // the steps are five times shorter each
		error = got;
		talus_world_destroy(world);
	}
}

static void test_wheel_on_sphere(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		check_wheel(dimension, 0.25, 0.3, 0); // 0.3 R/(R + r) = 0.261
		check_wheel(dimension, 0.27, 0.3, 0);
		check_wheel(dimension, 0.55, 0.3, 0);
		check_wheel(dimension, 0.39, 0, 0.12);
		check_wheel(dimension, 0.55, 0.15, 0.06);
	}
}

typedef struct turners { // two grains pressed together, that turn against each other
	talus_world *world;
	double press, inertia; // force, 1/(1/Ia + 1/Ib)
	vec3 n;
} turners;

static turners turners_create(int dimension, double dt, talus_pair law, double ra, double rb, vec3 wa,
	vec3 wb)
{
	talus_world_def def = exact_def(dimension, dt);
	turners t = {.world = world_of_law(&def, law), .press = 3};
	t.n = dimension == 2 ? vec(0.6, 0.8, 0) : unit(vec(1, -2, 0.5));
	for (int k = 0; k < 2; k++) {
		talus_grain_def grain_def = talus_grain_def_default();
		grain_def.radius = k ? rb : ra;
		grain_def.at = mul(k ? rb : -ra, t.n);
		grain_def.force = mul(k ? -t.press : t.press, t.n);
		grain_def.spin = k ? wb : wa;
		talus_world_add_grain(t.world, &grain_def);
	}
	double ia = inertia_of(t.world, 0), ib = inertia_of(t.world, 1);
	t.inertia = ia*ib/(ia + ib);
	return t;
}

static vec3 shortened(vec3 a, double by)
{
	return norm(a) > by ? mul(1 - by/norm(a), a) : vec(0, 0, 0);
}

// Pressed together by F without friction, two grains bring each other to a common spin: across the normal
// their relative spin falls by rolling friction times F (1/Ia + 1/Ib), along it by torsion friction; angular
// momentum stays.
static void test_pair_turns(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (int way = 0; way < 2; way++) {
				double ra = 0.5, rb = 0.2, reduced = ra*rb/(ra + rb), roll = 0.3*reduced, twist = 0.5*reduced,
					dt = steps[s];
				talus_pair law = way ? (talus_pair){.rolling = 0.3, .torsion = 0.5}
				                     : (talus_pair){.rolling_length = roll, .torsion_length = twist};
				vec3 wa = dimension == 2 ? vec(0, 0, -2) : vec(1, -1, 1);
				vec3 wb = dimension == 2 ? vec(0, 0, 5) : vec(3, 2, -1);
				turners t = turners_create(dimension, dt, law, ra, rb, wa, wb);
				double ia = inertia_of(t.world, 0), ib = inertia_of(t.world, 1);
				vec3 momentum = add(mul(ia, wa), mul(ib, wb)), start = sub(wb, wa);
				vec3 along = mul(dot(start, t.n), t.n), across = sub(start, along);
				int last = (int)(fmax(norm(across)/roll, norm(along)/twist)*t.inertia/(t.press*dt)) + 5;
				for (int n = 1; n <= last; n++) {
					step_in_balance(t.world, talus_world_energy(t.world).kinetic + 1e-3);
					vec3 a = look(t.world, 0).spin, b = look(t.world, 1).spin;
					double push = n*dt*t.press/t.inertia;
					assert_near3(sub(b, a), add(shortened(across, roll*push), shortened(along, twist*push)),
						1e-10);
					assert_near3(add(mul(ia, a), mul(ib, b)), momentum, 1e-12);
				}
				assert_near3(look(t.world, 0).spin, mul(1/(ia + ib), momentum), 1e-10);
				talus_energy e = talus_world_energy(t.world);
				assert_near(e.rolling, 0.5*t.inertia*dot(across, across), 1e-11);
				assert_near(e.torsion, 0.5*t.inertia*dot(along, along), 1e-11);
				talus_world_destroy(t.world);
			}
}

// Two equal gears: they roll on each other without sliding, and rolling friction stops both where they are.
static void test_gears(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			vec3 w = dimension == 2 ? vec(0, 0, 2) : vec(2, 1, 0); // across n
			turners t = turners_create(dimension, steps[s], (talus_pair){.friction = 0.5, .rolling = 0.1},
				0.4, 0.4, neg(w), w);
			int last = (int)(2*norm(w)*t.inertia/(0.02*t.press*steps[s])) + 3;
			for (int n = 1; n <= last; n++) {
				run(t.world, 1);
				vec3 left = shortened(w, 0.5*n*steps[s]*0.02*t.press/t.inertia);
				assert_near3(look(t.world, 1).spin, left, 1e-10);
				assert_near3(look(t.world, 0).spin, neg(left), 1e-10);
				assert_near3(look(t.world, 1).v, vec(0, 0, 0), 1e-10);
			}
			talus_world_destroy(t.world);
		}
}

// ---------------------------------------------------------------- torsion

// A ball that spins about the vertical on a floor, itself maybe a turntable, comes to the floor's spin at the
// rate 5/2 mu_n g/r^2, and stays there. What the table puts in goes half into the ball, half into heat. Disks
// have no such spin: theirs is left alone; and so is everybody's without a load.
static void test_torsion(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int way = 0; way < 4; way++) {
			double dt = steps[s], r = 0.7, w0 = 9, table = way < 2 ? 0 : -4, length = 0.05;
			talus_pair law = {.friction = 0.3, .rolling = 0.2, .torsion = way%2 ? length/r : 0,
				.torsion_length = way%2 ? 0 : length};
			lane l = lane_create(3, dt, law, 0, false);
			l.world->state.walls.at[0].def.spin = table;
			l.world->state.bodies.spin[0] = mul(w0, l.up);
			double rate = 2.5*length*g/(r*r), inertia = inertia_of(l.world, 0), size = inertia*w0*w0;
			int last = (int)((w0 - table)/(rate*dt)) + 20;
			for (int n = 1; n <= last; n++) {
				step_in_balance(l.world, size);
				assert_near3(look(l.world, 0).spin, mul(fmax(table, w0 - n*rate*dt), l.up), 1e-10);
				assert_near3(look(l.world, 0).v, vec(0, 0, 0), 1e-11);
			}
			talus_energy e = talus_world_energy(l.world);
			assert_near(e.torsion, 0.5*inertia*(w0 - table)*(w0 - table), 1e-11*size);
			assert_near(e.wall_work, inertia*(table - w0)*table, 1e-11*size);
			talus_world_destroy(l.world);
		}
}

static void test_no_torsion(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			lane l = lane_create(dimension, steps[s], (talus_pair){.torsion = 5,
				.rolling = dimension == 2 ? 0 : 5}, 0, false);
			vec3 w = dimension == 2 ? vec(0, 0, 3) : l.up;
			l.world->state.bodies.spin[0] = w;
			if (dimension == 3)
				l.world->state.def.gravity = vec(0, 0, 0);
			run(l.world, 100);
			assert_near3(look(l.world, 0).spin, w, 1e-12);
			talus_world_destroy(l.world);
		}
}

// ---------------------------------------------------------------- a drum

// With rolling friction without limit a grain is carried round in a fast drum as if glued: w (R - r), and it
// turns as the drum does.
static void test_drum(void **state)
{
	(void)state;
	for (size_t s = 0; s < some(COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			double dt = 0.25*steps[s], r = 0.5, radius = 3, w = 4;
			talus_world_def def = exact_def(dimension, dt);
			def.solver.tolerance = 1e-12; // rounding of velocities shows in impulses that are small
			vec3 axis = dimension == 2 ? vec(0, 0, 1) : vec(0, 0.6, 0.8);
			vec3 down = dimension == 2 ? vec(0, -1, 0) : vec(1, 0, 0);
			def.gravity = mul(g, down);
			talus_world *world = world_of_law(&def, (talus_pair){.friction = 50, .rolling = 50,
				.torsion = 50});
			talus_wall_def drum = talus_wall_def_default(TALUS_WALL_CYLINDER);
			drum.axis = axis, drum.radius = radius, drum.spin = w;
			talus_world_add_wall(world, &drum);
			put_grain(world, mul(radius - r, down), r, mul(w*(radius - r), cross(axis, down)));
			world->state.bodies.spin[0] = mul(w, axis);
			double size = talus_world_energy(world).kinetic;
			int turn_steps = (int)(2*PI/(w*dt));
			for (int n = 1; n <= turn_steps; n++) {
				step_in_balance(world, size);
				assert_near3(look(world, 0).spin, mul(w, axis), 1e-9);
			}
			vec3 x = turn(mul(radius - r, down), axis, w*turn_steps*dt);
			double e = w*dt, size_of = radius - r;
			assert_near3(look(world, 0).x, x, 1.2*e*e*size_of);
			assert_near(norm(look(world, 0).x), size_of, 2*e*e*e*size_of); // it does not sink into the wall
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- a heap

typedef struct heap {
	double height, width;
} heap;

// A column of disks collapses on a flat floor, rough like the disks.
static heap heap_after(double rolling, double dt, double time)
{
	talus_world_def def = plain_def();
	def.dimension = 2;
	def.step = dt;
	def.gravity = vec(0, -1, 0);
	def.solver.iterations = 40;
	talus_world *world = world_of_law(&def, (talus_pair){.friction = 0.5, .rolling = rolling});
	put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
	for (uint64_t i = 0; i < 150; i++) {
		double row = (double)(i/10), place = (double)(i%10) + (i/10%2 ? -4.25 : -4.75);
		double r = 0.44 + 0.06*random_unit(test_stream(7), i);
		put_grain(world, vec(1.02*place, 0.5 + 0.9*row, 0), r, vec(0, 0, 0));
	}
	run(world, (int)(time/dt));
	heap h = {0, 0};
	for (uint32_t i = 0; i < 150; i++) {
		grain b = look(world, i);
		h.height = fmax(h.height, b.x.y + b.r);
		h.width += fabs(b.x.x)/150;
	}
	talus_world_destroy(world);
	return h;
}

// On a flat floor disks that may roll flow apart until they lie beside each other; rolling friction lets a
// heap stand.
static void test_heap(void **state)
{
	(void)state;
	heap without = heap_after(0, 0.025, 60), with = heap_after(0.3, 0.025, 60);
	print_message("heap: height %.2f, mean distance %.1f; without rolling friction %.2f, %.1f\n", with.height,
		with.width, without.height, without.width);
	assert_below(2.5*without.height, with.height);
	assert_below(2.5*with.width, without.width);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_incline),
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_wheel_on_sphere),
		cmocka_unit_test(test_pair_turns),
		cmocka_unit_test(test_gears),
		cmocka_unit_test(test_torsion),
		cmocka_unit_test(test_no_torsion),
		cmocka_unit_test(test_drum),
		cmocka_unit_test(test_heap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
