// SPDX-License-Identifier: MIT
// Rigid grains that are driven into each other with nowhere to go: such a step has no solution. It is recognised before overlaps are large, and
// what drives them is named. Where grains can give way, stop what presses, or are only hit hard, nothing is said.
#include "physics.h"
#include "method/contact_dynamics.h"

#include <stdio.h>
#include <string.h>

static int named_plane(talus_world *world, const char *name, vec3 point, vec3 normal, vec3 velocity)
{
	talus_wall_def def = talus_wall_def_default(TALUS_WALL_PLANE);
	snprintf(def.name, sizeof def.name, "%s", name);
	def.point = point;
	def.axis = normal;
	def.velocity = velocity;
	return talus_world_add_wall(world, &def);
}

// A box without a lid, along y (disks) or z (spheres).
static talus_world *box(int dimension, double dt, double width)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.step = dt;
	def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver.audit = 0;
	talus_world *world = world_of(&def, 0.4);
	named_plane(world, "floor", vec(0, 0, 0), dimension == 2 ? vec(0, 1, 0) : vec(0, 0, 1), vec(0, 0, 0));
	named_plane(world, "left", vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 0));
	named_plane(world, "right", vec(width, 0, 0), vec(-1, 0, 0), vec(0, 0, 0));
	if (dimension == 3) {
		named_plane(world, "front", vec(0, 0, 0), vec(0, 1, 0), vec(0, 0, 0));
		named_plane(world, "back", vec(0, width, 0), vec(0, -1, 0), vec(0, 0, 0));
	}
	return world;
}

static void fill_box(talus_world *world, int count, vec3 low, vec3 high)
{
	talus_error error;
	talus_fill_def fill = {.count = count, .arrangement = TALUS_ARRANGE_LATTICE, .jitter = 0.3,
	                       .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.45, .b = 0.55},
	                       .in = {.kind = TALUS_REGION_BOX, .box = {low, high}}};
	assert_true(talus_world_fill(world, &fill, &error));
}

// Until a step is found to have no solution; fails if overlaps get large before.
static void run_to_crush(talus_world *world, int most, const char *what)
{
	for (int i = 0; i < most && contact_dynamics_of(world)->crush.step == 0; i++) {
		talus_world_step(world);
		if (world->report.max_overlap > 0.1)
			fail_msg("%s: an overlap of %.3g, and nothing was found", what, world->report.max_overlap);
	}
	if (contact_dynamics_of(world)->crush.step == 0)
		fail_msg("%s: nothing was found, overlap %.3g", what, world->report.max_overlap);
	assert_int_equal(contact_dynamics_of(world)->crush.step, world->state.step);
	print_message("%s: found at time %.3f, overlap %.3f\n", what, world->state.time, world->report.max_overlap);
}

// Nothing is said; how often was it asked?
static int run_without(talus_world *world, int most, const char *what)
{
	int asked = 0;
	for (int i = 0; i < most; i++) {
		uint64_t next = contact_dynamics_of(world)->crush.next;
		talus_world_step(world);
		asked += contact_dynamics_of(world)->crush.next != next;
		if (contact_dynamics_of(world)->crush.step > 0)
			fail_msg("%s: no solution at time %g, overlap %.3g, wall %d", what, world->state.time, world->report.max_overlap, contact_dynamics_of(world)->crush.wall);
	}
	print_message("%s: nothing, largest overlap %.2g, asked %d times\n", what, world->report.worst_overlap, asked);
	talus_world_destroy(world);
	return asked;
}

// With few sweeps overlaps grow, and look as if there were no room: one must ask, and hear that there is some.
enum { ALL_SWEEPS = 0, FEW_SWEEPS = 2 };

static void solve_with(talus_world *world, int count)
{
	if (count == ALL_SWEEPS)
		return;
	world->state.def.solver = plain_def().solver;
	world->state.def.solver.iterations = count;
}

static const int sweeps[] = {ALL_SWEEPS, FEW_SWEEPS};

