// SPDX-License-Identifier: MIT
// The books of energy: each entry where it is known on paper, and all together, in scenes with something of
// everything, where they must close in every step.
#include "unit.h"

#include "observe/observe.h"

#include <stdlib.h>

static double balance(const talus_energy *e)
{
	double lost = e->normal + e->friction + e->rolling + e->torsion + e->bonds + e->numerical;
	return e->kinetic + e->potential + lost - e->wall_work - e->driven_work - e->added;
}

static talus_world *one_material(int dimension, vec3 gravity, talus_pair law)
{
	talus_world_def def = unit_def(dimension);
	def.gravity = gravity;
	def.solver.stop = TALUS_STOP_RESIDUAL;
	def.solver.tolerance = 1e-14;
	def.solver.max_iterations = 500;
	talus_world *world = unit_world(&def, 0);
	talus_world_set_pair(world, &law);
	return world;
}

static void run(talus_world *world, int steps)
{
	for (int n = 0; n < steps; n++)
		talus_world_step(world);
}

// All entries but the two energies; `size` is the energy by which they are judged.
static void assert_books(const talus_world *world, talus_energy expected, double size)
{
	talus_energy e = talus_world_energy(world);
	assert_near(e.wall_work, expected.wall_work, 1e-12*size);
	assert_near(e.driven_work, expected.driven_work, 1e-12*size);
	assert_near(e.added, expected.added, 1e-12*size);
	assert_near(e.normal, expected.normal, 1e-12*size);
	assert_near(e.friction, expected.friction, 1e-12*size);
	assert_near(e.rolling, expected.rolling, 1e-12*size);
	assert_near(e.torsion, expected.torsion, 1e-12*size);
	assert_near(e.bonds, expected.bonds, 1e-12*size);
	assert_near(e.numerical, expected.numerical, 1e-12*size);
}

static uint32_t put(talus_world *world, vec3 at, vec3 velocity, vec3 spin, unsigned free)
{
	talus_grain_def def = talus_grain_def_default();
	def.at = at;
	def.velocity = velocity;
	def.spin = spin;
	def.free = free;
	return talus_world_add_grain(world, &def);
}

// ---------------------------------------------------------------- one entry each

// Free fall: m (g dt)^2/2 a step. With a force of its own: (m g + F)^2 dt^2/(2 m).
static void test_numerical(void **state)
{
	(void)state;
	for (int forced = 0; forced < 2; forced++) {
		talus_world *world = one_material(3, vec(1, 0, -10), (talus_pair){.a = 0});
		talus_grain_def def = talus_grain_def_default();
		def.velocity = vec(3, -2, 5);
		def.force = forced ? vec(4, 5, 6) : vec(0, 0, 0);
		talus_world_add_grain(world, &def);
		double m = world->state.bodies.mass[0];
		vec3 f = mul_add(def.force, m, world->state.def.gravity);
		run(world, 20);
		double lost = 20*dot(f, f)*1e-4/(2*m);
		assert_books(world, (talus_energy){.numerical = lost}, 1000);
		assert_near(lost, forced ? 0.07 : 20*m*101*1e-4/2, forced ? 0.5 : 1e-12);
		talus_world_destroy(world);
	}
}

// A block that slides to rest loses all it had by friction, mu m g times the mean speed of each step.
static void test_friction(void **state)
{
	(void)state;
	for (int extended = 0; extended < 2; extended++) {
		talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 0.3,
			.static_friction = extended ? 0.6 : 0});
		unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
		put(world, vec(0, 0, 1), vec(1, 0, 0), vec(0, 0, 0), TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z);
		double m = world->state.bodies.mass[0];
		talus_world_step(world);
		assert_books(world, (talus_energy){.friction = 0.3*m*10*0.01*(1 + 0.97)/2}, m);
		run(world, 50);
		assert_books(world, (talus_energy){.friction = m/2}, m);
		talus_world_destroy(world);
	}
}

