// SPDX-License-Identifier: MIT
// The rule `forces`: sweeps end when the root mean square error of the forces of a step is about what was asked for, also where soft modes
// hide it from the residual. Beds near rest, against forces found another way (smooth grains) or by audits (rough ones).
//
// Two things are not promised, and not judged. An error in a mode softer than 1e-6 (doubling.c): there the rule may say 1 % where it is 15 %. That
// happens where about as many contacts push as there are directions to move in, so that forces are nearly arbitrary. And the first steps of a
// bed: how soft it is may be found too early, and is then believed for 16 steps; below the heavy piston forces were wrong by 15 times what was
// asked for until then.
#include "physics.h"

#include "smooth.h"
#include "method/contact_dynamics.h"

static const double too_soft = 1e-6;

// ---------------------------------------------------------------- beds near rest

static talus_world *box(int dimension, double dt, double width, double mu)
{
	talus_world_def def = talus_world_def_default();
	def.dimension = dimension;
	def.step = dt;
	def.gravity = dimension == 2 ? vec(0, -1, 0) : vec(0, 0, -1);
	def.solver.audit = 0;
	talus_world *world = world_of(&def, mu);
	put_box(world, width);
	return world;
}

static void solve_by(talus_world *world, talus_stop stop, double tolerance)
{
	world->state.def.solver.kind = TALUS_SOLVER_ACCELERATED;
	world->state.def.solver.stop = stop;
	world->state.def.solver.tolerance = tolerance;
	world->state.def.solver.max_iterations = 10000;
}

// A loose lattice falls, with so little overlap that there are no more contacts than grains need.
static talus_world *bed(int dimension, int count, double width, double height, double mu)
{
	talus_error error;
	talus_world *world = box(dimension, 0.02, width, mu);
	talus_fill_def fill = {.count = count, .arrangement = TALUS_ARRANGE_LATTICE, .jitter = 0.5,
	                       .radius = {.kind = TALUS_SIZE_UNIFORM, .a = 0.4, .b = 0.6},
	                       .in = {.kind = TALUS_REGION_BOX, .box = {vec(0, 0, 0), dimension == 2 ? vec(width, height, 0) : vec(width, width, height)}}};
	assert_true(talus_world_fill(world, &fill, &error));
	solve_by(world, TALUS_STOP_ERROR, 1e-3);
	run(world, 800);
	return world;
}

static talus_world *disks(void) { return bed(2, 90, 8, 20, 0); }
static talus_world *spheres(void) { return bed(3, 90, 4, 14, 0); }
static talus_world *column(void) { return bed(2, 40, 2, 60, 0); }

// Rows of equal disks, each in the gaps of the one below.
static talus_world *crystal(void)
{
	talus_world *world = box(2, 0.02, 10, 0);
	for (int row = 0; row < 12; row++)
		for (int i = 0; i < 10 - row%2; i++)
			put_grain(world, vec(0.5 + i + 0.5*(row%2), 0.5 + sqrt(0.75)*row, 0), 0.5, vec(0, 0, 0));
	solve_by(world, TALUS_STOP_ERROR, 1e-3);
	run(world, 100);
	return world;
}

// Ten thousand times as heavy as a grain.
static talus_world *pressed(void)
{
	talus_world *world = bed(2, 60, 6, 16, 0);
	double top = 0;
	for (size_t i = 0; i < world->state.bodies.count; i++)
		top = fmax(top, world->state.bodies.x[i].y + world->state.bodies.radius[i]);
	talus_wall_def piston = talus_wall_def_default(TALUS_WALL_PLANE);
	piston.point = vec(0, top, 0);
	piston.axis = vec(0, -1, 0);
	piston.mass = 1e4;
	piston.free = TALUS_FREE_Y;
	talus_world_add_wall(world, &piston);
	run(world, 300);
	return world;
}

