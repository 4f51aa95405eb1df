// SPDX-License-Identifier: MIT
// What must balance whatever the grains do: momentum, angular momentum, energy, and the weight of a bed
// against its walls.
#include "physics.h"

#include "observe/observe.h"

// ---------------------------------------------------------------- gases

// Grains of all sizes with random velocities and spins, in a cloud in open space or in a periodic box.
static talus_world *gas(int dimension, double dt, double mu, bool periodic)
{
	talus_world_def def = plain_def();
	def.dimension = dimension;
	def.step = dt;
	def.solver.iterations = 100;
	double size = dimension == 2 ? 24 : 12;
	if (periodic) {
		def.cell.size = vec(size, size, size);
		def.cell.periodic[0] = def.cell.periodic[1] = true;
		def.cell.periodic[2] = dimension == 3;
	}
	talus_world *world = world_of(&def, mu);
	talus_fill_def fill = {.count = 80, .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.6, .b = 1.2},
		.in = {.kind = TALUS_REGION_BOX}};
	fill.in.box.high = vec(size, size, dimension == 3 ? size : 0);
	fill.jitter = 1;
	fill.arrangement = dimension == 2 ? TALUS_ARRANGE_RANDOM : TALUS_ARRANGE_LATTICE;
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);
	stir(world, test_stream(3));
	return world;
}

// Sends all grains towards the middle on top of what they do, so that they meet without a box.
static void gather(talus_world *world)
{
	double half = world->state.def.dimension == 2 ? 12 : 6;
	for (size_t i = 0; i < world->state.bodies.count; i++) {
		vec3 centre = vec(half, half, world->state.def.dimension == 3 ? half : 0);
		world->state.bodies.v[i] = mul_add(world->state.bodies.v[i], 0.5, sub(centre, world->state.bodies.x[i]));
	}
}

static vec3 momentum(const talus_world *world)
{
	vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < world->state.bodies.count; i++)
		sum = mul_add(sum, world->state.bodies.mass[i], world->state.bodies.v[i]);
	return sum;
}

static vec3 angular_momentum(const talus_world *world)
{
	const bodies *b = &world->state.bodies;
	vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < b->count; i++) {
		sum = mul_add(sum, b->mass[i], cross(b->x[i], b->v[i]));
		sum = mul_add(sum, b->inertia[i], b->spin[i]);
	}
	return sum;
}

static double momentum_scale(const talus_world *world)
{
	double sum = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		sum += world->state.bodies.mass[i]*norm(world->state.bodies.v[i]);
	return sum;
}

static const double steps[] = {0.02, 0.005};