// A ball that rolls to rest on a floor with rolling friction: 7/10 m v^2, and nothing by friction, which
// sticks.
static void test_rolling(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 1, .rolling = 0.2});
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	put(world, vec(0, 0, 1), vec(1, 0, 0), vec(0, 1, 0), TALUS_FREE_ALL);
	double m = world->state.bodies.mass[0];
	run(world, 200);
	assert_near3(world->state.bodies.v[0], vec(0, 0, 0), 1e-12);
	assert_books(world, (talus_energy){.rolling = 0.7*m}, m);
	talus_world_destroy(world);
}

// A top that comes to rest by torsion alone: I w^2/2 = m r^2 w^2/5.
static void test_torsion(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 1, .torsion = 0.2});
	unit_plane(world, "floor", vec(0, 0, 0), vec(0, 0, 1));
	put(world, vec(0, 0, 1), vec(0, 0, 0), vec(0, 0, 3), TALUS_FREE_ALL);
	double m = world->state.bodies.mass[0];
	run(world, 200);
	assert_near3(world->state.bodies.spin[0], vec(0, 0, 0), 1e-12);
	assert_books(world, (talus_energy){.torsion = 0.2*m*9}, m);
	talus_world_destroy(world);
}

// Two equal balls head on: the share 1 - e^2 of m/2 (v/2)^2 2 is lost, at any e; e = 1 keeps it.
static void test_normal(void **state)
{
	(void)state;
	for (double e = 0; e <= 1; e += 0.25) {
		talus_world *world = one_material(3, vec(0, 0, 0), (talus_pair){.friction = 0.5, .restitution = e});
		put(world, vec(0, 0, 0), vec(2, 0, 0), vec(0, 0, 0), TALUS_FREE_ALL);
		put(world, vec(2.5, 0, 0), vec(-2, 0, 0), vec(0, 0, 0), TALUS_FREE_ALL);
		double m = world->state.bodies.mass[0];
		run(world, 100);
		assert_books(world, (talus_energy){.normal = (1 - e*e)*4*m}, m);
		talus_world_destroy(world);
	}
}

// Pulled apart by more than its strength, a bond gives in with F_C up to the gap d_C. The gap grows by n a
// dt^2 in step n.
static void test_bonds(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, 0), (talus_pair){.cohesion = 6, .range = 0.02});
	talus_grain_def def = talus_grain_def_default();
	def.force = vec(-10, 0, 0);
	talus_world_add_grain(world, &def);
	def.at = vec(2, 0, 0), def.force = vec(10, 0, 0);
	talus_world_add_grain(world, &def);
	double m = world->state.bodies.mass[0], a = 2*4/m, lost = 0, gap = 0, u = 0, numerical = 0;
	for (int n = 0; n < 100; n++) {
		bool bonded = gap < 0.02; // it counts where the step begins
		double now = u + 0.01*(bonded ? a : 20/m);
		lost += bonded ? 6*0.01*(u + now)/2 : 0;
		numerical += 0.01*10*(now - u)/2;
		u = now;
		gap += 0.01*u;
		talus_world_step(world);
		assert_books(world, (talus_energy){.bonds = lost, .numerical = numerical}, 1);
	}
	assert_near(lost, 6*0.02, 0.02); // F_C d_C
	assert_int_equal(world->report.bonds, 0);
	assert_int_equal(world->report.bonds_formed_all, 1);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- work from outside

// A floor that goes up lifts what lies on it: m g v dt a step.
static void test_lifting(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 0.5});
	talus_wall_def floor = talus_wall_def_default(TALUS_WALL_PLANE);
	floor.velocity = vec(0, 0, 2);
	talus_world_add_wall(world, &floor);
	put(world, vec(0, 0, 1), vec(0, 0, 2), vec(0, 0, 0), TALUS_FREE_ALL);
	double m = world->state.bodies.mass[0], before = talus_world_energy(world).potential;
	for (int n = 1; n <= 30; n++) {
		talus_world_step(world);
		assert_books(world, (talus_energy){.wall_work = n*m*10*2*0.01}, m);
		assert_near(talus_world_energy(world).potential - before, n*m*10*2*0.01, 1e-11*m);
	}
	talus_world_destroy(world);
}

