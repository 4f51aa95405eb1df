// SPDX-License-Identifier: MIT
// How far forces reach, and across what: columns of known height, clusters in cells, overlaps of soft columns, and the
// warning of a run.
#include "unit.h"

#include "run_folder.h"


#include "collide/collide.h"
#include "observe/observe.h"

static talus_world *column(int count, talus_solver_def solver, double gravity)
{
	talus_world_def def = unit_def(2);
	def.step = 1e-3;
	def.gravity = vec(0, -gravity, 0);
	def.solver = solver;
	talus_world *world = unit_world(&def, 0);
	talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
	plane.axis = vec(0, 1, 0);
	talus_world_add_wall(world, &plane);
	for (int i = 0; i < count; i++)
		unit_grain(world, vec(0, 1 + 2*i, 0), 1, vec(0, 0, 0));
	return world;
}

static talus_solver_def sweeps(talus_solver_kind kind, int count)
{
	talus_solver_def solver = plain_def().solver;
	solver.kind = kind;
	solver.iterations = count;
	return solver;
}

static rigidity_state after(talus_world *world, int count)
{
	steps(world, count);
	return observe_rigidity(world);
}

// ---------------------------------------------------------------- columns

static void test_column(void **state)
{
	(void)state;
	const struct {
		talus_solver_kind kind;
		int count, sweeps;
		double reach; // in diameters
	} cases[] = {
		{TALUS_SOLVER_NSGS, 40, 500, sqrt(4*0.777*500)},
		{TALUS_SOLVER_NSGS, 60, 125, sqrt(4*0.777*125)},
		{TALUS_SOLVER_ACCELERATED, 77, 100, 77},
		{TALUS_SOLVER_ACCELERATED, 50, 200, 154},
		{TALUS_SOLVER_AUTO, 50, 100, 77},
	};
	for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
		talus_world *world = column(cases[i].count, sweeps(cases[i].kind, cases[i].sweeps), 1);
		rigidity_state s = after(world, 20);
		double m = world->state.bodies.mass[0], dt = world->state.def.step, far = cases[i].reach;
		assert_int_equal(s.grains, cases[i].count);
		assert_near(s.size, 2*cases[i].count, 1e-3);
		assert_near(s.diameter, 2, 1e-12);
		assert_near(s.reach, 2*far, 1e-9);
		assert_near(s.ratio, far/cases[i].count, 1e-5);
		assert_near(s.stiffness/(m*far*far/(4*dt*dt)), 1, 1e-12);
		if (cases[i].kind == TALUS_SOLVER_NSGS) // q m N/dt^2
			assert_near(s.stiffness/(0.777*m*cases[i].sweeps/(dt*dt)), 1, 1e-12);
		talus_world_destroy(world);
	}
}

// Contacts of a soft column overlap by force over stiffness.
static void test_overlap(void **state)
{
	(void)state;
	const struct {
		talus_solver_kind kind;
		int sweeps;
	} cases[] = {{TALUS_SOLVER_NSGS, 10}, {TALUS_SOLVER_NSGS, 40}, {TALUS_SOLVER_ACCELERATED, 10}, {TALUS_SOLVER_ACCELERATED, 20}};
	for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
		talus_world *world = column(60, sweeps(cases[i].kind, cases[i].sweeps), 1);
		rigidity_state s = after(world, 6000);
		assert_true(s.ratio < 0.5);
		double got = world->report.mean_overlap/s.overlap;
		if (!(got > 0.5 && got < 2))
			print_error("case %zu: overlap over expected %g\n", i, got);
		assert_true(got > 0.5 && got < 2);
		talus_world_destroy(world);
	}
}

// Where the sweeps of a step stop by themselves, it counts how good the answer is.
static void test_rules(void **state)
{
	(void)state;
	talus_solver_def solver = sweeps(TALUS_SOLVER_ACCELERATED, 0);
	solver.stop = TALUS_STOP_ERROR;
	solver.tolerance = 1e-2;
	talus_world *world = column(60, solver, 1);
	rigidity_state s = after(world, 20);
	assert_true(s.ratio >= 1 && world->report.iterations < 60); // which do not reach so far by themselves
	assert_true(0.77*world->report.iterations < 60);
	talus_step_report *report = &world->report;
	report->residual = 1; // which tells nothing: the judgement alone counts
	assert_near(observe_rigidity(world).ratio, 1, 1e-12);
	report->error_global = 10;
	assert_true(observe_rigidity(world).ratio < 0.8);
	report->residual = 1e-12; // of a large column it can be, though its forces are wrong
	world->state.def.solver.tolerance = 20; // met, but an error of ten times the forces is one
	assert_true(observe_rigidity(world).ratio < 0.8);
	talus_world_destroy(world);

	solver.max_iterations = 10; // not enough for anything
	world = column(60, solver, 1);
	s = after(world, 1);
	assert_true(s.ratio < 1 && world->report.capped_all == 1);
	talus_world_destroy(world);

	// a residual that plain sweeps have when they have come half the way up, then one that is good enough
	const double residual[] = {6.7e-4, 5e-5};
	for (int i = 0; i < 2; i++) {
		solver = sweeps(TALUS_SOLVER_NSGS, 0);
		solver.stop = TALUS_STOP_RESIDUAL;
		solver.tolerance = residual[i];
		solver.max_iterations = 100000;
		world = column(100, solver, 1);
		s = after(world, 1);
		double by_sweeps = sqrt(4*0.777*world->report.iterations)/100;
		assert_true(i ? s.ratio > 1 : s.ratio > 0.4 && s.ratio < 0.7);
		assert_true(i || fabs(by_sweeps - s.ratio) < 0.15);
		s = after(world, 300); // few sweeps, but it starts from the answer
		assert_true(world->report.iterations < 100 && s.ratio > (i ? 1 : 0.4));
		talus_world_destroy(world);
	}
}