static void run_well_and_badly(talus_world *(*make)(void), int most, const char *what)
{
	for (size_t k = 0; k < COUNT(sweeps); k++) {
		talus_world *world = make();
		solve_with(world, sweeps[k]);
		int asked = run_without(world, most, what);
		assert_true(asked > 0 || sweeps[k] == ALL_SWEEPS);
	}
}

// ---------------------------------------------------------------- no room

static void squeeze(int dimension, double speed, double dt)
{
	bool flat = dimension == 2;
	double width = flat ? 10 : 5, height = flat ? 9 : 6;
	talus_world *world = box(dimension, dt, width);
	vec3 up = flat ? vec(0, 1, 0) : vec(0, 0, 1);
	fill_box(world, flat ? 60 : 75, vec(0, 0, 0), flat ? vec(width, height, 0) : vec(width, width, height));
	int lid = named_plane(world, "lid", mul(height + 0.2, up), neg(up), mul(-speed, up));
	char what[64];
	snprintf(what, sizeof what, "a lid in %d dimensions, speed %g, step %g", dimension, speed, dt);
	run_to_crush(world, (int)(0.7*height/speed/dt), what);
	assert_int_equal(contact_dynamics_of(world)->crush.wall, lid);
	// not before there was no room
	assert_below(world->state.walls.at[lid].point.y + world->state.walls.at[lid].point.z, 0.98*height);
	talus_world_destroy(world);
}

static void test_lid(void **state)
{
	(void)state;
	squeeze(3, 1, 0.005);
	squeeze(3, 0.3, 0.01);
	squeeze(2, 1, 0.005);
	squeeze(2, 0.2, 0.01);
}

// The one that moves is to blame, not the one that holds.
static void test_side(void **state)
{
	(void)state;
	talus_world *world = box(2, 0.01, 10);
	fill_box(world, 30, vec(0, 0, 0), vec(10, 5, 0));
	named_plane(world, "slow", vec(0, 5.2, 0), vec(0, -1, 0), vec(0, -0.001, 0));
	world->state.walls.at[1].def.velocity = vec(0.4, 0, 0);
	run_to_crush(world, 2000, "a side wall");
	assert_string_equal(world->state.walls.at[contact_dynamics_of(world)->crush.wall].def.name, "left");
	talus_world_destroy(world);
}

// A bar turns about its middle; below its right half, beside a post, grains are kept.
static void test_bar(void **state)
{
	(void)state;
	talus_world *world = box(2, 0.01, 6);
	talus_wall_def bar = talus_wall_def_default(TALUS_WALL_SEGMENT);
	bar.point = vec(3 - 2.5*cos(0.4), 1.5 - 2.5*sin(0.4), 0);
	bar.to = vec(3 + 2.5*cos(0.4), 1.5 + 2.5*sin(0.4), 0);
	bar.spin = -0.2;
	int turning = talus_world_add_wall(world, &bar);
	bar.point = vec(3, 0, 0);
	bar.to = vec(3, 1.3, 0);
	bar.spin = 0;
	talus_world_add_wall(world, &bar);
	for (int i = 0; i < 3; i++)
		put_grain(world, vec(3.5 + 0.9*i, 0.45, 0), 0.4 + 0.02*i, vec(0, 0, 0));
	run_to_crush(world, 1000, "a bar that turns");
	assert_int_equal(contact_dynamics_of(world)->crush.wall, turning);
	talus_world_destroy(world);
}