// A table that turns takes a ball along: its torque mu' m g times its spin is what it gives, and the ball has
// I w^2/2 of it.
static void test_turntable(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 0.5, .torsion = 0.1});
	talus_wall_def table = talus_wall_def_default(TALUS_WALL_PLANE);
	table.spin = 4;
	talus_world_add_wall(world, &table);
	put(world, vec(0, 0, 1), vec(0, 0, 0), vec(0, 0, 0), TALUS_FREE_ALL);
	double m = world->state.bodies.mass[0], work = 20*0.1*m*10*4*0.01, w = 20*0.01*0.1*10/0.4;
	run(world, 20);
	assert_near3(world->state.bodies.spin[0], vec(0, 0, w), 1e-12);
	assert_books(world, (talus_energy){.wall_work = work, .torsion = work - 0.2*m*w*w}, m);
	talus_world_destroy(world);
}

// A heavy piston catches a ball: what the piston loses is what the ball gets and the impact takes.
static void test_piston(void **state)
{
	(void)state;
	talus_world *world = one_material(3, vec(0, 0, 0), (talus_pair){.a = 0});
	talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
	piston.mass = 20;
	piston.free = TALUS_FREE_Z;
	talus_world_add_wall(world, &piston);
	world->state.walls.at[0].v = vec(0, 0, 3);
	put(world, vec(0, 0, 2), vec(0, 0, 0), vec(0, 0, 0), TALUS_FREE_ALL);
	double m = world->state.bodies.mass[0], v = 3*20/(20 + m);
	run(world, 60);
	assert_near(world->state.bodies.v[0].z, v, 1e-12);
	double given = 0.5*20*(9 - v*v);
	assert_books(world, (talus_energy){.wall_work = given, .normal = given - 0.5*m*v*v}, m);
	talus_world_destroy(world);
}

// A grain driven upwards through gravity, with another one on its head: what drives it lifts both.
static void test_driven(void **state)
{
	(void)state;
	for (int laden = 0; laden < 2; laden++) {
		talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 0.5});
		put(world, vec(0, 0, 0), vec(0, 0, 1), vec(0, 0, 0), 0);
		if (laden)
			put(world, vec(0, 0, 2), vec(0, 0, 1), vec(0, 0, 0), TALUS_FREE_ALL);
		double m = world->state.bodies.mass[0];
		run(world, 30);
		assert_books(world, (talus_energy){.driven_work = (1 + laden)*m*10*0.3}, m);
		talus_world_destroy(world);
	}
}

// A driven spin rubs under a grain that can only go up and down: mu m g r w. One that spins about the normal:
// torsion instead, against a grain that can turn and does so.
static void test_driven_spin(void **state)
{
	(void)state;
	for (int upright = 0; upright < 2; upright++) {
		talus_world *world = one_material(3, vec(0, 0, -10), (talus_pair){.friction = 0.3, .torsion = 0.1});
		put(world, vec(0, 0, 0), vec(0, 0, 0), upright ? vec(0, 0, 5) : vec(0, 5, 0), 0);
		put(world, vec(0, 0, 2), vec(0, 0, 0), vec(0, 0, 0), TALUS_FREE_Z | (upright ? TALUS_FREE_SPIN : 0u));
		double m = world->state.bodies.mass[0], work = 20*m*10*5*0.01, w = 20*0.01*0.05*10/0.4, got = 0.2*m*w*w;
		run(world, 20);
		if (upright)
			assert_books(world, (talus_energy){.driven_work = 0.05*work, .torsion = 0.05*work - got}, m);
		else
			assert_books(world, (talus_energy){.driven_work = 0.3*work, .friction = 0.3*work}, m);
		talus_world_destroy(world);
	}
}