static void test_nothing(void **state)
{
	(void)state;
	talus_world *world = column(5, sweeps(TALUS_SOLVER_NSGS, 10), 0);
	rigidity_state s = observe_rigidity(world);
	assert_true(s.grains == 0 && s.ratio == 0 && s.size == 0 && s.overlap == 0);
	s = after(world, 2);
	assert_true(s.grains == 0 && s.ratio == 0 && s.stiffness == 0);
	talus_world_destroy(world);
}

// ---------------------------------------------------------------- cells

// Rows of grains along x that push each other; contacts are made by hand.
static talus_world *row(int count, double first, double width, int fixed)
{
	talus_world_def def = unit_def(2);
	def.cell.size = vec(width, 1, 1);
	def.cell.periodic[0] = true;
	talus_world *world = unit_world(&def, 0);
	for (int i = 0; i < count; i++) {
		talus_grain_def grain = talus_grain_def_default();
		grain.at = vec(fmod(first + 2*i, width), 0, 0);
		grain.free = i == fixed ? 0 : TALUS_FREE_ALL;
		talus_world_add_grain(world, &grain);
	}
	contacts *c = &world->contacts;
	contacts_reserve(c, (size_t)count);
	for (int i = 0; i + 1 < count; i++, c->count++) {
		c->contact[i] = (talus_contact){.a = (uint32_t)i, .b = (uint32_t)i + 1, .n = vec(1, 0, 0), .wall = NO_WALL};
		c->p[i] = vec(1, 0, 0);
	}
	c->class_end[TALUS_COULOMB] = c->class_end[TALUS_EXTENDED] = c->count;
	world->report.iterations = 125; // 20 diameters
	bearing_count(&world->bearing, &world->state, &world->contacts);
	return world;
}

// The extent of a cluster does not depend on where the cell is cut; all around it is the cell's.
static void test_periodic(void **state)
{
	(void)state;
	for (double first = 0; first < 100; first += 7.3) {
		talus_world *world = row(10, first, 100, -1);
		rigidity_state s = observe_rigidity(world);
		assert_int_equal(s.grains, 10);
		assert_near(s.size, 20, 0.8); // to two bins
		assert_near(s.ratio, 2, 0.1);
		talus_world_destroy(world);
	}
	talus_world *world = row(50, 1, 100, -1);
	assert_near(observe_rigidity(world).size, 100, 1e-9);
	talus_world_destroy(world);
}

// A fixed grain is a support, not a part: the larger side counts.
static void test_support(void **state)
{
	(void)state;
	talus_world *world = row(20, 1, 100, 7);
	rigidity_state s = observe_rigidity(world);
	assert_int_equal(s.grains, 12);
	assert_near(s.size, 24, 0.8);
	talus_world_destroy(world);
}

// Weight goes down: two columns that lean on each other sideways are as high as one. A piston makes width count.
static void test_weight(void **state)
{
	(void)state;
	for (int piston = 0; piston < 2; piston++) {
		talus_world_def def = unit_def(2);
		def.gravity = vec(0, -1, 0);
		talus_world *world = unit_world(&def, 0);
		for (int i = 0; i < 30; i++)
			unit_grain(world, vec(2*(i%10), 1 + 2*(i/10), 0), 1, vec(0, 0, 0));
		talus_wall_def plane = talus_wall_def_default(TALUS_WALL_PLANE);
		plane.axis = vec(0, 1, 0);
		talus_world_add_wall(world, &plane);
		plane.axis = vec(1, 0, 0);
		plane.point = vec(-50, 0, 0);
		plane.mass = piston;
		plane.free = TALUS_FREE_X;
		talus_world_add_wall(world, &plane);
		talus_world_step(world);
		contacts *c = &world->contacts;
		for (size_t i = 0; i < c->count; i++)
			if (is_zero(c->p[i]))
				c->p[i] = mul(1e-3, c->contact[i].n);
		rigidity_state s = observe_rigidity(world);
		assert_int_equal(s.grains, 30);
		assert_near(s.size, piston ? 20 : 6, 1e-2);
		talus_world_destroy(world);
	}
}

// ---------------------------------------------------------------- the watch