// Forces come in pairs: the momentum of a gas in a periodic box stays, to the last digits.
static void test_momentum(void **state)
{
	(void)state;
	for (size_t s = 0; s < (quick() ? 1 : COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = gas(dimension, steps[s], 0.5, true);
			vec3 before = momentum(world);
			double scale = momentum_scale(world);
			size_t contacts_seen = 0;
			for (int n = 0; n < (int)(3/steps[s]); n++)
				contacts_seen += talus_world_step(world).contacts;
			assert_true(contacts_seen > 1000);
			assert_near3(momentum(world), before, 1e-12*scale);
			talus_world_destroy(world);
		}
}

// In open space the angular momentum stays as well, but for contacts that are at a distance or overlap when
// their impulse is given: force and counterforce of such a pair do not meet in one point, which makes  sum
// gap n x p  per step, and no more.
static void test_angular_momentum(void **state)
{
	(void)state;
	for (size_t s = 0; s < (quick() ? 1 : COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = gas(dimension, steps[s], 0.5, false);
			gather(world);
			vec3 before = angular_momentum(world), linear = momentum(world), expected = before;
			double size = 12*momentum_scale(world);
			for (int n = 0; n < (int)(3/steps[s]); n++) {
				talus_world_step(world);
				for (size_t c = 0; c < talus_world_contacts(world); c++) {
					talus_contact_state contact = talus_world_contact(world, c);
					expected = mul_add(expected, contact.gap*steps[s], cross(contact.n, contact.force));
				}
			}
			assert_near3(angular_momentum(world), expected, 1e-12*size);
			assert_near3(expected, before, 0.3*steps[s]*size); // and that is of the order of the step
			assert_near3(momentum(world), linear, 1e-12*size);
			talus_world_destroy(world);
		}
}

// Inelastic grains lose energy in every step in which they touch and never gain any, with friction or
// without. What they lose is what the books say they have dissipated.
static void test_energy(void **state)
{
	(void)state;
	static const double mus[] = {0.5, 0};
	for (size_t s = 0; s < (quick() ? 1 : COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++)
			for (size_t m = 0; m < (quick() ? 1 : COUNT(mus)); m++) {
				talus_world *world = gas(dimension, steps[s], mus[m], true);
				double start = account_grains(&world->state).kinetic, last = start, lost = 0;
				for (int n = 0; n < (int)(3/steps[s]); n++) {
					talus_world_step(world);
					double now = account_grains(&world->state).kinetic;
					assert_below(now, last + 1e-12*start);
					assert_below(lost, energy_account_dissipated(&world->energy) + 1e-12*start);
					last = now;
					lost = energy_account_dissipated(&world->energy);
				}
				assert_near(last + lost, start, 1e-12*start);
				assert_below(0.2*start, lost);
				talus_world_destroy(world);
			}
}

// The same between walls that move and do work, and with a piston that gives and takes some, too.
static void test_energy_with_walls(void **state)
{
	(void)state;
	for (size_t s = 0; s < (quick() ? 1 : COUNT(steps)); s++)
		for (int dimension = 2; dimension <= 3; dimension++) {
			talus_world *world = gas(dimension, steps[s], 0.4, false);
			double size = dimension == 2 ? 24 : 12;
			put_plane(world, vec(0, 0, 0), vec(0, 1, 0));
			put_plane(world, vec(0, size, 0), vec(0, -1, 0));
			if (dimension == 3) {
				put_plane(world, vec(0, 0, 0), vec(0, 0, 1));
				put_plane(world, vec(0, 0, size), vec(0, 0, -1));
			}
			talus_wall_def moving = talus_wall_def_default(TALUS_WALL_PLANE);
			moving.axis = vec(1, 0, 0);
			moving.velocity = vec(0.3, 0.5, 0); // presses and rubs
			moving.oscillate_direction = vec(1, 0, 0);
			moving.oscillate_amplitude = 0.2;
			moving.oscillate_frequency = 1;
			talus_world_add_wall(world, &moving);
			talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
			piston.point.x = size;
			piston.axis = vec(-1, 0, 0);
			piston.mass = 20;
			piston.free = TALUS_FREE_X;
			int index = talus_world_add_wall(world, &piston);
			double start = account_grains(&world->state).kinetic;
			run(world, (int)(3/steps[s]));
			double v = talus_world_wall(world, index).velocity.x;
			assert_below(1e-3, fabs(v));
			double end = account_grains(&world->state).kinetic;
			assert_below(1e-3*start, fabs(world->energy.wall_work));
			assert_near(end + energy_account_dissipated(&world->energy), start + world->energy.wall_work, 1e-11*start);
			talus_world_destroy(world);
		}
}

// ---------------------------------------------------------------- beds

static int put_side(talus_world *world, vec3 point, vec3 normal)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	def.point = point;
	def.axis = normal;
	def.material = 1;
	return talus_world_add_wall(world, &def);
}

// About 200 grains fall into a box and come to rest. Wall 0 is the floor, the others are the sides.
static talus_world *bed(int dimension, double mu, double mu_sides)
{
	talus_world_def def = exact_def(dimension, 0.02);
	def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver.tolerance = 1e-9;
	def.solver.max_iterations = 50;
	talus_world *world = world_of(&def, mu);
	talus_world_add_material(world, "sides", 1);
	talus_world_set_pair(world, &(talus_pair){.a = 0, .b = 1, .friction = mu_sides});
	double size = dimension == 2 ? 24 : 9;
	put_plane(world, vec(0, 0, 0), dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
	put_side(world, vec(0, 0, 0), vec(1, 0, 0));
	put_side(world, vec(size, 0, 0), vec(-1, 0, 0));
	if (dimension == 3) {
		put_side(world, vec(0, 0, 0), vec(0, 1, 0));
		put_side(world, vec(0, size, 0), vec(0, -1, 0));
	}
	talus_fill_def fill = {.count = quick() ? 60 : 200, .jitter = 1,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.6, .b = 1}};
	fill.arrangement = TALUS_ARRANGE_LATTICE;
	fill.in.box.high = dimension == 2 ? vec(size, 4*size, 0) : vec(size, size, 6*size);
	talus_error error;
	if (!talus_world_fill(world, &fill, &error))
		fail_msg("%s", error.text);
	return world;
}

static vec3 force_on_walls(const talus_world *world)
{
	vec3 sum = {0, 0, 0};
	for (int w = 0; w < talus_world_walls(world); w++)
		sum = add(sum, talus_world_wall(world, w).force);
	return sum;
}

static double total_mass(const talus_world *world)
{
	double sum = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		sum += world->state.bodies.mass[i];
	return sum;
}

// One step of a bed: what gravity gives and the walls do not take is what the momentum gains, at rest or
// not. Returns that gain per time.
static double check_step(talus_world *world)
{
	double dt = world->state.def.step, mass = total_mass(world);
	vec3 before = momentum(world);
	talus_world_step(world);
	vec3 gained = sub(momentum(world), before), left = sub(mul(mass, world->state.def.gravity),
		force_on_walls(world));
	assert_near3(gained, mul(dt, left), 1e-11*mass);
	return norm(gained)/dt;
}

// Until what is left of the weight is as good as nothing. A loose grain that rolls may hit a wall from time to time.
static void come_to_rest(talus_world *world)
{
	double weight = total_mass(world);
	for (int n = 0; n < (quick() ? 500 : 1500); n++)
		check_step(world);
	world->state.def.solver.max_iterations = quick() ? 1000 : 5000;
	int n = 0;
	while (check_step(world) > 1e-7*weight && n < 1500)
		n++;
}

// What the sides can carry at most: friction times what presses on them, contact by contact, and none of them has more than that.
static double most_on_sides(const talus_world *world, double mu)
{
	double most = 0;
	for (size_t c = 0; c < talus_world_contacts(world); c++) {
		talus_contact_state contact = talus_world_contact(world, c);
		int64_t side = -1 - (contact.a < 0 ? contact.a : contact.b);
		if (side < 1)
			continue;
		double push = dot(contact.force, contact.n), rub = norm(mul_add(contact.force, -push, contact.n));
		assert_below(rub, mu*push*(1 + 1e-9) + 1e-12);
		most += mu*push;
	}
	return most;
}

// A bed at rest presses on its walls with its weight, all walls together: pushes on the sides cancel, and what the floor does not carry
// is friction on the sides, within Coulomb's limit. Smooth sides leave all of it to the floor.
static void test_weight(void **state)
{
	(void)state;
	static const double mus[] = {0.3, 0};
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t k = 0; k < COUNT(mus); k++) {
			talus_world *world = bed(dimension, 0.3, mus[k]);
			double weight = total_mass(world);
			come_to_rest(world);
			assert_near3(force_on_walls(world), mul(weight, world->state.def.gravity), 1e-6*weight);
			double floor = dot(talus_world_wall(world, 0).force, world->state.def.gravity), most = most_on_sides(world, mus[k]);
			print_message("%dD, friction %g: floor %.6f, sides at most %.6f\n", dimension, mus[k], floor/weight, most/weight);
			assert_near(floor, weight, most + 1e-6*weight);
			assert_true(mus[k] == 0 || (most > 0.02*weight && fabs(floor/weight - 1) > 1e-5));
			talus_world_destroy(world);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_momentum),
		cmocka_unit_test(test_angular_momentum),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_energy_with_walls),
		cmocka_unit_test(test_weight),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