// Poured grains bring m v^2/2 + m g h, and take along what they have when they leave.
static void test_added(void **state)
{
	(void)state;
	talus_world_def def = unit_def(3);
	def.gravity = vec(0, 0, -10);
	def.has_domain = true;
	def.domain = (talus_box){vec(-9, -9, -9), vec(9, 9, 99)};
	talus_world *world = unit_world(&def, 0);
	talus_pour_def pour = {.count = 3, .rate = 10, .radius = {.kind = TALUS_SIZE_CONSTANT, .a = 0.5},
		.in = {.kind = TALUS_REGION_BOX, .box = {vec(-1, -1, 5), vec(1, 1, 7)}}, .velocity = vec(0, 0, -3)};
	talus_world_pour(world, &pour);
	double m = M_PI/6, before = 0;
	for (int n = 0; n < 300; n++) {
		size_t count = world->state.bodies.count;
		size_t low = 0; // who leaves next
		for (size_t i = 1; i < count; i++)
			low = world->state.bodies.x[i].z < world->state.bodies.x[low].z ? i : low;
		vec3 x = count ? world->state.bodies.x[low] : vec(0, 0, 0), v = count ? world->state.bodies.v[low] : x;
		talus_step_report report = talus_world_step(world);
		double added = talus_world_energy(world).added;
		if (report.grains > count) { // it has made its first step already
			size_t i = unit_row(world, world->state.bodies.next_id - 1);
			double z = world->state.bodies.x[i].z - 0.01*world->state.bodies.v[i].z;
			assert_near(added - before, m*(4.5 + 10*z), 1e-12);
		} else if (report.grains < count) {
			assert_near(added - before, -m*(dot(v, v)/2 + 10*x.z), 1e-12);
		} else {
			assert_true(added == before);
		}
		before = added;
	}
	assert_int_equal(world->removed, 3);
	talus_energy e = talus_world_energy(world);
	assert_near(balance(&e), 0, 1e-12);
	talus_world_destroy(world);
}

// A cell that deforms carries grains along, against gravity and against forces of their own, round the cell too: that is its work.
static void test_carried(void **state)
{
	(void)state;
	for (int bath = 0; bath < 2; bath++) {
		talus_world_def def = unit_def(2);
		def.gravity = vec(2, -5, 0);
		def.cell.origin = vec(-3, 1, 0);
		def.cell.size = vec(12, 10, 0);
		def.cell.periodic[0] = def.cell.periodic[1] = true;
		def.cell.bath = bath;
		def.cell.pressure = def.cell.inertia = 3;
		if (!bath) {
			def.cell.drive[0][0] = def.cell.drive[0][1] = TALUS_DRIVE_RATE;
			def.cell.wanted[0][0] = -0.1, def.cell.wanted[0][1] = 0.8;
			def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
			def.cell.wanted[1][1] = 2;
		}
		talus_world *world = unit_world(&def, 0.3);
		for (int i = 0; i < 12; i++) {
			talus_grain_def grain = talus_grain_def_default();
			grain.at = vec(-2 + 2.5*(i%4), 2 + 2.5*(i/4), 0);
			grain.velocity = vec(3 - i%3, i%5, 0);
			grain.force = vec(i%2, 1, 0);
			talus_world_add_grain(world, &grain);
		}
		talus_energy e = talus_world_energy(world);
		double before = balance(&e) - e.cell_work, around = 0;
		for (int n = 0; n < 200; n++) {
			talus_world_step(world);
			e = talus_world_energy(world);
			assert_near(balance(&e) - e.cell_work, before, 1e-11*fabs(e.potential));
			around += abs(world->state.bodies.image[0][0]) + abs(world->state.bodies.image[0][1]);
		}
		assert_true(around > 0 && e.normal > 0);
		talus_world_destroy(world);
	}
}

// ---------------------------------------------------------------- everything at once

// Stone rubs only; rubber bounces and rolls badly; clay sticks together. Up is y in 2D, z in 3D.
static void set_laws(talus_world *world)
{
	talus_world_add_material(world, "rubber", 2);
	talus_world_add_material(world, "clay", 0.5);
	static const talus_pair laws[] = {
		{.a = 0, .b = 0, .friction = 0.4},
		{.a = 0, .b = 1, .friction = 0.3, .static_friction = 0.6, .restitution = 0.5},
		{.a = 1, .b = 1, .friction = 0.5, .restitution = 0.9, .tangential_restitution = 0.4, .rolling = 0.1,
			.torsion_length = 0.05},
		{.a = 0, .b = 2, .friction = 0.5, .cohesion = 5, .range = 0.02, .rolling_length = 0.02, .torsion = 0.2},
		{.a = 2, .b = 2, .friction = 0.3, .static_friction = 0.5, .cohesion = 20, .range = 0.01},
		{.a = 1, .b = 2, .restitution = 0.3, .rolling = 0.3},
	};
	for (size_t i = 0; i < sizeof laws/sizeof laws[0]; i++)
		talus_world_set_pair(world, &laws[i]);
}