// The same grains and walls, with another time step and rule.
static talus_world *again(const talus_world *from, double dt, double error)
{
	talus_world_def def = from->state.def;
	def.step = dt;
	talus_world *world = world_of(&def, from->state.pair[0].friction);
	for (int w = 0; w < from->state.walls.count; w++) {
		talus_wall_def there = from->state.walls.at[w].def;
		there.point = from->state.walls.at[w].point;
		talus_world_add_wall(world, &there);
		world->state.walls.at[w].v = from->state.walls.at[w].v;
	}
	for (size_t i = 0; i < from->state.bodies.count; i++) {
		put_grain(world, from->state.bodies.x[i], from->state.bodies.radius[i], from->state.bodies.v[i]);
		world->state.bodies.spin[i] = from->state.bodies.spin[i];
	}
	solve_by(world, TALUS_STOP_RESIDUAL, 1e-6); // the step is another one: let it come to rest
	run(world, 50);
	solve_by(world, TALUS_STOP_FORCES, error);
	return world;
}

// Gravity sways a little, so that there is something to find: by a hundredth of the weight in a step.
static talus_step_report sway(talus_world *world)
{
	world->state.def.gravity.x = 0.05*sin(0.2*(double)world->state.step);
	return talus_world_step(world);
}

// ---------------------------------------------------------------- how wrong they are

typedef struct tally {
	int judged, above; // by half of what was asked for
	int soft, ended;   // not judged; ended otherwise than by the rule
	double worst;      // over what was asked for
	double sweeps;     // of a step
} tally;

static void count(tally *t, double error)
{
	t->judged++;
	t->above += error > 1.5;
	t->worst = fmax(t->worst, error);
}

// Of the error: how little of it shows in velocities.
static double softness(smooth *s)
{
	double energy = 0, size = 0;
	s->spring = 0;
	smooth_feel(s, s->d, s->wd); // d is the error
	for (size_t i = 0; i < s->contacts; i++) {
		energy += s->d[i]*s->wd[i];
		size += s->d[i]*s->d[i]/contact_dynamics_of(s->world)->rows.row[i].mass_n;
	}
	return size > 0 ? energy/size : 1;
}

enum { EARLY = 20, STEPS = 60, EVERY = 3, ROUGH_STEPS = 30 };

static tally judge(const talus_world *bed, double dt, double error)
{
	tally t = {0};
	talus_world *world = again(bed, dt, error);
	uint64_t ended = world->report.capped_all + world->report.stagnated_steps;
	for (int i = -EARLY; i < STEPS; i++) {
		t.sweeps += (double)sway(world).iterations/(EARLY + STEPS);
		if (i < 0 || i%EVERY > 0)
			continue;
		smooth s = smooth_solve(world, 1e-11, 0.01*too_soft);
		assert_below(s.left, 1e-6);
		double e = smooth_error(&s)/error;
		bool unknown = s.left > 1.01e-11; // a crystal with hundreds of right answers: the nearest one takes too long to find
		if (e > 1.5 && (unknown || softness(&s) < too_soft))
			t.soft++;
		else
			count(&t, e);
		smooth_free(&s);
	}
	t.ended = (int)(world->report.capped_all + world->report.stagnated_steps - ended);
	talus_world_destroy(world);
	return t;
}

static const double asked[] = {0.1, 0.01}, time_steps[] = {0.01, 0.0025};

// All that was asked for, with all steps; the bed is gone then.
static tally sum_of(const char *name, talus_world *bed, tally (*one)(const talus_world *bed, double dt, double error), const char *left_out)
{
	tally all = {0};
	for (size_t e = 0; e < COUNT(asked); e++)
		for (size_t k = 0; k < (quick() ? 1 : COUNT(time_steps)); k++) {
			tally t = one(bed, time_steps[k], asked[e]);
			print_message("%s, forces %g, step %g: %d of %d above 1.5, worst %.2f, %d %s, %d ended otherwise, %.0f sweeps\n", name, asked[e],
			              time_steps[k], t.above, t.judged, t.worst, t.soft, left_out, t.ended, t.sweeps);
			all.judged += t.judged;
			all.above += t.above;
			all.soft += t.soft;
			all.worst = fmax(all.worst, t.worst);
		}
	talus_world_destroy(bed);
	return all;
}