// A grain on rails between others.
static void test_grain(void **state)
{
	(void)state;
	talus_world *world = box(2, 0.01, 6);
	named_plane(world, "lid", vec(0, 4.2, 0), vec(0, -1, 0), vec(0, 0, 0));
	fill_box(world, 12, vec(1.2, 0, 0), vec(6, 4.2, 0));
	talus_grain_def ram = talus_grain_def_default();
	ram.at = vec(-0.5, 2, 0);
	ram.radius = 1.5;
	ram.velocity = vec(0.3, 0, 0);
	ram.free = 0;
	world->state.walls.at[1].def.point.x = -100; // it comes through where a wall was
	world->state.walls.at[1].point.x = -100;
	uint32_t id = talus_world_add_grain(world, &ram);
	talus_grain_def post = ram; // and two more that hold still
	post.velocity = vec(0, 0, 0);
	post.radius = 0.5;
	for (int i = 0; i < 2; i++) {
		post.at = vec(0.5, i ? 4 : 0.1, 0);
		talus_world_add_grain(world, &post);
	}
	run_to_crush(world, 2000, "a grain that is driven");
	assert_int_equal(contact_dynamics_of(world)->crush.wall, CRUSH_GRAIN);
	assert_int_equal(contact_dynamics_of(world)->crush.grain, id);
	talus_world_destroy(world);
}

static void test_cell(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++) {
		talus_world_def def = talus_world_def_default();
		double size = dimension == 2 ? 10 : 5;
		def.dimension = dimension;
		def.cell = (talus_cell_def){.size = vec(size, size, dimension == 3 ? size : 1), .periodic = {true, true, dimension == 3}};
		for (int k = 0; k < dimension; k++) {
			def.cell.drive[k][k] = TALUS_DRIVE_RATE;
			def.cell.wanted[k][k] = -0.05;
		}
		talus_world *world = world_of(&def, 0.4);
		fill_box(world, dimension == 2 ? 64 : 64, vec(0, 0, 0), vec(size, size, dimension == 3 ? size : 0));
		run_to_crush(world, 2000, "a cell");
		assert_int_equal(contact_dynamics_of(world)->crush.wall, CRUSH_CELL);
		talus_world_destroy(world);
	}
}

// A row of grains between a wall that stands and one that comes. In open space there is none that stands.
static talus_world *row(int dimension, int count, double speed, double gravity)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.gravity = vec(0, -gravity, 0);
	def.solver.audit = 0;
	talus_world *world = world_of(&def, 0.3);
	for (int i = 0; i < count; i++)
		put_grain(world, vec(0.5 + i, 0, 0), 0.5, vec(0, 0, 0));
	named_plane(world, "coming", vec(count + speed*def.step, 0, 0), vec(-1, 0, 0), vec(-speed, 0, 0));
	return world;
}

// Slow walls, too: impulses may have outgrown all digits before overlaps can be seen.
static void test_few(void **state)
{
	(void)state;
	static const double speeds[] = {0.002, 0.01, 0.3, 3};
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int count = 1; count <= 2; count++)
			for (size_t k = 0; k < COUNT(speeds); k++) {
				talus_world *world = row(dimension, count, speeds[k], 0);
				named_plane(world, "standing", vec(-0.2, 0, 0), vec(1, 0, 0), vec(0, 0, 0));
				char what[64];
				snprintf(what, sizeof what, "%d grain(s) in %d dimensions, speed %g", count, dimension, speeds[k]);
				run_to_crush(world, (int)(0.5/(speeds[k]*world->state.def.step)), what);
				assert_string_equal(world->state.walls.at[contact_dynamics_of(world)->crush.wall].def.name, "coming");
				talus_world_destroy(world);
			}
}

// The same squeeze seen from a train, and beside a wall far away that is faster than anything: who is to blame is the same.
static void test_frames(void **state)
{
	(void)state;
	static const double speeds[] = {0, 10, 1000};
	for (size_t k = 0; k < COUNT(speeds); k++)
		for (int far = 0; far < 2; far++) {
			talus_world *world = box(2, 0.005, 5);
			fill_box(world, 20, vec(0, 0, 0), vec(5, 6, 0));
			named_plane(world, "lid", vec(0, 6.2, 0), vec(0, -1, 0), vec(0, -1, 0));
			vec3 train = vec(speeds[k], 0, 0);
			for (int w = 0; w < world->state.walls.count; w++)
				world->state.walls.at[w].def.velocity = add(world->state.walls.at[w].def.velocity, train);
			for (size_t i = 0; i < world->state.bodies.count; i++)
				world->state.bodies.v[i] = add(world->state.bodies.v[i], train);
			if (far)
				named_plane(world, "far", vec(0, 1000, 0), vec(0, -1, 0), vec(0, 1e4, 0));
			for (int i = 0; i < 1200 && contact_dynamics_of(world)->crush.step == 0; i++)
				talus_world_step(world);
			assert_true(contact_dynamics_of(world)->crush.step > 0);
			assert_string_equal(world->state.walls.at[contact_dynamics_of(world)->crush.wall].def.name, "lid");
			talus_world_destroy(world);
		}
}