// The second look in a row that finds it soft says so, and no other.
static void test_watch(void **state)
{
	(void)state;
	talus_world *world = column(60, sweeps(TALUS_SOLVER_NSGS, 100), 1);
	int said = 0, at = 0;
	soft_watch soft = {0};
	for (int i = 1; i <= 10; i++) {
		after(world, 50);
		if (observe_soft(world, &soft)) {
			said++;
			at = i;
		}
	}
	assert_int_equal(said, 1);
	assert_int_equal(at, 2);
	assert_int_equal(soft.step, 100);
	assert_int_equal(soft.grains, 60);
	assert_int_equal(soft.sweeps, 100);
	assert_near(soft.size, 60, 1e-2);
	assert_near(soft.reach, sqrt(4*0.777*100), 1e-9);
	assert_true(soft.overlap > 0);
	assert_near(observe_sweeps(&world->state.def.solver, 60), 3600/(4*0.777), 1e-9);
	talus_world_destroy(world);

	// rigid; too small to matter; interrupted by a rigid look
	const int cases[][2] = {{60, 2000}, {40, 10}};
	for (size_t k = 0; k < 2; k++) {
		world = column(cases[k][0], sweeps(TALUS_SOLVER_NSGS, cases[k][1]), 1);
		soft = (soft_watch){0};
		for (int i = 0; i < 5; i++) {
			after(world, 20);
			assert_false(observe_soft(world, &soft));
		}
		talus_world_destroy(world);
	}
	world = column(60, sweeps(TALUS_SOLVER_NSGS, 100), 1);
	after(world, 100);
	soft = (soft_watch){0};
	for (int i = 0; i < 6; i++) {
		world->report.iterations = i%2 ? 100000 : 100;
		assert_false(observe_soft(world, &soft));
	}
	talus_world_destroy(world);
}

// What a run knows of it is in its checkpoint; one that was written before there was any of this can still be read.
static void test_checkpoint(void **state)
{
	static const char *const later[] = {"floor_all", "error_overlap", "error_local", "error_global", "soft_rows", "soft_step",
	                                    "soft_grains", "soft_sweeps", "soft_size", "soft_reach", "soft_overlap"};
	talus_error error;
	double seconds;
	char path[TALUS_PATH_MAX], name[64];
	talus_world *a = world_with_grains(&plain_law), *b = world_empty(&plain_law), *c = world_empty(&plain_law);
	talus_step_report *r = &a->report;
	steps(a, 3);
	r->stagnated_steps = 1;
	r->error_overlap = 2;
	r->error_local = 3;
	r->error_global = 4;
	soft_watch soft = {5, 6, 7, 8, 9, 10, 11};
	checkpoint_head head;
	assert_true(checkpoint_write_with(*state, a, 0, &(run_origin){.started = ""}, &soft, &error) && checkpoint_read(*state, b, &seconds, &error));
	const talus_step_report *s = &b->report;
	assert_true(s->stagnated_steps == 1 && s->error_overlap == 2 && s->error_local == 3 && s->error_global == 4);
	assert_true(checkpoint_look(*state, &head, &error));
	assert_true(head.soft.looks == 5 && head.soft.step == 6 && head.soft.grains == 7 && head.soft.sweeps == 8);
	assert_true(head.soft.size == 9 && head.soft.reach == 10 && head.soft.overlap == 11);
	path_in(path, *state, "checkpoint.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
	for (size_t i = 0; i < sizeof later/sizeof *later; i++) {
		snprintf(name, sizeof name, "report_%s", later[i]);
		assert_true(H5Adelete(file, name) >= 0);
	}
	checkpoint_close(*state, file);
	assert_true(checkpoint_read(*state, c, &seconds, &error));
	assert_true(checkpoint_look(*state, &head, &error) && head.soft.looks == 0 && head.soft.step == 0 && head.soft.reach == 0);
	assert_true(c->report.stagnated_steps == 0 && c->report.iterations == r->iterations);
	talus_world_destroy(a);
	talus_world_destroy(b);
	talus_world_destroy(c);
}

// A step whose sweeps do not make it better any more ends, and counts by itself: it is not one that ran into its cap.
static void test_floor(void **state)
{
	(void)state;
	talus_solver_def solver = sweeps(TALUS_SOLVER_ACCELERATED, 0);
	solver.stop = TALUS_STOP_ERROR;
	solver.tolerance = 1e-300; // no rounding allows it
	solver.max_iterations = 1000000;
	talus_world *world = column(10, solver, 1);
	after(world, 3);
	assert_int_equal(world->report.stagnated_steps, 3);
	assert_int_equal(world->report.capped_all, 0);
	assert_true(world->report.error_global < 1e-6 && world->report.error_local > 0);
	talus_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_column),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_periodic),
		cmocka_unit_test(test_support),
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_watch),
		IN_FOLDER(test_checkpoint),
		cmocka_unit_test(test_floor),
	};
	return cmocka_run_group_tests_name("rigidity", tests, NULL, NULL);
}