static void judge_bed(const char *name, talus_world *bed, double worst)
{
	tally all = sum_of(name, bed, judge, "too soft");
	assert_true(10*all.above <= all.judged);
	assert_below(all.worst, worst);
	assert_true(4*all.soft <= all.judged);
}

static void test_smooth(void **state)
{
	(void)state;
	judge_bed("column", column(), 3);
	judge_bed("disks", disks(), 3);
	judge_bed("spheres", spheres(), 3);
	judge_bed("pressed", pressed(), 3);
	judge_bed("crystal", crystal(), 5); // in one step of eighty 3.2: as it sways, rows of contacts close at once
}

// With friction there is no one right answer: solved on from what the step has found, how far does it go?
static tally audited(const talus_world *bed, double dt, double error)
{
	tally t = {0};
	talus_world *world = again(bed, dt, error);
	uint64_t ended = world->report.capped_all + world->report.stagnated_steps;
	for (int i = -EARLY; i < ROUGH_STEPS; i++) {
		world->state.def.solver.audit = i < 0 ? 0 : 1e6;
		t.sweeps += (double)sway(world).iterations/(EARLY + ROUGH_STEPS);
		talus_audit a = talus_world_audit(world);
		if (a.step == world->state.step)
			count(&t, a.error[TALUS_AUDITED_FORCES]/error);
	}
	t.ended = (int)(world->report.capped_all + world->report.stagnated_steps - ended);
	t.soft = (int)contact_dynamics_of(world)->audit.unfinished;
	talus_world_destroy(world);
	return t;
}

static tally audited_bed(const char *name, talus_world *bed)
{
	tally all = sum_of(name, bed, audited, "unfinished");
	assert_true(all.judged > ROUGH_STEPS);
	return all;
}

// Rough spheres have more contacts than they need, and it does not hold so well.
static void test_rough(void **state)
{
	(void)state;
	tally flat = audited_bed("rough disks", bed(2, 90, 8, 20, 0.3)), round = audited_bed("rough spheres", bed(3, 90, 4, 14, 0.3));
	assert_true(10*flat.above <= flat.judged);
	assert_below(flat.worst, 3);
	assert_true(2*round.above <= round.judged);
	assert_below(round.worst, 15);
}

// A wall pushes a row along; once all go as fast as it does there are no forces but rounding, and nothing to be found.
static void test_idle(void **state)
{
	(void)state;
	static const double steps[] = {0.02, 0.005};
	for (size_t k = 0; k < COUNT(steps); k++) {
		talus_world_def def = talus_world_def_default();
		def.dimension = 2;
		def.step = steps[k];
		def.solver = (talus_solver_def){.kind = TALUS_SOLVER_AUTO, .stop = TALUS_STOP_FORCES, .tolerance = 0.01, .cutoff = -1, .audit = 0.1};
		talus_world *world = world_of(&def, 0);
		talus_wall_def push = talus_wall_def_default(TALUS_WALL_PLANE);
		push.axis = vec(1, 0, 0);
		push.velocity = vec(1, 0, 0);
		talus_world_add_wall(world, &push);
		for (int i = 0; i < 300; i++)
			put_grain(world, vec(0.5 + i, 0, 0), 0.5, vec(0, 0, 0));
		talus_step_report last = {0}, before = {0};
		for (int i = 0; i < 100; i++) {
			last = talus_world_step(world);
			before = i == 59 ? last : before; // on the way there some steps end at what may be spent
		}
		assert_int_equal(last.capped_all, before.capped_all);
		assert_int_equal(last.stagnated_steps, before.stagnated_steps);
		assert_in_range(last.capped_all + last.stagnated_steps, 0, 30);
		assert_true(last.iterations < 100);
		talus_world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smooth),
		cmocka_unit_test(test_rough),
		cmocka_unit_test(test_idle),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