static vec3 turned(int dimension, double x, double height) // in the plane of x and up
{
	return dimension == 2 ? vec(x, height, 0) : vec(x, 0, height);
}

// A shaken plate with a hole, a roller, something that comes from the side, a round piston and a lid.
static void add_walls(talus_world *world, int dimension)
{
	talus_wall_def plate = talus_wall_def_default(TALUS_WALL_PLANE);
	plate.axis = turned(dimension, 0, 1);
	plate.has_hole = true;
	plate.hole_at = turned(dimension, -2, 0);
	plate.hole_radius = 1.2;
	plate.oscillate_direction = turned(dimension, 1, 1);
	plate.oscillate_amplitude = 0.1;
	plate.oscillate_frequency = 3;
	talus_world_add_wall(world, &plate);
	talus_wall_def roller = talus_wall_def_default(TALUS_WALL_CYLINDER);
	roller.axis = dimension == 2 ? vec(0, 0, 1) : vec(0, 1, 0);
	roller.point = turned(dimension, 3, 1);
	roller.inside = false;
	roller.spin = 3;
	roller.material = 1;
	talus_world_add_wall(world, &roller);
	talus_wall_def side = talus_wall_def_default(dimension == 2 ? TALUS_WALL_SEGMENT : TALUS_WALL_PLANE);
	side.axis = vec(1, 0, 0);
	side.point = vec(-8, 0.5, 0);
	side.to = vec(-8, 4, 0);
	side.velocity = vec(0.5, 0.5, 0);
	side.spin = dimension == 2 ? 0.5 : 0;
	side.material = 2;
	talus_world_add_wall(world, &side);
	talus_wall_def piston = roller;
	piston.point = turned(dimension, 6, 4);
	piston.spin = 0;
	piston.mass = 30;
	piston.force = vec(-200, 0, 0);
	piston.free = TALUS_FREE_X | (dimension == 2 ? TALUS_FREE_Y : TALUS_FREE_Z);
	talus_world_add_wall(world, &piston);
	piston.kind = TALUS_WALL_PLANE;
	piston.axis = turned(dimension, 0, -1);
	piston.point = turned(dimension, 0, 11);
	piston.free = dimension == 2 ? TALUS_FREE_Y : TALUS_FREE_Z;
	piston.force = turned(dimension, 0, -300);
	piston.weightless = true;
	piston.material = 1;
	talus_world_add_wall(world, &piston);
}

// Free ones, some with a force, and some that are held: fixed, driven, on a rail that moves, spun or kept
// from turning.
static void add_grains(talus_world *world, int dimension, dice *d)
{
	static const unsigned held[] = {0, 0, TALUS_FREE_X | TALUS_FREE_SPIN,
		TALUS_FREE_X | TALUS_FREE_Y | TALUS_FREE_Z, TALUS_FREE_SPIN, TALUS_FREE_Y, TALUS_FREE_Z | TALUS_FREE_X};
	int wide = dimension == 2 ? 12 : 6, deep = dimension == 2 ? 1 : 4, high = dimension == 2 ? 5 : 4;
	for (int i = 0; i < wide*deep*high; i++) {
		talus_grain_def g = talus_grain_def_default();
		double x = -7.8 + 1.4*(i%wide), h = 2.5 + 1.1*(i/wide/deep), y = -2 + 1.1*(i/wide%deep);
		g.at = dimension == 2 ? vec(x, h, 0) : vec(x, y, h);
		g.radius = roll(d, 0.3, 0.5);
		g.material = i%3;
		g.velocity = mul(2, roll_direction(d, dimension));
		g.spin = dimension == 2 ? vec(0, 0, roll(d, -3, 3)) : mul(3, roll_direction(d, 3));
		if (i%4 == 0)
			g.force = mul(2, roll_direction(d, dimension));
		if (i%6 == 5) { // slow, or they would crush the others
			g.free = held[i/6%7];
			g.velocity = mul(0.1, g.velocity);
		}
		talus_world_add_grain(world, &g);
	}
}