static talus_world *pressed_cell(double inertia)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.solver.audit = 0;
	def.cell = (talus_cell_def){.size = vec(10, 10, 1), .periodic = {true, true, false}, .inertia = inertia};
	def.cell.drive[0][0] = TALUS_DRIVE_RATE;
	def.cell.wanted[0][0] = -0.1;
	def.cell.drive[1][1] = TALUS_DRIVE_STRESS;
	def.cell.wanted[1][1] = 1;
	talus_world *world = world_of(&def, 0.4);
	fill_box(world, 64, vec(0, 0, 0), vec(10, 10, 0));
	return world;
}

// A cell that is pressed together along x gives way along y, however heavy it is.
static void test_gives_way(void **state)
{
	(void)state;
	static const double inertias[] = {1e2, 1e6};
	for (size_t k = 0; k < COUNT(inertias); k++) {
		talus_world *world = pressed_cell(inertias[k]);
		run_without(world, 600, "a cell that gives way");
	}
}

// ---------------------------------------------------------------- room enough

// However light they are, however fast the wall is, and with few sweeps, which hand on too little.
static void test_open(void **state)
{
	(void)state;
	static const double speeds[] = {0.01, 0.3, 3};
	for (int dimension = 2; dimension <= 3; dimension++)
		for (size_t k = 0; k < COUNT(speeds); k++)
			for (size_t l = 0; l < COUNT(sweeps); l++) {
				talus_world *world = row(dimension, 9, speeds[k], 0);
				named_plane(world, "far", vec(-1000, 0, 0), vec(1, 0, 0), vec(0, 0, 0));
				solve_with(world, sweeps[l]);
				int asked = run_without(world, 600, "a row in the open");
				assert_true(asked > 0 || speeds[k] < 3 || sweeps[l] == ALL_SWEEPS);
				world = row(dimension, 1, speeds[k], 1);
				put_grain(world, vec(-0.001, 0, 0), 0.001, vec(0, 0, 0)); // the lightest one is pushed by a heavy one
				solve_with(world, sweeps[l]);
				run_without(world, 600, "a light grain in the open");
			}
}

// The wall turns round just before there is no room. With few sweeps grains overlap before.
static void test_turns(void **state)
{
	(void)state;
	for (int dimension = 2; dimension <= 3; dimension++)
		for (int count = 1; count <= 9; count += 8)
			for (size_t k = 0; k < COUNT(sweeps); k++) {
				talus_world *world = row(dimension, count, 0, 0);
				named_plane(world, "standing", vec(-0.5, 0, 0), vec(1, 0, 0), vec(0, 0, 0));
				wall *coming = &world->state.walls.at[0];
				coming->def.oscillate_direction = vec(1, 0, 0);
				coming->def.oscillate_amplitude = 0.4999;
				coming->def.oscillate_frequency = 1;
				solve_with(world, sweeps[k]);
				int asked = run_without(world, 1000, "a wall that turns round");
				assert_true(asked > 0 || count == 1 || sweeps[k] == ALL_SWEEPS);
			}
}

// Impulses are huge, but end. The side wall is what could be blamed.
static void test_heavy(void **state)
{
	(void)state;
	static const double masses[] = {1e6, 1e7};
	for (size_t m = 0; m < COUNT(masses); m++) {
		talus_world *world = box(3, 0.005, 4);
		world->state.def.solver.max_iterations = 30; // so that it sinks in, and one asks
		fill_box(world, 40, vec(0.2, 0, 0), vec(4, 4, 6));
		world->state.walls.at[1].def.velocity = vec(0.01, 0, 0);
		talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
		piston.point = vec(0, 0, 7);
		piston.axis = vec(0, 0, -1);
		piston.mass = masses[m];
		piston.free = TALUS_FREE_Z;
		talus_world_add_wall(world, &piston);
		assert_true(run_without(world, 900, "a heavy piston") > 0);
	}
}