static talus_world *everything(int dimension, talus_order order, uint64_t seed)
{
	talus_world_def def = unit_def(dimension);
	int along = dimension == 2 ? 0 : 1;
	def.seed = seed;
	def.step = 0.005;
	def.gravity = dimension == 2 ? vec(3, -10, 0) : vec(0.5, 2, -10); // also around the cell
	def.solver.order = order;
	def.solver.relaxation = order == TALUS_ORDER_PARALLEL ? 0.3 : 1;
	def.solver.iterations = 15; // the books do not care
	def.cell.origin = vec(-9, -2.5, 0);
	def.cell.size = vec(18, 5, 0);
	def.cell.periodic[along] = true;
	def.has_domain = true;
	def.domain = (talus_box){dimension == 2 ? vec(-99, -3, 0) : vec(-99, -99, -3), vec(99, 99, 99)};
	talus_world *world = unit_world(&def, 0);
	set_laws(world);
	add_walls(world, dimension);
	dice d = dice_make(seed);
	add_grains(world, dimension, &d);
	talus_pour_def pour = {.count = 30, .rate = 40, .start = 0.2, .material = 2,
		.radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.2, .b = 0.3},
		.in = {.kind = TALUS_REGION_SPHERE, .at = turned(dimension, 0, 8.5), .radius = 1.2},
		.velocity = turned(dimension, 1, -2)};
	talus_world_pour(world, &pour);
	return world;
}

static double size_of(const talus_energy *e)
{
	double lost = e->normal + e->friction + e->rolling + e->torsion + e->bonds + e->numerical;
	return e->kinetic + fabs(e->potential) + fabs(e->wall_work) + fabs(e->driven_work) + fabs(e->added) + lost;
}

static void check_everything(int dimension, talus_order order, uint64_t seed)
{
	talus_world *world = everything(dimension, order, seed);
	talus_energy e = talus_world_energy(world);
	double last = balance(&e);
	bool kinds = false, around = false;
	for (int n = 0; n < 400; n++) {
		talus_world_step(world);
		e = talus_world_energy(world);
		double now = balance(&e);
		if (!(fabs(now - last) <= 1e-14*size_of(&e)))
			fail_msg("%dD, step %d: the books are off by %g of %g", dimension, n, now - last, size_of(&e));
		last = now;
		const contacts *c = &world->contacts;
		kinds |= c->class_end[TALUS_COULOMB] > 0 && c->class_end[TALUS_EXTENDED] > c->class_end[TALUS_COULOMB] && c->count > c->class_end[TALUS_EXTENDED];
		for (size_t i = 0; i < world->state.bodies.count; i++)
			around |= world->state.bodies.image[i][dimension == 2 ? 0 : 1] != 0;
	}
	talus_step_report report = world->report;
	assert_true(kinds && around && report.removed > 0 && report.bonds_formed_all > 3);
	double least = 1e-9*size_of(&e); // there is something in every entry
	assert_true(fabs(e.wall_work) > least && fabs(e.driven_work) > least && fabs(e.added) > least);
	assert_true(e.normal > least && e.friction > least && e.rolling > least);
	assert_true(e.bonds > least && e.numerical > least);
	assert_true(dimension == 2 ? e.torsion == 0 : fabs(e.torsion) > least);
	talus_world_destroy(world);
}

static void test_everything(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (uint64_t seed = 1; seed <= 3; seed++)
			check_everything(dimension, TALUS_ORDER_SHUFFLED, seed);
	for (int order = TALUS_ORDER_RANDOM; order <= TALUS_ORDER_RANDOM_SEQUENTIAL; order++)
		check_everything(2, (talus_order)order, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numerical),
		cmocka_unit_test(test_friction),
		cmocka_unit_test(test_rolling),
		cmocka_unit_test(test_torsion),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_bonds),
		cmocka_unit_test(test_lifting),
		cmocka_unit_test(test_turntable),
		cmocka_unit_test(test_piston),
		cmocka_unit_test(test_driven),
		cmocka_unit_test(test_driven_spin),
		cmocka_unit_test(test_added),
		cmocka_unit_test(test_carried),
		cmocka_unit_test(test_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