// Two rough walls that slide, one of them kept down by its weight.
static talus_world *shear(void)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.gravity = vec(0, -1, 0);
	def.cell = (talus_cell_def){.size = vec(12, 1, 1), .periodic = {true, false, false}};
	talus_world *world = world_of(&def, 0.5);
	named_plane(world, "floor", vec(0, 0, 0), vec(0, 1, 0), vec(-0.5, 0, 0));
	fill_box(world, 70, vec(0, 0.5, 0), vec(12, 9, 0));
	for (int i = 0; i < 12; i++) { // teeth that go with the floor
		talus_grain_def tooth = talus_grain_def_default();
		tooth.at = vec(i + 0.5, 0, 0);
		tooth.radius = 0.4;
		tooth.velocity = vec(-0.5, 0, 0);
		tooth.free = 0;
		talus_world_add_grain(world, &tooth);
	}
	talus_wall_def lid = talus_wall_def_default(TALUS_WALL_PLANE);
	lid.point = vec(0, 9.5, 0);
	lid.axis = vec(0, -1, 0);
	lid.mass = 30;
	lid.free = TALUS_FREE_Y;
	lid.velocity = vec(0.5, 0, 0);
	talus_world_add_wall(world, &lid);
	return world;
}

static void test_shear(void **state)
{
	(void)state;
	run_well_and_badly(shear, 1500, "a shear cell");
}

static talus_world *drum(void)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = 2;
	def.gravity = vec(0, -1, 0);
	talus_world *world = world_of(&def, 0.5);
	talus_wall_def round = talus_wall_def_default(TALUS_WALL_CYLINDER);
	round.radius = 6;
	round.spin = 0.5;
	talus_world_add_wall(world, &round);
	fill_box(world, 45, vec(-4, -4, 0), vec(4, 4, 0));
	return world;
}

static void test_drum(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(sweeps); k++) {
		talus_world *world = drum();
		solve_with(world, sweeps[k]);
		assert_int_equal(run_without(world, 1500, "a drum"), 0); // nothing comes nearer
	}
}

static talus_world *vibrated(void)
{
	talus_world *world = box(2, 0.01, 10);
	fill_box(world, 50, vec(0, 0.4, 0), vec(10, 8, 0));
	wall *floor = &world->state.walls.at[0];
	floor->def.oscillate_direction = vec(0, 1, 0);
	floor->def.oscillate_amplitude = 0.4;
	floor->def.oscillate_frequency = 1;
	return world;
}

static void test_vibrated(void **state)
{
	(void)state;
	run_well_and_badly(vibrated, 1500, "a vibrated bed");
}

// A lid that comes down on a loose bed and stops before it is dense.
static void test_stops(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(sweeps); k++) {
		talus_world *world = box(2, 0.01, 10);
		fill_box(world, 60, vec(0, 0, 0), vec(10, 8, 0));
		int lid = named_plane(world, "lid", vec(0, 10, 0), vec(0, -1, 0), vec(0, -1, 0));
		solve_with(world, sweeps[k]);
		run(world, 330);
		world->state.walls.at[lid].def.velocity = vec(0, 0, 0);
		assert_int_equal(contact_dynamics_of(world)->crush.step, 0);
		run_without(world, 500, "a lid that stops");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lid),
		cmocka_unit_test(test_side),
		cmocka_unit_test(test_bar),
		cmocka_unit_test(test_grain),
		cmocka_unit_test(test_cell),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_gives_way),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_heavy),
		cmocka_unit_test(test_shear),
		cmocka_unit_test(test_drum),
		cmocka_unit_test(test_vibrated),
		cmocka_unit_test(test_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
